// SPDX-License-Identifier: Apache-2.0
#include "itkNPSNetLoss.h"

#include "itkNPSNetModelIO.h"
#include "itkNPSNetOracle.h"
#include "itkNPSNetPolarSampling.h"

#include "itkImage.h"
#include "itkImageFileReader.h"

#include <ATen/autocast_mode.h>

#include <gtest/gtest.h>

namespace
{
torch::Tensor ReadMask(const std::string & name)
{
  auto reader = itk::ImageFileReader<itk::Image<unsigned char, 2>>::New();
  reader->SetFileName(oracle::Path(name));
  reader->Update();
  const auto size = reader->GetOutput()->GetLargestPossibleRegion().GetSize();
  const auto bytes = torch::from_blob(reader->GetOutput()->GetBufferPointer(),
                                      { 1, 1, static_cast<int64_t>(size[1]), static_cast<int64_t>(size[0]) },
                                      torch::kUInt8);
  return (bytes > 127).to(torch::kFloat);
}
} // namespace

TEST(NPSNetLoss, TermsAndGradientsOfTheAuthors)
{
  const itk::NPSNetModelFile file(oracle::Path("checkpoint_b4_narrow.pth"));
  const auto &               a = file.GetMetadata().Architecture;
  const auto                 network = itk::MakeNPSNetNetwork(a);
  network->SetState(itk::ReadNPSNetState(file));
  network->eval();
  const itk::NPSNetPolarSampling sampling(a.CropSize, a.NumberOfRadii, a.NumberOfAngles);
  const auto                     targets = itk::MakeNPSNetTargets(ReadMask("disc.png"),
                                              ReadMask("cup.png"),
                                              oracle::Array("target_r_d").view({ 1, -1 }),
                                              oracle::Array("target_r_c").view({ 1, -1 }),
                                              a.NumberOfRadii,
                                              false);
  const auto                     losses = oracle::Numbers().at("losses");
  ASSERT_FALSE(losses.empty());
  for (const auto & item : losses.items())
  {
    const auto & expected = item.value();
    network->zero_grad();
    const auto output = network->forward(oracle::Array("polar_image").unsqueeze(0));
    const auto crop = sampling.ToCartesian(torch::cat({ output.P_d, output.P_c }, 1));
    const auto terms = itk::ComputeNPSNetLoss(output, crop, targets, {}, std::stod(item.key()) / 80.0);
    const std::pair<const char *, torch::Tensor> values[] = {
      { "cart", terms.Cartesian },   { "polar", terms.Polar },       { "rim", terms.Rim },
      { "shape", terms.Shape },      { "dist", terms.Distribution }, { "smooth", terms.Smoothness },
      { "cons", terms.Consistency }, { "total", terms.Total }
    };
    for (const auto & value : values)
    {
      const double wanted = expected.at(value.first);
      const double got = value.second.defined() ? value.second.item<double>() : 0.0;
      EXPECT_NEAR(got, wanted, 1e-3 * std::abs(wanted)) << value.first << " at epoch " << item.key();
    }
    terms.Total.backward();
    const auto parameters = network->named_parameters();
    for (const auto & gradient : expected.at("grad_norm").items())
    {
      const double wanted = gradient.value();
      const double got = parameters[gradient.key()].grad().norm().item<double>();
      EXPECT_NEAR(got, wanted, std::max(1e-6, 0.01 * wanted)) << gradient.key() << " at epoch " << item.key();
    }
  }
}

TEST(NPSNetLoss, IsTheSameUnderMixedPrecisionOfCUDA)
{
  const auto loss = [] {
    torch::manual_seed(3);
    itk::NPSNetTensors output;
    output.P_d = torch::rand({ 2, 1, 16, 12 });
    output.P_c = torch::rand({ 2, 1, 16, 12 });
    output.r_d_m = torch::rand({ 2, 12 });
    output.r_c_m = torch::rand({ 2, 12 });
    const auto mask = (torch::rand({ 2, 1, 8, 8 }) > 0.5).to(torch::kFloat);
    const auto targets = itk::MakeNPSNetTargets(mask, mask, output.r_d_m, output.r_c_m, 16, true);
    return itk::ComputeNPSNetLoss(output, torch::rand({ 2, 2, 8, 8 }), targets, {}, 0.0).Total.item<double>();
  };
  const double plain = loss();
  // Without a GPU: tensors of the CPU take the way of CUDA's autocast as well.
  const c10::impl::IncludeDispatchKeyGuard way(c10::DispatchKey::AutocastCUDA);
  at::autocast::set_autocast_enabled(at::kCUDA, true);
  EXPECT_THROW(torch::binary_cross_entropy(torch::rand({ 4 }), torch::ones({ 4 })), c10::Error) << "no such way here";
  double mixed = 0.0;
  EXPECT_NO_THROW(mixed = loss());
  EXPECT_TRUE(at::autocast::is_autocast_enabled(at::kCUDA));
  at::autocast::set_autocast_enabled(at::kCUDA, false);
  EXPECT_DOUBLE_EQ(mixed, plain);
}

TEST(NPSNetLoss, ACupThatWasNotDrawnIsHeldBelowItsBoundAndNothingElse)
{
  torch::manual_seed(5);
  constexpr int64_t  side = 32;
  const auto         rows = torch::arange(side).view({ side, 1 }) - 15.5;
  const auto         distance = (rows.square() + rows.t().square()).sqrt();
  const auto         circle = [&](double radius) { return torch::sigmoid(4.0 * (radius - distance)); };
  const auto         disc = (distance < 12.0).to(torch::kFloat).view({ 1, 1, side, side });
  itk::NPSNetTensors output;
  output.P_d = torch::rand({ 1, 1, 16, 12 });
  output.P_c = torch::rand({ 1, 1, 16, 12 }).requires_grad_(true);
  output.r_d_m = torch::full({ 1, 12 }, 0.75F);
  output.r_c_m = torch::full({ 1, 12 }, 0.5F).requires_grad_(true);
  auto targets = itk::MakeNPSNetTargets(disc, torch::zeros_like(disc), output.r_d_m, output.r_d_m * 0.0, 16, true);
  targets.cupDrawn = torch::zeros({ 1 });
  const auto gradient = [&](double cupRadius) {
    auto       maps = torch::stack({ disc[0][0], circle(cupRadius) }).unsqueeze(0).requires_grad_(true);
    const auto terms = itk::ComputeNPSNetLoss(output, maps, targets, {}, 0.0);
    terms.Total.backward();
    return maps.grad().narrow(1, 1, 1).sum().item<double>();
  };
  EXPECT_EQ(gradient(0.25 * 12.0), 0.0) << "a small cup is left as it is";
  EXPECT_GT(gradient(0.5 * 12.0), 0.0) << "a large one shrinks";
  EXPECT_EQ(output.P_c.grad().abs().sum().item<double>(), 0.0);
  EXPECT_EQ(output.r_c_m.grad().abs().sum().item<double>(), 0.0);

  // Where all cups are drawn, nothing changes.
  const auto maps = torch::rand({ 1, 2, side, side });
  targets.cupDrawn = torch::ones({ 1 });
  const double with = itk::ComputeNPSNetLoss(output, maps, targets, {}, 0.0).Total.item<double>();
  targets.cupDrawn = torch::Tensor();
  EXPECT_EQ(itk::ComputeNPSNetLoss(output, maps, targets, {}, 0.0).Total.item<double>(), with);
}

TEST(NPSNetLoss, SoftEdgesCrossAtTheRadius)
{
  const auto r = torch::tensor({ 0.3F, 0.613F, 0.0F }).view({ 1, 3 });
  const auto mask = torch::zeros({ 1, 1, 4, 4 });
  const auto t = itk::MakeNPSNetTargets(mask, mask, r, 0.5 * r, 64, true);
  for (int i = 0; i < 2; ++i)
  {
    // The area under the occupancy is the radius (in bins, plus the half bin at the centre).
    EXPECT_NEAR(t.P_d.index({ 0, 0, torch::indexing::Slice(), i }).sum().item<double>(),
                63.0 * r[0][i].item<double>() + 0.5,
                1e-4);
  }
  EXPECT_EQ(t.P_d.index({ 0, 0, torch::indexing::Slice(), 2 }).sum().item<double>(), 0.0);
  EXPECT_LT(oracle::Difference(t.q_d.sum(1), torch::ones({ 1, 3 })), 1e-5);
}
