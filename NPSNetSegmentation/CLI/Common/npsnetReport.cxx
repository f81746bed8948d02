// SPDX-License-Identifier: Apache-2.0
#include "npsnetReport.h"

#include "npsnetExitCodes.h"

#include "itkExceptionSentence.h"

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
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
  WriteFileAtomically(fileName, content);
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

std::string Printable(const std::string& text)
{
  static const char* const Digits = "0123456789ABCDEF";
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();)
  {
    const auto lead = static_cast<unsigned char>(text[i]);
    if (lead < 0x80)
    {
      out += lead < 0x20 || lead == 0x7f ? ' ' : text[i];
      ++i;
      continue;
    }
    const std::size_t length = lead >= 0xC2 && lead < 0xE0   ? 2
                               : lead >= 0xE0 && lead < 0xF0 ? 3
                               : lead >= 0xF0 && lead < 0xF5 ? 4
                                                             : 0;
    bool valid = length > 0 && i + length <= text.size();
    for (std::size_t k = 1; valid && k < length; ++k)
    {
      valid = (static_cast<unsigned char>(text[i + k]) & 0xC0) == 0x80;
    }
    if (valid && length > 2)
    {
      const auto second = static_cast<unsigned char>(text[i + 1]);
      // overlong forms, surrogates and code points past U+10FFFF
      valid = !(lead == 0xE0 && second < 0xA0) && !(lead == 0xED && second > 0x9F) &&
              !(lead == 0xF0 && second < 0x90) && !(lead == 0xF4 && second > 0x8F);
    }
    if (valid)
    {
      out.append(text, i, length);
      i += length;
    }
    else
    {
      out += '%';
      out += Digits[lead >> 4];
      out += Digits[lead & 15];
      ++i;
    }
  }
  return out;
}

std::string NumberToText(double value)
{
  char buffer[64];
  const auto result = std::to_chars(buffer, buffer + sizeof(buffer), value);
  return std::string(buffer, result.ptr);
}

void RequireWritableFolder(const std::string& folder)
{
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path place = fs::absolute(folder, error);
  while (!fs::exists(fs::symlink_status(place, error)) && place.has_relative_path())
  {
    place = place.parent_path();
  }
  if (!fs::is_directory(place, error))
  {
    throw OutputError(
      Printable(folder) + " cannot be a folder, since " + Printable(place.string()) + " is a file: give another one.");
  }
  if (access(place.c_str(), W_OK | X_OK) != 0)
  {
    throw OutputError(
      "Nothing can be written to " + Printable(folder) + ": " + std::strerror(errno) + ". Give another folder.");
  }
}

void WriteFileAtomically(const std::string& fileName, const std::string& content)
{
  const std::string temporary = fileName + ".tmp" + std::to_string(getpid());
  const auto fail = [&](const char* what)
  {
    const std::string reason = std::strerror(errno);
    std::remove(temporary.c_str());
    throw OutputError(std::string("Cannot ") + what + " " + Printable(fileName) + ": " + reason + ".");
  };
  const int file = open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0)
  {
    fail("create");
  }
  std::size_t done = 0;
  while (done < content.size())
  {
    const ssize_t written = write(file, content.data() + done, content.size() - done);
    if (written < 0 && errno == EINTR)
    {
      continue;
    }
    if (written <= 0)
    {
      const int reason = errno;
      close(file);
      errno = reason;
      fail("write");
    }
    done += static_cast<std::size_t>(written);
  }
  if (fsync(file) != 0 && errno != EINVAL)
  {
    const int reason = errno;
    close(file);
    errno = reason;
    fail("write");
  }
  close(file);
  if (std::rename(temporary.c_str(), fileName.c_str()) != 0)
  {
    fail("write");
  }
}
} // namespace npsnet
