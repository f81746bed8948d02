// SPDX-License-Identifier: Apache-2.0
#ifndef npsnetCrashMark_h
#define npsnetCrashMark_h

#include <string>

namespace npsnet
{
/// Remembers on disk which photo the analysis was busy with when a signal like SIGSEGV ended the program, so that the
/// next run gives that photo a row instead of dying on it again. kill -9 leaves no mark: nothing is wrong then.
class CrashMark
{
public:
  /// Watches for crashes from now on; marks go to `fileName`.
  static void Install(const std::string& fileName);
  /// Names of photos that crashed earlier runs.
  static std::string Read(const std::string& fileName);
  static void Set(const std::string& name);
  static void Clear();
};
} // namespace npsnet

#endif
