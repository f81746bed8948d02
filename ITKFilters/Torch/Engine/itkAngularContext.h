// SPDX-License-Identifier: Apache-2.0
#ifndef itkAngularContext_h
#define itkAngularContext_h

#include "NPSNetTorchExport.h"
#include "itkMacro.h"

#include <torch/torch.h>

namespace itk
{
namespace npsnet
{
/** Tells every angle what the whole circle looks like, and where on it the angle lies.
 *
 * Convolutions along theta see a part of the circle and treat all angles alike, but the rim does not: it is wide below
 * and above, narrow on the temporal side, and where the cup's edge cannot be seen, the rest of it tells where it is.
 * So the coarsest features f are written in the low harmonics b_k of the polar grid, a small network turns these
 * coefficients into others, and what those say is added:
 *
 *   f + sum_k b_k g_k,   g = E relu(R c + r) + e,   c_k = mean over the grid of f b_k,
 *   b = { 1, 2 rho - 1 } x { 1, cos m theta, sin m theta : m = 1 ... harmonics }.
 *
 * E and e start at zero: a network that is given a context at first does what it did without. */
struct NPSNetTorch_EXPORT AngularContextImpl : torch::nn::Module
{
  AngularContextImpl(int64_t channels, int64_t features, int64_t harmonics);

  /** B x C x rows x columns on any grid, any precision; the sums are in that of the weights. */
  torch::Tensor forward(const torch::Tensor & x) const;

  /** rows * columns x 2 (1 + 2 harmonics): the b_k at the samples' centres. */
  static torch::Tensor Basis(int64_t rows, int64_t columns, int64_t harmonics, const torch::TensorOptions & options);

private:
  int64_t           m_Harmonics;
  torch::nn::Linear reduce{ nullptr }, expand{ nullptr };
};
TORCH_MODULE(AngularContext);
} // namespace npsnet
} // namespace itk

#endif
