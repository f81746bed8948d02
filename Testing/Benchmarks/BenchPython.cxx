// SPDX-License-Identifier: Apache-2.0
#include "BenchPython.h"

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace
{
std::string Quote(const std::string& text)
{
  std::string quoted = "'";
  for (const char c : text)
  {
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return quoted + "'";
}
} // namespace

double TimePythonReference(const std::string& script, unsigned int threads)
{
  const char* python = std::getenv("NPSNET_REFERENCE_PYTHON");
  const std::string command =
    Quote(python ? python : "python3") + " " + Quote(script) + " --threads " + std::to_string(threads);
  FILE* pipe = popen(command.c_str(), "r");
  if (!pipe)
  {
    throw std::runtime_error("The reference " + script + " could not be started.");
  }
  double seconds = 0.0;
  char line[4096];
  while (std::fgets(line, sizeof(line), pipe))
  {
    std::sscanf(line, "seconds_per_pass %lf", &seconds);
  }
  if (pclose(pipe) != 0 || !(seconds > 0.0))
  {
    throw std::runtime_error("The reference " + script +
                             " failed or printed no line 'seconds_per_pass X'; NPSNET_REFERENCE_PYTHON chooses the "
                             "interpreter.");
  }
  return seconds;
}
