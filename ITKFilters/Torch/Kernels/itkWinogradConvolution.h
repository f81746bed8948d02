// SPDX-License-Identifier: Apache-2.0
#ifndef itkWinogradConvolution_h
#define itkWinogradConvolution_h

#include "NPSNetTorchExport.h"
#include "itkMacro.h"

#include <torch/torch.h>

#include <mutex>

namespace itk
{
namespace npsnet
{
/** 3x3 convolution of polar features by Winograd's minimal filtering F(4x4, 3x3), with a quarter of the
 * multiplications of the plain sum.
 *
 * Zeros stand before the first and behind the last radius, angles go round; neither costs a copy. Bias and ReLU happen
 * where the result is written. Tiles are worked off in groups that stay in the cache, and the order of every sum is
 * fixed: the number of threads does not change the result.
 *
 * The interpolation points are 0, +-3/4, +-3/2 and infinity: all coefficients are exact in binary, and the rounding
 * error is a fifth of that of the usual 0, +-1, +-2, about that of the plain sum in fp32.
 */
class NPSNetTorch_EXPORT WinogradConvolution
{
public:
  /** Whether the numbers of channels suit the kernel. The transformed weights take four times the memory of the plain
   * ones: the very largest layers are left out. */
  static bool Suits(const torch::Tensor & weight);

  /** weight: K x C x 3 x 3, kept for a while: it must own its memory. Fewer than 16 input channels are filled up with
   * zeros. Large weights are transformed when they are first used, so that loading a model does not wait for it. */
  explicit WinogradConvolution(const torch::Tensor & weight);

  /** x: B x C x N_rho x N_theta, fp32, channels-last. bias: of length K, or undefined: then no ReLU follows either. */
  torch::Tensor operator()(const torch::Tensor & x, const torch::Tensor & bias) const;

  /** The gradient of the weight, K x C x 3 x 3, from that of the result without bias. Here the number of threads
   * changes the rounding. */
  static torch::Tensor ComputeWeightGradient(const torch::Tensor & x, const torch::Tensor & resultGradient);

private:
  void Transform() const;

  int64_t                m_InputChannels;
  int64_t                m_OutputChannels;
  mutable torch::Tensor  m_Plain;
  mutable torch::Tensor  m_Weights; ///< 36 x K / 16 x C x 16
  mutable std::once_flag m_Transformed;
};
} // namespace npsnet
} // namespace itk

#endif
