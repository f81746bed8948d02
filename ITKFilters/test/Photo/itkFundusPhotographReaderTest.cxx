// SPDX-License-Identifier: Apache-2.0
#include "TestFolder.h"
#include "itkFundusPhotographReader.h"
#include "itkFundusRegionOfInterestImageFilter.h"
#include "PhotoFiles.h"
#include "TestImages.h"
#include "itkEyeLaterality.h"
#include "itkImageFileWriter.h"
#include "itkImageIOFactory.h"

#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <random>
#include <sstream>
#include <unistd.h>

namespace
{
namespace fs = std::filesystem;
using Photo = itk::FundusPhotograph;
constexpr unsigned int W = 24;
constexpr unsigned int H = 16;

class itkFundusPhotographReader : public ::testing::Test
{
protected:
  void SetUp() override
  {
    m_Folder = TestFolder();
    fs::remove_all(m_Folder);
    fs::create_directories(m_Folder);
  }
  void TearDown() override { fs::remove_all(m_Folder); }

  std::string Path(const std::string & name) const { return (m_Folder / name).string(); }
  std::string Write(const std::string & name, const Bytes & bytes) const
  {
    WriteBytes(this->Path(name), bytes);
    return this->Path(name);
  }

  fs::path m_Folder;
};

Photo::Pointer Read(const std::string & path, unsigned int frame = 0)
{
  auto reader = itk::FundusPhotographReader::New();
  reader->SetFileName(path);
  reader->SetFrame(frame);
  reader->Update();
  return reader->GetPhotograph();
}

/** The sentence of the error; empty when the file could be read. */
std::string ErrorOf(const std::string & path, unsigned int frame = 0)
{
  try
  {
    Read(path, frame);
  }
  catch (const itk::ExceptionObject & error)
  {
    const std::string sentence = error.GetDescription();
    EXPECT_EQ(sentence.find(path), 0u) << sentence;
    EXPECT_EQ(sentence.back(), '.') << sentence;
    EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
    return sentence;
  }
  return "";
}

/** Smooth, without symmetry: every orientation looks different. */
unsigned char Level(unsigned int x, unsigned int y, unsigned int c)
{
  return static_cast<unsigned char>(c == 0 ? 10 * x : c == 1 ? 15 * y : 4 * x + 3 * y);
}

Bytes Pattern()
{
  Bytes rgb;
  for (unsigned int i = 0; i < 3 * W * H; ++i)
  {
    rgb.push_back(Level(i / 3 % W, i / 3 / W, i % 3));
  }
  return rgb;
}

RGBImage::Pointer PatternImage()
{
  auto        image = MakeTestImage<RGBImage>(W, H);
  const Bytes pattern = Pattern();
  std::memcpy(image->GetBufferPointer(), pattern.data(), pattern.size());
  return image;
}

template <typename TImage>
void WriteImage(const TImage * image, const std::string & path)
{
  auto writer = itk::ImageFileWriter<TImage>::New();
  writer->SetInput(image);
  writer->SetFileName(path);
  writer->Update();
}

/** The upright image must show the pattern of the stored raster. */
void ExpectPattern(const Photo * photo, unsigned int orientation, int tolerance)
{
  ASSERT_EQ(photo->GetStored().Orientation, orientation);
  ASSERT_EQ(photo->GetStored().Size, (std::array<unsigned, 2>{ { W, H } }));
  const auto size = photo->GetImage()->GetBufferedRegion().GetSize();
  ASSERT_EQ(size[0], orientation > 4 ? H : W);
  for (unsigned int y = 0; y < H; ++y)
  {
    for (unsigned int x = 0; x < W; ++x)
    {
      const auto pixel = photo->GetImage()->GetPixel(photo->GetStored().StoredToUpright(itk::Index<2>{ { x, y } }));
      for (unsigned int c = 0; c < 3; ++c)
      {
        ASSERT_NEAR(pixel[c], Level(x, y, c), tolerance) << x << ' ' << y << ' ' << c;
      }
    }
  }
}
} // namespace

TEST_F(itkFundusPhotographReader, EverydayFormats)
{
  for (const char * name : { "a.png", "a.tif", "a.bmp", "a.nrrd", "a.mha", "a.mhd", "a.dcm" })
  {
    SCOPED_TRACE(name);
    WriteImage(PatternImage().GetPointer(), this->Path(name));
    const auto photo = Read(this->Path(name));
    ExpectPattern(photo, 1, 0);
    EXPECT_EQ(photo->GetFileName(), this->Path(name));
    EXPECT_EQ(photo->GetImage()->GetSpacing(), (itk::Vector<double, 2>(1.0)));
  }
  WriteImage(PatternImage().GetPointer(), this->Path("a.nii"));
  ExpectPattern(Read(this->Path("a.nii")), 1, 0);
  WriteImage(PatternImage().GetPointer(), this->Path("a.nii.gz"));
  ExpectPattern(Read(this->Path("a.nii.gz")), 1, 0);
  ExpectPattern(Read(this->Write("a.jpg", MakeJPEG(Pattern(), W, H, 3))), 1, 4);
  ExpectPattern(Read(this->Write("p.jpg", MakeJPEG(Pattern(), W, H, 3, true, true))), 1, 4);
}

TEST_F(itkFundusPhotographReader, TheContentDecidesNotTheName)
{
  WriteImage(PatternImage().GetPointer(), this->Path("a.png"));
  fs::rename(this->Path("a.png"), this->Path("a.jpg"));
  ExpectPattern(Read(this->Path("a.jpg")), 1, 0);
  ExpectPattern(Read(this->Write("noextension", MakeJPEG(Pattern(), W, H, 3))), 1, 4);
  ExpectPattern(Read(this->Write("b.png", MakeTIFF(Pattern(), W, H, 1))), 1, 0);
}

TEST_F(itkFundusPhotographReader, ARealPhotographIsWhatItkReads)
{
  const std::string path = NPSNET_RESOURCES_DIR "/SampleData/RET023OD.jpg";
  const auto        photo = Read(path);
  const auto        expected = itk::ReadImage<RGBImage>(path);
  const auto        size = expected->GetBufferedRegion().GetSize();
  ASSERT_EQ(photo->GetImage()->GetBufferedRegion().GetSize(), size);
  EXPECT_TRUE(std::equal(RawBytes(expected), RawBytes(expected) + 3 * size[0] * size[1], RawBytes(photo->GetImage())));
  EXPECT_EQ(photo->GetStored().Spacing[0], expected->GetSpacing()[0]);
  EXPECT_EQ(photo->GetMicrometersPerPixel(), 0.0);
}

TEST_F(itkFundusPhotographReader, ExifOrientations)
{
  const Bytes jpeg = MakeJPEG(Pattern(), W, H, 3);
  for (unsigned int orientation = 1; orientation <= 8; ++orientation)
  {
    SCOPED_TRACE(orientation);
    ExpectPattern(Read(this->Write("a.jpg", WithExif(jpeg, MakeExif(orientation, false)))), orientation, 4);
    ExpectPattern(Read(this->Write("b.jpg", WithExif(jpeg, MakeExif(orientation, true)))), orientation, 4);
  }
  // Labels of the upright image come back to the stored raster.
  const auto photo = Read(this->Write("c.jpg", WithExif(jpeg, MakeExif(6, true))));
  auto       labels = MakeTestImage<GreyImage>(H, W);
  labels->SetPixel({ { H - 1, 0 } }, 2); // upright top right is stored top left
  EXPECT_EQ(photo->UprightToStoredLabels(labels)->GetPixel({ { 0, 0, 0 } }), 2);
}

TEST_F(itkFundusPhotographReader, BrokenExifNeverSpoilsAPhotograph)
{
  const Bytes  jpeg = MakeJPEG(Pattern(), W, H, 3);
  std::mt19937 generator(8);
  ExpectPattern(Read(this->Write("a.jpg", WithExif(jpeg, MakeExif(0, false)))), 1, 4);
  ExpectPattern(Read(this->Write("a.jpg", WithExif(jpeg, MakeExif(9, false)))), 1, 4);
  ExpectPattern(Read(this->Write("a.jpg", WithExif(jpeg, {}))), 1, 4);
  for (int i = 0; i < 300; ++i)
  {
    Bytes exif = MakeExif(1 + static_cast<unsigned int>(generator() % 8), generator() % 2 == 0);
    for (int k = 0; k < 3; ++k)
    {
      exif[generator() % exif.size()] = static_cast<unsigned char>(generator());
    }
    exif.resize(generator() % (exif.size() + 1));
    const auto photo = Read(this->Write("a.jpg", WithExif(jpeg, exif)));
    ASSERT_GE(photo->GetStored().Orientation, 1u);
    ASSERT_LE(photo->GetStored().Orientation, 8u);
  }
}

// TIFFImageIO mirrors already: the upright picture is what counts.
TEST_F(itkFundusPhotographReader, TiffOrientations)
{
  itk::StoredGeometry raw;
  raw.Size = { { W, H } };
  for (unsigned int orientation = 1; orientation <= 8; ++orientation)
  {
    SCOPED_TRACE(orientation);
    raw.Orientation = orientation;
    const std::string path = this->Write("a.tif", MakeTIFF(Pattern(), W, H, orientation));
    const auto        photo = Read(path);
    for (unsigned int y = 0; y < H; ++y)
    {
      for (unsigned int x = 0; x < W; ++x)
      {
        const auto pixel = photo->GetImage()->GetPixel(raw.StoredToUpright(itk::Index<2>{ { x, y } }));
        ASSERT_EQ(pixel[0], Level(x, y, 0));
        ASSERT_EQ(pixel[1], Level(x, y, 1));
      }
    }
    // And "stored" is what any user of ITK gets.
    const auto asItk = itk::ReadImage<RGBImage>(path);
    const auto corner = photo->GetStored().StoredToUpright(itk::Index<2>{ { 0, 0 } });
    EXPECT_EQ(asItk->GetPixel({ { 0, 0 } }), photo->GetImage()->GetPixel(corner));
  }
}

TEST_F(itkFundusPhotographReader, SixteenBitIsDividedBy257NeverStretched)
{
  using RGB16 = itk::Image<itk::RGBPixel<unsigned short>, 2>;
  auto image = MakeTestImage<RGB16>(4, 1);
  image->GetBufferPointer()[0].Set(65535, 257 * 100, 257 * 100 + 128);
  image->GetBufferPointer()[1].Set(257 * 100 + 129, 128, 129);
  image->GetBufferPointer()[2].Set(255, 0, 1);
  for (const char * name : { "a.png", "a.tif", "a.nrrd", "a.mha" })
  {
    SCOPED_TRACE(name);
    WriteImage(image.GetPointer(), this->Path(name));
    const auto   photo = Read(this->Path(name));
    const auto * bytes = RawBytes(photo->GetImage());
    EXPECT_EQ(Bytes(bytes, bytes + 9), (Bytes{ 255, 100, 100, 101, 0, 1, 1, 0, 0 }));
  }

  // Levels of 8 bits in 16 would be black.
  image->FillBuffer(itk::RGBPixel<unsigned short>(255));
  WriteImage(image.GetPointer(), this->Path("8in16.png"));
  EXPECT_NE(ErrorOf(this->Path("8in16.png")).find("export it again as 8-bit"), std::string::npos);
  image->FillBuffer(itk::RGBPixel<unsigned short>(256));
  WriteImage(image.GetPointer(), this->Path("dark.png"));
  EXPECT_EQ(RawBytes(Read(this->Path("dark.png"))->GetImage())[0], 1);
}

TEST_F(itkFundusPhotographReader, GreyAlphaAndFloat)
{
  auto grey = MakeTestImage<GreyImage>(2, 2);
  grey->GetBufferPointer()[1] = 77;
  WriteImage(grey.GetPointer(), this->Path("g.png"));
  EXPECT_EQ(Read(this->Path("g.png"))->GetImage()->GetPixel({ { 1, 0 } }), itk::RGBPixel<unsigned char>(77));
  const auto jpeg = this->Write("g.jpg", MakeJPEG(Bytes(64, 99), 8, 8, 1));
  EXPECT_NEAR(Read(jpeg)->GetImage()->GetPixel({ { 3, 3 } })[2], 99, 1);

  using RGBA = itk::Image<itk::RGBAPixel<unsigned char>, 2>;
  auto   rgba = MakeTestImage<RGBA>(3, 1);
  auto * p = rgba->GetBufferPointer();
  p[0].Set(200, 100, 50, 255);
  p[1].Set(200, 100, 50, 0);
  p[2].Set(200, 100, 50, 51);
  WriteImage(rgba.GetPointer(), this->Path("a.png"));
  const auto   photo = Read(this->Path("a.png"));
  const auto * bytes = RawBytes(photo->GetImage());
  EXPECT_EQ(Bytes(bytes, bytes + 9), (Bytes{ 200, 100, 50, 0, 0, 0, 40, 20, 10 }));
  p[0][3] = p[2][3] = 0; // zero everywhere: means nothing
  WriteImage(rgba.GetPointer(), this->Path("b.png"));
  EXPECT_EQ(Read(this->Path("b.png"))->GetImage()->GetPixel({ { 2, 0 } })[0], 200);

  using FloatImage = itk::Image<float, 2>;
  auto values = MakeTestImage<FloatImage>(3, 1);
  values->GetBufferPointer()[0] = 0.5f;
  values->GetBufferPointer()[1] = 1.0f;
  WriteImage(values.GetPointer(), this->Path("f.nrrd"));
  EXPECT_EQ(Read(this->Path("f.nrrd"))->GetImage()->GetPixel({ { 0, 0 } })[0], 128);
  values->GetBufferPointer()[1] = 254.0f;
  WriteImage(values.GetPointer(), this->Path("f.nrrd"));
  EXPECT_EQ(Read(this->Path("f.nrrd"))->GetImage()->GetPixel({ { 1, 0 } })[0], 254);
  values->GetBufferPointer()[2] = std::nanf("");
  WriteImage(values.GetPointer(), this->Path("f.nrrd"));
  EXPECT_NE(ErrorOf(this->Path("f.nrrd")).find("NaN"), std::string::npos);
  values->GetBufferPointer()[2] = -3.0f;
  WriteImage(values.GetPointer(), this->Path("f.nrrd"));
  EXPECT_NE(ErrorOf(this->Path("f.nrrd")).find("outside"), std::string::npos);
}

TEST_F(itkFundusPhotographReader, BitmapsOfAllVersions)
{
  WriteImage(PatternImage().GetPointer(), this->Path("a.bmp"));
  Bytes       bitmap = ReadAllBytes(this->Path("a.bmp"));
  const auto  put = [&bitmap](std::size_t at, unsigned char value) { bitmap[at] = value; };
  const auto  rowBytes = static_cast<std::ptrdiff_t>(3 * W);
  const Bytes rows(bitmap.begin() + 54, bitmap.end());
  ASSERT_EQ(rows.size(), 3 * W * H);
  for (const unsigned char size : { 108, 124 }) // versions 4 and 5
  {
    bitmap.resize(54);
    bitmap.resize(14u + size, 0);
    put(10, static_cast<unsigned char>(14 + size));
    put(14, size);
    Append(bitmap, rows);
    ExpectPattern(Read(this->Write("v.bmp", bitmap)), 1, 0);
  }
  for (int i = 0; i < 4; ++i)
  {
    put(22 + static_cast<std::size_t>(i),
        static_cast<unsigned char>(static_cast<std::uint32_t>(-static_cast<int>(H)) >> (8 * i)));
  }
  bitmap.resize(bitmap.size() - rows.size());
  for (auto row = rows.end(); row != rows.begin(); row -= rowBytes)
  {
    bitmap.insert(bitmap.end(), row - rowBytes, row);
  }
  ExpectPattern(Read(this->Write("down.bmp", bitmap)), 1, 0);
  EXPECT_NE(ErrorOf(this->Path("down.bmp"), 1).find("1 frame"), std::string::npos);
  put(28, 16);
  EXPECT_NE(ErrorOf(this->Write("a.bmp", bitmap)).find("save it as PNG or TIFF"), std::string::npos);
}

TEST_F(itkFundusPhotographReader, WarningsOfITKAreNotPrinted)
{
  const auto tiff = this->Write("a.tif", MakeTIFF(Pattern(), W, H, 1));
  testing::internal::CaptureStderr();
  ExpectPattern(Read(tiff), 1, 0);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_TRUE(itk::Object::GetGlobalWarningDisplay());
}

TEST_F(itkFundusPhotographReader, CmykBothWays)
{
  // R = (255 - C)(255 - K) / 255, so that C = 255 - R with K = 0; Adobe stores 255 - C and 255 - K.
  Bytes       plain;
  Bytes       inverted;
  const Bytes rgb = Pattern();
  for (unsigned int i = 0; i < W * H; ++i)
  {
    for (unsigned int c = 0; c < 3; ++c)
    {
      plain.push_back(static_cast<unsigned char>(255 - rgb[3 * i + c]));
      inverted.push_back(rgb[3 * i + c]);
    }
    plain.push_back(0);
    inverted.push_back(255);
  }
  ExpectPattern(Read(this->Write("plain.jpg", MakeJPEG(plain, W, H, 4, false))), 1, 4);
  ExpectPattern(Read(this->Write("adobe.jpg", MakeJPEG(inverted, W, H, 4, true))), 1, 4);
}

TEST_F(itkFundusPhotographReader, DotsPerInchAreNoCalibrationButMayBeAnAspect)
{
  const auto read = [&](int x, int y, int unit) {
    return Read(this->Write("a.jpg", MakeJPEG(Pattern(), W, H, 3, true, false, x, y, unit)));
  };
  auto photo = read(72, 72, 1);
  EXPECT_EQ(photo->GetMicrometersPerPixel(), 0.0);
  EXPECT_EQ(photo->GetImage()->GetSpacing()[0], 1.0);
  EXPECT_NEAR(photo->GetStored().Spacing[0], 25.4 / 72, 1e-12);
  photo = read(200, 100, 1); // pixels twice as high as wide
  EXPECT_NEAR(photo->GetImage()->GetSpacing()[0], std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(photo->GetImage()->GetSpacing()[1], std::sqrt(2.0), 1e-12);
  photo = read(300, 301, 1); // rounding
  EXPECT_EQ(photo->GetImage()->GetSpacing()[1], 1.0);
  photo = read(1, 600, 1); // nonsense
  EXPECT_EQ(photo->GetImage()->GetSpacing()[1], 1.0);
  // Turned photographs swap them.
  photo =
    Read(this->Write("b.jpg", WithExif(MakeJPEG(Pattern(), W, H, 3, true, false, 200, 100, 1), MakeExif(6, false))));
  EXPECT_NEAR(photo->GetImage()->GetSpacing()[0], std::sqrt(2.0), 1e-12);
}

TEST_F(itkFundusPhotographReader, OneSliceVolumesKeepTheirGeometry)
{
  using Volume = itk::Image<itk::RGBPixel<unsigned char>, 3>;
  auto volume = Volume::New();
  volume->SetRegions(Volume::SizeType{ { W, H, 1 } });
  volume->Allocate();
  const Bytes pattern = Pattern();
  std::memcpy(volume->GetBufferPointer(), pattern.data(), pattern.size());
  Volume::SpacingType   spacing;
  Volume::DirectionType direction;
  Volume::PointType     origin;
  spacing[0] = 0.5;
  spacing[1] = 0.25;
  spacing[2] = 2.0;
  origin[0] = 1.0;
  origin[1] = 2.0;
  origin[2] = 3.0;
  direction.SetIdentity();
  volume->SetSpacing(spacing);
  volume->SetOrigin(origin);
  for (const char * name : { "a.nrrd", "a.mha", "a.nii" })
  {
    SCOPED_TRACE(name);
    WriteImage(volume.GetPointer(), this->Path(name));
    const auto photo = Read(this->Path(name));
    ExpectPattern(photo, 1, 0);
    EXPECT_EQ(photo->GetStored().Dimension, 3u);
    EXPECT_NEAR(photo->GetImage()->GetSpacing()[0], std::sqrt(2.0), 1e-6);
    auto labels = MakeTestImage<GreyImage>(W, H);
    labels->SetPixel({ { 5, 7 } }, 1);
    const auto stored = photo->UprightToStoredLabels(labels);
    EXPECT_EQ(stored->GetPixel({ { 5, 7, 0 } }), 1);
    EXPECT_NEAR(stored->GetSpacing()[1], 0.25, 1e-6);
    EXPECT_NEAR(stored->GetOrigin()[2], 3.0, 1e-6);
  }
  // Mirrored axes: the pixel order is not what a viewer shows.
  direction(0, 0) = -1.0;
  direction(2, 2) = -1.0;
  volume->SetDirection(direction);
  WriteImage(volume.GetPointer(), this->Path("m.nrrd"));
  const auto photo = Read(this->Path("m.nrrd"));
  ExpectPattern(photo, 2, 0);
  EXPECT_NEAR(photo->UprightToStoredLabels(MakeTestImage<GreyImage>(W, H))->GetDirection()(0, 0), -1.0, 1e-9);

  auto stack = itk::Image<unsigned char, 3>::New();
  stack->SetRegions(itk::Size<3>{ { 4, 4, 5 } });
  stack->Allocate(true);
  WriteImage(stack.GetPointer(), this->Path("stack.nrrd"));
  EXPECT_NE(ErrorOf(this->Path("stack.nrrd")).find("volume of 5 slices"), std::string::npos);
}

TEST_F(itkFundusPhotographReader, DicomColour)
{
  DICOMFile file;
  file.Rows = H;
  file.Columns = W;
  file.Frames = { Pattern() };
  file.ImageLaterality = "L";
  file.Laterality = "R";
  file.PixelSpacing = "0.006\\0.012";
  auto photo = Read(this->Write("a.dcm", file.Make()));
  ExpectPattern(photo, 1, 0);
  EXPECT_STREQ(photo->GetDICOMLaterality(), "L");
  EXPECT_NEAR(photo->GetMicrometersPerPixel(), 1000.0 * std::sqrt(0.006 * 0.012), 1e-9);
  EXPECT_NEAR(photo->GetImage()->GetSpacing()[0], std::sqrt(2.0), 1e-9); // columns are wider apart
  EXPECT_EQ(itk::DetermineEyeLaterality("", photo->GetDICOMLaterality(), "x_OD.dcm").Side, itk::EyeSideEnum::OS);

  file.ImageLaterality = "";
  file.PixelSpacing = "";
  photo = Read(this->Write("noextension", file.Make()));
  EXPECT_STREQ(photo->GetDICOMLaterality(), "R");
  EXPECT_EQ(photo->GetMicrometersPerPixel(), 0.0);
  EXPECT_EQ(photo->GetImage()->GetSpacing()[0], 1.0);

  Bytes       ybr;
  const Bytes rgb = Pattern();
  for (unsigned int i = 0; i < W * H; ++i)
  {
    const double r = rgb[3 * i];
    const double g = rgb[3 * i + 1];
    const double b = rgb[3 * i + 2];
    ybr.push_back(static_cast<unsigned char>(std::lround(0.299 * r + 0.587 * g + 0.114 * b)));
    ybr.push_back(static_cast<unsigned char>(std::lround(128 - 0.168736 * r - 0.331264 * g + 0.5 * b)));
    ybr.push_back(static_cast<unsigned char>(std::lround(128 + 0.5 * r - 0.418688 * g - 0.081312 * b)));
  }
  file.Photometric = "YBR_FULL";
  file.Frames = { ybr };
  ExpectPattern(Read(this->Write("ybr.dcm", file.Make())), 1, 3);

  file.Photometric = "YBR_FULL_422";
  file.IsJPEG = true;
  file.Frames = { MakeJPEG(rgb, W, H, 3) };
  ExpectPattern(Read(this->Write("jpeg.dcm", file.Make())), 1, 5);
}

TEST_F(itkFundusPhotographReader, DicomFramesOrientationAndGrey)
{
  DICOMFile file;
  file.Rows = H;
  file.Columns = W;
  Bytes negative = Pattern();
  for (unsigned char & v : negative)
  {
    v = static_cast<unsigned char>(255 - v);
  }
  file.Frames = { Pattern(), negative };
  const std::string path = this->Write("frames.dcm", file.Make());
  ExpectPattern(Read(path), 1, 0);
  EXPECT_EQ(Read(path, 1)->GetImage()->GetPixel({ { 0, 0 } }), itk::RGBPixel<unsigned char>(255));
  EXPECT_NE(ErrorOf(path, 2).find("no frame 2"), std::string::npos);

  file.Frames = { Pattern() };
  const std::pair<const char *, unsigned int> orientations[] = { { "L\\F", 1 }, { "R\\F", 2 }, { "R\\H", 3 },
                                                                 { "L\\H", 4 }, { "F\\L", 5 }, { "F\\R", 6 },
                                                                 { "H\\R", 7 }, { "H\\L", 8 }, { "A\\F", 1 },
                                                                 { "L", 1 } };
  for (const auto & test : orientations)
  {
    SCOPED_TRACE(test.first);
    file.PatientOrientation = test.first;
    ExpectPattern(Read(this->Write("o.dcm", file.Make())), test.second, 0);
  }

  DICOMFile grey;
  grey.Photometric = "MONOCHROME2";
  grey.Samples = 1;
  grey.Rows = 2;
  grey.Columns = 2;
  grey.BitsAllocated = 16;
  grey.BitsStored = 12;
  grey.Frames = { { 0, 0, 0xFF, 0x0F, 0x00, 0x08, 0, 0 } }; // 0, 4095, 2048, 0
  auto photo = Read(this->Write("grey.dcm", grey.Make()));
  EXPECT_EQ(RawBytes(photo->GetImage())[3], 255);
  EXPECT_EQ(RawBytes(photo->GetImage())[6], 128);
  grey.Photometric = "MONOCHROME1";
  photo = Read(this->Write("inverse.dcm", grey.Make()));
  EXPECT_EQ(RawBytes(photo->GetImage())[0], 255);
  EXPECT_EQ(RawBytes(photo->GetImage())[3], 0);
}

TEST_F(itkFundusPhotographReader, OneSentenceForEveryBrokenFile)
{
  const auto says = [](const std::string & sentence, const char * words) {
    EXPECT_NE(sentence.find(words), std::string::npos) << sentence;
  };
  says(ErrorOf(this->Path("missing.jpg")), "does not exist");
  says(ErrorOf(this->Write("empty.jpg", {})), "is empty");
  says(ErrorOf(m_Folder.string()), "is a folder");
  const std::string text = "These are words, not pixels.";
  says(ErrorOf(this->Write("text.jpg", Bytes(text.begin(), text.end()))), "is not an image");
  says(ErrorOf(this->Write("text.mha", Bytes(text.begin(), text.end()))), "is not an image");
  says(ErrorOf(this->Write("text.dcm", Bytes(text.begin(), text.end()))), "is not an image");
  says(ErrorOf(this->Write("text.nii", Bytes(text.begin(), text.end()))), "cannot be decoded");
  says(ErrorOf(this->Write("short.jpg", { 0xFF, 0xD8 })), "ends early");
  fs::create_symlink(this->Path("loop.jpg"), this->Path("loop.jpg"));
  says(ErrorOf(this->Path("loop.jpg")), "leads back to itself");
  fs::create_symlink(this->Path("nowhere.jpg"), this->Path("dangling.jpg"));
  says(ErrorOf(this->Path("dangling.jpg")), "does not exist");
  if (::geteuid() != 0)
  {
    const std::string secret = this->Write("secret.jpg", MakeJPEG(Pattern(), W, H, 3));
    fs::permissions(secret, fs::perms::none);
    says(ErrorOf(secret), "may not be read");
  }
  auto reader = itk::FundusPhotographReader::New();
  EXPECT_THROW(reader->Update(), itk::ExceptionObject);
}

TEST_F(itkFundusPhotographReader, TooManyPixelsAreRefusedBeforeDecoding)
{
  const auto check = [](const std::string & path) {
    auto reader = itk::FundusPhotographReader::New();
    reader->SetFileName(path);
    reader->SetMaximumNumberOfPixels(W * H);
    EXPECT_NO_THROW(reader->Update());
    reader->SetMaximumNumberOfPixels(W * H - 1);
    try
    {
      reader->Update();
      ADD_FAILURE() << "not refused";
    }
    catch (const itk::ExceptionObject & error)
    {
      EXPECT_NE(std::string(error.GetDescription()).find("24 x 16 pixels, more than the limit of 383"),
                std::string::npos)
        << error.GetDescription();
    }
  };
  check(this->Write("a.jpg", MakeJPEG(Pattern(), W, H, 3)));
  WriteImage(PatternImage().GetPointer(), this->Path("a.png"));
  check(this->Path("a.png"));

  // A header that promises 65500 x 65500 pixels.
  Bytes bomb = MakeJPEG(Pattern(), W, H, 3);
  for (std::size_t i = 0; i + 8 < bomb.size(); ++i)
  {
    if (bomb[i] == 0xFF && bomb[i + 1] == 0xC0)
    {
      bomb[i + 5] = bomb[i + 7] = 0xFF;
      bomb[i + 6] = bomb[i + 8] = 0xDC;
      break;
    }
  }
  EXPECT_NE(ErrorOf(this->Write("bomb.jpg", bomb)).find("more than the limit"), std::string::npos);
  const std::string header = "NRRD0004\ntype: float\ndimension: 2\nsizes: 2000000 3000000\nendian: little\n"
                             "encoding: raw\n\n1234";
  EXPECT_NE(ErrorOf(this->Write("bomb.nrrd", Bytes(header.begin(), header.end()))).find("has 2000000 x 3000000 pixels"),
            std::string::npos);
}

TEST_F(itkFundusPhotographReader, ATruncatedFileIsNeverAPhotograph)
{
  std::mt19937 generator(20261116);
  const auto   cut = [&](const std::string & name, const Bytes & whole, int times, std::size_t slack) {
    for (int i = 0; i < times; ++i)
    {
      Bytes part = whole;
      part.resize(generator() % (whole.size() - slack));
      const std::string sentence = ErrorOf(this->Write(name, part));
      EXPECT_NE(sentence, "") << name << " cut to " << part.size() << " of " << whole.size() << " bytes was accepted";
    }
  };
  cut("a.jpg", MakeJPEG(Pattern(), W, H, 3), 150, 2);
  cut("p.jpg", MakeJPEG(Pattern(), W, H, 3, true, true), 150, 2);
  cut("e.jpg", WithExif(MakeJPEG(Pattern(), W, H, 3), MakeExif(6, true)), 100, 2);
  cut("a.tif", MakeTIFF(Pattern(), W, H, 1), 60, 1);
  DICOMFile file;
  file.Rows = H;
  file.Columns = W;
  file.Frames = { Pattern() };
  cut("a.dcm", file.Make(), 60, 1);
  file.IsJPEG = true;
  file.Photometric = "YBR_FULL_422";
  file.Frames = { MakeJPEG(Pattern(), W, H, 3) };
  cut("j.dcm", file.Make(), 60, 1);
  for (const auto & test : { std::pair<const char *, std::size_t>{ "a.png", 1 },
                             { "a.bmp", 1 },
                             { "a.nrrd", 1 },
                             { "a.mha", 1 },
                             { "a.nii", 4 },
                             { "a.nii.gz", 8 } })
  {
    WriteImage(PatternImage().GetPointer(), this->Path(test.first));
    cut(test.first, ReadAllBytes(this->Path(test.first)), 60, test.second);
  }
}

// Not DICOM: Debian's GDCM is compiled with assertions and stops the program for damage inside the pixels.
TEST_F(itkFundusPhotographReader, DamagedBytesNeverCrash)
{
  std::mt19937 generator(7);
  WriteImage(PatternImage().GetPointer(), this->Path("a.png"));
  WriteImage(PatternImage().GetPointer(), this->Path("a.bmp"));
  const std::pair<const char *, Bytes> files[] = {
    { "a.jpg", WithExif(MakeJPEG(Pattern(), W, H, 3, true, true), MakeExif(5, false)) },
    { "b.jpg", MakeJPEG(Pattern(), W, H, 3) },
    { "a.png", ReadAllBytes(this->Path("a.png")) },
    { "a.bmp", ReadAllBytes(this->Path("a.bmp")) },
  };
  int refused = 0;
  for (const auto & test : files)
  {
    for (int i = 0; i < 40; ++i)
    {
      Bytes bytes = test.second;
      for (int k = 0; k < 4; ++k)
      {
        bytes[generator() % bytes.size()] = static_cast<unsigned char>(generator());
      }
      refused += !ErrorOf(this->Write(test.first, bytes)).empty();
    }
  }
  EXPECT_GT(refused, 40);
}

TEST_F(itkFundusPhotographReader, PrintsAndRereads)
{
  auto reader = itk::FundusPhotographReader::New();
  reader->SetFileName(this->Write("a.jpg", MakeJPEG(Pattern(), W, H, 3)));
  reader->Update();
  reader->SetFileName(this->Write("b.jpg", MakeJPEG(Bytes(64, 200), 8, 8, 1)));
  reader->Update();
  EXPECT_EQ(reader->GetPhotograph()->GetImage()->GetBufferedRegion().GetSize()[0], 8u);
  std::ostringstream text;
  reader->Print(text);
  EXPECT_NE(text.str().find("MaximumNumberOfPixels: 200000000"), std::string::npos);
}

TEST_F(itkFundusPhotographReader, IsTheFirstLinkOfAChain)
{
  auto reader = itk::FundusPhotographReader::New();
  reader->SetFileName(this->Write("a.jpg", MakeJPEG(Pattern(), W, H, 3)));
  auto region = itk::FundusRegionOfInterestImageFilter<RGBImage>::New();
  region->SetInput(reader->GetOutput());
  region->SetNumberOfPixels(4);
  region->SetSide(8.0);
  region->Update();
  const Photo::Pointer first = reader->GetPhotograph();
  EXPECT_EQ(reader->GetOutput()->GetBufferedRegion().GetSize()[0], W);
  EXPECT_EQ(reader->GetOutput()->GetBufferPointer(), first->GetImage()->GetBufferPointer()); // no copy

  // Another file runs through the same chain, and the first photograph stays what it was.
  reader->SetFileName(this->Write("b.jpg", MakeJPEG(Bytes(64, 200), 8, 8, 1)));
  itk::FundusRegionOfInterestImageFilter<RGBImage>::PointType center;
  center.Fill(3.5);
  region->SetCenter(center);
  region->Update();
  EXPECT_EQ(region->GetOutput()->GetPixel({ { 1, 1 } })[0], 200);
  EXPECT_EQ(reader->GetOutput()->GetBufferedRegion().GetSize()[0], 8u);
  EXPECT_EQ(first->GetImage()->GetBufferedRegion().GetSize()[0], W);
  EXPECT_EQ(first->GetFileName(), this->Path("a.jpg"));
}
