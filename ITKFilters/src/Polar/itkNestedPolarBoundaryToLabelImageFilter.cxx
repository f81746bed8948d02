// SPDX-License-Identifier: Apache-2.0
#include "itkNestedPolarBoundaryToLabelImageFilter.h"
#include "itkPolarRaster.h"

#include <algorithm>

namespace itk
{
NestedPolarBoundaryToLabelImageFilter::NestedPolarBoundaryToLabelImageFilter()
{
  this->AddRequiredInputName("Boundary");
  this->AddRequiredInputName("ReferenceImage");
}

void NestedPolarBoundaryToLabelImageFilter::GenerateOutputInformation()
{
  const ReferenceImageType * reference = this->GetReferenceImage();
  OutputImageType *          output = this->GetOutput();
  output->SetLargestPossibleRegion(reference->GetLargestPossibleRegion());
  output->SetSpacing(reference->GetSpacing());
  output->SetOrigin(reference->GetOrigin());
  output->SetDirection(reference->GetDirection());
}

void NestedPolarBoundaryToLabelImageFilter::GenerateInputRequestedRegion()
{
  // No pixel of it is read, but what was asked of it once may lie outside of what it has become.
  const_cast<ReferenceImageType *>(this->GetReferenceImage())->SetRequestedRegionToLargestPossibleRegion();
}

void NestedPolarBoundaryToLabelImageFilter::EnlargeOutputRequestedRegion(DataObject * output)
{
  output->SetRequestedRegionToLargestPossibleRegion();
}

void NestedPolarBoundaryToLabelImageFilter::GenerateData()
{
  this->AllocateOutputs();
  OutputImageType * output = this->GetOutput();
  output->FillBuffer(0);
  const NestedPolarBoundary * boundary = this->GetBoundary();
  if (boundary->IsDiscEmpty())
  {
    return;
  }
  const auto &      disc = boundary->GetDiscRadii();
  const auto &      cup = boundary->GetCupRadii();
  const PolarRaster raster(*boundary, disc.size(), *std::max_element(disc.begin(), disc.end()), output);
  this->UpdateProgress(0.5f);
  if (this->GetAbortGenerateData())
  {
    throw ProcessAborted(__FILE__, __LINE__);
  }
  const auto      discMask = raster.Rasterize(disc);
  const auto      cupMask = raster.Rasterize(cup, disc);
  const auto &    start = raster.GetBox().GetIndex();
  unsigned char * pixels = output->GetBufferPointer();
  for (std::size_t y = 0; y < raster.GetHeight(); ++y)
  {
    const OutputImageType::IndexType index{ { start[0], start[1] + static_cast<IndexValueType>(y) } };
    unsigned char *                  row = pixels + output->ComputeOffset(index);
    for (std::size_t x = 0; x < raster.GetWidth(); ++x)
    {
      const std::size_t i = y * raster.GetWidth() + x;
      row[x] = static_cast<unsigned char>(discMask[i] + cupMask[i]);
    }
  }
  this->UpdateProgress(1.0f);
}
} // namespace itk
