// SPDX-License-Identifier: Apache-2.0
// The parts of NPSNetBatch that need no network: inputs, journal, tables, child processes.
#include "TestFolder.h"
#include "npsnetBatchInputs.h"
#include "npsnetBatchJournal.h"
#include "npsnetBatchTable.h"
#include "npsnetMessages.h"
#include "npsnetWorkerPool.h"

#include "itkAtomicFile.h"
#include "itkOutputError.h"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

namespace fs = std::filesystem;

namespace
{
class BatchTest : public ::testing::Test
{
protected:
  void SetUp() override
  {
    this->Folder = TestFolder();
    fs::remove_all(this->Folder);
    fs::create_directories(this->Folder);
  }

  void Write(const fs::path& relative, const std::string& content = "x") const
  {
    fs::create_directories((this->Folder / relative).parent_path());
    std::ofstream(this->Folder / relative, std::ios::binary) << content;
  }

  static std::string Content(const fs::path& path)
  {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }

  npsnet::BatchInputList Collect(const std::vector<std::string>& below, const std::string& out = "out") const
  {
    std::vector<std::string> arguments;
    for (const std::string& one : below)
    {
      arguments.push_back((this->Folder / one).string());
    }
    return npsnet::CollectInputs(arguments, (this->Folder / out).string());
  }

  static std::vector<std::string> Names(const npsnet::BatchInputList& list)
  {
    std::vector<std::string> names;
    for (const auto& input : list.Inputs)
    {
      names.push_back(input.Name);
    }
    return names;
  }

  fs::path Folder;
};

using Strings = std::vector<std::string>;

npsnet::BatchJournalHeader Header()
{
  npsnet::BatchJournalHeader header;
  header.Settings = "model abc, tta off";
  header.Columns = {"name", "status", "seconds"};
  header.NumberOfInputs = header.NumberOfSelectedInputs = 3;
  header.InputsDigest = "17";
  return header;
}

template <typename Function> std::string SentenceOf(Function&& function)
{
  try
  {
    function();
  }
  catch (const std::exception& error)
  {
    return error.what();
  }
  return "";
}
} // namespace

TEST_F(BatchTest, FoldersAreWalkedAndOtherFilesLeftOut)
{
  this->Write("in/b.JPG");
  this->Write("in/sub/a.png");
  this->Write("in/x.jpg/inside.tif");
  this->Write("in/notes.txt");
  this->Write("in/.hidden.jpg");
  this->Write("in/out/old.jpg");
  this->Write("in/scan", std::string(128, '\0') + "DICM");
  this->Write("in/p_overlay.png");
  this->Write("in/p_metrics.json");
  fs::create_directory_symlink("..", this->Folder / "in/sub/loop");
  fs::create_symlink("endless.jpg", this->Folder / "in/endless.jpg");
  const auto list = this->Collect({"in"}, "in/out");
  EXPECT_EQ(Names(list), (Strings{"b.JPG", "endless.jpg", "scan", "sub/a.png", "x.jpg/inside.tif"}));
  EXPECT_EQ(list.Inputs[3].OutputFolder, "sub");
  EXPECT_EQ(list.Inputs[3].Stem, "a");
  EXPECT_EQ(list.Notes.size(), 3u); // x.jpg is a folder; notes.txt; the overlay
}

TEST_F(BatchTest, PicturesThatCannotBeReadAreInputsAndOtherFilesAreNamed)
{
  for (const char* name :
    {"a.jpg", "a.HEIC", "b.webp", "c.gif", "d.cr2", "e.jfif", "n1.txt", "n2.txt", "n3.pdf", "n4.md"})
  {
    this->Write(fs::path("in") / name);
  }
  const auto list = this->Collect({"in", "in/gone.avif"});
  EXPECT_EQ(Names(list), (Strings{"a.HEIC", "a.jpg", "b.webp", "c.gif", "d.cr2", "e.jfif", "gone.avif"}));
  EXPECT_EQ(list.Inputs[1].Stem, "a"); // the outputs of a photo keep their names whatever lies beside it
  ASSERT_EQ(list.Notes.size(), 1u);
  for (const char* part : {"4 files", "n1.txt, ", "n2.txt, ", "n3.pdf, ..."})
  {
    EXPECT_NE(list.Notes[0].find(part), std::string::npos) << list.Notes[0];
  }
  EXPECT_EQ(Names(this->Collect({"in/*.[Hw]*"})), (Strings{"a.HEIC", "b.webp"}));
}

TEST_F(BatchTest, EqualNamesNeverShareOutputs)
{
  this->Write("one/a.jpg");
  this->Write("two/a.jpg");
  this->Write("one/b.jpg");
  this->Write("one/b.png");
  this->Write("one/b.jpg.png");
  this->Write("deep/one/a.jpg");
  const auto list = this->Collect({"two", "one", "deep/one", "one/b.jpg"});
  ASSERT_EQ(list.Inputs.size(), 6u);
  std::set<std::string> names;
  std::set<std::string> outputs;
  for (const auto& input : list.Inputs)
  {
    EXPECT_TRUE(names.insert(input.Name).second) << input.Name;
    EXPECT_TRUE(outputs.insert(input.OutputFolder + "/" + input.Stem).second) << input.Name;
  }
  // independent of the order of arguments
  const auto other = this->Collect({"deep/one", "one/b.jpg", "one", "two"});
  EXPECT_EQ(Names(list), Names(other));
  EXPECT_EQ(list.Digest(), other.Digest());
}

TEST_F(BatchTest, GlobsAndMissingThings)
{
  this->Write("in/p1/a.jpg");
  this->Write("in/p2/a.jpg");
  this->Write("in/p2/a.txt");
  EXPECT_EQ(Names(this->Collect({"in/*/a.*"})), (Strings{"p1/a.jpg", "p2/a.jpg"}));
  EXPECT_EQ(Names(this->Collect({"in/p1/a.jpg", "gone.jpg"})), (Strings{"a.jpg", "gone.jpg"}));
  EXPECT_NE(SentenceOf([&] { this->Collect({"in/*/b.*"}); }).find("No file matches"), std::string::npos);
  EXPECT_NE(SentenceOf([&] { this->Collect({"gone"}); }).find("no file, folder or table"), std::string::npos);
  fs::create_directories(this->Folder / "empty");
  EXPECT_NE(SentenceOf([&] { this->Collect({"empty"}); }).find("no photo"), std::string::npos);
}

TEST_F(BatchTest, TablesNamePhotosEyesAndCentres)
{
  this->Write("t/list.csv",
    "\xEF\xBB\xBFimage,eye,um_per_pixel,center_x,center_y\r\n\"p/a,1.jpg\",OD,4.5,10,20\r\n\r\n../b.jpg,,,,\r\n");
  const auto list = this->Collect({"t/list.csv"});
  ASSERT_EQ(Names(list), (Strings{"b.jpg", "p/a,1.jpg"}));
  EXPECT_EQ(list.Inputs[1].Eye, "OD");
  EXPECT_EQ(*list.Inputs[1].MicrometersPerPixel, 4.5);
  EXPECT_EQ((*list.Inputs[1].Center)[1], 20.0);
  EXPECT_FALSE(list.Inputs[0].Center.has_value());
  EXPECT_EQ(fs::path(list.Inputs[0].Path).lexically_normal(), this->Folder / "b.jpg");

  this->Write("t/eye.csv", "image,eye\na.jpg,left\n");
  EXPECT_NE(SentenceOf([&] { this->Collect({"t/eye.csv"}); }).find("line 2: eye should be"), std::string::npos);
  this->Write("t/short.csv", "image,eye\na.jpg\n");
  EXPECT_NE(
    SentenceOf([&] { this->Collect({"t/short.csv"}); }).find("1 cells where the header has 2"), std::string::npos);
  this->Write("t/quote.csv", "image\n\"a.jpg\n");
  EXPECT_NE(SentenceOf([&] { this->Collect({"t/quote.csv"}); }).find("never closed"), std::string::npos);
  this->Write("t/column.csv", "photo\na.jpg\n");
  EXPECT_NE(
    SentenceOf([&] { this->Collect({"t/column.csv"}); }).find("no column named image, but: photo."), std::string::npos);
  this->Write("t/semicolons.csv", "image;eye\na.jpg;OD\n");
  EXPECT_NE(SentenceOf([&] { this->Collect({"t/semicolons.csv"}); }).find("by commas"), std::string::npos);
  this->Write("t/tabs.csv", "image\teye\na.jpg\tOD\n");
  EXPECT_NE(SentenceOf([&] { this->Collect({"t/tabs.csv"}); }).find("by commas"), std::string::npos);
}

TEST_F(BatchTest, ShardsCoverTheListOnce)
{
  std::vector<npsnet::BatchInput> inputs(10);
  for (std::size_t i = 0; i < inputs.size(); ++i)
  {
    inputs[i].Name = std::to_string(i);
  }
  std::multiset<std::string> seen;
  for (const char* text : {"1/3", "2/3", "3/3"})
  {
    for (const auto& input : npsnet::SelectShard(inputs, npsnet::ParseShard(text)))
    {
      seen.insert(input.Name);
    }
  }
  EXPECT_EQ(seen.size(), 10u);
  EXPECT_EQ(std::set<std::string>(seen.begin(), seen.end()).size(), 10u);
  for (const char* wrong : {"0/3", "4/3", "a/b", "1/3x", "2", "-1/3"})
  {
    EXPECT_THROW(npsnet::ParseShard(wrong), std::runtime_error) << wrong;
  }
}

TEST_F(BatchTest, JournalSurvivesBeingCutAnywhere)
{
  const std::string out = (this->Folder / "out").string();
  {
    npsnet::BatchJournal journal;
    journal.Open(out, Header(), false);
    for (const char* name : {"a.jpg", "b,\"2\".jpg", "c.jpg"})
    {
      journal.Append(name, {"stamp", {name, "ok", "1.5"}});
    }
  }
  const std::string fileName = npsnet::BatchJournal::GetFileName(out, {1, 1});
  const std::string whole = Content(fileName);
  for (std::size_t cut = 0; cut <= whole.size(); ++cut)
  {
    std::ofstream(fileName, std::ios::binary | std::ios::trunc) << whole.substr(0, cut);
    const auto linesLeft = std::count(whole.begin(), whole.begin() + static_cast<long>(cut), '\n');
    npsnet::BatchJournal journal;
    journal.Open(out, Header(), false);
    ASSERT_EQ(journal.GetRows().size(), static_cast<std::size_t>(std::max<long>(0, linesLeft - 1))) << cut;
    journal.Append("d.jpg", {"", {"d.jpg", "ok", "2"}});
    journal.Close();
    npsnet::BatchJournalHeader header;
    npsnet::BatchRows rows;
    EXPECT_TRUE(npsnet::BatchJournal::Read(fileName, header, rows)) << cut;
    EXPECT_EQ(rows.count("d.jpg"), 1u);
  }
}

TEST_F(BatchTest, JournalDropsDamagedLinesAndKeepsTheRest)
{
  const std::string out = (this->Folder / "out").string();
  {
    npsnet::BatchJournal journal;
    journal.Open(out, Header(), false);
    journal.Append("a.jpg", {"", {"a.jpg", "ok", "1"}});
    journal.Append("b.jpg", {"", {"b.jpg", "ok", "1"}});
  }
  const std::string fileName = npsnet::BatchJournal::GetFileName(out, {1, 1});
  std::string content = Content(fileName);
  const std::size_t second = content.find("{\"cells\":[\"a.jpg\"");
  ASSERT_NE(second, std::string::npos);
  content.replace(second, 5, std::string(5, '\0'));
  std::ofstream(fileName, std::ios::binary | std::ios::trunc) << content;
  npsnet::BatchJournal journal;
  journal.Open(out, Header(), false);
  EXPECT_EQ(journal.GetRows().size(), 1u);
  EXPECT_EQ(journal.GetRows().count("b.jpg"), 1u);
}

TEST_F(BatchTest, JournalIsForOneRunAndOneSetOfSettings)
{
  const std::string out = (this->Folder / "out").string();
  npsnet::BatchJournal first;
  first.Open(out, Header(), false);
  npsnet::BatchJournal second;
  EXPECT_THROW(second.Open(out, Header(), false), itk::OutputError);
  first.Append("a.jpg", {"", {"a.jpg", "ok", "1"}});
  first.Close();
  auto other = Header();
  other.Settings = "model abc, tta fast";
  npsnet::BatchJournal third;
  EXPECT_NE(SentenceOf([&] { third.Open(out, other, false); }).find("--restart"), std::string::npos);
  npsnet::BatchJournal fourth;
  third.Close();
  fourth.Open(out, other, true);
  EXPECT_TRUE(fourth.GetRows().empty());
}

TEST_F(BatchTest, MergeWantsEveryShardWholeAndEveryNameOnce)
{
  const auto write = [&](const std::string& out, std::array<unsigned, 2> shard, std::size_t selected,
                       const Strings& names, const std::string& status = "ok")
  {
    auto header = Header();
    header.Shard = shard;
    header.NumberOfSelectedInputs = selected;
    npsnet::BatchJournal journal;
    journal.Open((this->Folder / out).string(), header, false);
    for (const std::string& name : names)
    {
      journal.Append(name, {"", {name, status, "1"}});
    }
  };
  const auto folder = [&](const std::string& name) { return (this->Folder / name).string(); };
  write("one", {1, 2}, 2, {"c.jpg", "a.jpg"});
  EXPECT_NE(SentenceOf([&] { npsnet::MergeBatches({folder("one")}); }).find("Shard 2/2 is missing"), std::string::npos);
  write("two", {2, 2}, 1, {});
  EXPECT_NE(SentenceOf(
              [&] {
                npsnet::MergeBatches({folder("one"), folder("two")});
              })
              .find("have no row yet"),
    std::string::npos);
  write("two", {2, 2}, 1, {"b.jpg"});
  const auto merged = npsnet::MergeBatches({folder("two"), folder("one")});
  EXPECT_EQ(npsnet::MakeResultsTable(merged.Columns, merged.Rows),
    "name,status,seconds\r\na.jpg,ok,1\r\nb.jpg,ok,1\r\nc.jpg,ok,1\r\n");
  EXPECT_EQ(npsnet::CountStatuses(merged.Columns, merged.Rows), "3 ok");
  write("again", {1, 1}, 1, {"a.jpg"}, "failed");
  EXPECT_NE(SentenceOf(
              [&] {
                npsnet::MergeBatches({folder("one"), folder("two"), folder("again")});
              })
              .find("different rows for a.jpg"),
    std::string::npos);
  EXPECT_NE(SentenceOf([&] { npsnet::MergeBatches({this->Folder.string()}); }).find("no batch"), std::string::npos);
}

TEST_F(BatchTest, RowsThatNoLongerStandCountNoMoreWhenARunBegins)
{
  const std::string out = (this->Folder / "out").string();
  using Fate = npsnet::BatchJournal::Fate;
  const auto names = [&](const npsnet::BatchJournal& journal)
  {
    Strings found;
    for (const auto& [name, row] : journal.GetRows())
    {
      found.push_back(name);
    }
    return found;
  };
  {
    npsnet::BatchJournal journal;
    journal.Open(out, Header(), false);
    for (const char* name : {"a.jpg", "b.jpg", "c.jpg"})
    {
      journal.Append(name, {"stamp", {name, "ok", "1"}});
    }
  }
  {
    npsnet::BatchJournal journal; // b.jpg is another photo now, c.jpg is not an input
    journal.Open(out, Header(), false,
      [](const std::string& name, const auto&) {
        return name == "a.jpg" ? Fate::Stands : name == "b.jpg" ? Fate::Forgotten : Fate::SetAside;
      });
    EXPECT_EQ(names(journal), (Strings{"a.jpg"}));
  }
  const auto merge = [&] { npsnet::MergeBatches({out}); };
  EXPECT_NE(SentenceOf(merge).find("2 of 3 photos"), std::string::npos);
  auto header = Header();
  header.NumberOfInputs = header.NumberOfSelectedInputs = 1;
  {
    npsnet::BatchJournal journal;
    journal.Open(out, header, false); // c.jpg comes back; b.jpg does not
    EXPECT_EQ(names(journal), (Strings{"a.jpg", "c.jpg"}));
  }
  EXPECT_NE(SentenceOf(merge).find("has rows of 2 photos, but its batch has 1"), std::string::npos);
}

TEST_F(BatchTest, PrintableTextIsAlwaysValid)
{
  EXPECT_EQ(npsnet::Printable("caf\xC3\xA9\n\x01.jpg"), "caf\xC3\xA9  .jpg");
  EXPECT_EQ(npsnet::Printable("\xFFz\xC3"), "%FFz%C3");
  EXPECT_EQ(npsnet::Printable("\xED\xA0\x80"), "%ED%A0%80"); // surrogate
  EXPECT_EQ(npsnet::Printable("\xC0\xAF"), "%C0%AF");        // overlong
}

TEST_F(BatchTest, FilesAppearWholeOrNotAtAll)
{
  const std::string fileName = (this->Folder / "f.txt").string();
  itk::AtomicFile::Write(fileName, "one");
  EXPECT_EQ(Content(fileName), "one");
  EXPECT_THROW(itk::AtomicFile::Write((this->Folder / "no/f.txt").string(), "one"), itk::OutputError);
  EXPECT_EQ(std::distance(fs::directory_iterator(this->Folder), fs::directory_iterator()), 1);
}

// A worker of this very executable: see main() below.
namespace
{
class WorkerTest : public BatchTest
{
protected:
  static std::vector<std::string> Command() { return {fs::read_symlink("/proc/self/exe").string(), "--worker"}; }

  static std::vector<npsnet::WorkerPool::Event> Gather(npsnet::WorkerPool& pool, std::size_t count)
  {
    std::vector<npsnet::WorkerPool::Event> all;
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (all.size() < count && std::chrono::steady_clock::now() < until)
    {
      for (auto& event : pool.Poll(std::chrono::milliseconds(500)))
      {
        all.push_back(std::move(event));
      }
    }
    return all;
  }
};
using Pool = npsnet::WorkerPool;
} // namespace

TEST_F(WorkerTest, AnswersInOrderWithAFile)
{
  Pool pool(Command(), 2, std::chrono::seconds(10));
  pool.Submit(0, {{"do", "echo"}, {"text", std::string("\xFF\x00 any bytes", 12)}});
  pool.Submit(0, {{"do", "memory"}, {"size", 1000000}});
  const auto events = Gather(pool, 2);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].Message["text"], events[0].Task["text"]);
  ASSERT_TRUE(static_cast<bool>(events[1].File));
  void* map = mmap(nullptr, 1000000, PROT_READ, MAP_SHARED, events[1].File.Get(), 0);
  ASSERT_NE(map, MAP_FAILED);
  EXPECT_EQ(static_cast<const char*>(map)[999999], 'p');
  munmap(map, 1000000);
}

TEST_F(WorkerTest, ACrashCostsOnlyItsOwnTask)
{
  Pool pool(Command(), 1, std::chrono::seconds(10));
  pool.Submit(0, {{"do", "crash"}});
  pool.Submit(0, {{"do", "echo"}, {"text", "later"}});
  auto events = Gather(pool, 1);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].Type, Pool::EventType::Crashed);
  EXPECT_EQ(events[0].Task["do"], "crash");
  EXPECT_NE(events[0].Reason.find("signal 6"), std::string::npos) << events[0].Reason;
  ASSERT_EQ(events[0].Lost.size(), 1u);
  pool.Submit(0, events[0].Lost[0]);
  events = Gather(pool, 1);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].Message["text"], "later");
}

TEST_F(WorkerTest, AHangIsEnded)
{
  Pool pool(Command(), 1, std::chrono::milliseconds(300));
  pool.Submit(0, {{"do", "hang"}});
  const auto start = std::chrono::steady_clock::now();
  const auto events = Gather(pool, 1);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].Type, Pool::EventType::TimedOut);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

TEST_F(WorkerTest, GarbageIsACrash)
{
  Pool pool(Command(), 1, std::chrono::seconds(10));
  pool.Submit(0, {{"do", "garbage"}});
  const auto events = Gather(pool, 1);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].Type, Pool::EventType::Crashed);
}

TEST_F(WorkerTest, WorkersDieWithTheirParent)
{
  // A child of ours owns a pool whose worker hangs; we kill the child and look whether the worker is gone.
  const std::string file = (this->Folder / "pid").string();
  const pid_t child = fork();
  if (child == 0)
  {
    const std::string exe = fs::read_symlink("/proc/self/exe").string();
    execl(exe.c_str(), exe.c_str(), "--parent", file.c_str(), nullptr);
    _exit(127);
  }
  pid_t worker = 0;
  for (int i = 0; i < 500 && worker == 0; ++i)
  {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::ifstream(file) >> worker;
  }
  ASSERT_GT(worker, 0);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  bool gone = false;
  for (int i = 0; i < 500 && !gone; ++i)
  {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    std::ifstream stat("/proc/" + std::to_string(worker) + "/stat");
    std::string text;
    std::getline(stat, text);
    gone = text.empty() || text.find(") Z ") != std::string::npos;
  }
  EXPECT_TRUE(gone);
}

namespace
{
int RunWorker(int socket, pid_t parent)
{
  return npsnet::ServeTasks(socket, parent,
    [&](const nlohmann::json& task, npsnet::FileDescriptor& attachment)
    {
      nlohmann::json answer = task;
      const std::string action = task["do"];
      if (action == "crash")
      {
        std::abort();
      }
      if (action == "hang")
      {
        if (task.contains("pid_file"))
        {
          itk::AtomicFile::Write(task["pid_file"], std::to_string(getpid()));
        }
        while (true)
        {
          pause();
        }
      }
      if (action == "garbage")
      {
        const char bytes[] = "\x04\0\0\0\xFF\xFF\xFF\xFF";
        [[maybe_unused]] const ssize_t written = write(socket, bytes, 8);
        pause();
      }
      if (action == "memory")
      {
        const std::size_t size = task["size"];
        attachment = npsnet::FileDescriptor(memfd_create("test", MFD_CLOEXEC));
        [[maybe_unused]] const int result = ftruncate(attachment.Get(), static_cast<off_t>(size));
        void* map = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, attachment.Get(), 0);
        std::fill_n(static_cast<char*>(map), size, 'p');
        munmap(map, size);
      }
      return answer;
    });
}
} // namespace

int main(int argc, char** argv)
{
  if (argc == 4 && std::string(argv[1]) == "--worker")
  {
    return RunWorker(std::atoi(argv[2]), std::atoi(argv[3]));
  }
  if (argc == 3 && std::string(argv[1]) == "--parent")
  {
    npsnet::WorkerPool pool({argv[0], "--worker"}, 1, std::chrono::seconds(60));
    pool.Submit(0, {{"do", "hang"}, {"pid_file", argv[2]}});
    pool.Poll(std::chrono::seconds(60));
    return 1;
  }
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
