// SPDX-License-Identifier: Apache-2.0
#ifndef itkNPSNetNetwork_h
#define itkNPSNetNetwork_h

#include "NPSNetTorchExport.h"
#include "itkNPSNetArchitecture.h"
#include "itkTorchModuleState.h"

#include <torch/torch.h>

#include <memory>
#include <string>

namespace itk
{
/** What a network says about a batch. Maps are B x 1 x rows x columns: rho by theta for a polar network, y by x
 * for a UNet. Profiles are B x N_theta, distributions B x N_rho x N_theta. Tensors a variant does not have stay
 * undefined. */
struct NPSNetTensors
{
  torch::Tensor P_d, P_c;         ///< occupancies
  torch::Tensor L_d, L_c;         ///< logits; L_c is that of the cup gate in B3 and B4
  torch::Tensor r_d_m, r_c_m;     ///< radii of the dense path
  torch::Tensor r_d_s, r_c_s;     ///< radii of the shape prior
  torch::Tensor alpha_s;          ///< cup-to-disc ratio per angle
  torch::Tensor p_d, p_alpha;     ///< boundary distributions
  torch::Tensor gamma_d, gamma_c; ///< entropy confidences
};

/** A network whose parameters and buffers bear the names of the authors' state dictionaries. */
class NPSNetTorch_EXPORT NPSNetNetwork : public torch::nn::Module
{
public:
  const NPSNetArchitecture & GetArchitecture() const { return m_Architecture; }

  /** B x 3 x N_rho x N_theta in [0, 1] for a polar network, the B x 3 x N x N crop for a UNet.
   *
   * A polar network takes another grid than its own: the decrements are scaled by the ratio of N_rho so that
   * their sum stays what was learned, and the shape prior keeps its own bins.
   *
   * In evaluation mode the monotone variants end with a running minimum along rho in fp32 and the nested ones
   * with P_c = min(P_c, P_d): rounding must not break what the construction promises. */
  virtual NPSNetTensors forward(const torch::Tensor & image) = 0;

  /** Rewrites the network for inference on the CPU in the given precision (fp32 or bf16): folded norms, packed
   * weights, no copies for padding. Evaluation mode then uses it, to rounding the same results; training mode does
   * not. Weights set afterwards need another call. Variants without a faster form ignore it. */
  virtual void OptimizeForInference(torch::ScalarType) {}

  /** lambda_c, the weight of the shape prior; 0 when there is none. Negative values break monotonicity. */
  virtual double GetPriorScale() const { return 0.0; }

  /** Parameters and buffers by name, detached but not copied. */
  TorchModuleState GetState() const;

  /** Copies all tensors in. Throws itk::ExceptionObject naming the tensor that is missing, unknown, not finite or
   * of another shape; grids and abscissae that the authors keep as buffers are passed over. */
  void SetState(const TorchModuleState & state);

  /** Is this one of the tensors that can be computed and are not part of a network here? */
  static bool IsDerivedTensor(const std::string & name);

protected:
  explicit NPSNetNetwork(const NPSNetArchitecture & architecture)
    : m_Architecture(architecture)
  {}

private:
  NPSNetArchitecture m_Architecture;
};

/** The one place that knows which class makes which variant. Weights are initialised as PyTorch does. */
NPSNetTorch_EXPORT std::shared_ptr<NPSNetNetwork> MakeNPSNetNetwork(const NPSNetArchitecture & architecture);

/** r = sum_j rho_j b_j / sum_j b_j with b the decrements of the occupancy P (B x 1 x N_rho x N_theta). */
NPSNetTorch_EXPORT torch::Tensor NPSNetRadiiFromOccupancy(const torch::Tensor & occupancy);
} // namespace itk

#endif
