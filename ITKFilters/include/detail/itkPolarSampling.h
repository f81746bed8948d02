// SPDX-License-Identifier: Apache-2.0
#ifndef itkPolarSampling_h
#define itkPolarSampling_h

#include "NPSNetExport.h"
#include "itkMacro.h"
#include "detail/itkPolarGrid.h"

#include <cstddef>

namespace itk
{
/** \class PolarHypothesis
 * \brief Another centre and radius of the polar grid: the crop's centre moved by (Dx, Dy) crop pixels, its radius
 * multiplied by Scale.
 * \ingroup NPSNet
 */
struct PolarHypothesis
{
  float Dx{ 0.0f };
  float Dy{ 0.0f };
  float Scale{ 1.0f };
};

/** Bilinear interpolation of interleaved pixels at the continuous index (x, y) where a neighbour outside the raster
 * counts as zero (grid_sample's zeros, not clamped). Defined for every x and y, NaN included (zero). */
template <typename TPixel, typename TReal>
NPSNET_HOST_DEVICE inline void
SampleBilinearZeroOutside(const TPixel * image, int width, int height, int components, TReal x, TReal y, TReal * out)
{
  for (int c = 0; c < components; ++c)
  {
    out[c] = TReal(0);
  }
  if (!(x > TReal(-1) && x < TReal(width) && y > TReal(-1) && y < TReal(height)))
  {
    return;
  }
  // x + 1 > 0, so that truncation is floor; where x + 1 rounds up to a whole number, x may lie just below x0.
  const int         x0 = static_cast<int>(x + TReal(1)) - 1;
  const int         y0 = static_cast<int>(y + TReal(1)) - 1;
  const TReal       fx = x > TReal(x0) ? x - TReal(x0) : TReal(0);
  const TReal       fy = y > TReal(y0) ? y - TReal(y0) : TReal(0);
  const std::size_t row = static_cast<std::size_t>(width) * components;
  const bool        left = x0 >= 0;
  const bool        right = x0 + 1 < width;
  if (left && right && y0 >= 0 && y0 + 1 < height)
  {
    const TPixel * p = image + row * y0 + static_cast<std::size_t>(x0) * components;
    const TPixel * q = p + row;
    for (int c = 0; c < components; ++c)
    {
      out[c] = Bilinear(fx, fy, TReal(p[c]), TReal(p[components + c]), TReal(q[c]), TReal(q[components + c]));
    }
    return;
  }
  for (int k = 0; k < 2; ++k)
  {
    if (y0 + k < 0 || y0 + k >= height)
    {
      continue;
    }
    const TPixel * p = image + row * (y0 + k);
    for (int c = 0; c < components; ++c)
    {
      const TReal a = left ? TReal(p[x0 * components + c]) : TReal(0);
      const TReal b = right ? TReal(p[(x0 + 1) * components + c]) : TReal(0);
      out[c] += (k == 0 ? TReal(1) - fy : fy) * ((TReal(1) - fx) * a + fx * b);
    }
  }
}

/** The grid of a hypothesis on a crop, as the published weights saw it: centre ((W-1)/2, (H-1)/2), R = min(W, H)/2. */
NPSNET_HOST_DEVICE inline PolarGrid<float> MakePolarGrid(int                     width,
                                                         int                     height,
                                                         const PolarHypothesis & hypothesis,
                                                         int                     radii,
                                                         int                     angles)
{
  const float radius = 0.5f * static_cast<float>(width < height ? width : height) * hypothesis.Scale;
  return { { 0.5f * static_cast<float>(width - 1) + hypothesis.Dx,
             0.5f * static_cast<float>(height - 1) + hypothesis.Dy },
           { radius, radius },
           radii,
           angles };
}

/** One bin of a grid on an 8-bit RGB crop: three values in [0, 1] in planes of radii x angles, channels B, G, R (bgr)
 * or R, G, B. */
NPSNET_HOST_DEVICE inline void SamplePolarBin(const unsigned char *    rgb,
                                              int                      width,
                                              int                      height,
                                              const PolarGrid<float> & grid,
                                              int                      radius,
                                              int                      angle,
                                              const float *            direction,
                                              bool                     bgr,
                                              float *                  planes)
{
  float point[2];
  float pixel[3];
  grid.GetPoint(radius, direction, point);
  SampleBilinearZeroOutside(rgb, width, height, 3, point[0], point[1], pixel);
  const std::size_t plane = static_cast<std::size_t>(grid.NumberOfRadii) * grid.NumberOfAngles;
  float *           bin = planes + static_cast<std::size_t>(radius) * grid.NumberOfAngles + angle;
  for (int c = 0; c < 3; ++c)
  {
    bin[plane * (bgr ? 2 - c : c)] = pixel[c] * (1.0f / 255.0f);
  }
}

/** Every hypothesis of one crop in one sweep on the calling thread: interleaved 8-bit RGB in; out
 * [hypothesis][channel][radius][angle] in [0, 1], channels B, G, R (bgr) or R, G, B. Thread-safe. */
NPSNet_EXPORT void SamplePolarHypotheses(const unsigned char *   rgb,
                                         int                     width,
                                         int                     height,
                                         const PolarHypothesis * hypotheses,
                                         std::size_t             numberOfHypotheses,
                                         int                     radii,
                                         int                     angles,
                                         bool                    bgr,
                                         float *                 out);

#ifdef NPSNET_HAS_CUDA
/** The same in one kernel launch; rgb, hypotheses and out are device memory, stream is a cudaStream_t (null: the
 * default stream). Returns 0 or the cudaError_t of the launch; does not wait for the kernel. */
extern "C" NPSNet_EXPORT int NPSNetSamplePolarHypothesesCuda(const unsigned char *        rgb,
                                                             int                          width,
                                                             int                          height,
                                                             const itk::PolarHypothesis * hypotheses,
                                                             int                          numberOfHypotheses,
                                                             int                          radii,
                                                             int                          angles,
                                                             int                          bgr,
                                                             float *                      out,
                                                             void *                       stream);
#endif
} // namespace itk

#endif
