// SPDX-License-Identifier: Apache-2.0
#include "itkAngularContext.h"
#include "itkNPSNetNetwork.h"

#include <gtest/gtest.h>

namespace
{
double Largest(const torch::Tensor & a, const torch::Tensor & b)
{
  return (a - b).abs().max().item<double>();
}

itk::NPSNetArchitecture Architecture(unsigned int contextFeatures)
{
  itk::NPSNetArchitecture a;
  a.Channels = { 8, 16, 16 };
  a.ShapeFeatures = 8;
  a.NumberOfRadii = 32;
  a.NumberOfAngles = 48;
  a.CropSize = 64;
  a.ContextFeatures = contextFeatures;
  a.HeadContextFeatures = contextFeatures;
  return a;
}

/** A network in evaluation mode whose contexts do something. */
std::shared_ptr<itk::NPSNetNetwork> WithContext()
{
  torch::manual_seed(11);
  torch::NoGradGuard noGrad;
  const auto         network = itk::MakeNPSNetNetwork(Architecture(6));
  for (auto & item : network->GetState())
  {
    if (item.first.find("context.expand.") != std::string::npos)
    {
      item.second.normal_();
    }
  }
  network->eval();
  return network;
}
} // namespace

TEST(AngularContext, HarmonicsAreOrthogonalOnEveryGrid)
{
  for (const int64_t rows : { 8, 5 })
  {
    for (const int64_t columns : { 12, 23 })
    {
      const auto basis = itk::npsnet::AngularContextImpl::Basis(rows, columns, 2, torch::kDouble);
      ASSERT_EQ(basis.sizes(), torch::IntArrayRef({ rows * columns, 10 }));
      const auto products = basis.t().matmul(basis) / static_cast<double>(rows * columns);
      EXPECT_LT(Largest(products, torch::diag(products.diagonal())), 1e-12);
      EXPECT_GT(products.diagonal().min().item<double>(), 0.1);
    }
  }
}

TEST(AngularContext, FindsAndAddsAHarmonic)
{
  // Two channels; the second gets cos theta times the mean of the first.
  torch::NoGradGuard                    noGrad;
  const itk::npsnet::AngularContextImpl context(2, 1, 1);
  for (const auto & item : context.named_parameters())
  {
    item.value().zero_();
  }
  context.named_parameters()["reduce.weight"][0][0] = 1.0;             // channel 0, constant
  context.named_parameters()["expand.weight"][1 * 2 * 3 + 1][0] = 1.0; // channel 1, cos theta
  const auto x = torch::rand({ 3, 2, 4, 8 });
  const auto y = context.forward(x);
  const auto theta = (torch::arange(8, torch::kFloat) + 0.5) * (2 * 3.14159265358979323846 / 8);
  const auto expected = x.select(1, 1) + x.select(1, 0).mean({ 1, 2 }).view({ 3, 1, 1 }) * theta.cos();
  EXPECT_EQ(Largest(y.select(1, 0), x.select(1, 0)), 0.0);
  EXPECT_LT(Largest(y.select(1, 1), expected), 1e-6);
}

TEST(AngularContext, ChangesNothingAtFirst)
{
  torch::manual_seed(12);
  torch::NoGradGuard noGrad;
  const auto         plain = itk::MakeNPSNetNetwork(Architecture(0));
  const auto         network = itk::MakeNPSNetNetwork(Architecture(6));
  auto               state = network->GetState();
  for (const auto & item : plain->GetState())
  {
    state.at(item.first).copy_(item.second);
  }
  plain->eval();
  network->eval();
  const auto image = torch::rand({ 2, 3, 32, 48 });
  EXPECT_EQ(Largest(plain->forward(image).P_c, network->forward(image).P_c), 0.0);
}

TEST(AngularContext, TellsTheAnglesApart)
{
  torch::NoGradGuard noGrad;
  const auto         network = WithContext();
  const auto         image = torch::rand({ 1, 3, 32, 48 });
  const auto         straight = network->forward(image).r_c_m;
  const auto         turned = network->forward(image.roll(16, 3)).r_c_m;
  EXPECT_GT(Largest(straight.roll(16, 1), turned), 1e-3);
}

TEST(AngularContext, FastInferenceAndOtherGridsKeepIt)
{
  torch::NoGradGuard noGrad;
  for (const int64_t rows : { 32, 16 })
  {
    const auto network = WithContext();
    const auto image = torch::rand({ 2, 3, rows, 48 });
    const auto expected = network->forward(image);
    network->OptimizeForInference(torch::kFloat);
    const auto found = network->forward(image);
    EXPECT_LT(Largest(expected.P_d, found.P_d), 1e-4);
    EXPECT_LT(Largest(expected.P_c, found.P_c), 1e-4);
    EXPECT_TRUE((found.P_c <= found.P_d).all().item<bool>());
    EXPECT_TRUE((found.P_c.slice(2, 1) <= found.P_c.slice(2, 0, -1)).all().item<bool>());
  }
}

TEST(AngularContext, BelongsToTheMonotoneVariants)
{
  auto a = Architecture(6);
  EXPECT_EQ(itk::NPSNetArchitecture::FromJSON(a.ToJSON()), a);
  EXPECT_NE(a, Architecture(0));
  a.Variant = itk::NPSNetVariant::PolarUNet;
  EXPECT_THROW(a.Validate(), itk::ExceptionObject);
  a = Architecture(6);
  a.ContextFeatures = 0;
  EXPECT_NO_THROW(a.Validate());
  a.ContextHarmonics = 17;
  EXPECT_THROW(a.Validate(), itk::ExceptionObject);
}
