// SPDX-License-Identifier: Apache-2.0
#include "itkOneDNNInstructions.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(_WIN32)
#define NPSNET_KNOWS_MATRIX_TILES
#include <cpuid.h>
#include <cstdlib>
#endif

namespace itk
{
#ifdef NPSNET_KNOWS_MATRIX_TILES
namespace
{
bool TilesLackTheirPalettes()
{
  constexpr unsigned int tileBit = 1U << 24; // CPUID 7.0, EDX: AMX-TILE
  unsigned int           eax = 0;
  unsigned int           ebx = 0;
  unsigned int           ecx = 0;
  unsigned int           edx = 0;
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) == 0 || (edx & tileBit) == 0)
  {
    return false;
  }
  // CPUID 1D.0, EAX: the highest palette. 0 is the palette without tiles.
  return __get_cpuid_count(0x1D, 0, &eax, &ebx, &ecx, &edx) == 0 || eax == 0;
}
} // namespace

void AvoidUnusableMatrixTiles()
{
  static const bool done = [] {
    if (TilesLackTheirPalettes())
    {
      setenv("ONEDNN_MAX_CPU_ISA", "AVX512_CORE_FP16", 0);
    }
    return true;
  }();
  static_cast<void>(done);
}
#else
void AvoidUnusableMatrixTiles() {}
#endif
} // namespace itk
