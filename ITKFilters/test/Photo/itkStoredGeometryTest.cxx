// SPDX-License-Identifier: Apache-2.0
#include "itkStoredGeometry.h"

#include "itkMacro.h"

#include <gtest/gtest.h>

#include <vector>

namespace
{
using Index = itk::StoredGeometry::IndexType;
using ContinuousIndex = itk::StoredGeometry::ContinuousIndexType;

itk::StoredGeometry MakeGeometry(unsigned int orientation)
{
  itk::StoredGeometry geometry;
  geometry.Size = { { 5, 3 } };
  geometry.Orientation = orientation;
  return geometry;
}
} // namespace

// EXIF 2.3, tag 0x0112: the side of the upright image at which the stored row 0 and column 0 lie.
TEST(itkStoredGeometry, OrientationsMeanWhatExifSays)
{
  const std::vector<Index> upLeft = { { { 0, 0 } }, { { 4, 0 } }, { { 4, 2 } }, { { 0, 2 } },
                                      { { 0, 0 } }, { { 2, 0 } }, { { 2, 4 } }, { { 0, 4 } } };
  const std::vector<Index> alongRow = { { { 1, 0 } }, { { 3, 0 } }, { { 3, 2 } }, { { 1, 2 } },
                                        { { 0, 1 } }, { { 2, 1 } }, { { 2, 3 } }, { { 0, 3 } } };
  for (unsigned int orientation = 1; orientation <= 8; ++orientation)
  {
    const auto geometry = MakeGeometry(orientation);
    EXPECT_EQ(geometry.StoredToUpright(Index{ { 0, 0 } }), upLeft[orientation - 1]) << orientation;
    EXPECT_EQ(geometry.StoredToUpright(Index{ { 1, 0 } }), alongRow[orientation - 1]) << orientation;
  }
  EXPECT_THROW(MakeGeometry(0).StoredToUpright(Index{ { 0, 0 } }), itk::ExceptionObject);
  EXPECT_THROW(MakeGeometry(9).UprightToStored(Index{ { 0, 0 } }), itk::ExceptionObject);
}

TEST(itkStoredGeometry, GoesThereAndBackForPixelsAndBetweenThem)
{
  for (unsigned int orientation = 1; orientation <= 8; ++orientation)
  {
    const auto geometry = MakeGeometry(orientation);
    const auto size = geometry.GetUprightSize();
    for (itk::IndexValueType y = 0; y < 3; ++y)
    {
      for (itk::IndexValueType x = 0; x < 5; ++x)
      {
        const Index stored{ { x, y } };
        const Index upright = geometry.StoredToUpright(stored);
        EXPECT_GE(upright[0], 0);
        EXPECT_LT(upright[0], static_cast<itk::IndexValueType>(size[0]));
        EXPECT_LT(upright[1], static_cast<itk::IndexValueType>(size[1]));
        EXPECT_EQ(geometry.UprightToStored(upright), stored) << orientation;
        EXPECT_EQ(geometry.StoredToUpright(ContinuousIndex(stored)), ContinuousIndex(upright)) << orientation;
      }
    }
    const double between[] = { 1.25, 0.5 };
    EXPECT_EQ(geometry.UprightToStored(geometry.StoredToUpright(ContinuousIndex(between))), ContinuousIndex(between));
  }
}

TEST(itkStoredGeometry, FindsAPlaceInSpace)
{
  itk::StoredGeometry geometry = MakeGeometry(6); // stored (x, y) is upright (2 - y, x)
  geometry.Spacing = { { 0.5, 0.25, 3.0 } };
  geometry.Origin = { { 7.0, -8.0, 9.0 } };
  geometry.Direction = { { 0, 1, 0, -1, 0, 0, 0, 0, 1 } };
  // Stored (2, 1): 2 * 0.5 along (0, -1, 0) and 1 * 0.25 along (1, 0, 0); off the plane by 5.
  const double place[] = { 7.25, -9.0, 14.0 };
  const auto   index = geometry.PhysicalToUpright(place);
  EXPECT_NEAR(index[0], 1.0, 1e-12);
  EXPECT_NEAR(index[1], 2.0, 1e-12);
}
