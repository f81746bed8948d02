// SPDX-License-Identifier: Apache-2.0
#include "itkSegmentationNetwork.h"

#include "NumpyArray.h"
#include "itkNetworkThreads.h"
#include "itkPolarOccupancy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <random>
#include <thread>

namespace
{
using itk::npsnet::GetInstructionSet;
using itk::npsnet::InstructionSetEnum;
using itk::npsnet::NetworkThreads;
using itk::npsnet::SegmentationNetwork;

std::string OraclePath(const std::string & name)
{
  const char * folder = std::getenv("NPSNET_ORACLE_DIR");
  return (folder ? std::string(folder) : std::string(NPSNET_TEST_DATA_DIR "/oracle/b4_narrow")) + "/" + name;
}

const char DefaultModel[] = NPSNET_RESOURCES_DIR "/Models/npsnet-default.safetensors";

std::vector<InstructionSetEnum> InstructionSets()
{
  std::vector<InstructionSetEnum> sets;
  for (const auto set : { InstructionSetEnum::Baseline, InstructionSetEnum::AVX2, InstructionSetEnum::AVX512 })
  {
    if (set <= GetInstructionSet())
    {
      sets.push_back(set);
    }
  }
  return sets;
}

struct Maps
{
  std::vector<float> Disc, Cup, DiscConfidence, CupConfidence;

  bool operator==(const Maps & other) const
  {
    return Disc == other.Disc && Cup == other.Cup && DiscConfidence == other.DiscConfidence &&
           CupConfidence == other.CupConfidence;
  }
};

Maps Infer(const SegmentationNetwork & network,
           const float *               image,
           std::size_t                 radii,
           std::size_t                 angles,
           bool                        raw = false)
{
  Maps maps{ std::vector<float>(radii * angles),
             std::vector<float>(radii * angles),
             std::vector<float>(angles),
             std::vector<float>(angles) };
  network.Infer(image,
                radii,
                angles,
                raw,
                { maps.Disc.data(), maps.Cup.data(), maps.DiscConfidence.data(), maps.CupConfidence.data() });
  return maps;
}

std::vector<float> RandomImage(std::size_t radii, std::size_t angles, unsigned int seed = 1)
{
  std::mt19937       random(seed);
  std::vector<float> image(3 * radii * angles);
  for (float & value : image)
  {
    value = static_cast<float>(random() % 256) / 255.0F;
  }
  return image;
}

/** A bright disc with a brighter cup, not quite round, and noise: edges that a radius can be read from. */
std::vector<float> DiscImage(std::size_t radii, std::size_t angles)
{
  auto       image = RandomImage(radii, angles, 5);
  const auto step = [](double distance) { return 1.0 / (1.0 + std::exp(-40.0 * distance)); };
  for (std::size_t i = 0; i < image.size(); ++i)
  {
    const double theta = 6.2831853 * static_cast<double>(i % angles) / static_cast<double>(angles);
    const double rho = static_cast<double>(i / angles % radii) / static_cast<double>(radii);
    const double disc = step(0.5 + 0.05 * std::cos(2.0 * theta) - rho);
    const double cup = step(0.25 + 0.03 * std::sin(theta) - rho);
    image[i] = static_cast<float>(0.25 + 0.3 * disc + 0.25 * cup) + 0.1F * image[i];
  }
  return image;
}

double LargestDifference(const std::vector<float> & a, const std::vector<float> & b)
{
  EXPECT_EQ(a.size(), b.size());
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
  {
    largest = std::max(largest, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
  }
  return largest;
}

/** Puts the number of threads back. */
class ThreadsScope
{
public:
  ~ThreadsScope() { NetworkThreads::SetNumberOfThreads(m_Before); }

private:
  unsigned int m_Before{ NetworkThreads::GetNumberOfThreads() };
};
} // namespace

TEST(SegmentationNetwork, ReproducesTheAuthorsMapsFromTheirCheckpoint)
{
  const itk::NPSNetModelFile file(OraclePath("checkpoint_b4_narrow.pth"));
  const auto                 image = NumpyArray::Read(OraclePath("polar_image.npy")).Values;
  for (const auto set : InstructionSets())
  {
    const SegmentationNetwork network(file, set);
    for (const bool raw : { false, true })
    {
      const auto maps = Infer(network, image.data(), 256, 360, raw);
      const auto difference = [](const std::string & name, const std::vector<float> & values) {
        return LargestDifference(NumpyArray::Read(OraclePath(name + ".npy")).Values, values);
      };
      EXPECT_LT(difference("P_d_polar", maps.Disc), 1e-5) << InstructionSetToString(set);
      EXPECT_LT(difference("P_c_polar", maps.Cup), 1e-5) << InstructionSetToString(set);
      EXPECT_LT(difference("gamma_d", maps.DiscConfidence), 1e-5) << InstructionSetToString(set);
      EXPECT_LT(difference("gamma_c", maps.CupConfidence), 1e-5) << InstructionSetToString(set);
    }
  }
}

TEST(SegmentationNetwork, GivesTheSameBitsForEveryNumberOfThreads)
{
  const ThreadsScope         scope;
  const itk::NPSNetModelFile file(DefaultModel);
  const auto                 image = RandomImage(128, 192);
  for (const auto set : InstructionSets())
  {
    NetworkThreads::SetNumberOfThreads(1);
    const auto expected = Infer(SegmentationNetwork(file, set), image.data(), 128, 192);
    for (const unsigned int threads : { 2U, 3U, 7U, 16U })
    {
      NetworkThreads::SetNumberOfThreads(threads);
      const SegmentationNetwork network(file, set); // its weights are transformed by these threads, too
      for (int run = 0; run < 5; ++run)
      {
        ASSERT_TRUE(Infer(network, image.data(), 128, 192) == expected)
          << threads << " threads, " << InstructionSetToString(set);
      }
    }
  }
}

TEST(SegmentationNetwork, GivesTheSameBitsWhereverTheImageLiesAndWhateverRanBefore)
{
  const itk::NPSNetModelFile file(DefaultModel);
  const auto                 image = RandomImage(128, 192);
  const SegmentationNetwork  network(file);
  const auto                 expected = Infer(network, image.data(), 128, 192);
  std::vector<float>         room(image.size() + 16);
  for (std::size_t shift = 0; shift < 16; shift += 3)
  {
    std::copy(image.begin(), image.end(), room.begin() + static_cast<std::ptrdiff_t>(shift));
    Infer(network, RandomImage(64, 96, static_cast<unsigned int>(shift)).data(), 64, 96);
    ASSERT_TRUE(Infer(network, room.data() + shift, 128, 192) == expected) << shift;
  }
  ASSERT_TRUE(Infer(SegmentationNetwork(file), image.data(), 128, 192) == expected) << "another copy";
}

TEST(SegmentationNetwork, GivesTheSameBitsToCallersAtTheSameTime)
{
  const itk::NPSNetModelFile file(DefaultModel);
  const auto                 image = RandomImage(128, 192);
  const SegmentationNetwork  network(file);
  const auto                 expected = Infer(network, image.data(), 128, 192);
  std::vector<int>           equal(4, 0);
  std::vector<std::thread>   threads;
  for (int & count : equal)
  {
    threads.emplace_back([&] {
      for (int run = 0; run < 5; ++run)
      {
        count += Infer(network, image.data(), 128, 192) == expected ? 1 : 0;
      }
    });
  }
  for (auto & thread : threads)
  {
    thread.join();
  }
  EXPECT_EQ(equal, std::vector<int>(4, 5));
}

TEST(SegmentationNetwork, RadiiAgreeAcrossInstructionSets)
{
  const itk::NPSNetModelFile file(DefaultModel);
  const auto                 image = DiscImage(128, 192);
  const auto                 radii = [&](InstructionSetEnum set) {
    const auto                            maps = Infer(SegmentationNetwork(file, set), image.data(), 128, 192);
    itk::NestedPolarBoundary::ProfileType disc;
    itk::NestedPolarBoundary::ProfileType cup;
    itk::ExtractNestedRadiiFromOccupancy(maps.Disc.data(), maps.Cup.data(), 128, 192, disc, cup);
    disc.insert(disc.end(), cup.begin(), cup.end());
    return disc;
  };
  const auto expected = radii(InstructionSetEnum::Baseline);
  EXPECT_GT(*std::max_element(expected.begin(), expected.end()), 0.3) << "there is a disc";
  for (const auto set : InstructionSets())
  {
    const auto found = radii(set);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
    {
      ASSERT_NEAR(found[i], expected[i], 1e-5) << InstructionSetToString(set);
    }
  }
}

TEST(SegmentationNetwork, MapsFallAlongEveryRayAndTheCupLiesInTheDisc)
{
  const itk::NPSNetModelFile file(DefaultModel);
  for (const auto set : InstructionSets())
  {
    const SegmentationNetwork network(file, set);
    const auto                maps = Infer(network, RandomImage(128, 192, 3).data(), 128, 192);
    for (std::size_t i = 0; i < maps.Disc.size(); ++i)
    {
      ASSERT_LE(maps.Cup[i], maps.Disc[i]);
      if (i >= 192)
      {
        ASSERT_LE(maps.Disc[i], maps.Disc[i - 192]);
        ASSERT_LE(maps.Cup[i], maps.Cup[i - 192]);
      }
    }
  }
}

TEST(SegmentationNetwork, TurningThePolarImageTurnsTheAnswerOfAModelWithoutContext)
{
  // 352 angles are divisible by 16, unlike the 360 that the weights were trained with.
  const SegmentationNetwork network(itk::NPSNetModelFile(OraclePath("checkpoint_b4_narrow.pth")));
  constexpr std::size_t     radii = 64;
  constexpr std::size_t     angles = 352;
  constexpr std::size_t     shift = 16;
  const auto                image = RandomImage(radii, angles);
  std::vector<float>        turned(image.size());
  for (std::size_t i = 0; i < image.size(); ++i)
  {
    turned[i / angles * angles + (i + shift) % angles] = image[i];
  }
  const auto maps = Infer(network, image.data(), radii, angles);
  const auto turnedMaps = Infer(network, turned.data(), radii, angles);
  for (std::size_t i = 0; i < maps.Disc.size(); ++i)
  {
    ASSERT_NEAR(maps.Disc[i], turnedMaps.Disc[i / angles * angles + (i % angles + shift) % angles], 1e-5) << i;
  }
}

TEST(NetworkThreads, TakeEveryTurnOnceAndPassExceptionsOn)
{
  const ThreadsScope scope;
  for (const unsigned int threads : { 1U, 2U, 5U })
  {
    NetworkThreads::SetNumberOfThreads(threads);
    for (std::int64_t count : { 0, 1, 2, 1000 })
    {
      std::vector<int> turns(static_cast<std::size_t>(count), 0);
      NetworkThreads::For(count, [&](std::int64_t i) { ++turns[static_cast<std::size_t>(i)]; });
      EXPECT_EQ(turns, std::vector<int>(static_cast<std::size_t>(count), 1));
    }
    EXPECT_THROW(NetworkThreads::For(50,
                                     [](std::int64_t i) {
                                       if (i == 20)
                                       {
                                         throw std::runtime_error("turn 20");
                                       }
                                     }),
                 std::runtime_error);
  }
  EXPECT_THROW(NetworkThreads::SetNumberOfThreads(100000), itk::ExceptionObject);
}

TEST(InstructionSet, CanBeBounded)
{
  const auto        widest = GetInstructionSet();
  const char *      before = std::getenv("NPSNET_INSTRUCTIONS");
  const std::string kept = before ? before : "";
  setenv("NPSNET_INSTRUCTIONS", "baseline", 1);
  EXPECT_EQ(GetInstructionSet(), InstructionSetEnum::Baseline);
  before ? setenv("NPSNET_INSTRUCTIONS", kept.c_str(), 1) : unsetenv("NPSNET_INSTRUCTIONS");
  EXPECT_EQ(GetInstructionSet(), widest);
}
