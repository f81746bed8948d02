// SPDX-License-Identifier: Apache-2.0
#include "itkLabelImageToNestedPolarBoundaryFilter.h"
#include "itkNestedPolarBoundaryToLabelImageFilter.h"
#include "itkRegularizeNestedPolarBoundaryFilter.h"

#include <gtest/gtest.h>

#include <cmath>

namespace
{
using LabelImageType = itk::LabelImageToNestedPolarBoundaryFilter::LabelImageType;

/** Ellipses about (60, 50) in a raster with its own spacing and origin; no cup when the share is 0. */
LabelImageType::Pointer MakeLabels(double cupShare)
{
  auto image = LabelImageType::New();
  image->SetRegions(LabelImageType::SizeType{ { 160, 80 } });
  const double spacing[] = { 0.8, 1.25 };
  const double origin[] = { -4.0, 3.0 };
  image->SetSpacing(spacing);
  image->SetOrigin(origin);
  image->Allocate(true);
  for (itk::IndexValueType y = 0; y < 80; ++y)
  {
    for (itk::IndexValueType x = 0; x < 160; ++x)
    {
      LabelImageType::PointType point;
      image->TransformIndexToPhysicalPoint({ { x, y } }, point);
      const double rho = std::hypot((point[0] - 60.0) / 25.0, (point[1] - 50.0) / 30.0);
      image->SetPixel({ { x, y } }, rho <= cupShare ? 2 : rho <= 1.0 ? 1 : 0);
    }
  }
  return image;
}

itk::NestedPolarBoundary::Pointer Fit(const LabelImageType * labels)
{
  auto filter = itk::LabelImageToNestedPolarBoundaryFilter::New();
  filter->SetInput(labels);
  filter->Update();
  return filter->GetOutput();
}
} // namespace

TEST(LabelImageToNestedPolarBoundaryFilter, FindsTheEllipsesOfALabelMap)
{
  const auto boundary = Fit(MakeLabels(0.5));
  EXPECT_NEAR(boundary->GetAnchor()[0], 60.0, 0.2);
  EXPECT_NEAR(boundary->GetAnchor()[1], 50.0, 0.2);
  ASSERT_EQ(boundary->GetNumberOfAngles(), 360u);
  for (std::size_t i = 0; i < 360; ++i)
  {
    const double theta = std::acos(-1.0) * static_cast<double>(i) / 180.0;
    const double radius = 1.0 / std::hypot(std::cos(theta) / 25.0, std::sin(theta) / 30.0);
    EXPECT_NEAR(boundary->GetDiscRadii()[i] * boundary->GetRadius(), radius, 0.8) << i;
    EXPECT_NEAR(boundary->GetCupRadii()[i] * boundary->GetRadius(), 0.5 * radius, 0.8) << i;
  }
}

TEST(LabelImageToNestedPolarBoundaryFilter, IsTheWayBackOfTheLabelMap)
{
  const auto labels = MakeLabels(0.6);
  auto       fit = itk::LabelImageToNestedPolarBoundaryFilter::New();
  fit->SetInput(labels);
  auto whole = itk::RegularizeNestedPolarBoundaryFilter::New();
  whole->SetInput(fit->GetOutput());
  whole->SetReferenceImage(labels);
  auto back = itk::NestedPolarBoundaryToLabelImageFilter::New();
  back->SetBoundary(whole->GetOutput());
  back->SetReferenceImage(labels);
  back->Update();
  EXPECT_TRUE(whole->IsUntouched());
  std::size_t foreground = 0;
  std::size_t different = 0;
  for (std::size_t i = 0; i < labels->GetBufferedRegion().GetNumberOfPixels(); ++i)
  {
    foreground += labels->GetBufferPointer()[i] != 0;
    different += labels->GetBufferPointer()[i] != back->GetOutput()->GetBufferPointer()[i];
  }
  EXPECT_LT(static_cast<double>(different), 0.03 * static_cast<double>(foreground));
}

TEST(LabelImageToNestedPolarBoundaryFilter, ADiscWithoutACupHasNoCup)
{
  const auto boundary = Fit(MakeLabels(0.0));
  EXPECT_TRUE(boundary->IsCupEmpty());
  EXPECT_FALSE(boundary->IsDiscEmpty());
}

TEST(LabelImageToNestedPolarBoundaryFilter, AnAnchorLiesInsideAHookedMask)
{
  auto labels = MakeLabels(0.0);
  labels->FillBuffer(0);
  for (itk::IndexValueType k = 10; k < 60; ++k) // an L, whose centroid lies outside
  {
    for (itk::IndexValueType w = 0; w < 6; ++w)
    {
      labels->SetPixel({ { 20 + w, k } }, 1);
      labels->SetPixel({ { 20 + k, 60 + w } }, 1);
    }
  }
  const auto                boundary = Fit(labels);
  LabelImageType::IndexType index;
  ASSERT_TRUE(labels->TransformPhysicalPointToIndex(boundary->GetAnchor(), index));
  EXPECT_EQ(labels->GetPixel(index), 1);
}

TEST(LabelImageToNestedPolarBoundaryFilter, AnEmptyMapIsASentence)
{
  auto labels = MakeLabels(0.0);
  labels->FillBuffer(0);
  auto filter = itk::LabelImageToNestedPolarBoundaryFilter::New();
  filter->SetInput(labels);
  EXPECT_THROW(filter->Update(), itk::ExceptionObject);
  EXPECT_THROW(itk::LabelImageToNestedPolarBoundaryFilter::New()->Update(), itk::ExceptionObject);
}
