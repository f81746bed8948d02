#include "itkFundusResult.h"

namespace itk
{
std::string FundusStatusToString(FundusStatusEnum status)
{
  switch (status)
  {
    case FundusStatusEnum::Ok:
      return "ok";
    case FundusStatusEnum::LowConfidence:
      return "low_confidence";
    case FundusStatusEnum::NotFound:
      return "not_found";
    case FundusStatusEnum::Unreadable:
      return "unreadable";
    case FundusStatusEnum::Failed:
      break;
  }
  return "failed";
}

std::array<double, 2> FundusResult::ToIndex(const std::array<double, 2> & position) const
{
  const bool pictured = Photograph.IsNotNull() && Photograph->GetImage() != nullptr;
  return pictured ? Photograph->PointToIndex(position) : position;
}
} // namespace itk
