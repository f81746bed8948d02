// SPDX-License-Identifier: Apache-2.0
#include "itkContrastLimitedAdaptiveHistogramEqualizationImageFilter.h"
#include "TestImages.h"
#include "itkCommand.h"
#include "detail/itkContrastLimitedEqualization.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <sstream>
#include <thread>

namespace
{
template <typename TIn, typename TOut = TIn>
using Clahe = itk::ContrastLimitedAdaptiveHistogramEqualizationImageFilter<TIn, TOut>;

template <typename TImage>
typename TImage::Pointer Equalize(const TImage * image, unsigned int workUnits = 0)
{
  auto filter = Clahe<TImage>::New();
  filter->SetInput(image);
  if (workUnits != 0)
  {
    filter->SetNumberOfWorkUnits(workUnits);
  }
  filter->Update();
  return filter->GetOutput();
}

RGBImage::Pointer Noise(itk::SizeValueType width, itk::SizeValueType height)
{
  auto            image = MakeTestImage<RGBImage>(width, height);
  std::mt19937    generator(width * 1000 + height);
  unsigned char * bytes = reinterpret_cast<unsigned char *>(image->GetBufferPointer());
  std::generate_n(bytes, 3 * width * height, [&] { return static_cast<unsigned char>(generator()); });
  return image;
}

bool SameBytes(const RGBImage * a, const RGBImage * b)
{
  const auto count = 3 * a->GetBufferedRegion().GetNumberOfPixels();
  return a->GetBufferedRegion() == b->GetBufferedRegion() && std::equal(RawBytes(a), RawBytes(a) + count, RawBytes(b));
}
} // namespace

TEST(itkClahe, MatchesTheAuthorsCropWithinOneLevel)
{
  const auto  crop = ReadTestImage(OracleDir + "crop.png");
  const auto  expected = ReadTestImage(OracleDir + "crop_clahe.png");
  const auto  result = Equalize<RGBImage>(crop);
  const auto  count = 3 * crop->GetBufferedRegion().GetNumberOfPixels();
  std::size_t different = 0;
  int         worst = 0;
  for (itk::SizeValueType i = 0; i < count; ++i)
  {
    const int difference = std::abs(RawBytes(result)[i] - RawBytes(expected)[i]);
    worst = std::max(worst, difference);
    different += difference != 0;
  }
  RecordProperty("values_different", static_cast<int>(different));
  std::cout << different << " of " << count << " values differ, at most by " << worst << std::endl;
  EXPECT_LE(worst, 1);
  EXPECT_LE(different, count / 10000); // 0 on x86-64; contraction to FMA elsewhere may turn a tie
}

TEST(itkClahe, RawFunctionAndFilterAreOneAndThreadsDoNotMatter)
{
  const auto image = Noise(129, 75);
  const auto one = Equalize<RGBImage>(image, 1);
  const auto many = Equalize<RGBImage>(image, 7);
  EXPECT_TRUE(SameBytes(one, many));
  std::vector<unsigned char> raw(RawBytes(image), RawBytes(image) + 3 * 129 * 75);
  itk::ApplyCLAHE(raw.data(), raw.data(), 129, 75);
  EXPECT_TRUE(std::equal(raw.begin(), raw.end(), RawBytes(one)));

  // From many threads at once, as a data loader does.
  std::vector<std::vector<unsigned char>> results(4, std::vector<unsigned char>(raw.size()));
  std::vector<std::thread>                threads;
  for (auto & result : results)
  {
    threads.emplace_back([&] { itk::ApplyCLAHE(RawBytes(image), result.data(), 129, 75); });
  }
  for (auto & thread : threads)
  {
    thread.join();
  }
  for (const auto & result : results)
  {
    EXPECT_EQ(result, raw);
  }
}

TEST(itkClahe, AnySizeDownToOnePixel)
{
  for (const auto & size : { std::pair<int, int>{ 1, 1 }, { 1, 40 }, { 7, 3 }, { 8, 8 }, { 9, 16 }, { 64, 63 } })
  {
    const auto result = Equalize<RGBImage>(Noise(size.first, size.second));
    EXPECT_EQ(result->GetBufferedRegion().GetSize()[0], static_cast<itk::SizeValueType>(size.first));
  }
}

// With one tile and no clipping CLAHE is plain histogram equalisation: v -> round(255 * cdf(v)).
TEST(itkClahe, OneTileWithoutLimitIsHistogramEqualisation)
{
  auto         image = MakeTestImage<GreyImage>(40, 30);
  std::mt19937 generator(5);
  int          histogram[256] = {};
  for (int i = 0; i < 1200; ++i)
  {
    const auto v = static_cast<unsigned char>(std::min<std::size_t>(255, 90 + generator() % 40 + generator() % 20));
    image->GetBufferPointer()[i] = v;
    ++histogram[v];
  }
  auto filter = Clahe<GreyImage>::New();
  filter->SetInput(image);
  filter->SetTiles({ { 1, 1 } });
  filter->SetClipLimit(256.0);
  filter->Update();
  for (int i = 0; i < 1200; ++i)
  {
    int below = 0;
    for (int v = 0; v <= image->GetBufferPointer()[i]; ++v)
    {
      below += histogram[v];
    }
    EXPECT_NEAR(filter->GetOutput()->GetBufferPointer()[i], 255.0 * below / 1200.0, 0.5001);
  }
}

TEST(itkClahe, SixteenBitIsTheEightBitResultAndAlphaPasses)
{
  const auto image = Noise(48, 48);
  const auto expected = Equalize<RGBImage>(image);
  using RGBA16 = itk::Image<itk::RGBAPixel<unsigned short>, 2>;
  auto deep = MakeTestImage<RGBA16>(48, 48);
  for (int i = 0; i < 48 * 48; ++i)
  {
    for (int c = 0; c < 3; ++c)
    {
      deep->GetBufferPointer()[i][c] = static_cast<unsigned short>(257 * RawBytes(image)[3 * i + c]);
    }
    deep->GetBufferPointer()[i][3] = static_cast<unsigned short>(i);
  }
  const auto result = Equalize<RGBA16>(deep);
  for (int i = 0; i < 48 * 48; ++i)
  {
    for (int c = 0; c < 3; ++c)
    {
      ASSERT_EQ(result->GetBufferPointer()[i][c], 257 * RawBytes(expected)[3 * i + c]);
    }
    ASSERT_EQ(result->GetBufferPointer()[i][3], i);
  }

  using Grey16 = itk::Image<unsigned short, 2>;
  auto grey = MakeTestImage<Grey16>(16, 16);
  auto filter = Clahe<Grey16, GreyImage>::New();
  filter->SetInput(grey);
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetBufferedRegion().GetNumberOfPixels(), 256u);
}

TEST(itkClahe, RefusesNonsense)
{
  auto filter = Clahe<RGBImage>::New();
  EXPECT_THROW(filter->Update(), itk::ExceptionObject);
  filter->SetInput(Noise(16, 16));
  filter->SetClipLimit(0.0);
  EXPECT_THROW(filter->Update(), itk::ExceptionObject);
  filter->SetClipLimit(std::nan(""));
  EXPECT_THROW(filter->Update(), itk::ExceptionObject);
  filter->SetClipLimit(2.0);
  filter->SetTiles({ { 0, 8 } });
  EXPECT_THROW(filter->Update(), itk::ExceptionObject);
  filter->SetTiles({ { 8, 8 } });
  EXPECT_NO_THROW(filter->Update());
  std::ostringstream text;
  filter->Print(text);
  EXPECT_NE(text.str().find("ClipLimit: 2"), std::string::npos);
  unsigned char byte[3] = {};
  EXPECT_THROW(itk::ApplyCLAHE(byte, byte, 0, 1), itk::ExceptionObject);
}

TEST(itkClahe, ReportsProgressAndStopsWhenAsked)
{
  auto filter = Clahe<RGBImage>::New();
  filter->SetInput(Noise(64, 64));
  int  events = 0;
  auto command = itk::CStyleCommand::New();
  command->SetClientData(&events);
  command->SetCallback([](itk::Object * caller, const itk::EventObject &, void * data) {
    ++*static_cast<int *>(data);
    static_cast<itk::ProcessObject *>(caller)->AbortGenerateDataOn();
  });
  filter->AddObserver(itk::ProgressEvent(), command);
  EXPECT_THROW(filter->Update(), itk::ProcessAborted);
  EXPECT_GE(events, 1);
}
