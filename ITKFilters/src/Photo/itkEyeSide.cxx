// SPDX-License-Identifier: Apache-2.0
#include "itkEyeSide.h"

namespace itk
{
std::string EyeSideToString(EyeSideEnum eye)
{
  switch (eye)
  {
    case EyeSideEnum::OD:
      return "OD";
    case EyeSideEnum::OS:
      return "OS";
    case EyeSideEnum::Unknown:
      break;
  }
  return "unknown";
}

std::string EyeSourceToString(EyeSourceEnum source)
{
  switch (source)
  {
    case EyeSourceEnum::User:
      return "user";
    case EyeSourceEnum::DICOM:
      return "dicom";
    case EyeSourceEnum::FileName:
      return "file_name";
    case EyeSourceEnum::None:
      break;
  }
  return "none";
}
} // namespace itk
