// SPDX-License-Identifier: Apache-2.0
#include "itkPixelBox.h"

#include <gtest/gtest.h>

#include <vector>

namespace
{
bool IsSet(int value)
{
  return value != 0;
}
} // namespace

TEST(PixelBox, HoldsEveryPixelAndNoEmptyBorder)
{
  const std::vector<int> pixels = { 0, 0, 0, 0, 0, //
                                    0, 0, 0, 1, 0, //
                                    0, 1, 0, 0, 0, //
                                    0, 0, 0, 0, 0 };
  const auto             box = itk::PixelBox::Of(pixels.data(), 5, 4, IsSet);
  ASSERT_TRUE(box);
  EXPECT_EQ(box->Left, 1u);
  EXPECT_EQ(box->Right, 3u);
  EXPECT_EQ(box->Top, 1u);
  EXPECT_EQ(box->Bottom, 2u);
  EXPECT_EQ(box->GetWidth() * box->GetHeight(), 6u);
}

TEST(PixelBox, ReachesTheCornersAndMayBeEmpty)
{
  const std::vector<int> corners = { 1, 0, 0, 1 };
  const auto             box = itk::PixelBox::Of(corners.data(), 2, 2, IsSet);
  ASSERT_TRUE(box);
  EXPECT_EQ(box->GetWidth() * box->GetHeight(), 4u);
  const std::vector<int> nothing(6, 0);
  EXPECT_FALSE(itk::PixelBox::Of(nothing.data(), 3, 2, IsSet));
  EXPECT_FALSE(itk::PixelBox::Of(nothing.data(), 0, 0, IsSet));
}
