// SPDX-License-Identifier: Apache-2.0
#include "itkRimMeasurements.h"

#include "itkEnumText.h"

#include <algorithm>

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
} // namespace itk
