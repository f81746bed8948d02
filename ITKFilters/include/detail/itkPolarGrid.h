// SPDX-License-Identifier: Apache-2.0
#ifndef itkPolarGrid_h
#define itkPolarGrid_h

#include "detail/itkBilinear.h"
#include "itkMacro.h"

#include <cmath>

namespace itk
{
/** \class PolarCell
 * \brief The four bins of a polar grid around a place.
 * \ingroup NPSNet
 */
template <typename TReal>
struct PolarCell
{
  int   Angle0{ 0 };
  int   Angle1{ 0 };
  int   Radius0{ 0 };
  int   Radius1{ 0 };
  TReal AngleWeight{ 0 };  // of Angle1
  TReal RadiusWeight{ 0 }; // of Radius1

  /** The place on the circle of `angles` angles; 1 turn is 0 turns. */
  NPSNET_HOST_DEVICE void LocateAngle(TReal turns, int angles)
  {
    const TReal position = (turns - floor(turns)) * TReal(angles);
    Angle0 = position < TReal(angles) ? static_cast<int>(position) : angles - 1; // NaN, too
    Angle1 = Angle0 + 1 == angles ? 0 : Angle0 + 1;
    AngleWeight = position - TReal(Angle0);
  }

  /** Of a map whose bin (radius, angle) is at(radius, angle). */
  template <typename TFunction>
  NPSNET_HOST_DEVICE TReal Interpolate(TFunction at) const
  {
    return Bilinear(AngleWeight,
                    RadiusWeight,
                    TReal(at(Radius0, Angle0)),
                    TReal(at(Radius0, Angle1)),
                    TReal(at(Radius1, Angle0)),
                    TReal(at(Radius1, Angle1)));
  }
};

/** \class PolarGrid
 * \brief Where the bins of a polar map lie: the one polar arithmetic of the project.
 *
 * Bin (j, i) lies at Center + Radius * rho * (cos(theta), sin(theta)) with rho = j / (NumberOfRadii - 1) and
 * theta = 2 pi i / NumberOfAngles, from +x growing towards +y. Radius has a value for each axis because pixels need
 * not be square.
 * \ingroup NPSNet
 */
template <typename TReal>
struct PolarGrid
{
  TReal Center[2];
  TReal Radius[2];
  int   NumberOfRadii;
  int   NumberOfAngles;

  NPSNET_HOST_DEVICE TReal GetRho(int radius) const { return TReal(radius) / TReal(NumberOfRadii - 1); }

  /** cos and sin of an angle, in double and rounded once, so that every caller has the same. */
  NPSNET_HOST_DEVICE static void GetDirection(int angle, int angles, TReal * direction)
  {
    const double theta = 6.283185307179586477 * angle / angles;
    direction[0] = static_cast<TReal>(cos(theta));
    direction[1] = static_cast<TReal>(sin(theta));
  }

  NPSNET_HOST_DEVICE void GetPoint(int radius, const TReal * direction, TReal * point) const
  {
    const TReal rho = this->GetRho(radius);
    point[0] = Center[0] + Radius[0] * rho * direction[0];
    point[1] = Center[1] + Radius[1] * rho * direction[1];
  }

  /** The bins around a point; false outside the circle, NaN included. */
  NPSNET_HOST_DEVICE bool Locate(TReal x, TReal y, PolarCell<TReal> & cell) const
  {
    const TReal u = (x - Center[0]) / Radius[0];
    const TReal v = (y - Center[1]) / Radius[1];
    const TReal rho = sqrt(u * u + v * v);
    if (!(rho <= TReal(1)))
    {
      return false;
    }
    cell.LocateAngle(rho > TReal(0) ? TReal(atan2(v, u) / 6.283185307179586477) : TReal(0), NumberOfAngles);
    const TReal row = rho * TReal(NumberOfRadii - 1);
    cell.Radius0 = static_cast<int>(row);
    cell.Radius1 = cell.Radius0 + 1 < NumberOfRadii ? cell.Radius0 + 1 : NumberOfRadii - 1;
    cell.RadiusWeight = row - TReal(cell.Radius0);
    return true;
  }
};
} // namespace itk

#endif
