// SPDX-License-Identifier: Apache-2.0
#include "NPSNetBatchCLP.h"

#include "npsnetAnalysis.h"
#include "npsnetBatchInputs.h"
#include "npsnetBatchJournal.h"
#include "npsnetBatchProgress.h"
#include "npsnetBatchRunner.h"
#include "npsnetBatchTable.h"
#include "npsnetCrashMark.h"
#include "npsnetExitCodes.h"
#include "npsnetInterrupt.h"
#include "npsnetMessages.h"
#include "npsnetModule.h"
#include "npsnetOptions.h"
#include "npsnetPhotoWorker.h"

#include "itkAtomicFile.h"
#include "itkFundusResultTable.h"
#include "itkNPSNetModelFile.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <thread>

namespace fs = std::filesystem;

namespace
{
const char* const Program = "NPSNetBatch";
const char* const WorkerFlag = "--npsnet-photo-worker"; // not for users: see WorkerPool

/// All that the command line says.
struct Request
{
  std::vector<std::string> Inputs;
  itk::FundusAnalyzerSettings Network;
  npsnet::BatchOptions Options;
  std::string Eye;
  double MicrometersPerPixel{0.0};
  std::array<unsigned, 2> Shard{{1, 1}};
  bool UnreportedOnly{false};
  bool Strict{false};
  bool Restart{false};
  bool Retry{false};
  std::string ReturnParameterFile;
};

/// Everything that may change a cell of the table, so that rows of different settings never meet in one table.
std::string DescribeSettings(const Request& request, const std::string& modelSHA256)
{
  std::string text = "model " + modelSHA256 + ", tta " + request.Network.TTAMode + ", device " +
                     request.Network.Device + ", precision " + request.Network.Precision + ", eye " + request.Eye;
  text += ", um-per-pixel " + itk::ShortestText(request.MicrometersPerPixel);
  text += request.Network.Locate ? "" : ", no-locate";
  text += request.Network.Engine == "auto" ? "" : ", engine " + request.Network.Engine;
  text += ", frame " + std::to_string(request.Options.Frame);
  text += ", max-megapixels " + std::to_string(request.Network.MaximumNumberOfPixels / 1000000);
  text += ", files " + request.Options.Files;
  text += request.Options.KeepIdentifiers ? ", keep-identifiers" : "";
  text += request.Options.Archive.Segmentation ? ", dicom-seg" : "";
  text += request.Options.Archive.Report ? ", dicom-sr" : "";
  text += request.Options.Archive.Observations ? ", fhir" : "";
  return text;
}

// Decoding and writing a photo costs several times the processor time of its network pass: the processes that do it
// get every core, and the network's threads yield half of them.
std::size_t DefaultNumberOfJobs()
{
  return std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 8);
}

int DefaultNumberOfThreads()
{
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency() / 2));
}

/// Files in the making: those of a run that was killed go when this one begins, those of children that were ended in
/// the midst of their work when it ends.
class StagingCleaner
{
public:
  explicit StagingCleaner(fs::path prefix)
      : Prefix(std::move(prefix))
  {
    this->Clean();
  }
  ~StagingCleaner() { this->Clean(); }
  StagingCleaner(const StagingCleaner&) = delete;
  StagingCleaner& operator=(const StagingCleaner&) = delete;

private:
  void Clean() const
  {
    std::error_code error;
    const std::string start = this->Prefix.filename().string();
    std::vector<fs::path> stale;
    for (fs::directory_iterator it(this->Prefix.parent_path(), error), end; !error && it != end; it.increment(error))
    {
      if (it->path().filename().string().rfind(start, 0) == 0)
      {
        stale.push_back(it->path());
      }
    }
    for (const fs::path& path : stale)
    {
      fs::remove_all(path, error);
    }
  }

  fs::path Prefix;
};

/// This shard's rows, and those that other shards of the same batch have finished in the same folder.
npsnet::BatchRows AllRows(const Request& request, const npsnet::BatchJournalHeader& header, npsnet::BatchRows rows)
{
  if (request.Shard[1] == 1)
  {
    return rows;
  }
  for (const std::string& journal : npsnet::BatchJournal::FindAll(request.Options.OutputFolder))
  {
    npsnet::BatchJournalHeader other;
    npsnet::BatchRows otherRows;
    try
    {
      npsnet::BatchJournal::Read(journal, other, otherRows);
    }
    catch (const std::runtime_error&)
    {
      continue;
    }
    if (other.Settings == header.Settings && other.Columns == header.Columns &&
        other.InputsDigest == header.InputsDigest)
    {
      rows.merge(otherRows);
    }
  }
  return rows;
}

void WriteTable(const std::string& folder, const std::string& table)
{
  itk::AtomicFile::Write((fs::path(folder) / "results.csv").string(), table);
}

int Merge(const std::vector<std::string>& folders, const std::string& outputFolder)
{
  if (folders.empty())
  {
    throw std::runtime_error("merge needs the output folders of finished runs.");
  }
  const npsnet::MergedBatch merged = npsnet::MergeBatches(folders);
  const std::string table = npsnet::MakeResultsTable(merged.Columns, merged.Rows);
  if (outputFolder.empty())
  {
    std::cout << table << std::flush;
  }
  else
  {
    std::error_code error;
    fs::create_directories(outputFolder, error);
    WriteTable(outputFolder, table);
    std::cout << merged.Rows.size() << " photos: " << npsnet::CountStatuses(merged.Columns, merged.Rows) << "\n"
              << "  " << npsnet::Printable((fs::path(outputFolder) / "results.csv").string()) << std::endl;
  }
  return npsnet::ExitCodeWithAnswers(Program, npsnet::ExitDone);
}

/// A row of an earlier run stands when its photo is still an input, is the same file and is not to be tried again.
npsnet::BatchJournal::Judge MakeJudge(const std::vector<npsnet::BatchInput>& inputs, bool retry)
{
  std::map<std::string, std::string> stamps;
  for (const npsnet::BatchInput& input : inputs)
  {
    stamps[input.Name] = npsnet::StampOf(input);
  }
  return [stamps = std::move(stamps), retry](const std::string& name, const npsnet::BatchJournalRow& row)
  {
    using Fate = npsnet::BatchJournal::Fate;
    const auto stamp = stamps.find(name);
    if (stamp == stamps.end())
    {
      return Fate::SetAside;
    }
    const std::string status = npsnet::GetStatus(itk::FundusResultTable::GetColumns(), row);
    const bool again = stamp->second != row.Stamp || (retry && (status == "unreadable" || status == "failed"));
    return again ? Fate::Forgotten : Fate::Stands;
  };
}

/// Photos that still need a row.
std::vector<npsnet::BatchInput> FindWork(
  const std::vector<npsnet::BatchInput>& inputs, const npsnet::BatchJournal& journal)
{
  std::vector<npsnet::BatchInput> work;
  std::copy_if(inputs.begin(), inputs.end(), std::back_inserter(work),
    [&](const npsnet::BatchInput& input) { return journal.GetRows().count(input.Name) == 0; });
  return work;
}

/// Photos whose analysis crashed an earlier run get a row that says so.
void MarkCrashed(std::vector<npsnet::BatchInput>& work, const std::string& fileName, bool forget)
{
  std::error_code error;
  if (forget)
  {
    fs::remove(fileName, error);
    return;
  }
  std::set<std::string> crashed;
  std::string name;
  for (const char c : npsnet::CrashMark::Read(fileName))
  {
    if (c == '\n')
    {
      crashed.insert(std::exchange(name, {}));
    }
    else
    {
      name += c;
    }
  }
  for (npsnet::BatchInput& input : work)
  {
    if (crashed.count(input.Name) > 0)
    {
      input.Problem = "The analysis of this photo ended an earlier run; --retry tries it again.";
      input.HasFailed = true;
    }
  }
}

int Run(const Request& request)
{
  const npsnet::BatchInputList list =
    npsnet::CollectInputs(request.Inputs, request.Options.OutputFolder, request.UnreportedOnly);
  const std::vector<npsnet::BatchInput> inputs = npsnet::SelectShard(list.Inputs, request.Shard);
  const std::string modelSHA256 = itk::NPSNetModelFile(request.Network.ModelFile).GetSHA256();

  npsnet::BatchJournalHeader header;
  header.Settings = DescribeSettings(request, modelSHA256);
  header.Columns = itk::FundusResultTable::GetColumns();
  header.Shard = request.Shard;
  header.NumberOfInputs = list.Inputs.size();
  header.NumberOfSelectedInputs = inputs.size();
  header.InputsDigest = list.Digest();
  npsnet::BatchJournal journal;
  journal.Open(request.Options.OutputFolder, header, request.Restart, MakeJudge(inputs, request.Retry));
  for (const std::string& note : list.Notes)
  {
    std::cerr << note << std::endl;
  }

  const std::string staging = npsnet::BatchJournal::GetStagingPrefix(request.Options.OutputFolder, request.Shard);
  const StagingCleaner cleaner(staging); // before the runner, so that it cleans up when the children are gone
  const std::string crashFile =
    (fs::path(npsnet::BatchJournal::GetFolder(request.Options.OutputFolder)) / "crashed").string();
  std::vector<npsnet::BatchInput> work = FindWork(inputs, journal);
  MarkCrashed(work, crashFile, request.Retry || request.Restart);

  if (!work.empty())
  {
    // The table is complete or not there: from here on it is not complete.
    std::error_code error;
    fs::remove(fs::path(request.Options.OutputFolder) / "results.csv", error);
    npsnet::BatchProgress progress(inputs.size(), inputs.size() - work.size(), !request.ReturnParameterFile.empty());
    npsnet::BatchOptions options = request.Options;
    options.StagingPrefix = staging;
    options.NumberOfJobs = std::min(options.NumberOfJobs, work.size());
    npsnet::BatchRunner runner(
      options, std::move(work), journal, {fs::read_symlink("/proc/self/exe").string(), WorkerFlag}, progress);

    auto analyzer = itk::FundusPhotographAnalyzer::New();
    analyzer->SetSettings(request.Network);
    analyzer->Load();
    npsnet::CrashMark::Install(crashFile);
    runner.Run(
      [&](itk::FundusPhotograph* photograph, const npsnet::BatchInput& input)
      {
        itk::FundusPhotographOptions about;
        about.Eye = input.Eye.empty() ? request.Eye : input.Eye;
        about.MicrometersPerPixel = input.MicrometersPerPixel.value_or(request.MicrometersPerPixel);
        about.Center = input.Center;
        about.Name = input.Stem;
        return analyzer->Analyze(photograph, about);
      },
      npsnet::IsInterrupted);
  }

  const npsnet::BatchRows& rows = journal.GetRows();
  if (rows.size() < inputs.size())
  {
    npsnet::PrintError(Program, "stopped with " + std::to_string(rows.size()) + " of " + std::to_string(inputs.size()) +
                                  " photos done; the same command goes on from there.");
    return npsnet::ExitInterrupted;
  }
  WriteTable(request.Options.OutputFolder, npsnet::MakeResultsTable(header.Columns, AllRows(request, header, rows)));
  const auto good = static_cast<std::size_t>(std::count_if(
    rows.begin(), rows.end(), [&](const auto& row) { return npsnet::GetStatus(header.Columns, row.second) == "ok"; }));
  npsnet::WriteReturnParameters(request.ReturnParameterFile,
    {{"numberOfRows", std::to_string(rows.size())}, {"numberOfGoodRows", std::to_string(good)}});
  std::cout << rows.size() << " photos: " << npsnet::CountStatuses(header.Columns, rows) << "\n  "
            << npsnet::Printable((fs::path(request.Options.OutputFolder) / "results.csv").string()) << std::endl;
  return request.Strict && good < rows.size() ? npsnet::ExitNotAllGood : npsnet::ExitDone;
}
} // namespace

int main(int argc, char* argv[])
{
  if (argc == 4 && std::string(argv[1]) == WorkerFlag)
  {
    return npsnet::RunPhotoWorker(std::atoi(argv[2]), std::atoi(argv[3]));
  }
  PARSE_ARGS;
  return npsnet::RunModule(Program,
    [&]() -> int
    {
      if (inputs.empty())
      {
        throw std::runtime_error("no input is given: photos, folders, globs or CSV tables; see --help.");
      }
      if (inputs.front() == "merge")
      {
        return Merge({inputs.begin() + 1, inputs.end()}, outputDirectory);
      }
      if (outputDirectory.empty())
      {
        throw std::runtime_error("--out DIR is needed.");
      }
      npsnet::RequireThreads(numberOfThreads);
      Request request;
      request.Inputs = inputs;
      request.Network = itk::FundusAnalyzerSettings::FromArguments({"--model", npsnet::ResolveModelFile(model), "--tta",
        ttaMode, "--engine", engine, "--device", device, "--precision", precision, "--threads",
        std::to_string(numberOfThreads > 0 ? numberOfThreads : DefaultNumberOfThreads()), "--max_megapixels",
        std::to_string(maximumMegapixels)});
      request.Network.Locate = !noLocate;
      request.Options.OutputFolder = outputDirectory;
      request.Options.Files = files;
      request.Options.NumberOfJobs = jobs > 0 ? static_cast<std::size_t>(jobs) : DefaultNumberOfJobs();
      request.Options.Timeout = std::chrono::seconds(timeout);
      request.Options.MaximumNumberOfPixels = static_cast<std::size_t>(maximumMegapixels) * 1000000;
      request.Options.Frame = static_cast<unsigned>(frame);
      request.Options.KeepIdentifiers = keepIdentifiers;
      request.Options.Archive.Segmentation = dicomSegmentation;
      request.Options.Archive.Report = dicomReport;
      request.Options.Archive.Observations = fhirBundle;
      npsnet::RequireArchive(request.Options.Archive);
      if (files == "none" && request.Options.Archive.Any())
      {
        throw std::runtime_error("--files none writes no files: leave it out to get DICOM objects or FHIR.");
      }
      request.UnreportedOnly = unreportedOnly;
      request.Eye = eye;
      request.MicrometersPerPixel = micrometersPerPixel;
      request.Shard = npsnet::ParseShard(shard);
      request.Strict = strict;
      request.Restart = restart;
      request.Retry = retry;
      request.ReturnParameterFile = returnParameterFile;
      return Run(request);
    });
}
