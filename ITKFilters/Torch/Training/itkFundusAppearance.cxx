// SPDX-License-Identifier: Apache-2.0
#include "itkFundusAppearance.h"

#include "detail/itkBilinear.h"
#include "itkJPEGDecoder.h"
#include "itkJPEGEncoder.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace itk
{
namespace
{
using Color = std::array<float, 3>;

float Luma(const float * p)
{
  return 0.299F * p[0] + 0.587F * p[1] + 0.114F * p[2];
}

void Clamp(ColorRaster & raster)
{
  for (float & v : raster.Values)
  {
    v = std::clamp(v, 0.0F, 255.0F);
  }
}

void ScaleChannels(ColorRaster & raster, const Color & gain, const Color & offset)
{
  for (std::size_t i = 0; i < raster.Values.size(); ++i)
  {
    raster.Values[i] = raster.Values[i] * gain[i % 3] + offset[i % 3];
  }
}

void ApplyGamma(ColorRaster & raster, const Color & exponents)
{
  std::array<std::array<float, 1025>, 3> tables;
  for (int c = 0; c < 3; ++c)
  {
    for (int i = 0; i <= 1024; ++i)
    {
      tables[c][i] = 255.0F * std::pow(static_cast<float>(i) / 1024.0F, exponents[c]);
    }
  }
  for (std::size_t i = 0; i < raster.Values.size(); ++i)
  {
    raster.Values[i] = tables[i % 3][static_cast<int>(raster.Values[i] * (1024.0F / 255.0F) + 0.5F)];
  }
}

void MixChannels(ColorRaster & raster, const std::array<Color, 3> & matrix)
{
  for (std::size_t i = 0; i < raster.Values.size(); i += 3)
  {
    const Color in = { raster.Values[i], raster.Values[i + 1], raster.Values[i + 2] };
    for (int c = 0; c < 3; ++c)
    {
      raster.Values[i + c] = matrix[c][0] * in[0] + matrix[c][1] * in[1] + matrix[c][2] * in[2];
    }
  }
}

/** Multiplies by 1 + slope . x - depth * |x - centre|^2 with x in [-1, 1]^2. */
void Illuminate(ColorRaster & raster, float slopeX, float slopeY, float depth, float centreX, float centreY)
{
  const float step = 2.0F / static_cast<float>(raster.Size);
  for (unsigned int y = 0; y < raster.Size; ++y)
  {
    const float v = (static_cast<float>(y) + 0.5F) * step - 1.0F;
    for (unsigned int x = 0; x < raster.Size; ++x)
    {
      const float u = (static_cast<float>(x) + 0.5F) * step - 1.0F;
      const float d2 = (u - centreX) * (u - centreX) + (v - centreY) * (v - centreY);
      const float factor = std::max(0.05F, 1.0F + slopeX * u + slopeY * v - depth * d2);
      float *     p = raster(x, y);
      p[0] *= factor;
      p[1] *= factor;
      p[2] *= factor;
    }
  }
}

void BlurRaster(ColorRaster & raster, double sigma)
{
  const int          radius = std::max(1, static_cast<int>(std::ceil(2.5 * sigma)));
  std::vector<float> kernel(2 * radius + 1);
  float              sum = 0;
  for (int i = -radius; i <= radius; ++i)
  {
    kernel[i + radius] = static_cast<float>(std::exp(-0.5 * i * i / (sigma * sigma)));
    sum += kernel[i + radius];
  }
  const int          n = static_cast<int>(raster.Size);
  std::vector<float> line(3 * (n + 2 * radius));
  for (int axis = 0; axis < 2; ++axis)
  {
    const std::size_t along = axis == 0 ? 3 : 3 * static_cast<std::size_t>(n);
    const std::size_t across = axis == 0 ? 3 * static_cast<std::size_t>(n) : 3;
    for (int j = 0; j < n; ++j)
    {
      float * base = raster.Values.data() + j * across;
      for (int i = -radius; i < n + radius; ++i)
      {
        const float * p = base + static_cast<std::size_t>(std::clamp(i, 0, n - 1)) * along;
        std::copy(p, p + 3, &line[3 * (i + radius)]);
      }
      for (int i = 0; i < n; ++i)
      {
        float acc[3] = { 0, 0, 0 };
        for (int k = 0; k <= 2 * radius; ++k)
        {
          for (int c = 0; c < 3; ++c)
          {
            acc[c] += kernel[k] * line[3 * (i + k) + c];
          }
        }
        for (int c = 0; c < 3; ++c)
        {
          base[i * along + c] = acc[c] / sum;
        }
      }
    }
  }
}

void Resample(const ColorRaster & in, ColorRaster & out)
{
  const double scale = static_cast<double>(in.Size) / out.Size;
  const int    last = static_cast<int>(in.Size) - 1;
  for (unsigned int y = 0; y < out.Size; ++y)
  {
    const double py = std::clamp((y + 0.5) * scale - 0.5, 0.0, static_cast<double>(last));
    const int    y0 = static_cast<int>(py);
    const int    y1 = std::min(y0 + 1, last);
    const float  wy = static_cast<float>(py - y0);
    for (unsigned int x = 0; x < out.Size; ++x)
    {
      const double  px = std::clamp((x + 0.5) * scale - 0.5, 0.0, static_cast<double>(last));
      const int     x0 = static_cast<int>(px);
      const int     x1 = std::min(x0 + 1, last);
      const float   wx = static_cast<float>(px - x0);
      const float * row0 = &in.Values[3 * static_cast<std::size_t>(y0) * in.Size];
      const float * row1 = &in.Values[3 * static_cast<std::size_t>(y1) * in.Size];
      float *       p = out(x, y);
      for (int c = 0; c < 3; ++c)
      {
        p[c] = Bilinear(wx, wy, row0[3 * x0 + c], row0[3 * x1 + c], row1[3 * x0 + c], row1[3 * x1 + c]);
      }
    }
  }
}

void ReduceResolution(ColorRaster & raster, double factor)
{
  BlurRaster(raster, 0.35 * factor);
  ColorRaster small;
  small.Size = std::max(16u, static_cast<unsigned int>(raster.Size / factor));
  small.Values.resize(3 * static_cast<std::size_t>(small.Size) * small.Size);
  Resample(raster, small);
  Resample(small, raster);
}

void SharpenRaster(ColorRaster & raster, float amount)
{
  ColorRaster smooth = raster;
  BlurRaster(smooth, 1.2);
  for (std::size_t i = 0; i < raster.Values.size(); ++i)
  {
    raster.Values[i] += amount * (raster.Values[i] - smooth.Values[i]);
  }
  Clamp(raster);
}

/** What JPEG loses. The color of every pixel is kept: halving it would be a change of its own. */
void CompressRaster(ColorRaster & raster, double quality)
{
  std::vector<unsigned char> rgb(raster.Values.size());
  std::transform(raster.Values.begin(), raster.Values.end(), rgb.begin(), [](float value) {
    return static_cast<unsigned char>(std::clamp(value, 0.0F, 255.0F) + 0.5F);
  });
  const auto file =
    EncodeJPEG(rgb.data(), raster.Size, raster.Size, static_cast<int>(std::lround(quality)), JPEGColorEnum::Full);
  const auto decoded = JPEGDecoder(file.data(), file.size()).Decode();
  std::copy(decoded.begin(), decoded.end(), raster.Values.begin());
}

/** The round edge of the camera's field of view passes through the crop. */
void MaskField(ColorRaster & raster, TrainingRandom & random)
{
  const double n = raster.Size;
  const double angle = random.Uniform(0.0, 6.283185307179586);
  const double radius = n * random.Uniform(0.9, 3.0);
  const double edge = n * random.Uniform(0.40, 0.62); // distance of the edge from the centre of the crop
  const double cx = 0.5 * n - (radius - edge) * std::cos(angle);
  const double cy = 0.5 * n - (radius - edge) * std::sin(angle);
  for (unsigned int y = 0; y < raster.Size; ++y)
  {
    for (unsigned int x = 0; x < raster.Size; ++x)
    {
      const double d = radius - std::hypot(x - cx, y - cy);
      if (d < 2.0)
      {
        const float keep = static_cast<float>(std::clamp(d / 2.0, 0.0, 1.0));
        float *     p = raster(x, y);
        for (int c = 0; c < 3; ++c)
        {
          p[c] *= keep;
        }
      }
    }
  }
}

std::array<Color, 3> RandomMixing(const FundusAppearanceRanges & ranges, TrainingRandom & random)
{
  const double         s = 1.0 + ranges.Strength * random.Spread(ranges.Saturation);
  const double         luma[3] = { 0.299, 0.587, 0.114 };
  std::array<Color, 3> matrix;
  for (int i = 0; i < 3; ++i)
  {
    for (int j = 0; j < 3; ++j)
    {
      const double mix = ranges.Strength * random.Spread(ranges.Mixing);
      matrix[i][j] = static_cast<float>((i == j ? s : 0.0) + (1.0 - s) * luma[j] + (i == j ? 0.0 : mix));
    }
  }
  return matrix;
}

void Fade(ColorRaster & raster, const FundusAppearanceRanges & ranges, TrainingRandom & random)
{
  const float veil = static_cast<float>(random.Uniform(90.0, 255.0));
  const float amount = static_cast<float>(ranges.Strength * random.Uniform(0.05, ranges.Haze));
  const float cast[3] = { static_cast<float>(random.Uniform(0.85, 1.0)),
                          static_cast<float>(random.Uniform(0.85, 1.0)),
                          static_cast<float>(random.Uniform(0.75, 1.0)) };
  Color       gain;
  Color       offset;
  for (int c = 0; c < 3; ++c)
  {
    gain[c] = 1.0F - amount;
    offset[c] = amount * veil * cast[c];
  }
  ScaleChannels(raster, gain, offset);
}

void ToGrey(ColorRaster & raster, bool redFree)
{
  for (std::size_t i = 0; i < raster.Values.size(); i += 3)
  {
    float *     p = &raster.Values[i];
    const float grey = redFree ? 0.9F * p[1] + 0.1F * p[2] : Luma(p);
    p[0] = p[1] = p[2] = grey;
  }
}
} // namespace

void ChangeFundusAppearance(ColorRaster & raster, const FundusAppearanceRanges & allRanges, TrainingRandom & random)
{
  auto ranges = allRanges;
  if (ranges.LeastStrength < ranges.Strength)
  {
    ranges.Strength = random.Uniform(ranges.LeastStrength, ranges.Strength);
  }
  const double s = ranges.Strength;
  const double pixels = raster.Size / 256.0; // lengths are given for 256-pixel crops

  if (random.Chance(ranges.MixingProbability))
  {
    MixChannels(raster, RandomMixing(ranges, random));
    Clamp(raster);
  }
  if (random.Chance(ranges.GainProbability))
  {
    Color gain;
    for (float & g : gain)
    {
      g = static_cast<float>(std::exp(s * random.Spread(ranges.Gain)));
    }
    ScaleChannels(raster, gain, { 0, 0, 0 });
    Clamp(raster);
  }
  if (random.Chance(ranges.GammaProbability))
  {
    const double common = s * random.Spread(ranges.Gamma);
    Color        exponents;
    for (float & e : exponents)
    {
      e = static_cast<float>(std::exp(common + s * random.Spread(0.3 * ranges.Gamma)));
    }
    ApplyGamma(raster, exponents);
  }
  if (random.Chance(ranges.GradientProbability))
  {
    Illuminate(raster,
               static_cast<float>(s * random.Spread(ranges.Gradient)),
               static_cast<float>(s * random.Spread(ranges.Gradient)),
               0,
               0,
               0);
    Clamp(raster);
  }
  if (random.Chance(ranges.VignettingProbability))
  {
    const auto depth = static_cast<float>(s * random.Uniform(0.1, ranges.Vignetting));
    Illuminate(raster, 0, 0, depth, static_cast<float>(random.Spread(0.6)), static_cast<float>(random.Spread(0.6)));
    Clamp(raster);
  }
  if (random.Chance(ranges.HazeProbability))
  {
    Fade(raster, ranges, random);
  }
  if (random.Chance(ranges.BlurProbability))
  {
    BlurRaster(raster, pixels * random.Uniform(0.4, std::max(0.5, s * ranges.Blur)));
  }
  if (random.Chance(ranges.ResampleProbability))
  {
    ReduceResolution(raster, random.Uniform(1.2, std::max(1.3, s * ranges.Resample)));
  }
  if (random.Chance(ranges.ContrastProbability))
  {
    const auto gain = static_cast<float>(std::exp(s * random.Spread(ranges.Contrast)));
    const auto shift = static_cast<float>(s * random.Spread(ranges.Brightness)) + 110.0F * (1.0F - gain);
    ScaleChannels(raster, { gain, gain, gain }, { shift, shift, shift });
    Clamp(raster);
  }
  if (random.Chance(ranges.GreyProbability))
  {
    ToGrey(raster, random.Chance(0.5));
  }
  if (random.Chance(ranges.SharpenProbability))
  {
    SharpenRaster(raster, static_cast<float>(s * random.Uniform(0.2, ranges.Sharpen)));
  }
  if (random.Chance(ranges.FieldEdgeProbability))
  {
    MaskField(raster, random);
  }
  if (random.Chance(ranges.NoiseProbability))
  {
    const auto sigma = static_cast<float>(s * random.Uniform(1.0, ranges.Noise));
    for (float & v : raster.Values)
    {
      v += sigma * random.FastNormal();
    }
    Clamp(raster);
  }
  if (random.Chance(ranges.CompressionProbability))
  {
    CompressRaster(raster, random.Uniform(ranges.Compression, 90.0));
  }
}
} // namespace itk
