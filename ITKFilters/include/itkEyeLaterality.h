// SPDX-License-Identifier: Apache-2.0
#ifndef itkEyeLaterality_h
#define itkEyeLaterality_h

#include "NPSNetExport.h"
#include "itkEyeSide.h"

#include <string>

namespace itk
{
/** \class EyeLaterality
 * \brief Which eye a photograph shows and who says so: the user, else DICOM, else the file's name; it may stay unknown.
 * \ingroup NPSNet
 */
struct EyeLaterality
{
  EyeSideEnum   Side{ EyeSideEnum::Unknown };
  EyeSourceEnum Source{ EyeSourceEnum::None };
};

/** user: "auto" or "" (look further), or an eye as in EyeSideFromText(); dicom: FundusPhotograph::GetDICOMLaterality();
 * fileName: path or name of the photograph. */
NPSNet_EXPORT EyeLaterality DetermineEyeLaterality(const std::string & user,
                                                   const std::string & dicom,
                                                   const std::string & fileName);

/** "OD", "R", "right", "OS", "L", "left" in any case; anything else throws one sentence that says so. */
NPSNet_EXPORT EyeSideEnum EyeSideFromText(const std::string & text);

/** "R" or "L" of (0020,0062) or (0020,0060); "B" (both) and anything else is unknown. */
NPSNet_EXPORT EyeSideEnum EyeSideFromDICOM(const std::string & laterality);

/** From the last part of a path without its extension:
 * "OD" or "OS" where letters stop on both sides (RET023OD, OS_12, img-od-3, but not METHOD or PHOTOS);
 * "R", "L", "right", "left" only as a whole word between delimiters (12_R, left eye, but not R2 or bright).
 * When both eyes are named the answer is unknown. Case does not matter. Folders are not looked at. */
NPSNet_EXPORT EyeSideEnum EyeSideFromFileName(const std::string & path);
} // namespace itk

#endif
