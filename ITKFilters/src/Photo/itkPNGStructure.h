// SPDX-License-Identifier: Apache-2.0
#ifndef itkPNGStructure_h
#define itkPNGStructure_h

#include "itkMacro.h"

#include <cstddef>

namespace itk
{
/** Are all chunks of a PNG file there, up to its end, with the right checksums? Without that some versions of
 * itk::PNGImageIO stop the whole program in libpng's error handler. */
bool IsPNGWhole(const unsigned char * bytes, std::size_t size);

/** False where a colour of the palette, or one colour of all, is called transparent: such a file has no alpha channel,
 * and what ITK makes of it hides pixels that are part of the photograph. */
bool HasPNGAlphaChannel(const unsigned char * bytes, std::size_t size);
} // namespace itk

#endif
