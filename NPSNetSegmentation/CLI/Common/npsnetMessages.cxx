// SPDX-License-Identifier: Apache-2.0
#include "npsnetMessages.h"

#include "npsnetExitCodes.h"

#include "itkAtomicFile.h"
#include "itkExceptionSentence.h"

#include <cstdlib>
#include <iostream>

namespace npsnet
{
void WriteReturnParameters(const std::string& fileName, const std::vector<std::pair<std::string, std::string>>& values)
{
  if (fileName.empty())
  {
    return;
  }
  std::string content;
  for (const auto& [name, value] : values)
  {
    content += name + " = " + value + "\n";
  }
  itk::AtomicFile::Write(fileName, content);
}

void PrintError(const std::string& program, const std::string& sentence)
{
  const char* typed = std::getenv("NPSNET_COMMAND");
  std::cerr << (typed && *typed ? typed : program) << ": " << sentence << std::endl;
}

std::string SentenceAbout(const std::string& fileName, const std::string& sentence)
{
  const std::string name = Printable(fileName);
  const std::string text = Printable(sentence);
  return text.find(name) == std::string::npos ? name + ": " + text : text;
}

std::string StoppedAfter(std::size_t done, std::size_t all)
{
  return "stopped after " + std::to_string(done) + " of " + std::to_string(all) +
         (all == 1 ? " photo." : " photos; give the others again.");
}

int ExitCodeWithAnswers(const std::string& program, int exitCode)
{
  if (std::cout.flush())
  {
    return exitCode;
  }
  PrintError(program, "The answers could not be written to the standard output: make room where it is sent to.");
  return ExitOutput;
}

std::string Sentence(const std::exception& error)
{
  return itk::ExceptionSentence(error);
}
} // namespace npsnet
