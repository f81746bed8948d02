// SPDX-License-Identifier: Apache-2.0
#include "itkStoredZipArchive.h"
#include "itkNPSNetThrow.h"

#include <cstring>

namespace itk
{
namespace
{
constexpr std::uint64_t MaximumNumberOfEntries = 1u << 20;

/** Little-endian numbers at checked offsets. */
class ZipBytes
{
public:
  explicit ZipBytes(const MappedFile & file)
    : m_File(file)
  {}

  [[noreturn]] void Fail() const
  {
    npsnetThrow(m_File.GetFileName() << " is a truncated or damaged zip archive: download or copy it again.");
  }

  void Require(std::uint64_t offset, std::uint64_t size) const
  {
    if (offset > m_File.GetSize() || size > m_File.GetSize() - offset)
    {
      this->Fail();
    }
  }

  template <unsigned int VBytes>
  std::uint64_t Get(std::uint64_t offset) const
  {
    this->Require(offset, VBytes);
    std::uint64_t value = 0;
    for (unsigned int i = 0; i < VBytes; ++i)
    {
      value |= std::uint64_t{ m_File.GetData()[offset + i] } << (8 * i);
    }
    return value;
  }

private:
  const MappedFile & m_File;
};

constexpr std::uint64_t EndOfDirectory = 0x06054b50;
constexpr std::uint64_t EndOfDirectory64 = 0x06064b50;
constexpr std::uint64_t EndOfDirectory64Locator = 0x07064b50;
constexpr std::uint64_t DirectoryHeader = 0x02014b50;
constexpr std::uint64_t LocalHeader = 0x04034b50;

struct Directory
{
  std::uint64_t Offset;
  std::uint64_t NumberOfEntries;
};

Directory FindDirectory(const ZipBytes & bytes, std::uint64_t size)
{
  // The record ends the file, save for a comment of at most 65535 bytes.
  constexpr std::uint64_t recordSize = 22;
  bytes.Require(0, recordSize);
  std::uint64_t       end = size - recordSize;
  const std::uint64_t last = end > 0xFFFF ? end - 0xFFFF : 0;
  while (bytes.Get<4>(end) != EndOfDirectory)
  {
    if (end == last)
    {
      bytes.Fail();
    }
    --end;
  }
  Directory directory{ bytes.Get<4>(end + 16), bytes.Get<2>(end + 10) };
  if ((directory.Offset == 0xFFFFFFFF || directory.NumberOfEntries == 0xFFFF) && end >= 20 &&
      bytes.Get<4>(end - 20) == EndOfDirectory64Locator)
  {
    const std::uint64_t end64 = bytes.Get<8>(end - 20 + 8);
    bytes.Require(end64, 56);
    if (bytes.Get<4>(end64) != EndOfDirectory64)
    {
      bytes.Fail();
    }
    directory = { bytes.Get<8>(end64 + 48), bytes.Get<8>(end64 + 32) };
  }
  return directory;
}
} // namespace

bool StoredZipArchive::IsZip(const MappedFile & file)
{
  return file.GetSize() >= 4 && std::memcmp(file.GetData(), "PK\3\4", 4) == 0;
}

StoredZipArchive::StoredZipArchive(std::shared_ptr<const MappedFile> file)
  : m_File(std::move(file))
{
  const ZipBytes  bytes(*m_File);
  const Directory directory = FindDirectory(bytes, m_File->GetSize());
  if (directory.NumberOfEntries > MaximumNumberOfEntries)
  {
    npsnetThrow(m_File->GetFileName() << " lists " << directory.NumberOfEntries
                                      << " zip entries: this is not a checkpoint.");
  }
  std::uint64_t at = directory.Offset;
  for (std::uint64_t i = 0; i < directory.NumberOfEntries; ++i)
  {
    bytes.Require(at, 46);
    if (bytes.Get<4>(at) != DirectoryHeader)
    {
      bytes.Fail();
    }
    const std::uint64_t flags = bytes.Get<2>(at + 8);
    const std::uint64_t method = bytes.Get<2>(at + 10);
    std::uint64_t       compressedSize = bytes.Get<4>(at + 20);
    std::uint64_t       entrySize = bytes.Get<4>(at + 24);
    const std::uint64_t nameSize = bytes.Get<2>(at + 28);
    const std::uint64_t extraSize = bytes.Get<2>(at + 30);
    const std::uint64_t commentSize = bytes.Get<2>(at + 32);
    std::uint64_t       header = bytes.Get<4>(at + 42);
    bytes.Require(at + 46, nameSize + extraSize + commentSize);
    const std::string name(reinterpret_cast<const char *>(m_File->GetData() + at + 46), nameSize);

    // zip64: the fields that overflowed stand, in this order, in the extra field with id 1.
    std::uint64_t       extra = at + 46 + nameSize;
    const std::uint64_t extraEnd = extra + extraSize;
    while (extra + 4 <= extraEnd)
    {
      const std::uint64_t id = bytes.Get<2>(extra);
      const std::uint64_t fieldSize = bytes.Get<2>(extra + 2);
      std::uint64_t       field = extra + 4;
      extra = field + fieldSize;
      if (id == 1)
      {
        for (std::uint64_t * value : { &entrySize, &compressedSize, &header })
        {
          if (*value == 0xFFFFFFFF && field + 8 <= extra && extra <= extraEnd)
          {
            *value = bytes.Get<8>(field);
            field += 8;
          }
        }
      }
    }
    at = extraEnd + commentSize;

    if (method != 0 || (flags & 1) != 0 || compressedSize != entrySize)
    {
      npsnetThrow(m_File->GetFileName() << " holds the compressed or encrypted entry \"" << name
                                        << "\", which torch.save never writes: give the original checkpoint.");
    }
    bytes.Require(header, 30);
    if (bytes.Get<4>(header) != LocalHeader)
    {
      bytes.Fail();
    }
    const std::uint64_t data = header + 30 + bytes.Get<2>(header + 26) + bytes.Get<2>(header + 28);
    bytes.Require(data, entrySize);
    m_Entries[name] = { m_File->GetData() + data, static_cast<std::size_t>(entrySize) };
  }
}

const StoredZipArchive::Entry * StoredZipArchive::Find(const std::string & name) const
{
  const auto found = m_Entries.find(name);
  return found == m_Entries.end() ? nullptr : &found->second;
}
} // namespace itk
