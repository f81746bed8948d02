// SPDX-License-Identifier: Apache-2.0
#include "itkNPSNetLoss.h"

#include <ATen/autocast_mode.h>

namespace F = torch::nn::functional;

namespace itk
{
namespace
{
constexpr double SmoothL1Beta = 0.01;
constexpr double DistributionWidth = 1.5; // bins

/** No automatic mixed precision as long as it lives: the losses are sums over many small terms, and LibTorch forbids
 * the cross entropy of probabilities under autocast on CUDA. */
class FullPrecision
{
public:
  FullPrecision() { at::autocast::set_autocast_enabled(at::kCUDA, false); }
  ~FullPrecision() { at::autocast::set_autocast_enabled(at::kCUDA, m_Was); }
  FullPrecision(const FullPrecision &) = delete;
  FullPrecision & operator=(const FullPrecision &) = delete;

private:
  const bool m_Was{ at::autocast::is_autocast_enabled(at::kCUDA) };
};

torch::Tensor SmoothL1(const torch::Tensor & a, const torch::Tensor & b)
{
  return torch::smooth_l1_loss(a, b, at::Reduction::Mean, SmoothL1Beta);
}

/** How far the cups that no grader drew exceed \a largest, the square root of a ratio of areas; mean over the batch. */
torch::Tensor UndrawnCupExcess(const torch::Tensor & cartesian, const NPSNetTargets & targets, double largest)
{
  const auto cup = cartesian.narrow(1, 1, 1).to(torch::kFloat).flatten(1).sum(1);
  const auto disc = targets.Y_d.flatten(1).sum(1).clamp_min(1.0);
  const auto excess = (((cup + 1.0) / disc).sqrt() - largest).clamp_min(0.0);
  return SmoothL1(excess * (1.0 - targets.cupDrawn), torch::zeros_like(excess));
}

/** BCE + 1 - Dice over the flattened batch. */
torch::Tensor MaskLoss(const torch::Tensor & prediction, const torch::Tensor & target)
{
  const auto p = prediction.to(torch::kFloat).clamp(1e-7, 1.0 - 1e-7);
  const auto dice = (2.0 * (p * target).sum() + 1.0) / (p.sum() + target.sum() + 1.0);
  return torch::binary_cross_entropy(p, target) + 1.0 - dice;
}

torch::Tensor CrossEntropy(const torch::Tensor & p, const torch::Tensor & q)
{
  return -(q * (p + 1e-8).log()).sum(1).mean();
}

torch::Tensor Bending(const torch::Tensor & r)
{
  const auto second = r.roll(-1, 1) - 2.0 * r + r.roll(1, 1);
  return SmoothL1(second, torch::zeros_like(second));
}

torch::Tensor BoundaryDistribution(const torch::Tensor & r, const torch::Tensor & rho)
{
  const double sigma = DistributionWidth / (rho.size(1) - 1);
  return ((rho - r.unsqueeze(1)).square() * (-0.5 / (sigma * sigma))).softmax(1);
}
} // namespace

NPSNetTargets MakeNPSNetTargets(const torch::Tensor & discMask,
                                const torch::Tensor & cupMask,
                                const torch::Tensor & discRadii,
                                const torch::Tensor & cupRadii,
                                int64_t               numberOfRadii,
                                bool                  softEdges)
{
  NPSNetTargets t;
  t.Y_d = discMask;
  t.Y_c = cupMask;
  t.r_c = cupRadii;
  t.r_d = torch::maximum(discRadii, cupRadii);
  const auto rho = torch::linspace(0, 1, numberOfRadii, discRadii.options()).view({ 1, numberOfRadii, 1 });
  const auto polarMask = [&](const torch::Tensor & r) {
    const auto inside = (r.unsqueeze(1) - rho) * (numberOfRadii - 1.0);
    // Radii that lie on a bin may differ from it in the last bit.
    return (softEdges ? (inside + 0.5).clamp(0.0, 1.0) * (r.unsqueeze(1) > 0) : (inside >= -1e-3).to(r.dtype()))
      .unsqueeze(1);
  };
  t.P_d = polarMask(t.r_d);
  t.P_c = polarMask(t.r_c);
  t.q_d = BoundaryDistribution(t.r_d, rho);
  t.q_alpha = BoundaryDistribution((t.r_c / (t.r_d + 1e-6)).clamp(0.0, 1.0), rho);
  return t;
}

NPSNetLossTerms ComputeNPSNetLoss(const NPSNetTensors &     output,
                                  const torch::Tensor &     cartesian,
                                  const NPSNetTargets &     targets,
                                  const NPSNetLossWeights & weights,
                                  double                    progress)
{
  const FullPrecision guard;
  NPSNetLossTerms     terms;
  // A map of zeros against one of zeros costs nothing and moves nothing.
  const auto drawn = [&targets](const torch::Tensor & values) {
    if (!targets.cupDrawn.defined())
    {
      return values;
    }
    std::vector<int64_t> shape(static_cast<std::size_t>(values.dim()), 1);
    shape.front() = -1;
    return values * targets.cupDrawn.view(shape);
  };
  terms.Cartesian =
    MaskLoss(cartesian.narrow(1, 0, 1), targets.Y_d) + MaskLoss(drawn(cartesian.narrow(1, 1, 1)), drawn(targets.Y_c));
  terms.Total = weights.Cartesian * terms.Cartesian;
  if (output.r_d_m.defined())
  {
    terms.Polar = MaskLoss(output.P_d, targets.P_d) + MaskLoss(drawn(output.P_c), drawn(targets.P_c));
    terms.Rim = SmoothL1(drawn(output.r_d_m - output.r_c_m), drawn(targets.r_d - targets.r_c));
    terms.Total = terms.Total + weights.Polar * terms.Polar + weights.Rim * terms.Rim;
  }
  if (output.p_d.defined() && progress >= weights.ShapeStart)
  {
    terms.Distribution = CrossEntropy(output.p_d, targets.q_d) + CrossEntropy(output.p_alpha, drawn(targets.q_alpha));
    terms.Shape = SmoothL1(output.r_d_s, targets.r_d) + SmoothL1(drawn(output.r_c_s), drawn(targets.r_c));
    terms.Smoothness = Bending(output.r_d_s) + Bending(output.r_c_s);
    terms.Total = terms.Total + weights.Distribution * terms.Distribution + weights.Shape * terms.Shape +
                  weights.Smoothness * terms.Smoothness;
  }
  if (targets.cupDrawn.defined())
  {
    terms.Bound = UndrawnCupExcess(cartesian, targets, weights.LargestUndrawnCup);
    terms.Total = terms.Total + weights.Bound * terms.Bound;
  }
  if (output.p_d.defined() && progress >= weights.ConsistencyStart)
  {
    terms.Consistency = (output.gamma_d * (output.r_d_m - output.r_d_s).abs()).mean() +
                        (output.gamma_c * (output.r_c_m - output.r_c_s).abs()).mean();
    terms.Total = terms.Total + weights.Consistency * terms.Consistency;
  }
  return terms;
}
} // namespace itk
