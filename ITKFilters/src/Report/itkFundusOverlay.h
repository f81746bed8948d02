// SPDX-License-Identifier: Apache-2.0
#ifndef itkFundusOverlay_h
#define itkFundusOverlay_h

#include "NPSNetExport.h"
#include "itkFundusResult.h"

namespace itk
{
/** \class FundusOverlay
 * \brief The photograph with the contours of disc and cup drawn on it, anti-aliased.
 *
 * Also a cross at the disc's centroid, ticks at the borders of the quadrants and their letters: I and S always,
 * N and T when the eye is known. Line widths follow the size of the picture.
 *
 * \ingroup NPSNet
 */
class NPSNet_EXPORT FundusOverlay
{
public:
  using ImageType = FundusPhotograph::ImageType;

  /** The whole photograph. A result without photograph is an exception; without segmentation nothing is drawn. */
  static ImageType::Pointer Draw(const FundusResult & result);

  /** A square around the disc, `pixels` wide, about 1.7 disc diameters a side; the photograph's own pixels
   * resampled. Without a disc: the thumbnail. */
  static ImageType::Pointer DrawZoom(const FundusResult & result, unsigned int pixels, bool contours = true);

  /** The whole photograph with a longer side of `pixels`; a circle shows where the disc is. */
  static ImageType::Pointer DrawThumbnail(const FundusResult & result, unsigned int pixels);
};
} // namespace itk

#endif
