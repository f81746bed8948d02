// SPDX-License-Identifier: Apache-2.0
#ifndef npsnetWorkerPool_h
#define npsnetWorkerPool_h

#include "npsnetMessageChannel.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <sys/types.h>
#include <vector>

namespace npsnet
{
/// Child processes that do tasks in order, one at a time each; a task that crashes or hangs its process is reported
/// and the process replaced.
///
/// Children are started with posix_spawn (exec, no fork of our memory), so it may be used after LibTorch has made
/// its threads. They die with the parent, whatever ends it.
class WorkerPool
{
public:
  enum class EventType
  {
    Reply,   ///< Message answers the oldest task of the worker
    Crashed, ///< the oldest task ended the process; Message is empty and Reason says how
    TimedOut ///< the oldest task took too long and its process was ended
  };
  struct Event
  {
    EventType Type{EventType::Reply};
    std::size_t Worker{0};
    nlohmann::json Task; ///< as given to Submit
    nlohmann::json Message;
    FileDescriptor File;
    std::string Reason;
    /// Later tasks of the same worker that were lost with it: submit them again.
    std::vector<nlohmann::json> Lost;
  };

  /// \param command program and arguments; the number of the socket's descriptor and our process id are appended
  WorkerPool(std::vector<std::string> command, std::size_t numberOfWorkers, std::chrono::milliseconds timeout);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  std::size_t GetNumberOfWorkers() const { return this->Workers.size(); }
  std::size_t GetNumberOfTasks(std::size_t worker) const;

  /// Throws std::runtime_error when no process can be started.
  void Submit(std::size_t worker, nlohmann::json task);

  /// What has happened, waiting at most `patience` for the first event. A signal ends the wait early.
  std::vector<Event> Poll(std::chrono::milliseconds patience);

  /// A process that is not doing a task but holds something for us (a decoded photo) may be gone too.
  bool IsAlive(std::size_t worker) const;

private:
  struct Worker;
  void Start(Worker& worker);
  std::string Stop(Worker& worker, bool kill);
  Event Fail(std::size_t index, EventType type, std::string reason);

  std::vector<std::string> Command;
  std::chrono::milliseconds Timeout;
  std::vector<std::unique_ptr<Worker>> Workers;
};

/// The child's side: answers each task by `work(task, attachment)` until the parent is gone. Ctrl-C is the parent's
/// business. Returns the exit code of the process.
int ServeTasks(int socket, pid_t parent,
  const std::function<nlohmann::json(const nlohmann::json& task, FileDescriptor& attachment)>& work);
} // namespace npsnet

#endif
