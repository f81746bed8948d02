// SPDX-License-Identifier: Apache-2.0
#include "NPSNetFit.h"

#include "itkLabelImageToNestedPolarBoundaryFilter.h"
#include "itkNestedPolarBoundaryToLabelImageFilter.h"
#include "itkRegularizeNestedPolarBoundaryFilter.h"

#include <stdexcept>

namespace npsnet
{
itk::NestedPolarBoundary::Pointer FitBoundary(const Masks& masks, const PhotoGeometry& geometry)
{
  if (IsEmpty(masks.Disc))
  {
    throw std::runtime_error("There is no optic disc to fit: paint the segment \"Optic disc\" first.");
  }
  auto labels = MaskImage::New();
  labels->CopyInformation(masks.Disc);
  labels->SetRegions(masks.Disc->GetBufferedRegion());
  labels->Allocate();
  for (std::size_t i = 0; i < labels->GetBufferedRegion().GetNumberOfPixels(); ++i)
  {
    labels->GetBufferPointer()[i] =
      masks.Cup->GetBufferPointer()[i] != 0 ? 2 : (masks.Disc->GetBufferPointer()[i] != 0 ? 1 : 0);
  }
  auto fit = itk::LabelImageToNestedPolarBoundaryFilter::New();
  fit->SetInput(labels);
  auto regularize = itk::RegularizeNestedPolarBoundaryFilter::New();
  regularize->SetInput(fit->GetOutput());
  regularize->SetReferenceImage(MakeRaster(geometry));
  regularize->Update();
  itk::NestedPolarBoundary::Pointer boundary = regularize->GetOutput();
  boundary->DisconnectPipeline();
  return boundary;
}

Masks RasterizeBoundary(const itk::NestedPolarBoundary* boundary, const PhotoGeometry& geometry)
{
  Masks masks = MakeMasksAround(boundary->GetDiscContour(), geometry);
  auto filter = itk::NestedPolarBoundaryToLabelImageFilter::New();
  filter->SetBoundary(boundary);
  filter->SetReferenceImage(masks.Disc);
  filter->Update();
  const unsigned char* label = filter->GetOutput()->GetBufferPointer();
  for (std::size_t i = 0; i < masks.Disc->GetBufferedRegion().GetNumberOfPixels(); ++i)
  {
    masks.Disc->GetBufferPointer()[i] = label[i] > 0 ? 1 : 0;
    masks.Cup->GetBufferPointer()[i] = label[i] == 2 ? 1 : 0;
  }
  return masks;
}

itk::Image<unsigned char, 2>::Pointer MakeLabels(const Masks& masks, const itk::Image<unsigned char, 2>* raster)
{
  auto labels = itk::Image<unsigned char, 2>::New();
  labels->CopyInformation(raster);
  labels->SetRegions(raster->GetLargestPossibleRegion());
  labels->Allocate(true);
  const auto size = masks.Disc->GetBufferedRegion().GetSize();
  itk::Index<2> index;
  for (index[1] = 0; index[1] < static_cast<itk::IndexValueType>(size[1]); ++index[1])
  {
    for (index[0] = 0; index[0] < static_cast<itk::IndexValueType>(size[0]); ++index[0])
    {
      if (masks.Disc->GetPixel(index) != 0)
      {
        labels->SetPixel({{index[0] + masks.X, index[1] + masks.Y}}, masks.Cup->GetPixel(index) != 0 ? 2 : 1);
      }
    }
  }
  return labels;
}

itk::Image<unsigned char, 2>::Pointer MakeRaster(const PhotoGeometry& geometry)
{
  auto raster = itk::Image<unsigned char, 2>::New();
  itk::Image<unsigned char, 2>::RegionType region;
  region.SetSize({{geometry.GetUprightSize()[0], geometry.GetUprightSize()[1]}});
  raster->SetRegions(region);
  raster->SetSpacing(geometry.GetUprightSpacing().data());
  return raster;
}
} // namespace npsnet
