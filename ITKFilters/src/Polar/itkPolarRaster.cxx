// SPDX-License-Identifier: Apache-2.0
#include "itkPolarRaster.h"

#include "itkMath.h"

#include <algorithm>
#include <cmath>

namespace itk
{
PolarRaster::PolarRaster(const NestedPolarBoundary & boundary,
                         std::size_t                 angles,
                         double                      reach,
                         const ImageBase<2> *        image)
{
  const auto &               region = image->GetLargestPossibleRegion();
  ContinuousIndex<double, 2> anchor;
  image->TransformPhysicalPointToContinuousIndex(boundary.GetAnchor(), anchor);

  // The largest stretch of axes that are unit vectors but not quite orthogonal.
  const auto & axes = boundary.GetAxes();
  const double skew = std::abs(axes(0, 0) * axes(0, 1) + axes(1, 0) * axes(1, 1));
  const double length = boundary.GetRadius() * reach * std::sqrt(1.0 + skew);
  const auto   toIndex = image->GetInverseDirection();
  bool         empty = !(reach > 0.0);
  for (unsigned int k = 0; k < 2; ++k)
  {
    const double half = length * std::hypot(toIndex(k, 0), toIndex(k, 1)) / image->GetSpacing()[k];
    const double first = static_cast<double>(region.GetIndex(k));
    const double last = first + static_cast<double>(region.GetSize(k)) - 1.0;
    const double low = std::max(first, std::floor(anchor[k] - half) - 1.0);
    const double high = std::min(last, std::ceil(anchor[k] + half) + 1.0);
    if (!(low <= high)) // NaN, too
    {
      empty = true;
      continue;
    }
    m_Box.SetIndex(k, static_cast<IndexValueType>(low));
    m_Box.SetSize(k, static_cast<SizeValueType>(high - low) + 1);
  }
  if (empty)
  {
    m_Box.SetSize(RegionType::SizeType{ { 0, 0 } });
    return;
  }
  for (unsigned int k = 0; k < 2; ++k)
  {
    m_Anchor[k] = anchor[k] - static_cast<double>(m_Box.GetIndex(k));
  }

  for (std::size_t y = 0; y < this->GetHeight(); ++y)
  {
    for (std::size_t x = 0; x < this->GetWidth(); ++x)
    {
      const Index<2>                 index{ { m_Box.GetIndex(0) + static_cast<IndexValueType>(x),
                                              m_Box.GetIndex(1) + static_cast<IndexValueType>(y) } };
      NestedPolarBoundary::PointType point;
      image->TransformIndexToPhysicalPoint(index, point);
      double rho = 0.0;
      double theta = 0.0;
      boundary.TransformPhysicalPointToPolar(point, rho, theta);
      if (!(rho <= reach))
      {
        continue;
      }
      Pixel pixel;
      pixel.Offset = y * this->GetWidth() + x;
      pixel.Rho = rho;
      NestedPolarBoundary::LocateAngle(theta, angles, pixel.Below, pixel.Above, pixel.Weight);
      m_Pixels.push_back(pixel);
    }
  }
}

PolarRaster::MaskType PolarRaster::Rasterize(const ProfileType & radii) const
{
  return this->Rasterize(radii, radii);
}

PolarRaster::MaskType PolarRaster::Rasterize(const ProfileType & radii, const ProfileType & limit) const
{
  MaskType mask(this->GetWidth() * this->GetHeight(), 0);
  for (const Pixel & pixel : m_Pixels)
  {
    const auto at = [&pixel](const ProfileType & r) {
      return r[pixel.Below] + pixel.Weight * (r[pixel.Above] - r[pixel.Below]);
    };
    const double r = std::min(at(radii), at(limit));
    mask[pixel.Offset] = r > 0.0 && pixel.Rho <= r;
  }
  return mask;
}
} // namespace itk
