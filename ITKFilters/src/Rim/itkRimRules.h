// SPDX-License-Identifier: Apache-2.0
#ifndef itkRimRules_h
#define itkRimRules_h

#include "itkRimMeasurements.h"

namespace itk
{
/** What follows from the 360 rays alone; see DDLS: Spaeth et al., PMC1856990, table 1. */
namespace RimRules
{
/** Below this rim/disc ratio a rim counts as absent. */
constexpr double AbsentRimRatio = 0.01;
/** At or below this ratio a local minimum at 11-1 or 5-7 o'clock is a notch. */
constexpr double NotchRatio = 0.1;
/** How far the ratio has to rise on both sides of a local minimum. */
constexpr double NotchProminence = 0.01;

/** Fills the sectors, minimum, ISNT, IST, absent rim, DDLS and notches from Profile, Eye, MicrometersPerPixel
 * and DiscHeight. */
void Apply(RimMeasurements & measurements);

/** 1 ... 10 from the vertical disc diameter in millimetres; sizeName becomes small, average or large. */
int DDLSStage(double discDiameter, double minimumRatio, double absentDegrees, std::string & sizeName);

std::vector<RimMeasurements::Notch> FindNotches(const std::vector<double> & ratios);

/** Circularly the middle of the longest run of smallest values, in [0, size); a negative value when all are equal. */
double MiddleOfMinimum(const std::vector<double> & values, double tolerance);
} // namespace RimRules
} // namespace itk

#endif
