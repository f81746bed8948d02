// SPDX-License-Identifier: Apache-2.0
#include "npsnetCrashMark.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <unistd.h>

namespace npsnet
{
namespace
{
// Plain memory: all that a signal handler may touch.
char FileName[4096] = "";
char PhotoName[4096] = "";
volatile std::sig_atomic_t Busy = 0;

extern "C" void OnCrash(int signal)
{
  if (Busy)
  {
    const int file = open(FileName, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (file >= 0)
    {
      [[maybe_unused]] const ssize_t written = write(file, PhotoName, std::strlen(PhotoName));
      close(file);
    }
  }
  std::raise(signal); // SA_RESETHAND: the default action now
}

void Copy(char (&to)[4096], const std::string& from)
{
  const std::size_t size = std::min(from.size(), sizeof(to) - 1);
  std::memcpy(to, from.data(), size);
  to[size] = '\0';
}
} // namespace

void CrashMark::Install(const std::string& fileName)
{
  Copy(FileName, fileName);
  struct sigaction action = {};
  action.sa_handler = OnCrash;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT})
  {
    sigaction(signal, &action, nullptr);
  }
}

std::string CrashMark::Read(const std::string& fileName)
{
  std::ifstream file(fileName, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void CrashMark::Set(const std::string& name)
{
  Copy(PhotoName, name + "\n");
  Busy = 1;
}

void CrashMark::Clear()
{
  Busy = 0;
}
} // namespace npsnet
