// SPDX-License-Identifier: Apache-2.0
#include "itkFundusPhotographReader.h"
#include "itkNPSNetThrow.h"
#include "itkPhotoDecoder.h"

#include <algorithm>
#include <cmath>

namespace itk
{
namespace
{
FundusPhotograph::ImageType::Pointer MakeUpright(const DecodedPhoto & photo)
{
  const unsigned int orientation = photo.Stored.Orientation;
  const bool         turned = orientation > 4;
  const auto &       stored = photo.Stored.Size;
  const auto         size = photo.Stored.GetUprightSize();
  const std::size_t  width = size[0];
  const std::size_t  height = size[1];

  auto image = FundusPhotograph::ImageType::New();
  image->SetRegions(FundusPhotograph::ImageType::SizeType{ { width, height } });
  // Geometric mean 1; density ratios beyond 4 and rounding of densities are not geometry.
  double ratio = turned ? photo.PixelSize[1] / photo.PixelSize[0] : photo.PixelSize[0] / photo.PixelSize[1];
  if (!std::isfinite(ratio) || ratio > 4.0 || ratio < 0.25 || std::abs(ratio - 1.0) < 0.005)
  {
    ratio = 1.0;
  }
  FundusPhotograph::ImageType::SpacingType spacing;
  spacing[0] = std::sqrt(ratio);
  spacing[1] = 1.0 / spacing[0];
  image->SetSpacing(spacing);
  image->Allocate();

  const unsigned char * in = photo.RGB.data();
  if (orientation == 1)
  {
    std::copy_n(in, 3 * width * height, reinterpret_cast<unsigned char *>(image->GetBufferPointer()));
    return image;
  }
  for (IndexValueType y = 0; y < stored[1]; ++y)
  {
    for (IndexValueType x = 0; x < stored[0]; ++x, in += 3)
    {
      const auto to = photo.Stored.StoredToUpright(Index<2>{ { x, y } });
      auto &     pixel =
        image->GetBufferPointer()[static_cast<std::size_t>(to[1]) * width + static_cast<std::size_t>(to[0])];
      pixel.Set(in[0], in[1], in[2]);
    }
  }
  return image;
}
} // namespace

FundusPhotographReader::FundusPhotographReader() = default;

FundusPhotographReader::~FundusPhotographReader() = default;

void FundusPhotographReader::VerifyPreconditions() ITKv5_CONST
{
  Superclass::VerifyPreconditions();
  if (m_FileName.empty())
  {
    npsnetThrow("No photograph was named: give the path of a file.");
  }
}

// The size of the upright image is known when the file is decoded, and no file is decoded twice.
void FundusPhotographReader::GenerateOutputInformation()
{
  m_Photograph = nullptr; // gives its memory back before the next one needs some
  const DecodedPhoto photo = DecodePhoto(m_FileName, m_Frame, m_MaximumNumberOfPixels);
  m_Photograph = FundusPhotograph::New();
  m_Photograph->SetImage(MakeUpright(photo));
  m_Photograph->SetStored(photo.Stored);
  m_Photograph->SetFileName(m_FileName);
  m_Photograph->SetDICOMLaterality(photo.Laterality);
  m_Photograph->SetMicrometersPerPixel(photo.MicrometersPerPixel);
  this->GetOutput()->CopyInformation(m_Photograph->GetImage());
}

void FundusPhotographReader::EnlargeOutputRequestedRegion(DataObject * output)
{
  output->SetRequestedRegionToLargestPossibleRegion();
}

void FundusPhotographReader::GenerateData()
{
  this->GraftOutput(m_Photograph->GetModifiableImage());
}

void FundusPhotographReader::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "FileName: " << m_FileName << std::endl;
  os << indent << "Frame: " << m_Frame << std::endl;
  os << indent << "MaximumNumberOfPixels: " << m_MaximumNumberOfPixels << std::endl;
  itkPrintSelfObjectMacro(Photograph);
}
} // namespace itk
