// SPDX-License-Identifier: Apache-2.0
#include "npsnetOptions.h"

#include "npsnetReport.h"

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <thread>

namespace npsnet
{
void RequireWithin(const std::string& option, int value, int minimum, int maximum)
{
  if (value < minimum || value > maximum)
  {
    throw std::runtime_error(option + " takes " + std::to_string(minimum) + " to " + std::to_string(maximum) +
                             ", not " + std::to_string(value) + ".");
  }
}

void RequireEnding(const std::string& option, const std::string& fileName, const std::vector<std::string>& endings)
{
  std::string name = fileName;
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  std::string all;
  for (const std::string& ending : endings)
  {
    if (name.size() > ending.size() && name.compare(name.size() - ending.size(), ending.size(), ending) == 0)
    {
      return;
    }
    all += (all.empty() ? "" : " or ") + ending;
  }
  if (!name.empty())
  {
    throw std::runtime_error(
      option + " takes a file name that ends with " + all + ", not " + Printable(fileName) + ".");
  }
}

int GetMaximumNumberOfThreads()
{
  return std::max(64, static_cast<int>(std::thread::hardware_concurrency()));
}
} // namespace npsnet
