// SPDX-License-Identifier: Apache-2.0
#include "TestFolder.h"
#include "itkFundusPhotographAnalyzer.h"
#include "RandomModel.h"
#include "itkFundusPhotographReader.h"
#include "itkImageRegionIteratorWithIndex.h"
#include "itkModelFiles.h"
#include "itkNPSNetModelFile.h"
#include "itkNPSNetOracle.h"
#include "itkPolarOccupancy.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <thread>

namespace
{
const std::string Sample = std::string(NPSNET_RESOURCES_DIR) + "/SampleData/RET023OD.jpg";

itk::FundusPhotographAnalyzer::Pointer MakeAnalyzer(const std::string & model,
                                                    bool                locate,
                                                    const std::string & tta = "off")
{
  auto                        analyzer = itk::FundusPhotographAnalyzer::New();
  itk::FundusAnalyzerSettings settings;
  settings.ModelFile = model;
  settings.Locate = locate;
  settings.TTAMode = tta;
  settings.Device = "cpu";
  analyzer->SetSettings(settings);
  return analyzer;
}

/** A square of a sample photograph. */
itk::FundusPhotograph::Pointer CutOut(const std::string & sample, int left, int top, unsigned int side)
{
  auto reader = itk::FundusPhotographReader::New();
  reader->SetFileName(std::string(NPSNET_RESOURCES_DIR) + "/SampleData/" + sample);
  reader->Update();
  auto image = itk::FundusPhotograph::ImageType::New();
  image->SetRegions(itk::FundusPhotograph::ImageType::SizeType{ { side, side } });
  image->Allocate();
  for (itk::ImageRegionIteratorWithIndex<itk::FundusPhotograph::ImageType> it(image, image->GetBufferedRegion());
       !it.IsAtEnd();
       ++it)
  {
    it.Set(reader->GetPhotograph()->GetImage()->GetPixel(it.GetIndex() + itk::Offset<2>{ { left, top } }));
  }
  itk::StoredGeometry stored;
  stored.Size = { { side, side } };
  auto photograph = itk::FundusPhotograph::New();
  photograph->SetImage(image);
  photograph->SetStored(stored);
  photograph->SetFileName(sample);
  return photograph;
}

std::string SmallModel()
{
  const auto architecture = randommodel::SmallArchitecture();
  return randommodel::Write("analyzer.safetensors", architecture, randommodel::MakeState(architecture, 21));
}
} // namespace

TEST(FundusPhotographAnalyzer, ReproducesTheOraclesBoundaryFromACrop)
{
  const std::string            checkpoint = oracle::Path("checkpoint_b4_narrow.pth");
  const auto                   analyzer = MakeAnalyzer(checkpoint, false);
  itk::FundusPhotographOptions options;
  options.Eye = "OS";
  options.MicrometersPerPixel = 4.0;
  const auto result = analyzer->Analyze(oracle::Path("crop.png"), options);
  ASSERT_TRUE(result.Boundary) << result.Message;

  const auto          disc = oracle::Array("P_d_polar").contiguous();
  const auto          cup = oracle::Array("P_c_polar").contiguous();
  std::vector<double> discRadii;
  std::vector<double> cupRadii;
  itk::ExtractNestedRadiiFromOccupancy(disc.data_ptr<float>(), cup.data_ptr<float>(), 256, 360, discRadii, cupRadii);
  // Seeded weights draw a boundary too wild for the raster; the repaired one is what mask and table show.
  const auto & drawn = result.NetworkBoundary ? result.NetworkBoundary : result.Boundary;
  for (std::size_t i = 0; i < 360; ++i)
  {
    EXPECT_NEAR(drawn->GetDiscRadii()[i], discRadii[i], 1e-4);
    EXPECT_NEAR(drawn->GetCupRadii()[i], cupRadii[i], 1e-4);
  }
  EXPECT_DOUBLE_EQ(result.Boundary->GetRadius(), 256.0);
  EXPECT_EQ(result.Name, "crop");
  EXPECT_EQ(result.Localisation.Method, "crop");
  EXPECT_EQ(result.Eye, itk::EyeSideEnum::OS);
  EXPECT_EQ(result.EyeSource, itk::EyeSourceEnum::User);
  EXPECT_EQ(result.CalibrationSource, "user");
  EXPECT_EQ(result.Network.SHA256, itk::NPSNetModelFile(checkpoint).GetSHA256());
  EXPECT_EQ(result.TTA.Mode, "off");
  EXPECT_EQ(result.Valid, true);
  EXPECT_GT(result.Measurements.VerticalCupToDiscRatio.value_or(0.0), 0.0);
  EXPECT_EQ(result.CropGeometry->Size, 512u);
  EXPECT_EQ(result.StageSeconds.front().first, "read");
}

TEST(FundusPhotographAnalyzer, AnalysesAWholePhotographAboutAClick)
{
  const auto                   analyzer = MakeAnalyzer(SmallModel(), true);
  itk::FundusPhotographOptions options;
  const double                 click[] = { 900.0, 700.0 };
  options.Center = itk::ContinuousIndex<double, 2>(click);
  const auto result = analyzer->Analyze(Sample, options);
  EXPECT_NE(result.Status, itk::FundusStatusEnum::Failed) << result.Message;
  EXPECT_EQ(result.Localisation.Method, "user");
  EXPECT_EQ(result.Eye, itk::EyeSideEnum::OD);
  EXPECT_EQ(result.EyeSource, itk::EyeSourceEnum::FileName);
  if (result.HasSegmentation())
  {
    EXPECT_EQ(result.Labels->GetLargestPossibleRegion(), result.Photograph->GetImage()->GetLargestPossibleRegion());
    EXPECT_EQ(result.Valid, true);
  }

  // Region given: that region and no other.
  options.Side = 600.0;
  const auto exact = analyzer->Analyze(Sample, options);
  ASSERT_TRUE(exact.CropGeometry.has_value()) << exact.Message;
  EXPECT_DOUBLE_EQ(exact.CropGeometry->Side, 600.0);
  EXPECT_DOUBLE_EQ(exact.CropGeometry->Center[0], 900.0);
}

TEST(FundusPhotographAnalyzer, FlagsALocationWithoutCertainty)
{
  ASSERT_FALSE(itk::ModelFiles::GetDefaultLocator().empty());
  // Vessels and no disc.
  const auto                        photograph = CutOut("RET042OS.jpg", 1600, 400, 800);
  const auto                        analyzer = MakeAnalyzer("", true);
  const auto                        found = analyzer->Analyze(photograph);
  constexpr itk::RimQualityFlagEnum flag = itk::RimQualityFlagEnum::UncertainLocation;
  EXPECT_EQ(found.Status, itk::FundusStatusEnum::LowConfidence) << found.Message;
  EXPECT_TRUE(found.Measurements.HasFlag(flag));
  EXPECT_NE(found.Message.find(RimQualityFlagToSentence(flag)), std::string::npos) << found.Message;
  EXPECT_GT(*found.Localisation.Confidence, 0.3);

  itk::FundusPhotographOptions options;
  options.Center = found.Localisation.Center;
  EXPECT_FALSE(analyzer->Analyze(photograph, options).Measurements.HasFlag(flag));
  EXPECT_FALSE(MakeAnalyzer("", false)->Analyze(photograph).Measurements.HasFlag(flag));
  EXPECT_EQ(analyzer->Analyze(Sample).Status, itk::FundusStatusEnum::Ok);

  const auto nowhere = analyzer->Analyze(CutOut("RET042OS.jpg", 1200, 1200, 600));
  EXPECT_EQ(nowhere.Status, itk::FundusStatusEnum::NotFound) << nowhere.Message;
  EXPECT_FALSE(nowhere.Localisation.Center.has_value());
  EXPECT_TRUE(nowhere.Localisation.Confidence.has_value());
}

TEST(FundusPhotographAnalyzer, FindsTheSizeOfADiscThatFillsThePhotograph)
{
  const auto analyzer = MakeAnalyzer("", true);
  const auto whole = analyzer->Analyze(Sample);
  ASSERT_TRUE(whole.CropGeometry.has_value()) << whole.Message;
  const double disc = 0.5 * whole.CropGeometry->Side;
  for (const double share : { 0.5, 0.8 })
  {
    const auto side = static_cast<unsigned int>(disc / share);
    const auto place = [side](double center) { return static_cast<int>(center - 0.5 * side); };
    const auto closeUp = analyzer->Analyze(
      CutOut("RET023OD.jpg", place(whole.CropGeometry->Center[0]), place(whole.CropGeometry->Center[1]), side));
    ASSERT_TRUE(closeUp.Boundary) << closeUp.Message;
    ASSERT_TRUE(closeUp.Localisation.Diameter.has_value());
    EXPECT_NEAR(*closeUp.Localisation.Diameter / disc, 1.0, 0.25) << share;
    EXPECT_NEAR(closeUp.CropGeometry->Side / whole.CropGeometry->Side, 1.0, 0.1) << share;
    EXPECT_EQ(closeUp.Status, itk::FundusStatusEnum::Ok) << closeUp.Message;
  }
}

TEST(FundusPhotographAnalyzer, FlagsACenterOnPlainRetina)
{
  constexpr itk::RimQualityFlagEnum flag = itk::RimQualityFlagEnum::UncertainLocation;
  const auto                        analyzer = MakeAnalyzer("", true);
  const auto                        found = analyzer->Analyze(Sample);
  ASSERT_TRUE(found.Measurements.DiscCentroid.has_value()) << found.Message;

  itk::FundusPhotographOptions options;
  options.Center = found.Measurements.DiscCentroid;
  (*options.Center)[0] += 0.4 * *found.Measurements.EquivalentDiscRadius;
  EXPECT_FALSE(analyzer->Analyze(Sample, options).Measurements.HasFlag(flag)) << "a click into the disc is right";

  int segmented = 0;
  for (const double x : { 700.0, 1400.0, 1900.0 })
  {
    options.Center = { { x, 1500.0 } };
    const auto retina = analyzer->Analyze(Sample, options);
    if (retina.Boundary) // else it says that nothing is there, which is as good
    {
      ++segmented;
      EXPECT_TRUE(retina.Measurements.HasFlag(flag)) << x << ": " << retina.Message;
      EXPECT_EQ(retina.Status, itk::FundusStatusEnum::LowConfidence);
      EXPECT_NE(retina.Message.find("without certainty"), std::string::npos) << retina.Message;
    }
  }
  std::cout << segmented << " of 3 places of plain retina got outlines" << std::endl;
}

TEST(FundusPhotographAnalyzer, ABadPhotographIsAResult)
{
  const auto analyzer = MakeAnalyzer(SmallModel(), false);
  const auto missing = analyzer->Analyze("/nonexistent/photo.jpg");
  EXPECT_EQ(missing.Status, itk::FundusStatusEnum::Unreadable);
  EXPECT_NE(missing.Message.find("photo.jpg"), std::string::npos) << missing.Message;

  const std::string path = TestFolder() + "/text.jpg";
  std::ofstream(path) << "no photograph";
  EXPECT_EQ(analyzer->Analyze(path).Status, itk::FundusStatusEnum::Unreadable);

  itk::FundusPhotographOptions options;
  options.Eye = "third";
  EXPECT_EQ(analyzer->Analyze(Sample, options).Status, itk::FundusStatusEnum::Failed);
  options = itk::FundusPhotographOptions();
  options.Side = -5.0;
  const auto failed = analyzer->Analyze(Sample, options);
  EXPECT_EQ(failed.Status, itk::FundusStatusEnum::Failed);
  EXPECT_NE(failed.Message.find("-5"), std::string::npos);
  EXPECT_FALSE(failed.HasSegmentation());
}

TEST(FundusPhotographAnalyzer, ABadModelIsAnException)
{
  EXPECT_THROW(MakeAnalyzer("/nonexistent.pth", false)->Load(), itk::ExceptionObject);
  EXPECT_THROW(MakeAnalyzer(SmallModel(), false, "best")->Load(), itk::ExceptionObject);
  EXPECT_THROW(MakeAnalyzer(SmallModel(), false, "best")->Analyze(Sample), itk::ExceptionObject);
}

TEST(FundusPhotographAnalyzer, TakesTheModelsOwnAdviceAboutTTA)
{
  auto architecture = randommodel::SmallArchitecture();
  architecture.Extra["recommended_tta"] = "symmetric";
  const auto state = randommodel::MakeState(architecture, 22);
  const auto advised = randommodel::Write("advised.safetensors", architecture, state);
  EXPECT_EQ(MakeAnalyzer(advised, false, "auto")->Analyze(Sample).TTA.Mode, "symmetric");
  EXPECT_EQ(MakeAnalyzer(advised, false, "off")->Analyze(Sample).TTA.Mode, "off");
  EXPECT_EQ(MakeAnalyzer(SmallModel(), false, "auto")->Analyze(Sample).TTA.Mode, "off");
}

TEST(FundusPhotographAnalyzer, ReportsProgressAndCanBeCancelled)
{
  const auto analyzer = MakeAnalyzer(SmallModel(), false, "symmetric");
  double     last = -1.0;
  bool       forward = true;
  analyzer->Analyze(Sample, {}, [&](double fraction, const std::string &) {
    forward = forward && fraction >= last;
    last = fraction;
    return true;
  });
  EXPECT_TRUE(forward);
  EXPECT_EQ(last, 1.0);

  bool         refused = false;
  unsigned int callsAfterwards = 0;
  EXPECT_THROW(analyzer->Analyze(Sample,
                                 {},
                                 [&](double fraction, const std::string &) {
                                   callsAfterwards += refused;
                                   refused = refused || fraction >= 0.3;
                                   last = fraction;
                                   return !refused;
                                 }),
               itk::ProcessAborted);
  EXPECT_EQ(callsAfterwards, 0u);
  EXPECT_LT(last, 0.5);
}

TEST(FundusPhotographAnalyzer, ServesSeveralThreads)
{
  const auto                     analyzer = MakeAnalyzer(SmallModel(), false);
  std::vector<itk::FundusResult> results(3);
  std::vector<std::thread>       threads;
  for (auto & result : results)
  {
    threads.emplace_back([&result, &analyzer] { result = analyzer->Analyze(Sample); });
  }
  for (auto & thread : threads)
  {
    thread.join();
  }
  for (const auto & result : results)
  {
    EXPECT_EQ(result.Status, results[0].Status);
    EXPECT_EQ(result.Boundary.IsNotNull(), results[0].Boundary.IsNotNull());
    if (result.Boundary)
    {
      EXPECT_EQ(result.Boundary->GetDiscRadii(), results[0].Boundary->GetDiscRadii());
    }
  }
}

TEST(FundusPhotographAnalyzer, TurnedAxesOfTheImageDoNotMatter)
{
  const auto                        analyzer = MakeAnalyzer("", true);
  const auto                        photograph = CutOut("RET042OD.jpg", 700, 300, 1024);
  const auto                        upright = analyzer->Analyze(photograph);
  auto *                            image = photograph->GetModifiableImage();
  itk::Image<int, 2>::DirectionType direction;
  direction(0, 0) = direction(1, 1) = std::cos(0.5);
  direction(1, 0) = std::sin(0.5);
  direction(0, 1) = -direction(1, 0);
  image->SetDirection(direction);
  const auto turned = analyzer->Analyze(photograph);
  ASSERT_TRUE(upright.HasSegmentation() && turned.HasSegmentation()) << upright.Message << turned.Message;
  EXPECT_NEAR(turned.CropGeometry->Side, upright.CropGeometry->Side, 1e-3);
  EXPECT_NEAR(*turned.Measurements.VerticalCupToDiscRatio, *upright.Measurements.VerticalCupToDiscRatio, 1e-3);
}
