// SPDX-License-Identifier: Apache-2.0
#include "npsnetBatchProgress.h"

#include <cstdio>
#include <iostream>
#include <unistd.h>

namespace npsnet
{
namespace
{
constexpr std::chrono::seconds PlainLineInterval{10};
constexpr std::chrono::milliseconds TerminalInterval{200};
} // namespace

BatchProgress::BatchProgress(std::size_t total, std::size_t alreadyDone, bool slicerIsListening)
    : Total(total)
    , AlreadyDone(alreadyDone)
    , Done(alreadyDone)
    , SlicerIsListening(slicerIsListening)
    , OnTerminal(!slicerIsListening && isatty(STDERR_FILENO) == 1)
    , Start(Clock::now())
    , LastLine(Start)
    , Slicer("NPSNetBatch", "Segmenting photos", slicerIsListening)
{
}

std::string BatchProgress::Describe(Clock::time_point now) const
{
  const double seconds = std::chrono::duration<double>(now - this->Start).count();
  const std::size_t doneNow = this->Done - this->AlreadyDone;
  char text[160];
  int used = std::snprintf(text, sizeof(text), "%zu/%zu (%.1f %%)", this->Done, this->Total,
    this->Total == 0 ? 100.0 : 100.0 * static_cast<double>(this->Done) / static_cast<double>(this->Total));
  if (doneNow > 0 && seconds > 0.0)
  {
    const double rate = static_cast<double>(doneNow) / seconds;
    const auto left = static_cast<long>(static_cast<double>(this->Total - this->Done) / rate + 0.5);
    std::snprintf(text + used, sizeof(text) - static_cast<std::size_t>(used), ", %.1f photos/min, %ld:%02ld:%02ld left",
      60.0 * rate, left / 3600, left / 60 % 60, left % 60);
  }
  return text;
}

void BatchProgress::PhotoDone(const std::string& name, const std::string& status, const std::string& message)
{
  ++this->Done;
  if (this->SlicerIsListening)
  {
    this->Slicer.Report(static_cast<double>(this->Done) / static_cast<double>(this->Total), name);
  }
  if (status != "ok")
  {
    this->Note(name + ": " + status + (message.empty() ? "" : ": " + message));
  }
  this->Refresh();
}

void BatchProgress::Note(const std::string& text)
{
  std::cerr << (this->OnTerminal ? "\r\033[K" : "") << text << std::endl;
}

void BatchProgress::Refresh()
{
  const Clock::time_point now = Clock::now();
  const bool atEnd = this->Done == this->Total;
  if (this->OnTerminal && (atEnd || now - this->LastLine >= TerminalInterval))
  {
    std::cerr << "\r\033[K" << this->Describe(now) << (atEnd ? "\n" : "") << std::flush;
    this->LastLine = now;
  }
  else if (!this->OnTerminal && (atEnd || now - this->LastLine >= PlainLineInterval))
  {
    std::cerr << this->Describe(now) << std::endl;
    this->LastLine = now;
  }
}
} // namespace npsnet
