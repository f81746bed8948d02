// SPDX-License-Identifier: Apache-2.0
#include "itkFundusRegionOfInterestImageFilter.h"
#include "TestImages.h"
#include "itkImageRegionConstIteratorWithIndex.h"
#include "itkImageRegionIteratorWithIndex.h"
#include "detail/itkSquareCropSampling.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <sstream>

namespace
{
template <typename TImage>
using Crop = itk::FundusRegionOfInterestImageFilter<TImage>;
using FloatImage = itk::Image<float, 2>;
using Point = itk::Point<double, 2>;

/** Linear in physical space, so that bilinear interpolation is exact wherever it does not touch the border. */
double Linear(const Point & p)
{
  return 100.0 + 2.0 * p[0] - 3.0 * p[1];
}

FloatImage::Pointer LinearImage(double sx, double sy, double angle, bool flip)
{
  auto                      image = MakeTestImage<FloatImage>(60, 40);
  FloatImage::SpacingType   spacing;
  FloatImage::DirectionType direction;
  spacing[0] = sx;
  spacing[1] = sy;
  direction(0, 0) = std::cos(angle);
  direction(1, 0) = std::sin(angle);
  direction(0, 1) = (flip ? 1 : -1) * std::sin(angle);
  direction(1, 1) = (flip ? -1 : 1) * std::cos(angle);
  image->SetSpacing(spacing);
  image->SetDirection(direction);
  image->SetOrigin(MakeTestPoint(-17.0, 5.5));
  for (itk::ImageRegionIteratorWithIndex<FloatImage> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    Point p;
    image->TransformIndexToPhysicalPoint(it.GetIndex(), p);
    it.Set(static_cast<float>(Linear(p)));
  }
  return image;
}

RGBImage::Pointer CropOf(const RGBImage * image, double x, double y, double side, unsigned int n)
{
  auto filter = Crop<RGBImage>::New();
  filter->SetInput(image);
  filter->SetCenter(MakeTestPoint(x, y));
  filter->SetSide(side);
  filter->SetNumberOfPixels(n);
  filter->Update();
  return filter->GetOutput();
}
} // namespace

TEST(itkFundusRegionOfInterest, AWholeCropComesBackUnchanged)
{
  const auto image = ReadTestImage(OracleDir + "crop.png");
  const auto crop = CropOf(image, 255.5, 255.5, 512.0, 512);
  EXPECT_TRUE(std::equal(RawBytes(image), RawBytes(image) + 3 * 512 * 512, RawBytes(crop)));
  EXPECT_EQ(crop->GetOrigin(), image->GetOrigin());
  EXPECT_EQ(crop->GetSpacing(), image->GetSpacing());

  std::vector<unsigned char> raw(3 * 512 * 512);
  itk::SampleSquareCrop(RawBytes(image), 512, 512, 3, 255.5, 255.5, 512.0, 512.0, 512, raw.data());
  EXPECT_TRUE(std::equal(raw.begin(), raw.end(), RawBytes(image)));
}

// Two pixels to one with half-pixel centres is the mean of each 2 x 2 block.
TEST(itkFundusRegionOfInterest, HalfPixelCentres)
{
  const auto image = ReadTestImage(OracleDir + "crop.png");
  const auto crop = CropOf(image, 255.5, 255.5, 512.0, 256);
  for (int y = 0; y < 256; y += 17)
  {
    for (int x = 0; x < 256; ++x)
    {
      for (int c = 0; c < 3; ++c)
      {
        int sum = 0;
        for (int k = 0; k < 4; ++k)
        {
          sum += RawBytes(image)[3 * ((2 * y + k / 2) * 512 + 2 * x + k % 2) + c];
        }
        ASSERT_EQ(RawBytes(crop)[3 * (256 * y + x) + c], (sum + 2) / 4);
      }
    }
  }
}

TEST(itkFundusRegionOfInterest, KeepsEveryPixelsPhysicalPlace)
{
  std::mt19937                           generator(20261116);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  int                                    inside = 0;
  int                                    outside = 0;
  for (int repeat = 0; repeat < 300; ++repeat)
  {
    const bool                      flip = repeat % 2 == 0;
    const double                    sx = 0.3 + uniform(generator);
    const double                    sy = 0.3 + uniform(generator);
    const auto                      image = LinearImage(sx, sy, repeat % 3 == 0 ? 0.0 : 6.3 * uniform(generator), flip);
    itk::ContinuousIndex<double, 2> index;
    index[0] = 90.0 * uniform(generator) - 15.0;
    index[1] = 70.0 * uniform(generator) - 15.0;
    Point centre;
    image->TransformContinuousIndexToPhysicalPoint(index, centre);
    const unsigned int n = 1 + static_cast<unsigned int>(30 * uniform(generator));
    const double       side = 1.0 + 40.0 * uniform(generator);

    auto filter = Crop<FloatImage>::New();
    filter->SetInput(image);
    filter->SetCenter(centre);
    filter->SetSide(side);
    filter->SetNumberOfPixels(n);
    filter->Update();
    const FloatImage * crop = filter->GetOutput();

    // The centre is the continuous index (N - 1) / 2, and a step of one pixel is side / N along the image's axes.
    itk::ContinuousIndex<double, 2> middle;
    middle.Fill(0.5 * (n - 1));
    Point p;
    crop->TransformContinuousIndexToPhysicalPoint(middle, p);
    EXPECT_NEAR(p.EuclideanDistanceTo(centre), 0.0, 1e-9);
    EXPECT_EQ(crop->GetDirection(), image->GetDirection());

    for (itk::ImageRegionConstIteratorWithIndex<FloatImage> it(crop, crop->GetBufferedRegion()); !it.IsAtEnd(); ++it)
    {
      crop->TransformIndexToPhysicalPoint(it.GetIndex(), p);
      itk::ContinuousIndex<double, 2> where;
      image->TransformPhysicalPointToContinuousIndex(p, where);
      if (where[0] > 0.0 && where[0] < 59.0 && where[1] > 0.0 && where[1] < 39.0)
      {
        ASSERT_NEAR(it.Get(), Linear(p), 1e-3);
        ++inside;
      }
      else if (where[0] < -0.501 || where[0] > 59.501 || where[1] < -0.501 || where[1] > 39.501)
      {
        ASSERT_EQ(it.Get(), 0.0f);
        ++outside;
      }
    }
  }
  EXPECT_GT(inside, 10000);
  EXPECT_GT(outside, 10000);
}

TEST(itkFundusRegionOfInterest, WhollyOutsideIsBlack)
{
  auto image = MakeTestImage<RGBImage>(20, 20);
  image->FillBuffer(itk::RGBPixel<unsigned char>(200));
  const auto crop = CropOf(image, 1e6, -1e7, 30.0, 16);
  for (int i = 0; i < 3 * 16 * 16; ++i)
  {
    ASSERT_EQ(RawBytes(crop)[i], 0);
  }
  // Partly: the edge value continues to the pixel's edge, then black.
  const auto part = CropOf(image, 19.5, 10.0, 4.0, 16);
  EXPECT_EQ(RawBytes(part)[3 * (16 * 8 + 7)], 200);
  EXPECT_EQ(RawBytes(part)[3 * (16 * 8 + 8)], 0);
}

TEST(itkFundusRegionOfInterest, LabelsStayLabels)
{
  auto image = MakeTestImage<GreyImage>(33, 21);
  for (int i = 0; i < 33 * 21; ++i)
  {
    image->GetBufferPointer()[i] = static_cast<unsigned char>(i * 7 % 3 * 100);
  }
  auto filter = Crop<GreyImage>::New();
  filter->SetInput(image);
  filter->SetCenter(MakeTestPoint(15.0, 11.0));
  filter->SetSide(19.3);
  filter->SetNumberOfPixels(77);
  filter->NearestNeighborOn();
  filter->Update();
  for (int i = 0; i < 77 * 77; ++i)
  {
    ASSERT_EQ(filter->GetOutput()->GetBufferPointer()[i] % 100, 0);
  }
}

TEST(itkFundusRegionOfInterest, ThreadsAndNonZeroStartIndexDoNotMatter)
{
  auto image = ReadTestImage(OracleDir + "crop.png");
  auto filter = Crop<RGBImage>::New();
  filter->SetInput(image);
  filter->SetCenter(MakeTestPoint(200.3, 310.7));
  filter->SetSide(333.3);
  filter->SetNumberOfPixels(97);
  filter->SetNumberOfWorkUnits(1);
  filter->Update();
  const RGBImage::Pointer one = filter->GetOutput();
  one->DisconnectPipeline();

  auto                 shifted = RGBImage::New();
  RGBImage::RegionType region(RGBImage::IndexType{ { -7, 30 } }, RGBImage::SizeType{ { 512, 512 } });
  shifted->SetRegions(region);
  shifted->Allocate();
  std::copy_n(image->GetBufferPointer(), 512 * 512, shifted->GetBufferPointer());
  shifted->SetOrigin(MakeTestPoint(7.0, -30.0));
  filter->SetInput(shifted);
  filter->SetNumberOfWorkUnits(5);
  filter->Update();
  EXPECT_TRUE(std::equal(RawBytes(one), RawBytes(one) + 3 * 97 * 97, RawBytes(filter->GetOutput())));
}

TEST(itkFundusRegionOfInterest, RefusesNonsense)
{
  auto filter = Crop<RGBImage>::New();
  EXPECT_THROW(filter->Update(), itk::ExceptionObject);
  filter->SetInput(MakeTestImage<RGBImage>(8, 8));
  EXPECT_THROW(filter->Update(), itk::ExceptionObject); // no side
  filter->SetSide(-1.0);
  EXPECT_THROW(filter->Update(), itk::ExceptionObject);
  filter->SetSide(std::numeric_limits<double>::infinity());
  EXPECT_THROW(filter->Update(), itk::ExceptionObject);
  filter->SetSide(4.0);
  filter->SetCenter(MakeTestPoint(std::nan(""), 0.0));
  EXPECT_THROW(filter->Update(), itk::ExceptionObject);
  filter->SetCenter(MakeTestPoint(1.0, 0.0));
  filter->SetNumberOfPixels(0);
  EXPECT_THROW(filter->Update(), itk::ExceptionObject);
  filter->SetNumberOfPixels(5);
  EXPECT_NO_THROW(filter->Update());
  auto narrowing = itk::FundusRegionOfInterestImageFilter<RGBImage, GreyImage>::New();
  narrowing->SetInput(MakeTestImage<RGBImage>(8, 8));
  narrowing->SetSide(4.0);
  EXPECT_THROW(narrowing->Update(), itk::ExceptionObject); // three components do not fit into one
  std::ostringstream text;
  filter->Print(text);
  EXPECT_NE(text.str().find("NumberOfPixels: 5"), std::string::npos);
}
