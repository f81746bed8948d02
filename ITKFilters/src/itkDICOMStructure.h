#ifndef itkDICOMStructure_h
#define itkDICOMStructure_h

#include "itkMacro.h"

#include <cstddef>

namespace itk
{
/** Does every element of a DICOM file end inside the file?
 *
 * GDCM fills the missing pixels of a cut file with what happens to be in memory, and asks for as much memory as a
 * damaged length says (up to 4 GiB) before it notices; so lengths are followed here first. Little endian, explicit and
 * implicit; true for what is not understood (other encodings, no preamble), which GDCM may judge. */
bool IsDICOMWhole(const unsigned char * bytes, std::size_t size);
} // namespace itk

#endif
