// SPDX-License-Identifier: Apache-2.0
#include "itkUnrelatedPicture.h"

#include "detail/itkBilinear.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace itk
{
namespace
{
constexpr double Pi = 3.14159265358979323846;
using Color = std::array<double, 3>;

Color RandomColor(TrainingRandom & random)
{
  if (random.Chance(0.5))
  {
    const double red = random.Uniform(50.0, 255.0); // as a fundus has it
    const double green = red * random.Uniform(0.25, 0.85);
    return { { red, green, green * random.Uniform(0.15, 0.95) } };
  }
  return { { random.Uniform(0.0, 255.0), random.Uniform(0.0, 255.0), random.Uniform(0.0, 255.0) } };
}

/** A superellipse (|u / a|^p + |v / b|^p)^(1/p) < 1 with a soft edge: diamond, ellipse, box or stripe, filled or a
 * ring.
 */
struct Patch
{
  double X{ 0.0 };
  double Y{ 0.0 };
  double A{ 1.0 };
  double B{ 1.0 };
  double Rotation{ 0.0 };
  double Power{ 2.0 };
  double Softness{ 0.1 }; ///< part of the half axes over which it fades
  double Hole{ 0.0 };     ///< part of the half axes that is left out of the middle
  double Opacity{ 1.0 };
  Color  Middle{ { 255, 255, 255 } };
  Color  Edge{ { 255, 255, 255 } };
};

void Paint(ColorRaster & raster, const Patch & patch)
{
  const double c = std::cos(patch.Rotation);
  const double s = std::sin(patch.Rotation);
  const double reach = std::hypot(patch.A, patch.B);
  const double last = raster.Size - 1.0;
  const auto   bound = [last](double v) { return static_cast<unsigned int>(std::clamp(v, 0.0, last)); };
  for (unsigned int y = bound(patch.Y - reach); y <= bound(patch.Y + reach); ++y)
  {
    for (unsigned int x = bound(patch.X - reach); x <= bound(patch.X + reach); ++x)
    {
      const double dx = x - patch.X;
      const double dy = y - patch.Y;
      const double u = std::abs(c * dx + s * dy) / patch.A;
      const double v = std::abs(-s * dx + c * dy) / patch.B;
      const double q = patch.Power == 2.0
                         ? std::hypot(u, v)
                         : std::pow(std::pow(u, patch.Power) + std::pow(v, patch.Power), 1.0 / patch.Power);
      const double inside = std::min((1.0 - q) / patch.Softness, patch.Hole > 0.0 ? (q - patch.Hole) / 0.1 : 1.0);
      const double weight = patch.Opacity * std::clamp(inside, 0.0, 1.0);
      if (weight > 0.0)
      {
        float * p = raster(x, y);
        for (int k = 0; k < 3; ++k)
        {
          const double color = patch.Middle[k] + std::min(q, 1.0) * (patch.Edge[k] - patch.Middle[k]);
          p[k] = static_cast<float>(std::clamp(p[k] + weight * (color - p[k]), 0.0, 255.0));
        }
      }
    }
  }
}

Patch RandomPatch(double size, TrainingRandom & random)
{
  Patch patch;
  patch.X = random.Uniform(-0.1, 1.1) * size;
  patch.Y = random.Uniform(-0.1, 1.1) * size;
  patch.A = size * std::exp(random.Uniform(std::log(0.01), std::log(0.6)));
  patch.B = random.Chance(0.4) ? patch.A : size * std::exp(random.Uniform(std::log(0.01), std::log(0.4)));
  patch.Rotation = random.Uniform(0.0, Pi);
  patch.Power = random.Chance(0.5) ? 2.0 : random.Uniform(0.9, 8.0);
  patch.Softness = random.Chance(0.5) ? 0.05 : random.Uniform(0.05, 1.0);
  patch.Hole = random.Chance(0.15) ? random.Uniform(0.3, 0.9) : 0.0;
  patch.Opacity = random.Uniform(0.3, 1.0);
  patch.Middle = RandomColor(random);
  patch.Edge = random.Chance(0.5) ? patch.Middle : RandomColor(random);
  return patch;
}

/** Whiter than what is there; half axes up to the part \a largest of the raster. */
Patch RandomSpot(ColorRaster & raster, double largest, TrainingRandom & random)
{
  const double size = raster.Size;
  Patch        spot;
  spot.X = random.Uniform(0.05, 0.95) * size;
  spot.Y = random.Uniform(0.05, 0.95) * size;
  spot.A = size * std::exp(random.Uniform(std::log(0.01), std::log(largest)));
  spot.B = spot.A * random.Uniform(0.6, 1.0);
  spot.Rotation = random.Uniform(0.0, Pi);
  spot.Softness = random.Uniform(0.1, 1.0);
  spot.Opacity = random.Uniform(0.3, 0.9);
  spot.Middle = { { 255.0, random.Uniform(200.0, 255.0), random.Uniform(120.0, 255.0) } };
  const float * there = raster(static_cast<unsigned int>(spot.X), static_cast<unsigned int>(spot.Y));
  for (int k = 0; k < 3; ++k)
  {
    spot.Middle[k] = std::max<double>(spot.Middle[k], there[k]);
  }
  spot.Edge = spot.Middle;
  return spot;
}

/** Smooth noise: bilinear between random values on a lattice of \a cells x \a cells, in [-1, 1]. */
void AddTexture(ColorRaster & raster, int cells, const Color & amplitude, TrainingRandom & random)
{
  std::vector<double> lattice(static_cast<std::size_t>(cells + 1) * (cells + 1));
  for (double & v : lattice)
  {
    v = random.Spread(1.0);
  }
  const double scale = static_cast<double>(cells) / raster.Size;
  for (unsigned int y = 0; y < raster.Size; ++y)
  {
    const auto   j = static_cast<std::size_t>(y * scale);
    const double wy = y * scale - static_cast<double>(j);
    for (unsigned int x = 0; x < raster.Size; ++x)
    {
      const auto     i = static_cast<std::size_t>(x * scale);
      const double   wx = x * scale - static_cast<double>(i);
      const double * row = &lattice[j * (cells + 1) + i];
      const double   value = Bilinear(wx, wy, row[0], row[1], row[cells + 1], row[cells + 2]);
      float *        p = raster(x, y);
      for (int k = 0; k < 3; ++k)
      {
        p[k] = static_cast<float>(std::clamp(p[k] + amplitude[k] * value, 0.0, 255.0));
      }
    }
  }
}

/** A line that wanders, as branches, hairs, letters and borders do. */
void PaintStroke(ColorRaster & raster, TrainingRandom & random)
{
  const double size = raster.Size;
  Patch        pen;
  pen.A = pen.B = size * random.Uniform(0.003, 0.02);
  pen.Softness = 0.5;
  pen.Middle = pen.Edge = RandomColor(random);
  pen.X = random.Uniform(0.0, size);
  pen.Y = random.Uniform(0.0, size);
  double       direction = random.Uniform(0.0, 2 * Pi);
  double       bend = 0.0;
  const double step = 0.8 * pen.A;
  const int    steps = static_cast<int>(random.Uniform(0.1, 1.0) * size / step);
  for (int i = 0; i < steps; ++i)
  {
    Paint(raster, pen);
    bend = 0.9 * bend + random.Spread(0.03);
    direction += bend;
    pen.X += step * std::cos(direction);
    pen.Y += step * std::sin(direction);
  }
}

void LeaveRoundField(ColorRaster & raster, TrainingRandom & random)
{
  const double size = raster.Size;
  const double x0 = size * random.Uniform(0.4, 0.6);
  const double y0 = size * random.Uniform(0.4, 0.6);
  const double radius = size * random.Uniform(0.3, 0.6);
  for (unsigned int y = 0; y < raster.Size; ++y)
  {
    for (unsigned int x = 0; x < raster.Size; ++x)
    {
      if (std::hypot(x - x0, y - y0) > radius)
      {
        std::fill_n(raster(x, y), 3, 0.0F);
      }
    }
  }
}
} // namespace

void DrawUnrelatedPicture(ColorRaster & raster, TrainingRandom & random)
{
  const auto background = RandomColor(random);
  for (std::size_t i = 0; i < raster.Values.size(); ++i)
  {
    raster.Values[i] = static_cast<float>(background[i % 3]);
  }
  const double size = raster.Size;
  if (random.Chance(0.7))
  {
    const double roughness = random.Uniform(0.4, 0.9);
    const auto   palette = RandomColor(random);
    double       strength = random.Uniform(0.1, 0.8);
    for (int cells = 2; cells <= 128; cells *= 2)
    {
      Color amplitude;
      for (int k = 0; k < 3; ++k)
      {
        amplitude[k] = strength * palette[k];
      }
      AddTexture(raster, cells, amplitude, random);
      strength *= roughness;
    }
  }
  const int patches = random.Chance(0.2) ? 1 : static_cast<int>(random.Uniform(0.0, 14.0));
  for (int i = 0; i < patches; ++i)
  {
    Paint(raster, RandomPatch(size, random));
  }
  const int strokes = random.Chance(0.5) ? static_cast<int>(random.Uniform(1.0, 9.0)) : 0;
  for (int i = 0; i < strokes; ++i)
  {
    PaintStroke(raster, random);
  }
  if (random.Chance(0.5))
  {
    Paint(raster, RandomSpot(raster, 0.35, random)); // lamps, suns, highlights: bright and round, but no disc
  }
  if (random.Chance(0.3))
  {
    LeaveRoundField(raster, random);
  }
}

void DrawBrightSpots(ColorRaster & raster, double x, double y, double distance, TrainingRandom & random)
{
  const int spots = 1 + static_cast<int>(random.Uniform(0.0, 4.0));
  for (int i = 0; i < spots; ++i)
  {
    const auto    spot = RandomSpot(raster, 0.12, random);
    const float * there = raster(static_cast<unsigned int>(spot.X), static_cast<unsigned int>(spot.Y));
    const bool    onBlack = std::max({ there[0], there[1], there[2] }) < 12.0F;
    if (!onBlack && std::hypot(spot.X - x, spot.Y - y) > distance + spot.A)
    {
      Paint(raster, spot);
    }
  }
}
} // namespace itk
