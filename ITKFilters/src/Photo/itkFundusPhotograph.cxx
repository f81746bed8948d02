// SPDX-License-Identifier: Apache-2.0
#include "itkFundusPhotograph.h"

#include <algorithm>

namespace itk
{
FundusPhotograph::ContinuousIndexType FundusPhotograph::PointToIndex(const PointType & point) const
{
  ContinuousIndexType index;
  m_Image->TransformPhysicalPointToContinuousIndex(point, index);
  return index;
}

FundusPhotograph::PointType FundusPhotograph::IndexToPoint(const ContinuousIndexType & index) const
{
  PointType point;
  m_Image->TransformContinuousIndexToPhysicalPoint(index, point);
  return point;
}

bool FundusPhotograph::IsInside(const ContinuousIndexType & index) const
{
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
  const auto         expected = m_Stored.GetUprightSize();
  const unsigned int width = m_Stored.Size[0];
  const unsigned int height = m_Stored.Size[1];
  if (size[0] != expected[0] || size[1] != expected[1])
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
  for (IndexValueType y = 0; y < height; ++y)
  {
    for (IndexValueType x = 0; x < width; ++x)
    {
      const auto to = m_Stored.StoredToUpright(Index<2>{ { x, y } });
      *out++ = in[static_cast<std::size_t>(to[1]) * size[0] + static_cast<std::size_t>(to[0])];
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
  for (IndexValueType y = 0; y < m_Stored.Size[1]; ++y)
  {
    for (IndexValueType x = 0; x < m_Stored.Size[0]; ++x)
    {
      const auto to = m_Stored.StoredToUpright(Index<2>{ { x, y } });
      out[static_cast<std::size_t>(to[1]) * width + static_cast<std::size_t>(to[0])] = *in++;
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
