// SPDX-License-Identifier: Apache-2.0
#include "itkGroupNormFunction.h"

#include <gtest/gtest.h>

namespace
{
using itk::npsnet::GroupNormFunction;

double RelativeError(const torch::Tensor & a, const torch::Tensor & b)
{
  return ((a - b).norm() / b.norm()).item<double>();
}
} // namespace

TEST(GroupNormFunction, IsNormAndReluWithTheirGradients)
{
  torch::manual_seed(6);
  for (const auto & shape : { std::array<int64_t, 5>{ 2, 16, 8, 40, 37 }, { 3, 64, 8, 5, 7 }, { 1, 256, 4, 2, 3 } })
  {
    const int64_t groups = shape[2];
    const auto    x = (2.0 + 3.0 * torch::randn({ shape[0], shape[1], shape[3], shape[4] }))
                     .contiguous(torch::MemoryFormat::ChannelsLast)
                     .set_requires_grad(true);
    const auto weight = torch::randn({ shape[1] }).set_requires_grad(true);
    const auto bias = torch::randn({ shape[1] }).set_requires_grad(true);
    ASSERT_TRUE(GroupNormFunction::Suits(x, groups));
    const auto result = GroupNormFunction::apply(x, weight, bias, groups, 1e-5);
    const auto direction = torch::randn(result.sizes()); // not channels-last
    result.backward(direction);

    const auto same = [](const torch::Tensor & t) { return t.detach().to(torch::kDouble).set_requires_grad(true); };
    const auto plainX = same(x);
    const auto plainWeight = same(weight);
    const auto plainBias = same(bias);
    const auto expected = torch::group_norm(plainX, groups, plainWeight, plainBias, 1e-5).relu();
    expected.backward(direction.to(torch::kDouble));
    EXPECT_LT(RelativeError(result, expected), 2e-6);
    EXPECT_LT(RelativeError(x.grad(), plainX.grad()), 2e-6);
    EXPECT_LT(RelativeError(weight.grad(), plainWeight.grad()), 2e-6);
    EXPECT_LT(RelativeError(bias.grad(), plainBias.grad()), 2e-6);
  }
}

TEST(GroupNormFunction, RefusesWhatItCannotDo)
{
  EXPECT_FALSE(GroupNormFunction::Suits(torch::zeros({ 1, 16, 4, 4 }), 8));
  const auto channelsLast = [](const torch::Tensor & x) { return x.contiguous(torch::MemoryFormat::ChannelsLast); };
  EXPECT_TRUE(GroupNormFunction::Suits(channelsLast(torch::zeros({ 1, 16, 4, 4 })), 8));
  EXPECT_FALSE(GroupNormFunction::Suits(channelsLast(torch::zeros({ 1, 24, 4, 4 })), 8));
  EXPECT_FALSE(GroupNormFunction::Suits(channelsLast(torch::zeros({ 1, 16, 4, 4 }, torch::kDouble)), 8));
}
