// SPDX-License-Identifier: Apache-2.0
#include "itkJPEGEncoder.h"

#include "TestImages.h"
#include "itkHTML.h"
#include "itkJPEGDecoder.h"

#include <cstdlib>
#include <gtest/gtest.h>

namespace
{
RGBImage::Pointer MakeSlope(itk::SizeValueType width, itk::SizeValueType height)
{
  auto image = MakeTestImage<RGBImage>(width, height);
  for (itk::SizeValueType i = 0; i < width * height; ++i)
  {
    const auto level = static_cast<unsigned char>(i % width / 4 + i / width / 4);
    image->GetBufferPointer()[i].Fill(level);
  }
  return image;
}

/** The environment's TMPDIR while it lives. */
class TemporaryFolder
{
public:
  explicit TemporaryFolder(const char * path)
    : m_Known(std::getenv("TMPDIR") != nullptr)
    , m_Before(m_Known ? std::getenv("TMPDIR") : "")
  {
    ::setenv("TMPDIR", path, 1);
  }
  ~TemporaryFolder() { m_Known ? ::setenv("TMPDIR", m_Before.c_str(), 1) : ::unsetenv("TMPDIR"); }

private:
  bool        m_Known;
  std::string m_Before;
};
} // namespace

TEST(itkJPEGEncoder, ThePictureComesBack)
{
  for (const auto & [width, height] : { std::pair{ 1u, 1u }, { 1u, 40u }, { 40u, 1u }, { 301u, 197u } })
  {
    const auto             image = MakeSlope(width, height);
    const auto             bytes = itk::EncodeJPEG(image, 95);
    const itk::JPEGDecoder decoder(bytes.data(), bytes.size());
    ASSERT_EQ(decoder.GetHeader().Width, width);
    ASSERT_EQ(decoder.GetHeader().Height, height);
    const auto pixels = decoder.Decode();
    for (std::size_t i = 0; i < pixels.size(); ++i)
    {
      ASSERT_NEAR(pixels[i], RawBytes(image)[i], 3) << width << " x " << height << ", sample " << i;
    }
  }
}

TEST(itkJPEGEncoder, APictureTooWideForTheFormatIsAnException)
{
  EXPECT_THROW(itk::EncodeJPEG(MakeTestImage<RGBImage>(65501, 1), 90), itk::ExceptionObject);
}

TEST(itkJPEGEncoder, APageNeedsNoTemporaryFolder)
{
  const TemporaryFolder nowhere("/nowhere");
  EXPECT_EQ(itk::HTML::DataURI(MakeSlope(8, 8)).rfind("data:image/jpeg;base64,/9j/", 0), 0u);
}
