// SPDX-License-Identifier: Apache-2.0
#include "itkFundusPhotograph.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <sstream>
#include <vector>

namespace
{
using Photo = itk::FundusPhotograph;

Photo::LabelImageType::Pointer Labels(unsigned int width, unsigned int height)
{
  auto image = Photo::LabelImageType::New();
  image->SetRegions(Photo::LabelImageType::SizeType{ { width, height } });
  image->Allocate(true);
  return image;
}
} // namespace

TEST(itkFundusPhotograph, LabelsGoToTheStoredRasterAndBackForAllOrientations)
{
  const std::array<unsigned, 2> stored{ { 5, 3 } };
  for (unsigned int orientation = 1; orientation <= 8; ++orientation)
  {
    SCOPED_TRACE(orientation);
    auto                photo = Photo::New();
    itk::StoredGeometry geometry;
    geometry.Size = stored;
    geometry.Orientation = orientation;
    geometry.Spacing = { { 0.5, 0.25, 3.0 } };
    geometry.Origin = { { 7.0, -8.0, 9.0 } };
    geometry.Direction = { { 0, 1, 0, -1, 0, 0, 0, 0, 1 } };
    photo->SetStored(geometry);

    const bool turned = orientation > 4;
    auto       upright = turned ? Labels(3, 5) : Labels(5, 3);
    for (unsigned int y = 0; y < 3; ++y)
    {
      for (unsigned int x = 0; x < 5; ++x)
      {
        upright->SetPixel(geometry.StoredToUpright(itk::Index<2>{ { x, y } }),
                          static_cast<unsigned char>(1 + x + 5 * y));
      }
    }
    const auto back = photo->UprightToStoredLabels(upright);
    for (unsigned int y = 0; y < 3; ++y)
    {
      for (unsigned int x = 0; x < 5; ++x)
      {
        EXPECT_EQ(back->GetPixel({ { x, y, 0 } }), 1 + x + 5 * y);
      }
    }
    auto image = Photo::ImageType::New();
    image->SetRegions(upright->GetBufferedRegion());
    const double spacing[] = { 1.25, 0.8 };
    image->SetSpacing(spacing);
    photo->SetImage(image);
    auto flat = Labels(5, 3);
    std::copy_n(back->GetBufferPointer(), 15, flat->GetBufferPointer());
    const auto again = photo->StoredToUprightLabels(flat);
    ASSERT_EQ(again->GetBufferedRegion(), upright->GetBufferedRegion());
    EXPECT_TRUE(std::equal(upright->GetBufferPointer(), upright->GetBufferPointer() + 15, again->GetBufferPointer()));
    EXPECT_EQ(again->GetSpacing(), image->GetSpacing());
    EXPECT_THROW(photo->StoredToUprightLabels(Labels(3, 5)), itk::ExceptionObject);
    EXPECT_THROW(photo->StoredToUprightLabels(nullptr), itk::ExceptionObject);
    EXPECT_EQ(back->GetSpacing()[1], 0.25);
    EXPECT_EQ(back->GetOrigin()[2], 9.0);
    EXPECT_EQ(back->GetDirection()(0, 1), 1.0);
    EXPECT_EQ(back->GetDirection()(1, 0), -1.0);
    EXPECT_THROW(photo->UprightToStoredLabels(Labels(4, 4)), itk::ExceptionObject);
    EXPECT_THROW(photo->UprightToStoredLabels(nullptr), itk::ExceptionObject);
  }
}

TEST(itkFundusPhotograph, PixelsThatAreNoSquaresHaveIndicesOfTheirOwn)
{
  auto image = itk::FundusPhotograph::ImageType::New();
  image->SetRegions(itk::FundusPhotograph::ImageType::SizeType{ { 30, 20 } });
  itk::FundusPhotograph::ImageType::SpacingType spacing;
  spacing[0] = 1.25;
  spacing[1] = 0.8;
  image->SetSpacing(spacing);
  image->Allocate();
  auto photograph = itk::FundusPhotograph::New();
  photograph->SetImage(image);
  const double                position[] = { 10.0, 8.0 };
  const itk::Point<double, 2> point(position);
  const auto                  index = photograph->PointToIndex(point);
  EXPECT_DOUBLE_EQ(index[0], 8.0);
  EXPECT_DOUBLE_EQ(index[1], 10.0);
  EXPECT_LT(photograph->IndexToPoint(index).EuclideanDistanceTo(point), 1e-12);
  const auto isInside = [&](double x, double y) {
    const double place[] = { x, y };
    return photograph->IsInside(place);
  };
  EXPECT_TRUE(isInside(29.4, -0.4));
  EXPECT_FALSE(isInside(29.6, 0.0));
  EXPECT_FALSE(isInside(0.0, -0.6));
}

TEST(itkFundusPhotograph, Prints)
{
  auto photo = Photo::New();
  photo->SetFileName("a.jpg");
  std::ostringstream text;
  photo->Print(text);
  EXPECT_NE(text.str().find("FileName: a.jpg"), std::string::npos);
}
