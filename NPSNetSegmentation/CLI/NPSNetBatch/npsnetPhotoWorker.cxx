// SPDX-License-Identifier: Apache-2.0
#include "npsnetPhotoWorker.h"

#include "npsnetArchive.h"
#include "npsnetIdentifiers.h"
#include "npsnetPhotoMessage.h"
#include "npsnetMessages.h"
#include "npsnetWorkerPool.h"

#include "itkOutputError.h"
#include "itkFundusPhotographReader.h"
#include "itkFundusResultWriter.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <set>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace fs = std::filesystem;
using nlohmann::json;

namespace npsnet
{
namespace
{
constexpr std::size_t LeastFreeBytes = 1u << 20;

/// A decoder that asks for absurd amounts gets std::bad_alloc instead of the whole computer's memory: sixteen bytes a
/// pixel (four 16-bit channels and our own copies) and half a gigabyte for the libraries.
void LimitMemory(std::size_t maximumNumberOfPixels)
{
  rlimit limit = {};
  limit.rlim_cur = limit.rlim_max = 16 * maximumNumberOfPixels + (512u << 20);
  setrlimit(RLIMIT_DATA, &limit);
}

/// Why nothing can be written there; empty when it can.
std::string WhatIsWrongWith(const fs::path& folder)
{
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
  {
    return error.message();
  }
  struct statvfs info = {};
  if (statvfs(folder.c_str(), &info) == 0 && info.f_bavail * info.f_frsize < LeastFreeBytes)
  {
    return std::strerror(ENOSPC);
  }
  const fs::path probe = folder / ("probe" + std::to_string(getpid()));
  const FileDescriptor file(open(probe.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  const std::string bytes(1 << 16, 'x');
  const bool good = file && write(file.Get(), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()) &&
                    fsync(file.Get()) == 0;
  const std::string reason = good ? "" : std::strerror(errno);
  fs::remove(probe, error);
  return reason;
}

/// The system's reason when the place cannot be written, whatever the photo; empty when it is the photo's fault.
std::string WhatIsWrongWithThePlace(const std::exception& error, const fs::path& folder)
{
  const auto* output = dynamic_cast<const itk::OutputError*>(&error);
  return output && output->ConcernsEveryFile() ? std::strerror(output->GetErrorNumber()) : WhatIsWrongWith(folder);
}

/// Folder that goes away with everything in it.
class TemporaryFolder
{
public:
  explicit TemporaryFolder(fs::path path)
      : Path(std::move(path))
  {
    fs::create_directories(this->Path);
  }
  ~TemporaryFolder()
  {
    std::error_code error;
    fs::remove_all(this->Path, error);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path Path;
};

void Flush(const fs::path& path)
{
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file || (fsync(file.Get()) != 0 && errno != EINVAL))
  {
    const int reason = errno;
    throw itk::OutputError("Cannot write " + Printable(path.string()) + ": " + std::strerror(reason) + ".", reason);
  }
}

/// As --files has it: none makes no task.
std::set<itk::FundusFileEnum> FilesFromText(const std::string& text)
{
  return text == "all" ? itk::AllFundusFiles()
                       : std::set<itk::FundusFileEnum>{itk::FundusFileEnum::Labels, itk::FundusFileEnum::Metrics};
}

class PhotoWorker
{
public:
  json Do(const json& task, FileDescriptor& attachment)
  {
    const auto start = std::chrono::steady_clock::now();
    json answer = task.at("do") == "decode" ? this->Decode(task, attachment) : this->Write(task);
    answer["seconds"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return answer;
  }

private:
  json Decode(const json& task, FileDescriptor& attachment)
  {
    this->Photograph = nullptr;
    const auto path = task.at("path").get<std::string>();
    const auto maximum = task.at("max_pixels").get<std::size_t>();
    try
    {
      LimitMemory(maximum);
      auto reader = itk::FundusPhotographReader::New();
      reader->SetFileName(path);
      reader->SetFrame(task.at("frame").get<unsigned>());
      reader->SetMaximumNumberOfPixels(maximum);
      reader->Update();
      const json message = PhotographToMessage(*reader->GetPhotograph(), attachment);
      // Keep the shared pixels, not a second copy.
      this->Photograph = PhotographFromMessage(message, attachment);
      return {{"ok", true}, {"photograph", message}};
    }
    catch (const std::exception& error)
    {
      const auto* output = dynamic_cast<const itk::OutputError*>(&error);
      const bool disk = output && output->ConcernsEveryFile();
      return {{"ok", false}, {"disk", disk},
        {"message", Sentence(error) + (disk ? " Mend that and give the same command again." : "")}};
    }
  }

  json Write(const json& task)
  {
    const fs::path folder = task.at("folder").get<std::string>();
    std::optional<TemporaryFolder> staging;
    try
    {
      staging.emplace(task.at("staging").get<std::string>() + std::to_string(getpid()));
      this->WriteFiles(task, folder, staging->Path);
      this->Photograph = nullptr;
      return {{"ok", true}};
    }
    catch (const std::exception& error)
    {
      this->Photograph = nullptr;
      // While what was written still takes its room.
      const std::string reason = WhatIsWrongWithThePlace(error, folder);
      if (reason.empty())
      {
        return {{"ok", false}, {"disk", false}, {"message", Sentence(error)}};
      }
      return {{"ok", false}, {"disk", true},
        {"message", "Nothing can be written in " + Printable(folder.string()) + ": " + reason +
                      "; mend that and give the same command again."}};
    }
  }

  void WriteFiles(const json& task, const fs::path& folder, const fs::path& staging)
  {
    itk::FundusResult result = CompleteResult(task.at("result").get<std::string>(), this->Photograph);
    result.Name = task.at("stem").get<std::string>(); // in the table it has its folder's name, too
    auto writer = itk::FundusResultWriter::New();
    writer->SetOutputDirectory(staging.string());
    writer->SetFiles(FilesFromText(task.at("files").get<std::string>()));
    writer->Write(result);
    const auto stem = task.at("stem").get<std::string>();
    const auto nameOf = [&stem](itk::FundusFileEnum file) { return stem + itk::FundusFileEnding(file); };
    if (task.at("keep_identifiers").get<bool>())
    {
      AddIdentifiers(task.at("path").get<std::string>(), (staging / nameOf(itk::FundusFileEnum::Metrics)).string());
    }
    ArchiveOptions archive;
    archive.Segmentation = task.at("dicom_seg").get<bool>();
    archive.Report = task.at("dicom_sr").get<bool>();
    archive.Observations = task.at("fhir").get<bool>();
    archive.Frame = task.at("frame").get<unsigned>();
    WriteArchiveFiles(result, (staging / stem).string(), archive, task.at("keep_identifiers").get<bool>());
    std::vector<std::string> names; // the metrics last: when they are there, all the rest is
    for (const std::string& ending : GetArchiveEndings())
    {
      names.push_back(stem + ending);
    }
    for (const itk::FundusFileEnum file : itk::AllFundusFiles())
    {
      names.push_back(nameOf(file));
    }
    for (const std::string& name : names)
    {
      if (fs::exists(staging / name))
      {
        Flush(staging / name);
      }
    }
    fs::create_directories(folder);
    for (const std::string& name : names)
    {
      if (fs::exists(staging / name))
      {
        fs::rename(staging / name, folder / name);
      }
      else
      {
        fs::remove(folder / name); // of an earlier run with other settings
      }
    }
  }

  itk::FundusPhotograph::Pointer Photograph;
};
} // namespace

int RunPhotoWorker(int socket, pid_t parent)
{
  PhotoWorker worker;
  return ServeTasks(
    socket, parent, [&](const json& task, FileDescriptor& attachment) { return worker.Do(task, attachment); });
}
} // namespace npsnet
