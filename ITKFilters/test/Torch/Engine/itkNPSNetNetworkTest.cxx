// SPDX-License-Identifier: Apache-2.0
#include "itkNPSNetModelIO.h"
#include "itkNPSNetNetwork.h"
#include "itkNPSNetOracle.h"
#include "itkNPSNetPolarSampling.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace
{
itk::NPSNetArchitecture SmallArchitecture(itk::NPSNetVariant variant)
{
  itk::NPSNetArchitecture a;
  a.Variant = variant;
  a.Channels = { 8, 16, 32, 64 };
  a.ShapeFeatures = 16;
  a.NumberOfRadii = 32;
  a.NumberOfAngles = 48;
  a.CropSize = 64;
  return a;
}

const itk::NPSNetVariant Variants[] = { itk::NPSNetVariant::UNet,
                                        itk::NPSNetVariant::PolarUNet,
                                        itk::NPSNetVariant::Monotone,
                                        itk::NPSNetVariant::Nested,
                                        itk::NPSNetVariant::ShapePrior };
} // namespace

TEST(NPSNetNetwork, PublishedNamesAndShapes)
{
  const auto    network = itk::MakeNPSNetNetwork({});
  std::ifstream file(NPSNET_TEST_DATA_DIR "/oracle/state_dict_full.json");
  const auto    expected = nlohmann::json::parse(file).get<std::map<std::string, std::vector<int64_t>>>();
  const auto    state = network->GetState();
  std::size_t   matched = 0;
  for (const auto & item : expected)
  {
    if (!itk::NPSNetNetwork::IsDerivedTensor(item.first))
    {
      ASSERT_EQ(state.count(item.first), 1u) << item.first;
      EXPECT_EQ(state.at(item.first).sizes().vec(), item.second) << item.first;
      ++matched;
    }
  }
  EXPECT_EQ(matched, state.size());
  int64_t parameters = 0;
  for (const auto & p : network->parameters())
  {
    parameters += p.numel();
  }
  EXPECT_EQ(parameters, 31277061);
}

TEST(NPSNetNetwork, OracleParity)
{
  const itk::NPSNetModelFile file(oracle::Path("checkpoint_b4_narrow.pth"));
  const auto &               a = file.GetMetadata().Architecture;
  const auto                 network = itk::MakeNPSNetNetwork(a);
  network->SetState(itk::ReadNPSNetState(file));
  network->eval();
  torch::NoGradGuard                           noGrad;
  const auto                                   t = network->forward(oracle::Array("polar_image").unsqueeze(0));
  const std::pair<const char *, torch::Tensor> maps[] = { { "P_d_polar", t.P_d },   { "P_c_polar", t.P_c },
                                                          { "r_d_m", t.r_d_m },     { "r_c_m", t.r_c_m },
                                                          { "r_d_s", t.r_d_s },     { "r_c_s", t.r_c_s },
                                                          { "alpha_s", t.alpha_s }, { "gamma_d", t.gamma_d },
                                                          { "gamma_c", t.gamma_c } };
  for (const auto & map : maps)
  {
    EXPECT_LT(oracle::Difference(map.second, oracle::Array(map.first)), 1e-4) << map.first;
  }
  const itk::NPSNetPolarSampling sampling(a.CropSize, a.NumberOfRadii, a.NumberOfAngles);
  EXPECT_LT(oracle::Difference(sampling.ToCartesian(t.P_d), oracle::Array("Y_d_cart")), 1e-4);
  EXPECT_LT(oracle::Difference(sampling.ToCartesian(t.P_c), oracle::Array("Y_c_cart")), 1e-4);
}

TEST(NPSNetNetwork, EveryVariantKeepsItsPromises)
{
  torch::NoGradGuard noGrad;
  for (const auto variant : Variants)
  {
    torch::manual_seed(5);
    const auto a = SmallArchitecture(variant);
    const auto network = itk::MakeNPSNetNetwork(a);
    network->eval();
    const auto input = a.IsPolar() ? torch::rand({ 2, 3, 32, 48 }) : torch::rand({ 2, 3, 64, 64 });
    const auto t = network->forward(input);
    ASSERT_EQ(t.P_d.sizes().slice(2), input.sizes().slice(2));
    ASSERT_EQ(t.P_c.sizes(), t.P_d.sizes());
    EXPECT_EQ(t.p_d.defined(), a.HasShapePrior());
    if (a.IsMonotone())
    {
      for (const auto & p : { t.P_d, t.P_c })
      {
        EXPECT_TRUE((p.slice(2, 1) <= p.slice(2, 0, -1)).all().item<bool>());
      }
    }
    if (a.IsNested())
    {
      EXPECT_TRUE((t.P_c <= t.P_d).all().item<bool>());
    }
  }
}

TEST(NPSNetNetwork, TurningTheInputTurnsTheOutput)
{
  torch::manual_seed(6);
  torch::NoGradGuard noGrad;
  const auto         network = itk::MakeNPSNetNetwork(SmallArchitecture(itk::NPSNetVariant::ShapePrior));
  network->eval();
  const auto input = torch::rand({ 1, 3, 32, 48 });
  const auto straight = network->forward(input);
  const auto turned = network->forward(input.roll(16, 3));
  EXPECT_LT(oracle::Difference(straight.P_c.roll(16, 3), turned.P_c), 1e-5);
  EXPECT_LT(oracle::Difference(straight.r_d_s.roll(16, 1), turned.r_d_s), 1e-5);
}

// In double precision nothing but LibTorch's own functions computes.
TEST(NPSNetNetwork, GradientsAreThoseOfThePlainFunctions)
{
  itk::NPSNetArchitecture architecture;
  architecture.Channels = { 16, 32 };
  architecture.NumberOfRadii = 24;
  architecture.NumberOfAngles = 40;
  architecture.ContextFeatures = 8;
  architecture.HeadContextFeatures = 8;
  // The largest relative error of a parameter's gradient.
  const auto error = [&architecture](unsigned int seed) {
    torch::manual_seed(seed);
    const auto network = itk::MakeNPSNetNetwork(architecture);
    const auto x = torch::rand({ 3, 3, 24, 40 });
    const auto gradients = [&](torch::Dtype type) {
      network->to(type);
      network->zero_grad();
      const auto y = network->forward(x.to(type));
      (y.P_d.square().sum() + y.P_c.square().sum() + y.r_d_s.sum()).backward();
      std::map<std::string, torch::Tensor> all;
      for (const auto & item : network->named_parameters())
      {
        if (item.value().grad().defined())
        {
          all[item.key()] = item.value().grad().clone().to(torch::kDouble);
        }
      }
      return all;
    };
    const auto single = gradients(torch::kFloat);
    const auto plain = gradients(torch::kDouble);
    EXPECT_EQ(single.size(), plain.size());
    double largest = 0.0;
    for (const auto & item : plain)
    {
      const double size = item.second.norm().item<double>();
      largest = std::max(largest, (single.at(item.first) - item.second).norm().item<double>() / (size + 0.1));
    }
    return largest;
  };
  // Rounding carries a value over the kink of a ReLU now and then, which changes the gradient by far more.
  EXPECT_LT(std::min({ error(8), error(9), error(10) }), 1e-4);
}

TEST(NPSNetNetwork, CoarserGridKeepsTheBoundary)
{
  // Constant features: halving the number of radii must not move the boundary when decrements are scaled.
  torch::manual_seed(7);
  torch::NoGradGuard noGrad;
  const auto         network = itk::MakeNPSNetNetwork(SmallArchitecture(itk::NPSNetVariant::Nested));
  network->eval();
  auto state = network->GetState();
  state.at("disc_head.dec_conv.weight").zero_();
  state.at("disc_head.bias_conv.weight").zero_();
  state.at("disc_head.dec_conv.bias").fill_(-0.5);
  state.at("disc_head.bias_conv.bias").fill_(8.0);
  const auto fine = network->forward(torch::zeros({ 1, 3, 32, 48 })).r_d_m;
  const auto coarse = network->forward(torch::zeros({ 1, 3, 16, 48 })).r_d_m;
  EXPECT_NEAR(fine.mean().item<double>(), coarse.mean().item<double>(), 0.04);
}

TEST(NPSNetNetwork, ShapeHeadsKeepTheirBinsOnACoarserGrid)
{
  // Heads that say the same whatever they see: their distributions must not depend on the grid of the features.
  torch::manual_seed(8);
  torch::NoGradGuard noGrad;
  const auto         network = itk::MakeNPSNetNetwork(SmallArchitecture(itk::NPSNetVariant::ShapePrior));
  network->eval();
  for (auto & item : network->GetState())
  {
    if (item.first.rfind("shape_prior.", 0) == 0 && item.second.dim() == 3)
    {
      item.second.zero_();
    }
  }
  const auto fine = network->forward(torch::rand({ 1, 3, 32, 48 }));
  const auto coarse = network->forward(torch::rand({ 1, 3, 16, 48 }));
  EXPECT_EQ(coarse.P_c.size(2), 16);
  EXPECT_EQ(coarse.p_d.sizes(), fine.p_d.sizes());
  EXPECT_EQ(coarse.p_d.size(1), 32);
  EXPECT_GT(fine.p_d.std().item<double>(), 1e-4);
  EXPECT_LT(oracle::Difference(fine.p_alpha, coarse.p_alpha), 1e-6);
  EXPECT_LT(oracle::Difference(fine.r_d_s, coarse.r_d_s), 1e-6);
  EXPECT_LT(oracle::Difference(fine.gamma_c, coarse.gamma_c), 1e-6);
}

TEST(NPSNetNetwork, WrongWeightsAreNamed)
{
  const auto network = itk::MakeNPSNetNetwork(SmallArchitecture(itk::NPSNetVariant::ShapePrior));
  const auto message = [&](const itk::TorchModuleState & state) {
    try
    {
      network->SetState(state);
    }
    catch (const itk::ExceptionObject & error)
    {
      return std::string(error.GetDescription());
    }
    return std::string();
  };
  auto state = network->GetState();
  EXPECT_EQ(message(state), "");
  auto missing = state;
  missing.erase("fusion.lambda_c");
  EXPECT_NE(message(missing).find("fusion.lambda_c"), std::string::npos);
  auto reshaped = state;
  reshaped["disc_head.dec_conv.bias"] = torch::zeros({ 3 });
  EXPECT_NE(message(reshaped).find("disc_head.dec_conv.bias"), std::string::npos);
  auto unknown = state;
  unknown["attention.weight"] = torch::zeros({ 3 });
  EXPECT_NE(message(unknown).find("attention.weight"), std::string::npos);
  auto infinite = state;
  infinite["disc_head.dec_conv.bias"] = torch::full({ 1 }, INFINITY);
  EXPECT_NE(message(infinite).find("not finite"), std::string::npos);
}

TEST(NPSNetArchitecture, SurvivesJSON)
{
  auto a = SmallArchitecture(itk::NPSNetVariant::Nested);
  a.Extra["recommended_tta"] = "fast";
  a.ClaheClipLimit = 2.5;
  EXPECT_TRUE(itk::NPSNetArchitecture::FromJSON(a.ToJSON()) == a);
  EXPECT_TRUE(itk::NPSNetArchitecture::FromJSON("{}") == itk::NPSNetArchitecture());
  EXPECT_THROW(itk::NPSNetArchitecture::FromJSON("{\"channels\": [12, 24]}"), itk::ExceptionObject);
  EXPECT_THROW(itk::NPSNetArchitecture::FromJSON("{\"variant\": \"b9\"}"), itk::ExceptionObject);
  EXPECT_THROW(itk::NPSNetArchitecture::FromJSON("nonsense"), itk::ExceptionObject);
}
