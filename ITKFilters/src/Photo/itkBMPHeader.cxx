// SPDX-License-Identifier: Apache-2.0
#include "itkBMPHeader.h"

#include <cmath>
#include <cstdlib>

namespace itk
{
BMPHeader::BMPHeader(const std::vector<unsigned char> & head)
{
  const auto read = [&head](std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4 && at + i < head.size(); ++i)
    {
      value |= static_cast<std::uint32_t>(head[at + i]) << (8 * i);
    }
    return value;
  };
  PixelsAt = read(10);
  Size = read(14);
  Width = static_cast<std::int32_t>(read(18));
  Height = static_cast<std::int32_t>(read(22));
  BitsPerPixel = read(28) & 0xFFFF;
  Compression = read(30);
}

double BMPHeader::RowBytes() const
{
  return 4.0 * std::ceil(static_cast<double>(Width) * BitsPerPixel / 32.0);
}

bool BMPHeader::IsWhole(std::size_t fileSize) const
{
  const double pixels = this->RowBytes() * std::abs(static_cast<double>(Height));
  return fileSize >= 54 &&
         (Compression != 0 || static_cast<double>(PixelsAt) + pixels <= static_cast<double>(fileSize));
}

std::vector<unsigned char> BMPHeader::ReadPlainColor(const std::vector<unsigned char> & file) const
{
  const auto                 width = static_cast<std::size_t>(Width);
  const auto                 height = static_cast<std::size_t>(std::abs(static_cast<std::int64_t>(Height)));
  const auto                 rowBytes = static_cast<std::size_t>(this->RowBytes());
  std::vector<unsigned char> rgb;
  rgb.reserve(3 * width * height);
  for (std::size_t y = 0; y < height; ++y)
  {
    const unsigned char * bgr = file.data() + PixelsAt + rowBytes * (Height < 0 ? y : height - 1 - y);
    for (std::size_t x = 0; x < width; ++x, bgr += 3)
    {
      rgb.insert(rgb.end(), { bgr[2], bgr[1], bgr[0] });
    }
  }
  return rgb;
}
} // namespace itk
