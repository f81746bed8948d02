// SPDX-License-Identifier: Apache-2.0
#include "itkPNGEncoder.h"

#include "itkImageFileReader.h"
#include "itkPNGImageIO.h"
#include "itkPNGStructure.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <random>

namespace
{
using ImageType = itk::Image<itk::RGBPixel<unsigned char>, 2>;

/** Noise, a smooth slope and a black border: all predictions and runs longer than a match may be. */
ImageType::Pointer MakePicture(itk::SizeValueType width, itk::SizeValueType height)
{
  auto image = ImageType::New();
  image->SetRegions(ImageType::SizeType{ { width, height } });
  image->Allocate();
  std::mt19937 random(7);
  for (itk::SizeValueType i = 0; i < width * height; ++i)
  {
    const auto x = i % width;
    const auto y = i / width;
    auto &     pixel = image->GetBufferPointer()[i];
    const bool noise = x < width / 3;
    const bool black = x > 2 * width / 3 || y > 2 * height / 3;
    for (unsigned int c = 0; c < 3; ++c)
    {
      pixel[c] = static_cast<unsigned char>(black ? 0 : noise ? random() : 2 * x + (c + 1) * y);
    }
  }
  return image;
}
} // namespace

TEST(itkPNGEncoder, EveryPixelComesBack)
{
  const auto folder = std::filesystem::path(NPSNET_TEST_TEMP_DIR) / "PNGEncoder";
  std::filesystem::create_directories(folder);
  for (const auto & [width, height] : { std::pair{ 1u, 1u }, { 1u, 40u }, { 40u, 1u }, { 701u, 397u } })
  {
    const auto        image = MakePicture(width, height);
    const std::string bytes = itk::EncodePNG(image);
    EXPECT_TRUE(itk::IsPNGWhole(reinterpret_cast<const unsigned char *>(bytes.data()), bytes.size()));

    const auto file = (folder / (std::to_string(width) + "x" + std::to_string(height) + ".png")).string();
    std::ofstream(file, std::ios::binary) << bytes;
    auto reader = itk::ImageFileReader<ImageType>::New();
    reader->SetImageIO(itk::PNGImageIO::New());
    reader->SetFileName(file);
    reader->Update();
    ASSERT_EQ(reader->GetOutput()->GetBufferedRegion(), image->GetBufferedRegion());
    EXPECT_TRUE(std::equal(
      image->GetBufferPointer(), image->GetBufferPointer() + width * height, reader->GetOutput()->GetBufferPointer()))
      << file;
  }
}

TEST(itkPNGEncoder, BlackCostsNearlyNothing)
{
  auto image = MakePicture(600, 600);
  image->FillBuffer(itk::RGBPixel<unsigned char>());
  EXPECT_LT(itk::EncodePNG(image).size(), 600u * 600u * 3u / 200u);
}
