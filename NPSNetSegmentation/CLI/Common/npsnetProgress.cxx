// SPDX-License-Identifier: Apache-2.0
#include "npsnetProgress.h"

#include <iostream>
#include <unistd.h>

namespace npsnet
{
Progress::Progress(std::string name, const std::string& comment, bool slicerIsListening)
    : Name(std::move(name))
    , SlicerIsListening(slicerIsListening)
    , OnTerminal(!slicerIsListening && isatty(STDERR_FILENO) == 1)
    , Start(std::chrono::steady_clock::now())
{
  if (this->SlicerIsListening)
  {
    std::cout << "<filter-start>\n<filter-name>" << this->Name << "</filter-name>\n<filter-comment>" << comment
              << "</filter-comment>\n</filter-start>" << std::endl;
  }
}

Progress::~Progress()
{
  this->Clear();
  if (this->SlicerIsListening)
  {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - this->Start;
    std::cout << "<filter-end>\n<filter-name>" << this->Name << "</filter-name>\n<filter-time>" << elapsed.count()
              << "</filter-time>\n</filter-end>" << std::endl;
  }
}

void Progress::Report(double fraction, const std::string& message)
{
  if (this->SlicerIsListening)
  {
    std::cout << "<filter-progress>" << fraction << "</filter-progress>";
    if (!message.empty())
    {
      std::cout << "<filter-comment>" << message << "</filter-comment>";
    }
    std::cout << std::endl;
  }
  else if (this->OnTerminal)
  {
    std::cerr << "\r\033[K" << static_cast<int>(100.0 * fraction + 0.5) << " %  " << message << std::flush;
    this->LineIsShown = true;
  }
}

void Progress::Clear()
{
  if (this->LineIsShown)
  {
    std::cerr << "\r\033[K" << std::flush;
    this->LineIsShown = false;
  }
}
} // namespace npsnet
