// SPDX-License-Identifier: Apache-2.0
#include "itkRimMeasurementCalculator.h"

#include "SyntheticDisc.h"
#include "TestImages.h"
#include "itkFlipImageFilter.h"
#include "itkRimSectors.h"

#include <gtest/gtest.h>

namespace
{
using itk::EyeSideEnum;
using itk::RimMeasurementCalculator;
using itk::RimMeasurements;
using Flag = itk::RimQualityFlagEnum;

constexpr double DiscRadius = 128.0;
constexpr double Tolerance = 0.005 * DiscRadius; // 0.5 % of the radius

double Radians(double degrees)
{
  return degrees * itk::Math::pi / 180.0;
}

RimMeasurementCalculator::Pointer MakeCalculator(EyeSideEnum eye = EyeSideEnum::OD, double micrometers = 0.0)
{
  auto calculator = RimMeasurementCalculator::New();
  calculator->SetEye(eye);
  calculator->SetMicrometersPerPixel(micrometers);
  return calculator;
}

const RimMeasurements::Sector & Find(const std::vector<RimMeasurements::Sector> & table, const std::string & name)
{
  for (const auto & sector : table)
  {
    if (sector.Name == name)
    {
      return sector;
    }
  }
  throw std::runtime_error("no sector " + name);
}

/** Both ways of measuring one shape on a 512 raster. */
std::vector<RimMeasurements> BothWays(const SyntheticDisc & shape,
                                      EyeSideEnum           eye = EyeSideEnum::OD,
                                      double                micrometers = 0.0)
{
  const auto calculator = MakeCalculator(eye, micrometers);
  return { calculator->Compute(shape.MakeBoundary(255.5, 255.5, 256.0)),
           calculator->Compute(shape.MakeLabels(512, 512)) };
}

RimMeasurementCalculator::MaskType::Pointer ReadExpert(const std::string & name)
{
  const auto mask = ReadTestImage<GreyImage>(NPSNET_RESOURCES_DIR "/SampleData/" + name + "_mask.png");
  for (itk::ImageRegionIteratorWithIndex<GreyImage> it(mask, mask->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    it.Set(it.Get() == 255 ? 2 : it.Get() == 128 ? 1 : 0);
  }
  return mask;
}

void ExpectSameSectors(const std::vector<RimMeasurements::Sector> & a,
                       const std::vector<RimMeasurements::Sector> & b,
                       double                                       tolerance)
{
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k)
  {
    EXPECT_EQ(a[k].Name, b[k].Name);
    ASSERT_EQ(a[k].RimWidth.has_value(), b[k].RimWidth.has_value());
    if (a[k].RimWidth)
    {
      EXPECT_NEAR(*a[k].RimWidth, *b[k].RimWidth, tolerance) << a[k].Name;
      EXPECT_NEAR(*a[k].RimToDiscRatio, *b[k].RimToDiscRatio, tolerance / 100.0) << a[k].Name;
      EXPECT_NEAR(*a[k].RimArea, *b[k].RimArea, tolerance * 200.0) << a[k].Name;
    }
  }
}

void ExpectMirrored(const RimMeasurements & right, const RimMeasurements & left, double tolerance)
{
  ExpectSameSectors(right.Quadrants, left.Quadrants, tolerance);
  ExpectSameSectors(right.GarwayHeath, left.GarwayHeath, tolerance);
  for (int theta = 0; theta < 360; ++theta)
  {
    EXPECT_NEAR(right.Profile[theta].RimWidth, left.Profile[(540 - theta) % 360].RimWidth, tolerance) << theta;
  }
  for (int hour = 1; hour <= 12; ++hour)
  {
    const int other = hour == 12 ? 12 : 12 - hour;
    EXPECT_NEAR(*right.ClockHours[hour - 1].RimWidth, *left.ClockHours[other - 1].RimWidth, tolerance) << hour;
  }
  EXPECT_NEAR(*right.VerticalCupToDiscRatio, *left.VerticalCupToDiscRatio, tolerance / 100.0);
  EXPECT_NEAR(*right.HorizontalCupToDiscRatio, *left.HorizontalCupToDiscRatio, tolerance / 100.0);
  EXPECT_EQ(right.ISNT->Obeyed, left.ISNT->Obeyed);
  ASSERT_EQ(right.ISNT->Pairs.size(), left.ISNT->Pairs.size());
  for (std::size_t k = 0; k < right.ISNT->Pairs.size(); ++k)
  {
    EXPECT_NEAR(right.ISNT->Pairs[k].Margin, left.ISNT->Pairs[k].Margin, tolerance);
  }
  EXPECT_NEAR(*right.DiscAxisAngle, -*left.DiscAxisAngle, tolerance);
  EXPECT_NEAR(*right.DiscTorsion, *left.DiscTorsion, tolerance);
}
} // namespace

TEST(itkRimMeasurementCalculator, ConcentricCircles)
{
  const SyntheticDisc shape{ SyntheticDisc::Circle(255.5, 255.5, DiscRadius),
                             SyntheticDisc::Circle(255.5, 255.5, 64.0) };
  for (const auto & m : BothWays(shape))
  {
    EXPECT_NEAR(*m.VerticalCupToDiscRatio, 0.5, 0.005);
    EXPECT_NEAR(*m.HorizontalCupToDiscRatio, 0.5, 0.005);
    EXPECT_NEAR(*m.AreaCupToDiscRatio, 0.25, 0.003);
    EXPECT_NEAR(*m.DiscArea, itk::Math::pi * DiscRadius * DiscRadius, 0.005 * itk::Math::pi * DiscRadius * DiscRadius);
    EXPECT_NEAR(*m.DiscHeight, 2.0 * DiscRadius, 2.0 * Tolerance);
    EXPECT_NEAR((*m.DiscCentroid)[0], 255.5, 1e-6);
    EXPECT_NEAR((*m.DiscCentroid)[1], 255.5, 1e-6);
    ASSERT_EQ(m.Profile.size(), 360u);
    for (const auto & ray : m.Profile)
    {
      EXPECT_NEAR(ray.DiscRadius, DiscRadius, Tolerance);
      EXPECT_NEAR(ray.CupRadius, 64.0, Tolerance);
      EXPECT_NEAR(ray.RimWidth, 64.0, 2.0 * Tolerance);
      EXPECT_NEAR(*ray.RimToDiscRatio, 0.25, 0.005);
    }
    for (const auto & hour : m.ClockHours)
    {
      EXPECT_NEAR(*hour.RimWidth, 64.0, Tolerance) << hour.Name;
    }
    double area = 0.0;
    for (const auto & sector : m.GarwayHeath)
    {
      area += *sector.RimArea;
    }
    EXPECT_NEAR(area, *m.RimArea, 0.005 * *m.RimArea);
    EXPECT_NEAR(*m.DiscOvality, 1.0, 0.005);
    EXPECT_FALSE(m.DiscAxisAngle.has_value());
    EXPECT_EQ(m.Missing.at("disc_axis_angle_deg"), "the disc is round");
    EXPECT_FALSE(*m.HasNotch);
    EXPECT_TRUE(m.Flags.empty()) << RimQualityFlagToString(m.Flags.front());
  }
  const auto exact = BothWays(shape)[0];
  EXPECT_TRUE(exact.ISNT->Obeyed); // all equal
  EXPECT_FALSE(exact.MinimumRimTheta.has_value());
}

TEST(itkRimMeasurementCalculator, OffsetCircles)
{
  // Cup circle (radius 50) shifted by (12, -20); from the disc's centre its border lies at
  // s cos(a) + sqrt(50^2 - s^2 sin^2(a)), s the shift and a the angle to its direction.
  const SyntheticDisc shape{ SyntheticDisc::Circle(250.0, 260.0, DiscRadius),
                             SyntheticDisc::Circle(262.0, 240.0, 50.0) };
  const double        shift = std::hypot(12.0, 20.0);
  const double        direction = std::atan2(-20.0, 12.0);
  for (const auto & m : BothWays(shape))
  {
    double minimum = 1.0;
    double minimumTheta = 0.0;
    for (int theta = 0; theta < 360; ++theta)
    {
      const double a = Radians(theta) - direction;
      const double cup = shift * std::cos(a) + std::sqrt(2500.0 - std::pow(shift * std::sin(a), 2));
      EXPECT_NEAR(m.Profile[theta].CupRadius, cup, 1.2 * Tolerance) << theta;
      EXPECT_NEAR(m.Profile[theta].RimWidth, DiscRadius - cup, 2.0 * Tolerance) << theta;
      if ((DiscRadius - cup) / (2.0 * DiscRadius) < minimum)
      {
        minimum = (DiscRadius - cup) / (2.0 * DiscRadius);
        minimumTheta = theta;
      }
    }
    EXPECT_NEAR(*m.MinimumRimToDiscRatio, minimum, 0.005);
    EXPECT_NEAR(*m.MinimumRimTheta, minimumTheta, 15.0);
    EXPECT_NEAR(*m.VerticalCupToDiscRatio, 50.0 / DiscRadius, 0.005);
    EXPECT_NEAR((*m.DiscCentroid)[0], 250.0, 0.1);
    EXPECT_NEAR((*m.DiscCentroid)[1], 260.0, 0.1);
  }
}

TEST(itkRimMeasurementCalculator, AnchorDoesNotMatter)
{
  const SyntheticDisc shape{ SyntheticDisc::Ellipse(255.5, 255.5, 110.0, 130.0, 17.0),
                             SyntheticDisc::Ellipse(248.0, 262.0, 60.0, 70.0, -8.0) };
  const auto          calculator = MakeCalculator(EyeSideEnum::OS, 8.0);
  const auto          reference = calculator->Compute(shape.MakeBoundary(255.5, 255.5, 256.0));
  for (const auto & offset : std::vector<std::array<double, 2>>{ { 8, 0 }, { -8, 0 }, { 0, 8 }, { 0, -8 }, { 5, -6 } })
  {
    const auto moved = calculator->Compute(shape.MakeBoundary(255.5 + offset[0], 255.5 + offset[1], 256.0));
    for (int theta = 0; theta < 360; ++theta)
    {
      EXPECT_NEAR(moved.Profile[theta].DiscRadius, reference.Profile[theta].DiscRadius, 0.05);
      EXPECT_NEAR(moved.Profile[theta].CupRadius, reference.Profile[theta].CupRadius, 0.05);
    }
    ExpectSameSectors(moved.Quadrants, reference.Quadrants, 0.05);
    ExpectSameSectors(moved.GarwayHeath, reference.GarwayHeath, 0.05);
    EXPECT_NEAR(*moved.DiscHeight, *reference.DiscHeight, 0.05);
    EXPECT_NEAR(*moved.CupWidth, *reference.CupWidth, 0.05);
    EXPECT_NEAR(*moved.DiscAxisAngle, *reference.DiscAxisAngle, 0.05);
    EXPECT_EQ(moved.DDLS, reference.DDLS);
  }
}

TEST(itkRimMeasurementCalculator, TurnedEllipse)
{
  constexpr double    a = 96.0;
  constexpr double    b = 128.0;
  constexpr double    turn = 20.0; // of the long axis: its lower end goes to image left, its upper end to image right
  const SyntheticDisc shape{ SyntheticDisc::Ellipse(255.5, 255.5, a, b, turn),
                             SyntheticDisc::Ellipse(255.5, 255.5, 0.5 * a, 0.5 * b, turn) };
  for (const EyeSideEnum eye : { EyeSideEnum::OD, EyeSideEnum::OS })
  {
    for (const auto & m : BothWays(shape, eye))
    {
      EXPECT_NEAR(*m.DiscMajorAxis, 2.0 * b, 0.005 * 2.0 * b);
      EXPECT_NEAR(*m.DiscMinorAxis, 2.0 * a, 0.005 * 2.0 * b);
      EXPECT_NEAR(*m.DiscOvality, a / b, 0.005);
      EXPECT_NEAR(*m.DiscAxisAngle, turn, 0.3);
      // Right eye: nasal is image right, so the upper end leans nasally and the lower end lies temporal.
      EXPECT_NEAR(*m.DiscTorsion, eye == EyeSideEnum::OD ? turn : -turn, 0.3);
      EXPECT_NEAR(*m.DiscHeight, 2.0 * std::hypot(a * std::sin(Radians(turn)), b * std::cos(Radians(turn))), 1.28);
      EXPECT_NEAR(*m.DiscWidth, 2.0 * std::hypot(a * std::cos(Radians(turn)), b * std::sin(Radians(turn))), 1.28);
      EXPECT_NEAR(*m.VerticalCupToDiscRatio, 0.5, 0.005);
      for (int theta = 0; theta < 360; ++theta)
      {
        EXPECT_NEAR(*m.Profile[theta].RimToDiscRatio, 0.25, 0.005);
      }
    }
  }
}

TEST(itkRimMeasurementCalculator, SectorsAreWhereTheyBelong)
{
  // A cup that reaches far only in one direction: the rim is narrow there and nowhere else.
  struct Case
  {
    double       Theta;
    int          Hour;
    const char * ImageQuadrant;
    const char * RightEye;
    const char * LeftEye;
    const char * RightSector;
    const char * LeftSector;
  };
  const std::vector<Case> cases = {
    { 0.0, 3, "right", "N", "T", "N", "T" },         { 90.0, 6, "inferior", "I", "I", "IN", "IN" },
    { 180.0, 9, "left", "T", "N", "T", "N" },        { 270.0, 12, "superior", "S", "S", "SN", "SN" },
    { 240.0, 11, "superior", "S", "S", "ST", "SN" }, { 300.0, 1, "superior", "S", "S", "SN", "ST" },
    { 60.0, 5, "inferior", "I", "I", "IN", "IT" },   { 120.0, 7, "inferior", "I", "I", "IT", "IN" },
  };
  const auto narrowest = [](const std::vector<RimMeasurements::Sector> & table) {
    return std::min_element(
             table.begin(), table.end(), [](const auto & x, const auto & y) { return *x.RimWidth < *y.RimWidth; })
      ->Name;
  };
  for (const Case & c : cases)
  {
    const SyntheticDisc shape{ SyntheticDisc::Circle(255.5, 255.5, DiscRadius),
                               SyntheticDisc::Wedged(255.5, 255.5, 50.0, 110.0, c.Theta - 8.0, c.Theta + 8.0) };
    for (const EyeSideEnum eye : { EyeSideEnum::OD, EyeSideEnum::OS })
    {
      const bool right = eye == EyeSideEnum::OD;
      for (const auto & m : BothWays(shape, eye))
      {
        EXPECT_EQ(narrowest(m.ClockHours), std::to_string(c.Hour)) << c.Theta;
        EXPECT_EQ(narrowest(m.ImageQuadrants), c.ImageQuadrant) << c.Theta;
        EXPECT_EQ(narrowest(m.Quadrants), right ? c.RightEye : c.LeftEye) << c.Theta;
        if (c.Theta != 90.0 && c.Theta != 270.0) // those two lie near a border between two sectors
        {
          EXPECT_EQ(narrowest(m.GarwayHeath), right ? c.RightSector : c.LeftSector) << c.Theta;
        }
      }
    }
  }
}

TEST(itkRimMeasurementCalculator, GarwayHeathPartitionsTheCircle)
{
  for (const EyeSideEnum eye : { EyeSideEnum::OD, EyeSideEnum::OS })
  {
    std::array<double, 360>       total{};
    std::map<std::string, double> degrees;
    for (const auto & sector : itk::RimSectors::GarwayHeath(eye))
    {
      const auto weights = sector.GetWeights();
      for (int k = 0; k < 360; ++k)
      {
        total[k] += weights[k];
        degrees[sector.Name] += weights[k];
      }
    }
    EXPECT_TRUE(std::all_of(total.begin(), total.end(), [](double w) { return w == 1.0; }));
    EXPECT_EQ(degrees,
              (std::map<std::string, double>{
                { "T", 90 }, { "ST", 40 }, { "SN", 40 }, { "N", 110 }, { "IN", 40 }, { "IT", 40 } }));
    // 60 degrees above the temporal horizontal is superotemporal.
    const auto weights = itk::RimSectors::GarwayHeath(eye)[1].GetWeights();
    EXPECT_EQ(weights[eye == EyeSideEnum::OD ? 240 : 300], 1.0);
  }
  EXPECT_FALSE(itk::RimSectors::GarwayHeath(EyeSideEnum::Unknown)[0].IsKnown());
}

TEST(itkRimMeasurementCalculator, NotchOnlyAtThePoles)
{
  for (const double theta : { 270.0, 90.0, 250.0, 0.0, 180.0 })
  {
    const SyntheticDisc shape{ SyntheticDisc::Circle(255.5, 255.5, DiscRadius),
                               SyntheticDisc::Wedged(255.5, 255.5, 64.0, 0.95 * DiscRadius, theta - 10, theta + 10) };
    for (const auto & m : BothWays(shape))
    {
      const bool pole = theta != 0.0 && theta != 180.0;
      EXPECT_EQ(*m.HasNotch, pole) << theta;
      EXPECT_NEAR(*m.MinimumRimToDiscRatio, 0.025, 0.005);
      EXPECT_NEAR(std::remainder(*m.MinimumRimTheta - theta, 360.0), 0.0, 10.0);
      if (pole)
      {
        ASSERT_EQ(m.Notches.size(), 1u);
        EXPECT_NEAR(m.Notches[0].Theta, theta, 8.0);
        EXPECT_NEAR(m.Notches[0].RimToDiscRatio, 0.025, 0.005);
        EXPECT_EQ(m.Notches[0].ClockHour, theta == 90.0 ? 6 : theta == 270.0 ? 12 : m.Notches[0].ClockHour);
      }
    }
  }
  // Thin all around is not a notch, and a shallow dip is none either.
  for (const double dip : { 115.0, 95.0 })
  {
    const SyntheticDisc even{ SyntheticDisc::Circle(255.5, 255.5, DiscRadius),
                              SyntheticDisc::Wedged(255.5, 255.5, dip == 95.0 ? 64.0 : 115.0, dip, 260.0, 280.0) };
    for (const auto & m : BothWays(even))
    {
      EXPECT_FALSE(*m.HasNotch) << dip;
    }
  }
}

TEST(itkRimMeasurementCalculator, AbsentRimAndDDLS)
{
  // Disc 256 px high: 5, 7 and 9 micrometres a pixel make a small, an average and a large disc.
  const auto stage = [](double micrometers, double ratio, double absent) {
    const double        cup = DiscRadius * (1.0 - 2.0 * ratio);
    const SyntheticDisc shape{ SyntheticDisc::Circle(255.5, 255.5, DiscRadius),
                               absent > 0.0 ? SyntheticDisc::Wedged(255.5, 255.5, cup, DiscRadius, 10.25, 9.75 + absent)
                                            : SyntheticDisc::Circle(255.5, 255.5, cup) };
    const auto m = MakeCalculator(EyeSideEnum::Unknown, micrometers)->Compute(shape.MakeBoundary(255.5, 255.5, 256.0));
    if (absent > 0.0)
    {
      EXPECT_NEAR(*m.AbsentRimDegrees, absent, 2.0);
    }
    return std::make_pair(*m.DDLS, m.DDLSDiscSize);
  };
  using Row = std::tuple<double, double, int, int, int>; // ratio, absent, small, average, large
  for (const auto & [ratio, absent, small, average, large] : std::vector<Row>{ { .45, 0, 2, 1, 1 },
                                                                               { .35, 0, 3, 2, 1 },
                                                                               { .25, 0, 4, 3, 2 },
                                                                               { .15, 0, 5, 4, 3 },
                                                                               { .05, 0, 6, 5, 4 },
                                                                               { .25, 30, 7, 6, 5 },
                                                                               { .25, 70, 8, 7, 6 },
                                                                               { .25, 140, 9, 8, 7 },
                                                                               { .25, 220, 10, 9, 8 },
                                                                               { .25, 300, 10, 10, 9 } })
  {
    EXPECT_EQ(stage(5.0, ratio, absent), std::make_pair(small, std::string("small"))) << ratio << " " << absent;
    EXPECT_EQ(stage(7.0, ratio, absent), std::make_pair(average, std::string("average"))) << ratio << " " << absent;
    EXPECT_EQ(stage(9.0, ratio, absent), std::make_pair(large, std::string("large"))) << ratio << " " << absent;
  }
  EXPECT_EQ(stage(5.0, 0.5, 0.0).first, 1); // no cup at all
  const SyntheticDisc shape{ SyntheticDisc::Circle(255.5, 255.5, DiscRadius), nullptr };
  const auto          m = MakeCalculator()->Compute(shape.MakeBoundary(255.5, 255.5, 256.0));
  EXPECT_FALSE(m.DDLS.has_value());
  EXPECT_NE(m.Missing.at("ddls").find("calibration"), std::string::npos);
}

TEST(itkRimMeasurementCalculator, ISNTNamesEveryViolatedPair)
{
  // Right eye: rim I 40 < S 60, N 70, T 20 by wedges of the cup.
  const auto rim = [](double theta) {
    return theta < 45 || theta > 315 ? 70 : theta < 135 ? 40 : theta < 225 ? 20 : 60;
  };
  const auto cup = [&rim](double u, double v) {
    const double theta = std::atan2(v - 255.5, u - 255.5) * 180.0 / itk::Math::pi;
    return std::hypot(u - 255.5, v - 255.5) <= DiscRadius - rim(theta < 0.0 ? theta + 360.0 : theta);
  };
  const SyntheticDisc shape{ SyntheticDisc::Circle(255.5, 255.5, DiscRadius), cup };
  for (const auto & m : BothWays(shape))
  {
    EXPECT_NEAR(*Find(m.Quadrants, "I").RimWidth, 40.0, 2 * Tolerance);
    EXPECT_NEAR(*Find(m.Quadrants, "S").RimWidth, 60.0, 2 * Tolerance);
    EXPECT_NEAR(*Find(m.Quadrants, "N").RimWidth, 70.0, 2 * Tolerance);
    EXPECT_NEAR(*Find(m.Quadrants, "T").RimWidth, 20.0, 2 * Tolerance);
    EXPECT_FALSE(m.ISNT->Obeyed);
    EXPECT_EQ(m.ISNT->Pairs.size(), 6u);
    std::string violated;
    for (const auto & pair : m.ISNT->GetViolatedPairs())
    {
      violated += pair.Wider + pair.Narrower + " ";
    }
    EXPECT_EQ(violated, "IS IN SN ");
    EXPECT_NEAR(m.ISNT->Margin, -30.0, 3 * Tolerance);
    violated.clear();
    for (const auto & pair : m.IST->GetViolatedPairs())
    {
      violated += pair.Wider + pair.Narrower + " ";
    }
    EXPECT_EQ(violated, "IS ");
    EXPECT_NEAR(m.IST->Margin, -20.0, 3 * Tolerance);
  }
}

TEST(itkRimMeasurementCalculator, UnknownEyeIsNeverGuessed)
{
  const SyntheticDisc shape{ SyntheticDisc::Ellipse(255.5, 255.5, 100, 128, 10),
                             SyntheticDisc::Circle(255.5, 255.5, 60) };
  for (const auto & m : BothWays(shape, EyeSideEnum::Unknown))
  {
    EXPECT_TRUE(Find(m.Quadrants, "I").RimWidth.has_value());
    EXPECT_TRUE(Find(m.Quadrants, "S").RimWidth.has_value());
    EXPECT_FALSE(Find(m.Quadrants, "N").RimWidth.has_value());
    EXPECT_FALSE(Find(m.Quadrants, "T").RimWidth.has_value());
    for (const auto & sector : m.GarwayHeath)
    {
      EXPECT_FALSE(sector.RimWidth.has_value());
    }
    EXPECT_FALSE(m.ISNT.has_value());
    EXPECT_FALSE(m.IST.has_value());
    EXPECT_FALSE(m.DiscTorsion.has_value());
    EXPECT_TRUE(m.DiscAxisAngle.has_value());
    EXPECT_TRUE(Find(m.ImageQuadrants, "left").RimWidth.has_value());
    for (const char * name : { "quadrants.N", "quadrants.T", "garway_heath", "isnt", "ist", "disc_torsion_deg" })
    {
      EXPECT_EQ(m.Missing.at(name), "eye unknown");
    }
  }
}

TEST(itkRimMeasurementCalculator, MirroredBoundaryWithTheOtherEye)
{
  const SyntheticDisc right{ SyntheticDisc::Ellipse(255.5, 255.5, 110, 130, 17),
                             SyntheticDisc::Ellipse(262, 240, 60, 75, -30) };
  const SyntheticDisc left{ [&](double u, double v) { return right.Disc(511.0 - u, v); },
                            [&](double u, double v) { return right.Cup(511.0 - u, v); } };
  const auto          od = BothWays(right, EyeSideEnum::OD);
  const auto          os = BothWays(left, EyeSideEnum::OS);
  ExpectMirrored(od[0], os[0], 1e-4);
  ExpectMirrored(od[1], os[1], 1e-6);
  EXPECT_NEAR(std::remainder(*od[0].MinimumRimTheta - (180.0 - *os[0].MinimumRimTheta), 360.0), 0.0, 0.5);
}

TEST(itkRimMeasurementCalculator, MirroredExpertMask)
{
  const auto labels = ReadExpert("RET042OD");
  using FlipType = itk::FlipImageFilter<GreyImage>;
  auto                        flip = FlipType::New();
  FlipType::FlipAxesArrayType axes;
  axes[0] = true;
  axes[1] = false;
  flip->SetFlipAxes(axes);
  flip->SetInput(labels);
  flip->Update();
  const auto od = MakeCalculator(EyeSideEnum::OD)->Compute(labels);
  const auto os = MakeCalculator(EyeSideEnum::OS)->Compute(flip->GetOutput());
  ExpectMirrored(od, os, 1e-6);
  EXPECT_GT(*od.VerticalCupToDiscRatio, 0.2);
  EXPECT_LT(*od.VerticalCupToDiscRatio, 1.0);
}

TEST(itkRimMeasurementCalculator, DirectionOfTheImageDoesNotMatter)
{
  const SyntheticDisc shape{ SyntheticDisc::Ellipse(255.5, 255.5, 110, 130, 17),
                             SyntheticDisc::Ellipse(262, 240, 60, 75, -30) };
  const auto          plain = BothWays(shape);
  const double        c = std::cos(0.4);
  const double        s = std::sin(0.4);
  for (const double handedness : { 1.0, -1.0 })
  {
    auto                               labels = shape.MakeLabels(512, 512);
    GreyImage::DirectionType           direction;
    itk::NestedPolarBoundary::AxesType axes;
    direction(0, 0) = axes(0, 0) = c;
    direction(1, 0) = axes(1, 0) = s;
    direction(0, 1) = axes(0, 1) = -handedness * s;
    direction(1, 1) = axes(1, 1) = handedness * c;
    GreyImage::PointType origin;
    origin[0] = -300.0;
    origin[1] = 77.0;
    labels->SetDirection(direction);
    labels->SetOrigin(origin);

    auto                                boundary = shape.MakeBoundary(255.5, 255.5, 256.0);
    itk::NestedPolarBoundary::PointType anchor;
    for (unsigned int d = 0; d < 2; ++d)
    {
      anchor[d] = origin[d] + axes(d, 0) * 255.5 + axes(d, 1) * 255.5;
    }
    boundary->SetAnchor(anchor);
    boundary->SetAxes(axes);

    const auto fromMask = MakeCalculator()->Compute(labels);
    const auto fromBoundary = MakeCalculator()->Compute(boundary);
    ExpectSameSectors(fromMask.ClockHours, plain[1].ClockHours, 1e-6);
    ExpectSameSectors(fromBoundary.ClockHours, plain[0].ClockHours, 1e-6);
    EXPECT_NEAR(*fromBoundary.DiscAxisAngle, *plain[0].DiscAxisAngle, 1e-6);
    for (const auto * m : { &fromMask, &fromBoundary })
    {
      EXPECT_NEAR((*m->DiscCentroid)[0], anchor[0], 0.1);
      EXPECT_NEAR((*m->DiscCentroid)[1], anchor[1], 0.1);
    }
  }
}

TEST(itkRimMeasurementCalculator, AnisotropicPixels)
{
  // Pixels 0.8 x 1.25: a circle in photo pixel space.
  const SyntheticDisc shape{ SyntheticDisc::Circle(200.0, 220.0, DiscRadius), SyntheticDisc::Circle(200.0, 210.0, 64) };
  const auto          m = MakeCalculator()->Compute(shape.MakeLabels(512, 360, 0.8, 1.25));
  EXPECT_NEAR(*m.DiscArea, itk::Math::pi * DiscRadius * DiscRadius, 0.005 * *m.DiscArea);
  EXPECT_NEAR(*m.DiscHeight, 2 * DiscRadius, 2 * 1.25);
  EXPECT_NEAR(*m.DiscWidth, 2 * DiscRadius, 2 * 0.8);
  EXPECT_NEAR(*m.DiscOvality, 1.0, 0.005);
  EXPECT_NEAR(m.Profile[270].RimWidth, 54.0, 1.25);
  EXPECT_NEAR((*m.DiscCentroid)[0], 200.0, 0.1);
  EXPECT_NEAR((*m.DiscCentroid)[1], 220.0, 0.1);
}

TEST(itkRimMeasurementCalculator, PixelsOfAnySizeAreMeasuredInPhotoPixels)
{
  const SyntheticDisc shape{ SyntheticDisc::Circle(255.5, 255.5, 128.0), SyntheticDisc::Circle(255.5, 250.5, 64.0) };
  const auto          plain = shape.MakeLabels(512, 512);
  auto                fine = GreyImage::New();
  fine->Graft(plain);
  fine->SetSpacing(itk::Vector<double, 2>(0.25));
  const auto calculator = MakeCalculator(EyeSideEnum::OD, 4.0);
  const auto expected = calculator->Compute(plain);
  const auto scaled = calculator->Compute(fine);
  EXPECT_DOUBLE_EQ(*scaled.DiscHeight, *expected.DiscHeight);
  EXPECT_DOUBLE_EQ(*scaled.RimArea, *expected.RimArea);
  EXPECT_NEAR(scaled.Profile[90].RimWidth, expected.Profile[90].RimWidth, 1e-9);
  EXPECT_EQ(scaled.DDLS, expected.DDLS);
  EXPECT_EQ(scaled.Flags, expected.Flags);

  const auto boundary = shape.MakeBoundary(255.5, 255.5, 256.0);
  auto       small = itk::NestedPolarBoundary::New();
  small->Graft(boundary);
  small->SetAnchor(MakeTestPoint(255.5 / 4, 255.5 / 4));
  small->SetRadius(64.0);
  calculator->SetPhotograph(plain);
  const auto m = calculator->Compute(boundary);
  calculator->SetPhotograph(fine);
  const auto n = calculator->Compute(small);
  EXPECT_NEAR(*n.DiscHeight, *m.DiscHeight, 1e-9);
  EXPECT_NEAR(*n.RimArea, *m.RimArea, 1e-6);
  EXPECT_NEAR((*n.DiscCentroid)[0], (*m.DiscCentroid)[0], 1e-9); // a pixel index
  EXPECT_EQ(n.DDLS, m.DDLS);
  EXPECT_EQ(n.Flags, m.Flags);
}

TEST(itkRimMeasurementCalculator, MasksWithoutPixelsOrOfTwoRastersAreRefused)
{
  const auto calculator = MakeCalculator();
  EXPECT_THROW(calculator->Compute(GreyImage::New()), itk::ExceptionObject);
  const SyntheticDisc shape{ SyntheticDisc::Circle(255.5, 255.5, 128.0), SyntheticDisc::Circle(255.5, 250.5, 64.0) };
  const auto          disc = shape.MakeLabels(512, 512);
  const auto          moved = shape.MakeLabels(512, 512);
  EXPECT_NO_THROW(calculator->Compute(disc, moved));
  moved->SetOrigin(MakeTestPoint(1.0, 0.0));
  EXPECT_THROW(calculator->Compute(disc, moved), itk::ExceptionObject);
}

TEST(itkRimMeasurementCalculator, ConfidencePerSector)
{
  const SyntheticDisc shape{ SyntheticDisc::Circle(255.5, 255.5, DiscRadius), SyntheticDisc::Circle(255.5, 255.5, 64) };
  auto                boundary = shape.MakeBoundary(255.5, 255.5, 256.0);
  std::vector<double> disc(360, 0.8);
  std::vector<double> cup(360, 0.6);
  std::fill(cup.begin() + 46, cup.begin() + 135, 0.2);
  boundary->SetConfidences(disc, cup);
  auto m = MakeCalculator()->Compute(boundary);
  EXPECT_NEAR(*Find(m.Quadrants, "I").CupConfidence, 0.2, 0.01);
  EXPECT_NEAR(*Find(m.Quadrants, "S").CupConfidence, 0.6, 1e-9);
  EXPECT_NEAR(*Find(m.GarwayHeath, "N").DiscConfidence, 0.8, 1e-9);
  EXPECT_NEAR(*m.MeanDiscConfidence, 0.8, 1e-9);
  EXPECT_FALSE(m.HasFlag(Flag::LowConfidence));
  boundary->SetConfidences(disc, std::vector<double>(360, 0.04));
  m = MakeCalculator()->Compute(boundary);
  EXPECT_TRUE(m.HasFlag(Flag::LowConfidence));
}

TEST(itkRimMeasurementCalculator, QualityFlags)
{
  const SyntheticDisc shape{ SyntheticDisc::Circle(255.5, 255.5, DiscRadius), SyntheticDisc::Circle(255.5, 255.5, 64) };
  const auto          boundary = shape.MakeBoundary(255.5, 255.5, 256.0);
  EXPECT_TRUE(MakeCalculator()->Compute(boundary).Flags.empty());
  EXPECT_TRUE(MakeCalculator()->Compute(shape.MakeBoundary(255.5, 255.5, 127.9)).HasFlag(Flag::BoundaryTouchesCrop));
  EXPECT_TRUE(MakeCalculator()->Compute(shape.MakeBoundary(255.5, 255.5, 2000.0)).HasFlag(Flag::ImplausibleSize));
  EXPECT_TRUE(MakeCalculator(EyeSideEnum::OD, 40.0)->Compute(boundary).HasFlag(Flag::ImplausibleSize));
  EXPECT_FALSE(MakeCalculator(EyeSideEnum::OD, 7.0)->Compute(boundary).HasFlag(Flag::ImplausibleSize));

  const auto inside = MakeTestImage<GreyImage>(512, 512);
  const auto cut = MakeTestImage<GreyImage>(512, 300);
  auto       calculator = MakeCalculator();
  calculator->SetPhotograph(inside);
  EXPECT_FALSE(calculator->Compute(boundary).HasFlag(Flag::DiscLeavesPhotograph));
  calculator->SetPhotograph(cut);
  EXPECT_TRUE(calculator->Compute(boundary).HasFlag(Flag::DiscLeavesPhotograph));
  EXPECT_TRUE(calculator->Compute(shape.MakeLabels(512, 300)).HasFlag(Flag::DiscLeavesPhotograph));

  // Masks that cover no more than the disc are not a photograph that the disc would fill.
  const SyntheticDisc tight{ SyntheticDisc::Circle(64, 64, 64), SyntheticDisc::Circle(64, 64, 32) };
  EXPECT_TRUE(MakeCalculator()->Compute(tight.MakeLabels(129, 129)).HasFlag(Flag::ImplausibleSize));
  calculator->SetPhotograph(inside);
  EXPECT_FALSE(calculator->Compute(tight.MakeLabels(129, 129)).HasFlag(Flag::ImplausibleSize));

  // A wavy outline is none of an optic disc; a long ellipse may be.
  const auto wave = [](double u, double v) {
    const double theta = std::atan2(v - 255.5, u - 255.5);
    return std::hypot(u - 255.5, v - 255.5) <= 120.0 * (1.0 + 0.1 * std::cos(6.0 * theta));
  };
  for (const auto & m : BothWays(SyntheticDisc{ wave, SyntheticDisc::Circle(255.5, 255.5, 50) }))
  {
    EXPECT_TRUE(m.HasFlag(Flag::IrregularBoundary));
  }
  for (const auto & m : BothWays(SyntheticDisc{ SyntheticDisc::Ellipse(255.5, 255.5, 85, 128, 30), nullptr }))
  {
    EXPECT_FALSE(m.HasFlag(Flag::IrregularBoundary));
  }
  EXPECT_FALSE(MakeCalculator()->Compute(ReadExpert("RET042OD")).HasFlag(Flag::IrregularBoundary));

  const SyntheticDisc noCup{ shape.Disc, nullptr };
  for (const auto & m : BothWays(noCup))
  {
    EXPECT_TRUE(m.HasFlag(Flag::EmptyCup));
    EXPECT_EQ(*m.VerticalCupToDiscRatio, 0.0);
    EXPECT_NEAR(m.Profile[10].RimWidth, DiscRadius, Tolerance);
  }
}

TEST(itkRimMeasurementCalculator, BrokenMasksAreReported)
{
  const auto calculator = MakeCalculator(EyeSideEnum::OS, 7.0);

  const auto nothing = MakeTestImage<GreyImage>(64, 64);
  auto       m = calculator->Compute(nothing);
  EXPECT_TRUE(m.HasFlag(Flag::EmptyDisc));
  EXPECT_FALSE(m.VerticalCupToDiscRatio.has_value());
  EXPECT_FALSE(m.DDLS.has_value());
  EXPECT_TRUE(m.Profile.empty());
  EXPECT_EQ(m.Missing.at("all"), "no optic disc was segmented");

  auto pixel = MakeTestImage<GreyImage>(64, 64);
  pixel->SetPixel({ { 20, 30 } }, 2);
  m = calculator->Compute(pixel);
  EXPECT_EQ(*m.VerticalCupToDiscRatio, 1.0);
  EXPECT_TRUE(m.HasFlag(Flag::ImplausibleSize));

  // A cup without a disc: nothing to relate it to.
  m = calculator->Compute(nothing, pixel);
  EXPECT_TRUE(m.HasFlag(Flag::CupOutsideDisc));
  EXPECT_TRUE(m.HasFlag(Flag::EmptyDisc));

  // A cup that sticks out of the disc is clipped.
  const SyntheticDisc disc{ SyntheticDisc::Circle(255.5, 255.5, DiscRadius), nullptr };
  const SyntheticDisc cup{ SyntheticDisc::Circle(355.5, 255.5, 60.0), nullptr };
  m = calculator->Compute(disc.MakeLabels(512, 512), cup.MakeLabels(512, 512));
  EXPECT_TRUE(m.HasFlag(Flag::CupOutsideDisc));
  EXPECT_NEAR(m.Profile[0].RimWidth, 0.0, 1e-9);
  EXPECT_LT(*m.CupArea, itk::Math::pi * 3600.0 * 0.9);
  EXPECT_THROW(calculator->Compute(disc.MakeLabels(512, 512), cup.MakeLabels(400, 512)), itk::ExceptionObject);

  // Two parts; a C whose centroid lies outside it; a hole.
  const SyntheticDisc parts{ [&](double u, double v) {
                              return SyntheticDisc::Circle(150, 255, 60)(u, v) ||
                                     SyntheticDisc::Circle(350, 255, 60)(u, v);
                            },
                             nullptr };
  const SyntheticDisc crescent{
    [&](double u, double v) { return disc.Disc(u, v) && !SyntheticDisc::Circle(300, 255.5, 120)(u, v); }, nullptr
  };
  const SyntheticDisc hole{
    [&](double u, double v) { return disc.Disc(u, v) && !SyntheticDisc::Circle(300, 255.5, 10)(u, v); }, nullptr
  };
  for (const auto * shape : { &parts, &crescent, &hole })
  {
    m = calculator->Compute(shape->MakeLabels(512, 512));
    EXPECT_TRUE(m.HasFlag(Flag::NotStarConvex));
    EXPECT_GT(*m.DiscArea, 0.0);
  }
  m = calculator->Compute(crescent.MakeLabels(512, 512));
  EXPECT_FALSE(m.MinimumRimToDiscRatio.has_value());
  EXPECT_TRUE(m.Missing.count("min_rim_to_disc") == 1);

  auto empty = itk::NestedPolarBoundary::New();
  EXPECT_TRUE(calculator->Compute(empty).HasFlag(Flag::EmptyDisc));
  empty->SetRadii(std::vector<double>(360, 0.0), std::vector<double>(360, 0.0));
  EXPECT_TRUE(calculator->Compute(empty).HasFlag(Flag::EmptyDisc));
  EXPECT_THROW(calculator->Compute(static_cast<itk::NestedPolarBoundary *>(nullptr)), itk::ExceptionObject);
  EXPECT_THROW(MakeCalculator(EyeSideEnum::OD, -3.0)->Compute(nothing), itk::ExceptionObject);
}
