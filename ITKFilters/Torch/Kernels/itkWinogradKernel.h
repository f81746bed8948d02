// SPDX-License-Identifier: Apache-2.0
#ifndef itkWinogradKernel_h
#define itkWinogradKernel_h

#include "itkMacro.h"
#include "itkWidestVectors.h"

#include <array>
#include <cstdint>

namespace itk
{
namespace npsnet
{
struct WinogradShape
{
  static constexpr int64_t Panel = 16; ///< output channels whose weights lie together
  static constexpr int64_t Side = 4;   ///< of a tile of the result
  static constexpr int64_t Reach = 6;  ///< side of the features that a tile depends on
  static constexpr int64_t Points = Reach * Reach;

  // the interpolation points are 0, +-A, +-B and infinity
  static constexpr float A = 0.75F;
  static constexpr float B = 1.5F;
};

struct WinogradTile
{
  std::array<const float *, WinogradShape::Reach> Rows;    ///< null where there are zeros
  std::array<int64_t, WinogradShape::Reach>       Columns; ///< offsets in a row
  float *                                         Result;  ///< or its gradient
  int64_t                                         ResultRows, ResultColumns;
};

struct WinogradLayer
{
  int64_t       InputChannels, OutputChannels;
  int64_t       ResultStride; ///< from one row of the result to the next
  const float * Weights;      ///< points x panels x input channels x 16
  const float * Bias;         ///< or null
  float *       Gradient;     ///< of the transformed weights: points x input channels x output channels
};

/** Tiles and their buffers, which hold one block per point and one row per tile in it. */
struct WinogradGroup
{
  const WinogradTile * Tiles;
  int64_t              Count;
  int64_t              Stride; ///< rows of a block
  float *              Features;
  float *              Sums;
};

#if defined(__GNUC__)
// no vector crosses a call that is left after inlining
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

/** The arithmetic of WinogradConvolution for one group of tiles, written with the vector types of GCC and Clang.
 *
 * Vector: what one register holds. RowsAtOnce: rows of the product that are summed together; their sums, 16 channels
 * each, should just fill the registers. Everything is inlined into the caller, whose instruction set it gets. */
template <typename Vector, int64_t RowsAtOnce>
class WinogradKernel : private WinogradShape
{
public:
  static NPSNET_ALWAYS_INLINE void Convolve(const WinogradGroup & group, const WinogradLayer & layer)
  {
    for (int64_t t = 0; t < group.Count; ++t)
    {
      Gather(group.Tiles[t], group.Features + t * layer.InputChannels, group.Stride, layer);
    }
    Multiply(group, layer);
    for (int64_t t = 0; t < group.Count; ++t)
    {
      Scatter(group.Tiles[t], group.Sums + t * layer.OutputChannels, group.Stride, layer);
    }
  }

  /** Adds to the gradient of the transformed weights what the tiles' results, read as gradients, give. */
  static NPSNET_ALWAYS_INLINE void Correlate(const WinogradGroup & group, const WinogradLayer & layer)
  {
    for (int64_t t = 0; t < group.Count; ++t)
    {
      Gather(group.Tiles[t], group.Features + t * layer.InputChannels, group.Stride, layer);
      GatherResult(group.Tiles[t], group.Sums + t * layer.OutputChannels, group.Stride, layer);
    }
    MultiplyTransposed(group, layer);
  }

private:
  static constexpr int64_t Width = sizeof(Vector) / sizeof(float);
  static constexpr int64_t VectorsPerPanel = Panel / Width;

  static NPSNET_ALWAYS_INLINE Vector Load(const float * from)
  {
    Vector value;
    __builtin_memcpy(&value, from, sizeof(Vector));
    return value;
  }

  static NPSNET_ALWAYS_INLINE void Store(float * to, const Vector & value)
  {
    __builtin_memcpy(to, &value, sizeof(Vector));
  }

  /** Six samples to their values at the points. */
  static NPSNET_ALWAYS_INLINE void TransformFeatures(const Vector * d, Vector * out, int64_t stride)
  {
    constexpr float a2 = A * A;
    constexpr float b2 = B * B;
    const Vector    evenA = d[4] - b2 * d[2];
    const Vector    oddA = A * (d[3] - b2 * d[1]);
    const Vector    evenB = d[4] - a2 * d[2];
    const Vector    oddB = B * (d[3] - a2 * d[1]);
    out[0] = a2 * b2 * d[0] - (a2 + b2) * d[2] + d[4];
    out[stride] = evenA + oddA;
    out[2 * stride] = evenA - oddA;
    out[3 * stride] = evenB + oddB;
    out[4 * stride] = evenB - oddB;
    out[5 * stride] = a2 * b2 * d[1] - (a2 + b2) * d[3] + d[5];
  }

  /** Values at the points to four samples of the result. */
  static NPSNET_ALWAYS_INLINE void TransformSums(const Vector * m, int64_t from, Vector * out, int64_t to)
  {
    const Vector evenA = m[from] + m[2 * from];
    const Vector oddA = m[from] - m[2 * from];
    const Vector evenB = m[3 * from] + m[4 * from];
    const Vector oddB = m[3 * from] - m[4 * from];
    out[0] = m[0] + evenA + evenB;
    out[to] = A * oddA + B * oddB;
    out[2 * to] = A * A * evenA + B * B * evenB;
    out[3 * to] = A * A * A * oddA + B * B * B * oddB + m[5 * from];
  }

  static NPSNET_ALWAYS_INLINE void Gather(const WinogradTile &  tile,
                                          float *               features,
                                          int64_t               stride,
                                          const WinogradLayer & layer)
  {
    for (int64_t first = 0; first < layer.InputChannels; first += Width)
    {
      Vector columns[Points];
      for (int64_t x = 0; x < Reach; ++x)
      {
        Vector column[Reach] = {};
        for (int64_t y = 0; y < Reach; ++y)
        {
          column[y] = tile.Rows[y] ? Load(tile.Rows[y] + tile.Columns[x] + first) : Vector{};
        }
        TransformFeatures(column, columns + x, Reach);
      }
      float * out = features + first;
      for (int64_t y = 0; y < Reach; ++y)
      {
        Vector row[Reach];
        TransformFeatures(columns + y * Reach, row, 1);
        for (int64_t x = 0; x < Reach; ++x, out += stride * layer.InputChannels)
        {
          Store(out, row[x]);
        }
      }
    }
  }

  /** Adds `steps` products of a column of the left and a row of 16 of the right to Rows x 16 sums. The left lies row by
   * row, or transposed; the right in a panel of weights, or as rows of the length `rightStride`. */
  template <int64_t Rows, bool Transposed>
  static NPSNET_ALWAYS_INLINE void MultiplyRows(const float * left,
                                                int64_t       leftStride,
                                                const float * right,
                                                int64_t       rightStride,
                                                int64_t       steps,
                                                float *       sums,
                                                int64_t       sumStride)
  {
    Vector total[Rows][VectorsPerPanel] = {};
    for (int64_t step = 0; step < steps; ++step, right += Transposed ? rightStride : Panel)
    {
      Vector weight[VectorsPerPanel];
#pragma GCC unroll 4
      for (int64_t v = 0; v < VectorsPerPanel; ++v)
      {
        weight[v] = Load(right + v * Width);
      }
#pragma GCC unroll 12
      for (int64_t row = 0; row < Rows; ++row)
      {
        const float feature = Transposed ? left[step * leftStride + row] : left[row * leftStride + step];
#pragma GCC unroll 4
        for (int64_t v = 0; v < VectorsPerPanel; ++v)
        {
          total[row][v] += feature * weight[v];
        }
      }
    }
#pragma GCC unroll 12
    for (int64_t row = 0; row < Rows; ++row)
    {
#pragma GCC unroll 4
      for (int64_t v = 0; v < VectorsPerPanel; ++v)
      {
        float * out = sums + row * sumStride + v * Width;
        Store(out, Transposed ? Load(out) + total[row][v] : total[row][v]);
      }
    }
  }

  static NPSNET_ALWAYS_INLINE void Multiply(const WinogradGroup & group, const WinogradLayer & layer)
  {
    const int64_t in = layer.InputChannels;
    const int64_t out = layer.OutputChannels;
    const float * weights = layer.Weights;
    for (int64_t point = 0; point < Points; ++point)
    {
      const float * features = group.Features + point * group.Stride * in;
      float *       sums = group.Sums + point * group.Stride * out;
      for (int64_t k = 0; k < out; k += Panel, weights += in * Panel)
      {
        int64_t t = 0;
        for (; t + RowsAtOnce <= group.Count; t += RowsAtOnce)
        {
          MultiplyRows<RowsAtOnce, false>(features + t * in, in, weights, Panel, in, sums + t * out + k, out);
        }
        for (; t < group.Count; ++t)
        {
          MultiplyRows<1, false>(features + t * in, in, weights, Panel, in, sums + t * out + k, out);
        }
      }
    }
  }

  static NPSNET_ALWAYS_INLINE void MultiplyTransposed(const WinogradGroup & group, const WinogradLayer & layer)
  {
    constexpr int64_t rows = 8 / VectorsPerPanel; // eight sums hide the latency of their additions
    const int64_t     in = layer.InputChannels;
    const int64_t     out = layer.OutputChannels;
    for (int64_t point = 0; point < Points; ++point)
    {
      const float * features = group.Features + point * group.Stride * in;
      const float * sums = group.Sums + point * group.Stride * out;
      float *       gradient = layer.Gradient + point * in * out;
      for (int64_t c = 0; c < in; c += rows)
      {
        for (int64_t k = 0; k < out; k += Panel)
        {
          MultiplyRows<rows, true>(features + c, in, sums + k, out, group.Count, gradient + c * out + k, out);
        }
      }
    }
  }

  /** The transpose of TransformSums(). */
  static NPSNET_ALWAYS_INLINE void SpreadResult(const Vector * d, int64_t from, Vector * out, int64_t to)
  {
    const Vector evenA = d[0] + A * A * d[2 * from];
    const Vector oddA = A * d[from] + A * A * A * d[3 * from];
    const Vector evenB = d[0] + B * B * d[2 * from];
    const Vector oddB = B * d[from] + B * B * B * d[3 * from];
    out[0] = d[0];
    out[to] = evenA + oddA;
    out[2 * to] = evenA - oddA;
    out[3 * to] = evenB + oddB;
    out[4 * to] = evenB - oddB;
    out[5 * to] = d[3 * from];
  }

  static NPSNET_ALWAYS_INLINE void GatherResult(const WinogradTile &  tile,
                                                float *               sums,
                                                int64_t               stride,
                                                const WinogradLayer & layer)
  {
    for (int64_t first = 0; first < layer.OutputChannels; first += Width)
    {
      Vector columns[Reach * Side] = {};
      for (int64_t x = 0; x < tile.ResultColumns; ++x)
      {
        Vector column[Side] = {};
        for (int64_t y = 0; y < tile.ResultRows; ++y)
        {
          column[y] = Load(tile.Result + y * layer.ResultStride + x * layer.OutputChannels + first);
        }
        SpreadResult(column, 1, columns + x, Side);
      }
      float * out = sums + first;
      for (int64_t y = 0; y < Reach; ++y)
      {
        Vector row[Reach];
        SpreadResult(columns + y * Side, 1, row, 1);
        for (int64_t x = 0; x < Reach; ++x, out += stride * layer.OutputChannels)
        {
          Store(out, row[x]);
        }
      }
    }
  }

  static NPSNET_ALWAYS_INLINE void Scatter(const WinogradTile &  tile,
                                           const float *         sums,
                                           int64_t               stride,
                                           const WinogradLayer & layer)
  {
    for (int64_t first = 0; first < layer.OutputChannels; first += Width)
    {
      Vector        values[Points];
      const float * in = sums + first;
      for (int64_t point = 0; point < Points; ++point, in += stride * layer.OutputChannels)
      {
        values[point] = Load(in);
      }
      Vector columns[Side * Reach];
      for (int64_t x = 0; x < Reach; ++x)
      {
        TransformSums(values + x, Reach, columns + x, Reach);
      }
      for (int64_t y = 0; y < tile.ResultRows; ++y)
      {
        Vector row[Side];
        TransformSums(columns + y * Reach, 1, row, 1);
        float * out = tile.Result + y * layer.ResultStride + first;
        for (int64_t x = 0; x < tile.ResultColumns; ++x, out += layer.OutputChannels)
        {
          if (layer.Bias)
          {
            const Vector value = row[x] + Load(layer.Bias + first);
            row[x] = value > 0.0F ? value : Vector{};
          }
          Store(out, row[x]);
        }
      }
    }
  }
};

#pragma GCC diagnostic pop
#endif
} // namespace npsnet
} // namespace itk

#endif
