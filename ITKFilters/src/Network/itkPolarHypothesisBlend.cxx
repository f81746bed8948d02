// SPDX-License-Identifier: Apache-2.0
#include "itkPolarHypothesisBlend.h"

#include "itkImage.h"
#include "itkMath.h"
#include "itkPolarOccupancy.h"
#include "itkSignedMaurerDistanceMapImageFilter.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace itk
{
namespace
{
using Cell = PolarCell<double>;

/** The bins of a hypothesis, relative to the crop's centre. */
PolarGrid<double> GridOf(const PolarHypothesis & hypothesis, const PolarGridSize & size)
{
  const double radius = size.Radius * hypothesis.Scale;
  return { { hypothesis.Dx, hypothesis.Dy },
           { radius, radius },
           static_cast<int>(size.NumberOfRadii),
           static_cast<int>(size.NumberOfAngles) };
}

double ValueAt(const Cell & cell, const std::vector<float> & map, const PolarGridSize & size)
{
  return cell.Interpolate([&](int j, int i) { return map[static_cast<std::size_t>(j) * size.NumberOfAngles + i]; });
}

double ValueAtAngle(const Cell & cell, const std::vector<float> & profile)
{
  return profile[cell.Angle0] * (1.0 - cell.AngleWeight) + profile[cell.Angle1] * cell.AngleWeight;
}

struct Box
{
  double Low[2]{ std::numeric_limits<double>::max(), std::numeric_limits<double>::max() };
  double High[2]{ std::numeric_limits<double>::lowest(), std::numeric_limits<double>::lowest() };

  bool IsEmpty() const { return Low[0] > High[0]; }
  void Add(double x, double y)
  {
    Low[0] = std::min(Low[0], x);
    Low[1] = std::min(Low[1], y);
    High[0] = std::max(High[0], x);
    High[1] = std::max(High[1], y);
  }
};

std::vector<double> ExtractRadii(const std::vector<float> & map, const PolarGridSize & grid)
{
  bool finite = false;
  return ExtractRadiiFromOccupancy(map.data(), grid.NumberOfRadii, grid.NumberOfAngles, finite);
}

/** Box of all points where one of the hypotheses alone sees the structure: the blend cannot see it elsewhere. */
Box FindBox(const std::vector<const PolarHypothesisMaps *> & maps, const PolarGridSize & grid, bool cup)
{
  Box box;
  for (const auto * map : maps)
  {
    const std::vector<double> radii = ExtractRadii(cup ? map->Cup : map->Disc, grid);
    const double              radius = grid.Radius * map->Hypothesis.Scale;
    for (std::size_t i = 0; i < radii.size(); ++i)
    {
      if (radii[i] > 0.0)
      {
        const double theta = Math::twopi * static_cast<double>(i) / static_cast<double>(radii.size());
        box.Add(map->Hypothesis.Dx + radius * radii[i] * std::cos(theta),
                map->Hypothesis.Dy + radius * radii[i] * std::sin(theta));
        box.Add(map->Hypothesis.Dx, map->Hypothesis.Dy);
      }
    }
  }
  return box;
}

using OccupancyFunction = std::function<double(double x, double y)>;

/** A point deep inside {P > 0.5}, near its centroid; false when the lattice on the box meets no such point. */
bool FindAnchor(const Box & box, const OccupancyFunction & occupancy, std::array<double, 2> & anchor)
{
  if (box.IsEmpty())
  {
    return false;
  }
  // An odd number of points, so that the middle of the box, a small structure's best chance, is one of them.
  constexpr int n = 97;
  const double  extent = std::max({ box.High[0] - box.Low[0], box.High[1] - box.Low[1], 1e-6 });
  const double  step = extent / (n - 1);
  const double  x0 = 0.5 * (box.Low[0] + box.High[0]) - 0.5 * extent;
  const double  y0 = 0.5 * (box.Low[1] + box.High[1]) - 0.5 * extent;

  using LatticeType = Image<unsigned char, 2>;
  const auto lattice = LatticeType::New(); // with a ring of points outside
  lattice->SetRegions(LatticeType::SizeType{ { n + 2, n + 2 } });
  lattice->Allocate(true);
  double sumX = 0.0;
  double sumY = 0.0;
  double count = 0.0;
  for (int j = 0; j < n; ++j)
  {
    for (int i = 0; i < n; ++i)
    {
      if (occupancy(x0 + i * step, y0 + j * step) > 0.5)
      {
        lattice->SetPixel({ { i + 1, j + 1 } }, 1);
        sumX += i;
        sumY += j;
        count += 1.0;
      }
    }
  }
  if (count == 0.0)
  {
    return false;
  }
  using DistanceFilterType = SignedMaurerDistanceMapImageFilter<LatticeType, Image<float, 2>>;
  const auto distances = DistanceFilterType::New();
  distances->SetInput(lattice);
  distances->SquaredDistanceOff();
  distances->InsideIsPositiveOn();
  distances->Update();
  const auto * depths = distances->GetOutput();
  const float  deepest = *std::max_element(depths->GetBufferPointer(),
                                          depths->GetBufferPointer() + depths->GetBufferedRegion().GetNumberOfPixels());
  double       nearest = std::numeric_limits<double>::max();
  for (int j = 0; j < n; ++j)
  {
    for (int i = 0; i < n; ++i)
    {
      // The filter counts from the outermost points inside, whose depth is one step.
      const float depth = depths->GetPixel({ { i + 1, j + 1 } }) + 1.0f;
      if (lattice->GetPixel({ { i + 1, j + 1 } }) != 0 && 5.0f * depth >= 4.0f * (deepest + 1.0f))
      {
        const double distance = std::hypot(i - sumX / count, j - sumY / count);
        if (distance < nearest)
        {
          nearest = distance;
          anchor = { { x0 + i * step, y0 + j * step } };
        }
      }
    }
  }
  return true;
}

/** Non-increasing along rho, cup <= disc. */
void MakeNestedMonotone(PolarBlend & blend, const PolarGridSize & grid)
{
  const std::size_t n = grid.NumberOfAngles;
  for (std::size_t at = 0; at < blend.Disc.size(); ++at)
  {
    if (at >= n)
    {
      blend.Disc[at] = std::min(blend.Disc[at], blend.Disc[at - n]);
      blend.Cup[at] = std::min(blend.Cup[at], blend.Cup[at - n]);
    }
    blend.Cup[at] = std::min(blend.Cup[at], blend.Disc[at]);
  }
}

/** Fills the maps of a blend about its anchor from a function that gives disc and cup at a point. */
template <typename TFunction>
void SampleAboutAnchor(PolarBlend & blend, const PolarGridSize & grid, TFunction function)
{
  const std::size_t       n = grid.NumberOfAngles;
  const PolarGrid<double> bins{ { blend.Anchor[0], blend.Anchor[1] },
                                { blend.Radius, blend.Radius },
                                static_cast<int>(grid.NumberOfRadii),
                                static_cast<int>(n) };
  blend.Disc.assign(grid.NumberOfRadii * n, 0.0f);
  blend.Cup.assign(grid.NumberOfRadii * n, 0.0f);
  for (int i = 0; i < bins.NumberOfAngles; ++i)
  {
    double direction[2];
    bins.GetDirection(i, bins.NumberOfAngles, direction);
    for (int j = 0; j < bins.NumberOfRadii; ++j)
    {
      double point[2];
      bins.GetPoint(j, direction, point);
      const auto        values = function(point[0], point[1]);
      const std::size_t at = static_cast<std::size_t>(j) * n + static_cast<std::size_t>(i);
      blend.Disc[at] = static_cast<float>(values[0]);
      blend.Cup[at] = static_cast<float>(values[1]);
    }
  }
  MakeNestedMonotone(blend, grid);
}

/** Weighted mean of the hypotheses that know the point, disc and cup; 0 where none does. */
std::array<double, 2> BlendAt(double                                           x,
                              double                                           y,
                              const std::vector<const PolarHypothesisMaps *> & maps,
                              const std::vector<double> &                      weights,
                              const PolarGridSize &                            grid)
{
  std::array<double, 2> sum{ { 0.0, 0.0 } };
  double                weight = 0.0;
  for (std::size_t k = 0; k < maps.size(); ++k)
  {
    Cell cell;
    if (GridOf(maps[k]->Hypothesis, grid).Locate(x, y, cell))
    {
      sum[0] += weights[k] * ValueAt(cell, maps[k]->Disc, grid);
      sum[1] += weights[k] * ValueAt(cell, maps[k]->Cup, grid);
      weight += weights[k];
    }
  }
  return weight > 0.0 ? std::array<double, 2>{ { sum[0] / weight, sum[1] / weight } } : sum;
}

/** Confidences along the blended disc's boundary: each hypothesis at the angle under which it sees that point. */
void BlendConfidences(PolarBlend &                                     blend,
                      const std::vector<const PolarHypothesisMaps *> & maps,
                      const std::vector<double> &                      weights,
                      const PolarGridSize &                            grid)
{
  if (maps.front()->DiscConfidence.empty())
  {
    return;
  }
  const std::vector<double> radii = ExtractRadii(blend.Disc, grid);
  blend.DiscConfidence.assign(radii.size(), 0.0);
  blend.CupConfidence.assign(radii.size(), 0.0);
  for (std::size_t i = 0; i < radii.size(); ++i)
  {
    const double theta = Math::twopi * static_cast<double>(i) / static_cast<double>(radii.size());
    const double reach = blend.Radius * std::max(radii[i], 1e-6);
    double       weight = 0.0;
    for (std::size_t k = 0; k < maps.size(); ++k)
    {
      Cell cell;
      if (GridOf(maps[k]->Hypothesis, grid)
            .Locate(blend.Anchor[0] + reach * std::cos(theta), blend.Anchor[1] + reach * std::sin(theta), cell))
      {
        blend.DiscConfidence[i] += weights[k] * ValueAtAngle(cell, maps[k]->DiscConfidence);
        blend.CupConfidence[i] += weights[k] * ValueAtAngle(cell, maps[k]->CupConfidence);
        weight += weights[k];
      }
    }
    for (auto * profile : { &blend.DiscConfidence, &blend.CupConfidence })
    {
      (*profile)[i] = weight > 0.0 ? std::clamp((*profile)[i] / weight, 0.0, 1.0) : 0.0;
    }
  }
}

bool AllFinite(const std::vector<float> & values)
{
  return std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); });
}

double Mean(const std::vector<float> & values)
{
  return values.empty() ? 0.0 : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/** Bilinear in an N x N crop about its centre; 0 outside. */
double SampleCrop(const std::vector<float> & crop, unsigned int size, double x, double y)
{
  double value = 0.0;
  SampleBilinearZeroOutside(crop.data(),
                            static_cast<int>(size),
                            static_cast<int>(size),
                            1,
                            x + 0.5 * (size - 1.0),
                            y + 0.5 * (size - 1.0),
                            &value);
  return value;
}
} // namespace

bool IsFinite(const PolarHypothesisMaps & maps)
{
  return AllFinite(maps.Disc) && AllFinite(maps.Cup) && AllFinite(maps.DiscConfidence) && AllFinite(maps.CupConfidence);
}

double ComputePolarCompactness(const std::vector<double> & radii)
{
  const std::size_t n = radii.size();
  const double      angle = Math::twopi / static_cast<double>(n);
  double            area = 0.0;
  double            perimeter = 0.0;
  for (std::size_t i = 0; i < n; ++i)
  {
    const double a = radii[i];
    const double b = radii[i + 1 == n ? 0 : i + 1];
    area += 0.5 * a * b * std::sin(angle);
    perimeter += std::sqrt(std::max(0.0, a * a + b * b - 2.0 * a * b * std::cos(angle)));
  }
  return perimeter > 0.0 ? 4.0 * Math::pi * area / (perimeter * perimeter) : 0.0;
}

double ComputePolarScore(const PolarHypothesisMaps & maps,
                         const PolarGridSize &       grid,
                         const PolarTTASettings &    settings,
                         bool                        reference)
{
  const std::vector<double> radii = ExtractRadii(maps.Disc, grid);
  double                    compactness = 0.0;
  if (!reference)
  {
    compactness = ComputePolarCompactness(radii);
  }
  else
  {
    // The authors divide the disc's pixels inside the circle by all its pixels, and outside the circle there are none.
    const double reach = *std::max_element(radii.begin(), radii.end()) * grid.Radius * maps.Hypothesis.Scale;
    bool         any = reach > 2.0; // farther than the nearest pixel centre
    for (double y = -2.5; !any && y < 3.0; y += 1.0)
    {
      for (double x = -2.5; !any && x < 3.0; x += 1.0)
      {
        Cell cell;
        any = GridOf(maps.Hypothesis, grid)
                .Locate(std::round(maps.Hypothesis.Dx) + x, std::round(maps.Hypothesis.Dy) + y, cell) &&
              ValueAt(cell, maps.Disc, grid) > 0.5;
      }
    }
    compactness = any ? 1.0 : 0.0;
  }
  return settings.MassWeight * Mean(maps.Disc) + settings.ConfidenceWeight * Mean(maps.DiscConfidence) +
         settings.CompactnessWeight * compactness;
}

std::vector<double> ComputeConsensusScores(const std::vector<const PolarHypothesisMaps *> & maps,
                                           const PolarGridSize &                            grid)
{
  const std::size_t n = maps.size();
  Box               box;
  for (const auto * map : maps)
  {
    const double radius = grid.Radius * map->Hypothesis.Scale;
    box.Add(map->Hypothesis.Dx - radius, map->Hypothesis.Dy - radius);
    box.Add(map->Hypothesis.Dx + radius, map->Hypothesis.Dy + radius);
  }
  constexpr int                      points = 96; // along a side
  std::vector<std::array<double, 2>> common(n);   // sum of min(P, M), disc and cup
  std::vector<std::array<double, 2>> total(n);    // sum of P + M
  std::vector<std::array<double, 2>> values(n);
  std::vector<std::size_t>           inside;
  for (int at = 0; at < points * points; ++at)
  {
    const int    column = at % points;
    const int    row = at / points;
    const double x = box.Low[0] + (column + 0.5) / points * (box.High[0] - box.Low[0]);
    const double y = box.Low[1] + (row + 0.5) / points * (box.High[1] - box.Low[1]);
    inside.clear();
    std::array<double, 2> sum{ { 0.0, 0.0 } };
    for (std::size_t k = 0; k < n; ++k)
    {
      Cell cell;
      if (GridOf(maps[k]->Hypothesis, grid).Locate(x, y, cell))
      {
        inside.push_back(k);
        values[k] = { { ValueAt(cell, maps[k]->Disc, grid), ValueAt(cell, maps[k]->Cup, grid) } };
        sum[0] += values[k][0];
        sum[1] += values[k][1];
      }
    }
    for (std::size_t j = 0; inside.size() > 1 && j < inside.size(); ++j)
    {
      const std::size_t k = inside[j];
      for (unsigned int c = 0; c < 2; ++c)
      {
        const double others = std::max(0.0, sum[c] - values[k][c]) / static_cast<double>(inside.size() - 1);
        common[k][c] += std::min(values[k][c], others);
        total[k][c] += values[k][c] + others;
      }
    }
  }
  // One point's worth of agreement for free: structures that are hardly there at all cannot disagree.
  std::vector<double> scores(n);
  for (std::size_t k = 0; k < n; ++k)
  {
    scores[k] =
      0.5 * ((2.0 * common[k][0] + 1.0) / (total[k][0] + 1.0) + (2.0 * common[k][1] + 1.0) / (total[k][1] + 1.0));
  }
  return scores;
}

std::vector<double> ComputeBlendWeights(const std::vector<double> & scores, double temperature)
{
  std::vector<double> weights(scores.size());
  const double        best = *std::max_element(scores.begin(), scores.end());
  double              sum = 0.0;
  for (std::size_t k = 0; k < scores.size(); ++k)
  {
    weights[k] = std::exp((scores[k] - best) / temperature);
    sum += weights[k];
  }
  for (double & weight : weights)
  {
    weight /= sum;
  }
  return weights;
}

PolarBlend BlendPolarHypotheses(const std::vector<const PolarHypothesisMaps *> & maps,
                                const std::vector<double> &                      weights,
                                const PolarGridSize &                            grid)
{
  PolarBlend blend;
  if (maps.size() == 1)
  {
    const PolarHypothesisMaps & only = *maps.front();
    blend.Anchor = { { only.Hypothesis.Dx, only.Hypothesis.Dy } };
    blend.Radius = grid.Radius * only.Hypothesis.Scale;
    blend.Disc = only.Disc;
    blend.Cup = only.Cup;
    MakeNestedMonotone(blend, grid);
    BlendConfidences(blend, maps, weights, grid);
    return blend;
  }
  blend.Anchor = { { maps.front()->Hypothesis.Dx, maps.front()->Hypothesis.Dy } };
  for (const bool cup : { true, false })
  {
    const auto occupancy = [&](double x, double y) { return BlendAt(x, y, maps, weights, grid)[cup ? 1 : 0]; };
    if (FindAnchor(FindBox(maps, grid, cup), occupancy, blend.Anchor))
    {
      break;
    }
  }
  // Wide enough for every point that any hypothesis knows.
  blend.Radius = 0.0;
  for (const auto * map : maps)
  {
    const double distance = std::hypot(map->Hypothesis.Dx - blend.Anchor[0], map->Hypothesis.Dy - blend.Anchor[1]);
    blend.Radius = std::max(blend.Radius, distance + grid.Radius * map->Hypothesis.Scale);
  }
  SampleAboutAnchor(blend, grid, [&](double x, double y) { return BlendAt(x, y, maps, weights, grid); });
  BlendConfidences(blend, maps, weights, grid);
  return blend;
}

std::vector<float> BlendPolarHypothesesOnCrop(const std::vector<const PolarHypothesisMaps *> & maps,
                                              const std::vector<double> &                      weights,
                                              const PolarGridSize &                            grid,
                                              unsigned int                                     cropSize,
                                              bool                                             cup)
{
  std::vector<float> out(std::size_t{ cropSize } * cropSize, 0.0f);
  const double       middle = 0.5 * (cropSize - 1.0);
  for (unsigned int y = 0; y < cropSize; ++y)
  {
    for (unsigned int x = 0; x < cropSize; ++x)
    {
      double sum = 0.0;
      for (std::size_t k = 0; k < maps.size(); ++k)
      {
        Cell cell;
        if (GridOf(maps[k]->Hypothesis, grid).Locate(x - middle, y - middle, cell))
        {
          sum += weights[k] * ValueAt(cell, cup ? maps[k]->Cup : maps[k]->Disc, grid);
        }
      }
      out[std::size_t{ y } * cropSize + x] = static_cast<float>(sum);
    }
  }
  return out;
}

PolarBlend MakePolarBlendFromCrop(const std::vector<float> & disc,
                                  const std::vector<float> & cup,
                                  unsigned int               cropSize,
                                  const PolarGridSize &      grid)
{
  PolarBlend   blend;
  const double middle = 0.5 * (cropSize - 1.0);
  for (const auto * map : { &cup, &disc })
  {
    Box box;
    for (std::size_t at = 0; at < map->size(); ++at)
    {
      if ((*map)[at] > 0.5f)
      {
        const std::size_t row = at / cropSize;
        box.Add(static_cast<double>(at % cropSize) - middle, static_cast<double>(row) - middle);
      }
    }
    if (FindAnchor(
          box, [&](double x, double y) { return SampleCrop(*map, cropSize, x, y); }, blend.Anchor))
    {
      break;
    }
  }
  // To the farthest corner of the crop.
  blend.Radius = std::hypot(middle + std::abs(blend.Anchor[0]), middle + std::abs(blend.Anchor[1]));
  SampleAboutAnchor(blend, grid, [&](double x, double y) {
    return std::array<double, 2>{ { SampleCrop(disc, cropSize, x, y), SampleCrop(cup, cropSize, x, y) } };
  });
  return blend;
}

void MirrorPolarMaps(float * maps, std::size_t rows, std::size_t angles)
{
  for (std::size_t row = 0; row < rows; ++row)
  {
    // i -> (angles / 2 - i) mod angles: two fixed points, the rest swaps in pairs.
    float * values = maps + row * angles;
    for (std::size_t i = 0; i < angles; ++i)
    {
      const std::size_t other = (angles + angles / 2 - i) % angles;
      if (i < other)
      {
        std::swap(values[i], values[other]);
      }
    }
  }
}
} // namespace itk
