// SPDX-License-Identifier: Apache-2.0
#ifndef npsnetProgress_h
#define npsnetProgress_h

#include <chrono>
#include <string>

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
} // namespace npsnet

#endif
