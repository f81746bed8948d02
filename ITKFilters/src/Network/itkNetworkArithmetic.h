// SPDX-License-Identifier: Apache-2.0
#ifndef itkNetworkArithmetic_h
#define itkNetworkArithmetic_h

#include "itkFloatVectors.h"
#include "itkNetworkKernels.h"

#include <algorithm>

namespace itk
{
namespace npsnet
{
#if defined(__GNUC__)
// no vector crosses a call that is left after inlining
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

/** The functions of NetworkKernels, to be inlined into functions of one instruction set.
 *
 * Vector: what one register holds. RowsAtOnce: rows of a product that are summed together; their sums, 16 columns
 * each, should just fill the registers. */
template <typename TVector, int RowsAtOnce>
class NetworkArithmetic : private WinogradShape
{
public:
  using Vector = TVector;
  using Int = std::int64_t;

  static NPSNET_ALWAYS_INLINE void Convolve(const WinogradGroup & group, const WinogradLayer & layer)
  {
    Gather(group, layer);
    for (Int point = 0; point < Points; ++point)
    {
      MultiplyPoint(group, layer, point);
    }
    Scatter(group, layer);
  }

  static NPSNET_ALWAYS_INLINE void Gather(const WinogradGroup & group, const WinogradLayer & layer)
  {
    for (Int t = 0; t < group.Count; ++t)
    {
      float * features = group.Features + t * layer.InputChannels;
      for (Int s = 0; s < layer.NumberOfSources; ++s)
      {
        const FeatureSource & source = layer.Sources[s];
        if (source.Scale)
        {
          GatherSource<true>(group.Tiles[t], source, features, group.Stride * layer.InputChannels);
        }
        else
        {
          GatherSource<false>(group.Tiles[t], source, features, group.Stride * layer.InputChannels);
        }
        features += source.Channels;
      }
    }
  }

  static NPSNET_ALWAYS_INLINE void MultiplyPoint(const WinogradGroup & group, const WinogradLayer & layer, Int point)
  {
    MatrixProduct product;
    product.Left = group.Features + point * group.Stride * layer.InputChannels;
    product.LeftStride = layer.InputChannels;
    product.Rows = group.Count;
    product.Steps = layer.InputChannels;
    product.Right = layer.Weights + point * layer.InputChannels * layer.OutputChannels;
    product.Panels = layer.OutputChannels / Panel;
    product.Bias = nullptr;
    product.Rectify = false;
    product.Result = group.Sums + point * group.Stride * layer.OutputChannels;
    product.ResultStride = layer.OutputChannels;
    Multiply(product);
  }

  static NPSNET_ALWAYS_INLINE void Scatter(const WinogradGroup & group, const WinogradLayer & layer)
  {
    const Int stride = group.Stride * layer.OutputChannels;
    for (Int t = 0; t < group.Count; ++t)
    {
      const float * sums = group.Sums + t * layer.OutputChannels;
      if (layer.Bias)
      {
        ScatterTile<true>(group.Tiles[t], sums, stride, layer, nullptr);
      }
      else
      {
        ScatterTile<false>(group.Tiles[t], sums, stride, layer, group.Moments);
      }
    }
  }

  /** In double precision: weights are transformed once, their rounding would stay. */
  static NPSNET_ALWAYS_INLINE void TransformTaps(const float * taps, Int stride, float * out, Int block)
  {
    PanelOfTaps plane[9];
    PanelOfTaps columns[Reach * 3];
    PanelOfTaps values[Points];
    for (Int i = 0; i < Panel; ++i)
    {
      for (Int tap = 0; tap < 9; ++tap)
      {
        plane[tap][i] = static_cast<double>(taps[i * stride + tap]);
      }
    }
    for (Int x = 0; x < 3; ++x)
    {
      TransformThree(plane + x, 3, columns + x, 3);
    }
    for (Int y = 0; y < Reach; ++y)
    {
      TransformThree(columns + 3 * y, 1, values + Reach * y, 1);
    }
    for (Int point = 0; point < Points; ++point)
    {
      for (Int i = 0; i < Panel; ++i)
      {
        out[point * block + i] = static_cast<float>(values[point][i]);
      }
    }
  }

  static NPSNET_ALWAYS_INLINE void Multiply(const MatrixProduct & product)
  {
    const float * right = product.Right;
    for (Int panel = 0; panel < product.Panels; ++panel, right += product.Steps * Panel)
    {
      Int row = 0;
      for (; row + RowsAtOnce <= product.Rows; row += RowsAtOnce)
      {
        MultiplyRows<RowsAtOnce>(product, right, row, panel);
      }
      if (RowsAtOnce > 6 && row + 6 <= product.Rows)
      {
        MultiplyRows<6>(product, right, row, panel);
        row += 6;
      }
      if (RowsAtOnce > 3 && row + 3 <= product.Rows)
      {
        MultiplyRows<3>(product, right, row, panel);
        row += 3;
      }
      if (row + 2 <= product.Rows)
      {
        MultiplyRows<2>(product, right, row, panel);
        row += 2;
      }
      if (row < product.Rows)
      {
        MultiplyRows<1>(product, right, row, panel);
      }
    }
  }

  static NPSNET_ALWAYS_INLINE void Resolve(const FeatureSource & source, Int firstPixel, Int pixels, float * out)
  {
    const float * in = source.Data + firstPixel * source.Channels;
    if (!source.Scale)
    {
      std::memcpy(out, in, static_cast<std::size_t>(pixels * source.Channels) * sizeof(float));
      return;
    }
    for (Int p = 0; p < pixels; ++p, in += source.Channels, out += source.Channels)
    {
      for (Int c = 0; c < source.Channels; c += Width)
      {
        Store(out + c, See<true>(source, in, c));
      }
    }
  }

  static NPSNET_ALWAYS_INLINE void MaximumOfFour(const FeatureSource & source,
                                                 Int                   upper,
                                                 Int                   lower,
                                                 Int                   pixels,
                                                 float *               out)
  {
    if (source.Scale)
    {
      MaximumOfFourSeen<true>(source, upper, lower, pixels, out);
    }
    else
    {
      MaximumOfFourSeen<false>(source, upper, lower, pixels, out);
    }
  }

  static NPSNET_ALWAYS_INLINE void AddProfile(const float * x, float weight, Int count, float * sum, float * moment)
  {
    for (Int i = 0; i < count; i += Width)
    {
      const Vector value = npsnet::Load<Vector>(x + i);
      Store(sum + i, npsnet::Load<Vector>(sum + i) + value);
      Store(moment + i, npsnet::Load<Vector>(moment + i) + value * weight);
    }
  }

  static NPSNET_ALWAYS_INLINE void AddContext(float *       x,
                                              const float * constant,
                                              float         weight,
                                              const float * slope,
                                              Int           count)
  {
    for (Int i = 0; i < count; i += Width)
    {
      const Vector context = npsnet::Load<Vector>(constant + i) + npsnet::Load<Vector>(slope + i) * weight;
      Store(x + i, npsnet::Load<Vector>(x + i) + context);
    }
  }

  static NPSNET_ALWAYS_INLINE void AddMoments(const float * x, Int pixels, Int channels, float * moments)
  {
    for (Int c = 0; c < channels; c += Width)
    {
      Vector sum = npsnet::Load<Vector>(moments + c);
      Vector square = npsnet::Load<Vector>(moments + channels + c);
      for (Int p = 0; p < pixels; ++p)
      {
        const Vector value = npsnet::Load<Vector>(x + p * channels + c);
        sum += value;
        square += value * value;
      }
      Store(moments + c, sum);
      Store(moments + channels + c, square);
    }
  }

  static NPSNET_ALWAYS_INLINE void Heads(const HeadBlock & block)
  {
    for (Int first = 0; first < Panel; first += Width)
    {
      HeadsOfSomeAngles(block, first);
    }
  }

  static NPSNET_ALWAYS_INLINE void Sigmoid(float * x, Int count)
  {
    for (Int i = 0; i < count; i += Width)
    {
      Store(x + i, Logistic<Vector>(npsnet::Load<Vector>(x + i)));
    }
  }

  static NPSNET_ALWAYS_INLINE DistributionSums Distribution(float * logits,
                                                            Int     bins,
                                                            Int     padded,
                                                            float   inverseTemperature)
  {
    float largest = logits[0];
    for (Int i = 0; i < bins; ++i)
    {
      largest = logits[i] > largest ? logits[i] : largest;
    }
    std::fill(logits + bins, logits + padded, largest);
    for (Int i = 0; i < padded; i += Width)
    {
      const Vector shifted = (npsnet::Load<Vector>(logits + i) - largest) * inverseTemperature;
      Store(logits + i, Exponential<Vector>(shifted));
    }
    double total = 0.0;
    for (Int i = 0; i < bins; ++i)
    {
      total += static_cast<double>(logits[i]);
    }
    const auto       inverse = static_cast<float>(1.0 / total);
    DistributionSums sums = { 0.0, 0.0 };
    for (Int i = 0; i < bins; ++i)
    {
      sums.Abscissa += static_cast<double>(logits[i]) * static_cast<double>(i);
    }
    sums.Abscissa /= total * static_cast<double>(bins - 1);
    for (Int i = 0; i < padded; i += Width)
    {
      const Vector p = npsnet::Load<Vector>(logits + i) * inverse;
      Store(logits + i, p * Logarithm<Vector>(p + 1e-8F));
    }
    for (Int i = 0; i < bins; ++i)
    {
      sums.Entropy += static_cast<double>(logits[i]);
    }
    return sums;
  }

private:
  static constexpr Int Panel = ChannelStep;
  static constexpr Int Width = sizeof(Vector) / sizeof(float);
  static constexpr Int VectorsPerPanel = Panel / Width;

  using PanelOfTaps = double[Panel];

  /** Three taps to their values at the points. */
  static NPSNET_ALWAYS_INLINE void TransformThree(const PanelOfTaps * taps, Int from, PanelOfTaps * out, Int to)
  {
    constexpr auto   a = static_cast<double>(A);
    constexpr auto   b = static_cast<double>(B);
    constexpr double byZero = 1.0 / (a * a * b * b);
    constexpr double byA = 1.0 / (2.0 * a * a * (a * a - b * b));
    constexpr double byB = 1.0 / (2.0 * b * b * (b * b - a * a));
    for (Int i = 0; i < Panel; ++i)
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

  template <bool Normed>
  static NPSNET_ALWAYS_INLINE Vector See(const FeatureSource & source, const float * pixel, Int channel)
  {
    const Vector value = npsnet::Load<Vector>(pixel + channel);
    if (!Normed)
    {
      return value;
    }
    const Vector scale = npsnet::Load<Vector>(source.Scale + channel);
    const Vector shift = npsnet::Load<Vector>(source.Shift + channel);
    return Rectify<Vector>(value * scale + shift);
  }

  /** Six samples to their values at the points. */
  static NPSNET_ALWAYS_INLINE void TransformFeatures(const Vector * d, Vector * out, Int stride)
  {
    constexpr float a2 = A * A;
    constexpr float b2 = B * B;
    const Vector    evenA = d[4] - d[2] * b2;
    const Vector    oddA = (d[3] - d[1] * b2) * A;
    const Vector    evenB = d[4] - d[2] * a2;
    const Vector    oddB = (d[3] - d[1] * a2) * B;
    out[0] = d[0] * (a2 * b2) - d[2] * (a2 + b2) + d[4];
    out[stride] = evenA + oddA;
    out[2 * stride] = evenA - oddA;
    out[3 * stride] = evenB + oddB;
    out[4 * stride] = evenB - oddB;
    out[5 * stride] = d[1] * (a2 * b2) - d[3] * (a2 + b2) + d[5];
  }

  /** Values at the points to four samples of the result. */
  static NPSNET_ALWAYS_INLINE void TransformSums(const Vector * m, Int from, Vector * out, Int to)
  {
    const Vector evenA = m[from] + m[2 * from];
    const Vector oddA = m[from] - m[2 * from];
    const Vector evenB = m[3 * from] + m[4 * from];
    const Vector oddB = m[3 * from] - m[4 * from];
    out[0] = m[0] + evenA + evenB;
    out[to] = oddA * A + oddB * B;
    out[2 * to] = evenA * (A * A) + evenB * (B * B);
    out[3 * to] = oddA * (A * A * A) + oddB * (B * B * B) + m[5 * from];
  }

  template <bool Normed>
  static NPSNET_ALWAYS_INLINE void GatherSource(const WinogradTile &  tile,
                                                const FeatureSource & source,
                                                float *               features,
                                                Int                   block)
  {
    for (Int first = 0; first < source.Channels; first += Width)
    {
      Vector columns[Points];
      for (Int x = 0; x < Reach; ++x)
      {
        Vector column[Reach] = {};
        for (Int y = 0; y < Reach; ++y)
        {
          if (tile.Rows[y] >= 0 && tile.Columns[x] >= 0)
          {
            column[y] = See<Normed>(source, source.Data + (tile.Rows[y] + tile.Columns[x]) * source.Channels, first);
          }
        }
        TransformFeatures(column, columns + x, Reach);
      }
      float * out = features + first;
      for (Int y = 0; y < Reach; ++y)
      {
        Vector row[Reach];
        TransformFeatures(columns + y * Reach, row, 1);
        for (Int x = 0; x < Reach; ++x, out += block)
        {
          Store(out, row[x]);
        }
      }
    }
  }

  template <int Rows>
  static NPSNET_ALWAYS_INLINE void MultiplyRows(const MatrixProduct & product,
                                                const float *         right,
                                                Int                   firstRow,
                                                Int                   panel)
  {
    const float * left = product.Left + firstRow * product.LeftStride;
    const Int     leftStride = product.LeftStride;
    const Int     steps = product.Steps;
    Vector        total[Rows][VectorsPerPanel] = {};
    for (Int step = 0; step < steps; ++step, right += Panel)
    {
      Vector weight[VectorsPerPanel];
#if defined(__GNUC__)
#pragma GCC unroll 4
#endif
      for (Int v = 0; v < VectorsPerPanel; ++v)
      {
        weight[v] = npsnet::Load<Vector>(right + v * Width);
      }
#if defined(__GNUC__)
#pragma GCC unroll 12
#endif
      for (Int row = 0; row < Rows; ++row)
      {
        const float feature = left[row * leftStride + step];
#if defined(__GNUC__)
#pragma GCC unroll 4
#endif
        for (Int v = 0; v < VectorsPerPanel; ++v)
        {
          total[row][v] += weight[v] * feature;
        }
      }
    }
#if defined(__GNUC__)
#pragma GCC unroll 12
#endif
    for (Int row = 0; row < Rows; ++row)
    {
      float * out = product.Result + (firstRow + row) * product.ResultStride + panel * Panel;
#if defined(__GNUC__)
#pragma GCC unroll 4
#endif
      for (Int v = 0; v < VectorsPerPanel; ++v)
      {
        Vector value = total[row][v];
        if (product.Bias)
        {
          value += npsnet::Load<Vector>(product.Bias + panel * Panel + v * Width);
        }
        Store(out + v * Width, product.Rectify ? npsnet::Rectify<Vector>(value) : value);
      }
    }
  }

  template <bool Biased>
  static NPSNET_ALWAYS_INLINE void ScatterTile(const WinogradTile &  tile,
                                               const float *         sums,
                                               Int                   block,
                                               const WinogradLayer & layer,
                                               float *               moments)
  {
    for (Int first = 0; first < layer.OutputChannels; first += Width)
    {
      Vector        values[Points];
      const float * in = sums + first;
      for (Int point = 0; point < Points; ++point, in += block)
      {
        values[point] = npsnet::Load<Vector>(in);
      }
      Vector columns[Side * Reach];
      for (Int x = 0; x < Reach; ++x)
      {
        TransformSums(values + x, Reach, columns + x, Reach);
      }
      Vector sum = {};
      Vector square = {};
      Vector bias = {};
      if (Biased)
      {
        bias = npsnet::Load<Vector>(layer.Bias + first);
      }
      for (Int y = 0; y < tile.ResultRows; ++y)
      {
        Vector row[Side];
        TransformSums(columns + y * Reach, 1, row, 1);
        float * out = tile.Result + y * layer.ResultStride + first;
        for (Int x = 0; x < tile.ResultColumns; ++x, out += layer.OutputChannels)
        {
          if (Biased)
          {
            Store(out, npsnet::Rectify<Vector>(row[x] + bias));
          }
          else
          {
            sum += row[x];
            square += row[x] * row[x];
            Store(out, row[x]);
          }
        }
      }
      if (!Biased)
      {
        Store(moments + first, npsnet::Load<Vector>(moments + first) + sum);
        float * squares = moments + layer.OutputChannels + first;
        Store(squares, npsnet::Load<Vector>(squares) + square);
      }
    }
  }

  template <bool Normed>
  static NPSNET_ALWAYS_INLINE void MaximumOfFourSeen(const FeatureSource & source,
                                                     Int                   upper,
                                                     Int                   lower,
                                                     Int                   pixels,
                                                     float *               out)
  {
    const Int     channels = source.Channels;
    const float * a = source.Data + upper * channels;
    const float * b = source.Data + lower * channels;
    for (Int p = 0; p < pixels; ++p, a += 2 * channels, b += 2 * channels, out += channels)
    {
      for (Int c = 0; c < channels; c += Width)
      {
        const Vector above = Larger<Vector>(See<Normed>(source, a, c), See<Normed>(source, a + channels, c));
        const Vector below = Larger<Vector>(See<Normed>(source, b, c), See<Normed>(source, b + channels, c));
        Store(out + c, Larger<Vector>(above, below));
      }
    }
  }

  /** a - sum of softplus(decrements), and Kahan's correction of the sum. */
  struct Descent
  {
    Vector Logit, Lost, Constant, Slope;

    static NPSNET_ALWAYS_INLINE Descent From(const float * const (&terms)[3], Int first)
    {
      Descent descent;
      descent.Logit = npsnet::Load<Vector>(terms[0] + first);
      descent.Lost = Vector{};
      descent.Constant = npsnet::Load<Vector>(terms[1] + first);
      descent.Slope = npsnet::Load<Vector>(terms[2] + first);
      return descent;
    }

    NPSNET_ALWAYS_INLINE Vector Step(const float * decrement, float rho, float scale)
    {
      const Vector d = Softplus<Vector>(npsnet::Load<Vector>(decrement) + (Constant + Slope * rho)) * scale;
      const Vector step = Lost - d;
      const Vector next = Logit + step;
      const Vector lost = step - (next - Logit);
      Lost = Select(lost < 0.0F, lost, Select(lost > 0.0F, lost, Vector{})); // nothing once the sum is infinite
      Logit = next;
      return next;
    }
  };

  static NPSNET_ALWAYS_INLINE Vector Lower(const Vector & before, const Vector & now)
  {
    return Select(before < now, before, now) + (before - before);
  }

  static NPSNET_ALWAYS_INLINE void HeadsOfSomeAngles(const HeadBlock & block, Int first)
  {
    Descent    disc = Descent::From(block.Disc, first);
    Descent    cup = Descent::From(block.Cup, first);
    const auto scale = static_cast<float>(block.DecrementScale);
    const auto softness = static_cast<float>(1.0 / block.PriorSoftness);
    Vector     priorRadius = {};
    Vector     priorWeight = {};
    if (block.PriorRadius)
    {
      priorRadius = npsnet::Load<Vector>(block.PriorRadius + first);
      priorWeight = npsnet::Load<Vector>(block.PriorWeight + first);
    }
    Vector lowestDisc = Everywhere<Vector>(2.0F);
    Vector lowestCup = lowestDisc;
    for (Int j = 0; j < block.Radii; ++j)
    {
      const auto rho =
        static_cast<float>((static_cast<double>(j) + 0.5) * 2.0 / static_cast<double>(block.Radii) - 1.0);
      Vector discResult = Logistic<Vector>(disc.Step(block.DiscDecrements + j * Panel + first, rho, scale));
      Vector cupLogit = cup.Step(block.CupDecrements + j * Panel + first, rho, scale);
      if (block.PriorRadius)
      {
        const auto   radius = static_cast<float>(static_cast<double>(j) / static_cast<double>(block.Radii - 1));
        const Vector prior = Clamp<Vector>(Logistic<Vector>((priorRadius - radius) * softness), 1e-6F, 1.0F - 1e-6F);
        cupLogit += priorWeight * Logarithm<Vector>(prior / (1.0F - prior));
      }
      Vector cupResult = Logistic<Vector>(cupLogit);
      if (block.Nested)
      {
        cupResult = cupResult * discResult;
      }
      if (block.Repair)
      {
        discResult = lowestDisc = Lower(lowestDisc, discResult);
        cupResult = lowestCup = Lower(lowestCup, cupResult);
        if (block.Nested)
        {
          cupResult = Lower(discResult, cupResult);
        }
      }
      Store(block.DiscResult + j * Panel + first, discResult);
      Store(block.CupResult + j * Panel + first, cupResult);
    }
  }
};

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
} // namespace npsnet
} // namespace itk

#endif
