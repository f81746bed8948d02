// SPDX-License-Identifier: Apache-2.0
#include "detail/itkPolarSampling.h"

#include "itkMath.h"

#include <cmath>
#include <vector>

namespace itk
{
void SamplePolarHypotheses(const unsigned char *   rgb,
                           int                     width,
                           int                     height,
                           const PolarHypothesis * hypotheses,
                           std::size_t             numberOfHypotheses,
                           int                     radii,
                           int                     angles,
                           bool                    bgr,
                           float *                 out)
{
  if (width < 1 || height < 1 || radii < 2 || angles < 1)
  {
    itkGenericExceptionMacro("A polar grid needs a raster, two radii and an angle at least; got "
                             << width << " x " << height << " pixels, " << radii << " radii and " << angles
                             << " angles.");
  }
  std::vector<float> cosines(angles);
  std::vector<float> sines(angles);
  for (int i = 0; i < angles; ++i)
  {
    cosines[i] = static_cast<float>(std::cos(Math::twopi * i / angles));
    sines[i] = static_cast<float>(std::sin(Math::twopi * i / angles));
  }
  const std::size_t plane = static_cast<std::size_t>(radii) * angles;
  for (std::size_t h = 0; h < numberOfHypotheses; ++h)
  {
    float * first = out + 3 * h * plane;
    for (int j = 0; j < radii; ++j)
    {
      for (int i = 0; i < angles; ++i, ++first)
      {
        float pixel[3];
        SamplePolarBin(rgb, width, height, hypotheses[h], j, radii, cosines[i], sines[i], pixel);
        first[0] = pixel[bgr ? 2 : 0];
        first[plane] = pixel[1];
        first[2 * plane] = pixel[bgr ? 0 : 2];
      }
    }
  }
}
} // namespace itk
