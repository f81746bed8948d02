// SPDX-License-Identifier: Apache-2.0
#include "npsnetBatchJournal.h"

#include "itkAtomicFile.h"
#include "itkOutputError.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/file.h>
#include <unistd.h>

namespace fs = std::filesystem;
using nlohmann::json;

namespace npsnet
{
namespace
{
constexpr int JournalVersion = 1;

std::string ShardSuffix(const std::array<unsigned, 2>& shard)
{
  return shard[1] == 1 ? "" : "-" + std::to_string(shard[0]) + "-of-" + std::to_string(shard[1]);
}

std::string ToLine(const BatchJournalHeader& header)
{
  const json line = {{"npsnet_batch", JournalVersion}, {"settings", header.Settings}, {"columns", header.Columns},
    {"shard", header.Shard}, {"inputs", header.NumberOfInputs}, {"selected", header.NumberOfSelectedInputs},
    {"digest", header.InputsDigest}};
  return line.dump() + "\n";
}

std::string ToLine(const std::string& name, const BatchJournalRow& row, bool isSetAside = false)
{
  json line = {{"name", name}, {"stamp", row.Stamp}, {"cells", row.Cells}};
  if (isSetAside)
  {
    line = json{{"set_aside", std::move(line)}};
  }
  return line.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

BatchJournalHeader ToHeader(const json& line)
{
  BatchJournalHeader header;
  if (line.at("npsnet_batch").get<int>() != JournalVersion)
  {
    throw std::runtime_error("it was written by another version");
  }
  header.Settings = line.at("settings").get<std::string>();
  header.Columns = line.at("columns").get<std::vector<std::string>>();
  header.Shard = line.at("shard").get<std::array<unsigned, 2>>();
  header.NumberOfInputs = line.at("inputs").get<std::size_t>();
  header.NumberOfSelectedInputs = line.at("selected").get<std::size_t>();
  header.InputsDigest = line.at("digest").get<std::string>();
  return header;
}

[[noreturn]] void FailWithErrno(const std::string& what, const std::string& fileName)
{
  throw itk::OutputError("Cannot " + what + " " + Printable(fileName) + ": " + std::strerror(errno) + ".");
}
} // namespace

BatchJournal::~BatchJournal()
{
  this->Close();
}

std::string BatchJournal::GetFolder(const std::string& outputFolder)
{
  return (fs::path(outputFolder) / ".npsnet-batch").string();
}

std::string BatchJournal::GetFileName(const std::string& outputFolder, const std::array<unsigned, 2>& shard)
{
  return (fs::path(GetFolder(outputFolder)) / ("journal" + ShardSuffix(shard) + ".jsonl")).string();
}

std::string BatchJournal::GetStagingPrefix(const std::string& outputFolder, const std::array<unsigned, 2>& shard)
{
  return (fs::path(GetFolder(outputFolder)) / ("stage" + ShardSuffix(shard) + "_")).string();
}

std::vector<std::string> BatchJournal::FindAll(const std::string& outputFolder)
{
  std::vector<std::string> found;
  std::error_code error;
  for (fs::directory_iterator it(GetFolder(outputFolder), error), end; !error && it != end; it.increment(error))
  {
    if (it->path().extension() == ".jsonl")
    {
      found.push_back(it->path().string());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

bool BatchJournal::Read(const std::string& fileName, BatchJournalHeader& header, BatchRows& rows, BatchRows* setAside)
{
  std::ifstream file(fileName, std::ios::binary);
  if (!file)
  {
    throw std::runtime_error("Cannot open " + Printable(fileName) + ".");
  }
  bool whole = true;
  bool hasHeader = false;
  for (std::string line; std::getline(file, line);)
  {
    const bool ended = !file.eof(); // getline stopped at a newline, not at the end
    const json value = json::parse(line, nullptr, false);
    try
    {
      if (!hasHeader)
      {
        if (!ended || value.is_discarded())
        {
          throw std::runtime_error("its first line is damaged");
        }
        header = ToHeader(value);
        hasHeader = true;
        continue;
      }
      const bool isSetAside = value.contains("set_aside");
      const json& entry = isSetAside ? value.at("set_aside") : value;
      BatchJournalRow row{entry.at("stamp").get<std::string>(), entry.at("cells").get<std::vector<std::string>>()};
      const auto name = entry.at("name").get<std::string>();
      if (!ended || row.Cells.size() != header.Columns.size())
      {
        whole = false;
        continue;
      }
      if (!isSetAside)
      {
        rows[name] = std::move(row); // the last one counts
      }
      else if (setAside)
      {
        (*setAside)[name] = std::move(row);
      }
    }
    catch (const json::exception&)
    {
      if (!hasHeader)
      {
        throw std::runtime_error(Printable(fileName) + " is not the journal of a batch.");
      }
      whole = false;
    }
    catch (const std::runtime_error& error)
    {
      throw std::runtime_error("The journal " + Printable(fileName) + " cannot be used: " + error.what() + ".");
    }
  }
  if (!hasHeader)
  {
    throw std::runtime_error("The journal " + Printable(fileName) + " is empty.");
  }
  return whole;
}

void BatchJournal::Open(
  const std::string& outputFolder, const BatchJournalHeader& header, bool restart, const Judge& judge)
{
  const std::string folder = GetFolder(outputFolder);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
  {
    throw itk::OutputError("Cannot make the folder " + Printable(folder) + ": " + error.message() + ".");
  }
  const std::string lockName = (fs::path(folder) / ("lock" + ShardSuffix(header.Shard))).string();
  this->Lock = open(lockName.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (this->Lock < 0)
  {
    FailWithErrno("write", lockName);
  }
  if (flock(this->Lock, LOCK_EX | LOCK_NB) != 0)
  {
    if (errno == EWOULDBLOCK)
    {
      throw itk::OutputError("Another batch is writing to " + Printable(outputFolder) +
                             ": wait for it, or choose another folder (or shard).");
    }
    // file systems without locks: go on unguarded
  }

  this->FileName = GetFileName(outputFolder, header.Shard);
  this->Rows.clear();
  this->SetAside.clear();
  if (!restart && fs::exists(this->FileName, error))
  {
    BatchJournalHeader old;
    bool whole = false;
    bool usable = true;
    try
    {
      whole = Read(this->FileName, old, this->Rows, &this->SetAside);
    }
    catch (const std::runtime_error&)
    {
      // Only a header that never reached the disk whole may be started over silently: no row was lost.
      std::ifstream file(this->FileName, std::ios::binary);
      const std::string content{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
      if (content.find('\n') != std::string::npos)
      {
        throw;
      }
      usable = false;
    }
    if (usable && (old.Settings != header.Settings || old.Columns != header.Columns))
    {
      throw std::runtime_error(Printable(outputFolder) + " holds a batch of other settings (" +
                               Printable(old.Settings) + "; now " + Printable(header.Settings) +
                               "): choose another folder, or --restart to begin again.");
    }
    const bool changed = this->JudgeRows(judge);
    const bool sameHeader = usable && whole && ToLine(old) == ToLine(header);
    if (!sameHeader || changed)
    {
      this->Rewrite(header);
    }
  }
  else
  {
    this->Rewrite(header);
  }
  this->File = open(this->FileName.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (this->File < 0)
  {
    FailWithErrno("write", this->FileName);
  }
}

bool BatchJournal::JudgeRows(const Judge& judge)
{
  bool changed = false;
  BatchRows rows;
  BatchRows setAside;
  const auto place = [&](BatchRows& all, Fate before)
  {
    for (auto& [name, row] : all)
    {
      const Fate fate = judge(name, row);
      changed = changed || fate != before;
      if (fate != Fate::Forgotten)
      {
        (fate == Fate::Stands ? rows : setAside).emplace(name, std::move(row));
      }
    }
  };
  place(this->Rows, Fate::Stands); // first: of two rows of one name this one counts
  place(this->SetAside, Fate::SetAside);
  this->Rows = std::move(rows);
  this->SetAside = std::move(setAside);
  return changed;
}

void BatchJournal::Rewrite(const BatchJournalHeader& header)
{
  std::string content = ToLine(header);
  for (const auto& [name, row] : this->Rows)
  {
    content += ToLine(name, row);
  }
  for (const auto& [name, row] : this->SetAside)
  {
    content += ToLine(name, row, true);
  }
  itk::AtomicFile::Write(this->FileName, content);
}

void BatchJournal::Append(const std::string& name, const BatchJournalRow& row)
{
  const std::string line = ToLine(name, row);
  std::size_t done = 0;
  while (done < line.size())
  {
    const ssize_t written = write(this->File, line.data() + done, line.size() - done);
    if (written < 0 && errno == EINTR)
    {
      continue;
    }
    if (written <= 0)
    {
      FailWithErrno("write", this->FileName);
    }
    done += static_cast<std::size_t>(written);
  }
  if (fdatasync(this->File) != 0 && errno != EINVAL)
  {
    FailWithErrno("write", this->FileName);
  }
  this->Rows[name] = row;
}

void BatchJournal::Close()
{
  if (this->File >= 0)
  {
    close(this->File);
    this->File = -1;
  }
  if (this->Lock >= 0)
  {
    close(this->Lock); // gives the lock back
    this->Lock = -1;
  }
}
} // namespace npsnet
