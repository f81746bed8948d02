// SPDX-License-Identifier: Apache-2.0
#ifndef qNPSNetResults_h
#define qNPSNetResults_h

#include <QMetaType>
#include <QString>
#include <QVector>

#include <limits>

/// \brief What the result widgets show: plain values, so that they need neither MRML nor a scene.
///
/// An unknown number is NaN and is shown as a dash, never as zero.
struct qNPSNetResults
{
  static constexpr double Unknown = std::numeric_limits<double>::quiet_NaN();

  struct Sector
  {
    QString Name;              ///< "Inferior"
    double RimWidth{Unknown};  ///< mean, in LengthUnit
    double RimToDisc{Unknown}; ///< mean rim / disc diameter on the same axis
    double MinimumRimToDisc{Unknown};
  };

  enum Severity
  {
    Information,
    Warning
  };
  struct Flag
  {
    QString Text; ///< one sentence for the reader
    Severity Level{Information};
  };

  bool Valid{false}; ///< there is a disc to report
  QString Name;      ///< of the photo
  QString Eye;       ///< "OD", "OS" or empty
  QString State;     ///< "automatic", "edited", "fitted", "imported"
  QString LengthUnit{"px"};
  double VerticalCDR{Unknown};
  double HorizontalCDR{Unknown};
  double AreaCDR{Unknown};
  double ExpertVerticalCDR{Unknown}; ///< of the label image that is compared with
  double ExpertDiscDice{Unknown};
  double ExpertCupDice{Unknown};
  double NarrowestRimToDisc{Unknown};
  int NarrowestClockHour{0};      ///< 1 ... 12; 0 when unknown
  double NarrowestTheta{Unknown}; ///< degrees from image right, growing downwards
  double DiscConfidence{Unknown};
  double CupConfidence{Unknown};
  QVector<Sector> Quadrants;
  QVector<Sector> GarwayHeath; ///< T, ST, SN, N, IN, IT; empty for an unknown eye
  QVector<Flag> Flags;

  /// One value a degree, from image right and growing downwards; comparison is empty without an expert.
  QVector<double> RimWidth;
  QVector<double> DiscRadius;
  QVector<double> CupRadius;
  QVector<double> ComparisonRimWidth;
};
Q_DECLARE_METATYPE(qNPSNetResults)

#endif
