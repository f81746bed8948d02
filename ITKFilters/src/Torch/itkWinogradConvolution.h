#ifndef itkWinogradConvolution_h
#define itkWinogradConvolution_h

#include "NPSNetTorchExport.h"
#include "itkMacro.h"

#include <torch/torch.h>

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
 * error is a fifth of that of the usual 0, +-1, +-2, no larger than that of the plain sum in fp32.
 */
class NPSNetTorch_EXPORT WinogradConvolution
{
public:
  /** Whether the numbers of channels suit the kernel; the transformed weights take four times the memory of the plain
   * ones, so that they pay only while they are much smaller than the features. */
  static bool Suits(const torch::Tensor & weight);

  /** weight: K x C x 3 x 3. */
  explicit WinogradConvolution(const torch::Tensor & weight);

  /** x: B x C x N_rho x N_theta, fp32, channels-last. bias: of length K, or undefined: then no ReLU follows either. */
  torch::Tensor operator()(const torch::Tensor & x, const torch::Tensor & bias) const;

private:
  int64_t       m_InputChannels;
  int64_t       m_OutputChannels;
  torch::Tensor m_Weights; ///< 36 x K / 16 x C x 16
};
} // namespace npsnet
} // namespace itk

#endif
