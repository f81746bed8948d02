// SPDX-License-Identifier: Apache-2.0
#ifndef npsnetAnalysis_h
#define npsnetAnalysis_h

#include "itkFundusPhotograph.h"
#include "itkFundusPhotographAnalyzer.h"

#include <array>
#include <string>
#include <vector>

namespace npsnet
{
/// Parameters that modules share, as their XML names them.
struct NetworkParameters
{
  std::string Model;
  std::string TTAMode;
  std::string Device;
  std::string Precision;
  int NumberOfThreads{0};
  bool NoLocate{false};
  int MaximumMegapixels{40};
  std::string Engine{"auto"};
};
itk::FundusAnalyzerSettings MakeAnalyzerSettings(const NetworkParameters& parameters);

/// The model file a run uses. Throws std::runtime_error with a sentence when there is none.
std::string ResolveModelFile(const std::string& given);

/// A physical point (LPS) of the stored geometry in photo pixels of the upright photograph.
std::array<double, 2> PhysicalToPhoto(const itk::FundusPhotograph& photograph, const std::array<double, 3>& point);

/// What Slicer or the shell says about where the disc is, into options for one photograph:
/// centre X,Y (pixel indices) or X,Y,Z (LPS); region X,Y,RX,RY (pixel indices, pixels) or X,Y,Z,RX,RY,RZ (LPS).
/// Throws std::runtime_error with a sentence.
void ApplyPlacement(const std::vector<std::vector<float>>& center, const std::vector<std::vector<float>>& region,
  const itk::FundusPhotograph& photograph, itk::FundusPhotographOptions& options);
} // namespace npsnet

#endif
