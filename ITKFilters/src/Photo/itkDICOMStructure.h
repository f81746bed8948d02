// SPDX-License-Identifier: Apache-2.0
#ifndef itkDICOMStructure_h
#define itkDICOMStructure_h

#include "itkMacro.h"

#include <cstddef>

namespace itk
{
/** Does every element of a DICOM file up to its pixels end inside the file?
 *
 * GDCM fills the missing pixels of a cut file with what happens to be in memory, asks for as much memory as a damaged
 * length says (up to 4 GiB) before it notices, and stops the program when it was compiled with assertions (Debian); so
 * lengths are followed here first. Little endian, explicit and implicit; true for other encodings, which GDCM may
 * judge. */
bool IsDICOMWhole(const unsigned char * bytes, std::size_t size);
} // namespace itk

#endif
