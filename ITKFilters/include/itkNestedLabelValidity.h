// SPDX-License-Identifier: Apache-2.0
#ifndef itkNestedLabelValidity_h
#define itkNestedLabelValidity_h

#include "NPSNetExport.h"
#include "itkContinuousIndex.h"
#include "itkImage.h"
#include "itkPoint.h"

#include <string>
#include <vector>

namespace itk
{
/** \class NestedLabelValidity
 * \brief Are optic disc and cup of a written label map anatomically whole?
 *
 * A structure is whole when it is one 8-connected component without a hole (a 4-connected component of the
 * background that does not touch the image's border) and every ray from the anchor leaves it once, within one pixel:
 * no foreground pixel may lie on a ray behind a point whose whole 3 x 3 neighbourhood is background. An empty
 * structure is whole. Judged from pixels alone; how they were made does not matter.
 *
 * \ingroup NPSNet
 */
class NPSNet_EXPORT NestedLabelValidity
{
public:
  using LabelImageType = Image<unsigned char, 2>;
  using PointType = Point<double, 2>;

  struct Structure
  {
    bool         Empty{ true };
    unsigned int Components{ 0 };
    unsigned int Holes{ 0 };
    bool         SingleCrossing{ true };

    bool IsWhole() const { return Empty || (Components == 1 && Holes == 0 && SingleCrossing); }
  };

  struct Report
  {
    bool      Nested{ true };
    Structure Disc;
    Structure Cup;

    bool IsValid() const { return Nested && Disc.IsWhole() && Cup.IsWhole(); }
    /** "valid", or what is wrong. */
    std::string Describe() const;
  };

  /** Labels 0, 1 (rim), 2 (cup); any other value makes the report not nested. Rays start at the anchor. */
  static Report Check(const LabelImageType * labels, const PointType & anchor);

  /** The same when the anchor is not known: single crossing means that there is a point from which it holds for
   * both structures (centroids and deepest points are tried first, then points spread over the cup or disc). */
  static Report Check(const LabelImageType * labels);

  /** Two masks (non-zero is foreground) of one size; nested means that every cup pixel is a disc pixel. */
  static Report CheckMasks(const LabelImageType * disc, const LabelImageType * cup, const PointType & anchor);
  static Report CheckMasks(const LabelImageType * disc, const LabelImageType * cup);

  /** One structure on a raw raster; the anchor is a continuous index. */
  static Structure CheckMask(const unsigned char *              mask,
                             std::size_t                        width,
                             std::size_t                        height,
                             const ContinuousIndex<double, 2> & anchor);
};
} // namespace itk

#endif
