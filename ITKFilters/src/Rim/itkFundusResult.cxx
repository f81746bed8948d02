// SPDX-License-Identifier: Apache-2.0
#include "itkFundusResult.h"

#include "itkEnumText.h"

namespace itk
{
namespace
{
constexpr EnumText<FundusStatusEnum> Statuses[] = { { FundusStatusEnum::Ok, "ok" },
                                                    { FundusStatusEnum::LowConfidence, "low_confidence" },
                                                    { FundusStatusEnum::NotFound, "not_found" },
                                                    { FundusStatusEnum::Unreadable, "unreadable" },
                                                    { FundusStatusEnum::Failed, "failed" } };
}

std::string FundusStatusToString(FundusStatusEnum status)
{
  return EnumToText(Statuses, status);
}

FundusStatusEnum FundusStatusFromString(const std::string & text)
{
  return EnumFromText(Statuses, text).value_or(FundusStatusEnum::Failed);
}

void FundusResult::SetPhotograph(const FundusPhotograph * photograph)
{
  Photograph = photograph;
  for (unsigned int k = 0; k < 2; ++k)
  {
    PixelOrigin[k] = photograph->GetImage()->GetOrigin()[k];
    PixelSpacing[k] = photograph->GetImage()->GetSpacing()[k];
  }
}

std::array<double, 2> FundusResult::ToIndex(const std::array<double, 2> & position) const
{
  return { { (position[0] - PixelOrigin[0]) / PixelSpacing[0], (position[1] - PixelOrigin[1]) / PixelSpacing[1] } };
}

std::array<double, 2> FundusResult::ToPosition(const std::array<double, 2> & index) const
{
  return { { PixelOrigin[0] + index[0] * PixelSpacing[0], PixelOrigin[1] + index[1] * PixelSpacing[1] } };
}
} // namespace itk
