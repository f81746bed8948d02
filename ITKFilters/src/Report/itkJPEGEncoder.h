// SPDX-License-Identifier: Apache-2.0
#ifndef itkJPEGEncoder_h
#define itkJPEGEncoder_h

#include "itkImage.h"
#include "itkRGBPixel.h"

#include <vector>

namespace itk
{
/** The bytes of a JPEG file of a colour picture, quality 0 to 100.
 *
 * Not itk::JPEGImageIO: it writes to files only, and when a disk is full libjpeg ends the process. */
std::vector<unsigned char> EncodeJPEG(const Image<RGBPixel<unsigned char>, 2> * image, int quality);
} // namespace itk

#endif
