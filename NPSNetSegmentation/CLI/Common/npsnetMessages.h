// SPDX-License-Identifier: Apache-2.0
#ifndef npsnetMessages_h
#define npsnetMessages_h

#include "itkText.h"

#include <cstddef>
#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace npsnet
{
using itk::Printable;

/// Simple values for Slicer: `name = value` lines. Does nothing without a file name.
void WriteReturnParameters(const std::string& fileName, const std::vector<std::pair<std::string, std::string>>& values);

/// `program: sentence` on stderr, the program named as the user typed it.
void PrintError(const std::string& program, const std::string& sentence);

/// The sentence with the file it is about, which it may name already.
std::string SentenceAbout(const std::string& fileName, const std::string& sentence);

/// The sentence of a program that was interrupted.
std::string StoppedAfter(std::size_t done, std::size_t all);

/// The exit code of a program whose answers are on stdout: says so when they got lost there (a full disk).
int ExitCodeWithAnswers(const std::string& program, int exitCode);

/// The sentence of an exception; ITK's exceptions without their source position.
std::string Sentence(const std::exception& error);
} // namespace npsnet

#endif
