// SPDX-License-Identifier: Apache-2.0
#ifndef itkHTML_h
#define itkHTML_h

#include "itkImage.h"
#include "itkRGBPixel.h"

#include <string>

namespace itk
{
/** Pieces of self-contained pages: no script, nothing from outside. */
namespace HTML
{
/** Text for element content and attribute values; bytes that are not UTF-8 become question marks. */
std::string Escape(const std::string & text);

/** An image as data URI (JPEG). */
std::string DataURI(const Image<RGBPixel<unsigned char>, 2> * image, int quality = 92);

/** A whole page with the common style; `extraStyle` follows it. */
std::string Document(const std::string & title, const std::string & body, const std::string & extraStyle = "");
} // namespace HTML
} // namespace itk

#endif
