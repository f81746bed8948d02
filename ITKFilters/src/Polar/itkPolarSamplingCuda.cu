// SPDX-License-Identifier: Apache-2.0
#include "detail/itkPolarSampling.h"

#include <cuda_runtime.h>

namespace
{
__global__ void SampleBins(const unsigned char *        rgb,
                           int                          width,
                           int                          height,
                           const itk::PolarHypothesis * hypotheses,
                           int                          radii,
                           int                          angles,
                           bool                         bgr,
                           float *                      out)
{
  const int bins = radii * angles;
  const int bin = blockIdx.x * blockDim.x + threadIdx.x;
  if (bin >= bins)
  {
    return;
  }
  const auto grid = itk::MakePolarGrid(width, height, hypotheses[blockIdx.y], radii, angles);
  float      direction[2];
  grid.GetDirection(bin % angles, angles, direction);
  itk::SamplePolarBin(rgb,
                      width,
                      height,
                      grid,
                      bin / angles,
                      bin % angles,
                      direction,
                      bgr,
                      out + static_cast<std::size_t>(3) * blockIdx.y * bins);
}
} // namespace

namespace itk
{
extern "C" int NPSNetSamplePolarHypothesesCuda(const unsigned char *        rgb,
                                               int                          width,
                                               int                          height,
                                               const itk::PolarHypothesis * hypotheses,
                                               int                          numberOfHypotheses,
                                               int                          radii,
                                               int                          angles,
                                               int                          bgr,
                                               float *                      out,
                                               void *                       stream)
{
  if (numberOfHypotheses < 1 || numberOfHypotheses > 65535 || radii < 2 || angles < 1 || width < 1 || height < 1)
  {
    return static_cast<int>(cudaErrorInvalidValue);
  }
  const int  threads = 256;
  const dim3 blocks((radii * angles + threads - 1) / threads, numberOfHypotheses);
  SampleBins<<<blocks, threads, 0, static_cast<cudaStream_t>(stream)>>>(
    rgb, width, height, hypotheses, radii, angles, bgr != 0, out);
  return static_cast<int>(cudaGetLastError());
}
} // namespace itk
