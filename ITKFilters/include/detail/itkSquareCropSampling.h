// SPDX-License-Identifier: Apache-2.0
#ifndef itkSquareCropSampling_h
#define itkSquareCropSampling_h

#include "detail/itkSampledOutput.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace itk
{
/** \class SquareCropAxis
 * \brief Where the N samples of a crop lie along one axis of a raster.
 *
 * Half-pixel centres: sample i has the continuous index centre + ((i + 0.5) / N - 0.5) * side. A raster of n pixels
 * covers [-0.5, n - 0.5]; in its outer half pixel the edge value continues, beyond it the sample is outside (black).
 *
 * \ingroup NPSNet
 */
class SquareCropAxis
{
public:
  struct Sample
  {
    std::size_t Low;
    std::size_t High;
    double      Weight; // of High
    bool        Inside;
  };

  /** All in pixels of the raster. */
  SquareCropAxis(double centre, double side, unsigned int samples, std::size_t length, bool nearest = false)
    : m_Samples(samples)
  {
    for (unsigned int i = 0; i < samples; ++i)
    {
      const double position = centre + (i + 0.5 - 0.5 * samples) * (side / samples);
      Sample &     sample = m_Samples[i];
      sample.Inside = position >= -0.5 && position <= static_cast<double>(length) - 0.5;
      const double inner = std::clamp(sample.Inside ? position : 0.0, 0.0, static_cast<double>(length) - 1.0);
      sample.Low = static_cast<std::size_t>(nearest ? std::floor(inner + 0.5) : std::floor(inner));
      sample.Weight = nearest ? 0.0 : inner - static_cast<double>(sample.Low);
      sample.High = sample.Weight > 0.0 ? std::min(sample.Low + 1, length - 1) : sample.Low; // 0 * NaN is not 0
    }
  }
  const Sample & operator[](std::size_t i) const { return m_Samples[i]; }
  std::size_t    GetSize() const { return m_Samples.size(); }

private:
  std::vector<Sample> m_Samples;
};

/** Samples [x0, x1) of one row of the crop, bilinear, zero outside; integral types are rounded half up.
 * `image` is the interleaved raster of rowLength = width * components values a row, `out` gets (x1 - x0) * components.
 */
template <typename TIn, typename TOut>
void SampleSquareCropRow(const TIn *                    image,
                         std::size_t                    rowLength,
                         std::size_t                    components,
                         const SquareCropAxis &         xAxis,
                         const SquareCropAxis::Sample & y,
                         std::size_t                    x0,
                         std::size_t                    x1,
                         TOut *                         out)
{
  const TIn * low = image + y.Low * rowLength;
  const TIn * high = image + y.High * rowLength;
  for (std::size_t i = x0; i < x1; ++i)
  {
    const SquareCropAxis::Sample & x = xAxis[i];
    for (std::size_t c = 0; c < components; ++c)
    {
      double value = 0.0;
      if (x.Inside && y.Inside)
      {
        const std::size_t a = x.Low * components + c;
        const std::size_t b = x.High * components + c;
        const double      top = low[a] + x.Weight * (static_cast<double>(low[b]) - low[a]);
        const double      bottom = high[a] + x.Weight * (static_cast<double>(high[b]) - high[a]);
        value = top + y.Weight * (bottom - top);
      }
      *out++ = ToSampledComponent<TOut>(value);
    }
  }
}

/** Whole crop of samples x samples from an interleaved raster on the calling thread; centre and sides are in pixels
 * of the raster (two sides because pixels need not be square). */
template <typename TPixel>
void SampleSquareCrop(const TPixel * image,
                      std::size_t    width,
                      std::size_t    height,
                      std::size_t    components,
                      double         centreX,
                      double         centreY,
                      double         sideX,
                      double         sideY,
                      unsigned int   samples,
                      TPixel *       out,
                      bool           nearest = false)
{
  const SquareCropAxis xAxis(centreX, sideX, samples, width, nearest);
  const SquareCropAxis yAxis(centreY, sideY, samples, height, nearest);
  for (unsigned int y = 0; y < samples; ++y)
  {
    SampleSquareCropRow(image,
                        width * components,
                        components,
                        xAxis,
                        yAxis[y],
                        0,
                        samples,
                        out + std::size_t{ y } * samples * components);
  }
}
} // namespace itk

#endif
