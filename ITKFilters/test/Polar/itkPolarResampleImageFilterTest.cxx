// SPDX-License-Identifier: Apache-2.0
#include "itkPolarResampleImageFilter.h"
#include "NumpyArray.h"
#include "TestImages.h"
#include "detail/itkContrastLimitedEqualization.h"
#include "itkImageRegionIteratorWithIndex.h"
#include "itkMath.h"
#include "itkPolarInverseResampleImageFilter.h"
#include "detail/itkPolarSampling.h"
#include "itkVectorImage.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <sstream>

namespace
{
using FloatImage = itk::Image<float, 2>;
using VectorImage = itk::Image<itk::Vector<float, 3>, 2>;
using Point = itk::Point<double, 2>;

FloatImage::Pointer FromArray(const NumpyArray & array)
{
  auto image = MakeTestImage<FloatImage>(array.Shape[1], array.Shape[0]);
  std::copy(array.Values.begin(), array.Values.end(), image->GetBufferPointer());
  return image;
}

double LargestDifference(const float * a, const std::vector<float> & b)
{
  double worst = 0.0;
  for (std::size_t i = 0; i < b.size(); ++i)
  {
    worst = std::max(worst, std::abs(static_cast<double>(a[i]) - b[i]));
  }
  return worst;
}

FloatImage::Pointer Inverse(const FloatImage * polar, const itk::ImageBase<2> * reference)
{
  auto filter = itk::PolarInverseResampleImageFilter<FloatImage>::New();
  filter->SetInput(polar);
  filter->SetOutputParametersFromImage(reference);
  filter->Update();
  return filter->GetOutput();
}
} // namespace

TEST(itkPolarResample, MatchesTheAuthorsPolarImage)
{
  const auto crop = ReadTestImage(OracleDir + "crop_clahe.png");
  const auto expected = NumpyArray::Read(OracleDir + "polar_image.npy");
  ASSERT_EQ(expected.Shape, (std::vector<std::size_t>{ 3, 256, 360 }));

  const itk::PolarHypothesis centre;
  std::vector<float>         sampled(expected.Values.size());
  itk::SamplePolarHypotheses(RawBytes(crop), 512, 512, &centre, 1, 256, 360, true, sampled.data());
  EXPECT_LT(LargestDifference(sampled.data(), expected.Values), 1e-4);

  auto filter = itk::PolarResampleImageFilter<RGBImage, VectorImage>::New();
  filter->SetInput(crop);
  filter->Update();
  const VectorImage * polar = filter->GetOutput();
  ASSERT_EQ(polar->GetBufferedRegion().GetSize()[0], 360u);
  ASSERT_EQ(polar->GetBufferedRegion().GetSize()[1], 256u);
  double worst = 0.0;
  for (std::size_t i = 0; i < 256 * 360; ++i)
  {
    for (unsigned int c = 0; c < 3; ++c)
    {
      const double value = polar->GetBufferPointer()[i][2 - c] / 255.0; // B, G, R
      worst = std::max(worst, std::abs(value - expected.Values[c * 256 * 360 + i]));
    }
  }
  EXPECT_LT(worst, 1e-4);
}

TEST(itkPolarResample, InverseMatchesTheAuthorsMasks)
{
  const auto grid = MakeTestImage<FloatImage>(512, 512);
  for (const char * name : { "d", "c" })
  {
    const auto polar = NumpyArray::Read(OracleDir + "P_" + name + "_polar.npy");
    const auto expected = NumpyArray::Read(OracleDir + "Y_" + name + "_cart.npy");
    const auto result = Inverse(FromArray(polar), grid);
    EXPECT_LT(LargestDifference(result->GetBufferPointer(), expected.Values), 1e-4) << name;
  }
}

TEST(itkPolarResample, BothChannelOrdersAndAllHypothesesInOneSweep)
{
  const auto                              crop = ReadTestImage(OracleDir + "crop.png");
  const std::vector<itk::PolarHypothesis> hypotheses{ { 0, 0, 1 }, { 8, -16, .85f }, { -300, 0, 2 }, { 5, 5, 1.15f } };
  const std::size_t                       plane = 16 * 48;
  std::vector<float>                      bgr(4 * 3 * plane), rgb(4 * 3 * plane), one(3 * plane);
  itk::SamplePolarHypotheses(RawBytes(crop), 512, 512, hypotheses.data(), 4, 16, 48, true, bgr.data());
  itk::SamplePolarHypotheses(RawBytes(crop), 512, 512, hypotheses.data(), 4, 16, 48, false, rgb.data());
  for (std::size_t h = 0; h < 4; ++h)
  {
    itk::SamplePolarHypotheses(RawBytes(crop), 512, 512, &hypotheses[h], 1, 16, 48, true, one.data());
    for (std::size_t i = 0; i < plane; ++i)
    {
      for (std::size_t c = 0; c < 3; ++c)
      {
        ASSERT_EQ(bgr[(3 * h + c) * plane + i], one[c * plane + i]);
        ASSERT_EQ(bgr[(3 * h + c) * plane + i], rgb[(3 * h + 2 - c) * plane + i]);
      }
    }

    // The filter in physical space says the same.
    auto filter = itk::PolarResampleImageFilter<RGBImage, VectorImage>::New();
    filter->SetInput(crop);
    Point centre;
    centre[0] = 255.5 + hypotheses[h].Dx;
    centre[1] = 255.5 + hypotheses[h].Dy;
    filter->SetCenter(centre);
    filter->SetRadius(256.0 * hypotheses[h].Scale);
    filter->SetNumberOfRadii(16);
    filter->SetNumberOfAngles(48);
    filter->Update();
    for (std::size_t i = 0; i < plane; ++i)
    {
      ASSERT_NEAR(filter->GetOutput()->GetBufferPointer()[i][0] / 255.0, rgb[3 * h * plane + i], 1e-4);
    }
  }
}

TEST(itkPolarResample, NeighboursOutsideCountAsZero)
{
  const unsigned char one[1] = { 100 };
  const auto          at = [&](double x, double y) {
    double value = -1.0;
    itk::SampleBilinearZeroOutside(one, 1, 1, 1, x, y, &value);
    return value;
  };
  EXPECT_DOUBLE_EQ(at(0, 0), 100);
  EXPECT_DOUBLE_EQ(at(0.25, 0), 75);
  EXPECT_DOUBLE_EQ(at(-0.25, 0), 75);
  EXPECT_DOUBLE_EQ(at(-0.5, 0.5), 25);
  EXPECT_DOUBLE_EQ(at(1, 0), 0);
  EXPECT_DOUBLE_EQ(at(-1, 0), 0);
  EXPECT_DOUBLE_EQ(at(1e30, -1e30), 0);
  EXPECT_DOUBLE_EQ(at(std::nan(""), 0), 0);
  EXPECT_DOUBLE_EQ(at(0, std::numeric_limits<double>::infinity()), 0);
}

TEST(itkPolarResample, WeightsAreNeverNegative)
{
  // x + 1 rounds to 1 here, so that x lies below the pixel it is taken to lie in.
  const unsigned char pair[4] = { 0, 255, 0, 255 };
  double              value = -1.0;
  itk::SampleBilinearZeroOutside(pair, 2, 2, 1, -1e-17, -1e-17, &value);
  EXPECT_GE(value, 0.0);
}

// f = rho cos(theta) in physical space: polar samples are known, and the way back gives the function again.
TEST(itkPolarResample, HonoursGeometryAndComesBack)
{
  std::mt19937                           generator(4);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  for (int repeat = 0; repeat < 40; ++repeat)
  {
    auto                      image = MakeTestImage<FloatImage>(61, 47);
    FloatImage::SpacingType   spacing;
    FloatImage::DirectionType direction;
    spacing[0] = 0.5 + uniform(generator);
    spacing[1] = 0.5 + uniform(generator);
    const double turn = 6.3 * uniform(generator);
    const double flip = repeat % 2 == 0 ? 1.0 : -1.0;
    direction(0, 0) = std::cos(turn);
    direction(1, 0) = std::sin(turn);
    direction(0, 1) = -flip * std::sin(turn);
    direction(1, 1) = flip * std::cos(turn);
    Point origin;
    origin[0] = 100.0 * uniform(generator);
    origin[1] = -3.0;
    image->SetSpacing(spacing);
    image->SetDirection(direction);
    image->SetOrigin(origin);

    itk::ContinuousIndex<double, 2> middle;
    middle[0] = 28.3;
    middle[1] = 24.9;
    Point centre;
    image->TransformContinuousIndexToPhysicalPoint(middle, centre);
    const double radius = 20.0 * std::min(spacing[0], spacing[1]);
    for (itk::ImageRegionIteratorWithIndex<FloatImage> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
    {
      const double u = (static_cast<double>(it.GetIndex()[0]) - middle[0]) * spacing[0];
      const double v = (static_cast<double>(it.GetIndex()[1]) - middle[1]) * spacing[1];
      it.Set(static_cast<float>(10.0 + u - 2.0 * v));
    }

    auto forward = itk::PolarResampleImageFilter<FloatImage>::New();
    forward->SetInput(image);
    forward->SetCenter(centre);
    forward->SetRadius(radius);
    forward->SetNumberOfRadii(64);
    forward->SetNumberOfAngles(360);
    forward->Update();
    for (itk::ImageRegionIteratorWithIndex<FloatImage> it(forward->GetOutput(),
                                                          forward->GetOutput()->GetBufferedRegion());
         !it.IsAtEnd();
         ++it)
    {
      Point p; // (theta, rho)
      forward->GetOutput()->TransformIndexToPhysicalPoint(it.GetIndex(), p);
      ASSERT_NEAR(it.Get(), 10.0 + radius * p[1] * (std::cos(p[0]) - 2.0 * std::sin(p[0])), 1e-4);
    }

    auto backward = itk::PolarInverseResampleImageFilter<FloatImage>::New();
    backward->SetInput(forward->GetOutput());
    backward->SetOutputParametersFromImage(image);
    backward->SetCenter(centre);
    backward->SetRadius(radius);
    backward->Update();
    for (itk::ImageRegionIteratorWithIndex<FloatImage> it(image, image->GetBufferedRegion()); !it.IsAtEnd(); ++it)
    {
      const double u = (static_cast<double>(it.GetIndex()[0]) - middle[0]) * spacing[0];
      const double v = (static_cast<double>(it.GetIndex()[1]) - middle[1]) * spacing[1];
      const double rho = std::sqrt(u * u + v * v) / radius;
      const double back = backward->GetOutput()->GetPixel(it.GetIndex());
      if (rho <= 0.999)
      {
        ASSERT_NEAR(back, it.Get(), 0.01);
      }
      else if (rho > 1.001)
      {
        ASSERT_EQ(back, 0.0);
      }
    }
  }
}

TEST(itkPolarResample, CircularAtTheSeamAndDefinedAtTheCentre)
{
  auto polar = MakeTestImage<FloatImage>(8, 3); // 8 angles, 3 radii
  for (int j = 0; j < 3; ++j)
  {
    for (int i = 0; i < 8; ++i)
    {
      polar->SetPixel({ { i, j } }, static_cast<float>(i == 0 ? 8 : i == 7 ? 4 : 0));
    }
  }
  const auto cart = Inverse(polar, MakeTestImage<FloatImage>(101, 101));
  EXPECT_FLOAT_EQ(cart->GetPixel({ { 50, 50 } }), 8.0f); // the centre: theta = 0
  EXPECT_FLOAT_EQ(cart->GetPixel({ { 80, 50 } }), 8.0f); // theta = 0
  // Between angle 7 and 0 (theta = -22.5 degrees) the mean of 4 and 8.
  const double theta = -itk::Math::pi / 8;
  EXPECT_NEAR(
    cart->GetPixel({ { 50 + std::lround(40 * std::cos(theta)), 50 + std::lround(40 * std::sin(theta)) } }), 6.0, 0.2);
}

TEST(itkPolarResample, VectorAndVariableLengthImages)
{
  auto vectors = itk::VectorImage<float, 2>::New();
  vectors->SetRegions(itk::Size<2>{ { 20, 20 } });
  vectors->SetNumberOfComponentsPerPixel(5);
  vectors->Allocate();
  for (int i = 0; i < 20 * 20 * 5; ++i)
  {
    vectors->GetBufferPointer()[i] = static_cast<float>(i % 5);
  }
  auto forward = itk::PolarResampleImageFilter<itk::VectorImage<float, 2>>::New();
  forward->SetInput(vectors);
  forward->SetRadius(8.0);
  forward->SetNumberOfRadii(9);
  forward->SetNumberOfAngles(16);
  auto backward = itk::PolarInverseResampleImageFilter<itk::VectorImage<float, 2>>::New();
  backward->SetInput(forward->GetOutput());
  backward->SetOutputParametersFromImage(vectors);
  backward->SetRadius(8.0);
  backward->Update();
  ASSERT_EQ(backward->GetOutput()->GetNumberOfComponentsPerPixel(), 5u);
  for (unsigned int c = 0; c < 5; ++c)
  {
    EXPECT_NEAR(backward->GetOutput()->GetPixel({ { 12, 9 } })[c], c, 1e-5);
    EXPECT_EQ(backward->GetOutput()->GetPixel({ { 0, 0 } })[c], 0.0f);
  }
}

TEST(itkPolarResample, RefusesNonsense)
{
  auto forward = itk::PolarResampleImageFilter<FloatImage>::New();
  EXPECT_THROW(forward->Update(), itk::ExceptionObject);
  forward->SetInput(MakeTestImage<FloatImage>(8, 8));
  forward->SetNumberOfRadii(1);
  EXPECT_THROW(forward->Update(), itk::ExceptionObject);
  forward->SetNumberOfRadii(4);
  forward->SetRadius(std::nan(""));
  EXPECT_THROW(forward->Update(), itk::ExceptionObject);
  forward->SetRadius(0.0);
  EXPECT_NO_THROW(forward->Update());
  auto backward = itk::PolarInverseResampleImageFilter<FloatImage>::New();
  backward->SetInput(forward->GetOutput());
  EXPECT_THROW(backward->Update(), itk::ExceptionObject); // no size

  // Three components do not fit into one.
  auto narrowing = itk::PolarResampleImageFilter<RGBImage, FloatImage>::New();
  narrowing->SetInput(MakeTestImage<RGBImage>(8, 8));
  EXPECT_THROW(narrowing->Update(), itk::ExceptionObject);
  auto narrowingBack = itk::PolarInverseResampleImageFilter<RGBImage, FloatImage>::New();
  narrowingBack->SetInput(MakeTestImage<RGBImage>(8, 8));
  narrowingBack->SetOutputParametersFromImage(MakeTestImage<RGBImage>(8, 8));
  EXPECT_THROW(narrowingBack->Update(), itk::ExceptionObject);

  std::ostringstream text;
  forward->Print(text);
  backward->Print(text);
  EXPECT_NE(text.str().find("NumberOfAngles: 360"), std::string::npos);
  EXPECT_THROW(itk::SamplePolarHypotheses(nullptr, 0, 0, nullptr, 0, 2, 2, true, nullptr), itk::ExceptionObject);
}
