// SPDX-License-Identifier: Apache-2.0
#include "itkRimRules.h"

#include "itkMath.h"
#include "itkRimSectors.h"

#include <algorithm>
#include <cmath>

namespace itk
{
namespace RimRules
{
namespace
{
const char * const EyeUnknown = "eye unknown";

/** Mean of the known values under the weights. */
template <typename TValue>
std::optional<double> WeightedMean(const std::array<double, 360> & weights, TValue && value)
{
  double sum = 0.0;
  double total = 0.0;
  for (std::size_t k = 0; k < weights.size(); ++k)
  {
    const std::optional<double> v = weights[k] > 0.0 ? value(k) : std::nullopt;
    if (v)
    {
      sum += weights[k] * *v;
      total += weights[k];
    }
  }
  return total > 0.0 ? std::optional<double>(sum / total) : std::nullopt;
}

std::vector<RimMeasurements::Sector> Tabulate(const std::vector<RimMeasurements::Angle> & profile,
                                              const std::vector<RimSector> &              sectors)
{
  std::vector<RimMeasurements::Sector> table;
  for (const RimSector & definition : sectors)
  {
    RimMeasurements::Sector sector;
    sector.Name = definition.Name;
    if (definition.IsKnown())
    {
      const auto weights = definition.GetWeights();
      double     area = 0.0;
      for (std::size_t k = 0; k < weights.size(); ++k)
      {
        const auto & ray = profile[k];
        area += weights[k] * 0.5 * (ray.DiscRadius * ray.DiscRadius - ray.CupRadius * ray.CupRadius) * Math::pi / 180.0;
        if (weights[k] > 0.0 && ray.RimToDiscRatio &&
            (!sector.MinimumRimToDiscRatio || *ray.RimToDiscRatio < *sector.MinimumRimToDiscRatio))
        {
          sector.MinimumRimToDiscRatio = ray.RimToDiscRatio;
        }
      }
      sector.RimArea = area;
      sector.RimWidth =
        WeightedMean(weights, [&](std::size_t k) { return std::optional<double>(profile[k].RimWidth); });
      sector.RimToDiscRatio = WeightedMean(weights, [&](std::size_t k) { return profile[k].RimToDiscRatio; });
      sector.DiscConfidence = WeightedMean(weights, [&](std::size_t k) { return profile[k].DiscConfidence; });
      sector.CupConfidence = WeightedMean(weights, [&](std::size_t k) { return profile[k].CupConfidence; });
    }
    table.push_back(sector);
  }
  return table;
}

/** Names from the widest to the narrowest quadrant. */
std::optional<RimMeasurements::OrderRule> CheckOrder(const std::vector<RimMeasurements::Sector> & quadrants,
                                                     const std::vector<std::string> &             names)
{
  std::vector<double> widths;
  for (const std::string & name : names)
  {
    for (const auto & quadrant : quadrants)
    {
      if (quadrant.Name == name && quadrant.RimWidth)
      {
        widths.push_back(*quadrant.RimWidth);
      }
    }
  }
  if (widths.size() != names.size())
  {
    return std::nullopt;
  }
  RimMeasurements::OrderRule rule;
  for (std::size_t wider = 0; wider < names.size(); ++wider)
  {
    for (std::size_t narrower = wider + 1; narrower < names.size(); ++narrower)
    {
      rule.Pairs.push_back({ names[wider], names[narrower], widths[wider] - widths[narrower] });
    }
  }
  rule.Margin = std::min_element(rule.Pairs.begin(), rule.Pairs.end(), [](const auto & a, const auto & b) {
                  return a.Margin < b.Margin;
                })->Margin;
  rule.Obeyed = rule.GetViolatedPairs().empty();
  return rule;
}
} // namespace

int DDLSStage(double discDiameter, double minimumRatio, double absentDegrees, std::string & sizeName)
{
  struct Column
  {
    const char *        SizeName;
    std::vector<double> LeastRatios;  // stage k + 1 needs at least LeastRatios[k]; else the next
    std::vector<double> AbsentAtMost; // further stages by the extent of the absent rim
  };
  static const Column small = { "small", { 0.5, 0.4, 0.3, 0.2, 0.1 }, { 45.0, 90.0, 180.0 } };
  static const Column average = { "average", { 0.4, 0.3, 0.2, 0.1 }, { 45.0, 90.0, 180.0, 270.0 } };
  static const Column large = { "large", { 0.3, 0.2, 0.1 }, { 45.0, 90.0, 180.0, 270.0 } };
  const Column &      column = discDiameter < 1.5 ? small : discDiameter > 2.0 ? large : average;
  sizeName = column.SizeName;

  int stage = 1;
  if (absentDegrees > 0.0)
  {
    stage = static_cast<int>(column.LeastRatios.size()) + 2;
    for (const double atMost : column.AbsentAtMost)
    {
      stage += absentDegrees > atMost ? 1 : 0;
    }
    return stage;
  }
  for (const double least : column.LeastRatios)
  {
    stage += minimumRatio < least - 1e-6 ? 1 : 0; // a disc without cup has 0.5 up to rounding
  }
  return stage;
}

double MiddleOfMinimum(const std::vector<double> & values, double tolerance)
{
  const std::size_t n = values.size();
  const double      least = *std::min_element(values.begin(), values.end());
  const auto        isLeast = [&](std::size_t k) { return values[k % n] <= least + tolerance; };
  std::size_t       start = 0;
  while (start < n && isLeast(start))
  {
    ++start;
  }
  if (start == n)
  {
    return -1.0;
  }
  double      middle = -1.0;
  std::size_t longest = 0;
  for (std::size_t k = start; k < start + n; ++k)
  {
    std::size_t length = 0;
    while (isLeast(k + length))
    {
      ++length;
    }
    if (length > longest)
    {
      longest = length;
      middle = std::fmod(static_cast<double>(k) + 0.5 * static_cast<double>(length - 1), static_cast<double>(n));
    }
    k += length;
  }
  return middle;
}

std::vector<RimMeasurements::Notch> FindNotches(const std::vector<double> & ratios)
{
  // A running mean over five degrees keeps single rays of a pixel mask from counting.
  const auto          n = static_cast<int>(ratios.size());
  const auto          wrap = [n](int k) { return ((k % n) + n) % n; };
  std::vector<double> smooth(ratios.size());
  for (int k = 0; k < n; ++k)
  {
    for (int d = -2; d <= 2; ++d)
    {
      smooth[k] += ratios[wrap(k + d)] / 5.0;
    }
  }

  constexpr double tie = 1e-6;
  const auto       risesBothWays = [&](int k) {
    for (const int direction : { -1, 1 })
    {
      bool rises = false;
      for (int d = 1; d < n && !rises; ++d)
      {
        const double value = smooth[wrap(k + direction * d)];
        if (value < smooth[k] - tie)
        {
          return false;
        }
        rises = value >= smooth[k] + NotchProminence;
      }
      if (!rises)
      {
        return false;
      }
    }
    return true;
  };

  std::vector<bool> isMinimum(ratios.size());
  for (int k = 0; k < n; ++k)
  {
    isMinimum[k] = smooth[k] <= NotchRatio && risesBothWays(k);
  }

  // Minima of one basin (never rising by the prominence in between) are one notch.
  std::vector<RimMeasurements::Notch> notches;
  std::vector<bool>                   done(ratios.size());
  for (int k = 0; k < n; ++k)
  {
    if (!isMinimum[k] || done[k])
    {
      continue;
    }
    int first = k;
    int last = k;
    for (const int direction : { -1, 1 })
    {
      for (int d = 1; d < n && smooth[wrap(k + direction * d)] < smooth[k] + NotchProminence; ++d)
      {
        const int other = wrap(k + direction * d);
        if (isMinimum[other])
        {
          done[other] = true;
          (direction < 0 ? first : last) = k + direction * d;
        }
      }
    }
    // Superior (11-1 o'clock) is 225-315 degrees, inferior (5-7 o'clock) 45-135.
    bool atPole = false;
    for (int d = first; d <= last; ++d)
    {
      const int degree = wrap(d);
      atPole = atPole || (degree >= 225 && degree <= 315) || (degree >= 45 && degree <= 135);
    }
    if (atPole)
    {
      const double theta = std::fmod(0.5 * (first + last) + n, static_cast<double>(n));
      notches.push_back({ theta, RimSectors::ClockHourOf(theta), smooth[k] });
    }
  }
  return notches;
}

void Apply(RimMeasurements & m)
{
  m.ClockHours = Tabulate(m.Profile, RimSectors::ClockHours());
  m.ImageQuadrants = Tabulate(m.Profile, RimSectors::ImageQuadrants());
  m.Quadrants = Tabulate(m.Profile, RimSectors::Quadrants(m.Eye));
  m.GarwayHeath = Tabulate(m.Profile, RimSectors::GarwayHeath(m.Eye));

  m.ISNT = CheckOrder(m.Quadrants, { "I", "S", "N", "T" });
  m.IST = CheckOrder(m.Quadrants, { "I", "S", "T" });
  if (m.Eye == EyeSideEnum::Unknown)
  {
    for (const char * name : { "quadrants.N", "quadrants.T", "garway_heath", "isnt", "ist", "disc_torsion_deg" })
    {
      m.Missing[name] = EyeUnknown;
    }
  }

  double width = 0.0;
  for (const auto & ray : m.Profile)
  {
    width += ray.RimWidth / static_cast<double>(m.Profile.size());
  }
  m.MeanRimWidth = width;

  std::vector<double> ratios;
  for (const auto & ray : m.Profile)
  {
    if (ray.RimToDiscRatio)
    {
      ratios.push_back(*ray.RimToDiscRatio);
    }
  }
  if (ratios.size() != m.Profile.size())
  {
    for (const char * name : { "min_rim_to_disc", "absent_rim_deg", "ddls", "notch" })
    {
      m.Missing[name] = "the disc is not met by every ray from its centroid";
    }
    return;
  }

  m.MinimumRimToDiscRatio = *std::min_element(ratios.begin(), ratios.end());
  const double middle = MiddleOfMinimum(ratios, 1e-6);
  if (middle >= 0.0)
  {
    m.MinimumRimTheta = middle;
  }
  else
  {
    m.Missing["min_rim_theta_deg"] = "the rim is equally wide all around";
  }
  m.AbsentRimDegrees = static_cast<double>(
    std::count_if(ratios.begin(), ratios.end(), [](double ratio) { return ratio < AbsentRimRatio; }));
  if (m.MicrometersPerPixel)
  {
    m.DDLS = DDLSStage(
      *m.DiscHeight * *m.MicrometersPerPixel / 1000.0, *m.MinimumRimToDiscRatio, *m.AbsentRimDegrees, m.DDLSDiscSize);
  }
  else
  {
    m.Missing["ddls"] = "no calibration (micrometres per pixel)";
  }
  m.Notches = FindNotches(ratios);
  m.HasNotch = !m.Notches.empty();
}
} // namespace RimRules
} // namespace itk
