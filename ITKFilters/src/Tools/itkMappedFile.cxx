// SPDX-License-Identifier: Apache-2.0
#include "itkMappedFile.h"
#include "itkNPSNetThrow.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#ifndef _WIN32
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace itk
{
#ifndef _WIN32
MappedFile::MappedFile(const std::string & fileName)
  : m_FileName(fileName)
{
  const int file = ::open(fileName.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
  {
    npsnetThrow("Cannot open " << fileName << ": " << std::strerror(errno) << ".");
  }
  struct stat status = {};
  if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode))
  {
    ::close(file);
    npsnetThrow("Cannot read " << fileName << ": it is not a regular file.");
  }
  m_Size = static_cast<std::size_t>(status.st_size);
  if (m_Size > 0)
  {
    void * data = ::mmap(nullptr, m_Size, PROT_READ, MAP_PRIVATE, file, 0);
    if (data == MAP_FAILED)
    {
      const int error = errno;
      ::close(file);
      npsnetThrow("Cannot map " << fileName << " into memory: " << std::strerror(error) << ".");
    }
    m_Data = static_cast<const unsigned char *>(data);
  }
  ::close(file);
}

MappedFile::~MappedFile()
{
  if (m_Data)
  {
    ::munmap(const_cast<unsigned char *>(m_Data), m_Size);
  }
}
#else
MappedFile::MappedFile(const std::string & fileName)
  : m_FileName(fileName)
{
  std::ifstream file(fileName, std::ios::binary | std::ios::ate);
  if (!file)
  {
    npsnetThrow("Cannot open " << fileName << ".");
  }
  m_Copy.resize(static_cast<std::size_t>(file.tellg()));
  file.seekg(0);
  if (!file.read(reinterpret_cast<char *>(m_Copy.data()), static_cast<std::streamsize>(m_Copy.size())))
  {
    npsnetThrow("Cannot read " << fileName << ".");
  }
  m_Data = m_Copy.data();
  m_Size = m_Copy.size();
}

MappedFile::~MappedFile() = default;
#endif
} // namespace itk
