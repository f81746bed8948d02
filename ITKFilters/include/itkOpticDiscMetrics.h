// SPDX-License-Identifier: Apache-2.0
#ifndef itkOpticDiscMetrics_h
#define itkOpticDiscMetrics_h

#include "NPSNetExport.h"
#include "itkImage.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace itk
{
/** \class OpticDiscMetrics
 * \brief How well one segmentation of disc and cup agrees with a reference, as the paper counts it.
 *
 * Masks on one raster (the paper: the 512 x 512 crop, thresholded with > 0.5). Distances are pixels of that raster.
 * A value that has no meaning (an empty mask, a profile without variation) is empty, never NaN.
 *
 * \ingroup NPSNet
 */
struct NPSNet_EXPORT OpticDiscMetrics
{
  using MaskType = Image<unsigned char, 2>;

  /** One structure. Dice and IoU with epsilon 1e-7. */
  struct Structure
  {
    double Dice{ 0.0 };
    double IoU{ 0.0 };
    /** The authors' kind: distances of all foreground pixels of one mask to the other, interior zeros included. */
    std::optional<double> HD95;
    std::optional<double> ASSD;
    /** The usual kind, between the border pixels. */
    std::optional<double> HD95Surface;
    std::optional<double> ASSDSurface;
  };

  Structure Disc;
  Structure Cup;

  /** From row extents and areas; empty without a disc. */
  std::optional<double> VerticalCDR;
  std::optional<double> TrueVerticalCDR;
  std::optional<double> AreaCDR;
  std::optional<double> TrueAreaCDR;

  /** Mean absolute difference and Pearson correlation of the rim profiles about the centre of the raster, normalised
   * to half its side; the correlation is empty when a standard deviation is under 1e-6. */
  std::optional<double> RimMAE;
  std::optional<double> RimCorrelation;

  /** Absolute errors; empty when a side is. */
  std::optional<double> GetVerticalCDRError() const;
  std::optional<double> GetAreaCDRError() const;

  /** Non-zero is foreground; all four on one raster. */
  static OpticDiscMetrics Compute(const MaskType * disc,
                                  const MaskType * cup,
                                  const MaskType * trueDisc,
                                  const MaskType * trueCup);

  /** Labels 0 background, 1 rim, 2 cup. */
  static OpticDiscMetrics ComputeFromLabels(const MaskType * labels, const MaskType * trueLabels);

  /** Last foreground sample on 360 rays about the centre of the raster, 256 samples from 0 to half its side, divided
   * by half its side. */
  static std::vector<double> RadialProfile(const MaskType * mask);

  /** Names as in per_image.csv (cup_dice ... rim_corr) with their values, in a fixed order. */
  std::vector<std::pair<std::string, std::optional<double>>> ToList() const;
};
} // namespace itk

#endif
