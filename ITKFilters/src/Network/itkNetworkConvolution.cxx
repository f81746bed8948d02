// SPDX-License-Identifier: Apache-2.0
#include "itkNetworkConvolution.h"

#include "itkNetworkThreads.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

namespace itk
{
namespace npsnet
{
namespace
{
constexpr double       NormEpsilon = 1e-5; // PyTorch's default for both norms
constexpr std::int64_t Side = WinogradShape::Side;
constexpr std::int64_t Reach = WinogradShape::Reach;
constexpr std::int64_t Points = WinogradShape::Points;

/** Memory that a thread keeps for its next turn. */
float * GetThreadScratch(std::size_t size)
{
  static thread_local AlignedFloats scratch;
  return scratch.Reserve(size);
}
} // namespace

FoldedNorm FoldBatchNorm(NetworkWeights & weights, const std::string & name, std::int64_t channels)
{
  const auto scale = weights.Take(name + "weight", { channels });
  const auto bias = weights.Take(name + "bias", { channels });
  const auto mean = weights.Take(name + "running_mean", { channels });
  const auto variance = weights.Take(name + "running_var", { channels });
  FoldedNorm norm;
  for (std::size_t c = 0; c < scale.size(); ++c)
  {
    const double factor = static_cast<double>(scale[c]) / std::sqrt(static_cast<double>(variance[c]) + NormEpsilon);
    norm.Factor.push_back(factor);
    norm.Summand.push_back(static_cast<double>(bias[c]) - static_cast<double>(mean[c]) * factor);
  }
  return norm;
}

/** How a layer is cut up: depends on its size alone, so that no sum depends on the number of threads. */
struct NetworkConvolution::Tiling
{
  Tiling(std::int64_t rows, std::int64_t columns, std::int64_t inputs, std::int64_t outputs)
    : TileRows((rows + Side - 1) / Side)
    , TileColumns((columns + Side - 1) / Side)
    , Tiles(TileRows * TileColumns)
    , Together(Tiles <= 192)
    , GroupSize(std::min<std::int64_t>(Together                       ? 6
                                       : inputs * outputs > 128 * 128 ? 96
                                                                      : 48,
                                       Tiles))
    , Groups((Tiles + GroupSize - 1) / GroupSize)
  {}

  std::int64_t TileRows, TileColumns, Tiles;
  /** Few tiles with large weights: every weight is read once, for all tiles. Otherwise tiles are worked off in groups
   * whose features and sums stay in the second-level cache. */
  bool         Together;
  std::int64_t GroupSize, Groups;
};

NetworkConvolution::NetworkConvolution(NetworkWeights &       weights,
                                       const std::string &    convolution,
                                       const std::string &    norm,
                                       const Shape &          shape,
                                       const NetworkKernels & kernels)
  : m_Outputs(PadChannels(shape.Outputs))
  , m_RealOutputs(shape.Outputs)
  , m_Groups(std::min(shape.Groups, shape.Outputs))
  , m_Stride(shape.Stride)
  , m_Circular(shape.Circular)
{
  std::vector<std::int64_t> places; // of the input channels among those that are filled up
  for (const auto channels : shape.Inputs)
  {
    for (std::int64_t c = 0; c < channels; ++c)
    {
      places.push_back(m_Inputs + c);
    }
    m_SourceChannels.push_back(PadChannels(channels));
    m_Inputs += PadChannels(channels);
    m_RealInputs += channels;
  }
  auto       taps = weights.Take(convolution, { m_RealOutputs, m_RealInputs, 3, 3 });
  const auto kernelSize = static_cast<std::size_t>(m_RealInputs * 9);
  const auto realOutputs = static_cast<std::size_t>(m_RealOutputs);
  const auto allOutputs = static_cast<std::size_t>(m_Outputs);
  if (m_Groups > 0)
  {
    m_NormWeight = weights.Take(norm + "weight", { m_RealOutputs });
    m_NormBias = weights.Take(norm + "bias", { m_RealOutputs });
  }
  else
  {
    const auto folded = FoldBatchNorm(weights, norm, m_RealOutputs);
    m_Bias.assign(allOutputs, 0.0F);
    for (std::size_t k = 0; k < realOutputs; ++k)
    {
      const auto factor = static_cast<float>(folded.Factor[k]);
      m_Bias[k] = static_cast<float>(folded.Summand[k]);
      std::for_each(taps.begin() + static_cast<std::ptrdiff_t>(k * kernelSize),
                    taps.begin() + static_cast<std::ptrdiff_t>((k + 1) * kernelSize),
                    [factor](float & tap) { tap *= factor; });
    }
  }
  if (m_Stride != 1)
  {
    m_Plain = NetworkMatrix(9 * m_RealInputs, m_RealOutputs, [&](std::int64_t step, std::int64_t k) {
      return taps[static_cast<std::size_t>((k * m_RealInputs + step % m_RealInputs) * 9 + step / m_RealInputs)];
    });
    m_Plain.GetBias() = m_Bias;
    return;
  }
  taps.resize(allOutputs * kernelSize, 0.0F);
  m_Weights = AlignedFloats(static_cast<std::size_t>(Points * m_Inputs * m_Outputs));
  if (m_RealInputs < m_Inputs)
  {
    std::fill_n(m_Weights.data(), m_Weights.size(), 0.0F);
  }
  NetworkThreads::For(m_Outputs / ChannelStep, [&](std::int64_t panel) {
    for (std::int64_t c = 0; c < m_RealInputs; ++c)
    {
      kernels.TransformTaps(taps.data() + (panel * ChannelStep * m_RealInputs + c) * 9,
                            m_RealInputs * 9,
                            m_Weights.data() + (panel * m_Inputs + places[static_cast<std::size_t>(c)]) * ChannelStep,
                            m_Inputs * m_Outputs);
    }
  });
}

std::size_t NetworkConvolution::GetScratchSize(std::int64_t rows, std::int64_t columns) const
{
  if (m_Stride != 1)
  {
    return 0;
  }
  const Tiling tiling(rows, columns, m_Inputs, m_Outputs);
  std::int64_t size = m_Groups > 0 ? 2 * m_Outputs * tiling.Groups : 0;
  if (tiling.Together)
  {
    size += Points * tiling.Tiles * (m_Inputs + m_Outputs);
  }
  return static_cast<std::size_t>(size);
}

Features NetworkConvolution::Run(const NetworkKernels & kernels,
                                 const Features *       sources,
                                 float *                result,
                                 float *                norm,
                                 float *                scratch) const
{
  Features out;
  out.Rows = this->GetOutputSize(sources->Rows);
  out.Columns = this->GetOutputSize(sources->Columns);
  out.Values.Data = result;
  out.Values.Channels = m_Outputs;
  if (m_Stride != 1)
  {
    this->PlainSum(kernels, *sources, result);
    return out;
  }
  this->Winograd(kernels, sources, result, scratch);
  if (m_Groups > 0)
  {
    const Tiling tiling(sources->Rows, sources->Columns, m_Inputs, m_Outputs);
    this->SetNorm(out.Rows * out.Columns, scratch, tiling.Groups, norm);
    out.Values.Scale = norm;
    out.Values.Shift = norm + m_Outputs;
  }
  return out;
}

void NetworkConvolution::Winograd(const NetworkKernels & kernels,
                                  const Features *       sources,
                                  float *                result,
                                  float *                scratch) const
{
  const std::int64_t rows = sources->Rows;
  const std::int64_t columns = sources->Columns;
  const Tiling       tiling(rows, columns, m_Inputs, m_Outputs);

  WinogradLayer layer = {};
  layer.NumberOfSources = static_cast<std::int64_t>(m_SourceChannels.size());
  for (std::int64_t s = 0; s < layer.NumberOfSources; ++s)
  {
    layer.Sources[s] = sources[s].Values;
  }
  layer.InputChannels = m_Inputs;
  layer.OutputChannels = m_Outputs;
  layer.ResultStride = columns * m_Outputs;
  layer.Weights = m_Weights.data();
  layer.Bias = m_Groups > 0 ? nullptr : m_Bias.data();

  const auto locate = [&](std::int64_t index) {
    const std::int64_t row = index / tiling.TileColumns * Side;
    const std::int64_t column = index % tiling.TileColumns * Side;
    WinogradTile       tile;
    for (std::int64_t i = 0; i < Reach; ++i)
    {
      const std::int64_t y = row - 1 + i;
      const std::int64_t x = column - 1 + i;
      const auto         place = static_cast<std::size_t>(i);
      tile.Rows[place] = y >= 0 && y < rows ? y * columns : -1;
      tile.Columns[place] = m_Circular ? (x + columns) % columns : x >= 0 && x < columns ? x : -1;
    }
    tile.Result = result + (row * columns + column) * m_Outputs;
    tile.ResultRows = std::min(Side, rows - row);
    tile.ResultColumns = std::min(Side, columns - column);
    return tile;
  };
  const std::int64_t momentsSize = m_Groups > 0 ? 2 * m_Outputs : 0;
  const auto         withGroup = [&](std::int64_t index, const auto & work) {
    constexpr std::int64_t largest = 96;
    WinogradTile           tiles[largest];
    WinogradGroup          group = {};
    const std::int64_t     first = index * tiling.GroupSize;
    group.Tiles = tiles;
    group.Count = std::min(tiling.GroupSize, tiling.Tiles - first);
    group.Stride = tiling.GroupSize;
    group.Moments = momentsSize > 0 ? scratch + index * momentsSize : nullptr;
    for (std::int64_t t = 0; t < group.Count; ++t)
    {
      tiles[t] = locate(first + t);
    }
    work(group, first);
  };

  std::fill_n(scratch, momentsSize * tiling.Groups, 0.0F);
  if (!tiling.Together)
  {
    NetworkThreads::For(tiling.Groups, [&](std::int64_t index) {
      withGroup(index, [&](WinogradGroup & group, std::int64_t) {
        group.Features = GetThreadScratch(static_cast<std::size_t>(Points * tiling.GroupSize * (m_Inputs + m_Outputs)));
        group.Sums = group.Features + Points * tiling.GroupSize * m_Inputs;
        kernels.Convolve(group, layer);
      });
    });
    return;
  }
  WinogradGroup all = {};
  all.Count = tiling.Tiles;
  all.Stride = tiling.Tiles;
  all.Features = scratch + momentsSize * tiling.Groups;
  all.Sums = all.Features + Points * tiling.Tiles * m_Inputs;
  const auto part = [&](WinogradGroup & group, std::int64_t first) {
    group.Stride = all.Stride;
    group.Features = all.Features + first * m_Inputs;
    group.Sums = all.Sums + first * m_Outputs;
  };
  NetworkThreads::For(tiling.Groups, [&](std::int64_t index) {
    withGroup(index, [&](WinogradGroup & group, std::int64_t first) {
      part(group, first);
      kernels.Gather(group, layer);
    });
  });
  NetworkThreads::For(Points, [&](std::int64_t point) { kernels.MultiplyPoint(all, layer, point); });
  NetworkThreads::For(tiling.Groups, [&](std::int64_t index) {
    withGroup(index, [&](WinogradGroup & group, std::int64_t first) {
      part(group, first);
      kernels.Scatter(group, layer);
    });
  });
}

void NetworkConvolution::PlainSum(const NetworkKernels & kernels, const Features & source, float * result) const
{
  const std::int64_t rows = this->GetOutputSize(source.Rows);
  const std::int64_t columns = this->GetOutputSize(source.Columns);
  const std::int64_t steps = m_Plain.GetSteps();
  const auto         bytes = static_cast<std::size_t>(m_RealInputs) * sizeof(float);
  NetworkThreads::For(rows, [&](std::int64_t row) {
    float * const neighbours = GetThreadScratch(static_cast<std::size_t>(columns * steps));
    float *       to = neighbours;
    for (std::int64_t column = 0; column < columns; ++column)
    {
      for (std::int64_t tap = 0; tap < 9; ++tap, to += m_RealInputs)
      {
        const std::int64_t y = row * m_Stride - 1 + tap / 3;
        const std::int64_t x = column * m_Stride - 1 + tap % 3;
        if (y < 0 || y >= source.Rows || x < 0 || x >= source.Columns)
        {
          std::fill_n(to, m_RealInputs, 0.0F);
        }
        else
        {
          std::memcpy(to, source.Values.Data + (y * source.Columns + x) * source.Values.Channels, bytes);
        }
      }
    }
    m_Plain.Multiply(kernels, neighbours, steps, columns, result + row * columns * m_Outputs, m_Outputs, true);
  });
}

void NetworkConvolution::SetNorm(std::int64_t pixels, const float * moments, std::int64_t parts, float * norm) const
{
  std::vector<double> totals(static_cast<std::size_t>(2 * m_Outputs), 0.0);
  for (std::int64_t part = 0; part < parts; ++part)
  {
    for (double & total : totals)
    {
      total += static_cast<double>(*moments++);
    }
  }
  std::fill_n(norm, 2 * m_Outputs, 0.0F); // also of the channels that only fill up
  const std::int64_t width = m_RealOutputs / m_Groups;
  const double       count = static_cast<double>(pixels * width);
  for (std::int64_t first = 0; first < m_RealOutputs; first += width)
  {
    const auto   sums = totals.begin() + first;
    const auto   squares = sums + m_Outputs;
    const double mean = std::accumulate(sums, sums + width, 0.0) / count;
    const double variance = std::accumulate(squares, squares + width, 0.0) / count - mean * mean;
    // What is not a number stays so.
    const double inverse = 1.0 / std::sqrt((variance < 0.0 ? 0.0 : variance) + NormEpsilon);
    for (std::int64_t c = first; c < first + width; ++c)
    {
      const auto   channel = static_cast<std::size_t>(c);
      const double factor = static_cast<double>(m_NormWeight[channel]) * inverse;
      norm[c] = static_cast<float>(factor);
      norm[m_Outputs + c] = static_cast<float>(static_cast<double>(m_NormBias[channel]) - mean * factor);
    }
  }
}
} // namespace npsnet
} // namespace itk
