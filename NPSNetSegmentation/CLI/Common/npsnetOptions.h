// SPDX-License-Identifier: Apache-2.0
#ifndef npsnetOptions_h
#define npsnetOptions_h

#include <string>
#include <vector>

namespace npsnet
{
/// Throws std::runtime_error with a sentence unless minimum <= value <= maximum.
void RequireWithin(const std::string& option, int value, int minimum, int maximum);

/// For --threads. More than the cores only slow a computer down, but equal tables on several need equal numbers.
int GetMaximumNumberOfThreads();

/// Throws std::runtime_error with a sentence unless the file name is empty or ends with one of these: what is written
/// depends on the option, not on the name.
void RequireEnding(const std::string& option, const std::string& fileName, const std::vector<std::string>& endings);
} // namespace npsnet

#endif
