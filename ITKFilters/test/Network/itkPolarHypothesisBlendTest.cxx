// SPDX-License-Identifier: Apache-2.0
#include "itkPolarHypothesisBlend.h"
#include "itkMath.h"
#include "itkPolarOccupancy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace
{
constexpr double         Radius = 256.0; // of a 512 crop
const itk::PolarGridSize Grid{ 256, 360, Radius };

struct Circle
{
  double X, Y, R;
};

double Occupancy(const Circle & circle, double x, double y)
{
  return 1.0 / (1.0 + std::exp((std::hypot(x - circle.X, y - circle.Y) - circle.R) / 1.5));
}

/** What an ideal network says: the circle as seen from the hypothesis' centre, monotone along rho. */
itk::PolarHypothesisMaps Render(const itk::PolarHypothesis & hypothesis, const Circle & disc, const Circle & cup)
{
  itk::PolarHypothesisMaps maps;
  maps.Hypothesis = hypothesis;
  maps.Disc.resize(Grid.NumberOfRadii * Grid.NumberOfAngles);
  maps.Cup.resize(maps.Disc.size());
  for (std::size_t at = 0; at < maps.Disc.size(); ++at)
  {
    const double rho = static_cast<double>(at / Grid.NumberOfAngles) / (Grid.NumberOfRadii - 1.0);
    const double theta = itk::Math::twopi * static_cast<double>(at % Grid.NumberOfAngles) / Grid.NumberOfAngles;
    const double reach = rho * Radius * hypothesis.Scale;
    const double x = hypothesis.Dx + reach * std::cos(theta);
    const double y = hypothesis.Dy + reach * std::sin(theta);
    maps.Disc[at] = static_cast<float>(Occupancy(disc, x, y));
    maps.Cup[at] = static_cast<float>(Occupancy(cup, x, y)) * maps.Disc[at];
    if (at >= Grid.NumberOfAngles)
    {
      maps.Disc[at] = std::min(maps.Disc[at], maps.Disc[at - Grid.NumberOfAngles]);
      maps.Cup[at] = std::min(maps.Cup[at], maps.Cup[at - Grid.NumberOfAngles]);
    }
  }
  maps.DiscConfidence.assign(Grid.NumberOfAngles, 0.75f);
  maps.CupConfidence.assign(Grid.NumberOfAngles, 0.25f);
  return maps;
}

std::vector<const itk::PolarHypothesisMaps *> Pointers(const std::vector<itk::PolarHypothesisMaps> & maps)
{
  std::vector<const itk::PolarHypothesisMaps *> pointers;
  for (const auto & map : maps)
  {
    pointers.push_back(&map);
  }
  return pointers;
}

/** Largest distance of the 0.5 boundary about the anchor to a circle, in crop pixels. */
double DistanceToCircle(const itk::PolarBlend & blend, const std::vector<float> & map, const Circle & circle)
{
  bool         finite = false;
  const auto   radii = itk::ExtractRadiiFromOccupancy(map.data(), Grid.NumberOfRadii, Grid.NumberOfAngles, finite);
  double       worst = 0.0;
  const double count = static_cast<double>(radii.size());
  for (std::size_t i = 0; i < radii.size(); ++i)
  {
    const double theta = itk::Math::twopi * static_cast<double>(i) / count;
    const double x = blend.Anchor[0] + blend.Radius * radii[i] * std::cos(theta);
    const double y = blend.Anchor[1] + blend.Radius * radii[i] * std::sin(theta);
    worst = std::max(worst, std::abs(std::hypot(x - circle.X, y - circle.Y) - circle.R));
  }
  return worst;
}

void ExpectNestedMonotone(const itk::PolarBlend & blend)
{
  for (std::size_t at = 0; at < blend.Disc.size(); ++at)
  {
    ASSERT_LE(blend.Cup[at], blend.Disc[at]);
    if (at >= Grid.NumberOfAngles)
    {
      ASSERT_LE(blend.Disc[at], blend.Disc[at - Grid.NumberOfAngles]);
      ASSERT_LE(blend.Cup[at], blend.Cup[at - Grid.NumberOfAngles]);
    }
  }
}
} // namespace

TEST(PolarTTASettings, MakesTheGridsOfTheDesign)
{
  const auto count = [](const char * mode) {
    itk::PolarTTASettings settings;
    settings.Mode = itk::PolarTTAModeFromString(mode);
    const auto hypotheses = settings.MakeHypotheses(512);
    EXPECT_EQ(hypotheses.front().Dx, 0.0f);
    EXPECT_EQ(hypotheses.front().Scale, 1.0f);
    EXPECT_EQ(itk::PolarTTAModeToString(settings.Mode), mode);
    return hypotheses.size();
  };
  EXPECT_EQ(count("off"), 1u);
  EXPECT_EQ(count("reference"), 27u);
  EXPECT_EQ(count("symmetric"), 27u);
  EXPECT_EQ(count("paper"), 75u);
  EXPECT_EQ(count("full"), 27u);
  EXPECT_EQ(count("fast"), 27u);
  EXPECT_THROW(itk::PolarTTAModeFromString("best"), itk::ExceptionObject);
  EXPECT_THROW(itk::PolarTTAModeFromString("custom"), itk::ExceptionObject);

  // Offsets are those of a crop of 512 pixels.
  itk::PolarTTASettings settings;
  settings.Mode = itk::PolarTTAModeEnum::Symmetric;
  EXPECT_EQ(settings.MakeHypotheses(256).back().Dx, 4.0f);
}

TEST(PolarTTASettings, TheFirstHypothesesOfFastAreBalanced)
{
  itk::PolarTTASettings settings;
  settings.Mode = itk::PolarTTAModeEnum::Fast;
  const auto hypotheses = settings.MakeHypotheses(512);
  settings.Mode = itk::PolarTTAModeEnum::Full;
  const auto full = settings.MakeHypotheses(512);
  double     sums[6]{};
  for (std::size_t i = 0; i < 5; ++i)
  {
    const auto & h = hypotheses[i];
    EXPECT_EQ(h.Dx, full[i].Dx);
    EXPECT_EQ(h.Scale, full[i].Scale);
    const double dx = h.Dx;
    const double dy = h.Dy;
    const double ds = h.Scale - 1.0;
    EXPECT_EQ(i > 0, dx * dy * ds != 0.0);
    const double products[6]{ dx, dy, ds, dx * dy, dx * ds, dy * ds };
    for (unsigned int k = 0; k < 6; ++k)
    {
      sums[k] += products[k];
    }
  }
  for (const double sum : sums)
  {
    EXPECT_NEAR(sum, 0.0, 1e-5);
  }
}

TEST(PolarHypothesisBlend, CompactnessIsThatOfTheShape)
{
  EXPECT_NEAR(itk::ComputePolarCompactness(std::vector<double>(360, 0.3)), 1.0, 1e-4);
  EXPECT_EQ(itk::ComputePolarCompactness(std::vector<double>(360, 0.0)), 0.0);
  // Ellipse 2:1: area 2 pi, circumference 9.68845.
  std::vector<double> ellipse(3600);
  for (std::size_t i = 0; i < ellipse.size(); ++i)
  {
    const double theta = itk::Math::twopi * static_cast<double>(i) / static_cast<double>(ellipse.size());
    ellipse[i] = 2.0 / std::hypot(std::cos(theta), 2.0 * std::sin(theta));
  }
  EXPECT_NEAR(itk::ComputePolarCompactness(ellipse), 8.0 * itk::Math::pi * itk::Math::pi / (9.68845 * 9.68845), 1e-4);
  std::vector<double> spiky(360, 0.3);
  for (std::size_t i = 0; i < spiky.size(); i += 2)
  {
    spiky[i] = 0.2;
  }
  EXPECT_LT(itk::ComputePolarCompactness(spiky), 0.1);
}

TEST(PolarHypothesisBlend, ScoreIsTheEquationOfThePaper)
{
  const auto                  maps = Render({}, { 0, 0, 100 }, { 0, 0, 40 });
  const itk::PolarTTASettings settings;
  double                      mass = 0.0;
  for (const float p : maps.Disc)
  {
    mass += p;
  }
  mass /= static_cast<double>(maps.Disc.size());
  EXPECT_NEAR(itk::ComputePolarScore(maps, Grid, settings, false), 0.4 * mass + 0.4 * 0.75 + 0.2 * 1.0, 1e-3);

  auto empty = maps;
  std::fill(empty.Disc.begin(), empty.Disc.end(), 0.1f);
  EXPECT_NEAR(itk::ComputePolarScore(empty, Grid, settings, false), 0.04 + 0.3, 1e-6);
  EXPECT_NEAR(itk::ComputePolarScore(empty, Grid, settings, true), 0.04 + 0.3, 1e-6);
}

TEST(PolarHypothesisBlend, ConsensusPrefersNoScaleAndFindsTheOutlier)
{
  const Circle                disc{ 3, -2, 110 };
  const Circle                cup{ 8, -4, 45 };
  auto                        maps = std::vector<itk::PolarHypothesisMaps>{ Render({ 0, 0, 1.0f }, disc, cup),
                                                                            Render({ 8, 0, 0.85f }, disc, cup),
                                                                            Render({ 0, -8, 1.15f }, disc, cup),
                                                                            Render({ -8, 8, 1.0f }, disc, cup) };
  const auto                  agreeing = itk::ComputeConsensusScores(Pointers(maps), Grid);
  const itk::PolarTTASettings settings;
  for (const double score : agreeing)
  {
    EXPECT_GT(score, 0.995);
    EXPECT_LE(score, 1.0);
  }
  // What the paper's score says of the same four pictures of one disc.
  EXPECT_GT(itk::ComputePolarScore(maps[1], Grid, settings, false),
            itk::ComputePolarScore(maps[2], Grid, settings, false) + 0.05);

  maps.push_back(Render({ 4, 4, 1.0f }, disc, { 8, -4, 25 }));
  const auto scores = itk::ComputeConsensusScores(Pointers(maps), Grid);
  EXPECT_EQ(std::min_element(scores.begin(), scores.end()) - scores.begin(), 4);
  EXPECT_LT(scores[4], 0.8);
  const auto weights = itk::ComputeBlendWeights(scores, settings.ConsensusTemperature);
  EXPECT_LT(weights[4], 0.01);
  const auto blend = itk::BlendPolarHypotheses(Pointers(maps), weights, Grid);
  EXPECT_LT(DistanceToCircle(blend, blend.Cup, cup), 0.7);

  EXPECT_DOUBLE_EQ(itk::ComputeConsensusScores({ &maps[0] }, Grid).front(), 1.0);
}

TEST(PolarHypothesisBlend, ConsensusIsContinuousAndKnowsNothingAboutNothing)
{
  const Circle disc{ 0, 0, 110 };
  const Circle none{ 0, 0, -1000 };
  const auto   scores = [&](double radius) {
    const auto maps = std::vector<itk::PolarHypothesisMaps>{ Render({}, disc, none),
                                                             Render({ 4, 4, 1.03f }, disc, none),
                                                             Render({ -4, 4, 0.97f }, { 0, 0, radius }, none) };
    return itk::ComputeConsensusScores(Pointers(maps), Grid);
  };
  double last = scores(100.0).back();
  EXPECT_NEAR(last, 0.5 * (1.0 + 2.0 * 100.0 * 100.0 / (100.0 * 100.0 + 110.0 * 110.0)), 2e-3);
  for (double radius = 100.25; radius < 103.0; radius += 0.25)
  {
    const double score = scores(radius).back();
    EXPECT_GT(score, last);
    EXPECT_LT(score, last + 3e-3);
    last = score;
  }
}

TEST(PolarHypothesisBlend, KeepsASmallEccentricCup)
{
  const Circle disc{ 3, -2, 120 };
  const Circle cup{ 10, -6, 12 };
  const auto   maps = std::vector<itk::PolarHypothesisMaps>{ Render({ 0, 0, 1.0f }, disc, cup),
                                                             Render({ 8, 0, 0.85f }, disc, cup),
                                                             Render({ 8, -8, 1.15f }, disc, cup) };
  const auto   blend = itk::BlendPolarHypotheses(Pointers(maps), { 0.4, 0.3, 0.3 }, Grid);
  EXPECT_LT(std::hypot(blend.Anchor[0] - cup.X, blend.Anchor[1] - cup.Y), 4.0);
  EXPECT_LT(DistanceToCircle(blend, blend.Disc, disc), 0.5);
  EXPECT_LT(DistanceToCircle(blend, blend.Cup, cup), 1.0);
  ExpectNestedMonotone(blend);
  EXPECT_NEAR(blend.DiscConfidence.at(100), 0.75, 1e-6);
  EXPECT_NEAR(blend.CupConfidence.at(100), 0.25, 1e-6);
}

TEST(PolarHypothesisBlend, KeepsACupThatOneCentreMisses)
{
  const Circle disc{ 0, 0, 110 };
  const Circle cup{ 20, 5, 6 };
  const auto   maps = std::vector<itk::PolarHypothesisMaps>{ Render({ 16, 8, 1.0f }, disc, cup),
                                                             Render({ 16, 0, 1.0f }, disc, cup),
                                                             Render({ 24, 8, 1.0f }, disc, cup) };
  bool         finite = false;
  for (const double r : itk::ExtractRadiiFromOccupancy(maps[1].Cup.data(), 256, 360, finite))
  {
    ASSERT_EQ(r, 0.0); // seen from outside, a star-convex map has no cup
  }
  const auto blend = itk::BlendPolarHypotheses(Pointers(maps), { 1.0 / 3, 1.0 / 3, 1.0 / 3 }, Grid);
  EXPECT_LT(std::hypot(blend.Anchor[0] - cup.X, blend.Anchor[1] - cup.Y), cup.R);
  const auto radii = itk::ExtractRadiiFromOccupancy(blend.Cup.data(), 256, 360, finite);
  EXPECT_GT(*std::min_element(radii.begin(), radii.end()) * blend.Radius, 2.0);
  EXPECT_LT(DistanceToCircle(blend, blend.Disc, disc), 0.5);
  ExpectNestedMonotone(blend);
}

TEST(PolarHypothesisBlend, AHypothesisAbstainsOutsideItsCircle)
{
  // Half the weight knows nothing beyond 102 pixels; voting zero there would cut the disc off.
  const Circle disc{ 0, 0, 130 };
  const Circle cup{ 0, 0, 50 };
  const auto   maps =
    std::vector<itk::PolarHypothesisMaps>{ Render({ 4, 0, 0.4f }, disc, cup), Render({ 0, 4, 1.0f }, disc, cup) };
  const auto blend = itk::BlendPolarHypotheses(Pointers(maps), { 0.7, 0.3 }, Grid);
  EXPECT_LT(DistanceToCircle(blend, blend.Disc, disc), 0.5);
  EXPECT_LT(DistanceToCircle(blend, blend.Cup, cup), 0.5);
}

TEST(PolarHypothesisBlend, WithoutACupTheAnchorLiesInTheDisc)
{
  const Circle disc{ 30, 10, 90 };
  const Circle none{ 0, 0, -1000 };
  const auto maps = std::vector<itk::PolarHypothesisMaps>{ Render({}, disc, none), Render({ 8, 8, 1.0f }, disc, none) };
  const auto blend = itk::BlendPolarHypotheses(Pointers(maps), { 0.5, 0.5 }, Grid);
  EXPECT_LT(std::hypot(blend.Anchor[0] - disc.X, blend.Anchor[1] - disc.Y), 25.0);
  EXPECT_LT(DistanceToCircle(blend, blend.Disc, disc), 0.5);

  const auto nothing = std::vector<itk::PolarHypothesisMaps>{ Render({}, none, none), Render({ 8, 8, 1 }, none, none) };
  const auto empty = itk::BlendPolarHypotheses(Pointers(nothing), { 0.5, 0.5 }, Grid);
  EXPECT_LT(*std::max_element(empty.Disc.begin(), empty.Disc.end()), 0.5f);
}

TEST(PolarHypothesisBlend, OnTheCropIsThePlainWeightedMean)
{
  const Circle disc{ 5, -3, 100 };
  const Circle cup{ 5, -3, 40 };
  const auto maps = std::vector<itk::PolarHypothesisMaps>{ Render({}, disc, cup), Render({ 8, 8, 0.85f }, disc, cup) };
  const auto image = itk::BlendPolarHypothesesOnCrop(Pointers(maps), { 0.25, 0.75 }, Grid, 512, false);
  double     worst = 0.0;
  for (int y = 0; y < 512; y += 7)
  {
    for (int x = 0; x < 512; x += 7)
    {
      const double u = x - 255.5;
      const double v = y - 255.5;
      const double first = std::hypot(u, v) <= 256.0 ? 1.0 : 0.0;
      const double second = std::hypot(u - 8, v - 8) <= 256.0 * 0.85 ? 1.0 : 0.0;
      const double expected = Occupancy(disc, u, v) * (0.25 * first + 0.75 * second);
      worst = std::max(worst, std::abs(expected - image[static_cast<std::size_t>(y) * 512 + x]));
    }
  }
  EXPECT_LT(worst, 0.02);
  const auto cupImage = itk::BlendPolarHypothesesOnCrop(Pointers(maps), { 0.25, 0.75 }, Grid, 512, true);
  const auto blend = itk::MakePolarBlendFromCrop(image, cupImage, 512, Grid);
  EXPECT_LT(DistanceToCircle(blend, blend.Disc, disc), 0.7);
  EXPECT_LT(DistanceToCircle(blend, blend.Cup, cup), 0.7);
  ExpectNestedMonotone(blend);
}

TEST(PolarHypothesisBlend, MirroringIsAnInvolutionAboutTheVertical)
{
  std::vector<float> map(2 * 8);
  for (std::size_t i = 0; i < map.size(); ++i)
  {
    map[i] = static_cast<float>(i);
  }
  const auto original = map;
  itk::MirrorPolarMaps(map.data(), 2, 8);
  EXPECT_EQ(map[0], 4.0f); // right becomes left
  EXPECT_EQ(map[2], 2.0f); // down stays down
  EXPECT_EQ(map[6], 6.0f);
  EXPECT_EQ(map[8 + 1], 8.0f + 3.0f);
  itk::MirrorPolarMaps(map.data(), 2, 8);
  EXPECT_EQ(map, original);
}

TEST(PolarHypothesisBlend, IsNestedAndMonotoneForAnyMaps)
{
  constexpr unsigned int   seed = 99;
  std::mt19937             random(seed);
  const auto               uniform = [&random] { return std::uniform_real_distribution<float>(0.0f, 1.0f)(random); };
  const itk::PolarGridSize grid{ 16, 24, 32.0 };
  for (int trial = 0; trial < 300; ++trial)
  {
    std::vector<itk::PolarHypothesisMaps> maps(1 + trial % 4);
    std::vector<double>                   scores;
    for (auto & map : maps)
    {
      map.Hypothesis = { 20.0f * (uniform() - 0.5f), 20.0f * (uniform() - 0.5f), 0.5f + uniform() };
      map.Disc.resize(16 * 24);
      map.Cup.resize(16 * 24);
      for (std::size_t at = 0; at < map.Disc.size(); ++at)
      {
        map.Disc[at] = at < 24 ? uniform() : map.Disc[at - 24] * (trial % 2 ? uniform() : 1.0f);
        map.Cup[at] = map.Disc[at] * (trial % 3 ? uniform() : 1.0f);
      }
      scores.push_back(uniform());
    }
    const auto blend = itk::BlendPolarHypotheses(Pointers(maps), itk::ComputeBlendWeights(scores, 1.0), grid);
    for (std::size_t at = 0; at < blend.Disc.size(); ++at)
    {
      ASSERT_LE(blend.Cup[at], blend.Disc[at]);
      ASSERT_GE(blend.Cup[at], 0.0f);
      ASSERT_LE(blend.Disc[at], 1.0f);
      if (at >= 24)
      {
        ASSERT_LE(blend.Disc[at], blend.Disc[at - 24]);
        ASSERT_LE(blend.Cup[at], blend.Cup[at - 24]);
      }
    }
  }
}
