// SPDX-License-Identifier: Apache-2.0
#include "NPSNetSummarize.h"

#include "NPSNetTables.h"

#include "itkRimSectors.h"

#include <algorithm>
#include <optional>

namespace npsnet
{
namespace
{
using Rim = itk::RimMeasurements;

double ValueOf(const std::optional<double>& value)
{
  return value.value_or(NPSNetSummary::Unknown);
}

std::vector<NPSNetSummary::Sector> SectorsOf(const std::vector<Rim::Sector>& sectors, double scale)
{
  std::vector<NPSNetSummary::Sector> summary;
  for (const Rim::Sector& sector : sectors)
  {
    if (sector.RimWidth)
    {
      summary.push_back(
        {sector.Name, scale * *sector.RimWidth, ValueOf(sector.RimToDiscRatio), ValueOf(sector.MinimumRimToDiscRatio)});
    }
  }
  return summary;
}

NPSNetSummary::Ratios RatiosOf(const Rim& rim)
{
  return {ValueOf(rim.VerticalCupToDiscRatio), ValueOf(rim.HorizontalCupToDiscRatio), ValueOf(rim.AreaCupToDiscRatio)};
}

std::vector<double> ProfileOf(const Rim& rim, double Rim::Angle::*member, double scale)
{
  std::vector<double> values;
  for (const Rim::Angle& angle : rim.Profile)
  {
    values.push_back(scale * angle.*member);
  }
  return values;
}

/// In the order of the ISNT rule; the sides of the image when the eye is unknown.
std::vector<NPSNetSummary::Sector> QuadrantsOf(const Rim& rim, double scale)
{
  const bool known = rim.Eye != itk::EyeSideEnum::Unknown;
  const auto present = SectorsOf(known ? rim.Quadrants : rim.ImageQuadrants, scale);
  std::vector<NPSNetSummary::Sector> ordered;
  for (const char* name : {"I", "inferior", "S", "superior", "N", "T", "left", "right"})
  {
    for (const NPSNetSummary::Sector& sector : present)
    {
      if (sector.Name == name)
      {
        ordered.push_back(sector);
      }
    }
  }
  return ordered;
}
} // namespace

NPSNetSummary Summarize(const Report& report)
{
  const Rim& rim = report.Result.Measurements;
  const double scale = rim.MicrometersPerPixel.value_or(1.0);
  NPSNetSummary summary;
  summary.Valid = !rim.Profile.empty();
  summary.Name = report.Result.Name;
  summary.Eye = rim.Eye == itk::EyeSideEnum::Unknown ? "" : itk::EyeSideToString(rim.Eye);
  summary.State = report.State;
  summary.Unit = rim.MicrometersPerPixel ? "um" : "px";
  summary.MicrometersPerPixel = ValueOf(rim.MicrometersPerPixel);
  summary.CupToDisc = RatiosOf(rim);
  if (rim.DiscCentroid && rim.DiscHeight)
  {
    std::copy(rim.DiscCentroid->begin(), rim.DiscCentroid->end(), summary.DiscCenter);
    summary.DiscHeight = *rim.DiscHeight / report.PixelHeight;
  }
  summary.MinimumRimToDisc = ValueOf(rim.MinimumRimToDiscRatio);
  summary.MinimumRimTheta = ValueOf(rim.MinimumRimTheta);
  summary.MinimumRimClockHour = rim.MinimumRimTheta ? itk::RimSectors::ClockHourOf(*rim.MinimumRimTheta) : 0;
  summary.DiscConfidence = ValueOf(rim.MeanDiscConfidence);
  summary.CupConfidence = ValueOf(rim.MeanCupConfidence);
  summary.Quadrants = QuadrantsOf(rim, scale);
  summary.GarwayHeath = SectorsOf(rim.GarwayHeath, scale);
  summary.ClockHours = SectorsOf(rim.ClockHours, scale);
  for (const itk::RimQualityFlagEnum flag : rim.Flags)
  {
    summary.Flags.push_back(itk::RimQualityFlagToString(flag));
  }
  summary.ISNTKnown = rim.ISNT.has_value();
  if (rim.ISNT)
  {
    for (const Rim::OrderedPair& pair : rim.ISNT->GetViolatedPairs())
    {
      summary.ISNTViolated.emplace_back(pair.Wider, pair.Narrower);
    }
  }
  summary.HasNotch = rim.HasNotch.value_or(false);
  summary.DDLS = rim.DDLS.value_or(0);
  summary.DiscRadius = ProfileOf(rim, &Rim::Angle::DiscRadius, scale);
  summary.CupRadius = ProfileOf(rim, &Rim::Angle::CupRadius, scale);
  summary.RimWidth = ProfileOf(rim, &Rim::Angle::RimWidth, scale);
  if (report.Expert)
  {
    summary.ExpertCupToDisc = RatiosOf(*report.Expert);
    summary.ExpertDiscDice = ValueOf(report.ExpertDiscDice);
    summary.ExpertCupDice = ValueOf(report.ExpertCupDice);
    summary.ExpertRimWidth = ProfileOf(*report.Expert, &Rim::Angle::RimWidth, scale);
  }
  return summary;
}
} // namespace npsnet
