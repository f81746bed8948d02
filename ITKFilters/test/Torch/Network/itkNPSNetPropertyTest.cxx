// SPDX-License-Identifier: Apache-2.0
#include "RandomModel.h"
#include "itkNestedLabelValidity.h"
#include "itkNestedPolarBoundaryToLabelImageFilter.h"
#include "itkPolarOccupancy.h"
#include "itkPolarTestTimeAugmentationFilter.h"
#include "itkRegularizeNestedPolarBoundary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <random>

// What must hold for every network, image and anchor, tried on at least ten thousand random cases.
namespace
{
using FilterType = itk::PolarTestTimeAugmentationFilter;
using ImageType = FilterType::ImageType;

constexpr unsigned int Seed = 20261116;

class RandomCases
{
public:
  explicit RandomCases(unsigned int seed)
    : m_Random(seed)
  {}

  double       Uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(m_Random); }
  unsigned int Below(unsigned int n) { return static_cast<unsigned int>(m_Random() % n); }

  /** From ordinary to absurd weights. */
  double Scale()
  {
    static const double scales[] = { 0.3, 1.0, 1.0, 3.0, 10.0, 100.0, 1e4, 1e10, 1e25 };
    return scales[this->Below(9)];
  }

  /** Noise, constant, saturated, black and white halves, a bright blob off the centre. */
  ImageType::Pointer Image(unsigned int size)
  {
    auto image = ImageType::New();
    image->SetRegions(ImageType::SizeType{ { size, size } });
    image->Allocate();
    const unsigned int kind = this->Below(6);
    const auto         level = static_cast<unsigned char>(this->Below(256));
    const double       cx = this->Uniform(0, size);
    const double       cy = this->Uniform(0, size);
    const double       sharpness = this->Uniform(1, 0.5 * size);
    for (unsigned int y = 0; y < size; ++y)
    {
      for (unsigned int x = 0; x < size; ++x)
      {
        ImageType::PixelType pixel;
        for (unsigned int c = 0; c < 3; ++c)
        {
          switch (kind)
          {
            case 0:
            case 1:
              pixel[c] = static_cast<unsigned char>(this->Below(256));
              break;
            case 2:
              pixel[c] = level;
              break;
            case 3:
              pixel[c] = this->Below(2) ? 255 : 0;
              break;
            case 4:
              pixel[c] = x + y < size ? 255 : 0;
              break;
            default:
              pixel[c] = static_cast<unsigned char>(255.0 * std::exp(-std::hypot(x - cx, y - cy) / sharpness));
          }
        }
        image->SetPixel({ { static_cast<itk::IndexValueType>(x), static_cast<itk::IndexValueType>(y) } }, pixel);
      }
    }
    return image;
  }

  itk::PolarTTASettings TTA(bool on)
  {
    itk::PolarTTASettings settings;
    if (on)
    {
      constexpr itk::PolarTTAModeEnum modes[] = { itk::PolarTTAModeEnum::Reference,
                                                  itk::PolarTTAModeEnum::Symmetric,
                                                  itk::PolarTTAModeEnum::Fast };
      settings.Mode = modes[this->Below(3)];
      settings.TopK = 1 + this->Below(4);
      settings.FlipAverage = this->Below(2) == 0;
    }
    return settings;
  }

private:
  std::mt19937 m_Random;
};

/** Empty when all invariants hold. */
std::string CheckMaps(const float * disc, const float * cup, std::size_t radii, std::size_t angles)
{
  for (std::size_t at = 0; at < radii * angles; ++at)
  {
    if (!(disc[at] >= 0.0f && disc[at] <= 1.0f && cup[at] >= 0.0f))
    {
      return "a value is not a probability: P_d " + std::to_string(disc[at]) + ", P_c " + std::to_string(cup[at]) +
             " at sample " + std::to_string(at);
    }
    if (cup[at] > disc[at])
    {
      return "P_c > P_d";
    }
    if (at >= angles && (disc[at] > disc[at - angles] || cup[at] > cup[at - angles]))
    {
      return "an occupancy grows along a ray";
    }
  }
  return "";
}

std::string CheckBoundaryAndLabels(const itk::NestedPolarBoundary * boundary, const ImageType * image)
{
  for (std::size_t i = 0; i < boundary->GetNumberOfAngles(); ++i)
  {
    if (!(boundary->GetCupRadii()[i] <= boundary->GetDiscRadii()[i] && boundary->GetCupRadii()[i] >= 0.0))
    {
      return "a rim is negative";
    }
  }
  const auto whole = itk::RegularizeNestedPolarBoundary(boundary, image);
  auto       labels = itk::NestedPolarBoundaryToLabelImageFilter::New();
  labels->SetBoundary(whole);
  labels->SetReferenceImage(image);
  labels->Update();
  const auto report = itk::NestedLabelValidity::Check(labels->GetOutput(), whole->GetAnchor());
  return report.IsValid() ? "" : report.Describe();
}

struct Tally
{
  unsigned int Cases{ 0 };
  unsigned int Augmented{ 0 };
  unsigned int NotFinite{ 0 };
  unsigned int WithDisc{ 0 };
  unsigned int WithCup{ 0 };
};

void RunFilterCase(RandomCases &       random,
                   const itk::NPSNet * network,
                   const ImageType *   image,
                   bool                augmented,
                   Tally &             tally)
{
  auto filter = FilterType::New();
  filter->SetNetwork(network);
  filter->SetInput(image);
  filter->SetSettings(random.TTA(augmented));
  filter->Update();
  const auto size = filter->GetDiscOccupancy()->GetLargestPossibleRegion().GetSize();
  ASSERT_EQ(
    CheckMaps(
      filter->GetDiscOccupancy()->GetBufferPointer(), filter->GetCupOccupancy()->GetBufferPointer(), size[1], size[0]),
    "")
    << "case " << tally.Cases;
  ASSERT_EQ(CheckBoundaryAndLabels(filter->GetBoundary(), image), "") << "case " << tally.Cases;
  if (!filter->GetReport().Finite)
  {
    ASSERT_TRUE(filter->GetBoundary()->IsDiscEmpty());
    ++tally.NotFinite;
  }
  tally.WithDisc += !filter->GetBoundary()->IsDiscEmpty();
  tally.WithCup += !filter->GetBoundary()->IsCupEmpty();
  tally.Augmented += augmented;
  ++tally.Cases;
}

/** \a flat makes the decrements so small that neighbouring logits differ by a rounding error or so: there a sigmoid of
 * vector instructions is no longer monotone by itself. */
itk::NPSNet::Pointer LoadRandom(const itk::NPSNetArchitecture & architecture,
                                unsigned int                    seed,
                                double                          scale,
                                double                          flat = 0.0)
{
  auto state = randommodel::MakeState(architecture, seed, scale);
  if (flat > 0.0)
  {
    for (auto & item : state)
    {
      if (item.first.find("dec_conv.weight") != std::string::npos)
      {
        item.second = item.second * 0.01;
      }
      if (item.first.find("dec_conv.bias") != std::string::npos)
      {
        item.second = torch::full_like(item.second, -flat);
      }
    }
  }
  return itk::NPSNet::Load(randommodel::Write("property.safetensors", architecture, state));
}

/** The network alone, before any filter could repair what it broke. With \a ordinary weights the network's own repairs
 * must be of the size of rounding errors. */
void RunNetworkCases(RandomCases & random, const itk::NPSNet * network, std::size_t count, bool ordinary, Tally & tally)
{
  std::vector<float> images(count * 3 * 32 * 48);
  for (std::size_t k = 0; k < count; ++k)
  {
    const double level = random.Uniform(0, 1);
    const double contrast = random.Below(3) == 0 ? 0.0 : random.Uniform(0, 1);
    for (std::size_t at = 0; at < 3 * 32 * 48; ++at)
    {
      images[k * 3 * 32 * 48 + at] = static_cast<float>(level + contrast * random.Uniform(-0.5, 0.5));
    }
  }
  const auto        result = network->Infer(images.data(), count, 32, 48);
  const auto        raw = network->Infer(images.data(), count, 32, 48, true);
  const std::size_t size = 32 * 48;
  for (std::size_t k = 0; k < count; ++k, ++tally.Cases)
  {
    const float * disc = result.Disc.data() + k * size;
    const float * cup = result.Cup.data() + k * size;
    const auto    isFinite = [](float value) { return std::isfinite(value); };
    if (std::all_of(disc, disc + size, isFinite) && std::all_of(cup, cup + size, isFinite))
    {
      ASSERT_EQ(CheckMaps(disc, cup, 32, 48), "") << "case " << tally.Cases;
      for (std::size_t at = 0; ordinary && at < size; ++at) // P_c = P_d * sigma(L_c), not just anything below P_d
      {
        ASSERT_NEAR(cup[at], raw.Cup[k * size + at], 1e-5) << "case " << tally.Cases;
      }
      tally.WithDisc += *std::max_element(disc, disc + size) > 0.5f;
      tally.WithCup += *std::max_element(cup, cup + size) > 0.5f;
    }
    else
    {
      ++tally.NotFinite;
    }
  }
}

void Print(const char * what, const Tally & tally)
{
  std::cout << what << ": " << tally.Cases << " cases, seed " << Seed << ", with TTA " << tally.Augmented
            << ", not finite " << tally.NotFinite << ", with a disc " << tally.WithDisc << ", with a cup "
            << tally.WithCup << '\n';
}
} // namespace

/** A fifth of the ten thousand cases each: they run on all cores. */
class NPSNetSmallGridProperties : public ::testing::TestWithParam<unsigned int>
{};

TEST_P(NPSNetSmallGridProperties, HoldForRandomNetworksAndImages)
{
  const unsigned int firstModel = 50 * GetParam();
  RandomCases        random(Seed + 1000 * GetParam());
  Tally              tally;
  auto               architecture = randommodel::SmallArchitecture();
  for (unsigned int model = firstModel; model < firstModel + 50; ++model)
  {
    const unsigned int width = 4 + 4 * random.Below(2);
    architecture.Channels = { width, width, 8, 8 };
    architecture.Variant = random.Below(4) == 0 ? itk::NPSNetVariant::Nested : itk::NPSNetVariant::ShapePrior;
    const auto network = LoadRandom(architecture, Seed + model, random.Scale());
    for (unsigned int i = 0; i < 40; ++i)
    {
      ASSERT_NO_FATAL_FAILURE(RunFilterCase(random, network, random.Image(64), i % 8 == 0, tally));
    }
  }
  Print("small grids", tally);
  EXPECT_GE(tally.Cases, 2000u);
  EXPECT_GT(tally.WithDisc, tally.Cases / 10);
  EXPECT_GT(tally.WithCup, tally.Cases / 50);
  EXPECT_GT(tally.NotFinite, 0u);
}

INSTANTIATE_TEST_SUITE_P(TenThousandCases, NPSNetSmallGridProperties, ::testing::Range(0u, 5u));

TEST(NPSNetProperties, HoldForTheNetworkItself)
{
  RandomCases random(Seed + 5);
  Tally       tally;
  auto        architecture = randommodel::SmallArchitecture();
  for (unsigned int model = 0; model < 100; ++model)
  {
    architecture.Variant = model % 4 == 0 ? itk::NPSNetVariant::Nested : itk::NPSNetVariant::ShapePrior;
    const bool   flat = model % 2 == 0;
    const double scale = flat ? 1.0 : random.Scale();
    const auto   network = LoadRandom(architecture, Seed + model, scale, flat ? random.Uniform(4, 18) : 0.0);
    ASSERT_NO_FATAL_FAILURE(RunNetworkCases(random, network, 40, scale <= 3.0, tally)) << "model " << model;
  }
  Print("network alone", tally);
  EXPECT_GT(tally.WithDisc, tally.Cases / 10);
}

TEST(NPSNetProperties, HoldForAPriorThatPullsTheCupOutward)
{
  // The heads of a healthy network are monotone in exact arithmetic, and in fp32 on a CPU as well. A negative lambda_c
  // makes the cup's logits grow along a ray: here only the running minimum keeps the promise.
  RandomCases        random(Seed + 6);
  Tally              tally;
  unsigned int       growing = 0;
  const auto         architecture = randommodel::SmallArchitecture();
  std::vector<float> image(3 * 32 * 48);
  for (unsigned int model = 0; model < 20; ++model)
  {
    auto state = randommodel::MakeState(architecture, Seed + model, 1.0);
    state["fusion.lambda_c"] = torch::tensor(static_cast<float>(-random.Uniform(0.5, 3.0)));
    itk::NPSNet::Settings settings;
    settings.AllowNegativePriorScale = true;
    const auto network = itk::NPSNet::Load(randommodel::Write("outward.safetensors", architecture, state), settings);
    for (unsigned int i = 0; i < 10; ++i, ++tally.Cases)
    {
      for (auto & value : image)
      {
        value = static_cast<float>(random.Uniform(0, 1));
      }
      const auto result = network->Infer(image.data(), 1, 32, 48);
      ASSERT_EQ(CheckMaps(result.Disc.data(), result.Cup.data(), 32, 48), "") << "case " << tally.Cases;
      const auto raw = network->Infer(image.data(), 1, 32, 48, true);
      growing += CheckMaps(raw.Disc.data(), raw.Cup.data(), 32, 48) == "an occupancy grows along a ray";
    }
  }
  std::cout << "outward prior: " << tally.Cases << " cases, seed " << Seed + 6
            << ", growing before the running minimum " << growing << '\n';
  EXPECT_GT(growing, 0u);
}

TEST(NPSNetProperties, HoldForIndependentHeadsAfterTheFilter)
{
  // B1 and B2 promise nothing; the filter still gives a valid boundary.
  RandomCases random(Seed + 1);
  Tally       tally;
  auto        architecture = randommodel::SmallArchitecture();
  for (unsigned int model = 0; model < 20; ++model)
  {
    architecture.Variant = model % 2 ? itk::NPSNetVariant::PolarUNet : itk::NPSNetVariant::Monotone;
    const auto network = LoadRandom(architecture, Seed + model, random.Scale());
    for (unsigned int i = 0; i < 20; ++i)
    {
      ASSERT_NO_FATAL_FAILURE(RunFilterCase(random, network, random.Image(64), i % 4 == 0, tally));
    }
  }
  Print("independent heads", tally);
}

TEST(NPSNetProperties, HoldForImagesThatAreNoImages)
{
  RandomCases        random(Seed + 2);
  const auto         architecture = randommodel::SmallArchitecture();
  unsigned int       cases = 0;
  unsigned int       refused = 0;
  const float        odd[] = { std::numeric_limits<float>::quiet_NaN(),
                               std::numeric_limits<float>::infinity(),
                               -std::numeric_limits<float>::infinity(),
                               1e30f,
                               -1e30f };
  std::vector<float> image(3 * 32 * 48);
  for (unsigned int model = 0; model < 20; ++model)
  {
    const auto network = LoadRandom(architecture, Seed + model, random.Scale());
    for (unsigned int i = 0; i < 50; ++i, ++cases)
    {
      for (auto & value : image)
      {
        value = static_cast<float>(random.Uniform(-1, 2));
      }
      for (unsigned int spoiled = random.Below(20); spoiled > 0; --spoiled)
      {
        image[random.Below(static_cast<unsigned int>(image.size()))] =
          odd[i % 2 == 0 ? random.Below(5) : 3 + random.Below(2)];
      }
      if (!std::all_of(image.begin(), image.end(), [](float value) { return std::isfinite(value); }))
      {
        ASSERT_THROW(network->Infer(image.data(), 1, 32, 48), itk::ExceptionObject);
        ++refused;
        continue;
      }
      const auto          result = network->Infer(image.data(), 1, 32, 48);
      std::vector<double> disc;
      std::vector<double> cup;
      if (itk::ExtractNestedRadiiFromOccupancy(result.Disc.data(), result.Cup.data(), 32, 48, disc, cup))
      {
        ASSERT_EQ(CheckMaps(result.Disc.data(), result.Cup.data(), 32, 48), "") << "case " << cases;
      }
      else
      {
        ASSERT_EQ(*std::max_element(disc.begin(), disc.end()), 0.0);
      }
      for (std::size_t a = 0; a < 48; ++a)
      {
        ASSERT_LE(cup[a], disc[a]);
      }
    }
  }
  std::cout << "spoiled images: " << cases << " cases, seed " << Seed + 2 << ", refused " << refused << '\n';
  EXPECT_GT(refused, 100u);
  EXPECT_GT(cases, refused + 100u);
}

TEST(NPSNetProperties, HoldOnLargeGrids)
{
  RandomCases random(Seed + 3);
  Tally       tally;
  for (unsigned int model = 0; model < 10; ++model)
  {
    itk::NPSNetArchitecture architecture;
    architecture.Channels = { 4, 8, 8, 16 };
    architecture.ShapeFeatures = 16;
    architecture.NumberOfRadii = model % 2 ? 256 : 128;
    architecture.NumberOfAngles = model % 2 ? 360 : 352;
    architecture.CropSize = 256;
    architecture.ContextFeatures = model % 3 == 1 ? 8 : 0;
    architecture.HeadContextFeatures = model % 3 ? 8 : 0;
    const auto network = LoadRandom(architecture, Seed + model, random.Scale());
    for (unsigned int i = 0; i < 20; ++i)
    {
      ASSERT_NO_FATAL_FAILURE(RunFilterCase(random, network, random.Image(256), i % 10 == 0, tally));
    }
  }
  Print("large grids", tally);
  EXPECT_GE(tally.Cases, 200u);
}

TEST(NPSNetProperties, RotatingTheInputRotatesTheOutput)
{
  RandomCases random(Seed + 4);
  const auto  architecture = randommodel::SmallArchitecture();
  double      worst = 0.0;
  for (unsigned int model = 0; model < 20; ++model)
  {
    const auto         network = LoadRandom(architecture, Seed + model, 1.0);
    std::vector<float> image(3 * 32 * 48);
    for (auto & value : image)
    {
      value = static_cast<float>(random.Uniform(0, 1));
    }
    const std::size_t  shift = 16 * (1 + random.Below(2));
    std::vector<float> rotated(image.size());
    for (std::size_t at = 0; at < image.size(); ++at)
    {
      rotated[at / 48 * 48 + (at % 48 + shift) % 48] = image[at];
    }
    const auto a = network->Infer(image.data(), 1, 32, 48);
    const auto b = network->Infer(rotated.data(), 1, 32, 48);
    for (std::size_t at = 0; at < a.Disc.size(); ++at)
    {
      const std::size_t to = at / 48 * 48 + (at % 48 + shift) % 48;
      worst = std::max({ worst,
                         std::abs(static_cast<double>(a.Disc[at]) - b.Disc[to]),
                         std::abs(static_cast<double>(a.Cup[at]) - b.Cup[to]) });
    }
  }
  std::cout << "largest difference after rotation " << worst << '\n';
  EXPECT_LT(worst, 1e-4);
}
