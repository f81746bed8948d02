// SPDX-License-Identifier: Apache-2.0
#ifndef npsnetBatchProgress_h
#define npsnetBatchProgress_h

#include "npsnetProgress.h"

#include <chrono>
#include <cstddef>
#include <string>

namespace npsnet
{
/// How far a batch is: a line with rate and remaining time that rewrites itself on a terminal, a plain line now and
/// then otherwise, tags for Slicer. Photos without a good result get a line of their own.
class BatchProgress
{
public:
  using Clock = std::chrono::steady_clock;

  BatchProgress(std::size_t total, std::size_t alreadyDone, bool slicerIsListening);

  void PhotoDone(const std::string& name, const std::string& status, const std::string& message);
  /// A line that belongs to no photo.
  void Note(const std::string& text);
  /// Shows the present state, at most a few times a second.
  void Refresh();

  std::size_t GetNumberDone() const { return this->Done; }
  /// `17/1000 (1.7 %), 34.2 photos/min, 0:28:46 left`; the rate counts this run only.
  std::string Describe(Clock::time_point now) const;

private:
  std::size_t Total{0};
  std::size_t AlreadyDone{0};
  std::size_t Done{0};
  bool SlicerIsListening{false};
  bool OnTerminal{false};
  Clock::time_point Start;
  Clock::time_point LastLine;
  Progress Slicer;
};
} // namespace npsnet

#endif
