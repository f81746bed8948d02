// SPDX-License-Identifier: Apache-2.0
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
/** A photograph on which the grader drew no cup: it has none, it has a small one, or nothing is known of it. */
enum class UndrawnCupEnum
{
  Empty,
  Bound,
  LeaveOut
};

struct DataSelection
{
  std::map<std::string, unsigned int> Sets; ///< how often each photograph of a set is used per epoch
  std::string                         TrainingSplit{ "train" };
  std::string                         ValidationSplit{ "val" };
  std::size_t                         Limit{ 0 }; ///< of training samples, for tests; 0: none
  /** 0: photographs come as often as Sets says. Up to 1: those with a rare cup-to-disc ratio come more often, see
   * BalancingRepeats(). */
  double CupRatioBalance{ 0.0 };
  /** What "none" in the column cup of the index means. */
  UndrawnCupEnum UndrawnCup{ UndrawnCupEnum::Empty };
};

/** How far a training crop may lie from the true one. */
struct CropJitter
{
  double SideLow{ 0.8 }; ///< times twice the disc's box
  double SideHigh{ 1.3 };
  double Centre{ 0.10 };   ///< of the side
  double Rotation{ 25.0 }; ///< degrees
  double Aspect{ 0.06 };
  double ExactProbability{ 0.0 }; ///< of a crop that has the true place and side
  double NearProbability{ 0.0 };  ///< of a crop nearly there, as the second pass of a photograph finds it
  double NearSide{ 0.05 };        ///< standard deviation of the logarithm of its side
  double NearCentre{ 0.02 };      ///< standard deviation of its centre, of the side
  double FlipProbability{ 0.5 };
  double MirrorProbability{ 0.5 };
  double CuppingProbability{ 0.0 }; ///< of a cup widened or narrowed inside its disc
  double Cupping{ 0.3 };            ///< largest amount, see CropPlacement
  double CutProbability{ 0.0 };     ///< of a photograph that was cut close about its disc, as some sets publish them
  double CutLow{ 1.1 };             ///< side of what is left, times the disc's box, which it always holds
  double CutHigh{ 1.9 };
};

/** Which squares the locator is trained with. */
struct LocatorSampling
{
  double EmptyProbability{ 0.15 };
  double UnrelatedProbability{ 0.0 }; ///< of a picture that is not a fundus photograph, among those without a disc
  double SpotProbability{ 0.0 };      ///< of bright spots that are not a disc
  double TurnProbability{ 0.0 };      ///< of a photograph that lies on its side or stands on its head
  double SmallestDisc{ 0.07 };        ///< diameter as part of the square's side
  double LargestDisc{ 0.5 };
  double ConfidenceThreshold{ 0.3 }; ///< written to the model
};

DataSelection          ReadDataSelection(const nlohmann::json & configuration);
NPSNetModelMetadata    ReadModelMetadata(const nlohmann::json & configuration);
NPSNetStorageEnum      ReadModelStorage(const nlohmann::json & configuration);
NPSNetLossWeights      ReadLossWeights(const nlohmann::json & json);
FundusAppearanceRanges ReadAppearanceRanges(const nlohmann::json & json);
CropJitter             ReadCropJitter(const nlohmann::json & json);
LocatorSampling        ReadLocatorSampling(const nlohmann::json & json);
TrainingSettings       ReadTrainingSettings(const nlohmann::json & configuration);
/** Throws for a key that nothing reads and a number out of its range, also in parts that the task does not use. */
void CheckConfiguration(const nlohmann::json & configuration);
} // namespace itk

#endif
