// SPDX-License-Identifier: Apache-2.0
#ifndef itkPolarRaster_h
#define itkPolarRaster_h

#include "itkImageBase.h"
#include "itkNestedPolarBoundary.h"

#include <cstddef>
#include <vector>

namespace itk
{
/** The pixels of an image that a boundary may reach, with their polar coordinates computed once, so that many
 * profiles about the same anchor can be rasterised. The box leaves a margin of one pixel where the image has it. */
class PolarRaster
{
public:
  using ProfileType = NestedPolarBoundary::ProfileType;
  using MaskType = std::vector<unsigned char>;
  using RegionType = ImageRegion<2>;

  /** Pixels with rho <= reach about the anchor of `boundary`, for profiles of `angles` angles. */
  PolarRaster(const NestedPolarBoundary & boundary, std::size_t angles, double reach, const ImageBase<2> * image);

  /** Part of the image's index space that masks cover; may be empty. */
  const RegionType & GetBox() const { return m_Box; }
  std::size_t        GetWidth() const { return m_Box.GetSize(0); }
  std::size_t        GetHeight() const { return m_Box.GetSize(1); }
  /** Continuous index of the anchor relative to the box. */
  const ContinuousIndex<double, 2> & GetAnchor() const { return m_Anchor; }

  /** 1 where a pixel's centre has rho <= r(theta) and r > 0. */
  MaskType Rasterize(const ProfileType & radii) const;
  /** The same with min(r, limit). */
  MaskType Rasterize(const ProfileType & radii, const ProfileType & limit) const;

private:
  struct Pixel
  {
    std::size_t Offset;
    double      Rho;
    std::size_t Below;
    std::size_t Above;
    double      Weight; // of Above
  };

  RegionType                 m_Box;
  ContinuousIndex<double, 2> m_Anchor;
  std::vector<Pixel>         m_Pixels;
};
} // namespace itk

#endif
