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
  const std::size_t  width = turned ? stored[1] : stored[0];
  const std::size_t  height = turned ? stored[0] : stored[1];

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
  for (unsigned int y = 0; y < stored[1]; ++y)
  {
    for (unsigned int x = 0; x < stored[0]; ++x, in += 3)
    {
      const auto to = FundusPhotograph::StoredToUprightIndex(orientation, stored, x, y);
      auto &     pixel = image->GetBufferPointer()[to[1] * width + to[0]];
      pixel.Set(in[0], in[1], in[2]);
    }
  }
  return image;
}
} // namespace

FundusPhotographReader::FundusPhotographReader()
{
  this->SetNumberOfRequiredInputs(0);
  this->SetNumberOfRequiredOutputs(1);
  this->SetNthOutput(0, this->MakeOutput(0));
}

DataObject::Pointer FundusPhotographReader::MakeOutput(DataObjectPointerArraySizeType)
{
  return FundusPhotograph::New().GetPointer();
}

FundusPhotograph * FundusPhotographReader::GetOutput()
{
  return static_cast<FundusPhotograph *>(this->GetPrimaryOutput());
}

void FundusPhotographReader::VerifyPreconditions() ITKv5_CONST
{
  Superclass::VerifyPreconditions();
  if (m_FileName.empty())
  {
    npsnetThrow("No photograph was named: give the path of a file.");
  }
}

void FundusPhotographReader::GenerateData()
{
  const DecodedPhoto photo = DecodePhoto(m_FileName, m_Frame, m_MaximumNumberOfPixels);
  this->UpdateProgress(0.8f);
  if (this->GetAbortGenerateData())
  {
    throw ProcessAborted(__FILE__, __LINE__);
  }
  FundusPhotograph * output = this->GetOutput();
  output->SetImage(MakeUpright(photo));
  output->SetStored(photo.Stored);
  output->SetFileName(m_FileName);
  output->SetDICOMLaterality(photo.Laterality);
  output->SetMicrometersPerPixel(photo.MicrometersPerPixel);
  this->UpdateProgress(1.0f);
}

void FundusPhotographReader::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "FileName: " << m_FileName << std::endl;
  os << indent << "Frame: " << m_Frame << std::endl;
  os << indent << "MaximumNumberOfPixels: " << m_MaximumNumberOfPixels << std::endl;
}
} // namespace itk
