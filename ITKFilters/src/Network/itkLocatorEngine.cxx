// SPDX-License-Identifier: Apache-2.0
#include "itkLocatorEngine.h"

#include "detail/itkSquareCropSampling.h"
#include "itkNetworkThreads.h"

#include <algorithm>
#include <cmath>

namespace itk
{
namespace npsnet
{
namespace
{
constexpr std::int64_t DownChannels[] = { 16, 24, 40, 64, 64 };
constexpr std::int64_t UpChannels[] = { 48, 32, 32 };

/** Features with the memory that they lie in. */
struct OwnedFeatures
{
  AlignedFloats Memory;
  Features      View;
};

OwnedFeatures Convolve(const NetworkKernels & kernels, const NetworkConvolution & layer, const Features * sources)
{
  OwnedFeatures out;
  const auto    pixels = layer.GetOutputSize(sources->Rows) * layer.GetOutputSize(sources->Columns);
  out.Memory = AlignedFloats(static_cast<std::size_t>(pixels * layer.GetOutputChannels()));
  AlignedFloats scratch(layer.GetScratchSize(sources->Rows, sources->Columns));
  out.View = layer.Run(kernels, sources, out.Memory.data(), nullptr, scratch.data());
  return out;
}

/** Every pixel four times. */
OwnedFeatures RepeatPixels(const Features & in)
{
  OwnedFeatures      out;
  const std::int64_t channels = in.Values.Channels;
  out.View.Rows = 2 * in.Rows;
  out.View.Columns = 2 * in.Columns;
  out.Memory = AlignedFloats(static_cast<std::size_t>(out.View.Rows * out.View.Columns * channels));
  out.View.Values.Data = out.Memory.data();
  out.View.Values.Channels = channels;
  float * to = out.Memory.data();
  for (std::int64_t y = 0; y < out.View.Rows; ++y)
  {
    for (std::int64_t x = 0; x < out.View.Columns; ++x, to += channels)
    {
      std::copy_n(in.Values.Data + (y / 2 * in.Columns + x / 2) * channels, channels, to);
    }
  }
  return out;
}
} // namespace

LocatorEngine::LocatorEngine(const NPSNetModelFile & file, InstructionSetEnum instructions)
  : m_Kernels(GetNetworkKernels(instructions))
{
  NetworkWeights weights(file.GetTensorFile(), "the optic nerve head locator");
  const auto     add = [&](std::vector<NetworkConvolution> & layers,
                       const std::string &               name,
                       std::vector<std::int64_t>         inputs,
                       std::int64_t                      outputs,
                       std::int64_t                      stride) {
    const int                 index = static_cast<int>(3 * layers.size());
    NetworkConvolution::Shape shape;
    shape.Inputs = std::move(inputs);
    shape.Outputs = outputs;
    shape.Circular = false;
    shape.Stride = stride;
    layers.emplace_back(
      weights, name + std::to_string(index) + ".weight", name + std::to_string(index + 1) + ".", shape, m_Kernels);
  };
  std::int64_t channels = 3;
  for (int i = 0; i < NumberOfHalvings; ++i)
  {
    const std::string name = "down" + std::to_string(i) + ".";
    add(m_Down[i], name, { channels }, DownChannels[i], 2);
    channels = DownChannels[i];
    if (i > 0)
    {
      add(m_Down[i], name, { channels }, channels, 1);
    }
  }
  for (int i = 0; i < NumberOfDoublings; ++i)
  {
    std::vector<NetworkConvolution> layer;
    add(layer, "up" + std::to_string(i) + ".", { channels, DownChannels[3 - i] }, UpChannels[i], 1);
    m_Up.push_back(std::move(layer.front()));
    channels = UpChannels[i];
  }
  const auto head = weights.Take("head.weight", { 2, channels, 1, 1 });
  const auto bias = weights.Take("head.bias", { 2 });
  m_Head = NetworkMatrix(channels, 2, [&](std::int64_t step, std::int64_t column) {
    return head[static_cast<std::size_t>(column * channels + step)];
  });
  std::copy(bias.begin(), bias.end(), m_Head.GetBias().begin());
  weights.RequireAllTaken();
}

std::vector<float> LocatorEngine::Prepare(const unsigned char * rgb,
                                          std::size_t           width,
                                          std::size_t           height,
                                          double                enlargement)
{
  constexpr float       black = 12.0F; // brightest channel of what counts as black
  constexpr auto        size = static_cast<unsigned int>(InputSize);
  const double          side = enlargement * static_cast<double>(std::max(width, height));
  const auto            fine = static_cast<unsigned int>(std::clamp(std::ceil(side / size), 1.0, 4.0));
  const SquareCropAxis  xAxis(0.5 * (static_cast<double>(width) - 1.0), side, fine * size, width);
  const SquareCropAxis  yAxis(0.5 * (static_cast<double>(height) - 1.0), side, fine * size, height);
  const float           weight = 1.0F / static_cast<float>(fine * fine);
  constexpr std::size_t pixels = std::size_t{ size } * size;
  std::vector<float>    out(3 * pixels, 0.0F);
  NetworkThreads::For(size, [&](std::int64_t y) {
    std::vector<float> row(std::size_t{ 3 } * fine * size);
    for (unsigned int k = 0; k < fine; ++k)
    {
      const auto & sample = yAxis[static_cast<std::size_t>(y) * fine + k];
      SampleSquareCropRow(rgb, 3 * width, 3, xAxis, sample, 0, xAxis.GetSize(), row.data());
      for (std::size_t i = 0; i < row.size(); ++i)
      {
        out[3 * (static_cast<std::size_t>(y) * size + i / 3 / fine) + i % 3] += weight * row[i];
      }
    }
  });

  std::vector<bool> isBlack(pixels);
  double            sum[3] = { 0, 0, 0 };
  double            squares[3] = { 0, 0, 0 };
  double            count = 0;
  for (std::size_t i = 0; i < pixels; ++i)
  {
    const float * p = &out[3 * i];
    isBlack[i] = std::max({ p[0], p[1], p[2] }) < black;
    for (int c = 0; c < 3 && !isBlack[i]; ++c)
    {
      const auto value = static_cast<double>(p[c]);
      sum[c] += value;
      squares[c] += value * value;
    }
    count += isBlack[i] ? 0.0 : 1.0;
  }
  if (count < 0.01 * static_cast<double>(pixels))
  {
    std::fill(out.begin(), out.end(), 0.0F);
    return out;
  }
  for (std::size_t c = 0; c < 3; ++c)
  {
    const double mean = sum[c] / count;
    const auto   scale = static_cast<float>(1.0 / (std::sqrt(std::max(0.0, squares[c] / count - mean * mean)) + 4.0));
    for (std::size_t i = 0; i < pixels; ++i)
    {
      float & value = out[3 * i + c];
      value = isBlack[i] ? 0.0F : std::clamp((value - static_cast<float>(mean)) * scale, -4.0F, 4.0F);
    }
  }
  return out;
}

std::vector<float> LocatorEngine::Infer(const std::vector<float> & input) const
{
  Features image;
  image.Rows = InputSize;
  image.Columns = InputSize;
  image.Values.Data = input.data();
  image.Values.Channels = 3;
  OwnedFeatures skips[NumberOfHalvings];
  for (int i = 0; i < NumberOfHalvings; ++i)
  {
    skips[i] = Convolve(m_Kernels, m_Down[i].front(), i == 0 ? &image : &skips[i - 1].View);
    if (m_Down[i].size() > 1)
    {
      skips[i] = Convolve(m_Kernels, m_Down[i].back(), &skips[i].View);
    }
  }
  OwnedFeatures x = std::move(skips[NumberOfHalvings - 1]);
  for (int i = 0; i < NumberOfDoublings; ++i)
  {
    const OwnedFeatures large = RepeatPixels(x.View);
    const Features      sources[2] = { large.View, skips[NumberOfDoublings - i].View };
    x = Convolve(m_Kernels, m_Up[static_cast<std::size_t>(i)], sources);
  }
  const std::int64_t cells = x.View.Rows * x.View.Columns;
  AlignedFloats      results(static_cast<std::size_t>(cells * ChannelStep));
  m_Head.Multiply(m_Kernels, x.View.Values.Data, x.View.Values.Channels, cells, results.data(), ChannelStep);
  std::vector<float> maps(static_cast<std::size_t>(2 * cells));
  for (std::int64_t i = 0; i < cells; ++i)
  {
    maps[static_cast<std::size_t>(i)] = results.data()[i * ChannelStep];
    maps[static_cast<std::size_t>(cells + i)] = results.data()[i * ChannelStep + 1];
  }
  return maps;
}

LocatorEngine::Peak LocatorEngine::FindPeak(const std::vector<float> & input) const
{
  constexpr int      cells = InputSize / Stride;
  std::vector<float> mirrored(input.size());
  for (std::size_t i = 0; i < input.size(); ++i)
  {
    const std::size_t pixel = i / 3;
    const std::size_t x = pixel % InputSize;
    mirrored[i] = input[3 * (pixel - x + (InputSize - 1 - x)) + i % 3];
  }
  const auto          maps = this->Infer(input);
  const auto          mirroredMaps = this->Infer(mirrored);
  const std::size_t   half = maps.size() / 2;
  const auto          sigmoid = [](float value) { return 1.0 / (1.0 + std::exp(-static_cast<double>(value))); };
  std::vector<double> heat(half);
  std::vector<double> size(half);
  for (std::size_t i = 0; i < half; ++i)
  {
    const std::size_t x = i % cells;
    const std::size_t other = i - x + (cells - 1 - x);
    heat[i] = 0.5 * (sigmoid(maps[i]) + sigmoid(mirroredMaps[other]));
    size[i] = 0.5 * (static_cast<double>(maps[half + i]) + static_cast<double>(mirroredMaps[half + other]));
  }
  const int peak = static_cast<int>(std::max_element(heat.begin(), heat.end()) - heat.begin());
  double    weight = 0;
  double    x = 0;
  double    y = 0;
  double    logSize = 0;
  for (int j = std::max(0, peak / cells - 2); j <= std::min(cells - 1, peak / cells + 2); ++j)
  {
    for (int i = std::max(0, peak % cells - 2); i <= std::min(cells - 1, peak % cells + 2); ++i)
    {
      const auto   cell = static_cast<std::size_t>(j * cells + i);
      const double w = heat[cell] * heat[cell] + 1e-12;
      weight += w;
      x += w * i;
      y += w * j;
      logSize += w * size[cell];
    }
  }
  Peak result;
  result.X = (x / weight + 0.5) * Stride - 0.5;
  result.Y = (y / weight + 0.5) * Stride - 0.5;
  result.Diameter = 0.25 * InputSize * std::exp(logSize / weight);
  result.Confidence = std::clamp(heat[static_cast<std::size_t>(peak)], 0.0, 1.0);
  return result;
}
} // namespace npsnet
} // namespace itk
