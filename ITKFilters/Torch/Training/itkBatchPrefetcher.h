// SPDX-License-Identifier: Apache-2.0
#ifndef itkBatchPrefetcher_h
#define itkBatchPrefetcher_h

#include "itkTrainingTask.h"

#include <condition_variable>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

namespace itk
{
/** \class BatchPrefetcher
 * \brief Makes numbered batches in worker threads ahead of their use and hands them out in order.
 */
class BatchPrefetcher
{
public:
  using BatchType = TrainingTask::BatchType;
  using MakerType = std::function<BatchType(std::size_t)>;

  BatchPrefetcher(MakerType maker, std::size_t first, std::size_t end, std::size_t workers);
  ~BatchPrefetcher();

  /** The next batch; rethrows what its maker threw. */
  BatchType Next();

private:
  void Work();

  MakerType                                                       m_Maker;
  std::size_t                                                     m_NextToMake;
  std::size_t                                                     m_NextToUse;
  std::size_t                                                     m_End;
  std::size_t                                                     m_Ahead;
  bool                                                            m_Stop{ false };
  std::mutex                                                      m_Mutex;
  std::condition_variable                                         m_Changed;
  std::map<std::size_t, std::pair<BatchType, std::exception_ptr>> m_Ready;
  std::vector<std::thread>                                        m_Workers;
};
} // namespace itk

#endif
