// SPDX-License-Identifier: Apache-2.0
#include "TestFolder.h"
#include "itkInterEyeComparison.h"

#include "SampleResult.h"
#include "SyntheticDisc.h"
#include "itkRimMeasurementCalculator.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace
{
using itk::EyeSideEnum;
using itk::InterEyeComparison;

itk::RimMeasurements Measure(const SyntheticDisc & shape, EyeSideEnum eye, double micrometers = 0.0)
{
  auto calculator = itk::RimMeasurementCalculator::New();
  calculator->SetEye(eye);
  calculator->SetMicrometersPerPixel(micrometers);
  return calculator->Compute(shape.MakeBoundary(255.5, 255.5, 256.0));
}

const InterEyeComparison::Entry & Find(const InterEyeComparison & comparison,
                                       const std::string &        group,
                                       const std::string &        name)
{
  for (const auto & entry : comparison.Entries)
  {
    if (entry.Group == group && entry.Name == name)
    {
      return entry;
    }
  }
  throw std::runtime_error("no entry " + name);
}
} // namespace

TEST(itkInterEyeComparison, MirroredEyesAreSymmetric)
{
  const SyntheticDisc right{ SyntheticDisc::Ellipse(255.5, 255.5, 100, 130, 15),
                             SyntheticDisc::Ellipse(262, 240, 50, 70, -20) };
  const SyntheticDisc left{ [&](double u, double v) { return right.Disc(511.0 - u, v); },
                            [&](double u, double v) { return right.Cup(511.0 - u, v); } };
  const auto  comparison = InterEyeComparison::Compute(Measure(right, EyeSideEnum::OD), Measure(left, EyeSideEnum::OS));
  std::size_t compared = 0;
  for (const auto & entry : comparison.Entries)
  {
    if (entry.Difference)
    {
      ++compared;
      EXPECT_NEAR(*entry.Difference, 0.0, 1e-4) << entry.Group << " " << entry.Name;
    }
  }
  EXPECT_EQ(compared, 6u + 4u + 6u + 12u);
  EXPECT_FALSE(Find(comparison, "disc", "disc_height").Difference.has_value()); // not calibrated
  EXPECT_NEAR(*comparison.MeanAbsoluteRimAsymmetry, 0.0, 1e-4);
  EXPECT_FALSE(*comparison.VerticalCDRAsymmetric);
}

TEST(itkInterEyeComparison, AsymmetryIsWhereItIs)
{
  const auto disc = SyntheticDisc::Circle(255.5, 255.5, 128);
  // The left eye has lost rim at its superotemporal 45 degrees: theta = -60 +- 10 (temporal is image right).
  const SyntheticDisc right{ disc, SyntheticDisc::Circle(255.5, 255.5, 50) };
  const SyntheticDisc left{ disc, SyntheticDisc::Wedged(255.5, 255.5, 50, 100, 290, 310) };
  const auto          comparison =
    InterEyeComparison::Compute(Measure(right, EyeSideEnum::OD, 5.0), Measure(left, EyeSideEnum::OS, 5.0));
  EXPECT_NEAR(*comparison.LargestRimAsymmetry, 50.0 / 128.0, 0.01);
  EXPECT_NEAR(*comparison.LargestRimAsymmetryPhi, 60.0, 11.0);
  EXPECT_GT(*Find(comparison, "garway_heath", "ST").Difference, 0.1);
  EXPECT_NEAR(*Find(comparison, "garway_heath", "SN").Difference, 0.0, 0.01);
  EXPECT_GT(*Find(comparison, "clock_hour", "11").Difference, 0.1); // the left eye's 1 o'clock
  EXPECT_NEAR(*Find(comparison, "clock_hour", "1").Difference, 0.0, 0.01);
  EXPECT_NEAR(*Find(comparison, "disc", "disc_height").Difference, 0.0, 1.0);

  const SyntheticDisc cupped{ disc, SyntheticDisc::Circle(255.5, 255.5, 100) };
  EXPECT_TRUE(*InterEyeComparison::Compute(Measure(right, EyeSideEnum::OD), Measure(cupped, EyeSideEnum::OS))
                 .VerticalCDRAsymmetric);
}

TEST(itkInterEyeComparison, NeedsARightAndALeftEye)
{
  const SyntheticDisc shape{ SyntheticDisc::Circle(255.5, 255.5, 128), SyntheticDisc::Circle(255.5, 255.5, 50) };
  const auto          right = Measure(shape, EyeSideEnum::OD);
  const auto          unknown = Measure(shape, EyeSideEnum::Unknown);
  EXPECT_THROW(InterEyeComparison::Compute(right, right), itk::ExceptionObject);
  EXPECT_THROW(InterEyeComparison::Compute(right, unknown), itk::ExceptionObject);
  // An eye without a disc leaves the differences empty.
  auto nothing = itk::RimMeasurements();
  nothing.Eye = EyeSideEnum::OS;
  const auto comparison = InterEyeComparison::Compute(right, nothing);
  EXPECT_FALSE(comparison.Entries.front().Difference.has_value());
  EXPECT_FALSE(comparison.MeanAbsoluteRimAsymmetry.has_value());
  EXPECT_FALSE(comparison.VerticalCDRAsymmetric.has_value());
}

TEST(itkInterEyeComparison, PageAndTableOfASamplePerson)
{
  const auto        right = MakeSampleResult("RET042OD", EyeSideEnum::OD);
  const auto        left = MakeSampleResult("RET042OS", EyeSideEnum::OS);
  const std::string csv = InterEyeComparison::Compute(right.Measurements, left.Measurements).ToCSV();
  EXPECT_EQ(csv.rfind("group,name,unit,od,os,difference\r\nratio,vcdr,ratio,0.", 0), 0u);
  const std::string html = InterEyeComparison::ToHTML(right, left);
  EXPECT_NE(html.find("Right eye, OD"), std::string::npos);
  EXPECT_NE(html.find("Research use"), std::string::npos);
  std::ofstream(TestFolder() + "/RET042.html") << html; // to look at
}

TEST(itkInterEyeComparison, PageSaysWhichEyeIsDoubtful)
{
  auto right = MakeSampleResult("RET042OD", EyeSideEnum::OD, 0.0, true);
  right.Status = itk::FundusStatusEnum::LowConfidence;
  right.Message = "The disc was found without certainty.";
  right.Measurements.Flags.push_back(itk::RimQualityFlagEnum::ImplausibleSize);
  right.Network.Name = "model of the right eye";
  auto left = MakeSampleResult("RET042OS", EyeSideEnum::OS, 0.0, true);
  left.EyeSource = itk::EyeSourceEnum::User;
  const std::string html = InterEyeComparison::ToHTML(right, left);
  const auto        at = [&html](const std::string & words) { return html.find(words); };
  const std::size_t middle = at("Left eye, OS (given by the user)");
  ASSERT_NE(middle, std::string::npos);
  EXPECT_LT(at("Right eye, OD (from the file name)"), middle);
  EXPECT_LT(at("<span class=\"chip warn\">low confidence</span>"), middle);
  EXPECT_LT(at("Look twice"), middle);
  EXPECT_LT(at(right.Message), middle);
  EXPECT_LT(at(itk::RimQualityFlagToSentence(itk::RimQualityFlagEnum::ImplausibleSize)), middle);
  EXPECT_EQ(html.rfind("Look twice"), at("Look twice"));
  EXPECT_GT(at("<span class=\"chip good\">ok</span>"), middle);
  EXPECT_NE(at("model of the right eye"), std::string::npos);
  EXPECT_NE(at("Not calibrated"), std::string::npos);
  for (const char * column : { "vcdr", "hcdr", "min_rim_to_disc", "disc_ovality", ">IN<" })
  {
    EXPECT_EQ(at(column), std::string::npos) << column;
  }
  EXPECT_NE(at("<td>Inferonasal</td>"), std::string::npos);
  std::ofstream(TestFolder() + "/doubtful.html") << html; // to look at
}
