// SPDX-License-Identifier: Apache-2.0
#include "itkPNGStructure.h"

#include <array>
#include <cstdint>
#include <cstring>

namespace itk
{
namespace
{
std::uint32_t Checksum(const unsigned char * bytes, std::size_t size)
{
  static const auto table = [] {
    std::array<std::uint32_t, 256> result{};
    for (std::uint32_t i = 0; i < 256; ++i)
    {
      std::uint32_t value = i;
      for (int bit = 0; bit < 8; ++bit)
      {
        value = (value >> 1) ^ ((value & 1) != 0 ? 0xEDB88320u : 0u);
      }
      result[i] = value;
    }
    return result;
  }();
  std::uint32_t sum = 0xFFFFFFFFu;
  for (std::size_t i = 0; i < size; ++i)
  {
    sum = table[(sum ^ bytes[i]) & 0xFF] ^ (sum >> 8);
  }
  return ~sum;
}

std::uint32_t BigEndian(const unsigned char * bytes)
{
  return static_cast<std::uint32_t>(bytes[0]) << 24 | static_cast<std::uint32_t>(bytes[1]) << 16 |
         static_cast<std::uint32_t>(bytes[2]) << 8 | bytes[3];
}
} // namespace

bool IsPNGWhole(const unsigned char * bytes, std::size_t size)
{
  bool hasPixels = false;
  for (std::size_t at = 8; at <= size && size - at >= 12;)
  {
    const unsigned char * chunk = bytes + at;
    const std::size_t     length = BigEndian(chunk);
    if (length > size - at - 12 || BigEndian(chunk + 8 + length) != Checksum(chunk + 4, length + 4) ||
        (at == 8) != (std::memcmp(chunk + 4, "IHDR", 4) == 0))
    {
      return false;
    }
    hasPixels = hasPixels || std::memcmp(chunk + 4, "IDAT", 4) == 0;
    if (std::memcmp(chunk + 4, "IEND", 4) == 0)
    {
      return hasPixels;
    }
    at += 12 + length;
  }
  return false;
}

bool HasPNGAlphaChannel(const unsigned char * bytes, std::size_t size)
{
  constexpr std::size_t colorType = 25;
  return size > colorType && (bytes[colorType] & 4) != 0;
}
} // namespace itk
