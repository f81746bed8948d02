// SPDX-License-Identifier: Apache-2.0
#include "itkTorchThread.h"

#include "itkNPSNetThrow.h"
#include "itkOneDNNInstructions.h"

#include <algorithm>
#include <condition_variable>
#include <future>
#include <mutex>
#include <queue>
#include <thread>

namespace itk
{
namespace
{
class Worker
{
public:
  Worker()
  {
    AvoidUnusableMatrixTiles();
    std::thread thread([this] {
      // Denormals of dying activations cost a hundred cycles each.
      at::globalContext().setFlushDenormal(true);
      for (;;)
      {
        std::packaged_task<void()> task;
        {
          std::unique_lock<std::mutex> lock(m_Mutex);
          m_Condition.wait(lock, [this] { return !m_Tasks.empty(); });
          task = std::move(m_Tasks.front());
          m_Tasks.pop();
        }
        task();
      }
    });
    m_Id = thread.get_id();
    thread.detach();
  }

  void Run(const std::function<void()> & function)
  {
    if (std::this_thread::get_id() == m_Id)
    {
      function();
      return;
    }
    std::packaged_task<void()> task(function);
    auto                       done = task.get_future();
    {
      const std::lock_guard<std::mutex> lock(m_Mutex);
      m_Tasks.push(std::move(task));
    }
    m_Condition.notify_one();
    done.get();
  }

private:
  std::mutex                             m_Mutex;
  std::condition_variable                m_Condition;
  std::queue<std::packaged_task<void()>> m_Tasks;
  std::thread::id                        m_Id;
};
} // namespace

void TorchThread::Run(const std::function<void()> & task)
{
  // Never destroyed: its thread sleeps until the process is gone.
  static Worker * const worker = new Worker;
  worker->Run(task);
}

void TorchThread::SetNumberOfThreads(unsigned int threads)
{
  // Each waits for its share by spinning: some thousand of them stop the computer.
  const unsigned int most = std::max(256U, std::thread::hardware_concurrency());
  if (threads > most)
  {
    npsnetThrow("The network takes at most " << most << " threads, not " << threads << '.');
  }
  if (threads > 0 && at::get_num_threads() != static_cast<int>(threads))
  {
    at::set_num_threads(static_cast<int>(threads));
  }
}
} // namespace itk
