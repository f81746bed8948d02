// SPDX-License-Identifier: Apache-2.0
#ifndef itkBMPHeader_h
#define itkBMPHeader_h

#include "itkMacro.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace itk
{
/** What a Windows BMP file says about its pixels.
 *
 * Not itk::BMPImageIO: it refuses the headers of versions 4 and 5, which many programs write, and does not notice that
 * a file ends early. */
struct BMPHeader
{
  /** Bytes that are missing count as zero. */
  explicit BMPHeader(const std::vector<unsigned char> & head);

  std::size_t  PixelsAt{ 0 };
  std::size_t  Size{ 0 }; // 40 Windows 3; 108 and 124: versions 4 and 5
  std::int32_t Width{ 0 };
  std::int32_t Height{ 0 }; // negative: the first row is the upper one
  unsigned int BitsPerPixel{ 0 };
  std::size_t  Compression{ 0 };

  double RowBytes() const;

  /** Are all pixels in a file of this size? Not known for compressed ones. */
  bool IsWhole(std::size_t fileSize) const;

  /** Uncompressed blue, green, red. */
  bool IsPlainColor() const { return Size >= 40 && BitsPerPixel == 24 && Compression == 0; }

  /** The pixels of a whole file with plain colours, red first, upper row first. */
  std::vector<unsigned char> ReadPlainColor(const std::vector<unsigned char> & file) const;
};
} // namespace itk

#endif
