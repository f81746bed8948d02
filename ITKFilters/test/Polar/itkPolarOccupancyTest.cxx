// SPDX-License-Identifier: Apache-2.0
#include "itkPolarOccupancy.h"
#include "NumpyArray.h"
#include "TestImages.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace
{
using Profile = itk::NestedPolarBoundary::ProfileType;

/** Map of 1 or 2 rays given ray by ray. */
Profile Radii(const std::vector<std::vector<float>> & rays, bool * finite = nullptr)
{
  const std::size_t  radii = rays.front().size();
  std::vector<float> map(radii * rays.size());
  for (std::size_t i = 0; i < rays.size(); ++i)
  {
    for (std::size_t j = 0; j < radii; ++j)
    {
      map[j * rays.size() + i] = rays[i][j];
    }
  }
  bool       ok = false;
  const auto result = itk::ExtractRadiiFromOccupancy(map.data(), radii, rays.size(), ok);
  if (finite != nullptr)
  {
    *finite = ok;
  }
  return result;
}
} // namespace

TEST(itkPolarOccupancy, InterpolatesTheCrossing)
{
  EXPECT_DOUBLE_EQ(Radii({ { 1, 1, 0, 0, 0 } })[0], 1.5 / 4);
  EXPECT_DOUBLE_EQ(Radii({ { 1, .75f, .25f, 0, 0 } })[0], 1.5 / 4);
  EXPECT_DOUBLE_EQ(Radii({ { 1, 1, .5f, 0, 0 } })[0], 2.0 / 4); // 0.5 is inside
  EXPECT_DOUBLE_EQ(Radii({ { .4f, 1, 1, 1, 1 } })[0], 0.0);
  EXPECT_DOUBLE_EQ(Radii({ { 1, 1, 1, 1, .5f } })[0], 1.0);
  EXPECT_DOUBLE_EQ(Radii({ { 1, 1, 1, 1, 1 } })[0], 1.0);
  EXPECT_DOUBLE_EQ(Radii({ { 0, 0, 0, 0, 0 } })[0], 0.0);
  // Running minimum: what rises again behind the first crossing does not count.
  EXPECT_DOUBLE_EQ(Radii({ { 1, 0, 1, 1, 1 } })[0], 0.5 / 4);
  EXPECT_DOUBLE_EQ(Radii({ { .6f, .9f, .4f, 1, 1 } })[0], Radii({ { .6f, .6f, .4f, .4f, .4f } })[0]);
  const auto two = Radii({ { 1, 0, 0, 0, 0 }, { 1, 1, 1, 0, 0 } });
  EXPECT_DOUBLE_EQ(two[0], 0.5 / 4);
  EXPECT_DOUBLE_EQ(two[1], 2.5 / 4);
}

TEST(itkPolarOccupancy, NotFiniteIsEmptyWithAFlag)
{
  for (const float bad : { std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity() })
  {
    bool finite = true;
    EXPECT_EQ(Radii({ { 1, 1, 0 }, { 1, 0, bad } }, &finite), (Profile{ 0.0, 0.0 }));
    EXPECT_FALSE(finite);

    Profile            disc, cup;
    std::vector<float> good{ 1, 1, 1, 0, 0, 0 };
    std::vector<float> broken{ 1, bad, 1, 0, 0, 0 };
    EXPECT_FALSE(itk::ExtractNestedRadiiFromOccupancy(good.data(), broken.data(), 2, 3, disc, cup));
    EXPECT_EQ(disc, Profile(3, 0.0));
    EXPECT_EQ(cup, Profile(3, 0.0));
    EXPECT_TRUE(itk::ExtractNestedRadiiFromOccupancy(good.data(), good.data(), 2, 3, disc, cup));
    EXPECT_EQ(disc, Profile(3, 0.5));
  }
  bool  finite = true;
  float one = 1.0f;
  EXPECT_THROW(itk::ExtractRadiiFromOccupancy(&one, 1, 1, finite), itk::ExceptionObject);
}

TEST(itkPolarOccupancy, AlwaysNestedWhateverTheMaps)
{
  std::mt19937                          generator(3);
  std::uniform_real_distribution<float> uniform(-0.5f, 1.5f);
  for (int repeat = 0; repeat < 500; ++repeat)
  {
    std::vector<float> d(32 * 48), c(32 * 48);
    for (std::size_t i = 0; i < d.size(); ++i)
    {
      d[i] = uniform(generator);
      c[i] = uniform(generator);
    }
    Profile disc, cup;
    ASSERT_TRUE(itk::ExtractNestedRadiiFromOccupancy(d.data(), c.data(), 32, 48, disc, cup));
    auto boundary = itk::NestedPolarBoundary::New();
    ASSERT_NO_THROW(boundary->SetRadii(disc, cup));
  }
}

TEST(itkPolarOccupancy, AgreesWithTheOraclesMask)
{
  const auto P = NumpyArray::Read(OracleDir + "P_d_polar.npy");
  bool       finite = false;
  const auto radii = itk::ExtractRadiiFromOccupancy(P.Values.data(), 256, 360, finite);
  ASSERT_TRUE(finite);
  for (std::size_t i = 0; i < 360; ++i)
  {
    for (std::size_t j = 0; j < 256; ++j)
    {
      const bool inside = static_cast<double>(j) / 255.0 <= radii[i] && radii[i] > 0.0;
      ASSERT_EQ(inside, P.Values[j * 360 + i] >= 0.5f) << j << ' ' << i;
    }
  }
}
