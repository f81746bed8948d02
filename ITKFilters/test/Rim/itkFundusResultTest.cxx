// SPDX-License-Identifier: Apache-2.0
#include "itkFundusResult.h"

#include "SampleResult.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace
{
using itk::EyeSideEnum;
using itk::FundusResult;
using itk::RimMeasurements;

void ExpectLossless(const FundusResult & result)
{
  const std::string  text = result.ToJSON();
  const FundusResult again = FundusResult::FromJSON(text);
  EXPECT_TRUE(again == result);
  EXPECT_EQ(again.ToJSON(), text);
  EXPECT_TRUE(FundusResult::FromJSON(result.ToJSON(-1)) == result);
}

/** With every field that a measured photograph leaves empty. */
FundusResult MakeFullResult()
{
  FundusResult result = MakeSampleResult("RET042OD", EyeSideEnum::OD, 4.2, true);
  const double center[] = { 1234.1, 1.0 / 3.0 };
  result.InputFileName = "folder/\"photo\" \xC3\xA9.jpg";
  result.Status = itk::FundusStatusEnum::LowConfidence;
  result.Message = "Two\nlines.";
  result.NetworkBoundary = result.Boundary;
  result.Valid = false;
  result.Network = { "network", "6", std::string(64, 'a'), "licence", "file.safetensors" };
  result.Localisation = { "network", FundusResult::IndexType(center), 0.1, 0.7, std::string(64, 'b') };
  result.TTA = { "fast", 27, 0.1 + 0.2 };
  result.CropGeometry = FundusResult::Crop{ FundusResult::IndexType(center), 2.0 / 3.0, 512 };
  result.Device = "cpu";
  result.Precision = "fp32";
  result.StageSeconds = { { "segment", 1e-3 }, { "locate", 0.0 }, { "a", 3.0 } };
  result.Seconds = 1.0 / 7.0;
  RimMeasurements & m = result.Measurements;
  m.HasNotch = true;
  m.Notches = { { 12.0, 3, 0.05 }, { 270.0, 12, 0.1 / 3.0 } };
  for (int i = 0; i <= static_cast<int>(itk::RimQualityFlagEnum::UncertainLocation); ++i)
  {
    m.Flags.push_back(static_cast<itk::RimQualityFlagEnum>(i));
  }
  m.Missing["all"] = "a reason";
  return result;
}
} // namespace

TEST(FundusResult, ComesBackFromItsText)
{
  ExpectLossless(FundusResult());
  ExpectLossless(MakeFullResult());
  ExpectLossless(MakeSampleResult("RET042OS", EyeSideEnum::OS));
  ExpectLossless(MakeSampleResult("RET042OS", EyeSideEnum::Unknown, 0.0, true));
}

TEST(FundusResult, ComesBackWhateverTheEnumeratorsAre)
{
  for (int i = 0; i < 5; ++i)
  {
    FundusResult result;
    result.Status = static_cast<itk::FundusStatusEnum>(i);
    result.EyeSource = static_cast<itk::EyeSourceEnum>(i % 4);
    result.Eye = result.Measurements.Eye = static_cast<EyeSideEnum>(i % 3);
    result.Measurements.MeasuredFrom = static_cast<RimMeasurements::Origin>(i % 3);
    ExpectLossless(result);
  }
}

TEST(FundusResult, UnknownPartsStayUnknown)
{
  FundusResult result;
  result.Network.FileName = "only.pth";
  result.Localisation.Confidence = 0.25;
  result.TTA.NumberOfHypotheses = 3;
  result.Valid = false;
  result.Measurements.Profile.resize(3);
  result.Measurements.Profile[1].CupConfidence = 0.5;
  result.Measurements.ISNT.emplace();
  result.Measurements.ClockHours.resize(1);
  result.Measurements.ClockHours[0].Name = "12";
  ExpectLossless(result);
}

// A difference anywhere must be seen, or the tests above show nothing.
TEST(FundusResult, IsOtherWhenOneFieldIs)
{
  const FundusResult result = MakeFullResult();
  const auto         differs = [&result](const auto & change) {
    FundusResult other = result;
    change(other);
    return other != result && other.ToJSON() != result.ToJSON();
  };
  EXPECT_TRUE(differs([](FundusResult & r) { r.Measurements.Flags.pop_back(); }));
  EXPECT_TRUE(differs([](FundusResult & r) { r.Measurements.Profile[359].DiscConfidence.reset(); }));
  EXPECT_TRUE(differs([](FundusResult & r) { (*r.Measurements.DiscCentroid)[1] += 1e-12; }));
  EXPECT_TRUE(differs([](FundusResult & r) { r.Measurements.ISNT->Pairs.pop_back(); }));
  EXPECT_TRUE(differs([](FundusResult & r) { r.Measurements.GarwayHeath[2].RimArea.reset(); }));
  EXPECT_TRUE(differs([](FundusResult & r) { r.Measurements.Missing["other"] = "reason"; }));
  EXPECT_TRUE(differs([](FundusResult & r) { r.Measurements.DDLS = 1; }));
  EXPECT_TRUE(differs([](FundusResult & r) { r.NetworkBoundary = nullptr; }));
  EXPECT_TRUE(differs([](FundusResult & r) { r.StageSeconds.pop_back(); }));
  EXPECT_TRUE(differs([](FundusResult & r) { r.CropGeometry.reset(); }));
  EXPECT_TRUE(differs([](FundusResult & r) { r.Stored->Orientation = 6; }));
}

TEST(FundusResult, ReadsAPartOfItsText)
{
  const auto result = FundusResult::FromJSON(
    R"({"schema": "npsnet-metrics", "status": "ok", "eye": "OS", "locator": null, "flags": ["uncertain_location"]})");
  EXPECT_EQ(result.Status, itk::FundusStatusEnum::Ok);
  EXPECT_EQ(result.Eye, EyeSideEnum::OS);
  EXPECT_EQ(result.Measurements.Eye, EyeSideEnum::OS);
  EXPECT_TRUE(result.Measurements.HasFlag(itk::RimQualityFlagEnum::UncertainLocation));
  EXPECT_TRUE(result.Localisation.Method.empty());
  EXPECT_FALSE(result.Seconds.has_value());
}

TEST(FundusResult, OtherTextsAreRefused)
{
  for (const char * text : { "",
                             "{",
                             "[]",
                             "3",
                             "{}",
                             R"({"schema": "other"})",
                             R"({"schema": "npsnet-metrics", "crop": {"center_px": "x"}})",
                             R"({"schema": "npsnet-metrics", "flags": 3, "profile": {"disc_radius_px": ["a"]}})" })
  {
    try
    {
      FundusResult::FromJSON(text);
      ADD_FAILURE() << text;
    }
    catch (const itk::ExceptionObject & error)
    {
      EXPECT_NE(std::string(error.GetDescription()).find("not a metrics file"), std::string::npos) << text;
    }
  }
}
