// SPDX-License-Identifier: Apache-2.0
#ifndef itkRimPlots_h
#define itkRimPlots_h

#include "itkRimMeasurements.h"

#include <string>

namespace itk
{
/** The rim as inline SVG. */
namespace RimPlots
{
/** Outlines of disc and cup about the centroid as on the photograph, sectors shaded, confidence as a ring. */
std::string Polar(const RimMeasurements & measurements);

/** Rim width over the angle, unrolled T-S-N-I-T for a known eye (from image right for an unknown one), quadrants
 * shaded with their means, confidence as strips. */
std::string Unrolled(const RimMeasurements & measurements);

/** Normalised rim widths of a right (solid) and a left eye (dashed), both T-S-N-I-T. */
std::string BothEyes(const RimMeasurements & right, const RimMeasurements & left);
} // namespace RimPlots
} // namespace itk

#endif
