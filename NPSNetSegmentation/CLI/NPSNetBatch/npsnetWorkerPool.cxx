// SPDX-License-Identifier: Apache-2.0
#include "npsnetWorkerPool.h"

#include "npsnetExitCodes.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern char** environ;

namespace npsnet
{
using Clock = std::chrono::steady_clock;

struct WorkerPool::Worker
{
  pid_t Process{-1};
  std::unique_ptr<MessageChannel> Channel;
  std::deque<nlohmann::json> Tasks;
  Clock::time_point Deadline; // of the oldest task
};

namespace
{
constexpr int ChildSocket = 3;

std::string HowItEnded(int status)
{
  if (WIFSIGNALED(status))
  {
    return std::string("signal ") + std::to_string(WTERMSIG(status)) + ", " + strsignal(WTERMSIG(status));
  }
  return "exit code " + std::to_string(WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}
} // namespace

WorkerPool::WorkerPool(std::vector<std::string> command, std::size_t numberOfWorkers, std::chrono::milliseconds timeout)
    : Command(std::move(command))
    , Timeout(timeout)
{
  for (std::size_t i = 0; i < numberOfWorkers; ++i)
  {
    this->Workers.push_back(std::make_unique<Worker>());
    this->Start(*this->Workers.back());
  }
}

WorkerPool::~WorkerPool()
{
  for (const auto& worker : this->Workers)
  {
    this->Stop(*worker, !worker->Tasks.empty());
  }
}

void WorkerPool::Start(Worker& worker)
{
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
  {
    throw std::runtime_error(std::string("Cannot make a socket: ") + std::strerror(errno) + ".");
  }
  FileDescriptor ours(sockets[0]);
  FileDescriptor theirs(sockets[1]);
  // dup2 onto itself would keep the close-on-exec flag
  if (theirs.Get() == ChildSocket)
  {
    theirs = FileDescriptor(fcntl(theirs.Get(), F_DUPFD_CLOEXEC, ChildSocket + 1));
  }

  std::vector<std::string> words = this->Command;
  words.push_back(std::to_string(ChildSocket));
  words.push_back(std::to_string(getpid()));
  std::vector<char*> arguments;
  for (std::string& word : words)
  {
    arguments.push_back(word.data());
  }
  arguments.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, theirs.Get(), ChildSocket);
  // What ITK or a codec prints must not mix with our table or progress.
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  const int error = posix_spawn(&worker.Process, words[0].c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0)
  {
    worker.Process = -1;
    throw std::runtime_error("Cannot start " + words[0] + ": " + std::strerror(error) + ".");
  }
  worker.Channel = std::make_unique<MessageChannel>(std::move(ours));
}

std::string WorkerPool::Stop(Worker& worker, bool kill)
{
  std::string reason;
  if (worker.Process > 0)
  {
    if (kill)
    {
      ::kill(worker.Process, SIGKILL);
    }
    worker.Channel.reset(); // the end of the conversation: an idle process ends by itself
    int status = 0;
    const Clock::time_point patience = Clock::now() + std::chrono::seconds(2);
    while (waitpid(worker.Process, &status, WNOHANG) == 0)
    {
      if (Clock::now() > patience)
      {
        ::kill(worker.Process, SIGKILL);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    reason = HowItEnded(status);
    worker.Process = -1;
  }
  return reason;
}

std::size_t WorkerPool::GetNumberOfTasks(std::size_t worker) const
{
  return this->Workers[worker]->Tasks.size();
}

bool WorkerPool::IsAlive(std::size_t worker) const
{
  return this->Workers[worker]->Process > 0;
}

void WorkerPool::Submit(std::size_t index, nlohmann::json task)
{
  Worker& worker = *this->Workers[index];
  if (worker.Process <= 0)
  {
    this->Start(worker);
  }
  if (worker.Tasks.empty())
  {
    worker.Deadline = Clock::now() + this->Timeout;
  }
  // A process that is gone shows itself in Poll.
  worker.Channel->Send(task);
  worker.Tasks.push_back(std::move(task));
}

WorkerPool::Event WorkerPool::Fail(std::size_t index, EventType type, std::string reason)
{
  Worker& worker = *this->Workers[index];
  Event event;
  event.Type = type;
  event.Worker = index;
  event.Reason = std::move(reason);
  if (!worker.Tasks.empty())
  {
    event.Task = std::move(worker.Tasks.front());
    worker.Tasks.pop_front();
  }
  event.Lost.assign(worker.Tasks.begin(), worker.Tasks.end());
  worker.Tasks.clear();
  return event;
}

std::vector<WorkerPool::Event> WorkerPool::Poll(std::chrono::milliseconds patience)
{
  std::vector<pollfd> items;
  Clock::time_point until = Clock::now() + patience;
  for (const auto& worker : this->Workers)
  {
    items.push_back({worker->Process > 0 ? worker->Channel->GetSocket() : -1, POLLIN, 0});
    if (!worker->Tasks.empty())
    {
      until = std::min(until, worker->Deadline);
    }
  }
  const auto wait = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count() + 1;
  poll(items.data(), items.size(), static_cast<int>(std::max<long>(0, wait)));

  std::vector<Event> events;
  for (std::size_t i = 0; i < this->Workers.size(); ++i)
  {
    Worker& worker = *this->Workers[i];
    if (worker.Process <= 0)
    {
      continue;
    }
    bool alive = worker.Channel->Receive();
    while (const std::optional<std::string> body = worker.Channel->NextMessage())
    {
      Event event;
      event.Worker = i;
      event.Message = nlohmann::json::from_cbor(*body, true, false);
      if (event.Message.is_discarded() || worker.Tasks.empty())
      {
        alive = false; // it does not speak our language
        ::kill(worker.Process, SIGKILL);
        break;
      }
      if (event.Message.value("has_file", false))
      {
        event.File = worker.Channel->TakeFile();
      }
      event.Task = std::move(worker.Tasks.front());
      worker.Tasks.pop_front();
      worker.Deadline = Clock::now() + this->Timeout;
      events.push_back(std::move(event));
    }
    if (!alive)
    {
      const std::string reason = this->Stop(worker, false);
      events.push_back(this->Fail(i, EventType::Crashed, reason));
    }
    else if (!worker.Tasks.empty() && Clock::now() > worker.Deadline)
    {
      this->Stop(worker, true);
      events.push_back(this->Fail(i, EventType::TimedOut,
        "more than " + std::to_string(std::chrono::duration_cast<std::chrono::seconds>(this->Timeout).count()) +
          " seconds"));
    }
  }
  return events;
}

int ServeTasks(
  int socket, pid_t parent, const std::function<nlohmann::json(const nlohmann::json&, FileDescriptor&)>& work)
{
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
  {
    return ExitInterrupted; // it died before we could ask to die with it
  }
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGTERM, SIG_IGN);
  MessageChannel channel{FileDescriptor(socket)};
  nlohmann::json task;
  while (channel.Wait(task))
  {
    FileDescriptor attachment;
    nlohmann::json answer = work(task, attachment);
    answer["has_file"] = static_cast<bool>(attachment);
    if (!channel.Send(answer, attachment.Get(), -1))
    {
      break;
    }
  }
  return ExitDone;
}
} // namespace npsnet
