// SPDX-License-Identifier: Apache-2.0
#include "itkNestedLabelValidity.h"
#include "TestImages.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace
{
using Validity = itk::NestedLabelValidity;
using Point = Validity::PointType;

/** '.' background, 'o' rim, '#' cup. */
GreyImage::Pointer Draw(const std::vector<std::string> & rows)
{
  auto image = MakeTestImage<GreyImage>(rows.front().size(), rows.size());
  for (std::size_t y = 0; y < rows.size(); ++y)
  {
    for (std::size_t x = 0; x < rows[y].size(); ++x)
    {
      const char c = rows[y][x];
      image->SetPixel({ { static_cast<long>(x), static_cast<long>(y) } },
                      static_cast<unsigned char>(c == '#'   ? 2
                                                 : c == 'o' ? 1
                                                 : c == '?' ? 7
                                                            : 0));
    }
  }
  return image;
}

Point At(double x, double y)
{
  Point p;
  p[0] = x;
  p[1] = y;
  return p;
}
} // namespace

TEST(itkNestedLabelValidity, AcceptsANestedPairAndNothing)
{
  const auto good =
    Draw({ "..........", "...oooo...", "..oo##oo..", "..o####o..", "..oo##oo..", "...oooo...", ".........." });
  EXPECT_TRUE(Validity::Check(good, At(4.5, 3)).IsValid());
  EXPECT_TRUE(Validity::Check(good).IsValid());
  EXPECT_EQ(Validity::Check(good).Describe(), "valid");
  const auto nothing = Validity::Check(Draw({ "....", "....", "...." }));
  EXPECT_TRUE(nothing.IsValid());
  EXPECT_TRUE(nothing.Disc.Empty);
  const auto noCup = Validity::Check(Draw({ "....", ".oo.", ".oo.", "...." }));
  EXPECT_TRUE(noCup.IsValid());
  EXPECT_FALSE(noCup.Disc.Empty);
  EXPECT_TRUE(noCup.Cup.Empty);
  // Corner to corner is one component; a full image has no hole.
  EXPECT_TRUE(Validity::Check(Draw({ "o..", ".o.", "..o" })).IsValid());
  EXPECT_TRUE(Validity::Check(Draw({ "ooo", "o#o", "ooo" })).IsValid());
}

TEST(itkNestedLabelValidity, FindsTwoPieces)
{
  const auto report = Validity::Check(Draw({ "oo...o", "oo....", "......" }), At(0.5, 0.5));
  EXPECT_FALSE(report.IsValid());
  EXPECT_EQ(report.Disc.Components, 2u);
  const auto cups = Validity::Check(Draw({ "oooooo", "o#oo#o", "oooooo" }), At(1, 1));
  EXPECT_TRUE(cups.Disc.IsWhole());
  EXPECT_EQ(cups.Cup.Components, 2u);
  EXPECT_FALSE(cups.IsValid());
  EXPECT_NE(cups.Describe().find("cup has 2 components"), std::string::npos);
}

TEST(itkNestedLabelValidity, FindsHoles)
{
  EXPECT_EQ(Validity::Check(Draw({ ".....", ".ooo.", ".o.o.", ".ooo.", "....." })).Disc.Holes, 1u);
  // Closed only corner to corner: the background is 4-connected, so this is a hole, too.
  EXPECT_EQ(Validity::Check(Draw({ ".....", "..o..", ".o.o.", "..o..", "....." })).Disc.Holes, 1u);
  // Open to the image's border: no hole.
  EXPECT_EQ(Validity::Check(Draw({ "o.o..", "o.o..", "ooo..", "....." })).Disc.Holes, 0u);
  // A hole in the cup that is rim.
  const auto report = Validity::Check(Draw({ "ooooo", "o###o", "o#o#o", "o###o", "ooooo" }));
  EXPECT_EQ(report.Disc.Holes, 0u);
  EXPECT_EQ(report.Cup.Holes, 1u);
  EXPECT_FALSE(report.IsValid());
}

TEST(itkNestedLabelValidity, FindsRaysThatLeaveTwice)
{
  // One component without a hole, but a C: no point sees all of it.
  const std::vector<std::string> c{
    "..........", ".oooooooo.", ".oooooooo.", ".oo.......", ".oo.......", ".oo.......",
    ".oo.......", ".oo.......", ".oo.......", ".oooooooo.", ".oooooooo.", ".........."
  };
  const auto report = Validity::Check(Draw(c));
  EXPECT_EQ(report.Disc.Components, 1u);
  EXPECT_EQ(report.Disc.Holes, 0u);
  EXPECT_FALSE(report.Disc.SingleCrossing);
  EXPECT_FALSE(report.IsValid());
  EXPECT_NE(report.Describe().find("more than once"), std::string::npos);

  // An L is seen from its corner, not from the end of an arm.
  const std::vector<std::string> l{ ".oo.......", ".oo.......", ".oo.......", ".oo.......", ".oo.......",
                                    ".oo.......", ".oo.......", ".ooooooooo", ".ooooooooo", ".........." };
  EXPECT_TRUE(Validity::Check(Draw(l)).IsValid());
  EXPECT_TRUE(Validity::Check(Draw(l), At(1.5, 7.5)).IsValid());
  EXPECT_FALSE(Validity::Check(Draw(l), At(1.5, 0.0)).IsValid());
  // From outside.
  EXPECT_FALSE(Validity::Check(Draw(l), At(8.0, 0.0)).IsValid());
}

TEST(itkNestedLabelValidity, FindsAnAnchorFarOutside)
{
  std::vector<std::string> rows(60, std::string(12, '.'));
  for (std::size_t y = 28; y < 34; ++y)
  {
    rows[y] = "...oooooo...";
  }
  EXPECT_TRUE(Validity::Check(Draw(rows), At(5.5, 30.5)).IsValid());
  for (const double y : { 2.0, 20.0, 45.0, 59.0 })
  {
    EXPECT_FALSE(Validity::Check(Draw(rows), At(5.5, y)).IsValid()) << y;
  }
}

TEST(itkNestedLabelValidity, OnePixelOfTolerance)
{
  // A gap of one pixel on the ray is within a pixel of the foreground; one of three is not.
  EXPECT_TRUE(Validity::Check(Draw({ "oooooooo", "oooo.ooo", "........" }), At(0, 0)).Disc.SingleCrossing);
  EXPECT_FALSE(Validity::Check(Draw({ "........", "oo...ooo", "........", "........" }), At(0, 1)).Disc.SingleCrossing);
}

TEST(itkNestedLabelValidity, FindsWhatIsNotNested)
{
  EXPECT_FALSE(Validity::Check(Draw({ "...", ".?.", "..." })).Nested);
  const auto disc = Draw({ ".....", ".oo..", ".oo..", "....." });
  const auto inside = Draw({ ".....", ".o...", ".....", "....." });
  const auto beside = Draw({ ".....", ".ooo.", ".....", "....." });
  EXPECT_TRUE(Validity::CheckMasks(disc, inside).IsValid());
  EXPECT_TRUE(Validity::CheckMasks(disc, inside, At(1, 1)).IsValid());
  EXPECT_FALSE(Validity::CheckMasks(disc, beside).Nested);
  EXPECT_FALSE(Validity::CheckMasks(disc, beside).IsValid());
  EXPECT_THROW(Validity::CheckMasks(disc, Draw({ "..", ".." })), itk::ExceptionObject);
}

TEST(itkNestedLabelValidity, TheReferencesOfTheSamplesAreValid)
{
  // Hand-drawn masks 0 / 128 / 255.
  for (const char * name : { "RET023OD", "RET190OS", "RET264OS" })
  {
    const auto mask = ReadTestImage<GreyImage>(NPSNET_RESOURCES_DIR "/SampleData/" + std::string(name) + "_mask.png");
    for (itk::SizeValueType i = 0; i < mask->GetBufferedRegion().GetNumberOfPixels(); ++i)
    {
      unsigned char & p = mask->GetBufferPointer()[i];
      p = static_cast<unsigned char>(p == 255 ? 2 : p == 128 ? 1 : p == 0 ? 0 : 9);
    }
    const auto report = Validity::Check(mask);
    EXPECT_TRUE(report.IsValid()) << name << ": " << report.Describe();
    EXPECT_FALSE(report.Cup.Empty);
  }
}
