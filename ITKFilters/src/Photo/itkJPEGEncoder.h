// SPDX-License-Identifier: Apache-2.0
#ifndef itkJPEGEncoder_h
#define itkJPEGEncoder_h

#include "NPSNetExport.h"
#include "itkImage.h"
#include "itkRGBPixel.h"

#include <vector>

namespace itk
{
/** How a JPEG file keeps color: for every second pixel, as cameras and pages do, or for every one. */
enum class JPEGColorEnum
{
  Halved,
  Full
};

/** The bytes of a JPEG file of interleaved RGB, quality 0 to 100.
 *
 * Not itk::JPEGImageIO: it writes to files only, and when a disk is full libjpeg ends the process. */
NPSNet_EXPORT std::vector<unsigned char> EncodeJPEG(const unsigned char * rgb,
                                                    unsigned int          width,
                                                    unsigned int          height,
                                                    int                   quality,
                                                    JPEGColorEnum         color);

NPSNet_EXPORT std::vector<unsigned char> EncodeJPEG(const Image<RGBPixel<unsigned char>, 2> * image, int quality);
} // namespace itk

#endif
