// SPDX-License-Identifier: Apache-2.0
#include "itkRimSectors.h"

#include <cmath>

namespace itk
{
std::array<double, 360> RimSector::GetWeights() const
{
  std::array<double, 360> weights{};
  if (!this->IsKnown())
  {
    return weights;
  }
  constexpr double onBorder = 1e-6;
  for (int degree = static_cast<int>(std::ceil(Begin - onBorder)); degree <= End + onBorder; ++degree)
  {
    const bool border = std::abs(degree - Begin) < onBorder || std::abs(degree - End) < onBorder;
    weights[((degree % 360) + 360) % 360] += border ? 0.5 : 1.0;
  }
  return weights;
}

const std::vector<RimSector> & RimSectors::ClockHours()
{
  static const std::vector<RimSector> hours = [] {
    std::vector<RimSector> sectors;
    for (int hour = 1; hour <= 12; ++hour)
    {
      const double center = 30.0 * hour - 90.0;
      sectors.push_back({ std::to_string(hour), center - 15.0, center + 15.0 });
    }
    return sectors;
  }();
  return hours;
}

const std::vector<RimSector> & RimSectors::ImageQuadrants()
{
  static const std::vector<RimSector> quadrants = {
    { "right", -45.0, 45.0 }, { "inferior", 45.0, 135.0 }, { "left", 135.0, 225.0 }, { "superior", 225.0, 315.0 }
  };
  return quadrants;
}

std::vector<RimSector> RimSectors::Quadrants(EyeSideEnum eye)
{
  const auto & image = RimSectors::ImageQuadrants();
  RimSector    nasal;
  RimSector    temporal;
  if (eye == EyeSideEnum::OD)
  {
    nasal = image[0];
    temporal = image[2];
  }
  else if (eye == EyeSideEnum::OS)
  {
    nasal = image[2];
    temporal = image[0];
  }
  return { { "I", image[1].Begin, image[1].End },
           { "S", image[3].Begin, image[3].End },
           { "N", nasal.Begin, nasal.End },
           { "T", temporal.Begin, temporal.End } };
}

std::vector<RimSector> RimSectors::GarwayHeath(EyeSideEnum eye)
{
  // First and last whole degree from the temporal horizontal through superior.
  struct Row
  {
    const char * Name;
    int          First;
    int          Last;
  };
  static constexpr std::array<Row, 6> table = { {
    { "T", 311, 40 + 360 },
    { "ST", 41, 80 },
    { "SN", 81, 120 },
    { "N", 121, 230 },
    { "IN", 231, 270 },
    { "IT", 271, 310 },
  } };

  std::vector<RimSector> sectors;
  for (const Row & row : table)
  {
    const double begin = row.First - 0.5;
    const double end = row.Last + 0.5;
    switch (eye)
    {
      case EyeSideEnum::OD:
        sectors.push_back({ row.Name, 180.0 + begin, 180.0 + end });
        break;
      case EyeSideEnum::OS:
        sectors.push_back({ row.Name, -end, -begin });
        break;
      case EyeSideEnum::Unknown:
        sectors.push_back({ row.Name, 0.0, 0.0 });
        break;
    }
  }
  return sectors;
}

int RimSectors::ClockHourOf(double theta)
{
  const int hour = static_cast<int>(std::floor((theta + 90.0 + 15.0) / 30.0)) % 12;
  return hour <= 0 ? hour + 12 : hour;
}
} // namespace itk
