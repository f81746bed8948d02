// SPDX-License-Identifier: Apache-2.0
#ifndef itkNetworkKernels_h
#define itkNetworkKernels_h

#include "NPSNetExport.h"
#include "itkMacro.h"

#include <array>
#include <cstdint>
#include <string>

namespace itk
{
namespace npsnet
{
/** Instruction sets that the arithmetic of the network is compiled for. */
enum class InstructionSetEnum : std::uint8_t
{
  Baseline, ///< what every processor of its kind has: SSE2, NEON
  AVX2,     ///< with FMA
  AVX512
};

NPSNet_EXPORT const char * InstructionSetToString(InstructionSetEnum set);

/** The widest that this processor has, or less where the environment variable NPSNET_INSTRUCTIONS says baseline, avx2
 * or avx512. Read at every call. */
NPSNet_EXPORT InstructionSetEnum GetInstructionSet();

/** Features lie [row][column][channel]; the number of channels is a multiple of this, unused ones are zero. */
constexpr std::int64_t ChannelStep = 16;

constexpr std::int64_t PadChannels(std::int64_t channels)
{
  return (channels + ChannelStep - 1) / ChannelStep * ChannelStep;
}

/** Features that a layer reads. Where there are Scale and Shift, one of each for every channel, the layer sees
 * max(value * Scale + Shift, 0): the norm of the layer before costs no sweep of its own. */
struct FeatureSource
{
  const float * Data{ nullptr };
  std::int64_t  Channels{ 0 };
  const float * Scale{ nullptr };
  const float * Shift{ nullptr };
};

struct WinogradShape
{
  static constexpr std::int64_t Side = 4;  ///< of a tile of the result
  static constexpr std::int64_t Reach = 6; ///< side of the features that a tile depends on
  static constexpr std::int64_t Points = Reach * Reach;

  // the interpolation points are 0, +-A, +-B and infinity
  static constexpr float A = 0.75F;
  static constexpr float B = 1.5F;
};

struct WinogradTile
{
  std::array<std::int64_t, WinogradShape::Reach> Rows;    ///< first pixels of the rows; negative: zeros
  std::array<std::int64_t, WinogradShape::Reach> Columns; ///< pixels in a row; negative: zeros
  float *                                        Result;
  std::int64_t                                   ResultRows, ResultColumns;
};

struct WinogradLayer
{
  FeatureSource Sources[2]; ///< side by side
  std::int64_t  NumberOfSources;
  std::int64_t  InputChannels, OutputChannels;
  std::int64_t  ResultStride; ///< from one row of the result to the next
  const float * Weights;      ///< points x panels of 16 output channels x input channels x 16
  const float * Bias;         ///< added, then negative values become zero; or null: sums are wanted
};

/** Tiles and their buffers, which hold one block per point and one row per tile in it. */
struct WinogradGroup
{
  const WinogradTile * Tiles;
  std::int64_t         Count;
  std::int64_t         Stride; ///< rows of a block
  float *              Features;
  float *              Sums;
  float *              Moments; ///< without a bias: sums of the results, then of their squares, by channel; added to
};

/** result[row][panel] = left[row] . right[panel] (+ bias), for panels of 16 columns. */
struct MatrixProduct
{
  const float * Left;
  std::int64_t  LeftStride, Rows, Steps;
  const float * Right; ///< panels x steps x 16
  std::int64_t  Panels;
  const float * Bias;    ///< or null
  bool          Rectify; ///< negative values become zero
  float *       Result;
  std::int64_t  ResultStride;
};

/** Sixteen angles of the monotone heads, [radius][16]. */
struct HeadBlock
{
  std::int64_t  Radii;
  double        DecrementScale;
  bool          Nested, Repair;
  const float * DiscDecrements; ///< before softplus
  const float * CupDecrements;
  const float * Disc[3]; ///< by angle: logit before the first decrement, and what a context adds: constant and with rho
  const float * Cup[3];
  const float * PriorRadius; ///< of the cup, by angle; null without a shape prior
  const float * PriorWeight; ///< lambda_c times confidence
  double        PriorSoftness;
  float *       DiscResult; ///< [radius][16]
  float *       CupResult;
};

/** Sums over the distribution softmax(logits / temperature) of one angle. */
struct DistributionSums
{
  double Abscissa; ///< sum of p_i i / (bins - 1)
  double Entropy;  ///< sum of p_i log(p_i + 1e-8)
};

/** The arithmetic of the network compiled for one instruction set. The order of every sum is fixed, and no function
 * depends on where its operands lie. */
struct NetworkKernels
{
  /** All three steps of a layer for one group, whose buffers should stay in the cache. */
  void (*Convolve)(const WinogradGroup &, const WinogradLayer &);
  /** The steps one by one, for layers with few tiles and large weights. */
  void (*Gather)(const WinogradGroup &, const WinogradLayer &);
  void (*MultiplyPoint)(const WinogradGroup &, const WinogradLayer &, std::int64_t point);
  void (*Scatter)(const WinogradGroup &, const WinogradLayer &);

  /** 16 kernels of 3 x 3 taps, `stride` apart, to one row of a panel of WinogradLayer::Weights for every point, `block`
   * apart. */
  void (*TransformTaps)(const float * taps, std::int64_t stride, float * out, std::int64_t block);

  void (*Multiply)(const MatrixProduct &);

  /** What a layer sees of a run of pixels. */
  void (*Resolve)(const FeatureSource &, std::int64_t firstPixel, std::int64_t pixels, float * out);
  /** The largest of four pixels; `upper` and `lower` are the first pixels of two rows. */
  void (
    *MaximumOfFour)(const FeatureSource &, std::int64_t upper, std::int64_t lower, std::int64_t pixels, float * out);
  /** sum[i] += x[i], moment[i] += weight x[i] */
  void (*AddProfile)(const float * x, float weight, std::int64_t count, float * sum, float * moment);
  /** x[i] += constant[i] + weight slope[i] */
  void (*AddContext)(float * x, const float * constant, float weight, const float * slope, std::int64_t count);
  /** As with a group without bias: moments of `pixels` results. */
  void (*AddMoments)(const float * x, std::int64_t pixels, std::int64_t channels, float * moments);

  void (*Heads)(const HeadBlock &);
  /** x becomes 1 / (1 + exp(-x)); count is a multiple of 16. */
  void (*Sigmoid)(float * x, std::int64_t count);
  /** logits: as many as `padded`, a multiple of 16, the last `padded - bins` are ignored and overwritten. */
  DistributionSums (*Distribution)(float * logits, std::int64_t bins, std::int64_t padded, float inverseTemperature);
};

NPSNet_EXPORT const NetworkKernels & GetNetworkKernels(InstructionSetEnum set);
} // namespace npsnet
} // namespace itk

#endif
