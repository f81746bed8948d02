// SPDX-License-Identifier: Apache-2.0
#ifndef itkBilinear_h
#define itkBilinear_h

#include "itkMacro.h" // an SDK may rename the namespace there

/** Code that both the CPU and a CUDA kernel run. */
#if defined(__CUDACC__)
#define NPSNET_HOST_DEVICE __host__ __device__
#else
#define NPSNET_HOST_DEVICE
#endif

namespace itk
{
/** Between four neighbours; the weights, 0 to 1, are those of the right and of the lower ones. Both factors are never
 * negative: the shorter difference form can round to just below zero. */
template <typename TReal>
NPSNET_HOST_DEVICE inline TReal Bilinear(TReal weightX,
                                         TReal weightY,
                                         TReal topLeft,
                                         TReal topRight,
                                         TReal bottomLeft,
                                         TReal bottomRight)
{
  return (TReal(1) - weightY) * ((TReal(1) - weightX) * topLeft + weightX * topRight) +
         weightY * ((TReal(1) - weightX) * bottomLeft + weightX * bottomRight);
}
} // namespace itk

#endif
