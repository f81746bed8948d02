// SPDX-License-Identifier: Apache-2.0
#ifndef BenchPython_h
#define BenchPython_h

#include <string>

/// Runs `python3 SCRIPT --threads N` and returns the seconds it prints on a line `seconds_per_pass X`.
/// Throws std::runtime_error with one sentence when the script fails or prints none.
double TimePythonReference(const std::string& script, unsigned int threads);

#endif
