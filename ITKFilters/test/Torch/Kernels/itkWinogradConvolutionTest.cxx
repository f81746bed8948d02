// SPDX-License-Identifier: Apache-2.0
#include "itkWinogradConvolution.h"
#include "itkWinogradFunction.h"

#include <gtest/gtest.h>

#include <ctime>
#include <string>

namespace
{
using itk::npsnet::WinogradConvolution;

struct Shape
{
  int64_t batch, input, output, radii, angles;
};

torch::Tensor RandomFeatures(const Shape & shape)
{
  return torch::randn({ shape.batch, shape.input, shape.radii, shape.angles })
    .contiguous(torch::MemoryFormat::ChannelsLast);
}

torch::Tensor RandomWeight(const Shape & shape)
{
  return torch::randn({ shape.output, shape.input, 3, 3 }) / std::sqrt(9.0 * static_cast<double>(shape.input));
}

/** The plain sum in double precision: zeros outside the radii, angles going round. */
torch::Tensor PlainConvolution(const torch::Tensor & x, const torch::Tensor & weight, const torch::Tensor & bias)
{
  const auto round = torch::cat({ x.narrow(3, x.size(3) - 1, 1), x, x.narrow(3, 0, 1) }, 3).to(torch::kDouble);
  return torch::conv2d(round, weight.to(torch::kDouble), bias, 1, torch::IntArrayRef{ 1, 0 });
}
} // namespace

class Winograd : public testing::TestWithParam<Shape>
{};

TEST_P(Winograd, IsTheConvolution)
{
  torch::manual_seed(3);
  const auto x = RandomFeatures(GetParam());
  const auto weight = RandomWeight(GetParam());
  const auto bias = torch::randn({ GetParam().output });
  ASSERT_TRUE(WinogradConvolution::Suits(weight));
  const WinogradConvolution convolution(weight);

  const auto bare = convolution(x, {});
  ASSERT_TRUE(bare.is_contiguous(torch::MemoryFormat::ChannelsLast));
  EXPECT_LT((bare - PlainConvolution(x, weight, {})).abs().max().item<double>(), 2e-5);

  const auto expected = PlainConvolution(x, weight, bias.to(torch::kDouble)).relu();
  EXPECT_LT((convolution(x, bias) - expected).abs().max().item<double>(), 2e-5);
}

TEST_P(Winograd, HasTheGradientsOfTheConvolution)
{
  torch::manual_seed(5);
  const auto x = RandomFeatures(GetParam()).set_requires_grad(GetParam().input >= 16);
  const auto weight = RandomWeight(GetParam()).set_requires_grad(true);
  ASSERT_TRUE(itk::npsnet::WinogradFunction::Suits(x, weight));
  const auto result = itk::npsnet::WinogradFunction::apply(x, weight);
  const auto direction = torch::randn_like(result);
  result.backward(direction);

  const auto plainX = x.detach().to(torch::kDouble).set_requires_grad(true);
  const auto plainWeight = weight.detach().to(torch::kDouble).set_requires_grad(true);
  PlainConvolution(plainX, plainWeight, {}).backward(direction.to(torch::kDouble));
  const auto error = [](const torch::Tensor & a, const torch::Tensor & b) {
    return ((a - b).norm() / b.norm()).item<double>();
  };
  EXPECT_LT(error(weight.grad(), plainWeight.grad()), 3e-6);
  if (x.requires_grad())
  {
    EXPECT_LT(error(x.grad(), plainX.grad()), 3e-6);
  }
  else
  {
    EXPECT_FALSE(x.grad().defined());
  }
}

// three channels, weights that are transformed later, whole tiles, cut tiles, fewer angles than a tile reaches over, a
// single pixel, groups with a remainder
INSTANTIATE_TEST_SUITE_P(Shapes,
                         Winograd,
                         testing::Values(Shape{ 1, 3, 32, 20, 24 },
                                         Shape{ 1, 1024, 512, 3, 5 },
                                         Shape{ 1, 16, 16, 8, 8 },
                                         Shape{ 2, 32, 16, 37, 45 },
                                         Shape{ 1, 16, 48, 3, 2 },
                                         Shape{ 3, 16, 16, 1, 1 },
                                         Shape{ 1, 256, 128, 9, 23 },
                                         Shape{ 1, 64, 64, 128, 90 }),
                         [](const auto & parameter) {
                           const Shape & s = parameter.param;
                           return std::to_string(s.input) + "to" + std::to_string(s.output) + "on" +
                                  std::to_string(s.radii) + "by" + std::to_string(s.angles);
                         });

TEST(WinogradConvolution, ThreadsDoNotChangeTheResult)
{
  torch::manual_seed(4);
  const Shape               shape{ 1, 32, 32, 30, 50 };
  const auto                x = RandomFeatures(shape);
  const WinogradConvolution convolution(RandomWeight(shape));
  const int                 before = torch::get_num_threads();
  torch::set_num_threads(1);
  const auto one = convolution(x, {});
  torch::set_num_threads(3);
  const auto three = convolution(x, {});
  torch::set_num_threads(before);
  EXPECT_TRUE(torch::equal(one, three));
}

TEST(WinogradConvolution, SharesTheWorkAmongThreads)
{
  const auto seconds = [](clockid_t clock) {
    timespec time = {};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  const Shape               shape{ 2, 64, 64, 128, 192 };
  const auto                x = RandomFeatures(shape);
  const WinogradConvolution convolution(RandomWeight(shape));
  const int                 before = torch::get_num_threads();
  torch::set_num_threads(2);
  convolution(x, {});
  const double mine = seconds(CLOCK_THREAD_CPUTIME_ID);
  const double all = seconds(CLOCK_PROCESS_CPUTIME_ID);
  convolution(x, {});
  const double myShare = seconds(CLOCK_THREAD_CPUTIME_ID) - mine;
  const double whole = seconds(CLOCK_PROCESS_CPUTIME_ID) - all;
  torch::set_num_threads(before);
  EXPECT_LT(myShare, 0.8 * whole); // processor time, not the clock's: a busy machine does not matter
}

TEST(WinogradConvolution, RefusesWhatItCannotDo)
{
  EXPECT_FALSE(WinogradConvolution::Suits(torch::zeros({ 24, 16, 3, 3 })));
  EXPECT_FALSE(WinogradConvolution::Suits(torch::zeros({ 16, 24, 3, 3 })));
  EXPECT_FALSE(WinogradConvolution::Suits(torch::zeros({ 1024, 1024, 3, 3 })));
}
