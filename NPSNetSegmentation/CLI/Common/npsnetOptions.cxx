// SPDX-License-Identifier: Apache-2.0
#include "npsnetOptions.h"

#include "npsnetMessages.h"

#include "itkOutputError.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <thread>
#include <unistd.h>

namespace npsnet
{
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

void RequireThreads(int numberOfThreads)
{
  const int most = std::max(64, static_cast<int>(std::thread::hardware_concurrency()));
  if (numberOfThreads < 0 || numberOfThreads > most)
  {
    throw std::runtime_error(
      "--threads takes 0 to " + std::to_string(most) + ", not " + std::to_string(numberOfThreads) + ".");
  }
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
    throw itk::OutputError(
      Printable(folder) + " cannot be a folder, since " + Printable(place.string()) + " is a file: give another one.");
  }
  if (access(place.c_str(), W_OK | X_OK) != 0)
  {
    throw itk::OutputError(
      "Nothing can be written to " + Printable(folder) + ": " + std::strerror(errno) + ". Give another folder.", errno);
  }
}
} // namespace npsnet
