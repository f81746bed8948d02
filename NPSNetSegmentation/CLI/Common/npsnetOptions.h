#ifndef npsnetOptions_h
#define npsnetOptions_h

#include <string>
#include <vector>

namespace npsnet
{
/// Throws std::runtime_error with a sentence unless minimum <= value <= maximum.
void RequireWithin(const std::string& option, int value, int minimum, int maximum);

/// For --threads. More than the cores only slow a computer down, but equal tables on several need equal numbers.
int GetMaximumNumberOfThreads();
} // namespace npsnet

#endif
