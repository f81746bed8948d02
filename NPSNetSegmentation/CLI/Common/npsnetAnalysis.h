// SPDX-License-Identifier: Apache-2.0
#ifndef npsnetAnalysis_h
#define npsnetAnalysis_h

#include "itkFundusPhotograph.h"
#include "itkFundusPhotographAnalyzer.h"

#include <string>
#include <vector>

namespace npsnet
{
/// The model file a run uses. Throws std::runtime_error with a sentence when there is none.
std::string ResolveModelFile(const std::string& given);

/// What Slicer or the shell says about where the disc is, into options for one photograph:
/// centre X,Y (pixel indices) or X,Y,Z (LPS); region X,Y,RX,RY (pixel indices, pixels) or X,Y,Z,RX,RY,RZ (LPS).
/// Throws std::runtime_error with a sentence.
void ApplyPlacement(const std::vector<std::vector<float>>& center, const std::vector<std::vector<float>>& region,
  const itk::FundusPhotograph& photograph, itk::FundusPhotographOptions& options);
} // namespace npsnet

#endif
