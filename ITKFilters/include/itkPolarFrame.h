// SPDX-License-Identifier: Apache-2.0
#ifndef itkPolarFrame_h
#define itkPolarFrame_h

#include "NPSNetExport.h"
#include "detail/itkPolarGrid.h"
#include "itkContinuousIndex.h"
#include "itkImageBase.h"
#include "itkPoint.h"

namespace itk
{
/** \class PolarFrame
 * \brief A polar grid in the continuous indices of an image: a circle in physical space is an ellipse there.
 *
 * theta grows from the image's own +i axis (right) towards its +j axis (down).
 *
 * \ingroup NPSNet
 */
struct NPSNet_EXPORT PolarFrame
{
  using PointType = Point<double, 2>;

  ContinuousIndex<double, 2> Center; // relative to the first pixel of the largest region
  double                     RadiusX{ 1.0 };
  double                     RadiusY{ 1.0 };

  /** About a physical centre; radius is a physical length. */
  PolarFrame(const ImageBase<2> * image, const PointType & center, double radius);

  /** Its bins, relative to the first pixel of the largest region. */
  PolarGrid<double> MakeGrid(unsigned int numberOfRadii, unsigned int numberOfAngles) const;

  /** Middle of the image's largest region and half its smaller physical extent: (N-1)/2 and N/2 for N x N. */
  static PointType DefaultCenter(const ImageBase<2> * image);
  static double    DefaultRadius(const ImageBase<2> * image);

  /** Makes an image's largest region and geometry those of a polar map: angles along x, radii along y, physical space
   * (theta, rho). */
  static void SetMapInformation(ImageBase<2> * map, std::size_t numberOfRadii, std::size_t numberOfAngles);
};
} // namespace itk

#endif
