// SPDX-License-Identifier: Apache-2.0
#include "itkNetworkThreads.h"

#include "itkMultiThreaderBase.h"
#include "itkNPSNetThrow.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#if defined(__SSE2__) || defined(_M_X64)
#include <immintrin.h>
#define NPSNET_HAS_SSE2
#endif
#ifndef _WIN32
#include <unistd.h>
#endif

namespace itk
{
namespace npsnet
{
namespace
{
void Pause()
{
#ifdef NPSNET_HAS_SSE2
  _mm_pause();
#endif
}

/** Tiny numbers are zero while it lives. */
class FlushDenormals
{
public:
#ifdef NPSNET_HAS_SSE2
  FlushDenormals()
    : m_Before(_mm_getcsr())
  {
    constexpr unsigned int flushToZeroAndZeroInputs = 0x8040;
    _mm_setcsr(m_Before | flushToZeroAndZeroInputs);
  }
  ~FlushDenormals()
  {
    _mm_setcsr(m_Before);
  }

private:
  unsigned int m_Before;
#else
  FlushDenormals() {}
#endif
};

struct Loop
{
  std::int64_t count{ 0 };
  void (*function)(const void *, std::int64_t){ nullptr };
  const void *              object{ nullptr };
  std::atomic<std::int64_t> next{ 0 };
  std::atomic<bool>         failed{ false };
  std::exception_ptr        error;

  void TakeTurns()
  {
    for (std::int64_t turn = next++; turn < count; turn = next++)
    {
      try
      {
        function(object, turn);
      }
      catch (...)
      {
        next = count;
        if (!failed.exchange(true))
        {
          error = std::current_exception();
        }
      }
    }
  }
};

/** Threads that help with the loop of whoever has locked `Taken`. */
class Pool
{
public:
  std::mutex Taken;

  void Run(Loop & loop, std::size_t helpers)
  {
    while (m_Threads.size() < helpers)
    {
      m_Threads.emplace_back([this] { this->Help(); });
    }
    m_Loop = &loop;
    m_Wanted = static_cast<unsigned int>(helpers);
    m_State += Generation | Open; // the state was closed and without helpers
    if (m_Sleeping > 0)
    {
      const std::lock_guard<std::mutex> lock(m_Mutex);
      m_Condition.notify_all();
    }
    loop.TakeTurns();
    // Whoever is late must not find the loop any more.
    m_State &= ~Open;
    while ((m_State & Helpers) != 0)
    {
      Pause();
    }
  }

private:
  static constexpr std::uint64_t Helpers = 0xFFFF;
  static constexpr std::uint64_t Open = 0x10000;
  static constexpr std::uint64_t Generation = 0x20000;

  bool IsNew(std::uint64_t state, std::uint64_t last) const
  {
    return (state & Open) != 0 && state / Generation != last / Generation;
  }

  std::uint64_t WaitForLoop(std::uint64_t last)
  {
    for (int i = 0; i < 2000; ++i)
    {
      const std::uint64_t state = m_State;
      if (this->IsNew(state, last))
      {
        return state;
      }
      Pause();
    }
    std::unique_lock<std::mutex> lock(m_Mutex);
    ++m_Sleeping;
    m_Condition.wait(lock, [&] { return this->IsNew(m_State, last); });
    --m_Sleeping;
    return m_State;
  }

  void Help()
  {
    const FlushDenormals flush;
    std::uint64_t        last = 0;
    for (;;)
    {
      std::uint64_t state = this->WaitForLoop(last);
      bool          joined = false;
      while (!joined && this->IsNew(state, last) && (state & Helpers) < m_Wanted)
      {
        joined = m_State.compare_exchange_weak(state, state + 1);
      }
      last = state;
      if (joined)
      {
        m_Loop.load()->TakeTurns();
        --m_State;
      }
    }
  }

  std::atomic<std::uint64_t> m_State{ 0 };
  std::atomic<Loop *>        m_Loop{ nullptr };
  std::atomic<unsigned int>  m_Wanted{ 0 };
  std::atomic<int>           m_Sleeping{ 0 };
  std::mutex                 m_Mutex;
  std::condition_variable    m_Condition;
  std::vector<std::thread>   m_Threads;
};

/** Never destroyed: its threads sleep until the process is gone. The child of a fork() has no threads but its own, so
 * that it gets a pool of its own. */
Pool & GetPool()
{
#ifdef _WIN32
  static Pool * const pool = new Pool;
  return *pool;
#else
  static std::mutex                 mutex;
  static std::pair<pid_t, Pool *>   current{ 0, nullptr };
  const std::lock_guard<std::mutex> lock(mutex);
  if (current.first != getpid())
  {
    current = { getpid(), new Pool };
  }
  return *current.second;
#endif
}

std::atomic<unsigned int> & Threads()
{
  static std::atomic<unsigned int> threads{ std::max(
    1U, static_cast<unsigned int>(MultiThreaderBase::GetGlobalDefaultNumberOfThreads())) };
  return threads;
}
} // namespace

void NetworkThreads::SetNumberOfThreads(unsigned int threads)
{
  const unsigned int most = std::max(256U, std::thread::hardware_concurrency());
  if (threads > most)
  {
    npsnetThrow("The network takes at most " << most << " threads, not " << threads << '.');
  }
  if (threads > 0)
  {
    Threads() = threads;
  }
}

unsigned int NetworkThreads::GetNumberOfThreads()
{
  return Threads();
}

void NetworkThreads::Run(std::int64_t count, Function function, const void * object)
{
  const FlushDenormals flush;
  Loop                 loop;
  loop.count = count;
  loop.function = function;
  loop.object = object;
  const auto helpers = std::min<std::int64_t>(count, Threads()) - 1;
  if (helpers > 0)
  {
    Pool &                       pool = GetPool();
    std::unique_lock<std::mutex> lock(pool.Taken, std::try_to_lock);
    if (lock.owns_lock())
    {
      pool.Run(loop, static_cast<std::size_t>(helpers));
    }
  }
  loop.TakeTurns();
  if (loop.error)
  {
    std::rethrow_exception(loop.error);
  }
}
} // namespace npsnet
} // namespace itk
