// SPDX-License-Identifier: Apache-2.0
#include "itkAtomicFile.h"

#include "itkOutputError.h"
#include "itkNPSNetThrow.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <unistd.h>

namespace itk
{
AtomicFile::AtomicFile(const std::string & fileName)
  : m_FileName(fileName)
{
  static std::atomic<unsigned int> counter{ 0 };
  const std::filesystem::path      path(fileName);
  const std::string prefix = ".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(counter++) + "-";
  m_TemporaryName = (path.parent_path() / (prefix + path.filename().string())).string();
}

AtomicFile::~AtomicFile()
{
  std::error_code ignored;
  std::filesystem::remove(m_TemporaryName, ignored);
}

void AtomicFile::Fill(const std::string & content, bool flush) const
{
  std::FILE * file = std::fopen(m_TemporaryName.c_str(), "wb");
  if (file == nullptr)
  {
    this->ThrowCannotWrite(errno);
  }
  const bool written = std::fwrite(content.data(), 1, content.size(), file) == content.size() &&
                       (!flush || (std::fflush(file) == 0 && (::fsync(::fileno(file)) == 0 || errno == EINVAL)));
  const int  reason = errno;
  const bool closed = std::fclose(file) == 0;
  if (!written || !closed)
  {
    this->ThrowCannotWrite(written ? errno : reason);
  }
}

void AtomicFile::ThrowCannotWrite(int errorNumber) const
{
  const std::string reason = errorNumber == 0 ? "" : std::string(" (") + std::strerror(errorNumber) + ")";
  throw OutputError("Cannot write " + m_FileName + reason + ": check that the folder exists, is writable and has room.",
                    errorNumber);
}

void AtomicFile::Commit()
{
  std::error_code error;
  std::filesystem::rename(m_TemporaryName, m_FileName, error);
  if (error)
  {
    this->ThrowCannotWrite(error.value());
  }
}

void AtomicFile::Write(const std::string & fileName, const std::string & content)
{
  AtomicFile file(fileName);
  file.Fill(content, true);
  file.Commit();
}

void AtomicFile::Remove(const std::string & fileName)
{
  std::error_code error;
  std::filesystem::remove(fileName, error);
  if (error)
  {
    npsnetThrow("Cannot remove " << fileName << " of an earlier run (" << error.message() << "): give another folder.");
  }
}
} // namespace itk
