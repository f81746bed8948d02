// SPDX-License-Identifier: Apache-2.0
#ifndef NPSNetRun_h
#define NPSNetRun_h

#include "itkFundusAnalyzerSettings.h"
#include "itkFundusPhotographOptions.h"
#include "itkFundusResult.h"

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace npsnet
{
/// All that a run needs, taken from the nodes before it starts: no node is touched while it computes.
struct RunRequest
{
  std::function<itk::FundusPhotograph::Pointer()> ReadPhotograph;
  itk::FundusPhotograph::Pointer Photograph; // read by the run's thread
  itk::FundusAnalyzerSettings Settings;
  itk::FundusPhotographOptions Options; // of the photograph
  bool InProcess{false};
  std::string Executable; // when not in process
};

/// What the library NPSNetInProcess exports as "NPSNetAnalyze": the analysis itself.
/// The progress function returns false to cancel.
using AnalyzeFunction = void (*)(const RunRequest& request,
  const std::function<bool(double fraction, const std::string& stage)>& progress, itk::FundusResult& result);

struct RunOutcome
{
  int Code{0}; // vtkSlicerNPSNetSegmentationLogic::ReturnCode
  std::string Message;
  itk::FundusResult Result;
};

/// \brief One computation in its own thread, which either runs the analyzer or watches the NPSNetSegment process.
class Run
{
public:
  /// \param prepare called from the run's thread with a result that has a boundary.
  /// \param changed called from the run's thread whenever there is news.
  Run(RunRequest request, std::function<void(const itk::FundusResult&)> prepare, std::function<void()> changed);
  /// Cancels and waits.
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  void Cancel() { this->Cancelled = true; }
  bool IsFinished() const { return this->Finished; }
  double GetProgress() const { return this->Progress; }
  std::string GetStage() const;
  /// Only after IsFinished().
  const RunOutcome& GetOutcome() const { return this->Outcome; }

private:
  void Execute();
  void ExecuteInProcess();
  void ExecuteProcess();
  void Report(double progress, const std::string& stage);
  void Fail(int code, const std::string& message);

  RunRequest Request;
  const std::function<void(const itk::FundusResult&)> Prepare;
  const std::function<void()> Changed;
  std::atomic<bool> Cancelled{false};
  std::atomic<bool> Finished{false};
  std::atomic<double> Progress{0.0};
  mutable std::mutex StageMutex;
  std::string Stage;
  RunOutcome Outcome;
  std::thread Thread; // last: starts when all else is ready
};
} // namespace npsnet

#endif
