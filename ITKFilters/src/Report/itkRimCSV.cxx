// SPDX-License-Identifier: Apache-2.0
#include "itkRimCSV.h"

#include "itkCSV.h"
#include "itkRimSectors.h"
#include "itkText.h"

namespace itk
{
namespace
{
std::string Scaled(double value, const std::optional<double> & scale)
{
  return scale ? NumberText(value * *scale) : std::string();
}

/** A border degree between two quadrants counts as inferior or superior. */
std::string QuadrantOf(int theta, EyeSideEnum eye)
{
  for (const auto & sector : RimSectors::Quadrants(eye))
  {
    if (sector.IsKnown() && sector.GetWeights()[static_cast<std::size_t>(theta)] > 0.0)
    {
      return sector.Name;
    }
  }
  return {};
}

std::string GarwayHeathOf(int theta, EyeSideEnum eye)
{
  for (const auto & sector : RimSectors::GarwayHeath(eye))
  {
    if (sector.IsKnown() && sector.GetWeights()[static_cast<std::size_t>(theta)] > 0.0)
    {
      return sector.Name;
    }
  }
  return {};
}

std::string Line(const std::vector<std::string> & cells, char separator)
{
  if (separator == ',')
  {
    return ToCSVLine(cells);
  }
  std::string text;
  for (const std::string & cell : cells)
  {
    text += cell + separator;
  }
  text.back() = '\n';
  return text;
}
} // namespace

std::string RimCSV(const RimMeasurements & m, char separator)
{
  std::string text = Line({ "theta_deg",
                            "clock_hour",
                            "quadrant",
                            "garway_heath",
                            "disc_radius_px",
                            "cup_radius_px",
                            "rim_width_px",
                            "rim_width_norm",
                            "rim_to_disc",
                            "disc_radius_um",
                            "cup_radius_um",
                            "rim_width_um",
                            "disc_confidence",
                            "cup_confidence" },
                          separator);
  for (std::size_t k = 0; k < m.Profile.size(); ++k)
  {
    const auto & ray = m.Profile[k];
    const auto   theta = static_cast<int>(k);
    text += Line({ std::to_string(theta),
                   std::to_string(RimSectors::ClockHourOf(theta)),
                   QuadrantOf(theta, m.Eye),
                   GarwayHeathOf(theta, m.Eye),
                   NumberText(ray.DiscRadius),
                   NumberText(ray.CupRadius),
                   NumberText(ray.RimWidth),
                   NumberText(ray.RimWidth / *m.EquivalentDiscRadius),
                   NumberText(ray.RimToDiscRatio),
                   Scaled(ray.DiscRadius, m.MicrometersPerPixel),
                   Scaled(ray.CupRadius, m.MicrometersPerPixel),
                   Scaled(ray.RimWidth, m.MicrometersPerPixel),
                   NumberText(ray.DiscConfidence),
                   NumberText(ray.CupConfidence) },
                 separator);
  }
  return text;
}
} // namespace itk
