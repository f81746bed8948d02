// SPDX-License-Identifier: Apache-2.0
#ifndef itkEvaluationPlots_h
#define itkEvaluationPlots_h

#include "itkMacro.h"

#include <string>
#include <vector>

namespace itk
{
/** The figures of an evaluation as inline SVG. */
namespace EvaluationPlots
{
/** Predicted against true values in [0, 1] with the line of identity. `titles` name the points. */
std::string Scatter(const std::vector<double> &      truth,
                    const std::vector<double> &      predicted,
                    const std::vector<std::string> & titles);

/** Difference over mean with bias and 95 % limits of agreement. */
std::string BlandAltman(const std::vector<double> &      truth,
                        const std::vector<double> &      predicted,
                        const std::vector<std::string> & titles);

/** Two rim profiles over 360 degrees. */
std::string RimProfiles(const std::vector<double> & truth, const std::vector<double> & predicted);
} // namespace EvaluationPlots
} // namespace itk

#endif
