// SPDX-License-Identifier: Apache-2.0
// The processor's engine beside LibTorch's modules, which the trained weights come from.
#include "RandomModel.h"
#include "itkSegmentationNetwork.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace
{
double Largest(const torch::Tensor & expected, const std::vector<float> & found)
{
  return (expected.flatten() - torch::tensor(found)).abs().max().item<double>();
}

/** Runs both on one image; returns the largest difference of all maps and confidences. */
double Compare(const itk::NPSNetArchitecture & a, unsigned int seed, int64_t rows, int64_t columns)
{
  const torch::NoGradGuard noGrad;
  const auto               state = randommodel::MakeState(a, seed);
  const auto               module = itk::MakeNPSNetNetwork(a);
  module->SetState(state);
  module->eval();
  const auto image = torch::rand({ 1, 3, rows, columns }).contiguous();
  const auto expected = module->forward(image);

  const itk::npsnet::SegmentationNetwork network(
    itk::NPSNetModelFile(randommodel::Write("parity" + std::to_string(seed) + ".safetensors", a, state)));
  std::vector<float> disc(static_cast<std::size_t>(rows * columns));
  std::vector<float> cup(disc.size());
  std::vector<float> discConfidence(static_cast<std::size_t>(columns));
  std::vector<float> cupConfidence(discConfidence);
  network.Infer(image.data_ptr<float>(),
                static_cast<std::size_t>(rows),
                static_cast<std::size_t>(columns),
                false,
                { disc.data(), cup.data(), discConfidence.data(), cupConfidence.data() });
  double largest = std::max(Largest(expected.P_d, disc), Largest(expected.P_c, cup));
  if (a.HasShapePrior())
  {
    largest =
      std::max({ largest, Largest(expected.gamma_d, discConfidence), Largest(expected.gamma_c, cupConfidence) });
  }
  return largest;
}

itk::NPSNetArchitecture RandomArchitecture(std::mt19937 & random)
{
  const auto oneOf = [&random](std::initializer_list<unsigned int> values) {
    return *(values.begin() + random() % values.size());
  };
  itk::NPSNetArchitecture a;
  a.Variant = static_cast<itk::NPSNetVariant>(random() % 5);
  a.Channels.clear();
  for (unsigned int depth = oneOf({ 1, 2, 3, 4 }); depth > 0; --depth)
  {
    a.Channels.push_back(oneOf({ 4, 8, 16, 24, 32 }));
  }
  a.NormGroups = oneOf({ 1, 2, 4, 8 });
  for (auto & channels : a.Channels)
  {
    channels = std::max(channels, a.NormGroups);
  }
  a.GroupNormStages = a.IsMonotone() ? random() % (a.Channels.size() + 1) : 0;
  a.ShapeFeatures = oneOf({ 8, 20, 96 });
  a.NumberOfRadii = oneOf({ 16, 32, 40, 51 });
  a.NumberOfAngles = oneOf({ 16, 24, 45, 90 });
  a.CropSize = 64;
  a.ContextHarmonics = oneOf({ 1, 2, 3 });
  a.ContextFeatures = a.IsMonotone() ? oneOf({ 0, 12 }) : 0;
  a.HeadContextFeatures = a.IsMonotone() ? oneOf({ 0, 12 }) : 0;
  return a;
}
} // namespace

TEST(SegmentationNetworkParity, RandomNetworksOfAllVariants)
{
  std::mt19937 random(20261119);
  double       worst = 0.0;
  for (unsigned int seed = 0; seed < 200; ++seed)
  {
    const auto    a = RandomArchitecture(random);
    const int64_t least = int64_t{ 1 } << a.Channels.size();
    const bool    other = random() % 4 == 0; // another grid than its own
    const int64_t rows = std::max<int64_t>(least, other ? 48 : a.NumberOfRadii);
    const int64_t columns = std::max<int64_t>(least, other ? 34 : a.NumberOfAngles);
    const double  difference = Compare(a, seed, rows, columns);
    worst = std::max(worst, difference);
    ASSERT_LT(difference, 1e-5) << seed << ": " << rows << " x " << columns << ' ' << a.ToJSON();
  }
  std::cout << "largest difference " << worst << std::endl;
}
