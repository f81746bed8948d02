// SPDX-License-Identifier: Apache-2.0
#include "detail/itkPolarSampling.h"

#include "TestImages.h"
#include "itkMath.h"
#include "itkNestedPolarBoundary.h"
#include "itkPolarFrame.h"
#include "itkPolarInverseResampleImageFilter.h"
#include "itkPolarResampleImageFilter.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace
{
using Grid = itk::PolarGrid<double>;
using Cell = itk::PolarCell<double>;

struct Bin
{
  int    Radius;
  int    Angle;
  double X;
  double Y;
};

/** The published grid of a 512 x 512 crop at some of its 256 x 360 bins, by hand. */
const Bin Table[] = { { 0, 77, 255.5, 255.5 },
                      { 255, 0, 511.5, 255.5 },
                      { 255, 90, 255.5, 511.5 },
                      { 255, 180, -0.5, 255.5 },
                      { 255, 270, 255.5, -0.5 },
                      { 51, 45, 255.5 + 51.2 * 0.70710678118654752, 255.5 + 51.2 * 0.70710678118654752 },
                      { 102, 210, 255.5 - 102.4 * 0.86602540378443865, 255.5 - 51.2 } };

Grid PublishedGrid()
{
  return { { 255.5, 255.5 }, { 256.0, 256.0 }, 256, 360 };
}
} // namespace

TEST(itkPolarGrid, AllThatIsPolarFollowsOneTable)
{
  const Grid grid = PublishedGrid();
  const auto sampled = itk::MakePolarGrid(512, 512, itk::PolarHypothesis{}, 256, 360);
  const auto image = MakeTestImage<itk::Image<float, 2>>(512, 512);
  const auto filtered =
    itk::PolarFrame(image, itk::PolarFrame::DefaultCenter(image), itk::PolarFrame::DefaultRadius(image))
      .MakeGrid(256, 360);
  for (const Bin & bin : Table)
  {
    double direction[2];
    double point[2];
    grid.GetDirection(bin.Angle, 360, direction);
    grid.GetPoint(bin.Radius, direction, point);
    EXPECT_NEAR(point[0], bin.X, 1e-12);
    EXPECT_NEAR(point[1], bin.Y, 1e-12);
    filtered.GetPoint(bin.Radius, direction, point);
    EXPECT_NEAR(point[0], bin.X, 1e-12);
    EXPECT_NEAR(point[1], bin.Y, 1e-12);

    float directionOfCrop[2];
    float pointOfCrop[2];
    sampled.GetDirection(bin.Angle, 360, directionOfCrop);
    sampled.GetPoint(bin.Radius, directionOfCrop, pointOfCrop);
    EXPECT_NEAR(pointOfCrop[0], bin.X, 5e-5);
    EXPECT_NEAR(pointOfCrop[1], bin.Y, 5e-5);

    // The way back.
    Cell cell;
    ASSERT_TRUE(grid.Locate(bin.X, bin.Y, cell));
    EXPECT_NEAR(cell.Radius0 + cell.RadiusWeight, bin.Radius, 1e-9);
    if (bin.Radius > 0)
    {
      EXPECT_NEAR(cell.Angle0 + cell.AngleWeight, bin.Angle, 1e-9);
      std::size_t below = 0;
      std::size_t above = 0;
      double      weight = 0.0;
      itk::NestedPolarBoundary::LocateAngle(std::atan2(bin.Y - 255.5, bin.X - 255.5), 360, below, above, weight);
      EXPECT_EQ(below, static_cast<std::size_t>(cell.Angle0));
      EXPECT_EQ(above, static_cast<std::size_t>(cell.Angle1));
      EXPECT_EQ(weight, cell.AngleWeight);
    }
  }
}

TEST(itkPolarGrid, EveryBinIsFoundAgainWherePixelsAreNotSquare)
{
  const Grid grid{ { 3.25, -7.5 }, { 40.0, 20.0 }, 17, 23 };
  for (int i = 0; i < grid.NumberOfAngles; ++i)
  {
    double direction[2];
    grid.GetDirection(i, grid.NumberOfAngles, direction);
    for (int j = 1; j < grid.NumberOfRadii; ++j)
    {
      double point[2];
      // A hair inside, since the outermost bin lies on the circle.
      grid.GetPoint(j, direction, point);
      point[0] += 1e-9 * (grid.Center[0] - point[0]);
      point[1] += 1e-9 * (grid.Center[1] - point[1]);
      Cell cell;
      ASSERT_TRUE(grid.Locate(point[0], point[1], cell));
      const double value =
        cell.Interpolate([](int radius, int angle) { return 100.0 * radius + (angle == 0 ? 23 : angle); });
      EXPECT_NEAR(value, 100.0 * j + (i == 0 ? 23 : i), 1e-4) << j << ' ' << i;
    }
  }
}

TEST(itkPolarGrid, OutsideIsOutside)
{
  const Grid grid = PublishedGrid();
  Cell       cell;
  EXPECT_FALSE(grid.Locate(511.6, 255.5, cell));
  EXPECT_FALSE(grid.Locate(std::numeric_limits<double>::quiet_NaN(), 0.0, cell));
  EXPECT_FALSE(grid.Locate(0.0, std::numeric_limits<double>::infinity(), cell));
  ASSERT_TRUE(grid.Locate(255.5, 255.5, cell));
  EXPECT_EQ(cell.Radius0, 0);
  EXPECT_EQ(cell.Angle0, 0);
  // Whole turns, the last bin's half and what no angle is.
  for (const double turns : { 1.0, -2.0, 0.0 })
  {
    cell.LocateAngle(turns, 8);
    EXPECT_EQ(cell.Angle0, 0);
    EXPECT_EQ(cell.AngleWeight, 0.0);
  }
  cell.LocateAngle(-1.0 / 16.0, 8);
  EXPECT_EQ(cell.Angle0, 7);
  EXPECT_EQ(cell.Angle1, 0);
  EXPECT_NEAR(cell.AngleWeight, 0.5, 1e-12);
  cell.LocateAngle(-1e-20, 8); // rounds to one turn
  EXPECT_EQ(cell.Angle0, 7);
  EXPECT_EQ(cell.AngleWeight, 1.0);
  cell.LocateAngle(std::numeric_limits<double>::quiet_NaN(), 8);
  EXPECT_LT(cell.Angle0, 8);
  EXPECT_GE(cell.Angle0, 0);
}
