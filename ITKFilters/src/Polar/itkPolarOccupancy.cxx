// SPDX-License-Identifier: Apache-2.0
#include "itkPolarOccupancy.h"

#include <algorithm>
#include <cmath>

namespace itk
{
NestedPolarBoundary::ProfileType ExtractRadiiFromOccupancy(const float * P,
                                                           std::size_t   radii,
                                                           std::size_t   angles,
                                                           bool &        finite)
{
  if (radii < 2)
  {
    itkGenericExceptionMacro("An occupancy map needs at least two radii, not " << radii << '.');
  }
  NestedPolarBoundary::ProfileType profile(angles, 0.0);
  finite = std::all_of(P, P + radii * angles, [](float p) { return std::isfinite(p); });
  if (!finite)
  {
    return profile;
  }
  for (std::size_t i = 0; i < angles; ++i)
  {
    double inner = P[i];
    if (inner < 0.5)
    {
      continue;
    }
    profile[i] = 1.0;
    for (std::size_t j = 1; j < radii; ++j)
    {
      const double outer = std::min(inner, static_cast<double>(P[j * angles + i]));
      if (outer < 0.5)
      {
        const double bin = static_cast<double>(j - 1) + (inner - 0.5) / (inner - outer);
        profile[i] = std::min(bin / static_cast<double>(radii - 1), 1.0);
        break;
      }
      inner = outer;
    }
  }
  return profile;
}

bool ExtractNestedRadiiFromOccupancy(const float *                      discP,
                                     const float *                      cupP,
                                     std::size_t                        radii,
                                     std::size_t                        angles,
                                     NestedPolarBoundary::ProfileType & disc,
                                     NestedPolarBoundary::ProfileType & cup)
{
  bool discFinite = false;
  bool cupFinite = false;
  disc = ExtractRadiiFromOccupancy(discP, radii, angles, discFinite);
  cup = ExtractRadiiFromOccupancy(cupP, radii, angles, cupFinite);
  const bool finite = discFinite && cupFinite;
  for (std::size_t i = 0; i < angles; ++i)
  {
    disc[i] = finite ? disc[i] : 0.0;
    cup[i] = finite ? std::min(cup[i], disc[i]) : 0.0;
  }
  return finite;
}
} // namespace itk
