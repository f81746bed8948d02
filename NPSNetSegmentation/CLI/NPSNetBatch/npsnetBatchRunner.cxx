// SPDX-License-Identifier: Apache-2.0
#include "npsnetBatchRunner.h"

#include "npsnetCrashMark.h"
#include "npsnetPhotoMessage.h"
#include "npsnetMessages.h"

#include "itkFundusResultTable.h"
#include "itkFundusResultWriter.h"
#include "itkOutputError.h"

#include <filesystem>
#include <stdexcept>
#include <sys/stat.h>

namespace fs = std::filesystem;
using nlohmann::json;

namespace npsnet
{
namespace
{
using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start)
{
  return std::chrono::duration<double>(Clock::now() - start).count();
}
} // namespace

/// What one child is doing: it may write one photo and have the next to decode behind it.
struct BatchRunner::Slot
{
  enum class StateType
  {
    Idle,
    Decoding,
    Ready // decoded, waiting for the analysis
  };
  StateType State{StateType::Idle};
  std::size_t Photo{0};
  json Message;
  FileDescriptor Pixels;
  double DecodeSeconds{0.0};

  struct Writing
  {
    std::size_t Photo{0};
    itk::FundusResult Result; // without its images
  };
  std::optional<Writing> Written;
};

std::string StampOf(const BatchInput& input)
{
  struct stat info = {};
  std::string stamp = "none";
  if (stat(input.Path.c_str(), &info) == 0)
  {
    stamp = std::to_string(info.st_size) + ":" + std::to_string(info.st_mtim.tv_sec) + "." +
            std::to_string(info.st_mtim.tv_nsec);
  }
  stamp += "|" + input.Eye + "|";
  stamp += input.MicrometersPerPixel ? itk::ShortestText(*input.MicrometersPerPixel) : "";
  stamp += "|";
  if (input.Center)
  {
    stamp += itk::ShortestText((*input.Center)[0]) + "," + itk::ShortestText((*input.Center)[1]);
  }
  return stamp;
}

BatchRunner::BatchRunner(BatchOptions options, std::vector<BatchInput> inputs, BatchJournal& journal,
  std::vector<std::string> workerCommand, BatchProgress& progress)
    : Options(std::move(options))
    , Inputs(std::move(inputs))
    , Journal(journal)
    , Output(progress)
    , Slots(this->Options.NumberOfJobs)
    , Pool(std::move(workerCommand), this->Options.NumberOfJobs, this->Options.Timeout)
{
  for (std::size_t i = 0; i < this->Inputs.size(); ++i)
  {
    this->ToDo.push_back(i);
  }
  this->AssignWork();
}

BatchRunner::~BatchRunner() = default;

void BatchRunner::AssignWork()
{
  for (std::size_t k = 0; k < this->Slots.size(); ++k)
  {
    Slot& slot = this->Slots[k];
    while (slot.State == Slot::StateType::Idle && !this->ToDo.empty())
    {
      const std::size_t photo = this->ToDo.front();
      this->ToDo.pop_front();
      if (!this->Inputs[photo].Problem.empty())
      {
        this->FinishWithout(photo,
          this->Inputs[photo].HasFailed ? itk::FundusStatusEnum::Failed : itk::FundusStatusEnum::Unreadable,
          this->Inputs[photo].Problem, 0.0);
        continue;
      }
      slot.State = Slot::StateType::Decoding;
      slot.Photo = photo;
      this->Pool.Submit(k, {{"do", "decode"}, {"photo", photo}, {"path", this->Inputs[photo].Path},
                             {"max_pixels", this->Options.MaximumNumberOfPixels}, {"frame", this->Options.Frame}});
    }
  }
}

std::optional<std::size_t> BatchRunner::FirstReady() const
{
  std::optional<std::size_t> first;
  for (std::size_t k = 0; k < this->Slots.size(); ++k)
  {
    const Slot& slot = this->Slots[k];
    if (slot.State == Slot::StateType::Ready && (!first || slot.Photo < this->Slots[*first].Photo))
    {
      first = k;
    }
  }
  return first;
}

bool BatchRunner::IsWriting() const
{
  for (const Slot& slot : this->Slots)
  {
    if (slot.Written)
    {
      return true;
    }
  }
  return false;
}

bool BatchRunner::IsBusy() const
{
  for (const Slot& slot : this->Slots)
  {
    if (slot.State != Slot::StateType::Idle)
    {
      return true;
    }
  }
  return this->IsWriting();
}

void BatchRunner::Run(const Analysis& analysis, const std::function<bool()>& stop)
{
  while (true)
  {
    const bool stopping = stop();
    if (stopping ? !this->IsWriting() : !this->IsBusy() && this->ToDo.empty())
    {
      return;
    }
    const bool ready = !stopping && this->FirstReady();
    for (WorkerPool::Event& event : this->Pool.Poll(std::chrono::milliseconds(ready ? 0 : 250)))
    {
      this->HandleEvent(std::move(event));
    }
    if (!stopping)
    {
      this->AssignWork();
      if (const std::optional<std::size_t> slot = this->FirstReady())
      {
        this->Analyze(*slot, analysis);
      }
    }
    this->Output.Refresh();
  }
}

void BatchRunner::HandleEvent(WorkerPool::Event event)
{
  if (event.Type == WorkerPool::EventType::Reply)
  {
    this->HandleReply(event);
  }
  else
  {
    this->HandleLoss(event);
  }
}

void BatchRunner::HandleReply(WorkerPool::Event& event)
{
  Slot& slot = this->Slots[event.Worker];
  const std::size_t photo = event.Task.at("photo").get<std::size_t>();
  const bool good = event.Message.value("ok", false);
  const double seconds = event.Message.value("seconds", 0.0);
  if (!good && event.Message.value("disk", false))
  {
    throw itk::OutputError(event.Message.value("message", std::string()));
  }
  if (event.Task.at("do") == "decode")
  {
    if (good)
    {
      slot.State = Slot::StateType::Ready;
      slot.Message = event.Message.at("photograph");
      slot.Pixels = std::move(event.File);
      slot.DecodeSeconds = seconds;
    }
    else
    {
      slot.State = Slot::StateType::Idle;
      this->FinishWithout(
        photo, itk::FundusStatusEnum::Unreadable, event.Message.value("message", std::string()), seconds);
    }
    return;
  }
  itk::FundusResult result = std::move(slot.Written->Result);
  slot.Written.reset();
  if (!good)
  {
    this->FinishWithout(photo, itk::FundusStatusEnum::Failed, event.Message.value("message", std::string()), seconds);
    return;
  }
  this->Finish(photo, std::move(result));
}

void BatchRunner::HandleLoss(WorkerPool::Event& event)
{
  Slot& slot = this->Slots[event.Worker];
  const bool crashed = event.Type == WorkerPool::EventType::Crashed;
  if (event.Task.is_null()) // while it held a decoded photo, or nothing
  {
    if (slot.State == Slot::StateType::Ready)
    {
      slot.State = Slot::StateType::Idle;
      if (++this->Attempts[slot.Photo] > 1)
      {
        this->FinishWithout(slot.Photo, itk::FundusStatusEnum::Failed,
          "The process that held the photo ended twice (" + event.Reason + ").", 0.0);
      }
      else
      {
        this->ToDo.push_front(slot.Photo);
      }
    }
    return;
  }
  const std::size_t photo = event.Task.at("photo").get<std::size_t>();
  const bool decoding = event.Task.at("do") == "decode";
  const std::string what = decoding ? "decoding" : "writing";
  const std::string sentence = crashed ? "The process ended while " + what + " the photo (" + event.Reason + ")."
                                       : "The " + what + " took " + event.Reason + ".";
  slot.State = Slot::StateType::Idle;
  if (!decoding)
  {
    slot.Written.reset();
  }
  for (const json& lost : event.Lost)
  {
    this->ToDo.push_front(lost.at("photo").get<std::size_t>()); // only a photo to decode can be behind another task
  }
  this->FinishWithout(
    photo, decoding ? itk::FundusStatusEnum::Unreadable : itk::FundusStatusEnum::Failed, sentence, 0.0);
}

void BatchRunner::Analyze(std::size_t k, const Analysis& analysis)
{
  Slot& slot = this->Slots[k];
  const std::size_t photo = slot.Photo;
  const BatchInput& input = this->Inputs[photo];
  const Clock::time_point start = Clock::now();
  const double decodeSeconds = slot.DecodeSeconds;
  itk::FundusResult result;
  try
  {
    CrashMark::Set(input.Name);
    const itk::FundusPhotograph::Pointer photograph = PhotographFromMessage(slot.Message, slot.Pixels);
    result = analysis(photograph, input);
    CrashMark::Clear();
  }
  catch (const std::exception& error)
  {
    CrashMark::Clear();
    result = itk::FundusResult();
    result.Message = Sentence(error);
  }
  slot.Message = json();
  slot.Pixels = FileDescriptor();
  slot.State = Slot::StateType::Idle;
  result.Name = input.Name;
  result.InputFileName = input.Path;
  result.Message = Printable(result.Message);
  result.StageSeconds.insert(result.StageSeconds.begin(), {"read", decodeSeconds});
  result.Seconds = decodeSeconds + SecondsSince(start);
  result.Photograph = nullptr;
  result.Labels = nullptr;
  if (this->Options.Files == "none" || result.Status == itk::FundusStatusEnum::Failed ||
      result.Status == itk::FundusStatusEnum::Unreadable)
  {
    this->Finish(photo, std::move(result));
    return;
  }
  std::string text = result.ToJSON(-1);
  slot.Written = Slot::Writing{photo, std::move(result)};
  this->Pool.Submit(k, {{"do", "write"}, {"photo", photo}, {"path", input.Path}, {"result", std::move(text)},
                         {"folder", (fs::path(this->Options.OutputFolder) / input.OutputFolder).string()},
                         {"stem", input.Stem}, {"staging", this->Options.StagingPrefix}, {"files", this->Options.Files},
                         {"keep_identifiers", this->Options.KeepIdentifiers}, {"frame", this->Options.Frame},
                         {"dicom_seg", this->Options.Archive.Segmentation}, {"dicom_sr", this->Options.Archive.Report},
                         {"fhir", this->Options.Archive.Observations}});
}

void BatchRunner::FinishWithout(
  std::size_t photo, itk::FundusStatusEnum status, const std::string& message, double seconds)
{
  itk::FundusResult result;
  result.Status = status;
  result.Message = message;
  result.Seconds = seconds;
  this->Finish(photo, std::move(result));
}

void BatchRunner::RemoveFilesOfAnEarlierRun(const BatchInput& input) const
{
  try
  {
    itk::FundusResultWriter::RemoveEarlier(
      (fs::path(this->Options.OutputFolder) / input.OutputFolder).string(), input.Stem);
  }
  catch (const std::exception& error)
  {
    throw itk::OutputError(Printable(Sentence(error)));
  }
}

void BatchRunner::Finish(std::size_t photo, itk::FundusResult result)
{
  const BatchInput& input = this->Inputs[photo];
  result.Name = input.Name;
  result.Message = Printable(result.Message);
  const bool filesSayTheSame = result.Status == itk::FundusStatusEnum::Ok ||
                               result.Status == itk::FundusStatusEnum::LowConfidence ||
                               (result.Status == itk::FundusStatusEnum::NotFound && this->Options.Files != "none");
  if (!filesSayTheSame)
  {
    this->RemoveFilesOfAnEarlierRun(input);
  }
  this->Journal.Append(input.Name, {StampOf(input), itk::FundusResultTable::GetRow(result)});
  this->Output.PhotoDone(input.Name, itk::FundusStatusToString(result.Status), result.Message);
}
} // namespace npsnet
