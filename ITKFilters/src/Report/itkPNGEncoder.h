// SPDX-License-Identifier: Apache-2.0
#ifndef itkPNGEncoder_h
#define itkPNGEncoder_h

#include "itkImage.h"
#include "itkRGBPixel.h"

#include <string>

namespace itk
{
/** The bytes of a PNG file of a colour picture, made for speed: one filter for all rows instead of a search for the
 * best of five, and runs instead of a search for repetitions, of which photographs have few. */
std::string EncodePNG(const Image<RGBPixel<unsigned char>, 2> * image);
} // namespace itk

#endif
