// SPDX-License-Identifier: Apache-2.0
#ifndef itkWinogradFunction_h
#define itkWinogradFunction_h

#include "NPSNetTorchExport.h"
#include "itkMacro.h"

#include <torch/torch.h>

namespace itk
{
namespace npsnet
{
/** \class WinogradFunction
 * \brief WinogradConvolution for training: the convolution and both its gradients, each with a quarter of the
 * multiplications of the plain sum.
 */
class NPSNetTorch_EXPORT WinogradFunction : public torch::autograd::Function<WinogradFunction>
{
public:
  /** Whether it can stand for the convolution of x by the weight where gradients are wanted. */
  static bool Suits(const torch::Tensor & x, const torch::Tensor & weight);

  static torch::Tensor forward(torch::autograd::AutogradContext * context,
                               const torch::Tensor &              x,
                               const torch::Tensor &              weight);

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext *     context,
                                                 const torch::autograd::variable_list & resultGradients);
};
} // namespace npsnet
} // namespace itk

#endif
