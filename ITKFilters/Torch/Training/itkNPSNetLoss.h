// SPDX-License-Identifier: Apache-2.0
#ifndef itkNPSNetLoss_h
#define itkNPSNetLoss_h

#include "itkNPSNetNetwork.h"

namespace itk
{
/** Truth of a batch. */
struct NPSNetTargets
{
  torch::Tensor Y_d, Y_c;     ///< B x 1 x N x N masks of the crop
  torch::Tensor r_d, r_c;     ///< B x N_theta normalised radii, r_c <= r_d
  torch::Tensor P_d, P_c;     ///< B x 1 x N_rho x N_theta polar masks
  torch::Tensor q_d, q_alpha; ///< B x N_rho x N_theta boundary distributions
  /** B, true where the grader drew a cup; undefined: everywhere. Where not, the cup's own terms do not count, and
   * NPSNetLossTerms::Bound holds it below a ratio: a cup that was not drawn is small, not absent. */
  torch::Tensor cupDrawn;
};

/** Polar targets from masks and radii. Soft edges put the 0.5 crossing of the polar masks exactly at the radius;
 * without them rho <= r as in the paper. The distributions are Gaussians of 1.5 bins. */
NPSNetTorch_EXPORT NPSNetTargets MakeNPSNetTargets(const torch::Tensor & discMask,
                                                   const torch::Tensor & cupMask,
                                                   const torch::Tensor & discRadii,
                                                   const torch::Tensor & cupRadii,
                                                   int64_t               numberOfRadii,
                                                   bool                  softEdges);

/** The paper's weights, and the parts of the training from which the shape prior and its consistency count. */
struct NPSNetLossWeights
{
  double Cartesian{ 1.0 };
  double Polar{ 0.7 };
  double Rim{ 0.5 };
  double Distribution{ 0.3 };
  double Shape{ 0.5 };
  double Smoothness{ 0.05 };
  double Consistency{ 0.3 };
  double Bound{ 1.0 };
  /** Square root of the ratio of areas up to which a cup may go that no grader drew. */
  double LargestUndrawnCup{ 0.3 };
  double ShapeStart{ 0.25 };
  double ConsistencyStart{ 0.375 };
};

/** Undefined where a term is not active. */
struct NPSNetLossTerms
{
  torch::Tensor Cartesian, Polar, Rim, Distribution, Shape, Smoothness, Consistency, Bound, Total;
};

/** \a cartesian holds disc and cup maps on the crop (B x 2 x N x N; for a UNet its own output), \a progress is the
 * finished part of the training in [0, 1). */
NPSNetTorch_EXPORT NPSNetLossTerms ComputeNPSNetLoss(const NPSNetTensors &     output,
                                                     const torch::Tensor &     cartesian,
                                                     const NPSNetTargets &     targets,
                                                     const NPSNetLossWeights & weights,
                                                     double                    progress);
} // namespace itk

#endif
