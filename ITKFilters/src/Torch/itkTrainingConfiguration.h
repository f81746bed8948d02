#ifndef itkTrainingConfiguration_h
#define itkTrainingConfiguration_h

#include "itkFundusAppearance.h"
#include "itkNPSNetLoss.h"
#include "itkNPSNetModelIO.h"
#include "itkTrainingLoop.h"

#include <nlohmann/json.hpp>

/** \file The parts of a training configuration; a key that is not there keeps its default, an unknown one is an error.
 */
namespace itk
{
struct DataSelection
{
  std::map<std::string, unsigned int> Sets; ///< how often each photograph of a set is used per epoch
  std::string                         TrainingSplit{ "train" };
  std::string                         ValidationSplit{ "val" };
  std::size_t                         Limit{ 0 }; ///< of training samples, for tests; 0: none
  /** 0: photographs come as often as Sets says. Up to 1: those with a rare cup-to-disc ratio come more often, see
   * BalancingRepeats(). */
  double CupRatioBalance{ 0.0 };
};

DataSelection          ReadDataSelection(const nlohmann::json & configuration);
NPSNetModelMetadata    ReadModelMetadata(const nlohmann::json & configuration);
NPSNetStorageEnum      ReadModelStorage(const nlohmann::json & configuration);
NPSNetLossWeights      ReadLossWeights(const nlohmann::json & json);
FundusAppearanceRanges ReadAppearanceRanges(const nlohmann::json & json);
TrainingSettings       ReadTrainingSettings(const nlohmann::json & configuration);
/** Throws for a key of the configuration that nothing reads. */
void CheckConfigurationKeys(const nlohmann::json & configuration);
} // namespace itk

#endif
