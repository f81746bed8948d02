// SPDX-License-Identifier: Apache-2.0
#include "TestFolder.h"
#include "TestImages.h"
#include "itkContrastLimitedAdaptiveHistogramEqualizationImageFilter.h"
#include "itkFundusRegionOfInterestImageFilter.h"
#include "itkImageFileReader.h"
#include "itkImageFileWriter.h"
#include "itkNestedPolarBoundaryToLabelImageFilter.h"
#include "itkPolarInverseResampleImageFilter.h"
#include "itkPolarResampleImageFilter.h"
#include "itkShiftScaleImageFilter.h"

#include <gtest/gtest.h>

using FloatImage = itk::Image<float, 2>;

namespace
{
/** How often a filter ran. */
class Runs
{
public:
  explicit Runs(itk::ProcessObject * filter)
  {
    filter->AddObserver(itk::EndEvent(), [this](const itk::EventObject &) { ++m_Number; });
  }
  int Get() const { return m_Number; }

private:
  int m_Number{ 0 };
};

/** What the filter that samples an image of `TIn` to one of `TOut` makes of the value of all its pixels. */
template <typename TOut, typename TIn = float>
std::array<TOut, 3> Sampled(TIn value)
{
  using In = itk::Image<TIn, 2>;
  using Out = itk::Image<TOut, 2>;
  auto image = In::New();
  image->SetRegions(itk::Size<2>{ { 5, 5 } });
  image->Allocate();
  image->FillBuffer(value);
  auto region = itk::FundusRegionOfInterestImageFilter<In, Out>::New();
  region->SetInput(image);
  region->SetCenter(MakeTestPoint(2.0, 2.0));
  region->SetSide(5.0);
  region->SetNumberOfPixels(5);
  region->Update();
  auto polar = itk::PolarResampleImageFilter<In, Out>::New();
  polar->SetInput(image);
  polar->Update();
  auto back = itk::PolarInverseResampleImageFilter<In, Out>::New();
  back->SetInput(image);
  back->SetOutputParametersFromImage(image);
  back->Update();
  return { { region->GetOutput()->GetPixel({ { 2, 2 } }),
             polar->GetOutput()->GetPixel({ { 0, 0 } }),
             back->GetOutput()->GetPixel({ { 2, 2 } }) } };
}
} // namespace

TEST(itkSampledOutput, IntegersEndAtTheirLimits)
{
  EXPECT_EQ(Sampled<unsigned char>(300.0f), (std::array<unsigned char, 3>{ { 255, 255, 255 } }));
  EXPECT_EQ(Sampled<unsigned char>(-3.0f), (std::array<unsigned char, 3>{ { 0, 0, 0 } }));
  EXPECT_EQ(Sampled<unsigned char>(99.5f), (std::array<unsigned char, 3>{ { 100, 100, 100 } }));
  EXPECT_EQ(Sampled<short>(std::nanf("")), (std::array<short, 3>{ { -32768, -32768, -32768 } }));
  EXPECT_EQ(Sampled<short>(-7.6f), (std::array<short, 3>{ { -8, -8, -8 } }));
  EXPECT_EQ(Sampled<float>(-7.6f), (std::array<float, 3>{ { -7.6f, -7.6f, -7.6f } }));
}

TEST(itkSampledOutput, OnePixelThatIsNotANumberStaysOne)
{
  auto image = MakeTestImage<FloatImage>(6, 6);
  image->SetPixel({ { 3, 2 } }, std::nanf(""));
  auto region = itk::FundusRegionOfInterestImageFilter<FloatImage>::New();
  region->SetInput(image);
  region->SetCenter(MakeTestPoint(2.5, 2.5));
  region->SetSide(6.0);
  region->SetNumberOfPixels(6);
  region->Update();
  int number = 0;
  for (itk::ImageRegionConstIterator<FloatImage> it(region->GetOutput(), region->GetOutput()->GetBufferedRegion());
       !it.IsAtEnd();
       ++it)
  {
    number += std::isnan(it.Get()) ? 1 : 0;
  }
  EXPECT_EQ(number, 1);
}

TEST(itkSampledOutput, NothingRunsAgainWithoutAChange)
{
  using ShiftType = itk::ShiftScaleImageFilter<GreyImage, GreyImage>;
  auto source = ShiftType::New();
  source->SetInput(MakeTestImage<GreyImage>(64, 48));
  auto region = itk::FundusRegionOfInterestImageFilter<GreyImage>::New();
  region->SetInput(source->GetOutput());
  region->SetCenter(MakeTestPoint(30.0, 20.0));
  region->SetSide(32.0);
  region->SetNumberOfPixels(40);
  auto enhanced = itk::ContrastLimitedAdaptiveHistogramEqualizationImageFilter<GreyImage>::New();
  enhanced->SetInput(region->GetOutput());
  auto polar = itk::PolarResampleImageFilter<GreyImage>::New();
  polar->SetInput(enhanced->GetOutput());
  auto back = itk::PolarInverseResampleImageFilter<GreyImage>::New();
  back->SetInput(polar->GetOutput());
  back->SetSize({ { 20, 20 } });
  auto last = ShiftType::New();
  last->SetInput(back->GetOutput());

  const Runs runs[] = { Runs(source), Runs(region), Runs(enhanced), Runs(polar), Runs(back), Runs(last) };
  const auto expect = [&](std::array<int, 6> numbers) {
    for (std::size_t i = 0; i < numbers.size(); ++i)
    {
      EXPECT_EQ(runs[i].Get(), numbers[i]) << i;
    }
  };
  for (int i = 0; i < 3; ++i)
  {
    last->Update();
    expect({ { 1, 1, 1, 1, 1, 1 } });
  }
  polar->SetNumberOfRadii(99);
  last->Update();
  last->Update();
  expect({ { 1, 1, 1, 2, 2, 2 } });
  source->SetShift(1.0);
  last->Update();
  last->Update();
  expect({ { 2, 2, 2, 3, 3, 3 } });
}

TEST(itkSampledOutput, AnImageWithoutPixelsIsRefused)
{
  const auto empty = FloatImage::New();
  auto       region = itk::FundusRegionOfInterestImageFilter<FloatImage>::New();
  region->SetInput(empty);
  region->SetSide(3.0);
  EXPECT_THROW(region->Update(), itk::ExceptionObject);
  auto polar = itk::PolarResampleImageFilter<FloatImage>::New();
  polar->SetInput(empty);
  EXPECT_THROW(polar->Update(), itk::ExceptionObject);
  auto back = itk::PolarInverseResampleImageFilter<FloatImage>::New();
  back->SetInput(empty);
  back->SetSize({ { 4, 4 } });
  EXPECT_THROW(back->Update(), itk::ExceptionObject);
}

TEST(itkSampledOutput, LabelsFollowAReferenceThatBecomesSmaller)
{
  auto reader = itk::ImageFileReader<GreyImage>::New();
  auto boundary = itk::NestedPolarBoundary::New();
  boundary->SetRadius(5.0);
  boundary->SetRadii(std::vector<double>(8, 0.9), std::vector<double>(8, 0.5));
  auto labels = itk::NestedPolarBoundaryToLabelImageFilter::New();
  labels->SetBoundary(boundary);
  labels->SetReferenceImage(reader->GetOutput());
  for (const unsigned int size : { 64U, 32U, 48U })
  {
    const std::string path = TestFolder() + "/" + std::to_string(size) + ".png";
    itk::WriteImage(MakeTestImage<GreyImage>(size, size), path);
    reader->SetFileName(path);
    labels->Update();
    EXPECT_EQ(labels->GetOutput()->GetBufferedRegion().GetSize(), (itk::Size<2>{ { size, size } }));
  }
}
