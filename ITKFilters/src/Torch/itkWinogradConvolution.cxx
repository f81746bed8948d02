#include "itkWinogradConvolution.h"

#include "itkWidestVectors.h"
#include "itkWinogradKernel.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <vector>

namespace itk
{
namespace npsnet
{
namespace
{
constexpr int64_t Panel = WinogradShape::Panel;
constexpr int64_t Side = WinogradShape::Side;
constexpr int64_t Reach = WinogradShape::Reach;
constexpr int64_t Points = WinogradShape::Points;

using ConvolveFunction = void (*)(const WinogradGroup &, const WinogradLayer &);

#if defined(__GNUC__)
typedef float FourFloats __attribute__((vector_size(16)));
typedef float EightFloats __attribute__((vector_size(32)));
typedef float SixteenFloats __attribute__((vector_size(64)));

void ConvolvePlain(const WinogradGroup & group, const WinogradLayer & layer)
{
  WinogradKernel<FourFloats, 3>::Convolve(group, layer);
}

// One binary for every x86-64. target_clones would be shorter, but cannot ask for AVX2 together with FMA.
#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) void ConvolveAVX2(const WinogradGroup & group, const WinogradLayer & layer)
{
  WinogradKernel<EightFloats, 6>::Convolve(group, layer);
}

__attribute__((target("avx512f"))) void ConvolveAVX512(const WinogradGroup & group, const WinogradLayer & layer)
{
  WinogradKernel<SixteenFloats, 12>::Convolve(group, layer);
}

ConvolveFunction ChooseConvolve()
{
  if (__builtin_cpu_supports("avx512f"))
  {
    return ConvolveAVX512;
  }
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? ConvolveAVX2 : ConvolvePlain;
}
#else
ConvolveFunction ChooseConvolve()
{
  return ConvolvePlain;
}
#endif
#else
ConvolveFunction ChooseConvolve()
{
  return nullptr; // the compiler has no vector types
}
#endif

using PanelOfTaps = double[Panel];

/** Three taps to their values at the points. */
inline void TransformTaps(const PanelOfTaps * taps, int64_t from, PanelOfTaps * out, int64_t to)
{
  constexpr double a = WinogradShape::A;
  constexpr double b = WinogradShape::B;
  constexpr double byZero = 1.0 / (a * a * b * b);
  constexpr double byA = 1.0 / (2.0 * a * a * (a * a - b * b));
  constexpr double byB = 1.0 / (2.0 * b * b * (b * b - a * a));
  for (int64_t i = 0; i < Panel; ++i)
  {
    const double evenA = (taps[0][i] + a * a * taps[2 * from][i]) * byA;
    const double oddA = a * taps[from][i] * byA;
    const double evenB = (taps[0][i] + b * b * taps[2 * from][i]) * byB;
    const double oddB = b * taps[from][i] * byB;
    out[0][i] = taps[0][i] * byZero;
    out[to][i] = evenA + oddA;
    out[2 * to][i] = evenA - oddA;
    out[3 * to][i] = evenB + oddB;
    out[4 * to][i] = evenB - oddB;
    out[5 * to][i] = taps[2 * from][i];
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

/** Tiles worked on together: their features and sums should stay in the second-level cache, but many must share one
 * reading of large weights; and every thread should have a group. */
int64_t GroupSize(int64_t tiles, int64_t channelProduct)
{
  const int64_t     wanted = channelProduct > 128 * 128 ? 96 : 48;
  const int64_t     share = (tiles + at::get_num_threads() - 1) / at::get_num_threads();
  constexpr int64_t step = 12; // a multiple of the rows that every kernel sums at once
  return std::min(wanted, (share + step - 1) / step * step);
}
} // namespace

bool WinogradConvolution::Suits(const torch::Tensor & weight)
{
  constexpr int64_t largest = 1024 * 512;
  return ChooseConvolve() && weight.size(0) % Panel == 0 && (weight.size(1) % Panel == 0 || weight.size(1) < Panel) &&
         weight.size(0) * weight.size(1) <= largest;
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
  static const ConvolveFunction convolve = ChooseConvolve();
  std::call_once(m_Transformed, &WinogradConvolution::Transform, this);
  const auto x = torch::constant_pad_nd(features, { 0, 0, 0, 0, 0, m_InputChannels - features.size(1) })
                   .contiguous(torch::MemoryFormat::ChannelsLast);

  const int64_t rows = x.size(2);
  const int64_t columns = x.size(3);
  const int64_t tileRows = (rows + Side - 1) / Side;
  const int64_t tileColumns = (columns + Side - 1) / Side;
  const int64_t tiles = x.size(0) * tileRows * tileColumns;
  auto          y = torch::empty({ x.size(0), m_OutputChannels, rows, columns },
                        x.options().memory_format(torch::MemoryFormat::ChannelsLast));
  const float * input = x.data_ptr<float>();
  float *       result = y.data_ptr<float>();

  WinogradLayer layer;
  layer.InputChannels = m_InputChannels;
  layer.OutputChannels = m_OutputChannels;
  layer.ResultStride = columns * m_OutputChannels;
  layer.Weights = m_Weights.data_ptr<float>();
  layer.Bias = bias.defined() ? bias.data_ptr<float>() : nullptr;

  const auto locate = [&](int64_t index) {
    const int64_t image = index / (tileRows * tileColumns);
    const int64_t row = index / tileColumns % tileRows * Side;
    const int64_t column = index % tileColumns * Side;
    WinogradTile  tile;
    for (int64_t i = 0; i < Reach; ++i)
    {
      const int64_t from = row - 1 + i;
      tile.Rows[i] = from >= 0 && from < rows ? input + (image * rows + from) * columns * m_InputChannels : nullptr;
      tile.Columns[i] = (column - 1 + i + columns) % columns * m_InputChannels;
    }
    tile.Result = result + ((image * rows + row) * columns + column) * m_OutputChannels;
    tile.ResultRows = std::min(Side, rows - row);
    tile.ResultColumns = std::min(Side, columns - column);
    return tile;
  };

  const int64_t size = GroupSize(tiles, m_InputChannels * m_OutputChannels);
  at::parallel_for(0, (tiles + size - 1) / size, 1, [&](int64_t begin, int64_t end) {
    const auto buffer = torch::empty({ Points * size * (m_InputChannels + m_OutputChannels) }, torch::kFloat);
    std::vector<WinogradTile> members(size);
    WinogradGroup             group;
    group.Tiles = members.data();
    group.Stride = size;
    group.Features = buffer.data_ptr<float>();
    group.Sums = group.Features + Points * size * m_InputChannels;
    for (int64_t i = begin; i < end; ++i)
    {
      group.Count = std::min(size, tiles - i * size);
      for (int64_t t = 0; t < group.Count; ++t)
      {
        members[t] = locate(i * size + t);
      }
      convolve(group, layer);
    }
  });
  return y;
}
} // namespace npsnet
} // namespace itk
