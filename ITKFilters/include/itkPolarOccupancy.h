// SPDX-License-Identifier: Apache-2.0
#ifndef itkPolarOccupancy_h
#define itkPolarOccupancy_h

#include "NPSNetExport.h"
#include "itkNestedPolarBoundary.h"

#include <cstddef>

namespace itk
{
/** Normalised radii of the 0.5 crossing of an occupancy map P[radius][angle], rho = radius / (radii - 1).
 *
 * Along each ray the running minimum is taken first, then the crossing is interpolated linearly inside its bin:
 * 0 when P(0) < 0.5, 1 when P never falls below 0.5. If any value of the map is not finite, all radii are 0 (an empty
 * structure) and `finite` is set to false. */
NPSNet_EXPORT NestedPolarBoundary::ProfileType ExtractRadiiFromOccupancy(const float * P,
                                                                         std::size_t   radii,
                                                                         std::size_t   angles,
                                                                         bool &        finite);

/** Both structures with cup = min(cup, disc). Returns false, and two empty structures, when a value of either map is
 * not finite. */
NPSNet_EXPORT bool ExtractNestedRadiiFromOccupancy(const float *                      discP,
                                                   const float *                      cupP,
                                                   std::size_t                        radii,
                                                   std::size_t                        angles,
                                                   NestedPolarBoundary::ProfileType & disc,
                                                   NestedPolarBoundary::ProfileType & cup);
} // namespace itk

#endif
