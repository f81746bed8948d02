// SPDX-License-Identifier: Apache-2.0
#include "itkPolarTestTimeAugmentationFilter.h"
#include "TestImages.h"
#include "RandomModel.h"
#include "itkCommand.h"
#include "itkFlipImageFilter.h"
#include "itkNPSNetImageFilter.h"
#include "itkNPSNetOracle.h"
#include "itkNestedLabelValidity.h"
#include "itkShiftScaleImageFilter.h"
#include "itkNestedPolarBoundaryToLabelImageFilter.h"
#include "itkPolarOccupancy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <typeinfo>

namespace
{
using FilterType = itk::PolarTestTimeAugmentationFilter;
using ImageType = FilterType::ImageType;

ImageType::Pointer ReadImage(const std::string & name)
{
  return ReadTestImage(oracle::Path(name));
}

FilterType::Pointer MakeFilter(const char * mode)
{
  auto                  filter = FilterType::New();
  itk::PolarTTASettings settings;
  settings.Mode = itk::PolarTTAModeFromString(mode);
  filter->SetSettings(settings);
  filter->SetNetwork(itk::NPSNet::Load(oracle::Path("checkpoint_b4_narrow.pth")));
  filter->SetInput(ReadImage("crop_clahe.png"));
  return filter;
}

void ExpectNestedMonotone(FilterType * filter)
{
  const auto    size = filter->GetDiscOccupancy()->GetLargestPossibleRegion().GetSize();
  const float * disc = filter->GetDiscOccupancy()->GetBufferPointer();
  const float * cup = filter->GetCupOccupancy()->GetBufferPointer();
  for (std::size_t at = 0; at < size[0] * size[1]; ++at)
  {
    ASSERT_LE(cup[at], disc[at]);
    if (at >= size[0])
    {
      ASSERT_LE(disc[at], disc[at - size[0]]);
      ASSERT_LE(cup[at], cup[at - size[0]]);
    }
  }
}

unsigned int CountFullPasses(const FilterType * filter)
{
  const auto & entries = filter->GetReport().Entries;
  return static_cast<unsigned int>(
    std::count_if(entries.begin(), entries.end(), [](const auto & entry) { return entry.FullPass; }));
}

/** Of what two runs say about the crop's pixels: 1 disc, 2 cup. */
double Dice(FilterType * a, FilterType * b, int label)
{
  const auto draw = [](FilterType * filter) {
    auto labels = itk::NestedPolarBoundaryToLabelImageFilter::New();
    labels->SetBoundary(filter->GetBoundary());
    labels->SetReferenceImage(filter->GetInput());
    labels->Update();
    return labels;
  };
  const auto   first = draw(a);
  const auto   second = draw(b);
  const auto * p = first->GetOutput()->GetBufferPointer();
  const auto * q = second->GetOutput()->GetBufferPointer();
  double       common = 0.0;
  double       total = 0.0;
  for (std::size_t i = 0; i < first->GetOutput()->GetBufferedRegion().GetNumberOfPixels(); ++i)
  {
    common += p[i] >= label && q[i] >= label;
    total += (p[i] >= label) + (q[i] >= label);
  }
  return total > 0.0 ? 2.0 * common / total : 1.0;
}

double LargestDifference(const FilterType::MapType * image, const torch::Tensor & expected)
{
  const auto region = image->GetBufferedRegion().GetNumberOfPixels();
  return oracle::Difference(
    torch::from_blob(const_cast<float *>(image->GetBufferPointer()), { static_cast<int64_t>(region) }), expected);
}
} // namespace

TEST(PolarTestTimeAugmentationFilter, ReferenceReproducesTheAuthors)
{
  const auto filter = MakeFilter("reference");
  filter->Update();
  const auto   numbers = oracle::Numbers().at("tta");
  const auto & report = filter->GetReport();
  const auto   scores = numbers.at("scores").get<std::vector<double>>();
  const auto   hypotheses = numbers.at("hypotheses").get<std::vector<std::vector<float>>>();
  ASSERT_EQ(report.Entries.size(), scores.size());
  for (std::size_t i = 0; i < scores.size(); ++i)
  {
    EXPECT_NEAR(report.Entries[i].Score, scores[i], 1e-4) << i;
    EXPECT_FLOAT_EQ(report.Entries[i].Hypothesis.Dx, hypotheses[i][0]);
    EXPECT_FLOAT_EQ(report.Entries[i].Hypothesis.Dy, hypotheses[i][1]);
    EXPECT_FLOAT_EQ(report.Entries[i].Hypothesis.Scale, hypotheses[i][2]);
    EXPECT_TRUE(report.Entries[i].FullPass);
  }
  const auto   best = numbers.at("best").get<std::vector<float>>();
  const auto & winner = report.Entries.at(report.Winner).Hypothesis;
  EXPECT_FLOAT_EQ(winner.Dx, best[0]);
  EXPECT_FLOAT_EQ(winner.Dy, best[1]);
  EXPECT_FLOAT_EQ(winner.Scale, best[2]);
  EXPECT_LT(LargestDifference(filter->GetReferenceDisc(), oracle::Array("tta_disc_prob")), 1e-4);
  EXPECT_LT(LargestDifference(filter->GetReferenceCup(), oracle::Array("tta_cup_prob")), 1e-4);
  ExpectNestedMonotone(filter);
}

TEST(PolarTestTimeAugmentationFilter, OffIsOnePassAboutTheCentre)
{
  const auto filter = MakeFilter("off");
  filter->Update();
  EXPECT_EQ(filter->GetReport().Entries.size(), 1u);
  EXPECT_LT(LargestDifference(filter->GetDiscOccupancy(), oracle::Array("P_d_polar")), 1e-4);
  EXPECT_LT(LargestDifference(filter->GetCupOccupancy(), oracle::Array("P_c_polar")), 1e-4);
  EXPECT_EQ(filter->GetReferenceDisc()->GetBufferedRegion().GetNumberOfPixels(), 0u);

  const auto * boundary = filter->GetBoundary();
  EXPECT_DOUBLE_EQ(boundary->GetAnchor()[0], 255.5);
  EXPECT_DOUBLE_EQ(boundary->GetRadius(), 256.0);
  const auto          disc = oracle::Array("P_d_polar").contiguous();
  const auto          cup = oracle::Array("P_c_polar").contiguous();
  std::vector<double> discRadii;
  std::vector<double> cupRadii;
  ASSERT_TRUE(
    itk::ExtractNestedRadiiFromOccupancy(disc.data_ptr<float>(), cup.data_ptr<float>(), 256, 360, discRadii, cupRadii));
  for (std::size_t i = 0; i < 360; ++i)
  {
    EXPECT_NEAR(boundary->GetDiscRadii()[i], discRadii[i], 1e-4);
    EXPECT_NEAR(boundary->GetCupRadii()[i], cupRadii[i], 1e-4);
  }
  const auto gamma = oracle::Array("gamma_d").contiguous();
  EXPECT_NEAR(boundary->GetDiscConfidences().at(90), gamma.data_ptr<float>()[90], 1e-4);
}

TEST(PolarTestTimeAugmentationFilter, OursIsValidAfterTheBlend)
{
  const auto filter = MakeFilter("symmetric");
  filter->Update();
  const auto & report = filter->GetReport();
  EXPECT_EQ(report.Entries.size(), 27u);
  double       weights = 0.0;
  unsigned int blended = 0;
  for (const auto & entry : report.Entries)
  {
    weights += entry.Weight;
    blended += entry.Weight > 0.0;
    EXPECT_LE(entry.Score, report.Entries[report.Winner].Score);
  }
  EXPECT_NEAR(weights, 1.0, 1e-9);
  EXPECT_EQ(blended, 3u);
  ExpectNestedMonotone(filter);
  // Every ray meets the cup: the anchor lies inside it.
  const auto & cup = filter->GetBoundary()->GetCupRadii();
  EXPECT_GT(*std::min_element(cup.begin(), cup.end()), 0.0);
}

TEST(PolarTestTimeAugmentationFilter, FullBlendsAllByConsensus)
{
  const auto filter = MakeFilter("full");
  filter->Update();
  const auto & report = filter->GetReport();
  ASSERT_EQ(report.Entries.size(), 27u);
  double weights = 0.0;
  for (const auto & entry : report.Entries)
  {
    EXPECT_TRUE(entry.FullPass);
    EXPECT_GT(entry.Score, 0.5);
    EXPECT_LE(entry.Score, report.Entries[report.Winner].Score);
    EXPECT_GT(entry.Weight, 0.0);
    EXPECT_LE(entry.Weight, report.Entries[report.Winner].Weight);
    weights += entry.Weight;
  }
  EXPECT_NEAR(weights, 1.0, 1e-9);
  ExpectNestedMonotone(filter);
  const auto & cup = filter->GetBoundary()->GetCupRadii();
  EXPECT_GT(*std::min_element(cup.begin(), cup.end()), 0.0);
}

TEST(PolarTestTimeAugmentationFilter, FastNeedsFewPassesForTheResultOfFull)
{
  // The oracle's weights are random: its hypotheses agree about nothing, and no few of them stand for all.
  const auto network = itk::NPSNet::Load(NPSNET_RESOURCES_DIR "/Models/npsnet-default.safetensors");
  const auto run = [&network](const char * mode) {
    auto filter = MakeFilter(mode);
    filter->SetNetwork(network);
    filter->Update();
    return filter;
  };
  const auto full = run("full");
  const auto fast = run("fast");
  EXPECT_GE(CountFullPasses(fast), 3u);
  EXPECT_LE(CountFullPasses(fast), fast->GetSettings().MaximumFullPasses);
  double weights = 0.0;
  for (const auto & entry : fast->GetReport().Entries)
  {
    weights += entry.Weight;
    EXPECT_EQ(entry.FullPass, entry.Weight > 0.0);
    EXPECT_EQ(entry.FullPass, entry.Score > 0.0);
  }
  EXPECT_NEAR(weights, 1.0, 1e-9);
  EXPECT_TRUE(fast->GetReport().Entries.at(fast->GetReport().Winner).FullPass);
  ExpectNestedMonotone(fast);
  EXPECT_GT(Dice(full, fast, 1), 0.995);
  EXPECT_GT(Dice(full, fast, 2), 0.995);
}

TEST(PolarTestTimeAugmentationFilter, FastStopsWhenTheRestCannotMatter)
{
  const auto run = [](double tolerance, unsigned int passes) {
    const auto            filter = MakeFilter("fast");
    itk::PolarTTASettings settings = filter->GetSettings();
    settings.StopTolerance = tolerance;
    settings.MaximumFullPasses = passes;
    filter->SetSettings(settings);
    filter->Update();
    return CountFullPasses(filter);
  };
  EXPECT_EQ(run(1.0, 5), 3u);
  EXPECT_EQ(run(0.0, 5), 5u);
  EXPECT_EQ(run(0.0, 2), 2u);
  EXPECT_EQ(run(0.0, 0), 1u);
}

TEST(PolarTestTimeAugmentationFilter, ReportsProgressAndStopsBetweenHypotheses)
{
  const auto   filter = MakeFilter("symmetric");
  unsigned int events = 0;
  filter->AddObserver(itk::ProgressEvent(), [&events, &filter](const itk::EventObject &) {
    if (filter->GetProgress() > 0.0f && ++events == 2)
    {
      filter->AbortGenerateDataOn();
    }
  });
  EXPECT_THROW(filter->Update(), itk::ProcessAborted);
  EXPECT_EQ(events, 2u);
}

TEST(PolarTestTimeAugmentationFilter, MirrorAveragingIsSymmetric)
{
  const auto architecture = randommodel::SmallArchitecture();
  const auto network =
    itk::NPSNet::Load(randommodel::Write("mirror.safetensors", architecture, randommodel::MakeState(architecture, 11)));
  auto crop = ReadImage("crop_clahe.png");
  auto flip = itk::FlipImageFilter<ImageType>::New();
  flip->SetInput(crop);
  itk::FixedArray<bool, 2> axes(false);
  axes[0] = true;
  flip->SetFlipAxes(axes);
  flip->FlipAboutOriginOff();
  flip->Update();
  ImageType::Pointer mirrored = flip->GetOutput();
  mirrored->SetOrigin(crop->GetOrigin());
  mirrored->SetDirection(crop->GetDirection());

  const auto run = [&network](ImageType * image, bool average) {
    auto                  filter = FilterType::New();
    itk::PolarTTASettings settings;
    settings.FlipAverage = average;
    filter->SetSettings(settings);
    filter->SetNetwork(network);
    filter->SetInput(image);
    filter->Update();
    const float * values = filter->GetDiscOccupancy()->GetBufferPointer();
    return std::vector<float>(values, values + 32 * 48);
  };
  const auto difference = [&](bool average) {
    const auto a = run(crop, average);
    const auto b = run(mirrored, average);
    double     worst = 0.0;
    for (std::size_t j = 0; j < 32; ++j)
    {
      for (std::size_t i = 0; i < 48; ++i)
      {
        worst = std::max(worst, std::abs(static_cast<double>(a[j * 48 + i]) - b[j * 48 + (72 - i) % 48]));
      }
    }
    return worst;
  };
  EXPECT_LT(difference(true), 1e-4);
  EXPECT_GT(difference(false), 1e-3);
}

TEST(PolarTestTimeAugmentationFilter, RefusesWhatItCannotDo)
{
  auto filter = FilterType::New();
  filter->SetInput(ReadImage("crop_clahe.png"));
  EXPECT_THROW(filter->Update(), itk::ExceptionObject); // no network

  const auto architecture = randommodel::SmallArchitecture();
  auto       state = randommodel::MakeState(architecture, 12);
  state["fusion.lambda_c"] = torch::tensor(-1.0f);
  itk::NPSNet::Settings settings;
  settings.AllowNegativePriorScale = true;
  filter->SetNetwork(itk::NPSNet::Load(randommodel::Write("negative_tta.safetensors", architecture, state), settings));
  EXPECT_THROW(filter->Update(), itk::ExceptionObject);
  itk::PolarTTASettings tta;
  tta.Mode = itk::PolarTTAModeEnum::Reference;
  filter->SetSettings(tta);
  EXPECT_NO_THROW(filter->Update());
  ExpectNestedMonotone(filter);

  auto oblong = ImageType::New();
  oblong->SetRegions(ImageType::SizeType{ { 40, 50 } });
  oblong->Allocate(true);
  filter->SetInput(oblong);
  EXPECT_THROW(filter->Update(), itk::ExceptionObject);
}

TEST(NPSNetImageFilter, ReproducesTheOraclesBoundaryFromTheCrop)
{
  auto filter = itk::NPSNetImageFilter::New();
  filter->SetInput(ReadImage("crop.png"));
  filter->SetNetwork(itk::NPSNet::Load(oracle::Path("checkpoint_b4_narrow.pth")));
  filter->Update();
  const auto          disc = oracle::Array("P_d_polar").contiguous();
  const auto          cup = oracle::Array("P_c_polar").contiguous();
  std::vector<double> discRadii;
  std::vector<double> cupRadii;
  itk::ExtractNestedRadiiFromOccupancy(disc.data_ptr<float>(), cup.data_ptr<float>(), 256, 360, discRadii, cupRadii);
  for (std::size_t i = 0; i < 360; ++i)
  {
    EXPECT_NEAR(filter->GetNetworkBoundary()->GetDiscRadii()[i], discRadii[i], 1e-4);
    EXPECT_NEAR(filter->GetNetworkBoundary()->GetCupRadii()[i], cupRadii[i], 1e-4);
  }
  const auto report = itk::NestedLabelValidity::Check(filter->GetOutput(), filter->GetBoundary()->GetAnchor());
  EXPECT_TRUE(report.IsValid()) << report.Describe();
  EXPECT_FALSE(report.Disc.Empty);
  EXPECT_EQ(filter->GetOutput()->GetLargestPossibleRegion().GetSize(), (itk::Size<2>{ { 512, 512 } }));
}

TEST(NPSNetImageFilter, HonoursTheGeometryOfThePhotograph)
{
  // The crop pasted into a larger photograph with its own spacing, origin and flipped axes.
  const auto crop = ReadImage("crop.png");
  auto       photo = ImageType::New();
  photo->SetRegions(ImageType::SizeType{ { 900, 800 } });
  photo->Allocate(true);
  for (itk::IndexValueType y = 0; y < 512; ++y)
  {
    for (itk::IndexValueType x = 0; x < 512; ++x)
    {
      photo->SetPixel({ { x + 300, y + 200 } }, crop->GetPixel({ { x, y } }));
    }
  }
  ImageType::DirectionType direction;
  direction.Fill(0.0);
  direction(0, 1) = -1.0;
  direction(1, 0) = 1.0;
  photo->SetDirection(direction);
  photo->SetSpacing(itk::MakeVector(0.5, 0.5));
  photo->SetOrigin(itk::MakePoint(-70.0, 33.0));

  const auto network = itk::NPSNet::Load(oracle::Path("checkpoint_b4_narrow.pth"));
  auto       plain = itk::NPSNetImageFilter::New();
  plain->SetInput(crop);
  plain->SetNetwork(network);
  plain->Update();

  itk::ContinuousIndex<double, 2> middle;
  middle[0] = 300 + 255.5;
  middle[1] = 200 + 255.5;
  ImageType::PointType center;
  photo->TransformContinuousIndexToPhysicalPoint(middle, center);
  auto filter = itk::NPSNetImageFilter::New();
  filter->SetInput(photo);
  filter->SetNetwork(network);
  filter->SetCenter(center);
  filter->SetSide(256.0);
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetSpacing(), photo->GetSpacing());
  unsigned int different = 0;
  for (itk::IndexValueType y = 0; y < 800; ++y)
  {
    for (itk::IndexValueType x = 0; x < 900; ++x)
    {
      const bool inside = x >= 300 && x < 812 && y >= 200 && y < 712;
      const int  expected = inside ? plain->GetOutput()->GetPixel({ { x - 300, y - 200 } }) : 0;
      different += expected != filter->GetOutput()->GetPixel({ { x, y } });
    }
  }
  EXPECT_EQ(different, 0u);
}

TEST(NPSNetImageFilter, EveryOutputIsAPipelineOutputOfItsKind)
{
  const auto architecture = randommodel::SmallArchitecture();
  auto       filter = itk::NPSNetImageFilter::New();
  filter->SetInput(ReadImage("crop.png"));
  filter->SetNetwork(itk::NPSNet::Load(
    randommodel::Write("outputs.safetensors", architecture, randommodel::MakeState(architecture, 5))));
  using MapType = itk::NPSNetImageFilter::MapType;
  auto scaled = itk::ShiftScaleImageFilter<MapType, MapType>::New();
  scaled->SetInput(filter->GetDiscOccupancy());
  scaled->Update(); // the map's size must be known before the network has run
  EXPECT_EQ(scaled->GetOutput()->GetBufferedRegion().GetSize(), (itk::Size<2>{ { 48, 32 } }));
  EXPECT_DOUBLE_EQ(scaled->GetOutput()->GetSpacing()[1], 1.0 / 31.0);
  EXPECT_EQ(scaled->GetOutput()->GetPixel({ { 3, 0 } }), filter->GetDiscOccupancy()->GetPixel({ { 3, 0 } }));

  const auto outputs = [&] {
    return std::vector<itk::DataObject::Pointer>{ filter->GetOutput(),
                                                  filter->GetBoundary(),
                                                  filter->GetDiscOccupancy(),
                                                  filter->GetCupOccupancy(),
                                                  filter->GetNetworkBoundary() };
  };
  const auto first = outputs();
  for (const auto & output : first)
  {
    output->DisconnectPipeline();
  }
  filter->Update();
  const auto second = outputs();
  for (std::size_t i = 0; i < first.size(); ++i)
  {
    EXPECT_NE(first[i], second[i]);
    const itk::DataObject & before = *first[i];
    const itk::DataObject & after = *second[i];
    EXPECT_EQ(typeid(after), typeid(before)) << i;
  }
  EXPECT_FALSE(filter->GetBoundary()->GetDiscRadii().empty());
}

TEST(PolarTestTimeAugmentationFilter, MapsAreKnownBeforeTheNetworkRuns)
{
  const auto architecture = randommodel::SmallArchitecture();
  auto       filter = itk::PolarTestTimeAugmentationFilter::New();
  filter->SetInput(ReadImage("crop.png"));
  filter->SetNetwork(
    itk::NPSNet::Load(randommodel::Write("maps.safetensors", architecture, randommodel::MakeState(architecture, 5))));
  filter->SetNumberOfRadii(40);
  using MapType = itk::PolarTestTimeAugmentationFilter::MapType;
  auto scaled = itk::ShiftScaleImageFilter<MapType, MapType>::New();
  scaled->SetInput(filter->GetCupOccupancy());
  scaled->Update();
  EXPECT_EQ(scaled->GetOutput()->GetBufferedRegion().GetSize(), (itk::Size<2>{ { 48, 40 } }));
}
