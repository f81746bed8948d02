// SPDX-License-Identifier: Apache-2.0
#include "itkFundusTrainingData.h"

#include "itkImageFileWriter.h"
#include "itkRGBPixel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

namespace
{
/** Red grows to the right, green downwards; a disc about (cx, cy) with a cup of half its radius. */
itk::LabelledPhotograph MakePhotograph(unsigned int size, double cx, double cy, double radius)
{
  itk::LabelledPhotograph p;
  p.Width = p.Height = size;
  for (unsigned int y = 0; y < size; ++y)
  {
    for (unsigned int x = 0; x < size; ++x)
    {
      p.Color.insert(p.Color.end(), { static_cast<unsigned char>(x), static_cast<unsigned char>(y), 77 });
      const double r = std::hypot(x - cx, y - cy) / radius;
      p.Labels.push_back(r <= 0.5 ? 255 : (r <= 1.0 ? 128 : 0));
    }
  }
  p.Centre = { { cx, cy } };
  p.Extent = { { 2 * radius, 2 * radius } };
  return p;
}

itk::CropPlacement PlaceAt(double x, double y, double side)
{
  itk::CropPlacement place;
  place.CentreX = x;
  place.CentreY = y;
  place.Side = side;
  return place;
}
} // namespace

TEST(FundusTrainingData, CropKeepsPlaces)
{
  const auto photograph = MakePhotograph(200, 100, 90, 30);
  auto       place = PlaceAt(100.25, 90.5, 64);
  auto       crop = itk::CutCrop(photograph, place, 128);
  for (const unsigned int i : { 0u, 31u, 100u })
  {
    const double x = 100.25 + ((i + 0.5) / 128 - 0.5) * 64;
    EXPECT_NEAR(crop.Image(i, 5)[0], x, 1e-3);
  }
  place.Flip = true;
  auto flipped = itk::CutCrop(photograph, place, 128);
  EXPECT_NEAR(flipped.Image(0, 5)[0], crop.Image(127, 5)[0], 1e-3);
  place.Flip = false;
  place.Rotation = std::acos(0.0); // a quarter turn: the crop's right is the photograph's down
  auto turned = itk::CutCrop(photograph, place, 128);
  EXPECT_NEAR(turned.Image(127, 64)[1], 90.5 + (127.5 / 128 - 0.5) * 64, 0.3);

  place.Rotation = 0.0;
  place.CentreX = -20;
  EXPECT_EQ(itk::CutCrop(photograph, place, 32).Image(0, 16)[2], 0.0F);
  place.Mirror = true;
  EXPECT_NEAR(itk::CutCrop(photograph, place, 32).Image(0, 16)[2], 77.0F, 1e-3);
}

TEST(FundusTrainingData, SixteenBitsAndLabelMapsAreTheSamePhotograph)
{
  const std::string folder = NPSNET_TEST_TEMP_DIR;
  const auto        photograph = MakePhotograph(64, 30, 34, 12);
  const auto write = [](auto * image, const std::vector<unsigned char> & values, int factor, const std::string & name) {
    image->SetRegions(itk::Size<2>{ { 64, 64 } });
    image->Allocate();
    for (std::size_t i = 0; i < values.size(); ++i)
    {
      using Value = typename itk::NumericTraits<typename std::decay_t<decltype(*image)>::PixelType>::ValueType;
      reinterpret_cast<Value *>(image->GetBufferPointer())[i] = static_cast<Value>(factor * values[i]);
    }
    itk::WriteImage(image, name);
  };
  write(itk::Image<itk::RGBPixel<unsigned short>, 2>::New().GetPointer(), photograph.Color, 257, folder + "/deep.png");
  write(itk::Image<unsigned char, 2>::New().GetPointer(), photograph.Labels, 1, folder + "/deep_mask.png");
  const auto read = itk::ReadLabelledPhotograph(folder + "/deep.png", folder + "/deep_mask.png");
  EXPECT_EQ(read.Color, photograph.Color);
  EXPECT_EQ(read.Labels, photograph.Labels);

  std::vector<unsigned char> labels;
  for (const unsigned char value : photograph.Labels)
  {
    labels.push_back(value / 127); // 0, 1 and 2, as label maps have them
  }
  write(itk::Image<unsigned char, 2>::New().GetPointer(), labels, 1, folder + "/deep_labels.png");
  EXPECT_EQ(itk::ReadLabelledPhotograph(folder + "/deep.png", folder + "/deep_labels.png").Labels, photograph.Labels);
}

TEST(FundusTrainingData, TheIndexOfASpreadsheetIsRead)
{
  const std::string name = std::string(NPSNET_TEST_TEMP_DIR) + "/spreadsheet.csv";
  std::ofstream(name) << "\xEF\xBB\xBFset,crop\r\na,\"one, two.png\"\r\n";
  const auto rows = itk::ReadTrainingIndex(name);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].at("set"), "a");
  EXPECT_EQ(rows[0].at("crop"), "one, two.png");
}

TEST(FundusTrainingData, ATruncatedPhotographIsAnError)
{
  const std::string folder = NPSNET_TEST_TEMP_DIR;
  std::ifstream     whole(std::string(NPSNET_RESOURCES_DIR) + "/SampleData/RET042OD.jpg", std::ios::binary);
  std::string       bytes((std::istreambuf_iterator<char>(whole)), {});
  std::ofstream(folder + "/short.jpg", std::ios::binary) << bytes.substr(0, bytes.size() / 2);
  try
  {
    itk::ReadLabelledPhotograph(folder + "/short.jpg", folder + "/short_mask.png");
    FAIL() << "no error";
  }
  catch (const itk::ExceptionObject & error)
  {
    EXPECT_NE(std::string(error.GetDescription()).find("short.jpg"), std::string::npos) << error.GetDescription();
  }
}

TEST(FundusTrainingData, AMirroredPhotographHasOneDisc)
{
  const auto photograph = MakePhotograph(200, 60, 100, 30); // 30 pixels from the left edge
  auto       place = PlaceAt(60, 100, 200);
  const auto black = itk::CutCrop(photograph, place, 100);
  place.Mirror = true;
  const auto second = itk::CutCrop(photograph, place, 100);
  EXPECT_EQ(second.Disc, black.Disc);
  EXPECT_EQ(second.Image.Values, black.Image.Values) << "the crop reaches the disc's mirror image";
  place.Side = 160; // 20 pixels beyond the edge, where there is no disc yet
  auto mirrored = itk::CutCrop(photograph, place, 80);
  place.Mirror = false;
  EXPECT_EQ(mirrored.Disc, itk::CutCrop(photograph, place, 80).Disc);
  EXPECT_GT(mirrored.Image(0, 40)[2], 0.0F);
}

TEST(FundusTrainingData, RadiiOfADisc)
{
  const auto photograph = MakePhotograph(400, 200, 200, 100);
  auto       place = PlaceAt(200, 200, 400);
  const auto crop = itk::CutCrop(photograph, place, 256);
  for (const float r : itk::MaskRadii(crop.Disc, 256, 96))
  {
    EXPECT_NEAR(r, 0.5, 0.006);
  }
  for (const float r : itk::MaskRadii(crop.Cup, 256, 96))
  {
    EXPECT_NEAR(r, 0.25, 0.006);
  }
  for (const float r : itk::MaskRadii(std::vector<float>(256 * 256, 0.0F), 256, 96))
  {
    EXPECT_EQ(r, 0.0F);
  }
}

TEST(FundusTrainingData, CuppingChangesTheCupAndNothingElse)
{
  const auto photograph = MakePhotograph(400, 200, 200, 100);
  auto       place = PlaceAt(200, 200, 400);
  auto       plain = itk::CutCrop(photograph, place, 256);
  for (const double cupping : { -0.4, -0.2, 0.2, 0.4 })
  {
    place.Cupping = cupping;
    auto crop = itk::CutCrop(photograph, place, 256);
    // Near the edge the picture is stretched, and with it the steps of the mask.
    for (const float r : itk::MaskRadii(crop.Disc, 256, 96))
    {
      EXPECT_NEAR(r, 0.5, 0.012);
    }
    // The edge of the cup, half the disc's radius in the photograph, is shown where DeepenCup gives that half.
    for (const float r : itk::MaskRadii(crop.Cup, 256, 96))
    {
      EXPECT_NEAR(itk::DeepenCup(r / 0.5, cupping), 0.5, 0.02);
      EXPECT_EQ(r > 0.25F, cupping > 0.0);
    }
    for (const unsigned int outside : { 0u, 20u, 60u })
    {
      EXPECT_EQ(crop.Image(outside, 128)[0], plain.Image(outside, 128)[0]);
    }
    EXPECT_GT(std::abs(crop.Image(90, 128)[0] - plain.Image(90, 128)[0]), 1.0F);
  }
}

TEST(FundusTrainingData, ACutPhotographIsBlackOutsideAndKeepsItsTruth)
{
  const auto photograph = MakePhotograph(400, 200, 200, 50);
  auto       place = PlaceAt(200, 200, 256); // a pixel of the crop is one of the photograph
  auto       whole = itk::CutCrop(photograph, place, 256);
  place.CutX = 210;
  place.CutY = 195;
  place.CutSide = 130;
  auto cut = itk::CutCrop(photograph, place, 256);
  for (auto * crop : { &whole, &cut })
  {
    for (auto & value : crop->Image.Values)
    {
      value += 40.0F; // haze
    }
    itk::BlackenOutside(*crop);
  }
  EXPECT_EQ(cut.Disc, whole.Disc);
  EXPECT_EQ(cut.Cup, whole.Cup);
  for (unsigned int y = 0; y < 256; ++y)
  {
    for (unsigned int x = 0; x < 256; ++x)
    {
      const bool inside = std::abs(72.5 + x - 210) <= 65 && std::abs(72.5 + y - 195) <= 65;
      ASSERT_EQ(cut.Image(x, y)[2], inside ? 117.0F : 0.0F) << x << ' ' << y;
      ASSERT_EQ(whole.Image(x, y)[2], 117.0F) << x << ' ' << y;
    }
  }
}

TEST(FundusTrainingData, RareCupRatiosComeMoreOften)
{
  EXPECT_NEAR(itk::VerticalCupToDiscRatio(MakePhotograph(200, 100, 90, 30)), 0.5, 0.02);
  const std::vector<double> ratios = { 0.41, 0.42, 0.43, 0.44, 0.45, 0.46, 0.47, 0.48, 0.61, 0.62, 0.8, 1.0 };
  const auto                full = itk::BalancingRepeats(ratios, 1.0);
  EXPECT_EQ(full, (std::vector<unsigned int>{ 1, 1, 1, 1, 1, 1, 1, 1, 4, 4, 4, 4 }));
  const auto half = itk::BalancingRepeats(ratios, 0.5);
  EXPECT_EQ(half, (std::vector<unsigned int>{ 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 3 }));
}

TEST(FundusTrainingData, AgreementWithItselfIsPerfect)
{
  const auto photograph = MakePhotograph(300, 150, 140, 60);
  auto       place = PlaceAt(150, 150, 240); // off the disc's centre, so that the rim varies
  const auto crop = itk::CutCrop(photograph, place, 128);
  const auto same = itk::CompareCrops(crop.Disc, crop.Cup, crop.Disc, crop.Cup, 128);
  EXPECT_DOUBLE_EQ(same.DiscDice, 1.0);
  EXPECT_DOUBLE_EQ(same.CupDice, 1.0);
  EXPECT_DOUBLE_EQ(same.VerticalRatioError, 0.0);
  EXPECT_NEAR(same.RimCorrelation, 1.0, 1e-12);
  const std::vector<float> nothing(128 * 128, 0.0F);
  const auto               none = itk::CompareCrops(nothing, nothing, crop.Disc, crop.Cup, 128);
  EXPECT_LT(none.DiscDice, 1e-6);
  EXPECT_NEAR(none.VerticalRatioError, 0.5, 0.03);
  EXPECT_FALSE(none.HasRimCorrelation);
}

TEST(FundusAppearance, DependsOnItsSeedsOnlyAndStaysInRange)
{
  const auto                  photograph = MakePhotograph(200, 100, 100, 30);
  auto                        place = PlaceAt(100, 100, 150);
  const auto                  original = itk::CutCrop(photograph, place, 64).Image;
  itk::FundusAppearanceRanges ranges;
  int                         changed = 0;
  for (unsigned int i = 0; i < 60; ++i)
  {
    auto                a = original;
    auto                b = original;
    itk::TrainingRandom first(1, 2, i);
    itk::TrainingRandom second(1, 2, i);
    itk::ChangeFundusAppearance(a, ranges, first);
    itk::ChangeFundusAppearance(b, ranges, second);
    EXPECT_EQ(a.Values, b.Values);
    changed += a.Values != original.Values;
    for (const float v : a.Values)
    {
      ASSERT_TRUE(v >= -0.5F && v <= 255.5F);
    }
  }
  EXPECT_GT(changed, 50);
}

TEST(FundusAppearance, DrawsItsStrengthFromARange)
{
  const auto photograph = MakePhotograph(200, 100, 100, 30);
  const auto original = itk::CutCrop(photograph, PlaceAt(100, 100, 150), 64).Image;
  const auto change = [&original](double least, double most) {
    itk::FundusAppearanceRanges ranges;
    ranges.LeastStrength = least;
    ranges.Strength = most;
    double sum = 0;
    for (unsigned int i = 0; i < 200; ++i)
    {
      auto                raster = original;
      itk::TrainingRandom random(3, 4, i);
      itk::ChangeFundusAppearance(raster, ranges, random);
      for (std::size_t v = 0; v < raster.Values.size(); ++v)
      {
        sum += std::abs(raster.Values[v] - original.Values[v]);
      }
    }
    return sum;
  };
  const double full = change(1.0, 1.0);
  EXPECT_EQ(change(2.0, 1.0), full); // no range: no further random number is drawn
  EXPECT_LT(change(0.0, 1.0), 0.8 * full);
  EXPECT_GT(change(0.0, 1.0), change(0.0, 0.2));
}

TEST(FundusAppearance, CompressionAloneKeepsThePicture)
{
  const auto                  photograph = MakePhotograph(200, 100, 100, 30);
  auto                        place = PlaceAt(100, 100, 150);
  const auto                  original = itk::CutCrop(photograph, place, 64).Image;
  itk::FundusAppearanceRanges ranges;
  ranges.MixingProbability = ranges.GainProbability = ranges.GammaProbability = ranges.GradientProbability = 0;
  ranges.VignettingProbability = ranges.HazeProbability = ranges.BlurProbability = ranges.ResampleProbability = 0;
  ranges.ContrastProbability = ranges.GreyProbability = ranges.SharpenProbability = ranges.FieldEdgeProbability = 0;
  ranges.NoiseProbability = 0;
  ranges.CompressionProbability = 1;
  ranges.Compression = 89.9;
  auto                compressed = original;
  itk::TrainingRandom random(1, 1, 1);
  itk::ChangeFundusAppearance(compressed, ranges, random);
  double error = 0;
  for (std::size_t i = 0; i < original.Values.size(); ++i)
  {
    error += std::abs(original.Values[i] - compressed.Values[i]) / static_cast<double>(original.Values.size());
  }
  EXPECT_GT(error, 0.0);
  EXPECT_LT(error, 4.0);
}
