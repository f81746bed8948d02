// SPDX-License-Identifier: Apache-2.0
#ifndef itkNPSNetFusedEncoderDecoder_h
#define itkNPSNetFusedEncoderDecoder_h

#include "itkAngularContext.h"
#include "itkNPSNetArchitecture.h"
#include "itkTorchModuleState.h"
#include "itkWinogradConvolution.h"

#include <torch/torch.h>

#include <memory>
#include <string>
#include <vector>

namespace itk
{
namespace npsnet
{
/** The polar encoder-decoder rewritten for inference on the CPU: the same sums in fewer sweeps over memory.
 *
 * - features are channels-last, weights are packed once for the convolution library;
 * - BatchNorm is folded into the convolution before it (exact), its ReLU runs inside the convolution;
 * - GroupNorm and ReLU are one sweep for the sums and one for the values;
 * - fp32 convolutions use Winograd's minimal filtering where the channels suit it;
 * - circular padding costs no copy: Winograd's tiles read round the seam; the other convolutions pad with zeros, then
 *   their first and last column are computed once more from the four columns around the seam.
 */
class FusedEncoderDecoder
{
public:
  using StateType = TorchModuleState;

  /** state: names as in the authors' files, those of the encoder-decoder behind `prefix`. */
  FusedEncoderDecoder(const NPSNetArchitecture & architecture,
                      const StateType &          state,
                      const std::string &        prefix,
                      torch::ScalarType          precision);

  /** B x 3 x N_rho x N_theta, any layout, to B x C x N_rho x N_theta, channels-last in the chosen precision. */
  torch::Tensor forward(const torch::Tensor & image) const;

private:
  struct Step
  {
    std::shared_ptr<const WinogradConvolution> winograd; ///< where it suits, instead of the packed weights
    torch::Tensor                              weight;   ///< packed
    torch::Tensor                              bias;     ///< of the folded BatchNorm; undefined with GroupNorm
    torch::Tensor                              normWeight, normBias; ///< of the GroupNorm
  };
  struct Stage
  {
    Step          steps[2];
    torch::Tensor upWeight, upBias; ///< decoders only
  };

  Step  MakeStep(const StateType & state, const std::string & convolution, const std::string & norm, bool folded) const;
  Stage MakeStage(const StateType & state, const std::string & prefix, bool folded) const;
  torch::Tensor Convolve(const torch::Tensor & x, const Step & step) const;
  torch::Tensor Run(torch::Tensor x, const Stage & stage) const;

  torch::ScalarType  m_Precision;
  int64_t            m_Groups;
  std::vector<Stage> m_Encoders, m_Decoders;
  Stage              m_Bottleneck;
  AngularContext     m_Context{ nullptr };
};
} // namespace npsnet
} // namespace itk

#endif
