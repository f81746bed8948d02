// SPDX-License-Identifier: Apache-2.0
#include "itkRimMeasurementFilter.h"

#include "SampleResult.h"

#include <gtest/gtest.h>

TEST(RimMeasurementFilter, MeasuresWhatTheCalculatorMeasures)
{
  const auto result = MakeSampleResult("RET042OD", itk::EyeSideEnum::OD, 4.2, true);
  auto       filter = itk::RimMeasurementFilter::New();
  filter->SetInput(result.Boundary);
  filter->SetPhotograph(result.Labels);
  filter->SetEye(itk::EyeSideEnum::OD);
  filter->SetMicrometersPerPixel(4.2);
  filter->Update();
  EXPECT_TRUE(filter->GetMeasurements() == result.Measurements);

  filter->SetBoundary(nullptr);
  filter->SetLabels(result.Labels);
  filter->Update();
  EXPECT_EQ(filter->GetMeasurements().MeasuredFrom, itk::RimMeasurements::Origin::Masks);
  EXPECT_TRUE(filter->GetMeasurements() == MakeSampleResult("RET042OD", itk::EyeSideEnum::OD, 4.2, false).Measurements);
}

TEST(RimMeasurementFilter, NothingToMeasureIsASentence)
{
  EXPECT_THROW(itk::RimMeasurementFilter::New()->Update(), itk::ExceptionObject);
}
