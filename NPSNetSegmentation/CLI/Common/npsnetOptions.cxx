#include "npsnetOptions.h"

#include <algorithm>
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

int GetMaximumNumberOfThreads()
{
  return std::max(64, static_cast<int>(std::thread::hardware_concurrency()));
}
} // namespace npsnet
