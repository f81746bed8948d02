// SPDX-License-Identifier: Apache-2.0
#ifndef itkEyeSide_h
#define itkEyeSide_h

#include "NPSNetExport.h"
#include "itkMacro.h" // an SDK may rename the namespace there

#include <cstdint>
#include <string>

namespace itk
{
/** \class EyeSideEnum
 * \brief Which eye a photograph shows. Unknown is never guessed: nasal and temporal values then stay empty.
 * \ingroup NPSNet
 */
enum class EyeSideEnum : uint8_t
{
  Unknown = 0,
  OD = 1, // right eye: temporal is image left (theta = 180 degrees)
  OS = 2  // left eye: temporal is image right (theta = 0)
};

/** \class EyeSourceEnum
 * \brief Where the eye is known from; User beats DICOM beats FileName.
 * \ingroup NPSNet
 */
enum class EyeSourceEnum : uint8_t
{
  None = 0,
  User = 1,
  DICOM = 2,
  FileName = 3
};

/** "unknown", "OD", "OS". */
NPSNet_EXPORT std::string EyeSideToString(EyeSideEnum eye);
NPSNet_EXPORT EyeSideEnum EyeSideFromString(const std::string & text);

/** "none", "user", "dicom", "file_name". */
NPSNet_EXPORT std::string   EyeSourceToString(EyeSourceEnum source);
NPSNet_EXPORT EyeSourceEnum EyeSourceFromString(const std::string & text);
} // namespace itk

#endif
