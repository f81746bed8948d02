// SPDX-License-Identifier: Apache-2.0
#ifndef BenchCases_h
#define BenchCases_h

#include <string>

struct BenchOptions
{
  std::string Model;       ///< empty: the default model
  std::string Photo;       ///< the photograph of the photo cases
  bool FullSize{true};     ///< one pass of the published size with seeded random weights
  bool FullSizeTTA{false}; ///< and its TTA: minutes on a CPU
  unsigned int Threads{0};
};

/// Registers every case with Google Benchmark, the sgemm peak first.
void RegisterBenchCases(const BenchOptions& options);

/// What RegisterBenchCases() left on disk for the cases.
void RemoveBenchFiles();

#endif
