// SPDX-License-Identifier: Apache-2.0
#ifndef NPSNetSummary_h
#define NPSNetSummary_h

#include <limits>
#include <string>
#include <utility>
#include <vector>

/// \brief What a window shows of one photograph: numbers and identifiers, no sentences.
///
/// Lengths are in Unit, all of them. An unknown number is NaN, an unknown text is empty. Tables, chart and report are
/// made from the same measurements.
struct NPSNetSummary
{
  static constexpr double Unknown = std::numeric_limits<double>::quiet_NaN();

  struct Sector
  {
    std::string Name; ///< "I", "ST", "12"; for an unknown eye the quadrants "left" and "right"
    double RimWidth{Unknown};
    double RimToDisc{Unknown};
    double MinimumRimToDisc{Unknown};
  };

  struct Ratios
  {
    double Vertical{Unknown};
    double Horizontal{Unknown};
    double Area{Unknown};
  };

  bool Valid{false}; ///< there is a disc
  std::string Name;  ///< of the photo
  std::string Eye;   ///< "OD", "OS" or empty
  std::string State; ///< "automatic", "edited", "fitted", "imported"
  std::string Unit;  ///< "px" or "um"
  double MicrometersPerPixel{Unknown};
  double DiscCenter[2] = {Unknown, Unknown}; ///< pixel index of the upright photo
  double DiscHeight{Unknown};                ///< in pixels of the upright photo
  Ratios CupToDisc;
  Ratios ExpertCupToDisc; ///< unknown without a comparison
  double ExpertDiscDice{Unknown};
  double ExpertCupDice{Unknown};
  double MinimumRimToDisc{Unknown};
  double MinimumRimTheta{Unknown}; ///< degrees from image right, growing downwards
  int MinimumRimClockHour{0};      ///< 1 ... 12 as seen on the photo; 0 when unknown
  double DiscConfidence{Unknown};
  double CupConfidence{Unknown};
  std::vector<Sector> Quadrants;   ///< in the order of the ISNT rule
  std::vector<Sector> GarwayHeath; ///< empty for an unknown eye
  std::vector<Sector> ClockHours;

  std::vector<std::string> Flags; ///< of itk::RimQualityFlagEnum
  bool ISNTKnown{false};
  std::vector<std::pair<std::string, std::string>> ISNTViolated; ///< wider by the rule, narrower by the rule
  bool HasNotch{false};
  int DDLS{0}; ///< 1 ... 10; 0 when unknown

  /// One value a degree, from image right and growing downwards.
  std::vector<double> DiscRadius;
  std::vector<double> CupRadius;
  std::vector<double> RimWidth;
  std::vector<double> ExpertRimWidth; ///< empty without a comparison
};

#endif
