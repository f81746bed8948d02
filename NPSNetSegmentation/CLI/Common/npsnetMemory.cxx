// SPDX-License-Identifier: Apache-2.0
#include "npsnetMemory.h"

#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

void npsnet::KeepFreedMemory()
{
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 2000 << 20);
  mallopt(M_TOP_PAD, 64 << 20);
#endif
}
