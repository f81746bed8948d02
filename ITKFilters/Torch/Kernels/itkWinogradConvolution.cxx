// SPDX-License-Identifier: Apache-2.0
#include "itkWinogradConvolution.h"

#include "itkWidestVectors.h"
#include "itkWinogradTiles.h"

#include <ATen/Parallel.h>

#include <algorithm>

namespace itk
{
namespace npsnet
{
namespace
{
constexpr int64_t Panel = WinogradShape::Panel;
constexpr int64_t Reach = WinogradShape::Reach;
constexpr int64_t Points = WinogradShape::Points;

// scales of the kernels' values at the interpolation points
constexpr double A = WinogradShape::A;
constexpr double B = WinogradShape::B;
constexpr double ByZero = 1.0 / (A * A * B * B);
constexpr double ByA = 1.0 / (2.0 * A * A * (A * A - B * B));
constexpr double ByB = 1.0 / (2.0 * B * B * (B * B - A * A));

using PanelOfTaps = double[Panel];

/** Three taps to their values at the points. */
inline void TransformTaps(const PanelOfTaps * taps, int64_t from, PanelOfTaps * out, int64_t to)
{
  for (int64_t i = 0; i < Panel; ++i)
  {
    const double evenA = (taps[0][i] + A * A * taps[2 * from][i]) * ByA;
    const double oddA = A * taps[from][i] * ByA;
    const double evenB = (taps[0][i] + B * B * taps[2 * from][i]) * ByB;
    const double oddB = B * taps[from][i] * ByB;
    out[0][i] = taps[0][i] * ByZero;
    out[to][i] = evenA + oddA;
    out[2 * to][i] = evenA - oddA;
    out[3 * to][i] = evenB + oddB;
    out[4 * to][i] = evenB - oddB;
    out[5 * to][i] = taps[2 * from][i];
  }
}

/** The transpose of TransformTaps(). */
inline void GatherTaps(const PanelOfTaps * values, int64_t from, PanelOfTaps * taps, int64_t to)
{
  for (int64_t i = 0; i < Panel; ++i)
  {
    const double evenA = (values[from][i] + values[2 * from][i]) * ByA;
    const double oddA = (values[from][i] - values[2 * from][i]) * ByA;
    const double evenB = (values[3 * from][i] + values[4 * from][i]) * ByB;
    const double oddB = (values[3 * from][i] - values[4 * from][i]) * ByB;
    taps[0][i] = values[0][i] * ByZero + evenA + evenB;
    taps[to][i] = A * oddA + B * oddB;
    taps[2 * to][i] = A * A * evenA + B * B * evenB + values[5 * from][i];
  }
}

/** 16 kernels of 3x3 taps, `stride` apart, to one row of a panel for every point, `block` apart. */
NPSNET_WIDEST_VECTORS void TransformKernels(const float * taps, int64_t stride, float * out, int64_t block)
{
  PanelOfTaps plane[9];
  PanelOfTaps columns[Reach * 3];
  PanelOfTaps values[Points];
  for (int64_t i = 0; i < Panel; ++i)
  {
    for (int64_t tap = 0; tap < 9; ++tap)
    {
      plane[tap][i] = taps[i * stride + tap];
    }
  }
  for (int64_t x = 0; x < 3; ++x)
  {
    TransformTaps(plane + x, 3, columns + x, 3);
  }
  for (int64_t y = 0; y < Reach; ++y)
  {
    TransformTaps(columns + 3 * y, 1, values + Reach * y, 1);
  }
  for (int64_t point = 0; point < Points; ++point)
  {
    for (int64_t i = 0; i < Panel; ++i)
    {
      out[point * block + i] = static_cast<float>(values[point][i]);
    }
  }
}

/** The transpose of TransformKernels(): gradients of 16 kernels from those of their values at the points. */
NPSNET_WIDEST_VECTORS void GatherKernels(const float * values, int64_t block, float * taps, int64_t stride)
{
  PanelOfTaps points[Points];
  PanelOfTaps columns[Reach * 3];
  PanelOfTaps plane[9];
  for (int64_t point = 0; point < Points; ++point)
  {
    for (int64_t i = 0; i < Panel; ++i)
    {
      points[point][i] = values[point * block + i];
    }
  }
  for (int64_t y = 0; y < Reach; ++y)
  {
    GatherTaps(points + Reach * y, 1, columns + 3 * y, 1);
  }
  for (int64_t x = 0; x < 3; ++x)
  {
    GatherTaps(columns + x, 3, plane + x, 3);
  }
  for (int64_t i = 0; i < Panel; ++i)
  {
    for (int64_t tap = 0; tap < 9; ++tap)
    {
      taps[i * stride + tap] = static_cast<float>(plane[tap][i]);
    }
  }
}

torch::Tensor FillChannels(const torch::Tensor & x, int64_t channels)
{
  return (x.size(1) < channels ? torch::constant_pad_nd(x, { 0, 0, 0, 0, 0, channels - x.size(1) }) : x)
    .contiguous(torch::MemoryFormat::ChannelsLast);
}
} // namespace

bool WinogradConvolution::Suits(const torch::Tensor & weight)
{
  constexpr int64_t largest = 1024 * 512;
  return GetWinogradArithmetic().Convolve && weight.size(0) % Panel == 0 &&
         (weight.size(1) % Panel == 0 || weight.size(1) < Panel) && weight.size(0) * weight.size(1) <= largest;
}

WinogradConvolution::WinogradConvolution(const torch::Tensor & weight)
  : m_InputChannels(std::max(Panel, weight.size(1)))
  , m_OutputChannels(weight.size(0))
  , m_Plain(weight)
{
  constexpr int64_t quickly = 512 * 512;
  if (m_InputChannels * m_OutputChannels <= quickly)
  {
    std::call_once(m_Transformed, &WinogradConvolution::Transform, this);
  }
}

void WinogradConvolution::Transform() const
{
  const auto plain =
    torch::constant_pad_nd(m_Plain.to(torch::kFloat), { 0, 0, 0, 0, 0, m_InputChannels - m_Plain.size(1) })
      .contiguous();
  m_Plain.reset();
  const float * taps = plain.data_ptr<float>();
  m_Weights = torch::empty({ Points, m_OutputChannels / Panel, m_InputChannels, Panel }, torch::kFloat);
  float * packed = m_Weights.data_ptr<float>();
  at::parallel_for(0, m_OutputChannels / Panel, 1, [&](int64_t begin, int64_t end) {
    for (int64_t panel = begin; panel < end; ++panel)
    {
      for (int64_t c = 0; c < m_InputChannels; ++c)
      {
        TransformKernels(taps + (panel * Panel * m_InputChannels + c) * 9,
                         m_InputChannels * 9,
                         packed + (panel * m_InputChannels + c) * Panel,
                         m_InputChannels * m_OutputChannels);
      }
    }
  });
}

torch::Tensor WinogradConvolution::operator()(const torch::Tensor & features, const torch::Tensor & bias) const
{
  std::call_once(m_Transformed, &WinogradConvolution::Transform, this);
  const auto x = FillChannels(features, m_InputChannels);
  auto       y = torch::empty({ x.size(0), m_OutputChannels, x.size(2), x.size(3) },
                        x.options().memory_format(torch::MemoryFormat::ChannelsLast));

  const WinogradTiles tiles(x, y);
  auto                layer = tiles.GetLayer();
  layer.Weights = m_Weights.data_ptr<float>();
  layer.Bias = bias.defined() ? bias.data_ptr<float>() : nullptr;
  at::parallel_for(0, tiles.GetNumberOfGroups(), 1, [&](int64_t begin, int64_t end) {
    tiles.WorkOff(begin, end, GetWinogradArithmetic().Convolve, layer);
  });
  return y;
}

torch::Tensor WinogradConvolution::ComputeWeightGradient(const torch::Tensor & features,
                                                         const torch::Tensor & resultGradient)
{
  const int64_t out = resultGradient.size(1);
  const int64_t used = features.size(1);
  const auto    x = FillChannels(features, std::max(Panel, used));
  const auto    y = resultGradient.contiguous(torch::MemoryFormat::ChannelsLast);
  const int64_t in = x.size(1);

  const WinogradTiles tiles(x, y);
  // One share of the sum per thread, added in their order.
  auto          shares = torch::zeros({ at::get_num_threads(), Points, in, out }, torch::kFloat);
  const int64_t each = (tiles.GetNumberOfGroups() + shares.size(0) - 1) / shares.size(0);
  at::parallel_for(0, shares.size(0), 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
    {
      auto layer = tiles.GetLayer();
      layer.Gradient = shares.data_ptr<float>() + i * shares.stride(0);
      tiles.WorkOff(std::min(i * each, tiles.GetNumberOfGroups()),
                    std::min((i + 1) * each, tiles.GetNumberOfGroups()),
                    GetWinogradArithmetic().Correlate,
                    layer);
    }
  });
  const auto    total = shares.size(0) > 1 ? shares.sum(0) : shares[0];
  const float * values = total.data_ptr<float>();
  auto          gradient = torch::empty({ out, used, 3, 3 }, torch::kFloat);
  float *       taps = gradient.data_ptr<float>();
  for (int64_t c = 0; c < used; ++c)
  {
    for (int64_t k = 0; k < out; k += Panel)
    {
      GatherKernels(values + c * out + k, in * out, taps + (k * used + c) * 9, used * 9);
    }
  }
  return gradient;
}
} // namespace npsnet
} // namespace itk
