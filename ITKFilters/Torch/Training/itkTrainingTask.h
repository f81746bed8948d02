// SPDX-License-Identifier: Apache-2.0
#ifndef itkTrainingTask_h
#define itkTrainingTask_h

#include "itkMacro.h"

#include <torch/torch.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace itk
{
/** \class TrainingTask
 * \brief What there is to learn: data, network, loss and validation. TrainingLoop knows how to learn it.
 */
class TrainingTask
{
public:
  using BatchType = std::vector<torch::Tensor>;
  using FiguresType = std::vector<std::pair<std::string, double>>;
  using LossType = std::vector<std::pair<std::string, torch::Tensor>>;

  virtual ~TrainingTask() = default;

  virtual std::size_t GetNumberOfSamples() const = 0;

  virtual std::size_t GetNumberOfValidationPhotographs() const = 0;

  /** Another one for other training photographs: a resumed training must have the same. */
  virtual std::string GetDataHash() const = 0;

  /** Called from worker threads; the result must depend on the arguments only. */
  virtual BatchType MakeBatch(std::size_t epoch, const std::vector<std::size_t> & samples) const = 0;

  virtual torch::nn::Module & GetNetwork() = 0;

  /** The first entry is what to minimise, the others are for the log. \a progress is in [0, 1). */
  virtual LossType ComputeLoss(const BatchType & batch, double progress) = 0;

  /** After each step of the optimiser, without gradients. */
  virtual void ConstrainParameters() {}

  /** Figures on the validation data, when there is any; the first is the score (higher is better) that chooses the best
   * model. */
  virtual FiguresType Validate() = 0;

  /** Writes the network as it is now; \a remark goes to the description. */
  virtual void WriteModel(const std::string & fileName, const std::string & remark) const = 0;
};
} // namespace itk

#endif
