// SPDX-License-Identifier: Apache-2.0
#ifndef npsnetReport_h
#define npsnetReport_h

#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace npsnet
{
/// Progress of one task: Slicer's tags on stdout when Slicer started us (it always passes --returnparameterfile),
/// one line that rewrites itself on a terminal's stderr, nothing otherwise.
class Progress
{
public:
  Progress(std::string name, const std::string& comment, bool slicerIsListening);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void Report(double fraction, const std::string& message = "");
  /// Wipes the line on the terminal, so that other text can follow.
  void Clear();

private:
  std::string Name;
  bool SlicerIsListening{false};
  bool OnTerminal{false};
  bool LineIsShown{false};
  std::chrono::steady_clock::time_point Start;
};

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

/// One printable line of valid UTF-8: control characters become blanks, other bytes %XX.
std::string Printable(const std::string& text);

/// Shortest text that reads back as the same number.
std::string NumberToText(double value);

/// What was asked for cannot be written: read-only, full, in use by another run. what() is the sentence; the programs
/// end with ExitOutput.
class OutputError : public std::runtime_error
{
public:
  using std::runtime_error::runtime_error;
};

/// Throws OutputError unless files can be made in this folder, or the folder itself can.
void RequireWritableFolder(const std::string& folder);

/// The whole file appears under its name or not at all. Throws OutputError.
void WriteFileAtomically(const std::string& fileName, const std::string& content);
} // namespace npsnet

#endif
