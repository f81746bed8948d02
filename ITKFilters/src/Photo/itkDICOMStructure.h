// SPDX-License-Identifier: Apache-2.0
#ifndef itkDICOMStructure_h
#define itkDICOMStructure_h

#include "NPSNetExport.h"
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

/** Is it whole but without pixels: a report, a document, a waveform? */
bool IsDICOMWithoutPixels(const unsigned char * bytes, std::size_t size);

/** Bytes of the pixels where they lie as they are; 0 for compressed ones and where that is not known. */
std::size_t DICOMPixelLength(const unsigned char * bytes, std::size_t size);

/** Are sequences nested in each other beyond reason? Readers go down by recursion, and such a file ends the program. */
NPSNet_EXPORT bool IsDICOMTooDeep(const unsigned char * bytes, std::size_t size);
} // namespace itk

#endif
