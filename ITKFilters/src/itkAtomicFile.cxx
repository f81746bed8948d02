#include "itkAtomicFile.h"

#include "itkNPSNetThrow.h"

#include <atomic>
#include <filesystem>
#include <fstream>
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

void AtomicFile::Fill(const std::string & content) const
{
  std::ofstream stream(m_TemporaryName, std::ios::binary);
  stream << content;
  stream.close();
  if (!stream)
  {
    this->ThrowCannotWrite();
  }
}

void AtomicFile::ThrowCannotWrite() const
{
  npsnetThrow("Cannot write " << m_FileName << ": check that the folder exists, is writable and has room.");
}

void AtomicFile::Commit()
{
  std::error_code error;
  std::filesystem::rename(m_TemporaryName, m_FileName, error);
  if (error)
  {
    npsnetThrow("Cannot write " << m_FileName << " (" << error.message()
                                << "): check that the folder exists and has room.");
  }
}

void AtomicFile::Write(const std::string & fileName, const std::string & content)
{
  AtomicFile file(fileName);
  file.Fill(content);
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
