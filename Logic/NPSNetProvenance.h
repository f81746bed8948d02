// SPDX-License-Identifier: Apache-2.0
#ifndef NPSNetProvenance_h
#define NPSNetProvenance_h

#include "itkFundusResult.h"

#include <string>

namespace npsnet
{
/// What the metrics file says about a run beside the measurements: status, model, locator, augmentation, eye. Kept with
/// the segmentation so that the summary of an edited or reloaded result still says what made it.
std::string GetProvenance(const itk::FundusResult& result);

/// Reads that, or a whole metrics file (then also the boundary). What the text does not have stays as it is.
/// Throws std::runtime_error when it is no such text.
void ReadMetrics(const std::string& text, itk::FundusResult& result);
} // namespace npsnet

#endif
