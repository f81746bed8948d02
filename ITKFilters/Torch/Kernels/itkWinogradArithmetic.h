// SPDX-License-Identifier: Apache-2.0
#ifndef itkWinogradArithmetic_h
#define itkWinogradArithmetic_h

#include "itkWinogradKernel.h"

namespace itk
{
namespace npsnet
{
/** WinogradKernel compiled for one instruction set; null where the compiler has no vector types. */
struct WinogradArithmetic
{
  using Function = void (*)(const WinogradGroup &, const WinogradLayer &);
  Function Convolve;
  Function Correlate;
};

/** The one for the widest vectors of this processor. */
const WinogradArithmetic & GetWinogradArithmetic();
} // namespace npsnet
} // namespace itk

#endif
