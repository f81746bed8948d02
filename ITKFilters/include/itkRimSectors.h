// SPDX-License-Identifier: Apache-2.0
#ifndef itkRimSectors_h
#define itkRimSectors_h

#include "NPSNetExport.h"
#include "itkEyeSide.h"

#include <array>
#include <string>
#include <vector>

namespace itk
{
/** \class RimSector
 * \brief A range of directions around the optic disc.
 *
 * From Begin to End degrees of theta (image right = 0, growing downwards), Begin < End, either may lie outside
 * [0, 360). \ingroup NPSNet
 */
struct NPSNet_EXPORT RimSector
{
  std::string Name;
  double      Begin{ 0.0 };
  double      End{ 0.0 };

  /** False for a nasal or temporal sector of an unknown eye: Begin and End mean nothing then. */
  bool IsKnown() const { return Begin < End; }

  /** Weight of the rays 0 ... 359 degrees: 1 inside, 1/2 on a border (so that mirroring maps means exactly). */
  std::array<double, 360> GetWeights() const;
};

/** \class RimSectors
 * \brief The tables of sectors.
 * \ingroup NPSNet
 */
class NPSNet_EXPORT RimSectors
{
public:
  /** "1" ... "12", 30 degrees each, as seen on the image: 12 superior, 3 at image right. */
  static const std::vector<RimSector> & ClockHours();

  /** right, inferior, left, superior; 90 degrees each. */
  static const std::vector<RimSector> & ImageQuadrants();

  /** I, S, N, T; N and T are unknown for an unknown eye. */
  static std::vector<RimSector> Quadrants(EyeSideEnum eye);

  /** T, ST, SN, N, IN, IT of Garway-Heath et al., Ophthalmology 2000;107:1809-1815; all unknown for an
   * unknown eye. */
  static std::vector<RimSector> GarwayHeath(EyeSideEnum eye);

  /** Clock hour 1 ... 12 that holds theta (degrees); a border belongs to the hour that starts there. */
  static int ClockHourOf(double theta);
};
} // namespace itk

#endif
