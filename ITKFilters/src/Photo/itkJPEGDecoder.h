// SPDX-License-Identifier: Apache-2.0
#ifndef itkJPEGDecoder_h
#define itkJPEGDecoder_h

#include "NPSNetExport.h"
#include "itkMacro.h"

#include <cstddef>
#include <string>
#include <vector>

namespace itk
{
/** A JPEG file to 8-bit RGB, strictly.
 *
 * Not itk::JPEGImageIO: it fills the missing part of a truncated photograph with grey, prints libjpeg's complaints on
 * the standard output and knows neither EXIF nor CMYK that is not inverted. */
class NPSNet_EXPORT JPEGDecoder
{
public:
  struct Header
  {
    unsigned int Width{ 0 };
    unsigned int Height{ 0 };
    unsigned int Orientation{ 1 };
    /** As itk::JPEGImageIO reports it: millimetres by the density, 1 without one. */
    double Spacing[2]{ 1.0, 1.0 };
    /** Width over height of a pixel by the density or aspect ratio. */
    double PixelAspect{ 1.0 };
  };

  /** The bytes must outlive the decoder. Throws a sentence about what is wrong, without the file's name. */
  JPEGDecoder(const unsigned char * bytes, std::size_t size);

  const Header & GetHeader() const { return m_Header; }

  /** Interleaved RGB. */
  std::vector<unsigned char> Decode() const;

private:
  const unsigned char * m_Bytes;
  std::size_t           m_Size;
  Header                m_Header;
};
} // namespace itk

#endif
