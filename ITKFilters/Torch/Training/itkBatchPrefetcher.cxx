// SPDX-License-Identifier: Apache-2.0
#include "itkBatchPrefetcher.h"

#include <algorithm>

namespace itk
{
BatchPrefetcher::BatchPrefetcher(MakerType maker, std::size_t first, std::size_t end, std::size_t workers)
  : m_Maker(std::move(maker))
  , m_NextToMake(first)
  , m_NextToUse(first)
  , m_End(end)
  , m_Ahead(2 * std::max<std::size_t>(workers, 1) + 1)
{
  for (std::size_t i = 0; i < std::max<std::size_t>(workers, 1); ++i)
  {
    m_Workers.emplace_back([this] { this->Work(); });
  }
}

BatchPrefetcher::~BatchPrefetcher()
{
  {
    std::lock_guard<std::mutex> lock(m_Mutex);
    m_Stop = true;
  }
  m_Changed.notify_all();
  for (auto & worker : m_Workers)
  {
    worker.join();
  }
}

void BatchPrefetcher::Work()
{
  std::unique_lock<std::mutex> lock(m_Mutex);
  while (true)
  {
    m_Changed.wait(lock, [this] { return m_Stop || m_NextToMake >= m_End || m_NextToMake < m_NextToUse + m_Ahead; });
    if (m_Stop || m_NextToMake >= m_End)
    {
      return;
    }
    const std::size_t number = m_NextToMake++;
    lock.unlock();
    std::pair<BatchType, std::exception_ptr> result;
    try
    {
      result.first = m_Maker(number);
    }
    catch (...)
    {
      result.second = std::current_exception();
    }
    lock.lock();
    m_Ready[number] = std::move(result);
    m_Changed.notify_all();
  }
}

BatchPrefetcher::BatchType BatchPrefetcher::Next()
{
  std::unique_lock<std::mutex> lock(m_Mutex);
  m_Changed.wait(lock, [this] { return m_Ready.count(m_NextToUse) > 0; });
  auto node = m_Ready.extract(m_NextToUse++);
  m_Changed.notify_all();
  lock.unlock();
  if (node.mapped().second)
  {
    std::rethrow_exception(node.mapped().second);
  }
  return std::move(node.mapped().first);
}
} // namespace itk
