// SPDX-License-Identifier: Apache-2.0
#include "itkFundusResult.h"

#include "itkEnumText.h"

#include <tuple>

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
  const StoredGeometry & stored = photograph->GetStored();
  Photograph = photograph;
  Stored = StoredRaster{ stored.Size[0], stored.Size[1], stored.Orientation };
}

namespace
{
// The bindings make a field that is added but not compared an error of the compiler.
auto Members(const FundusResult::Model & value)
{
  const auto & [name, version, hash, licence, file] = value;
  return std::tie(name, version, hash, licence, file);
}

auto Members(const FundusResult::Locator & value)
{
  const auto & [method, center, diameter, confidence, hash] = value;
  return std::tie(method, center, diameter, confidence, hash);
}

auto Members(const FundusResult::TestTimeAugmentation & value)
{
  const auto & [mode, hypotheses, score] = value;
  return std::tie(mode, hypotheses, score);
}

auto Members(const FundusResult::Crop & value)
{
  const auto & [center, side, size] = value;
  return std::tie(center, side, size);
}

auto Members(const FundusResult::StoredRaster & value)
{
  const auto & [width, height, orientation] = value;
  return std::tie(width, height, orientation);
}

template <typename T>
bool AreEqual(const std::optional<T> & a, const std::optional<T> & b)
{
  return a.has_value() == b.has_value() && (!a || Members(*a) == Members(*b));
}

bool AreEqual(const NestedPolarBoundary * a, const NestedPolarBoundary * b)
{
  return (a == nullptr) == (b == nullptr) && (a == nullptr || a->ToJSON() == b->ToJSON());
}
} // namespace

bool operator==(const FundusResult & a, const FundusResult & b)
{
  const auto scalars = [](const FundusResult & value) {
    const auto & [name,
                  input,
                  status,
                  message,
                  eye,
                  eyeSource,
                  calibrationSource,
                  photograph,
                  stored,
                  boundary,
                  networkBoundary,
                  labels,
                  measurements,
                  valid,
                  network,
                  localisation,
                  tta,
                  crop,
                  device,
                  precision,
                  stages,
                  seconds] = value;
    return std::tie(name,
                    input,
                    status,
                    message,
                    eye,
                    eyeSource,
                    calibrationSource,
                    measurements,
                    valid,
                    device,
                    precision,
                    stages,
                    seconds);
  };
  return scalars(a) == scalars(b) && AreEqual(a.Stored, b.Stored) && AreEqual(a.Boundary, b.Boundary) &&
         AreEqual(a.NetworkBoundary, b.NetworkBoundary) && Members(a.Network) == Members(b.Network) &&
         Members(a.Localisation) == Members(b.Localisation) && Members(a.TTA) == Members(b.TTA) &&
         AreEqual(a.CropGeometry, b.CropGeometry);
}
} // namespace itk
