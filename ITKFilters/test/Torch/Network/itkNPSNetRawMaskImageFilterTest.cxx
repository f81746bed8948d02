// SPDX-License-Identifier: Apache-2.0
#include "RandomModel.h"
#include "itkNPSNetRawMaskImageFilter.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace
{
using FilterType = itk::NPSNetRawMaskImageFilter;

/** Networks whose disc and cup are everywhere or nowhere in the crop, whatever they see. */
FilterType::Pointer MakeFilter(itk::NPSNetVariant variant, bool disc, bool cup)
{
  auto architecture = randommodel::SmallArchitecture();
  architecture.Variant = variant;
  auto state = randommodel::MakeState(architecture, 7);
  for (auto & item : state)
  {
    if (item.first.rfind("final_conv", 0) == 0)
    {
      item.second = item.second.dim() > 1
                      ? torch::zeros_like(item.second)
                      : torch::tensor({ cup ? 9.0f : -9.0f, disc ? 9.0f : -9.0f }); // the authors' order
    }
  }
  auto image = FilterType::ImageType::New();
  image->SetRegions(FilterType::ImageType::SizeType{ { 80, 60 } });
  image->Allocate(true);
  auto                  filter = FilterType::New();
  FilterType::PointType center;
  center[0] = 40.0;
  center[1] = 25.0;
  filter->SetInput(image);
  filter->SetCenter(center);
  filter->SetSide(20.0);
  filter->SetNetwork(itk::NPSNet::Load(randommodel::Write("rawmask.safetensors", architecture, state)));
  return filter;
}

itk::SizeValueType Count(const FilterType::LabelImageType * labels, unsigned char label)
{
  const auto * pixels = labels->GetBufferPointer();
  return std::count(pixels, pixels + labels->GetBufferedRegion().GetNumberOfPixels(), label);
}
} // namespace

TEST(itkNPSNetRawMaskImageFilter, GivesTheCropOfAUNetItsPlace)
{
  const auto filter = MakeFilter(itk::NPSNetVariant::UNet, true, false);
  filter->Update();
  // A square of 20 pixels a side about (40, 25): pixel centres 31 ... 49 and 16 ... 34, and the half at the edges.
  const auto inside = Count(filter->GetOutput(), 1);
  EXPECT_GE(inside, 19u * 19u);
  EXPECT_LE(inside, 21u * 21u);
  EXPECT_EQ(filter->GetOutput()->GetPixel({ { 40, 25 } }), 1);
  EXPECT_EQ(filter->GetOutput()->GetPixel({ { 28, 25 } }), 0);
  EXPECT_EQ(filter->GetOutput()->GetPixel({ { 40, 38 } }), 0);
  EXPECT_EQ(filter->GetNumberOfPixelsOutsideTheDisc(), 0u);
}

TEST(itkNPSNetRawMaskImageFilter, RepairsNothing)
{
  const auto filter = MakeFilter(itk::NPSNetVariant::PolarUNet, false, true);
  filter->Update();
  const auto inside = Count(filter->GetOutput(), 2);
  EXPECT_NEAR(static_cast<double>(inside), 3.14159 * 100.0, 25.0);
  EXPECT_EQ(filter->GetNumberOfPixelsOutsideTheDisc(), inside);
  EXPECT_EQ(Count(filter->GetOutput(), 1), 0u);
}

TEST(itkNPSNetRawMaskImageFilter, SaysWhatIsMissing)
{
  auto filter = FilterType::New();
  EXPECT_THROW(filter->Update(), itk::ExceptionObject);
  const auto half = MakeFilter(itk::NPSNetVariant::UNet, true, true);
  half->SetSide(-1.0);
  EXPECT_THROW(half->Update(), itk::ExceptionObject);
}
