// SPDX-License-Identifier: Apache-2.0
#ifndef npsnetOptions_h
#define npsnetOptions_h

#include <string>
#include <vector>

namespace npsnet
{
/// For --threads. More than the cores only slow a computer down, but equal tables on several need equal numbers.
/// Throws std::runtime_error with a sentence.
void RequireThreads(int numberOfThreads);

/// Throws itk::OutputError unless files can be made in this folder, or the folder itself can.
void RequireWritableFolder(const std::string& folder);

/// Throws std::runtime_error with a sentence unless the file name is empty or ends with one of these: what is written
/// depends on the option, not on the name.
void RequireEnding(const std::string& option, const std::string& fileName, const std::vector<std::string>& endings);
} // namespace npsnet

#endif
