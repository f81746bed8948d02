// SPDX-License-Identifier: Apache-2.0
#ifndef itkPhotoFormats_h
#define itkPhotoFormats_h

#include "NPSNetExport.h"
#include "itkMacro.h" // an SDK may rename the namespace there

#include <string>
#include <vector>

namespace itk
{
/** The formats of photographs that FundusPhotographReader reads, for a sentence: "JPEG, PNG, ... or DICOM". */
NPSNet_EXPORT std::string PhotoFormatNames();

/** How names of such files end, in lower case with the dot: ".jpg", ".nii.gz". */
NPSNet_EXPORT const std::vector<std::string> & PhotoFileEndings();

/** Whether a name ends like that, in upper or lower case. The reader itself goes by the content. */
NPSNet_EXPORT bool HasPhotoFileEnding(const std::string & fileName);
} // namespace itk

#endif
