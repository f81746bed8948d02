// SPDX-License-Identifier: Apache-2.0
#include "itkWinogradArithmetic.h"

namespace itk
{
namespace npsnet
{
namespace
{
#if defined(__GNUC__)
typedef float FourFloats __attribute__((vector_size(16)));
typedef float EightFloats __attribute__((vector_size(32)));
typedef float SixteenFloats __attribute__((vector_size(64)));

using PlainKernel = WinogradKernel<FourFloats, 3>;
using AVX2Kernel = WinogradKernel<EightFloats, 6>;
using AVX512Kernel = WinogradKernel<SixteenFloats, 12>;

void ConvolvePlain(const WinogradGroup & group, const WinogradLayer & layer)
{
  PlainKernel::Convolve(group, layer);
}

void CorrelatePlain(const WinogradGroup & group, const WinogradLayer & layer)
{
  PlainKernel::Correlate(group, layer);
}

// One binary for every x86-64. target_clones would be shorter, but cannot ask for AVX2 together with FMA.
#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) void ConvolveAVX2(const WinogradGroup & group, const WinogradLayer & layer)
{
  AVX2Kernel::Convolve(group, layer);
}

__attribute__((target("avx2,fma"))) void CorrelateAVX2(const WinogradGroup & group, const WinogradLayer & layer)
{
  AVX2Kernel::Correlate(group, layer);
}

__attribute__((target("avx512f"))) void ConvolveAVX512(const WinogradGroup & group, const WinogradLayer & layer)
{
  AVX512Kernel::Convolve(group, layer);
}

__attribute__((target("avx512f"))) void CorrelateAVX512(const WinogradGroup & group, const WinogradLayer & layer)
{
  AVX512Kernel::Correlate(group, layer);
}

WinogradArithmetic Choose()
{
  if (__builtin_cpu_supports("avx512f"))
  {
    return { ConvolveAVX512, CorrelateAVX512 };
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
  {
    return { ConvolveAVX2, CorrelateAVX2 };
  }
  return { ConvolvePlain, CorrelatePlain };
}
#else
WinogradArithmetic Choose()
{
  return { ConvolvePlain, CorrelatePlain };
}
#endif
#else
WinogradArithmetic Choose()
{
  return { nullptr, nullptr };
}
#endif
} // namespace

const WinogradArithmetic & GetWinogradArithmetic()
{
  static const WinogradArithmetic arithmetic = Choose();
  return arithmetic;
}
} // namespace npsnet
} // namespace itk
