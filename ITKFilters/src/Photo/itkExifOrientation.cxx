// SPDX-License-Identifier: Apache-2.0
#include "itkExifOrientation.h"

#include <cstdint>
#include <cstring>

namespace itk
{
namespace
{
/** Reads that never leave the block: outside it everything is zero. */
class Block
{
public:
  Block(const unsigned char * bytes, std::size_t size, bool bigEndian)
    : m_Bytes(bytes)
    , m_Size(size)
    , m_BigEndian(bigEndian)
  {}

  std::uint32_t Read(std::size_t at, unsigned int length) const
  {
    if (at > m_Size || m_Size - at < length)
    {
      return 0;
    }
    std::uint32_t value = 0;
    for (unsigned int i = 0; i < length; ++i)
    {
      value = (value << 8) | m_Bytes[at + (m_BigEndian ? i : length - 1 - i)];
    }
    return value;
  }

private:
  const unsigned char * m_Bytes;
  std::size_t           m_Size;
  bool                  m_BigEndian;
};

/** Offset of a chunk's data, 0 when there is none. */
std::size_t FindPNGChunk(const unsigned char * png, std::size_t size, const char * name, std::size_t & length)
{
  const Block block(png, size, true);
  for (std::size_t at = 8; at + 12 <= size;)
  {
    length = block.Read(at, 4);
    if (length > size - at - 12)
    {
      break;
    }
    if (std::memcmp(png + at + 4, name, 4) == 0)
    {
      return at + 8;
    }
    at += 12 + length;
  }
  return 0;
}
} // namespace

unsigned int ReadTIFFOrientation(const unsigned char * tiff, std::size_t size)
{
  if (size < 8 || (std::memcmp(tiff, "II", 2) != 0 && std::memcmp(tiff, "MM", 2) != 0))
  {
    return 1;
  }
  const Block block(tiff, size, tiff[0] == 'M');
  if (block.Read(2, 2) != 42)
  {
    return 1;
  }
  const std::size_t   directory = block.Read(4, 4);
  const std::uint32_t entries = block.Read(directory, 2);
  for (std::uint32_t i = 0; i < entries; ++i)
  {
    const std::size_t entry = directory + 2 + std::size_t{ 12 } * i;
    if (entry + 12 > size)
    {
      break;
    }
    if (block.Read(entry, 2) == 0x0112)
    {
      const std::uint32_t type = block.Read(entry + 2, 2);
      const std::uint32_t value = type == 3 ? block.Read(entry + 8, 2) : type == 4 ? block.Read(entry + 8, 4) : 0;
      return value >= 1 && value <= 8 ? value : 1;
    }
  }
  return 1;
}

unsigned int ReadJPEGOrientation(const unsigned char * app1, std::size_t size)
{
  return size >= 6 && std::memcmp(app1, "Exif\0\0", 6) == 0 ? ReadTIFFOrientation(app1 + 6, size - 6) : 1;
}

unsigned int ReadPNGOrientation(const unsigned char * png, std::size_t size)
{
  std::size_t       length = 0;
  const std::size_t at = FindPNGChunk(png, size, "eXIf", length);
  return at != 0 ? ReadTIFFOrientation(png + at, length) : 1;
}

double ReadPNGPixelAspect(const unsigned char * png, std::size_t size)
{
  std::size_t       length = 0;
  const std::size_t at = FindPNGChunk(png, size, "pHYs", length);
  const Block       chunk(png + at, at != 0 ? length : 0, true);
  const double      x = chunk.Read(0, 4); // pixels per unit
  const double      y = chunk.Read(4, 4);
  return x > 0.0 && y > 0.0 ? y / x : 1.0;
}
} // namespace itk
