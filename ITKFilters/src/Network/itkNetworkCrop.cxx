// SPDX-License-Identifier: Apache-2.0
#include "itkNetworkCrop.h"

#include "itkContrastLimitedAdaptiveHistogramEqualizationImageFilter.h"
#include "itkFundusRegionOfInterestImageFilter.h"

namespace itk
{
NPSNetImageFilter::ImageType::Pointer MakeNetworkCrop(const NPSNetImageFilter::ImageType * image,
                                                      const NPSNetImageFilter::PointType & center,
                                                      double                               side,
                                                      const NPSNetArchitecture &           architecture,
                                                      ProgressAccumulator *                progress)
{
  using ImageType = NPSNetImageFilter::ImageType;
  auto region = FundusRegionOfInterestImageFilter<ImageType>::New();
  region->SetInput(image);
  region->SetCenter(center);
  region->SetSide(side);
  region->SetNumberOfPixels(architecture.CropSize);
  progress->RegisterInternalFilter(region, 0.03f);
  region->Update();
  if (architecture.ClaheClipLimit <= 0.0)
  {
    return region->GetOutput();
  }
  using EnhanceType = ContrastLimitedAdaptiveHistogramEqualizationImageFilter<ImageType>;
  auto                   enhance = EnhanceType::New();
  EnhanceType::TilesType tiles;
  tiles.Fill(architecture.ClaheTiles);
  enhance->SetInput(region->GetOutput());
  enhance->SetClipLimit(architecture.ClaheClipLimit);
  enhance->SetTiles(tiles);
  progress->RegisterInternalFilter(enhance, 0.02f);
  enhance->Update();
  return enhance->GetOutput();
}
} // namespace itk
