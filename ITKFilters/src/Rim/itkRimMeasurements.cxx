// SPDX-License-Identifier: Apache-2.0
#include "itkRimMeasurements.h"

#include <algorithm>

namespace itk
{
std::string RimQualityFlagToString(RimQualityFlagEnum flag)
{
  switch (flag)
  {
    case RimQualityFlagEnum::EmptyDisc:
      return "empty_disc";
    case RimQualityFlagEnum::EmptyCup:
      return "empty_cup";
    case RimQualityFlagEnum::LowConfidence:
      return "low_confidence";
    case RimQualityFlagEnum::BoundaryTouchesCrop:
      return "boundary_touches_crop";
    case RimQualityFlagEnum::DiscLeavesPhotograph:
      return "disc_leaves_photo";
    case RimQualityFlagEnum::ImplausibleSize:
      return "implausible_size";
    case RimQualityFlagEnum::CupOutsideDisc:
      return "cup_outside_disc";
    case RimQualityFlagEnum::NotStarConvex:
      return "not_star_convex";
    case RimQualityFlagEnum::IrregularBoundary:
      return "irregular_boundary";
    case RimQualityFlagEnum::UncertainLocation:
      return "uncertain_location";
  }
  return "unknown";
}

std::string RimQualityFlagToSentence(RimQualityFlagEnum flag)
{
  switch (flag)
  {
    case RimQualityFlagEnum::EmptyDisc:
      return "No optic disc was segmented.";
    case RimQualityFlagEnum::EmptyCup:
      return "No cup was segmented: cup/disc ratios are zero and the rim reaches the disc's centroid.";
    case RimQualityFlagEnum::LowConfidence:
      return "The network is unsure about the boundary: check the contours.";
    case RimQualityFlagEnum::BoundaryTouchesCrop:
      return "The disc reaches the border of the analysed crop: it may be cut off.";
    case RimQualityFlagEnum::DiscLeavesPhotograph:
      return "The disc reaches the border of the photograph: it may be cut off.";
    case RimQualityFlagEnum::ImplausibleSize:
      return "The disc has an implausible size: check the contours and the calibration.";
    case RimQualityFlagEnum::CupOutsideDisc:
      return "Part of the cup lies outside the disc and was left out.";
    case RimQualityFlagEnum::NotStarConvex:
      return "A mask has several parts, holes or folds: rays were measured at their outermost crossing.";
    case RimQualityFlagEnum::IrregularBoundary:
      return "The outline of the disc is unusually wavy: it may not be an optic disc.";
    case RimQualityFlagEnum::UncertainLocation:
      return "The optic nerve head was found without certainty: check that the outlines are about it.";
  }
  return {};
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
