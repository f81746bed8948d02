// SPDX-License-Identifier: Apache-2.0
#ifndef npsnetExitCodes_h
#define npsnetExitCodes_h

namespace npsnet
{
/// What every module returns to the shell.
enum ExitCode
{
  ExitDone = 0,        ///< all that was asked was done
  ExitUsage = 1,       ///< wrong command line, or an input that cannot be used
  ExitNotAllGood = 2,  ///< the run is complete, but at least one photo has no good result
  ExitInterrupted = 3, ///< stopped by Ctrl-C or SIGTERM; the same command goes on where it stopped
  ExitOutput = 4       ///< outputs cannot be written (folder read-only, disk full)
};

/// Of two codes the one that tells the user more: an input that could not be used before a photo without a good result.
constexpr int MoreSerious(int a, int b)
{
  constexpr int rank[] = {0, 2, 1, 3, 4};
  return rank[a] > rank[b] ? a : b;
}

constexpr const char* ExitCodesHelp =
  "Exit codes\n"
  "  0  all that was asked was done\n"
  "  1  wrong command line, or an input that cannot be used\n"
  "  2  complete, but at least one photo has no good result (batch: with --strict)\n"
  "  3  interrupted; batch goes on where it stopped with the same command, train with --resume\n"
  "  4  outputs cannot be written\n";
} // namespace npsnet

#endif
