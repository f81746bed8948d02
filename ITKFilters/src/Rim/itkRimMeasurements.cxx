// SPDX-License-Identifier: Apache-2.0
#include "itkRimMeasurements.h"

#include "itkEnumText.h"

#include <algorithm>
#include <tuple>

namespace itk
{
namespace
{
constexpr EnumText<RimQualityFlagEnum> Names[] = { { RimQualityFlagEnum::EmptyDisc, "empty_disc" },
                                                   { RimQualityFlagEnum::EmptyCup, "empty_cup" },
                                                   { RimQualityFlagEnum::LowConfidence, "low_confidence" },
                                                   { RimQualityFlagEnum::BoundaryTouchesCrop, "boundary_touches_crop" },
                                                   { RimQualityFlagEnum::DiscLeavesPhotograph, "disc_leaves_photo" },
                                                   { RimQualityFlagEnum::ImplausibleSize, "implausible_size" },
                                                   { RimQualityFlagEnum::CupOutsideDisc, "cup_outside_disc" },
                                                   { RimQualityFlagEnum::NotStarConvex, "not_star_convex" },
                                                   { RimQualityFlagEnum::IrregularBoundary, "irregular_boundary" },
                                                   { RimQualityFlagEnum::UncertainLocation, "uncertain_location" } };
constexpr EnumText<RimQualityFlagEnum> Sentences[] = {
  { RimQualityFlagEnum::EmptyDisc, "No optic disc was segmented." },
  { RimQualityFlagEnum::EmptyCup,
    "No cup was segmented: cup/disc ratios are zero and the rim reaches the disc's centroid." },
  { RimQualityFlagEnum::LowConfidence, "The network is unsure about the boundary: check the contours." },
  { RimQualityFlagEnum::BoundaryTouchesCrop, "The disc reaches the border of the analysed crop: it may be cut off." },
  { RimQualityFlagEnum::DiscLeavesPhotograph, "The disc reaches the border of the photograph: it may be cut off." },
  { RimQualityFlagEnum::ImplausibleSize, "The disc has an implausible size: check the contours and the calibration." },
  { RimQualityFlagEnum::CupOutsideDisc, "Part of the cup lies outside the disc and was left out." },
  { RimQualityFlagEnum::NotStarConvex,
    "A mask has several parts, holes or folds: rays were measured at their outermost crossing." },
  { RimQualityFlagEnum::IrregularBoundary, "The outline of the disc is unusually wavy: it may not be an optic disc." },
  { RimQualityFlagEnum::UncertainLocation,
    "The optic nerve head was found without certainty: check that the outlines are about it." }
};
} // namespace

std::string RimQualityFlagToString(RimQualityFlagEnum flag)
{
  return EnumToText(Names, flag);
}

std::string RimQualityFlagToSentence(RimQualityFlagEnum flag)
{
  return EnumToText(Sentences, flag);
}

std::optional<RimQualityFlagEnum> RimQualityFlagFromString(const std::string & text)
{
  return EnumFromText(Names, text);
}

std::vector<RimMeasurements::OrderedPair> RimMeasurements::OrderRule::GetViolatedPairs() const
{
  constexpr double         rounding = 1e-6; // equal widths obey the rule
  std::vector<OrderedPair> violated;
  std::copy_if(Pairs.begin(), Pairs.end(), std::back_inserter(violated), [](const OrderedPair & pair) {
    return pair.Margin < -rounding;
  });
  return violated;
}

bool RimMeasurements::HasFlag(RimQualityFlagEnum flag) const
{
  return std::find(Flags.begin(), Flags.end(), flag) != Flags.end();
}

namespace
{
// The bindings make a field that is added but not compared an error of the compiler.
auto Members(const RimMeasurements::Angle & value)
{
  const auto & [disc, cup, rim, ratio, discConfidence, cupConfidence] = value;
  return std::tie(disc, cup, rim, ratio, discConfidence, cupConfidence);
}

auto Members(const RimMeasurements::Sector & value)
{
  const auto & [name, width, ratio, minimum, area, discConfidence, cupConfidence] = value;
  return std::tie(name, width, ratio, minimum, area, discConfidence, cupConfidence);
}

auto Members(const RimMeasurements::OrderedPair & value)
{
  const auto & [wider, narrower, margin] = value;
  return std::tie(wider, narrower, margin);
}

auto Members(const RimMeasurements::Notch & value)
{
  const auto & [theta, hour, ratio] = value;
  return std::tie(theta, hour, ratio);
}

template <typename T>
bool AreEqual(const std::vector<T> & a, const std::vector<T> & b)
{
  return std::equal(
    a.begin(), a.end(), b.begin(), b.end(), [](const T & x, const T & y) { return Members(x) == Members(y); });
}

bool AreEqual(const std::optional<RimMeasurements::OrderRule> & a, const std::optional<RimMeasurements::OrderRule> & b)
{
  return a.has_value() == b.has_value() &&
         (!a || (a->Obeyed == b->Obeyed && a->Margin == b->Margin && AreEqual(a->Pairs, b->Pairs)));
}

auto Scalars(const RimMeasurements & value)
{
  const auto & [from,
                eye,
                um,
                centroid,
                discArea,
                cupArea,
                rimArea,
                discHeight,
                discWidth,
                cupHeight,
                cupWidth,
                vertical,
                horizontal,
                area,
                major,
                minor,
                ovality,
                axis,
                torsion,
                profile,
                radius,
                meanWidth,
                minimum,
                minimumTheta,
                clockHours,
                imageQuadrants,
                quadrants,
                garwayHeath,
                isnt,
                ist,
                absent,
                ddls,
                ddlsSize,
                hasNotch,
                notches,
                discConfidence,
                cupConfidence,
                flags,
                missing] = value;
  return std::tie(from,
                  eye,
                  um,
                  centroid,
                  discArea,
                  cupArea,
                  rimArea,
                  discHeight,
                  discWidth,
                  cupHeight,
                  cupWidth,
                  vertical,
                  horizontal,
                  area,
                  major,
                  minor,
                  ovality,
                  axis,
                  torsion,
                  radius,
                  meanWidth,
                  minimum,
                  minimumTheta,
                  absent,
                  ddls,
                  ddlsSize,
                  hasNotch,
                  discConfidence,
                  cupConfidence,
                  flags,
                  missing);
}
} // namespace

bool operator==(const RimMeasurements & a, const RimMeasurements & b)
{
  return Scalars(a) == Scalars(b) && AreEqual(a.Profile, b.Profile) && AreEqual(a.ClockHours, b.ClockHours) &&
         AreEqual(a.ImageQuadrants, b.ImageQuadrants) && AreEqual(a.Quadrants, b.Quadrants) &&
         AreEqual(a.GarwayHeath, b.GarwayHeath) && AreEqual(a.ISNT, b.ISNT) && AreEqual(a.IST, b.IST) &&
         AreEqual(a.Notches, b.Notches);
}
} // namespace itk
