// SPDX-License-Identifier: Apache-2.0
#ifndef npsnetBatchRunner_h
#define npsnetBatchRunner_h

#include "npsnetArchive.h"
#include "npsnetBatchInputs.h"
#include "npsnetBatchJournal.h"
#include "npsnetBatchProgress.h"
#include "npsnetMessageChannel.h"
#include "npsnetWorkerPool.h"

#include "itkFundusResult.h"

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace npsnet
{
struct BatchOptions
{
  std::string OutputFolder;
  std::string StagingPrefix; ///< of the folders in which children make files before they get their names
  std::string Files{"all"};
  std::size_t NumberOfJobs{2};
  std::chrono::milliseconds Timeout{120000};
  std::size_t MaximumNumberOfPixels{40000000};
  unsigned Frame{0};
  bool KeepIdentifiers{false};
  ArchiveOptions Archive;
};

/// What the table must know of a file to see that it has changed since its row was written.
std::string StampOf(const BatchInput& input);

/// Takes the photos through decode (child), analysis (here) and write (the same child); each ends as a row in the
/// journal. Single-threaded: children work while the analysis runs, and what they have to say is read in between.
///
/// Memory is bounded: each child holds one decoded photo at a time, and there are NumberOfJobs of them.
class BatchRunner
{
public:
  using Analysis = std::function<itk::FundusResult(itk::FundusPhotograph*, const BatchInput&)>;

  /// Starts the children, which begin to decode at once.
  /// \param workerCommand see WorkerPool
  BatchRunner(BatchOptions options, std::vector<BatchInput> inputs, BatchJournal& journal,
    std::vector<std::string> workerCommand, BatchProgress& progress);
  ~BatchRunner();

  /// Until every input has its row, or stop() says so: then the photo in hand is finished, no other begun.
  /// Throws OutputError when outputs cannot be written.
  void Run(const Analysis& analysis, const std::function<bool()>& stop);

private:
  struct Slot;

  void AssignWork();
  void HandleEvent(WorkerPool::Event event);
  void HandleReply(WorkerPool::Event& event);
  void HandleLoss(WorkerPool::Event& event);
  void Analyze(std::size_t slot, const Analysis& analysis);
  void Finish(std::size_t photo, itk::FundusResult result);
  void FinishWithout(std::size_t photo, itk::FundusStatusEnum status, const std::string& message, double seconds);
  void RemoveFilesOfAnEarlierRun(const BatchInput& input) const;
  std::optional<std::size_t> FirstReady() const;
  bool IsWriting() const;
  bool IsBusy() const;

  BatchOptions Options;
  std::vector<BatchInput> Inputs;
  BatchJournal& Journal;
  BatchProgress& Output;
  std::deque<std::size_t> ToDo;
  std::map<std::size_t, unsigned> Attempts;
  std::vector<Slot> Slots;
  WorkerPool Pool;
};
} // namespace npsnet

#endif
