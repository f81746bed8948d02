// SPDX-License-Identifier: Apache-2.0
#ifndef itkInterEyeComparison_h
#define itkInterEyeComparison_h

#include "NPSNetExport.h"
#include "itkFundusResult.h"
#include "itkRimMeasurements.h"

#include <optional>
#include <string>
#include <vector>

namespace itk
{
/** \class InterEyeComparison
 * \brief Right against left eye of one person.
 *
 * Directions are compared as the eyes see them: temporal with temporal, the right eye's clock hour h with the left
 * eye's hour 12 - h. Rim widths are divided by the equivalent disc radius of their own eye, so that magnification
 * does not matter.
 *
 * \ingroup NPSNet
 */
struct NPSNet_EXPORT InterEyeComparison
{
  struct Entry
  {
    std::string           Group; // "ratio", "disc", "quadrant", "garway_heath", "clock_hour"
    std::string           Name;  // clock hours are named as the right eye's
    std::string           Unit;  // "ratio", "norm", "um", "deg"
    std::optional<double> Right;
    std::optional<double> Left;
    std::optional<double> Difference; // right - left
  };

  std::vector<Entry> Entries;

  /** Of the normalised rim profiles, degrees counted from temporal through superior. */
  std::optional<double> MeanAbsoluteRimAsymmetry;
  std::optional<double> LargestRimAsymmetry; // right - left, with sign
  std::optional<double> LargestRimAsymmetryPhi;

  /** |vCDR right - left| of at least 0.2, the usual clinical mark. */
  std::optional<bool> VerticalCDRAsymmetric;

  /** Throws when the first is not a right or the second not a left eye. */
  static InterEyeComparison Compute(const RimMeasurements & right, const RimMeasurements & left);

  /** RFC 4180: group,name,unit,od,os,difference. */
  std::string ToCSV() const;

  /** Self-contained page: both discs side by side, the two unrolled rims, the table. */
  static std::string ToHTML(const FundusResult & right, const FundusResult & left);
};
} // namespace itk

#endif
