// SPDX-License-Identifier: Apache-2.0
#ifndef npsnetInterrupt_h
#define npsnetInterrupt_h

namespace npsnet
{
/// From now on the first Ctrl-C or SIGTERM only raises a flag; a second one ends the program at once.
void CatchInterrupts();
bool IsInterrupted();

/// A file that may grow no further (ulimit -f) fails as on a full disk, instead of ending the program. Children inherit
/// it.
void SurviveFileSizeLimit();
} // namespace npsnet

#endif
