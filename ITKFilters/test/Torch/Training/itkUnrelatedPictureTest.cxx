// SPDX-License-Identifier: Apache-2.0
#include "itkUnrelatedPicture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace
{
itk::ColorRaster MakeRaster(float value)
{
  itk::ColorRaster raster;
  raster.Size = 96;
  raster.Values.assign(3 * 96 * 96, value);
  return raster;
}

itk::ColorRaster Draw(std::uint64_t index)
{
  auto                raster = MakeRaster(0.0F);
  itk::TrainingRandom random(1, 0, index);
  itk::DrawUnrelatedPicture(raster, random);
  return raster;
}
} // namespace

TEST(UnrelatedPicture, IsAPictureAndTheSameForTheSameSeed)
{
  int flat = 0;
  for (std::uint64_t i = 0; i < 60; ++i)
  {
    const auto picture = Draw(i);
    const auto range = std::minmax_element(picture.Values.begin(), picture.Values.end());
    EXPECT_GE(*range.first, 0.0F);
    EXPECT_LE(*range.second, 255.0F);
    EXPECT_EQ(picture.Values, Draw(i).Values);
    EXPECT_NE(picture.Values, Draw(i + 1).Values);
    flat += *range.second - *range.first < 20.0F;
  }
  EXPECT_LE(flat, 12);
}

TEST(UnrelatedPicture, SpotsAreBrighterAndLeaveTheDiscAlone)
{
  constexpr double x = 40.0;
  constexpr double y = 55.0;
  constexpr double distance = 20.0;
  int              painted = 0;
  for (std::uint64_t i = 0; i < 60; ++i)
  {
    auto                raster = MakeRaster(100.0F);
    itk::TrainingRandom random(2, 0, i);
    itk::DrawBrightSpots(raster, x, y, distance, random);
    for (unsigned int row = 0; row < raster.Size; ++row)
    {
      for (unsigned int column = 0; column < raster.Size; ++column)
      {
        const float * p = raster(column, row);
        EXPECT_GE(std::min({ p[0], p[1], p[2] }), 100.0F);
        if (p[0] > 100.0F)
        {
          ++painted;
          EXPECT_GT(std::hypot(column - x, row - y), distance);
        }
      }
    }
  }
  EXPECT_GT(painted, 60 * 20);
}

TEST(UnrelatedPicture, NoSpotsBesideTheField)
{
  auto                black = MakeRaster(3.0F);
  itk::TrainingRandom random(3, 0, 0);
  itk::DrawBrightSpots(black, 0.0, 0.0, 0.0, random);
  EXPECT_EQ(black.Values, MakeRaster(3.0F).Values);
}
