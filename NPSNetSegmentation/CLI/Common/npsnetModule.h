// SPDX-License-Identifier: Apache-2.0
#ifndef npsnetModule_h
#define npsnetModule_h

#include <functional>
#include <string>

namespace npsnet
{
/// What main() of every program does after its command line is read: memory, signals and full disks are seen to,
/// `work` gives the exit code, and an exception becomes one sentence on stderr and the exit code that fits it.
int RunModule(const std::string& program, const std::function<int()>& work);
} // namespace npsnet

#endif
