// SPDX-License-Identifier: Apache-2.0
#ifndef itkWidestVectors_h
#define itkWidestVectors_h

// One binary for every x86-64: the loader picks the widest instruction set that the processor has.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define NPSNET_WIDEST_VECTORS __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define NPSNET_WIDEST_VECTORS
#endif

// What is inlined gets the caller's instruction set.
#if defined(__GNUC__)
#define NPSNET_ALWAYS_INLINE inline __attribute__((always_inline))
#else
#define NPSNET_ALWAYS_INLINE inline
#endif

#endif
