// SPDX-License-Identifier: Apache-2.0
#include "itkWinogradFunction.h"

#include "itkWinogradConvolution.h"

namespace itk
{
namespace npsnet
{
bool WinogradFunction::Suits(const torch::Tensor & x, const torch::Tensor & weight)
{
  return x.device().is_cpu() && x.scalar_type() == torch::kFloat && weight.scalar_type() == torch::kFloat &&
         WinogradConvolution::Suits(weight) &&
         (!x.requires_grad() || WinogradConvolution::Suits(weight.transpose(0, 1)));
}

torch::Tensor WinogradFunction::forward(torch::autograd::AutogradContext * context,
                                        const torch::Tensor &              x,
                                        const torch::Tensor &              weight)
{
  context->save_for_backward({ x, weight });
  return WinogradConvolution(weight)(x, {});
}

torch::autograd::variable_list WinogradFunction::backward(torch::autograd::AutogradContext *     context,
                                                          const torch::autograd::variable_list & resultGradients)
{
  const auto    saved = context->get_saved_variables();
  torch::Tensor features;
  torch::Tensor weight;
  if (context->needs_input_grad(0))
  {
    // The convolution by the turned kernels: the zeros beyond the radii and the round of the angles stay what they are.
    features = WinogradConvolution(saved[1].flip({ 2, 3 }).transpose(0, 1))(resultGradients[0], {});
  }
  if (context->needs_input_grad(1))
  {
    weight = WinogradConvolution::ComputeWeightGradient(saved[0], resultGradients[0]);
  }
  return { features, weight };
}
} // namespace npsnet
} // namespace itk
