// SPDX-License-Identifier: Apache-2.0
#include "itkNPSNetPolarSampling.h"

#include <cmath>

namespace F = torch::nn::functional;

namespace itk
{
namespace
{
constexpr double Pi = 3.14159265358979323846;

torch::Tensor Sample(const torch::Tensor & input, const torch::Tensor & grid, bool border)
{
  auto options = F::GridSampleFuncOptions().mode(torch::kBilinear).align_corners(true);
  if (border)
  {
    options.padding_mode(torch::kBorder);
  }
  else
  {
    options.padding_mode(torch::kZeros);
  }
  return F::grid_sample(input, grid.expand({ input.size(0), -1, -1, -1 }), options);
}
} // namespace

torch::Tensor NPSNetPolarSampling::MakePolarGrid(int64_t cropSize,
                                                 int64_t radii,
                                                 int64_t angles,
                                                 double  dx,
                                                 double  dy,
                                                 double  scale)
{
  const double centre = (cropSize - 1) / 2.0;
  const double radius = cropSize / 2.0 * scale;
  const auto   theta = torch::linspace(0, 2 * Pi, angles + 1).narrow(0, 0, angles).unsqueeze(0);
  const auto   rho = torch::linspace(0, 1, radii).unsqueeze(1);
  const auto   x = centre + dx + radius * rho * theta.cos();
  const auto   y = centre + dy + radius * rho * theta.sin();
  return torch::stack({ 2.0 * x / (cropSize - 1) - 1.0, 2.0 * y / (cropSize - 1) - 1.0 }, -1).unsqueeze(0);
}

NPSNetPolarSampling::NPSNetPolarSampling(int64_t cropSize, int64_t radii, int64_t angles, torch::Device device)
  : m_PolarGrid(MakePolarGrid(cropSize, radii, angles).to(device))
{
  const double centre = (cropSize - 1) / 2.0;
  const double radius = cropSize / 2.0;
  const auto   axis = torch::arange(cropSize, torch::kFloat) - centre;
  const auto   x = axis.unsqueeze(0);
  const auto   y = axis.unsqueeze(1);
  const auto   rho = (x * x + y * y).sqrt() / radius;
  const auto   theta = torch::atan2(y.expand_as(rho), x.expand_as(rho)).remainder(2 * Pi);
  m_Inside = (rho <= 1.0).to(torch::kFloat).unsqueeze(0).unsqueeze(0).to(device);
  m_CartesianGrid = torch::stack({ theta / Pi - 1.0, 2.0 * rho - 1.0 }, -1).unsqueeze(0).to(device);
}

torch::Tensor NPSNetPolarSampling::ToPolar(const torch::Tensor & image) const
{
  return Sample(image, m_PolarGrid, false);
}

torch::Tensor NPSNetPolarSampling::ToCartesian(const torch::Tensor & polar) const
{
  const auto wrapped = torch::cat({ polar, polar.narrow(3, 0, 1) }, 3);
  return Sample(wrapped, m_CartesianGrid, true) * m_Inside;
}
} // namespace itk
