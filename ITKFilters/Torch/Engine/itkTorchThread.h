// SPDX-License-Identifier: Apache-2.0
#ifndef itkTorchThread_h
#define itkTorchThread_h

#include "NPSNetTorchExport.h"
#include "itkMacro.h"

#include <functional>

namespace itk
{
/** The one thread that calls LibTorch for inference.
 *
 * OpenMP keeps a pool of threads for every thread that enters a parallel region: calls from many threads would each
 * bring their own and fight for the cores. Denormal and thread-count settings are per thread, too. */
class NPSNetTorch_EXPORT TorchThread
{
public:
  /** Runs the task there and waits for it; its exception comes back. Called from that thread it runs at once. */
  static void Run(const std::function<void()> & task);

  /** To be called from a task; 0 leaves LibTorch's number as it is. */
  static void SetNumberOfThreads(unsigned int threads);
};
} // namespace itk

#endif
