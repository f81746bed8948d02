// SPDX-License-Identifier: Apache-2.0
#include "detail/itkPolarSampling.h"

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
  std::vector<float> directions(2 * static_cast<std::size_t>(angles));
  for (int i = 0; i < angles; ++i)
  {
    PolarGrid<float>::GetDirection(i, angles, &directions[2 * i]);
  }
  for (std::size_t h = 0; h < numberOfHypotheses; ++h)
  {
    const PolarGrid<float> grid = MakePolarGrid(width, height, hypotheses[h], radii, angles);
    float *                planes = out + 3 * h * static_cast<std::size_t>(radii) * angles;
    for (int j = 0; j < radii; ++j)
    {
      for (int i = 0; i < angles; ++i)
      {
        SamplePolarBin(rgb, width, height, grid, j, i, &directions[2 * i], bgr, planes);
      }
    }
  }
}
} // namespace itk
