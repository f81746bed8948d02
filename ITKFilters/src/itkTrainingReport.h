#ifndef itkTrainingReport_h
#define itkTrainingReport_h

#include "NPSNetExport.h"
#include "itkMacro.h"

#include <nlohmann/json.hpp>

#include <string>

namespace itk
{
/** A history is an array of flat objects, one an epoch; columns are the union of their keys. */
NPSNet_EXPORT std::string TrainingHistoryToCSV(const nlohmann::json & history);

/** Two panels: training losses, and validation figures between 0 and 1. */
NPSNet_EXPORT std::string TrainingHistoryToSVG(const nlohmann::json & history);

/** The whole file or nothing; throws TrainingOutputError. */
NPSNet_EXPORT void WriteTextFile(const std::string & fileName, const std::string & text);
} // namespace itk

#endif
