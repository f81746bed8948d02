// SPDX-License-Identifier: Apache-2.0
#include "itkOpticDiscMetrics.h"

#include "NumpyArray.h"
#include "SyntheticDisc.h"
#include "TestImages.h"
#include "itkEvaluationStatistics.h"

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>

namespace
{
using itk::EvaluationStatistics;
using itk::OpticDiscMetrics;
using nlohmann::json;

json ReadJSON(const std::string & path)
{
  std::ifstream stream(path);
  return json::parse(stream);
}

std::string GetOracle()
{
  const char * folder = std::getenv("NPSNET_ORACLE_DIR");
  return folder != nullptr ? std::string(folder) + "/" : OracleDir;
}

GreyImage::Pointer Threshold(const std::string & npy)
{
  const auto array = NumpyArray::Read(npy);
  const auto n = array.Shape.size();
  auto       mask = MakeTestImage<GreyImage>(array.Shape[n - 1], array.Shape[n - 2]);
  for (std::size_t k = 0; k < array.Values.size(); ++k)
  {
    mask->GetBufferPointer()[k] = array.Values[k] > 0.5f ? 1 : 0; // the authors use >
  }
  return mask;
}

std::map<std::string, std::optional<double>> AsMap(const OpticDiscMetrics & metrics)
{
  std::map<std::string, std::optional<double>> map;
  for (const auto & [name, value] : metrics.ToList())
  {
    map[name] = value;
  }
  return map;
}

OpticDiscMetrics ComputeOracle(const std::string & folder)
{
  return OpticDiscMetrics::Compute(Threshold(folder + "tta_disc_prob.npy"),
                                   Threshold(folder + "tta_cup_prob.npy"),
                                   ReadTestImage<GreyImage>(folder + "disc.png"),
                                   ReadTestImage<GreyImage>(folder + "cup.png"));
}
} // namespace

TEST(itkOpticDiscMetrics, ParityWithTheAuthors)
{
  const json expected = ReadJSON(GetOracle() + "numbers.json")["metrics_tta_vs_truth"];
  const auto metrics = AsMap(ComputeOracle(GetOracle()));
  ASSERT_GE(expected.size(), 12u);
  for (const auto & item : expected.items())
  {
    ASSERT_EQ(metrics.count(item.key()), 1u) << item.key();
    ASSERT_TRUE(metrics.at(item.key()).has_value()) << item.key();
    EXPECT_NEAR(*metrics.at(item.key()), item.value().get<double>(), 1e-5) << item.key();
  }
}

TEST(itkOpticDiscMetrics, RimAndSurfaceParity)
{
  // the numbers belong to the oracle in Testing/Data, whatever NPSNET_ORACLE_DIR says
  const json expected = ReadJSON(NPSNET_TEST_DATA_DIR "/statistics/b4_narrow_rim_and_surface.json");
  const auto metrics = AsMap(ComputeOracle(OracleDir));
  for (const char * name :
       { "rim_mae", "rim_corr", "cup_hd95_surface", "disc_hd95_surface", "cup_assd_surface", "disc_assd_surface" })
  {
    EXPECT_NEAR(*metrics.at(name), expected[name].get<double>(), 2e-6) << name;
  }
}

TEST(itkOpticDiscMetrics, ClosedForms)
{
  const SyntheticDisc truth{ SyntheticDisc::Circle(255.5, 255.5, 128), SyntheticDisc::Circle(255.5, 255.5, 64) };
  const SyntheticDisc wider{ SyntheticDisc::Circle(255.5, 255.5, 138), SyntheticDisc::Circle(255.5, 255.5, 54) };
  const auto same = OpticDiscMetrics::ComputeFromLabels(truth.MakeLabels(512, 512), truth.MakeLabels(512, 512));
  EXPECT_NEAR(same.Disc.Dice, 1.0, 1e-12);
  EXPECT_EQ(*same.Cup.HD95, 0.0);
  EXPECT_EQ(*same.Cup.HD95Surface, 0.0);
  EXPECT_EQ(*same.RimMAE, 0.0);

  const auto m = OpticDiscMetrics::ComputeFromLabels(wider.MakeLabels(512, 512), truth.MakeLabels(512, 512));
  EXPECT_NEAR(m.Disc.Dice, 2.0 * 128 * 128 / (128.0 * 128 + 138.0 * 138), 1e-3);
  EXPECT_NEAR(m.Disc.IoU, 128.0 * 128 / (138.0 * 138), 1e-3);
  EXPECT_NEAR(*m.Disc.HD95Surface, 10.0, 1.0);
  EXPECT_NEAR(*m.Disc.ASSDSurface, 10.0, 0.5);
  // All foreground pixels: those of the truth are inside (zero), so the tail is thinner than on the surface.
  EXPECT_LT(*m.Disc.HD95, *m.Disc.HD95Surface);
  EXPECT_NEAR(*m.GetVerticalCDRError(), 0.5 - 54.0 / 138.0, 0.01);
  EXPECT_NEAR(*m.RimMAE, 20.0 / 256.0, 0.004);
}

TEST(itkOpticDiscMetrics, EmptyMasksGiveNothingInsteadOfNaN)
{
  const SyntheticDisc truth{ SyntheticDisc::Circle(31.5, 31.5, 20), SyntheticDisc::Circle(31.5, 31.5, 8) };
  const auto          nothing = MakeTestImage<GreyImage>(64, 64);
  const auto          m = OpticDiscMetrics::ComputeFromLabels(nothing, truth.MakeLabels(64, 64));
  EXPECT_NEAR(m.Disc.Dice, 0.0, 1e-9);
  EXPECT_FALSE(m.Disc.HD95.has_value());
  EXPECT_FALSE(m.Disc.HD95Surface.has_value());
  EXPECT_FALSE(m.VerticalCDR.has_value());
  EXPECT_FALSE(m.GetVerticalCDRError().has_value());
  EXPECT_FALSE(m.RimMAE.has_value());
  EXPECT_FALSE(m.RimCorrelation.has_value());
  EXPECT_THROW(OpticDiscMetrics::ComputeFromLabels(nothing, truth.MakeLabels(32, 64)), itk::ExceptionObject);
}

TEST(itkEvaluationStatistics, MatchesSciPy)
{
  const json vectors = ReadJSON(NPSNET_TEST_DATA_DIR "/statistics/scipy_1.17.1.json");
  ASSERT_GE(vectors["wilcoxon"].size(), 12u);
  for (const auto & item : vectors["wilcoxon"])
  {
    const auto result = EvaluationStatistics::SignedRank(item["a"], item["b"]);
    ASSERT_TRUE(result.has_value());
    EXPECT_EQ(result->Exact, item["method"] == "exact") << item["name"];
    EXPECT_NEAR(result->Statistic, item["statistic"].get<double>(), 1e-9) << item["name"];
    EXPECT_NEAR(result->PValue, item["pvalue"].get<double>(), 1e-9) << item["name"];
  }
  const std::vector<double> values = vectors["percentile"]["values"];
  for (const auto & point : vectors["percentile"]["points"])
  {
    EXPECT_NEAR(EvaluationStatistics::Percentile(values, point["q"]), point["value"].get<double>(), 1e-12);
  }
  EXPECT_NEAR(*EvaluationStatistics::Correlation(vectors["pearson"]["a"], vectors["pearson"]["b"]),
              vectors["pearson"]["r"].get<double>(),
              1e-12);
  const auto summary = EvaluationStatistics::Summarize(values);
  EXPECT_NEAR(summary->Mean, vectors["mean"].get<double>(), 1e-12);
  EXPECT_NEAR(*summary->SD, vectors["sd_ddof1"].get<double>(), 1e-12);
}

TEST(itkEvaluationStatistics, BootstrapIsSeededAndHonest)
{
  std::vector<double> values;
  for (int k = 0; k < 200; ++k)
  {
    values.push_back(std::sin(12.9898 * k) * 0.5 + 0.5);
  }
  const auto a = EvaluationStatistics::Summarize(values, 7);
  const auto b = EvaluationStatistics::Summarize(values, 7);
  const auto c = EvaluationStatistics::Summarize(values, 8);
  EXPECT_EQ(a->Low, b->Low);
  EXPECT_EQ(a->High, b->High);
  EXPECT_NE(a->Low, c->Low);
  // The normal approximation of the interval: mean +- 1.96 sd / sqrt(n).
  const double half = 1.96 * *a->SD / std::sqrt(200.0);
  EXPECT_NEAR(a->Low, a->Mean - half, 0.1 * half);
  EXPECT_NEAR(a->High, a->Mean + half, 0.1 * half);

  EXPECT_FALSE(EvaluationStatistics::Summarize({}).has_value());
  const auto one = EvaluationStatistics::Summarize({ 0.5 });
  EXPECT_FALSE(one->SD.has_value());
  EXPECT_EQ(one->Low, 0.5);
  EXPECT_FALSE(EvaluationStatistics::SignedRank({ 1, 2 }, { 1, 2 }).has_value());
  EXPECT_THROW(EvaluationStatistics::SignedRank({ 1, 2 }, { 1 }), itk::ExceptionObject);
  EXPECT_THROW(EvaluationStatistics::Percentile({}, 50), itk::ExceptionObject);
}
