// SPDX-License-Identifier: Apache-2.0
#ifndef itkRegularizeNestedPolarBoundary_h
#define itkRegularizeNestedPolarBoundary_h

#include "NPSNetExport.h"
#include "itkImageBase.h"
#include "itkNestedPolarBoundary.h"

namespace itk
{
/** \class NestedPolarBoundaryRegularization
 * \brief What RegularizeNestedPolarBoundary() had to do: widths of the circular mean in angles, 1 = untouched,
 * the number of angles = a circle, 0 = the structure was emptied.
 * \ingroup NPSNet
 */
struct NestedPolarBoundaryRegularization
{
  std::size_t DiscWindow{ 1 };
  std::size_t CupWindow{ 1 };
};

/** Make a wild boundary whole on the raster of an image.
 *
 * Spikes of r(theta) thinner than a pixel fall apart when they are rasterised. Measurements come from the boundary and
 * label maps from its raster, so the boundary itself is changed, before either is made:
 *
 * 1. A structure whose raster is whole (NestedLabelValidity: one hole-free component, single crossing) stays as it is,
 *    bit for bit. That is every ordinary boundary.
 * 2. Otherwise its radii are replaced by their circular mean over the narrowest window of 3, 5, 9, 17 ... angles that
 *    makes it whole; the last window is the whole circle. The cup is then limited by the new disc.
 * 3. A structure that covers no pixel centre of the image becomes empty (all radii 0), so that a table never measures
 *    what no mask shows.
 *
 * Anchor, radius, axes and confidences are kept. The result always satisfies NestedLabelValidity about its anchor on
 * this raster. */
NPSNet_EXPORT NestedPolarBoundary::Pointer RegularizeNestedPolarBoundary(
  const NestedPolarBoundary *         boundary,
  const ImageBase<2> *                image,
  NestedPolarBoundaryRegularization * done = nullptr);
} // namespace itk

#endif
