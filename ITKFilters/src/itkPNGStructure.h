#ifndef itkPNGStructure_h
#define itkPNGStructure_h

#include "itkMacro.h"

#include <cstddef>

namespace itk
{
/** Are all chunks of a PNG file there, up to its end, with the right checksums? Without that some versions of
 * itk::PNGImageIO stop the whole program in libpng's error handler. */
bool IsPNGWhole(const unsigned char * bytes, std::size_t size);
} // namespace itk

#endif
