// SPDX-License-Identifier: Apache-2.0
#include "itkNetworkArithmetic.h"

#include <algorithm>
#include <cstdlib>

#if defined(__GNUC__)
// GCC instantiates, and warns of vectors that cross calls, at the end of the file; none is left after inlining
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace itk
{
namespace npsnet
{
namespace
{
// One binary for every x86-64: the functions of an instruction set are told so to the compiler, the arithmetic is
// inlined into them. target_clones would be shorter, but cannot ask for AVX2 together with FMA.
#define NPSNET_KERNELS(Name, Target, Arithmetic)                                                                       \
  struct Name                                                                                                          \
  {                                                                                                                    \
    Target static void Convolve(const WinogradGroup & g, const WinogradLayer & l) { Arithmetic::Convolve(g, l); }      \
    Target static void Gather(const WinogradGroup & g, const WinogradLayer & l) { Arithmetic::Gather(g, l); }          \
    Target static void MultiplyPoint(const WinogradGroup & g, const WinogradLayer & l, std::int64_t p)                 \
    {                                                                                                                  \
      Arithmetic::MultiplyPoint(g, l, p);                                                                              \
    }                                                                                                                  \
    Target static void Scatter(const WinogradGroup & g, const WinogradLayer & l) { Arithmetic::Scatter(g, l); }        \
    Target static void TransformTaps(const float * taps, std::int64_t stride, float * out, std::int64_t block)         \
    {                                                                                                                  \
      Arithmetic::TransformTaps(taps, stride, out, block);                                                             \
    }                                                                                                                  \
    Target static void Multiply(const MatrixProduct & p) { Arithmetic::Multiply(p); }                                  \
    Target static void Resolve(const FeatureSource & s, std::int64_t first, std::int64_t pixels, float * out)          \
    {                                                                                                                  \
      Arithmetic::Resolve(s, first, pixels, out);                                                                      \
    }                                                                                                                  \
    Target static void MaximumOfFour(const FeatureSource & s,                                                          \
                                     std::int64_t          upper,                                                      \
                                     std::int64_t          lower,                                                      \
                                     std::int64_t          pixels,                                                     \
                                     float *               out)                                                        \
    {                                                                                                                  \
      Arithmetic::MaximumOfFour(s, upper, lower, pixels, out);                                                         \
    }                                                                                                                  \
    Target static void AddProfile(const float * x, float weight, std::int64_t count, float * sum, float * moment)      \
    {                                                                                                                  \
      Arithmetic::AddProfile(x, weight, count, sum, moment);                                                           \
    }                                                                                                                  \
    Target static void AddContext(float *       x,                                                                     \
                                  const float * constant,                                                              \
                                  float         weight,                                                                \
                                  const float * slope,                                                                 \
                                  std::int64_t  count)                                                                 \
    {                                                                                                                  \
      Arithmetic::AddContext(x, constant, weight, slope, count);                                                       \
    }                                                                                                                  \
    Target static void AddMoments(const float * x, std::int64_t pixels, std::int64_t channels, float * moments)        \
    {                                                                                                                  \
      Arithmetic::AddMoments(x, pixels, channels, moments);                                                            \
    }                                                                                                                  \
    Target static void             Heads(const HeadBlock & block) { Arithmetic::Heads(block); }                        \
    Target static void             Sigmoid(float * x, std::int64_t count) { Arithmetic::Sigmoid(x, count); }           \
    Target static DistributionSums Distribution(float * logits, std::int64_t bins, std::int64_t padded, float factor)  \
    {                                                                                                                  \
      return Arithmetic::Distribution(logits, bins, padded, factor);                                                   \
    }                                                                                                                  \
    static const NetworkKernels & Get()                                                                                \
    {                                                                                                                  \
      static const NetworkKernels kernels = { Convolve,   Gather,  MultiplyPoint, Scatter,     TransformTaps,          \
                                              Multiply,   Resolve, MaximumOfFour, AddProfile,  AddContext,             \
                                              AddMoments, Heads,   Sigmoid,       Distribution };                      \
      return kernels;                                                                                                  \
    }                                                                                                                  \
  };

using BaselineArithmetic = NetworkArithmetic<FourFloats, 3>;
NPSNET_KERNELS(BaselineKernels, , BaselineArithmetic)

#if defined(__x86_64__) && !defined(NPSNET_HAS_FOUR_ONLY)
#define NPSNET_HAS_WIDER_VECTORS
using AVX2Arithmetic = NetworkArithmetic<EightFloats, 6>;
using AVX512Arithmetic = NetworkArithmetic<SixteenFloats, 12>;
NPSNET_KERNELS(AVX2Kernels, __attribute__((target("avx2,fma"))), AVX2Arithmetic)
NPSNET_KERNELS(AVX512Kernels, __attribute__((target("avx512f,fma"))), AVX512Arithmetic)
#endif

InstructionSetEnum FindWidest()
{
#ifdef NPSNET_HAS_WIDER_VECTORS
  __builtin_cpu_init();
  const bool hasFMA = __builtin_cpu_supports("fma") != 0;
  if (hasFMA && __builtin_cpu_supports("avx512f"))
  {
    return InstructionSetEnum::AVX512;
  }
  if (hasFMA && __builtin_cpu_supports("avx2"))
  {
    return InstructionSetEnum::AVX2;
  }
#endif
  return InstructionSetEnum::Baseline;
}
} // namespace

const char * InstructionSetToString(InstructionSetEnum set)
{
  return set == InstructionSetEnum::AVX512 ? "avx512" : set == InstructionSetEnum::AVX2 ? "avx2" : "baseline";
}

InstructionSetEnum GetInstructionSet()
{
  static const InstructionSetEnum widest = FindWidest();
  const char *                    wanted = std::getenv("NPSNET_INSTRUCTIONS");
  for (const auto set : { InstructionSetEnum::Baseline, InstructionSetEnum::AVX2 })
  {
    if (wanted != nullptr && std::string(wanted) == InstructionSetToString(set))
    {
      return std::min(set, widest);
    }
  }
  return widest;
}

const NetworkKernels & GetNetworkKernels(InstructionSetEnum set)
{
#ifdef NPSNET_HAS_WIDER_VECTORS
  if (set == InstructionSetEnum::AVX512)
  {
    return AVX512Kernels::Get();
  }
  if (set == InstructionSetEnum::AVX2)
  {
    return AVX2Kernels::Get();
  }
#endif
  static_cast<void>(set);
  return BaselineKernels::Get();
}
} // namespace npsnet
} // namespace itk
