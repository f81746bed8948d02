// SPDX-License-Identifier: Apache-2.0
#include "TestFolder.h"
#include "itkOpticDiscEvaluation.h"

#include "PhotoFiles.h"
#include "SampleResult.h"
#include "itkFundusPhotographReader.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <nlohmann/json.hpp>

namespace
{
using itk::FundusResult;
using itk::FundusStatusEnum;
using itk::OpticDiscEvaluation;
using nlohmann::json;

std::string Sample(const std::string & file)
{
  return NPSNET_RESOURCES_DIR "/SampleData/" + file;
}

std::vector<OpticDiscEvaluation::Item> MakeItems()
{
  std::vector<OpticDiscEvaluation::Item> items;
  for (const std::string name : { "RET042OD", "RET042OS", "RET190OS" })
  {
    OpticDiscEvaluation::Item item;
    item.ImageFile = Sample(name + ".jpg");
    item.MaskFile = Sample(name + "_mask.png");
    item.Set = "papila";
    item.Label = name == "RET190OS" ? "healthy" : "glaucoma";
    items.push_back(item);
  }
  return items;
}

/** A segmenter that knows the expert's mask and shrinks its outlines by a factor. */
FundusResult Shrunk(const OpticDiscEvaluation::Request & request, double factor)
{
  auto result = MakeSampleResult(request.Name, request.Eye, 0.0, true);
  auto boundary = itk::NestedPolarBoundary::New();
  auto disc = result.Boundary->GetDiscRadii();
  auto cup = result.Boundary->GetCupRadii();
  for (std::size_t k = 0; k < disc.size(); ++k)
  {
    disc[k] *= factor;
    cup[k] *= factor;
  }
  boundary->SetAnchor(result.Boundary->GetAnchor());
  boundary->SetRadius(result.Boundary->GetRadius());
  boundary->SetRadii(disc, cup);
  result.Boundary = boundary;
  result.Labels = nullptr;
  return result;
}

OpticDiscEvaluation::TableType ParseSimple(const std::string & csv)
{
  OpticDiscEvaluation::TableType table;
  std::vector<std::string>       columns;
  std::istringstream             lines(csv);
  for (std::string line; std::getline(lines, line);)
  {
    line.erase(std::remove(line.begin(), line.end(), '\r'), line.end());
    std::vector<std::string> cells;
    std::istringstream       stream(line + ",");
    for (std::string cell; std::getline(stream, cell, ',');)
    {
      cells.push_back(cell);
    }
    if (columns.empty())
    {
      columns = cells;
      continue;
    }
    table.emplace_back();
    for (std::size_t k = 0; k < columns.size(); ++k)
    {
      table.back()[columns[k]] = cells.at(k);
    }
  }
  return table;
}
} // namespace

TEST(itkOpticDiscEvaluation, PaperCropIsTwiceTheDiscBox)
{
  auto labels = MakeTestImage<GreyImage>(300, 200);
  for (int y = 40; y <= 99; ++y) // 60 rows, 50 columns
  {
    for (int x = 120; x <= 169; ++x)
    {
      labels->SetPixel({ { x, y } }, 1);
    }
  }
  const auto crop = OpticDiscEvaluation::MakePaperCrop(labels);
  EXPECT_EQ(crop->Side, 120.0);
  EXPECT_EQ(crop->Center[0], 144.5);
  EXPECT_EQ(crop->Center[1], 69.5);
  EXPECT_EQ(crop->Size, 512u);
  EXPECT_FALSE(OpticDiscEvaluation::MakePaperCrop(MakeTestImage<GreyImage>(30, 20)).has_value());
}

TEST(itkOpticDiscEvaluation, APerfectSegmenterScoresOne)
{
  auto evaluation = OpticDiscEvaluation::New();
  evaluation->SetItems(MakeItems());
  std::vector<OpticDiscEvaluation::Request> requests;
  evaluation->SetSegmenter([&](const OpticDiscEvaluation::Request & request) {
    requests.push_back(request);
    return MakeSampleResult(request.Name, request.Eye, 0.0, true);
  });
  evaluation->Run();
  const json summary = json::parse(evaluation->ToSummaryJSON());
  EXPECT_EQ(summary["n"], 3);
  EXPECT_EQ(summary["not_found"], 0);
  for (const char * metric :
       { "cup_dice", "disc_dice", "cup_hd95", "disc_hd95", "vcdr_mae", "rim_mae", "rim_corr", "validity" })
  {
    ASSERT_TRUE(summary.contains(metric)) << metric;
    EXPECT_EQ(summary[metric]["n"], 3) << metric;
    EXPECT_EQ(summary[metric]["ci95"].size(), 2u) << metric;
    EXPECT_TRUE(summary[metric]["sd"].is_number()) << metric;
  }
  EXPECT_GT(summary["disc_dice"]["mean"].get<double>(), 0.995);
  EXPECT_GT(summary["cup_dice"]["mean"].get<double>(), 0.98);
  EXPECT_LT(summary["vcdr_mae"]["mean"].get<double>(), 0.01);
  EXPECT_GT(summary["rim_corr"]["mean"].get<double>(), 0.95);
  EXPECT_EQ(summary["by_label"]["glaucoma"]["n"], 2);
  for (const auto & request : requests)
  {
    EXPECT_TRUE(request.Center.has_value() && request.Side.has_value());
  }
}

TEST(itkOpticDiscEvaluation, ShrinkingHasAClosedForm)
{
  auto evaluation = OpticDiscEvaluation::New();
  evaluation->SetItems(MakeItems());
  evaluation->SetSegmenter([](const OpticDiscEvaluation::Request & request) { return Shrunk(request, 0.9); });
  evaluation->Run();
  for (const auto & row : evaluation->GetRows())
  {
    EXPECT_NEAR(row.Metrics->Disc.Dice, 2.0 * 0.81 / 1.81, 0.004) << row.Source.Name;
    EXPECT_NEAR(*row.Metrics->VerticalCDR, *row.Metrics->TrueVerticalCDR, 0.01) << row.Source.Name;
    EXPECT_TRUE(row.Valid) << row.Source.Name;
  }
}

TEST(itkOpticDiscEvaluation, ProtocolsAskForDifferentThings)
{
  auto items = MakeItems();
  items.resize(1);
  const auto ask = [&](OpticDiscEvaluation::ProtocolEnum protocol, unsigned int seed) {
    OpticDiscEvaluation::Request asked;
    auto                         evaluation = OpticDiscEvaluation::New();
    evaluation->SetItems(items);
    evaluation->SetProtocol(protocol);
    evaluation->SetSeed(seed);
    evaluation->SetSegmenter([&](const OpticDiscEvaluation::Request & request) {
      asked = request;
      return FundusResult();
    });
    evaluation->Run();
    return asked;
  };
  const auto paper = ask(OpticDiscEvaluation::ProtocolEnum::Paper, 1);
  const auto jittered = ask(OpticDiscEvaluation::ProtocolEnum::Jittered, 1);
  const auto again = ask(OpticDiscEvaluation::ProtocolEnum::Jittered, 1);
  const auto other = ask(OpticDiscEvaluation::ProtocolEnum::Jittered, 2);
  const auto whole = ask(OpticDiscEvaluation::ProtocolEnum::EndToEnd, 1);
  EXPECT_FALSE(whole.Center.has_value());
  EXPECT_FALSE(whole.Side.has_value());
  EXPECT_NE(*jittered.Side, *paper.Side);
  EXPECT_EQ(*jittered.Side, *again.Side);
  EXPECT_EQ(*jittered.Center, *again.Center);
  EXPECT_NE(*jittered.Side, *other.Side);
  EXPECT_LE(std::abs(*jittered.Side / *paper.Side - 1.0), 0.15);
  for (int d = 0; d < 2; ++d)
  {
    EXPECT_LE(std::abs((*jittered.Center)[d] - (*paper.Center)[d]), 0.08 * *paper.Side);
  }
  EXPECT_EQ(OpticDiscEvaluation::ProtocolFromString("end-to-end"), OpticDiscEvaluation::ProtocolEnum::EndToEnd);
  EXPECT_THROW(OpticDiscEvaluation::ProtocolFromString("best"), itk::ExceptionObject);
}

TEST(itkOpticDiscEvaluation, FailuresAreCounted)
{
  auto                      items = MakeItems();
  OpticDiscEvaluation::Item missing;
  missing.ImageFile = Sample("RET042OD.jpg");
  missing.MaskFile = Sample("nowhere.png");
  missing.Name = "nomask";
  items.push_back(missing);
  missing.MaskFile = NPSNET_TEST_DATA_DIR "/oracle/b4_narrow/disc.png"; // another size
  missing.Name = "othersize";
  items.push_back(missing);
  missing.ImageFile = Sample("nowhere.jpg");
  missing.Name = "noimage";
  items.push_back(missing);

  auto evaluation = OpticDiscEvaluation::New();
  evaluation->SetItems(items);
  evaluation->SetSegmenter([](const OpticDiscEvaluation::Request & request) {
    if (request.Name == "RET042OS")
    {
      FundusResult result;
      result.Status = FundusStatusEnum::NotFound;
      result.Message = "No disc, \"really\".";
      return result;
    }
    if (request.Name == "RET190OS")
    {
      throw std::runtime_error("Out of memory.");
    }
    return MakeSampleResult(request.Name, request.Eye, 0.0, true);
  });
  evaluation->Run();
  const json summary = json::parse(evaluation->ToSummaryJSON());
  EXPECT_EQ(summary["n"], 3);
  EXPECT_EQ(summary["not_found"], 1);
  EXPECT_EQ(summary["failed"], 2);
  EXPECT_EQ(summary["unusable_masks"], 2);
  EXPECT_EQ(summary["missing_images"], 1);
  EXPECT_EQ(summary["cup_dice"]["n"], 3);
  EXPECT_EQ(summary["cup_hd95"]["n"], 1);
  EXPECT_EQ(summary["vcdr_mae"]["n"], 1);
  EXPECT_NEAR(summary["validity"]["mean"].get<double>(), 1.0 / 3.0, 1e-9);
  EXPECT_LT(summary["disc_dice"]["mean"].get<double>(), 0.34);
  const std::string csv = evaluation->ToPerImageCSV();
  EXPECT_NE(csv.find("RET042OS,not_found,\"No disc, \"\"really\"\".\""), std::string::npos);
  EXPECT_NE(csv.find("RET190OS,failed,Out of memory."), std::string::npos);
  EXPECT_NE(csv.find("nowhere.png"), std::string::npos);
  EXPECT_EQ(csv.find("nan"), std::string::npos);

  const std::string html = evaluation->ToHTML();
  EXPECT_NE(html.find("Of 6 rows: not segmented 2 (Dice 0, validity 0); photographs missing 1, masks unusable 2"),
            std::string::npos);
  EXPECT_NE(html.find("Best: RET042OD"), std::string::npos);
  EXPECT_NE(html.find("Worst (one of 2 not segmented): RET190OS"), std::string::npos);
  std::ofstream(TestFolder() + "/failures.html") << html; // to look at

  EXPECT_THROW(OpticDiscEvaluation::New()->Run(), itk::ExceptionObject);
}

TEST(itkOpticDiscEvaluation, WritesTablesAndPage)
{
  auto evaluation = OpticDiscEvaluation::New();
  evaluation->SetItems(MakeItems());
  evaluation->SetSegmenter([](const OpticDiscEvaluation::Request & request) {
    return Shrunk(request, request.Name == "RET042OD" ? 0.8 : request.Name == "RET042OS" ? 0.97 : 0.9);
  });
  std::size_t told = 0;
  evaluation->SetObserver([&](std::size_t done, std::size_t total, const OpticDiscEvaluation::Row &) {
    told = done;
    return total == 3;
  });
  evaluation->Run();
  EXPECT_EQ(told, 3u);
  const std::string folder = TestFolder();
  std::filesystem::remove_all(folder);
  evaluation->Write(folder, "{}");
  EXPECT_TRUE(std::filesystem::exists(folder + "/comparison.json"));
  evaluation->Write(folder);
  EXPECT_FALSE(std::filesystem::exists(folder + "/comparison.json")) << "of an earlier run";
  for (const char * name : { "per_image.csv", "summary.json", "evaluation.html" })
  {
    EXPECT_TRUE(std::filesystem::exists(folder + "/" + name)) << name;
  }
  std::ifstream     stream(folder + "/evaluation.html");
  const std::string html{ std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>() };
  EXPECT_NE(html.find("Best: RET042OS"), std::string::npos);
  EXPECT_NE(html.find("Worst: RET042OD"), std::string::npos);
  EXPECT_EQ(html.find("<script"), std::string::npos);

  // Two runs against each other: the smaller one is worse on every photograph.
  auto better = OpticDiscEvaluation::New();
  better->SetItems(MakeItems());
  better->SetSegmenter([](const OpticDiscEvaluation::Request & request) { return Shrunk(request, 1.0); });
  better->Run();
  const json compared = json::parse(
    OpticDiscEvaluation::Compare(ParseSimple(better->ToPerImageCSV()), ParseSimple(evaluation->ToPerImageCSV())));
  EXPECT_EQ(compared["disc_dice"]["n"], 3);
  EXPECT_GT(compared["disc_dice"]["mean_difference"].get<double>(), 0.0);
  EXPECT_EQ(compared["disc_dice"]["method"], "exact");
  EXPECT_NEAR(compared["disc_dice"]["p_value"].get<double>(), 0.25, 1e-9); // three pairs, all of one sign
  EXPECT_TRUE(compared["validity"]["p_value"].is_null());                  // no difference at all
}

TEST(itkOpticDiscEvaluation, MasksAreReadWithoutITKsWarnings)
{
  const std::string file = TestFolder() + "/mask.tif";
  WriteBytes(file, MakeTIFF(Bytes(3 * 6 * 4, 255), 6, 4, 1));
  auto reader = itk::FundusPhotographReader::New();
  reader->SetFileName(file);
  reader->Update();
  testing::internal::CaptureStderr();
  const auto labels = OpticDiscEvaluation::ReadMask(file, reader->GetPhotograph());
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(labels->GetPixel({ { 5, 3 } }), 2);
}

TEST(itkOpticDiscEvaluation, RowsHaveNamesOfTheirOwn)
{
  std::vector<OpticDiscEvaluation::Item> items(3);
  items[0].ImageFile = "left/eye.jpg";
  items[1].ImageFile = "right/eye.jpg";
  items[2].ImageFile = "right/other.jpg";
  auto evaluation = OpticDiscEvaluation::New();
  evaluation->SetSegmenter([](const OpticDiscEvaluation::Request &) { return FundusResult(); });
  const auto names = [&] {
    evaluation->SetItems(items);
    evaluation->Run();
    std::vector<std::string> found;
    for (const auto & row : evaluation->GetRows())
    {
      found.push_back(row.Source.Name);
    }
    return found;
  };
  EXPECT_EQ(names(), (std::vector<std::string>{ "left/eye", "right/eye", "other" }));
  items[1].Set = "another";
  EXPECT_EQ(names(), (std::vector<std::string>{ "eye", "eye", "other" }));
  items[2] = items[1];
  EXPECT_THROW(evaluation->SetItems(items), itk::ExceptionObject);
}

TEST(itkOpticDiscEvaluation, ComparesOnlyWhatCanBePaired)
{
  const auto row = [](const std::string & name, const std::string & dice) {
    return OpticDiscEvaluation::TableType::value_type{ { "name", name }, { "set", "s" }, { "disc_dice", dice } };
  };
  const OpticDiscEvaluation::TableType good = { row("a", "0.5"), row("b", "0.75") };
  const json                           same = json::parse(OpticDiscEvaluation::Compare(good, good));
  EXPECT_EQ(same["disc_dice"]["n"], 2);
  EXPECT_TRUE(same["disc_dice"]["p_value"].is_null());

  std::vector<OpticDiscEvaluation::Item> items(1);
  items[0].ImageFile = "b.jpg";
  items[0].Set = "s";
  auto evaluation = OpticDiscEvaluation::New();
  evaluation->SetItems(items);
  EXPECT_NO_THROW(evaluation->RequireComparable(good));
  const std::vector<OpticDiscEvaluation::TableType> bad = {
    {},                                               // no row
    { row("c", "0.5") },                              // nothing in common
    { row("b", "0.5"), row("b", "0.6") },             // which one?
    { { { "name", "b" }, { "set", "s" } } },          // no metric
    { { { "image", "b" }, { "disc_dice", "0.5" } } }, // no name
    { row("b", "good") },                             // no number
  };
  for (std::size_t k = 0; k < bad.size(); ++k)
  {
    EXPECT_THROW(evaluation->RequireComparable(bad[k]), itk::ExceptionObject) << k;
    EXPECT_THROW(OpticDiscEvaluation::Compare(good, bad[k]), itk::ExceptionObject) << k;
    EXPECT_THROW(OpticDiscEvaluation::Compare(bad[k], good), itk::ExceptionObject) << k;
  }
}
