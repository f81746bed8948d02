// SPDX-License-Identifier: Apache-2.0
#include "npsnetInterrupt.h"

#include <csignal>

namespace npsnet
{
namespace
{
volatile std::sig_atomic_t Interrupted = 0;

extern "C" void OnInterrupt(int)
{
  Interrupted = 1;
}
} // namespace

void CatchInterrupts()
{
  struct sigaction action = {};
  action.sa_handler = OnInterrupt;
  // No SA_RESTART: waiting calls return. The handler is forgotten after the first signal.
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

void SurviveFileSizeLimit()
{
  std::signal(SIGXFSZ, SIG_IGN);
}

bool IsInterrupted()
{
  return Interrupted != 0;
}
} // namespace npsnet
