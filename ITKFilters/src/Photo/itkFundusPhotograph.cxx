// SPDX-License-Identifier: Apache-2.0
#include "itkFundusPhotograph.h"

#include <algorithm>

namespace itk
{
std::array<unsigned, 2> FundusPhotograph::StoredToUprightIndex(unsigned int                    orientation,
                                                               const std::array<unsigned, 2> & storedSize,
                                                               unsigned int                    x,
                                                               unsigned int                    y)
{
  const unsigned int xBack = storedSize[0] - 1 - x;
  const unsigned int yBack = storedSize[1] - 1 - y;
  switch (orientation)
  {
    case 1:
      return { { x, y } };
    case 2:
      return { { xBack, y } };
    case 3:
      return { { xBack, yBack } };
    case 4:
      return { { x, yBack } };
    case 5:
      return { { y, x } };
    case 6:
      return { { yBack, x } };
    case 7:
      return { { yBack, xBack } };
    case 8:
      return { { y, xBack } };
    default:
      itkGenericExceptionMacro("An EXIF orientation is 1 to 8, not " << orientation << '.');
  }
}

std::array<double, 2> FundusPhotograph::PointToIndex(const std::array<double, 2> & point) const
{
  ImageType::PointType given;
  given[0] = point[0];
  given[1] = point[1];
  ContinuousIndex<double, 2> index;
  m_Image->TransformPhysicalPointToContinuousIndex(given, index);
  return { { index[0], index[1] } };
}

std::array<double, 2> FundusPhotograph::IndexToPoint(const std::array<double, 2> & index) const
{
  ContinuousIndex<double, 2> given;
  given[0] = index[0];
  given[1] = index[1];
  ImageType::PointType point;
  m_Image->TransformContinuousIndexToPhysicalPoint(given, point);
  return { { point[0], point[1] } };
}

bool FundusPhotograph::IsInside(const std::array<double, 2> & point) const
{
  const auto index = this->PointToIndex(point);
  const auto size = m_Image->GetBufferedRegion().GetSize();
  return index[0] >= -0.5 && index[0] <= static_cast<double>(size[0]) - 0.5 && index[1] >= -0.5 &&
         index[1] <= static_cast<double>(size[1]) - 0.5;
}

FundusPhotograph::StoredLabelImageType::Pointer FundusPhotograph::UprightToStoredLabels(
  const LabelImageType * upright) const
{
  if (upright == nullptr)
  {
    itkExceptionMacro("There are no labels to bring back to the stored geometry.");
  }
  const auto         size = upright->GetBufferedRegion().GetSize();
  const bool         turned = m_Stored.Orientation > 4;
  const unsigned int width = m_Stored.Size[0];
  const unsigned int height = m_Stored.Size[1];
  if (size[0] != (turned ? height : width) || size[1] != (turned ? width : height))
  {
    itkExceptionMacro("Labels of " << size[0] << " x " << size[1] << " do not belong to the photograph of " << width
                                   << " x " << height << " stored with orientation " << m_Stored.Orientation << '.');
  }

  auto                                stored = StoredLabelImageType::New();
  StoredLabelImageType::RegionType    region;
  StoredLabelImageType::SpacingType   spacing;
  StoredLabelImageType::PointType     origin;
  StoredLabelImageType::DirectionType direction;
  region.SetSize({ { width, height, 1 } });
  for (unsigned int r = 0; r < 3; ++r)
  {
    spacing[r] = m_Stored.Spacing[r];
    origin[r] = m_Stored.Origin[r];
    for (unsigned int c = 0; c < 3; ++c)
    {
      direction(r, c) = m_Stored.Direction[3 * r + c];
    }
  }
  stored->SetRegions(region);
  stored->SetSpacing(spacing);
  stored->SetOrigin(origin);
  stored->SetDirection(direction);
  stored->Allocate();

  const unsigned char * in = upright->GetBufferPointer();
  unsigned char *       out = stored->GetBufferPointer();
  if (m_Stored.Orientation == 1)
  {
    std::copy_n(in, static_cast<std::size_t>(width) * height, out);
    return stored;
  }
  for (unsigned int y = 0; y < height; ++y)
  {
    for (unsigned int x = 0; x < width; ++x)
    {
      const auto to = StoredToUprightIndex(m_Stored.Orientation, m_Stored.Size, x, y);
      *out++ = in[static_cast<std::size_t>(to[1]) * size[0] + to[0]];
    }
  }
  return stored;
}

FundusPhotograph::LabelImageType::Pointer FundusPhotograph::StoredToUprightLabels(const LabelImageType * stored) const
{
  if (stored == nullptr || m_Image.IsNull())
  {
    itkExceptionMacro("There are no labels to bring upright, or no photograph.");
  }
  const auto size = stored->GetBufferedRegion().GetSize();
  if (size[0] != m_Stored.Size[0] || size[1] != m_Stored.Size[1])
  {
    itkExceptionMacro("Labels of " << size[0] << " x " << size[1] << " do not belong to the photograph of "
                                   << m_Stored.Size[0] << " x " << m_Stored.Size[1] << " stored pixels.");
  }
  auto upright = LabelImageType::New();
  upright->CopyInformation(m_Image);
  upright->SetRegions(m_Image->GetBufferedRegion());
  upright->Allocate();
  const unsigned char * in = stored->GetBufferPointer();
  unsigned char *       out = upright->GetBufferPointer();
  const std::size_t     width = upright->GetBufferedRegion().GetSize()[0];
  for (unsigned int y = 0; y < m_Stored.Size[1]; ++y)
  {
    for (unsigned int x = 0; x < m_Stored.Size[0]; ++x)
    {
      const auto to = StoredToUprightIndex(m_Stored.Orientation, m_Stored.Size, x, y);
      out[to[1] * width + to[0]] = *in++;
    }
  }
  return upright;
}

void FundusPhotograph::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "FileName: " << m_FileName << std::endl;
  itkPrintSelfObjectMacro(Image);
  os << indent << "Stored size: " << m_Stored.Size[0] << " x " << m_Stored.Size[1] << std::endl;
  os << indent << "Stored dimension: " << m_Stored.Dimension << std::endl;
  os << indent << "Stored orientation: " << m_Stored.Orientation << std::endl;
  os << indent << "DICOMLaterality: " << m_DICOMLaterality << std::endl;
  os << indent << "MicrometersPerPixel: " << m_MicrometersPerPixel << std::endl;
}
} // namespace itk
