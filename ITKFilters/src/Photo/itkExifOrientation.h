// SPDX-License-Identifier: Apache-2.0
#ifndef itkExifOrientation_h
#define itkExifOrientation_h

#include "itkMacro.h"

#include <cstddef>

namespace itk
{
/** Tag 0x0112 in the first directory of a TIFF structure (a TIFF file, or the EXIF block of another format without its
 * "Exif\0\0" prefix). 1 to 8; 1 when absent, not understood or out of bounds: a broken EXIF block never spoils a
 * photograph. */
unsigned int ReadTIFFOrientation(const unsigned char * tiff, std::size_t size);

/** The same for the content of a JPEG APP1 segment. */
unsigned int ReadJPEGOrientation(const unsigned char * app1, std::size_t size);

/** The same for a whole PNG file (chunk eXIf). */
unsigned int ReadPNGOrientation(const unsigned char * png, std::size_t size);

/** Width over height of a pixel by the chunk pHYs of a PNG file; 1 without it. */
double ReadPNGPixelAspect(const unsigned char * png, std::size_t size);
} // namespace itk

#endif
