// SPDX-License-Identifier: Apache-2.0
#include "itkNestedPolarBoundary.h"
#include "NumpyArray.h"
#include "TestImages.h"
#include "itkMath.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <sstream>

namespace
{
using Boundary = itk::NestedPolarBoundary;
using Profile = Boundary::ProfileType;

Boundary::Pointer MakeRandom(unsigned int seed, std::size_t n)
{
  std::mt19937                           generator(seed);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  Profile                                disc(n), cup(n), discConfidence(n), cupConfidence(n);
  for (std::size_t i = 0; i < n; ++i)
  {
    disc[i] = uniform(generator);
    cup[i] = disc[i] * uniform(generator);
    discConfidence[i] = uniform(generator);
    cupConfidence[i] = uniform(generator);
  }
  auto                boundary = Boundary::New();
  Boundary::PointType anchor;
  anchor[0] = 1000.0 * uniform(generator);
  anchor[1] = -1.0 / 3.0;
  Boundary::AxesType axes;
  const double       turn = uniform(generator);
  axes(0, 0) = std::cos(turn);
  axes(1, 0) = std::sin(turn);
  axes(0, 1) = std::sin(turn); // flipped: determinant -1
  axes(1, 1) = -std::cos(turn);
  boundary->SetAnchor(anchor);
  boundary->SetAxes(axes);
  boundary->SetRadius(123.456);
  boundary->SetRadii(disc, cup);
  boundary->SetConfidences(discConfidence, cupConfidence);
  return boundary;
}
} // namespace

TEST(itkNestedPolarBoundary, RefusesWhatIsNotNested)
{
  auto         boundary = Boundary::New();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_THROW(boundary->SetRadii({ 1, 1 }, { 0, 0 }), itk::ExceptionObject);
  EXPECT_THROW(boundary->SetRadii({ 1, 1, 1 }, { 0, 0 }), itk::ExceptionObject);
  EXPECT_THROW(boundary->SetRadii({ 1, 1, 1.001 }, { 0, 0, 0 }), itk::ExceptionObject);
  EXPECT_THROW(boundary->SetRadii({ 1, 1, .5 }, { 0, 0, .6 }), itk::ExceptionObject);
  EXPECT_THROW(boundary->SetRadii({ 1, 1, .5 }, { 0, 0, -.1 }), itk::ExceptionObject);
  EXPECT_THROW(boundary->SetRadii({ 1, 1, nan }, { 0, 0, 0 }), itk::ExceptionObject);
  EXPECT_THROW(boundary->SetRadii({ 1, 1, 1 }, { 0, nan, 0 }), itk::ExceptionObject);
  EXPECT_THROW(boundary->SetRadii({ 1, 1, inf }, { 0, 0, 0 }), itk::ExceptionObject);
  EXPECT_THROW(boundary->SetRadius(0.0), itk::ExceptionObject);
  EXPECT_THROW(boundary->SetRadius(nan), itk::ExceptionObject);
  EXPECT_THROW(boundary->SetConfidences({ 1, 1, 1 }, {}), itk::ExceptionObject);
  Boundary::AxesType axes;
  axes.Fill(std::sqrt(0.5));
  EXPECT_THROW(boundary->SetAxes(axes), itk::ExceptionObject);
  axes.Fill(0.0);
  EXPECT_THROW(boundary->SetAxes(axes), itk::ExceptionObject);
  EXPECT_EQ(boundary->GetNumberOfAngles(), 0u);
  boundary->SetRadii({ 1, 1, .5 }, { 0, 0, .5 });
  EXPECT_EQ(boundary->GetNumberOfAngles(), 3u);
  EXPECT_THROW(boundary->SetConfidences({ 1, 1, 1 }, { 0, 0, 2 }), itk::ExceptionObject);
  boundary->SetConfidences({ 1, 1.000001, 1 }, {});
  EXPECT_EQ(boundary->GetDiscConfidences()[1], 1.0);
}

TEST(itkNestedPolarBoundary, RefusesAnAnchorThatIsNotFinite)
{
  const auto boundary = Boundary::New();
  EXPECT_THROW(boundary->SetAnchor(MakeTestPoint(std::nan(""), 0.0)), itk::ExceptionObject);
  const auto before = boundary->GetMTime();
  boundary->SetAnchor(boundary->GetAnchor());
  EXPECT_EQ(boundary->GetMTime(), before);
}

TEST(itkNestedPolarBoundary, EmptyStructures)
{
  auto boundary = Boundary::New();
  EXPECT_TRUE(boundary->IsDiscEmpty());
  EXPECT_EQ(boundary->EvaluateDiscRadius(1.0), 0.0);
  boundary->SetRadii({ 0, 0, .1 }, { 0, 0, 0 });
  EXPECT_FALSE(boundary->IsDiscEmpty());
  EXPECT_TRUE(boundary->IsCupEmpty());
}

TEST(itkNestedPolarBoundary, InterpolatesCircularly)
{
  auto boundary = Boundary::New();
  boundary->SetRadii({ .4, .8, .6, .2 }, { .2, .4, .3, .1 });
  const double step = itk::Math::pi / 2;
  EXPECT_DOUBLE_EQ(boundary->EvaluateDiscRadius(0.0), .4);
  EXPECT_DOUBLE_EQ(boundary->EvaluateDiscRadius(step), .8);
  EXPECT_NEAR(boundary->EvaluateDiscRadius(0.25 * step), .5, 1e-12);
  EXPECT_NEAR(boundary->EvaluateDiscRadius(3.5 * step), .3, 1e-12);
  EXPECT_NEAR(boundary->EvaluateDiscRadius(-0.5 * step), .3, 1e-12);
  EXPECT_NEAR(boundary->EvaluateDiscRadius(4.25 * step + 40 * step), .5, 1e-12);
  EXPECT_NEAR(boundary->EvaluateCupRadius(3.5 * step), .15, 1e-12);
}

TEST(itkNestedPolarBoundary, NestedBetweenAngles)
{
  const auto boundary = MakeRandom(7, 48);
  for (int i = -2000; i < 2000; ++i)
  {
    const double theta = 0.01 * i;
    EXPECT_LE(boundary->EvaluateCupRadius(theta), boundary->EvaluateDiscRadius(theta));
  }
}

TEST(itkNestedPolarBoundary, ContourAndPolarCoordinatesAgree)
{
  const auto boundary = MakeRandom(11, 90);
  const auto contour = boundary->GetDiscContour();
  ASSERT_EQ(contour.size(), 90u);
  for (std::size_t i = 0; i < contour.size(); ++i)
  {
    double rho = 0.0;
    double theta = 0.0;
    boundary->TransformPhysicalPointToPolar(contour[i], rho, theta);
    EXPECT_NEAR(rho, boundary->GetDiscRadii()[i], 1e-12);
    const double expected = itk::Math::twopi * static_cast<double>(i) / 90.0;
    EXPECT_NEAR(std::remainder(theta - expected, itk::Math::twopi), 0.0, 1e-9);
    EXPECT_GE(theta, 0.0);
    EXPECT_LT(theta, itk::Math::twopi);
  }
  double rho = 1.0;
  double theta = 1.0;
  boundary->TransformPhysicalPointToPolar(boundary->GetAnchor(), rho, theta);
  EXPECT_EQ(rho, 0.0);
  EXPECT_EQ(theta, 0.0);
}

TEST(itkNestedPolarBoundary, DownIsNinetyDegrees)
{
  auto boundary = Boundary::New();
  boundary->SetRadii({ 1, 1, 1, 1 }, { 0, 0, 0, 0 });
  boundary->SetRadius(2.0);
  EXPECT_NEAR(boundary->GetDiscContour()[1][0], 0.0, 1e-12);
  EXPECT_NEAR(boundary->GetDiscContour()[1][1], 2.0, 1e-12);
}

TEST(itkNestedPolarBoundary, JSONGivesTheSameObjectBack)
{
  const auto boundary = MakeRandom(3, 360);
  const auto again = Boundary::FromJSON(boundary->ToJSON());
  EXPECT_EQ(again->GetAnchor(), boundary->GetAnchor());
  EXPECT_EQ(again->GetRadius(), boundary->GetRadius());
  EXPECT_EQ(again->GetAxes(), boundary->GetAxes());
  EXPECT_EQ(again->GetDiscRadii(), boundary->GetDiscRadii());
  EXPECT_EQ(again->GetCupRadii(), boundary->GetCupRadii());
  EXPECT_EQ(again->GetDiscConfidences(), boundary->GetDiscConfidences());
  EXPECT_EQ(again->GetCupConfidences(), boundary->GetCupConfidences());
  EXPECT_EQ(again->ToJSON(), boundary->ToJSON());

  EXPECT_THROW(Boundary::FromJSON(""), itk::ExceptionObject);
  EXPECT_THROW(Boundary::FromJSON("{}"), itk::ExceptionObject);
  EXPECT_THROW(Boundary::FromJSON("[1,2"), itk::ExceptionObject);
  std::string broken = boundary->ToJSON();
  broken.replace(broken.find("disc_radii"), 10, "disk_radii");
  EXPECT_THROW(Boundary::FromJSON(broken), itk::ExceptionObject);
}

TEST(itkNestedPolarBoundary, GraftPrintAndInitialize)
{
  const auto boundary = MakeRandom(5, 16);
  auto       copy = Boundary::New();
  copy->Graft(boundary);
  EXPECT_EQ(copy->ToJSON(), boundary->ToJSON());
  std::ostringstream text;
  copy->Print(text);
  EXPECT_NE(text.str().find("Number of angles: 16"), std::string::npos);
  copy->Initialize();
  EXPECT_EQ(copy->GetNumberOfAngles(), 0u);
  EXPECT_EQ(Boundary::FromJSON(copy->ToJSON())->GetNumberOfAngles(), 0u);
}

TEST(NumpyArray, ReadsTheOracle)
{
  const auto array = NumpyArray::Read(NPSNET_TEST_DATA_DIR "/oracle/b4_narrow/P_d_polar.npy");
  EXPECT_EQ(array.Shape, (std::vector<std::size_t>{ 256, 360 }));
  EXPECT_EQ(array.Values.size(), 256u * 360u);
  EXPECT_THROW(NumpyArray::Read(NPSNET_TEST_DATA_DIR "/oracle/b4_narrow/crop.png"), std::runtime_error);
}
