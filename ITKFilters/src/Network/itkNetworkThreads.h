// SPDX-License-Identifier: Apache-2.0
#ifndef itkNetworkThreads_h
#define itkNetworkThreads_h

#include "NPSNetExport.h"
#include "itkMacro.h"

#include <cstdint>
#include <type_traits>

namespace itk
{
namespace npsnet
{
/** \class NetworkThreads
 * \brief Shares loops out among the threads that the network may use.
 *
 * Not ITK's pool: a pass of the compact network has some sixty loops of a tenth of a millisecond, so that the threads
 * have to wait for the next one awake. Who comes while another thread uses the pool works alone: as many threads as
 * one likes can run networks without more running threads than callers and pool have together.
 *
 * What a loop computes must not depend on the thread that takes a turn, nor on their number: then no result does.
 */
class NPSNet_EXPORT NetworkThreads
{
public:
  /** For the whole process, the caller counted; 0 changes nothing. At first ITK's default number. Throws
   * itk::ExceptionObject for more than a computer can use. */
  static void         SetNumberOfThreads(unsigned int threads);
  static unsigned int GetNumberOfThreads();

  /** Calls task(0) ... task(count - 1), in any order, and waits for them. Numbers too small to be normal count as zero
   * meanwhile: dying features would cost a hundred cycles each. */
  template <typename TTask>
  static void For(std::int64_t count, const TTask & task)
  {
    Run(
      count, [](const void * object, std::int64_t turn) { (*static_cast<const TTask *>(object))(turn); }, &task);
  }

private:
  using Function = void (*)(const void *, std::int64_t);
  static void Run(std::int64_t count, Function function, const void * object);
};
} // namespace npsnet
} // namespace itk

#endif
