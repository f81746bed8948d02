// SPDX-License-Identifier: Apache-2.0
#include "itkAngularContext.h"

#include <vector>

namespace itk
{
namespace npsnet
{
namespace
{
constexpr double TwoPi = 6.28318530717958647692;
}

AngularContextImpl::AngularContextImpl(int64_t channels, int64_t features, int64_t harmonics)
  : m_Harmonics(harmonics)
{
  const int64_t coefficients = channels * 2 * (1 + 2 * harmonics);
  reduce = register_module("reduce", torch::nn::Linear(coefficients, features));
  expand = register_module("expand", torch::nn::Linear(features, coefficients));
  const torch::NoGradGuard noGrad;
  expand->weight.zero_();
  expand->bias.zero_();
}

torch::Tensor AngularContextImpl::Basis(int64_t                      rows,
                                        int64_t                      columns,
                                        int64_t                      harmonics,
                                        const torch::TensorOptions & options)
{
  const auto                 rho = (torch::arange(rows, options) + 0.5) * (2.0 / static_cast<double>(rows)) - 1.0;
  const auto                 theta = (torch::arange(columns, options) + 0.5) * (TwoPi / static_cast<double>(columns));
  std::vector<torch::Tensor> circular{ torch::ones_like(theta) };
  for (int64_t m = 1; m <= harmonics; ++m)
  {
    circular.push_back((m * theta).cos());
    circular.push_back((m * theta).sin());
  }
  const auto radial = torch::stack({ torch::ones_like(rho), rho }, 1);
  const auto angular = torch::stack(circular, 1);
  // rows x 1 x 2 x 1 by 1 x columns x 1 x (1 + 2 harmonics)
  return (radial.view({ rows, 1, 2, 1 }) * angular.view({ 1, columns, 1, -1 })).reshape({ rows * columns, -1 });
}

torch::Tensor AngularContextImpl::forward(const torch::Tensor & x) const
{
  const auto basis = Basis(x.size(2), x.size(3), m_Harmonics, reduce->weight.options().requires_grad(false));
  const auto features = x.to(basis.scalar_type()).flatten(2);
  const auto c = features.matmul(basis) / static_cast<double>(basis.size(0));
  const auto h = torch::linear(c.flatten(1), reduce->weight, reduce->bias).relu();
  const auto g = torch::linear(h, expand->weight, expand->bias).view_as(c);
  return x + g.matmul(basis.t()).view(x.sizes()).to(x.scalar_type());
}
} // namespace npsnet
} // namespace itk
