// SPDX-License-Identifier: Apache-2.0
#ifndef itkPhotoPixels_h
#define itkPhotoPixels_h

#include "itkImageIOBase.h"

#include <cstddef>
#include <vector>

namespace itk
{
/** How the numbers of a decoded raster are to be read. */
struct PhotoPixelFormat
{
  IOComponentEnum Component{ IOComponentEnum::UCHAR };
  unsigned int    Components{ 1 };
  /** Largest value of integral components, 0 for the type's own: 255, 65535, 32767. */
  double Maximum{ 0.0 };
  /** False: a second or fourth component means nothing. */
  bool HasAlpha{ true };
};

/** Interleaved pixels of any accepted type to 8-bit RGB.
 *
 * Integers are scaled by 255 / maximum and rounded (16 bit: v / 257, also when a file only uses the lowest values: the
 * contrast of a photograph is never stretched). Floating point is taken as 0 ... 1 when nothing exceeds 1, else as
 * levels 0 ... 255. One component is grey, two are grey and alpha, four are RGB and alpha. Alpha is composited on
 * black, unless it is zero everywhere (32-bit BMP): then it means nothing.
 *
 * Throws a sentence about what is wrong, without the file's name. */
std::vector<unsigned char> ConvertToRGB8(const void *             pixels,
                                         std::size_t              numberOfPixels,
                                         const PhotoPixelFormat & format);
} // namespace itk

#endif
