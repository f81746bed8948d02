// SPDX-License-Identifier: Apache-2.0
#ifndef itkNPSNetPolarSampling_h
#define itkNPSNetPolarSampling_h

#include "NPSNetTorchExport.h"
#include "itkMacro.h"

#include <torch/torch.h>

namespace itk
{
/** \class NPSNetPolarSampling
 * \brief Differentiable way to the polar grid and back, with the conventions of the published model.
 *
 * The crop is N x N with its centre at ((N-1)/2, (N-1)/2) and R = N/2; theta_i = 2 pi i / N_theta from image right
 * downwards, rho_j = j / (N_rho - 1). To polar: bilinear, zero outside the image. Back: theta wraps, beyond the last
 * rho the border counts, pixels with rho > 1 are zero.
 */
class NPSNetTorch_EXPORT NPSNetPolarSampling
{
public:
  NPSNetPolarSampling(int64_t cropSize, int64_t radii, int64_t angles, torch::Device device = torch::kCPU);

  /** B x C x N x N to B x C x N_rho x N_theta. */
  torch::Tensor ToPolar(const torch::Tensor & image) const;

  /** B x C x N_rho x N_theta to B x C x N x N. */
  torch::Tensor ToCartesian(const torch::Tensor & polar) const;

  /** Sampling grid (1 x N_rho x N_theta x 2, grid_sample coordinates) about a centre displaced by (dx, dy) crop
   * pixels with the radius R * scale. */
  static torch::Tensor MakePolarGrid(int64_t cropSize,
                                     int64_t radii,
                                     int64_t angles,
                                     double  dx = 0.0,
                                     double  dy = 0.0,
                                     double  scale = 1.0);

private:
  torch::Tensor m_PolarGrid;
  torch::Tensor m_CartesianGrid;
  torch::Tensor m_Inside;
};
} // namespace itk

#endif
