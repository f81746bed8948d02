// SPDX-License-Identifier: Apache-2.0
#include "itkLocatorNetwork.h"

#include <algorithm>
#include <cmath>

namespace itk
{
namespace
{
constexpr int DownChannels[5] = { 16, 24, 40, 64, 64 };
constexpr int UpChannels[3] = { 48, 32, 32 };

torch::nn::Sequential ConvStep(int in, int out, int stride)
{
  return torch::nn::Sequential(
    torch::nn::Conv2d(torch::nn::Conv2dOptions(in, out, 3).stride(stride).padding(1).bias(false)),
    torch::nn::BatchNorm2d(out),
    torch::nn::ReLU(true));
}

torch::nn::Sequential DoubleStep(int in, int out, int stride)
{
  auto       steps = ConvStep(in, out, stride);
  const auto second = ConvStep(out, out, 1);
  for (const auto & step : *second)
  {
    steps->push_back(step);
  }
  return steps;
}
} // namespace

LocatorNetwork::LocatorNetwork()
{
  int in = 3;
  for (int i = 0; i < 5; ++i)
  {
    m_Down[i] = register_module("down" + std::to_string(i),
                                i == 0 ? ConvStep(in, DownChannels[i], 2) : DoubleStep(in, DownChannels[i], 2));
    in = DownChannels[i];
  }
  for (int i = 0; i < 3; ++i)
  {
    m_Up[i] = register_module("up" + std::to_string(i), ConvStep(in + DownChannels[3 - i], UpChannels[i], 1));
    in = UpChannels[i];
  }
  m_Head = register_module("head", torch::nn::Conv2d(torch::nn::Conv2dOptions(in, 2, 1)));
  torch::NoGradGuard noGrad;
  m_Head->bias[0].fill_(-4.0); // discs are rare among the cells
}

torch::Tensor LocatorNetwork::forward(const torch::Tensor & input)
{
  torch::Tensor skips[5];
  auto          x = input;
  for (int i = 0; i < 5; ++i)
  {
    x = skips[i] = m_Down[i]->forward(x);
  }
  for (int i = 0; i < 3; ++i)
  {
    const auto & skip = skips[3 - i];
    x = torch::upsample_nearest2d(x, { skip.size(2), skip.size(3) });
    x = m_Up[i]->forward(torch::cat({ x, skip }, 1));
  }
  return m_Head->forward(x).to(torch::kFloat);
}

LabelledCrop CutLocatorCrop(const LabelledPhotograph & photograph, const CropPlacement & place)
{
  const auto fine = static_cast<unsigned int>(std::clamp(std::ceil(place.Side / LocatorInputSize), 1.0, 4.0));
  auto       crop = CutCrop(photograph, place, fine * LocatorInputSize);
  if (fine == 1)
  {
    return crop;
  }
  LabelledCrop      small;
  const std::size_t pixels = LocatorInputSize * LocatorInputSize;
  small.Image.Size = LocatorInputSize;
  small.Image.Values.assign(3 * pixels, 0.0F);
  const float weight = 1.0F / static_cast<float>(fine * fine);
  for (unsigned int y = 0; y < crop.Image.Size; ++y)
  {
    for (unsigned int x = 0; x < crop.Image.Size; ++x)
    {
      const float * from = crop.Image(x, y);
      float *       to = small.Image(x / fine, y / fine);
      for (int c = 0; c < 3; ++c)
      {
        to[c] += weight * from[c];
      }
    }
  }
  return small;
}

torch::Tensor PrepareLocatorInput(const ColorRaster & raster)
{
  constexpr float   black = 12.0F; // brightest channel of what counts as black
  const std::size_t pixels = static_cast<std::size_t>(raster.Size) * raster.Size;
  const auto        isBlack = [&](std::size_t i) {
    const float * p = &raster.Values[3 * i];
    return std::max({ p[0], p[1], p[2] }) < black;
  };
  double sum[3] = { 0, 0, 0 };
  double squares[3] = { 0, 0, 0 };
  double count = 0;
  for (std::size_t i = 0; i < pixels; ++i)
  {
    if (!isBlack(i))
    {
      count += 1;
      for (int c = 0; c < 3; ++c)
      {
        const double v = raster.Values[3 * i + c];
        sum[c] += v;
        squares[c] += v * v;
      }
    }
  }
  const auto n = static_cast<int64_t>(raster.Size);
  auto       input = torch::zeros({ 3, n, n });
  if (count < 0.01 * static_cast<double>(pixels))
  {
    return input;
  }
  float * out = input.data_ptr<float>();
  for (int c = 0; c < 3; ++c)
  {
    const double mean = sum[c] / count;
    const auto   scale = static_cast<float>(1.0 / (std::sqrt(std::max(0.0, squares[c] / count - mean * mean)) + 4.0));
    for (std::size_t i = 0; i < pixels; ++i)
    {
      if (!isBlack(i))
      {
        out[c * pixels + i] = std::clamp((raster.Values[3 * i + c] - static_cast<float>(mean)) * scale, -4.0F, 4.0F);
      }
    }
  }
  return input;
}

LocatorPeak FindLocatorPeak(LocatorNetwork & network, const torch::Tensor & image)
{
  auto maps = network.forward(torch::stack({ image, image.flip({ 2 }) })).cpu();
  maps = 0.5 * (torch::cat({ maps.narrow(1, 0, 1).sigmoid(), maps.narrow(1, 1, 1) }, 1));
  maps = (maps[0] + maps[1].flip({ 2 })).contiguous();
  const auto    rows = static_cast<int>(maps.size(1));
  const auto    columns = static_cast<int>(maps.size(2));
  const float * heat = maps.data_ptr<float>();
  const float * size = heat + static_cast<std::ptrdiff_t>(rows) * columns;
  const int     peak = static_cast<int>(std::max_element(heat, size) - heat);
  double        weight = 0;
  double        x = 0;
  double        y = 0;
  double        logSize = 0;
  for (int j = std::max(0, peak / columns - 2); j <= std::min(rows - 1, peak / columns + 2); ++j)
  {
    for (int i = std::max(0, peak % columns - 2); i <= std::min(columns - 1, peak % columns + 2); ++i)
    {
      const double w = static_cast<double>(heat[j * columns + i]) * heat[j * columns + i] + 1e-12;
      weight += w;
      x += w * i;
      y += w * j;
      logSize += w * size[j * columns + i];
    }
  }
  LocatorPeak result;
  result.X = (x / weight + 0.5) * LocatorStride - 0.5;
  result.Y = (y / weight + 0.5) * LocatorStride - 0.5;
  result.Diameter = 0.25 * LocatorInputSize * std::exp(logSize / weight);
  result.Confidence = std::clamp(static_cast<double>(heat[peak]), 0.0, 1.0);
  return result;
}
} // namespace itk
