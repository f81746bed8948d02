// SPDX-License-Identifier: Apache-2.0
#include "NPSNetRun.h"

#include "NPSNetResources.h"
#include "vtkSlicerNPSNetSegmentationLogic.h"

#include "itkExceptionSentence.h"
#include "itkImageFileWriter.h"
#include "itkText.h"

#include <vtksys/DynamicLoader.hxx>
#include <vtksys/Process.h>
#include <vtksys/SystemTools.hxx>

#include <chrono>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <vector>

using Logic = vtkSlicerNPSNetSegmentationLogic;
using vtksys::SystemTools;

namespace npsnet
{
namespace
{
/// A folder of its own that goes with the object.
class TemporaryFolder
{
public:
  TemporaryFolder()
  {
    static std::atomic<unsigned> counter{0};
    std::string base;
    if (!SystemTools::GetEnv("TMPDIR", base) && !SystemTools::GetEnv("TEMP", base))
    {
      base = "/tmp";
    }
    const auto now = std::chrono::system_clock::now().time_since_epoch().count();
    std::ostringstream name;
    name << base << "/npsnet-" << std::hex << now << '-' << counter++;
    this->Path = name.str();
    if (!SystemTools::MakeDirectory(this->Path))
    {
      throw std::runtime_error("The temporary folder " + this->Path + " could not be made: is the disk full?");
    }
  }
  ~TemporaryFolder() { SystemTools::RemoveADirectory(this->Path); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string Path;
};

/// Text of the last <tag>...</tag> in the output so far; empty when there is none.
std::string FindLast(const std::string& output, const std::string& tag)
{
  const std::size_t end = output.rfind("</" + tag + ">");
  const std::size_t begin = end == std::string::npos ? end : output.rfind("<" + tag + ">", end);
  return begin == std::string::npos ? "" : output.substr(begin + tag.size() + 2, end - begin - tag.size() - 2);
}

/// Last non-empty line: the sentence that says why.
std::string GetLastLine(const std::string& text)
{
  std::string last;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
  {
    last = line.empty() ? last : line;
  }
  return last;
}

/// With the flags of the module's XML: those with hyphens are aliases for people.
std::vector<std::string> MakeCommand(const RunRequest& request, const std::string& folder)
{
  std::vector<std::string> command = {
    request.Executable, "--returnparameterfile", folder + "/return.txt", "--metrics", folder + "/metrics.json"};
  const std::vector<std::string> settings = request.Settings.ToArguments();
  command.insert(command.end(), settings.begin(), settings.end());
  if (const auto& center = request.Options.Center)
  {
    const std::string text = itk::ShortestText((*center)[0]) + "," + itk::ShortestText((*center)[1]);
    if (const auto& side = request.Options.Side)
    {
      const auto spacing = request.Photograph->GetImage()->GetSpacing();
      command.insert(command.end(), {"--roi", text + "," + itk::ShortestText(0.5 * *side / spacing[0]) + "," +
                                                itk::ShortestText(0.5 * *side / spacing[1])});
    }
    else
    {
      command.insert(command.end(), {"--center", text});
    }
  }
  command.push_back(folder + "/photo.nrrd");
  return command;
}
} // namespace

Run::Run(RunRequest request, std::function<void(const itk::FundusResult&)> prepare, std::function<void()> changed)
    : Request(std::move(request))
    , Prepare(std::move(prepare))
    , Changed(std::move(changed))
{
  this->Thread = std::thread([this] { this->Execute(); });
}

Run::~Run()
{
  this->Cancel();
  this->Thread.join();
}

std::string Run::GetStage() const
{
  const std::lock_guard<std::mutex> lock(this->StageMutex);
  return this->Stage;
}

void Run::Report(double progress, const std::string& stage)
{
  this->Progress = progress;
  {
    const std::lock_guard<std::mutex> lock(this->StageMutex);
    this->Stage = stage;
  }
  this->Changed();
}

void Run::Fail(int code, const std::string& message)
{
  this->Outcome.Code = code;
  this->Outcome.Message = message;
}

void Run::Execute()
{
  try
  {
    this->Request.Photograph = this->Request.ReadPhotograph();
    if (this->Request.InProcess)
    {
      this->ExecuteInProcess();
    }
    else
    {
      this->ExecuteProcess();
    }
    if (this->Outcome.Code == Logic::Success && this->Outcome.Result.Boundary.IsNotNull() && !this->Cancelled)
    {
      this->Prepare(this->Outcome.Result);
    }
  }
  catch (const std::exception& exception)
  {
    this->Fail(Logic::RunFailed, itk::ExceptionSentence(exception));
  }
  if (this->Cancelled)
  {
    this->Fail(Logic::RunCancelled, "Cancelled.");
  }
  this->Finished = true;
  this->Changed();
}

void Run::ExecuteProcess()
{
  const TemporaryFolder folder;
  using Writer = itk::ImageFileWriter<itk::FundusPhotograph::ImageType>;
  auto writer = Writer::New();
  writer->SetInput(this->Request.Photograph->GetImage());
  writer->SetFileName(folder.Path + "/photo.nrrd");
  writer->UseCompressionOff();
  writer->Update();

  const std::vector<std::string> command = MakeCommand(this->Request, folder.Path);
  std::vector<const char*> arguments;
  for (const std::string& argument : command)
  {
    arguments.push_back(argument.c_str());
  }
  arguments.push_back(nullptr);

  const std::unique_ptr<vtksysProcess, decltype(&vtksysProcess_Delete)> process(
    vtksysProcess_New(), &vtksysProcess_Delete);
  vtksysProcess_SetCommand(process.get(), arguments.data());
  vtksysProcess_SetOption(process.get(), vtksysProcess_Option_HideWindow, 1);
  vtksysProcess_Execute(process.get());
  std::string output;
  std::string errors;
  for (bool open = true; open;)
  {
    char* data = nullptr;
    int length = 0;
    double timeout = 0.1; // how soon a cancel is seen
    switch (vtksysProcess_WaitForData(process.get(), &data, &length, &timeout))
    {
    case vtksysProcess_Pipe_STDOUT:
    {
      output.append(data, static_cast<std::size_t>(length));
      const std::string progress = FindLast(output, "filter-progress");
      const std::string comment = FindLast(output, "filter-comment");
      this->Report(progress.empty() ? 0.0 : std::atof(progress.c_str()), comment.empty() ? "Segmenting" : comment);
      break;
    }
    case vtksysProcess_Pipe_STDERR:
      errors.append(data, static_cast<std::size_t>(length));
      break;
    case vtksysProcess_Pipe_Timeout:
      break;
    default:
      open = false;
      break;
    }
    if (this->Cancelled)
    {
      vtksysProcess_Kill(process.get());
      vtksysProcess_WaitForExit(process.get(), nullptr);
      return;
    }
  }
  vtksysProcess_WaitForExit(process.get(), nullptr);

  // A photo without a disc ends with an exit code of its own and a metrics file that says so.
  std::ifstream file(folder.Path + "/metrics.json");
  if (file)
  {
    std::ostringstream metrics;
    metrics << file.rdbuf();
    this->Outcome.Result = itk::FundusResult::FromJSON(metrics.str());
    return;
  }
  const std::string why = GetLastLine(errors);
  switch (vtksysProcess_GetState(process.get()))
  {
  case vtksysProcess_State_Exited:
    this->Fail(Logic::RunFailed,
      why.empty() ? "NPSNetSegment ended with code " + std::to_string(vtksysProcess_GetExitValue(process.get())) + "."
                  : why);
    break;
  case vtksysProcess_State_Error:
    this->Fail(Logic::ExecutableMissing,
      this->Request.Executable + " could not be started: " + vtksysProcess_GetErrorString(process.get()));
    break;
  default:
    this->Fail(
      Logic::RunFailed, std::string("NPSNetSegment crashed: ") + vtksysProcess_GetExceptionString(process.get()));
    break;
  }
}
void Run::ExecuteInProcess()
{
  // Loaded when it is first needed: without a run in process Slicer never loads it.
  static const AnalyzeFunction analyze = []() -> AnalyzeFunction
  {
    const std::string file = GetLibraryDirectory() + "/NPSNetInProcess" + vtksys::DynamicLoader::LibExtension();
    const auto library = vtksys::DynamicLoader::OpenLibrary(file);
    return library != nullptr
             ? reinterpret_cast<AnalyzeFunction>(vtksys::DynamicLoader::GetSymbolAddress(library, "NPSNetAnalyze"))
             : nullptr;
  }();
  if (analyze == nullptr)
  {
    const char* why = vtksys::DynamicLoader::LastError();
    throw std::runtime_error(std::string("NPS-Net cannot run in this process, run it out of process instead") +
                             (why != nullptr ? std::string(": ") + why : std::string(".")));
  }
  analyze(
    this->Request,
    [this](double fraction, const std::string& stage)
    {
      this->Report(fraction, stage);
      return !this->Cancelled;
    },
    this->Outcome.Result);
}
} // namespace npsnet
