// SPDX-License-Identifier: Apache-2.0
#include "itkNPSNetInferenceKernels.h"
#include "itkNPSNetNetwork.h"
#include "itkTorchDevice.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace
{
itk::NPSNetArchitecture Small(unsigned radii, unsigned angles)
{
  itk::NPSNetArchitecture a;
  a.Channels = { 8, 16, 24, 32 };
  a.ShapeFeatures = 16;
  a.NumberOfRadii = radii;
  a.NumberOfAngles = angles;
  return a;
}

/** A seeded network whose norms do something. */
std::shared_ptr<itk::NPSNetNetwork> MakeNetwork(const itk::NPSNetArchitecture & a)
{
  torch::manual_seed(5);
  auto               network = itk::MakeNPSNetNetwork(a);
  torch::NoGradGuard noGrad;
  auto               state = network->GetState();
  for (auto & item : state)
  {
    const bool positive = item.first.find("running_var") != std::string::npos;
    if (item.second.is_floating_point() && item.second.dim() == 1)
    {
      item.second = positive ? 0.5 + torch::rand_like(item.second) : 0.3 * torch::randn_like(item.second) + 0.5;
    }
  }
  network->SetState(state);
  network->eval();
  return network;
}

double Largest(const torch::Tensor & a, const torch::Tensor & b)
{
  return (a - b).abs().max().item<double>();
}
} // namespace

class NPSNetFused : public testing::TestWithParam<std::pair<unsigned, unsigned>>
{};

TEST_P(NPSNetFused, SameAsTheModule)
{
  torch::NoGradGuard noGrad;
  const auto         network = MakeNetwork(Small(GetParam().first, GetParam().second));
  const auto         image = torch::rand({ 2, 3, GetParam().first, GetParam().second });
  const auto         expected = network->forward(image);
  network->OptimizeForInference(torch::kFloat);
  const auto found = network->forward(image);
  EXPECT_GT(expected.P_d.max().item<double>() - expected.P_d.min().item<double>(), 0.01);
  EXPECT_LT(Largest(expected.P_d, found.P_d), 1e-4);
  EXPECT_LT(Largest(expected.P_c, found.P_c), 1e-4);
  EXPECT_LT(Largest(expected.r_d_s, found.r_d_s), 1e-4);
  EXPECT_LT(Largest(expected.gamma_c, found.gamma_c), 1e-4);
}

// odd halves (90 -> 45 -> 22), angles that vanish in the bottleneck (16 -> 1), the published grid
INSTANTIATE_TEST_SUITE_P(Grids,
                         NPSNetFused,
                         testing::Values(std::make_pair(32u, 48u),
                                         std::make_pair(64u, 90u),
                                         std::make_pair(16u, 16u),
                                         std::make_pair(256u, 360u)));

TEST(NPSNetFused, BFloat16StaysClose)
{
  torch::NoGradGuard noGrad;
  const auto         network = MakeNetwork(Small(64, 96));
  const auto         image = torch::rand({ 1, 3, 64, 96 });
  const auto         expected = network->forward(image);
  if (!itk::CanComputeBFloat16OnCPU())
  {
    EXPECT_THROW(network->OptimizeForInference(torch::kBFloat16), c10::Error);
    return;
  }
  network->OptimizeForInference(torch::kBFloat16);
  const auto found = network->forward(image);
  EXPECT_EQ(found.P_d.scalar_type(), torch::kFloat);
  EXPECT_LT(Largest(expected.P_d, found.P_d), 0.05);
  EXPECT_LT(Largest(expected.r_d_m, found.r_d_m), 0.02);
}

TEST(NPSNetFused, TrainingModeKeepsTheModule)
{
  const auto network = MakeNetwork(Small(32, 48));
  network->OptimizeForInference(torch::kFloat);
  network->train();
  const auto out = network->forward(torch::rand({ 2, 3, 32, 48 }));
  out.P_c.sum().backward();
  EXPECT_TRUE(network->named_parameters()["polar_unet.bottleneck.block.0.conv.weight"].grad().defined());
}

TEST(NPSNetInferenceKernels, MatchPyTorch)
{
  torch::manual_seed(2);
  const auto cl = torch::MemoryFormat::ChannelsLast;
  const auto x = (3.0 * torch::randn({ 2, 24, 37, 45 }) + 1.0).contiguous(cl);
  const auto weight = torch::randn({ 24 });
  const auto bias = torch::randn({ 24 });
  auto       y = x.clone();
  itk::npsnet::GroupNormReLU_(y, 8, weight, bias, 1e-5);
  EXPECT_LT(Largest(y, torch::group_norm(x, 8, weight, bias, 1e-5).relu()), 1e-5);
  EXPECT_EQ(Largest(itk::npsnet::MaxPool2(x), torch::max_pool2d(x, 2)), 0.0);

  EXPECT_LT(Largest(itk::npsnet::MeanOverRadii(x), x.mean(2)), 1e-5);

  const auto deep = torch::randn({ 2, 16, 18, 22 }).contiguous(cl);
  const auto taps = torch::randn({ 16, 8, 2, 2 });
  const auto offsets = torch::randn({ 8 });
  const auto joined =
    itk::npsnet::ConcatenateUpsampled(x, deep, taps.permute({ 0, 2, 3, 1 }).reshape({ 16, 32 }), offsets.repeat({ 4 }));
  const auto up = torch::conv_transpose2d(deep, taps, offsets, 2);
  EXPECT_LT(Largest(joined, torch::cat({ x, torch::constant_pad_nd(up, { 0, 1, 0, 1 }) }, 1)), 1e-5);
}
