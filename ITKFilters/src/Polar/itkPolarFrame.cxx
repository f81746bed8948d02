// SPDX-License-Identifier: Apache-2.0
#include "itkPolarFrame.h"

#include "itkMath.h"

#include <algorithm>

namespace itk
{
PolarFrame::PolarFrame(const ImageBase<2> * image, const PointType & center, double radius)
  : RadiusX(radius / image->GetSpacing()[0])
  , RadiusY(radius / image->GetSpacing()[1])
{
  image->TransformPhysicalPointToContinuousIndex(center, Center);
  for (unsigned int k = 0; k < 2; ++k)
  {
    Center[k] -= static_cast<double>(image->GetLargestPossibleRegion().GetIndex(k));
  }
}

PolarGrid<double> PolarFrame::MakeGrid(unsigned int numberOfRadii, unsigned int numberOfAngles) const
{
  return {
    { Center[0], Center[1] }, { RadiusX, RadiusY }, static_cast<int>(numberOfRadii), static_cast<int>(numberOfAngles)
  };
}

PolarFrame::PointType PolarFrame::DefaultCenter(const ImageBase<2> * image)
{
  const auto &               region = image->GetLargestPossibleRegion();
  ContinuousIndex<double, 2> middle;
  for (unsigned int k = 0; k < 2; ++k)
  {
    middle[k] = static_cast<double>(region.GetIndex(k)) + 0.5 * (static_cast<double>(region.GetSize(k)) - 1.0);
  }
  PointType point;
  image->TransformContinuousIndexToPhysicalPoint(middle, point);
  return point;
}

double PolarFrame::DefaultRadius(const ImageBase<2> * image)
{
  const auto & size = image->GetLargestPossibleRegion().GetSize();
  const auto & spacing = image->GetSpacing();
  return 0.5 * std::min(static_cast<double>(size[0]) * spacing[0], static_cast<double>(size[1]) * spacing[1]);
}

void PolarFrame::SetMapInformation(ImageBase<2> * map, std::size_t numberOfRadii, std::size_t numberOfAngles)
{
  ImageBase<2>::SpacingType   spacing;
  ImageBase<2>::PointType     origin;
  ImageBase<2>::DirectionType direction;
  spacing[0] = Math::twopi / static_cast<double>(numberOfAngles);
  spacing[1] = 1.0 / (static_cast<double>(numberOfRadii) - 1.0);
  origin.Fill(0.0);
  direction.SetIdentity();
  map->SetLargestPossibleRegion(ImageRegion<2>(ImageBase<2>::SizeType{ { numberOfAngles, numberOfRadii } }));
  map->SetSpacing(spacing);
  map->SetOrigin(origin);
  map->SetDirection(direction);
}
} // namespace itk
