// SPDX-License-Identifier: Apache-2.0
#include "itkEyeSide.h"

#include "itkEnumText.h"

namespace itk
{
namespace
{
constexpr EnumText<EyeSideEnum>   Sides[] = { { EyeSideEnum::Unknown, "unknown" },
                                              { EyeSideEnum::OD, "OD" },
                                              { EyeSideEnum::OS, "OS" } };
constexpr EnumText<EyeSourceEnum> Sources[] = { { EyeSourceEnum::None, "none" },
                                                { EyeSourceEnum::User, "user" },
                                                { EyeSourceEnum::DICOM, "dicom" },
                                                { EyeSourceEnum::FileName, "file_name" } };
} // namespace

std::string EyeSideToString(EyeSideEnum eye)
{
  return EnumToText(Sides, eye);
}

EyeSideEnum EyeSideFromString(const std::string & text)
{
  return EnumFromText(Sides, text).value_or(EyeSideEnum::Unknown);
}

std::string EyeSourceToString(EyeSourceEnum source)
{
  return EnumToText(Sources, source);
}

EyeSourceEnum EyeSourceFromString(const std::string & text)
{
  return EnumFromText(Sources, text).value_or(EyeSourceEnum::None);
}
} // namespace itk
