// SPDX-License-Identifier: Apache-2.0
#ifndef itkRimMeasurements_h
#define itkRimMeasurements_h

#include "NPSNetExport.h"
#include "itkContinuousIndex.h"
#include "itkEyeSide.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace itk
{
/** \class RimQualityFlagEnum
 * \brief Why a reader should look twice at a set of measurements.
 * \ingroup NPSNet
 */
enum class RimQualityFlagEnum : uint8_t
{
  EmptyDisc,
  EmptyCup,
  LowConfidence,
  BoundaryTouchesCrop,
  DiscLeavesPhotograph,
  ImplausibleSize,
  CupOutsideDisc,
  NotStarConvex,
  IrregularBoundary,
  UncertainLocation
};

/** Stable identifier, for example "boundary_touches_crop". */
NPSNet_EXPORT std::string RimQualityFlagToString(RimQualityFlagEnum flag);
NPSNet_EXPORT std::optional<RimQualityFlagEnum> RimQualityFlagFromString(const std::string & text);
/** One sentence for a reader. */
NPSNet_EXPORT std::string RimQualityFlagToSentence(RimQualityFlagEnum flag);

/** \class RimMeasurements
 * \brief Everything the rim table says about one optic nerve head.
 *
 * Lengths are photo pixels (see RimMeasurementCalculator::SetPhotograph()), areas their squares, angles degrees: theta
 * from image right, growing downwards, about the centroid of the disc. What is unknown is empty and Missing says why.
 *
 * \ingroup NPSNet
 */
struct NPSNet_EXPORT RimMeasurements
{
  /** One ray from the disc's centroid; cup and disc at their outermost crossing. */
  struct Angle
  {
    double                DiscRadius{ 0.0 };
    double                CupRadius{ 0.0 };
    double                RimWidth{ 0.0 };
    std::optional<double> RimToDiscRatio; // rim / disc diameter on the same axis
    std::optional<double> DiscConfidence;
    std::optional<double> CupConfidence;
  };

  struct Sector
  {
    std::string           Name;
    std::optional<double> RimWidth; // mean over the sector's angles
    std::optional<double> RimToDiscRatio;
    std::optional<double> MinimumRimToDiscRatio;
    std::optional<double> RimArea;
    std::optional<double> DiscConfidence;
    std::optional<double> CupConfidence;
  };

  /** Rule "Wider >= Narrower" between the mean rim widths of two quadrants. */
  struct OrderedPair
  {
    std::string Wider;
    std::string Narrower;
    double      Margin{ 0.0 }; // width(Wider) - width(Narrower); negative: violated
  };

  struct OrderRule
  {
    bool                     Obeyed{ false };
    double                   Margin{ 0.0 }; // smallest margin of all pairs
    std::vector<OrderedPair> Pairs;
    std::vector<OrderedPair> GetViolatedPairs() const;
  };

  struct Notch
  {
    double Theta{ 0.0 };
    int    ClockHour{ 0 };
    double RimToDiscRatio{ 0.0 };
  };

  enum class Origin : uint8_t
  {
    None,
    Boundary, // sub-pixel, star-convex by construction
    Masks     // from pixels a user may have edited
  };

  Origin      MeasuredFrom{ Origin::None };
  EyeSideEnum Eye{ EyeSideEnum::Unknown };

  /** Empty without calibration. Lengths in micrometres are photo pixels times this. */
  std::optional<double> MicrometersPerPixel;

  /** Pixel index of the photograph; its position where it has no raster. */
  std::optional<ContinuousIndex<double, 2>> DiscCentroid;
  std::optional<double>                     DiscArea;
  std::optional<double>                     CupArea;
  std::optional<double>                     RimArea;
  std::optional<double>                     DiscHeight; // vertical extent
  std::optional<double>                     DiscWidth;
  std::optional<double>                     CupHeight;
  std::optional<double>                     CupWidth;
  std::optional<double>                     VerticalCupToDiscRatio;
  std::optional<double>                     HorizontalCupToDiscRatio;
  std::optional<double>                     AreaCupToDiscRatio;

  /** Axes of the ellipse with the disc's second moments; ovality = minor / major. */
  std::optional<double> DiscMajorAxis;
  std::optional<double> DiscMinorAxis;
  std::optional<double> DiscOvality;
  /** Of the long axis, in (-90, 90], image-fixed: 0 vertical, positive when its upper end leans to image right. */
  std::optional<double> DiscAxisAngle;
  /** The same seen from the eye: positive when the lower end of the long axis lies temporal. Needs the eye. */
  std::optional<double> DiscTorsion;

  /** 360 rays, theta = 0, 1, ... 359 degrees; empty when there is no disc. */
  std::vector<Angle> Profile;

  /** sqrt(DiscArea / pi): widths divided by it are the normalised widths. */
  std::optional<double> EquivalentDiscRadius;
  std::optional<double> MeanRimWidth;
  std::optional<double> MinimumRimToDiscRatio;
  std::optional<double> MinimumRimTheta;

  std::vector<Sector> ClockHours;     // 1 ... 12 as seen on the image, 12 superior, 3 at image right
  std::vector<Sector> ImageQuadrants; // right, inferior, left, superior: known without the eye
  std::vector<Sector> Quadrants;      // I, S, N, T
  std::vector<Sector> GarwayHeath;    // T, ST, SN, N, IN, IT

  std::optional<OrderRule> ISNT;
  std::optional<OrderRule> IST;

  std::optional<double> AbsentRimDegrees; // rays with rim/disc ratio under 0.01
  std::optional<int>    DDLS;             // 1 ... 10; needs the calibration
  std::string           DDLSDiscSize;     // "small", "average", "large" or empty

  std::optional<bool> HasNotch;
  std::vector<Notch>  Notches;

  std::optional<double> MeanDiscConfidence;
  std::optional<double> MeanCupConfidence;

  std::vector<RimQualityFlagEnum> Flags;
  bool                            HasFlag(RimQualityFlagEnum flag) const;

  /** Name of an empty value (as in the metrics JSON) -> reason. */
  std::map<std::string, std::string> Missing;
};

NPSNet_EXPORT bool operator==(const RimMeasurements & a, const RimMeasurements & b);
inline bool        operator!=(const RimMeasurements & a, const RimMeasurements & b)
{
  return !(a == b);
}
} // namespace itk

#endif
