// SPDX-License-Identifier: Apache-2.0
#ifndef itkStoredGeometry_h
#define itkStoredGeometry_h

#include "NPSNetExport.h"
#include "itkContinuousIndex.h"
#include "itkIndex.h"

#include <array>

namespace itk
{
/** \class StoredGeometry
 * \brief How a photograph lies in its file: raster, place in space, and how its rows and columns become upright ones.
 *
 * Positions change their system here and in the upright image (FundusPhotograph), nowhere else:
 * Point<double, 3> is a place in space (LPS), ContinuousIndex<double, 2> a pixel index of the stored or the upright
 * raster, Point<double, 2> a position in photo pixels.
 *
 * \ingroup NPSNet
 */
class NPSNet_EXPORT StoredGeometry
{
public:
  using ContinuousIndexType = ContinuousIndex<double, 2>;
  using IndexType = Index<2>;
  using PhysicalPointType = Point<double, 3>;

  /** 2 or 3 (a one-slice volume). */
  unsigned int            Dimension{ 2 };
  std::array<unsigned, 2> Size{ { 0, 0 } };
  std::array<double, 3>   Spacing{ { 1, 1, 1 } };
  std::array<double, 3>   Origin{ { 0, 0, 0 } };
  std::array<double, 9>   Direction{ { 1, 0, 0, 0, 1, 0, 0, 0, 1 } }; // row-major
  /** EXIF convention, 1 = stored upright ... 8; another value is an itk::ExceptionObject when it is used. */
  unsigned int Orientation{ 1 };

  std::array<unsigned, 2> GetUprightSize() const;

  ContinuousIndexType StoredToUpright(const ContinuousIndexType & stored) const;
  ContinuousIndexType UprightToStored(const ContinuousIndexType & upright) const;

  /** For pixels. */
  IndexType StoredToUpright(const IndexType & stored) const;
  IndexType UprightToStored(const IndexType & upright) const;

  /** Where a place in space lies on the upright raster; the distance from the photograph's plane does not count. */
  ContinuousIndexType PhysicalToUpright(const PhysicalPointType & point) const;
};
} // namespace itk

#endif
