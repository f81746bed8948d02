// SPDX-License-Identifier: Apache-2.0
#ifndef itkGroupNormFunction_h
#define itkGroupNormFunction_h

#include "NPSNetTorchExport.h"
#include "itkMacro.h"

#include <torch/torch.h>

namespace itk
{
namespace npsnet
{
/** \class GroupNormFunction
 * \brief Group norm and ReLU for training on channels-last features.
 *
 * LibTorch's gradient of the group norm takes as long as those of the convolutions around it.
 */
class NPSNetTorch_EXPORT GroupNormFunction : public torch::autograd::Function<GroupNormFunction>
{
public:
  /** Whether it can stand for the norm of x. */
  static bool Suits(const torch::Tensor & x, int64_t groups);

  static torch::Tensor forward(torch::autograd::AutogradContext * context,
                               const torch::Tensor &              x,
                               const torch::Tensor &              weight,
                               const torch::Tensor &              bias,
                               int64_t                            groups,
                               double                             epsilon);

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext *     context,
                                                 const torch::autograd::variable_list & resultGradients);
};
} // namespace npsnet
} // namespace itk

#endif
