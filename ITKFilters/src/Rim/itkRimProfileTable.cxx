// SPDX-License-Identifier: Apache-2.0
#include "itkRimProfileTable.h"
#include "itkRimSectors.h"

namespace itk
{
namespace
{
using Kind = RimProfileColumn::KindEnum;
using Angle = RimMeasurements::Angle;

/** First sector that has the ray: on a border between two quadrants inferior and superior come first. */
std::string SectorOf(const std::vector<RimSector> & sectors, std::size_t theta)
{
  for (const RimSector & sector : sectors)
  {
    if (sector.IsKnown() && sector.GetWeights()[theta] > 0.0)
    {
      return sector.Name;
    }
  }
  return {};
}

RimProfileColumn TextColumn(const char * name,
                            const char * title,
                            const char * description,
                            std::vector<RimSector> (*sectors)(EyeSideEnum))
{
  RimProfileColumn column{ name, title, "", description, Kind::Text, false, {}, {} };
  column.Text = [sectors](const RimMeasurements & m, std::size_t theta) { return SectorOf(sectors(m.Eye), theta); };
  return column;
}

RimProfileColumn Length(const char * name, const char * title, const char * description, double Angle::*member)
{
  RimProfileColumn column{ name, title, "px", description, Kind::Number, false, {}, {} };
  column.Number = [member](const RimMeasurements & m, std::size_t theta) { return m.Profile[theta].*member; };
  return column;
}

RimProfileColumn InMicrometers(const char * name, const RimProfileColumn & pixels)
{
  RimProfileColumn column = pixels;
  column.Name = name;
  column.Unit = "µm";
  column.IsOptional = true;
  column.Number = [number = pixels.Number](const RimMeasurements & m, std::size_t theta) {
    return m.MicrometersPerPixel ? std::optional<double>(*number(m, theta) * *m.MicrometersPerPixel) : std::nullopt;
  };
  return column;
}

RimProfileColumn Ratio(const char *          name,
                       const char *          title,
                       const char *          description,
                       bool                  isOptional,
                       std::optional<double> Angle::*member)
{
  RimProfileColumn column{ name, title, "", description, Kind::Number, isOptional, {}, {} };
  column.Number = [member](const RimMeasurements & m, std::size_t theta) { return m.Profile[theta].*member; };
  return column;
}

std::vector<RimProfileColumn> MakeColumns()
{
  RimProfileColumn theta{ "theta_deg",   "Angle", "°", "From image right, growing downwards, about the disc centroid",
                          Kind::Integer, false,   {},  {} };
  theta.Number = [](const RimMeasurements &, std::size_t k) { return static_cast<double>(k); };
  RimProfileColumn hour{ "clock_hour",  "Clock hour", "", "As seen on the photo, 12 superior",
                         Kind::Integer, false,        {}, {} };
  hour.Number = [](const RimMeasurements &, std::size_t k) {
    return static_cast<double>(RimSectors::ClockHourOf(static_cast<double>(k)));
  };
  RimProfileColumn norm{ "rim_width_norm",
                         "Rim width, normalised",
                         "",
                         "Rim width by the radius of a circle with the disc's area",
                         Kind::Number,
                         true,
                         {},
                         {} };
  norm.Number = [](const RimMeasurements & m, std::size_t k) {
    return m.EquivalentDiscRadius ? std::optional<double>(m.Profile[k].RimWidth / *m.EquivalentDiscRadius)
                                  : std::nullopt;
  };
  const auto disc = Length("disc_radius_px", "Disc radius", "Disc centroid to disc boundary", &Angle::DiscRadius);
  const auto cup = Length("cup_radius_px", "Cup radius", "Disc centroid to cup boundary", &Angle::CupRadius);
  const auto rim = Length("rim_width_px", "Rim width", "Cup boundary to disc boundary", &Angle::RimWidth);
  return {
    theta,
    hour,
    TextColumn("quadrant",
               "Quadrant",
               "I inferior, S superior, N nasal, T temporal; the last two only when the eye is known",
               &RimSectors::Quadrants),
    TextColumn("garway_heath", "Garway-Heath sector", "Only when the eye is known", &RimSectors::GarwayHeath),
    disc,
    cup,
    rim,
    norm,
    Ratio("rim_to_disc", "Rim/disc ratio", "Rim width by disc diameter on this axis", false, &Angle::RimToDiscRatio),
    InMicrometers("disc_radius_um", disc),
    InMicrometers("cup_radius_um", cup),
    InMicrometers("rim_width_um", rim),
    Ratio("disc_confidence", "Disc confidence", "Of the network, 0 to 1", true, &Angle::DiscConfidence),
    Ratio("cup_confidence", "Cup confidence", "Of the network, 0 to 1", true, &Angle::CupConfidence),
  };
}
} // namespace

bool RimProfileColumn::IsKnown(const RimMeasurements & measurements) const
{
  for (std::size_t k = 0; k < measurements.Profile.size(); ++k)
  {
    if (Kind == KindEnum::Text ? !Text(measurements, k).empty() : Number(measurements, k).has_value())
    {
      return true;
    }
  }
  return false;
}

const std::vector<RimProfileColumn> & RimProfileColumns()
{
  static const std::vector<RimProfileColumn> columns = MakeColumns();
  return columns;
}
} // namespace itk
