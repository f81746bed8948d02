// SPDX-License-Identifier: Apache-2.0
#ifndef itkTrainingReport_h
#define itkTrainingReport_h

#include "NPSNetTorchExport.h"
#include "itkMacro.h"

#include <nlohmann/json.hpp>

#include <string>

namespace itk
{
/** A history is an array of flat objects, one an epoch; columns are the union of their keys. */
NPSNetTorch_EXPORT std::string TrainingHistoryToCSV(const nlohmann::json & history);

/** Two panels: training losses, and validation figures between 0 and 1. */
NPSNetTorch_EXPORT std::string TrainingHistoryToSVG(const nlohmann::json & history);

} // namespace itk

#endif
