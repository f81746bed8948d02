// SPDX-License-Identifier: Apache-2.0
#include "TestFolder.h"
#include "itkNPSNetTrainer.h"

#include "itkNPSNetModelFile.h"
#include "itkNPSNetModelIO.h"
#include "itkTrainingLoop.h"
#include "itkOutputError.h"
#include "itkTrainingReport.h"

#include "itkImage.h"
#include "itkImageFileWriter.h"
#include "itkRGBPixel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

namespace
{
constexpr unsigned int Side = 96;

template <typename TPixel, typename TFunction>
void WritePicture(const std::string & fileName, TFunction function)
{
  using ImageType = itk::Image<TPixel, 2>;
  auto image = ImageType::New();
  image->SetRegions(typename ImageType::SizeType{ { Side, Side } });
  image->Allocate();
  for (unsigned int y = 0; y < Side; ++y)
  {
    for (unsigned int x = 0; x < Side; ++x)
    {
      image->SetPixel({ { static_cast<int>(x), static_cast<int>(y) } }, function(x, y));
    }
  }
  auto writer = itk::ImageFileWriter<ImageType>::New();
  writer->SetInput(image);
  writer->SetFileName(fileName);
  writer->Update();
}

/** Bright discs with brighter cups on a reddish ground, and a configuration small enough for a test. */
class TrainerTest : public ::testing::Test
{
protected:
  void SetUp() override
  {
    m_Folder = TestFolder();
    std::filesystem::remove_all(m_Folder);
    std::filesystem::create_directories(m_Folder);
    std::ofstream index(m_Folder + "/index.csv");
    index << "set,name,split,crop,mask,frame,frame_mask\n";
    for (int i = 0; i < 10; ++i)
    {
      const double cx = 46 + i % 3;
      const double cy = 49 - i % 2;
      const double disc = 18 + i;
      const auto   ring = [=](double x, double y) { return std::hypot(x - cx, y - cy) / disc; };
      const auto   name = std::to_string(i) + ".png";
      WritePicture<itk::RGBPixel<unsigned char>>(m_Folder + "/" + name, [&](unsigned int x, unsigned int y) {
        const double                 r = ring(x, y);
        itk::RGBPixel<unsigned char> p;
        p.Set(r < 1 ? 220 : 130, r < 0.5 ? 200 : (r < 1 ? 140 : 60), r < 0.5 ? 150 : 40);
        return p;
      });
      WritePicture<unsigned char>(m_Folder + "/mask" + name, [&](unsigned int x, unsigned int y) {
        const double r = ring(x, y);
        return static_cast<unsigned char>(r < 0.5 ? 255 : (r < 1 ? 128 : 0));
      });
      index << "toy," << i << ',' << (i < 8 ? "train" : "val") << ',' << name << ",mask" << name << ',' << name
            << ",mask" << name << '\n';
    }
  }

  std::string WriteConfiguration(const std::string & changes = "")
  {
    const std::string fileName = m_Folder + "/config.json";
    auto              json = nlohmann::json::parse(R"({
      "task": "segmentation", "data": { "sets": { "toy": 1 } },
      "architecture": { "variant": "b4", "channels": [8, 16], "shape_features": 8, "radii": 32, "angles": 32,
                        "crop_size": 48 },
      "epochs": 4, "batch": 4, "learning_rate": 0.003, "seed": 3, "threads": 1, "workers": 1, "validate_every": 2 })");
    if (!changes.empty())
    {
      json.update(nlohmann::json::parse(changes));
    }
    std::ofstream(fileName) << json;
    return fileName;
  }

  itk::NPSNetTrainer::Pointer MakeTrainer(const std::string & output)
  {
    auto trainer = itk::NPSNetTrainer::New();
    trainer->SetConfigurationFile(m_Folder + "/config.json");
    trainer->SetOutputDirectory(m_Folder + "/" + output);
    return trainer;
  }

  /** The history without the wall-clock times. */
  static nlohmann::json History(const itk::NPSNetTrainer * trainer)
  {
    auto history = nlohmann::json::parse(trainer->GetHistory());
    for (auto & record : history)
    {
      record.erase("seconds");
    }
    return history;
  }

  /** What Train() throws, or nothing. */
  static std::string Complaint(itk::NPSNetTrainer * trainer)
  {
    try
    {
      trainer->Train();
    }
    catch (const itk::ExceptionObject & error)
    {
      return error.GetDescription();
    }
    return "";
  }

  void WriteText(const std::string & name, const std::string & text) { std::ofstream(m_Folder + "/" + name) << text; }

  std::string ReadText(const std::string & name)
  {
    std::ifstream file(m_Folder + "/" + name);
    return { std::istreambuf_iterator<char>(file), {} };
  }

  std::string m_Folder;
};
} // namespace

TEST_F(TrainerTest, ResumedTrainingGivesTheSameNumbers)
{
  this->WriteConfiguration();
  const auto whole = this->MakeTrainer("whole");
  whole->Train();
  const auto expected = History(whole);
  ASSERT_EQ(expected.size(), 4u);
  EXPECT_LT(expected[3].at("train_cart").get<double>(), expected[0].at("train_cart").get<double>());

  const auto broken = this->MakeTrainer("resumed");
  int        steps = 0;
  broken->SetShouldStop([&steps] { return ++steps > 5; }); // in the third epoch of two steps each
  broken->Train();
  const auto resumed = this->MakeTrainer("resumed");
  resumed->ResumeOn();
  resumed->Train();
  EXPECT_EQ(History(resumed), expected);

  this->WriteConfiguration(R"({ "workers": 3 })");
  const auto parallel = this->MakeTrainer("parallel");
  parallel->Train();
  EXPECT_EQ(History(parallel), expected);

  for (const char * name : { "checkpoint.pt", "best.safetensors", "last.safetensors", "log.csv", "curves.svg" })
  {
    EXPECT_TRUE(std::filesystem::exists(m_Folder + "/whole/" + name)) << name;
  }
  const itk::NPSNetModelFile file(m_Folder + "/whole/last.safetensors");
  EXPECT_EQ(file.GetMetadata().Architecture.Channels, std::vector<unsigned>({ 8, 16 }));
}

TEST_F(TrainerTest, ResumesFromTheBeginningWithoutACheckpoint)
{
  this->WriteConfiguration(R"({ "epochs": 1 })");
  const auto stopped = this->MakeTrainer("deep/down/run");
  stopped->SetShouldStop([] { return true; });
  stopped->Train();
  EXPECT_FALSE(std::filesystem::exists(m_Folder + "/deep/down/run/checkpoint.pt"));

  std::string log;
  const auto  resumed = this->MakeTrainer("deep/down/run");
  resumed->ResumeOn();
  resumed->SetLog([&log](const std::string & line) { log += line + "\n"; });
  resumed->Train();
  EXPECT_NE(log.find("starts from the beginning"), std::string::npos) << log;
  EXPECT_EQ(log.find("is finished"), std::string::npos) << log;
  EXPECT_EQ(History(resumed).size(), 1u);

  resumed->Train();
  EXPECT_NE(log.find("deep/down/run is finished"), std::string::npos) << log;
  EXPECT_NE(log.find("initial_model"), std::string::npos) << log;
}

TEST_F(TrainerTest, LeavesAnotherTrainingAlone)
{
  this->WriteConfiguration(R"({ "epochs": 1 })");
  this->MakeTrainer("run")->Train();
  const auto configuration = this->ReadText("run/config.json");
  const auto log = this->ReadText("run/log.csv");

  this->WriteConfiguration(R"({ "epochs": 1, "seed": 4 })");
  const auto again = this->MakeTrainer("run");
  const auto complaint = Complaint(again);
  EXPECT_NE(complaint.find(m_Folder + "/run"), std::string::npos) << complaint;
  EXPECT_NE(complaint.find("--resume"), std::string::npos) << complaint;
  again->ResumeOn();
  EXPECT_NE(Complaint(again), "");
  EXPECT_EQ(this->ReadText("run/config.json"), configuration);
  EXPECT_EQ(this->ReadText("run/log.csv"), log);
}

TEST_F(TrainerTest, ResumesOnlyTheSameTraining)
{
  this->WriteConfiguration();
  const auto broken = this->MakeTrainer("run");
  int        steps = 0;
  broken->SetShouldStop([&steps] { return ++steps > 3; });
  broken->Train();

  const auto resumed = this->MakeTrainer("run");
  resumed->ResumeOn();
  for (const auto & [changes, key] : { std::make_pair(R"({ "crop": { "rotation": 3 } })", "\"crop"),
                                       std::make_pair(R"({ "learning_rate": 0.004 })", "\"learning_rate\""),
                                       std::make_pair(R"({ "data": { "sets": { "toy": 2 } } })", "\"data/sets/toy\""),
                                       std::make_pair(R"({ "seed": 4 })", "\"seed\"") })
  {
    this->WriteConfiguration(changes);
    const auto complaint = Complaint(resumed);
    EXPECT_NE(complaint.find(key), std::string::npos) << complaint;
  }
  // Same number of samples, another photograph.
  const auto index = this->ReadText("index.csv");
  auto       other = index;
  other.replace(other.find("toy,0,train"), 11, "toy,0,val");
  other.replace(other.find("toy,8,val"), 9, "toy,8,train");
  this->WriteText("index.csv", other);
  this->WriteConfiguration();
  EXPECT_NE(Complaint(resumed).find("other photographs"), std::string::npos);

  this->WriteText("index.csv", index);
  this->WriteConfiguration(R"({ "workers": 2, "device": "cpu", "time_limit_minutes": 60,
                                "data": { "index": "./index.csv", "sets": { "toy": 1 } } })");
  EXPECT_EQ(Complaint(resumed), "");
  EXPECT_EQ(History(resumed).size(), 4u);
}

TEST_F(TrainerTest, SaysWhatIsWrongWithTheIndex)
{
  const auto index = this->ReadText("index.csv");
  const auto complaint = [this](const std::string & text, const std::string & changes = "") {
    this->WriteText("index.csv", text);
    this->WriteConfiguration(changes);
    return Complaint(this->MakeTrainer("wrong"));
  };
  const auto header = index.substr(0, index.find('\n') + 1);
  EXPECT_NE(complaint(header).find("lists no photographs"), std::string::npos);
  auto renamed = index;
  renamed.replace(renamed.find("split"), 5, "part");
  EXPECT_NE(complaint(renamed).find("no column \"split\""), std::string::npos);
  EXPECT_NE(complaint(index, R"({ "data": { "sets": { "toy": 1, "tyo": 1 } } })").find("\"tyo\""), std::string::npos);
  EXPECT_NE(complaint(index, R"({ "data": { "sets": { "toy": 1 }, "train_split": "trian" } })").find("\"trian\""),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(m_Folder + "/wrong"));
  EXPECT_EQ(complaint("\xEF\xBB\xBF" + index, R"({ "epochs": 1 })"), "");
}

TEST_F(TrainerTest, TakesTheLastModelForTheBestWithoutValidation)
{
  this->WriteConfiguration(
    R"({ "epochs": 2, "validate_every": 1, "data": { "sets": { "toy": 1 }, "val_split": "vla" } })");
  std::string log;
  const auto  trainer = this->MakeTrainer("run");
  trainer->SetLog([&log](const std::string & line) { log += line + "\n"; });
  trainer->Train();
  EXPECT_NE(log.find("no photographs for validation"), std::string::npos) << log;
  EXPECT_EQ(this->ReadText("run/best.safetensors"), this->ReadText("run/last.safetensors"));
}

TEST_F(TrainerTest, RunsThroughTheWholeScheduleInItsTime)
{
  this->WriteConfiguration(R"({ "epochs": 100000, "time_limit_minutes": 0.05, "validate_every": 100000 })");
  const auto trainer = this->MakeTrainer("short");
  trainer->Train();
  const auto history = History(trainer);
  EXPECT_LT(history.back().at("learning_rate").get<double>(), 0.1 * 0.003);
  EXPECT_TRUE(history.back().contains("val_score"));
  bool hasShape = false;
  for (const auto & record : history)
  {
    hasShape = hasShape || record.contains("train_shape");
  }
  EXPECT_TRUE(hasShape);
}

TEST_F(TrainerTest, GivesUpWhenNoStepIsFinite)
{
  const std::string infinite = R"("losses": { "cart": 1e39 }, "validate_every": 1000 })";
  this->WriteConfiguration(R"({ "epochs": 2, )" + infinite);
  const auto trainer = this->MakeTrainer("short");
  trainer->Train();
  EXPECT_EQ(History(trainer)[0].at("steps_left_out"), 2);
  EXPECT_EQ(this->ReadText("short/log.csv").find("null"), std::string::npos);
  trainer->ResumeOn();
  EXPECT_EQ(Complaint(trainer), "");

  this->WriteConfiguration(R"({ "epochs": 51, )" + infinite);
  const auto complaint = Complaint(this->MakeTrainer("long"));
  EXPECT_NE(complaint.find("learning_rate"), std::string::npos) << complaint;
}

TEST_F(TrainerTest, TrainsEveryVariantAndTheLocator)
{
  for (const char * variant : { "unet", "b1", "b2", "b3" })
  {
    this->WriteConfiguration(std::string(R"({ "epochs": 1, "architecture": { "variant": ")") + variant +
                             R"(", "channels": [8, 16], "radii": 32, "angles": 32, "crop_size": 48 } })");
    const auto trainer = this->MakeTrainer(variant);
    trainer->Train();
    EXPECT_TRUE(std::isfinite(History(trainer)[0].at("train_total").get<double>())) << variant;
  }
  this->WriteConfiguration(R"({ "epochs": 1, "task": "locator", "locator": { "confidence_threshold": 0.4 } })");
  const auto trainer = this->MakeTrainer("locator");
  trainer->Train();
  EXPECT_TRUE(std::isfinite(History(trainer)[0].at("train_total").get<double>()));
  const auto metadata = itk::NPSNetModelFile(m_Folder + "/locator/last.safetensors").GetMetadata();
  EXPECT_EQ(metadata.Task, "locator");
  EXPECT_EQ(metadata.Architecture.Extra.at("confidence_threshold"), "0.4");
}

TEST_F(TrainerTest, TheLocatorSeesTurnedPhotographsWhereTheRecipeSaysSo)
{
  const auto loss = [this](const std::string & sampling) {
    this->WriteConfiguration(R"({ "epochs": 1, "task": "locator", "locator": { "empty_probability": 0)" + sampling +
                             " } }");
    const auto trainer = this->MakeTrainer("turned" + std::to_string(sampling.size()));
    trainer->Train();
    return History(trainer)[0].at("train_total").get<double>();
  };
  const double upright = loss("");
  EXPECT_EQ(loss(R"(, "turn_probability": 0.0)"), upright) << "an older recipe draws other samples";
  EXPECT_NE(loss(R"(, "turn_probability": 1)"), upright);
}

TEST_F(TrainerTest, TakesPhotographsWithoutADrawnCupAsTheRecipeSays)
{
  auto index = this->ReadText("index.csv");
  index.insert(index.find('\n'), ",cup");
  for (auto end = index.find('\n', index.find('\n') + 1); end != std::string::npos; end = index.find('\n', end + 6))
  {
    index.insert(end, index.find('\n', end + 1) == std::string::npos ? "," : ",none");
  }
  // All cups of the training photographs but none of the last validation photograph are "none".
  this->WriteText("index.csv", index);
  this->WriteConfiguration(R"({ "data": { "sets": { "toy": 1 }, "undrawn_cup": "leave_out" }, "epochs": 1 })");
  EXPECT_NE(Complaint(this->MakeTrainer("left-out")).find("no photographs with the split \"train\""),
            std::string::npos);

  this->WriteConfiguration(R"({ "data": { "sets": { "toy": 1 }, "undrawn_cup": "bound" }, "epochs": 1,
                                "crop": { "near_probability": 1 } })");
  auto bounded = this->MakeTrainer("bounded");
  ASSERT_EQ(Complaint(bounded), "");
  EXPECT_TRUE(History(bounded).back().contains("train_bound"));

  this->WriteConfiguration(R"({ "epochs": 1 })");
  auto empty = this->MakeTrainer("empty");
  ASSERT_EQ(Complaint(empty), "");
  EXPECT_FALSE(History(empty).back().contains("train_bound")) << "as before";
}

TEST_F(TrainerTest, GoesOnFromAnotherModel)
{
  this->WriteConfiguration();
  const auto first = this->MakeTrainer("first");
  first->Train();

  // Steps too small to matter: the validation says what it said of the model at the start.
  this->WriteConfiguration(R"({ "epochs": 1, "learning_rate": 1e-12, "average_decay": 0,
                                "initial_model": "first/last.safetensors" })");
  const auto second = this->MakeTrainer("second");
  second->Train();
  const auto before = History(first).back();
  const auto after = History(second).back();
  // The batch norms' statistics move on; they were fp16 in the file, too.
  EXPECT_NEAR(after.at("val_score").get<double>(), before.at("val_score").get<double>(), 0.1);
  EXPECT_LT(after.at("train_cart").get<double>(), History(first).front().at("train_cart").get<double>());
}

TEST_F(TrainerTest, GoesOnFromTheMeanOfModelsStoredAsBytes)
{
  this->WriteConfiguration(R"({ "epochs": 1, "model": { "storage": "int8" } })");
  this->MakeTrainer("first")->Train();
  this->WriteConfiguration(R"({ "epochs": 1, "seed": 5, "model": { "storage": "int8" } })");
  this->MakeTrainer("second")->Train();
  this->WriteConfiguration(R"({ "epochs": 1, "learning_rate": 1e-12, "average_decay": 0, "model": { "storage": "fp32" },
                                "initial_model": ["first/last.safetensors", "second/last.safetensors"] })");
  this->MakeTrainer("mean")->Train();

  const auto state = [this](const std::string & run) {
    return itk::ReadTensors(m_Folder + "/" + run + "/last.safetensors");
  };
  const auto first = state("first");
  const auto second = state("second");
  const auto mean = state("mean");
  ASSERT_EQ(first.size(), mean.size());
  double apart = 0.0;
  for (const auto & item : mean)
  {
    if (item.second.is_floating_point() && item.first.find("running_") == std::string::npos)
    {
      const auto expected = 0.5 * (first.at(item.first).to(torch::kFloat) + second.at(item.first).to(torch::kFloat));
      EXPECT_LT((item.second - expected).abs().max().item<double>(), 1e-6) << item.first;
      apart = std::max(apart, (first.at(item.first) - second.at(item.first)).abs().max().item<double>());
    }
  }
  EXPECT_GT(apart, 1e-3);
  EXPECT_LT(std::filesystem::file_size(m_Folder + "/first/last.safetensors"),
            std::filesystem::file_size(m_Folder + "/mean/last.safetensors") / 2);
}

TEST_F(TrainerTest, GivesAnAngularContextToAModelWithoutOne)
{
  this->WriteConfiguration(R"({ "epochs": 2 })");
  const auto first = this->MakeTrainer("first");
  first->Train();
  this->WriteConfiguration(R"({ "epochs": 1, "initial_model": "first/last.safetensors",
      "architecture": { "variant": "b4", "channels": [8, 16], "shape_features": 8, "radii": 32, "angles": 32,
                        "crop_size": 48, "context_features": 4, "head_context_features": 4 } })");
  const auto second = this->MakeTrainer("second");
  second->Train();
  EXPECT_LT(History(second)[0].at("train_cart").get<double>(), History(first)[0].at("train_cart").get<double>());
  const auto state = itk::ReadTensors(m_Folder + "/second/last.safetensors");
  for (const char * name : { "polar_unet.context.expand.weight", "head_context.expand.weight" })
  {
    EXPECT_GT(state.at(name).abs().max().item<double>(), 0.0) << name;
  }

  // In a mean with a model that lacks them, the contexts are those of the other.
  auto json = nlohmann::json::parse(std::ifstream(m_Folder + "/config.json"));
  json.update(nlohmann::json::parse(R"({ "initial_model": ["first/last.safetensors", "second/last.safetensors"],
                                         "learning_rate": 1e-12, "average_decay": 0 })"));
  std::ofstream(m_Folder + "/config.json") << json;
  this->MakeTrainer("mean")->Train();
  const auto mean = itk::ReadTensors(m_Folder + "/mean/last.safetensors");
  const auto largest = [&mean](const std::string & name, const torch::Tensor & expected) {
    return (mean.at(name) - expected).abs().max().item<double>();
  };
  EXPECT_LT(largest("head_context.expand.weight", state.at("head_context.expand.weight")), 1e-4);
  const auto start = itk::ReadTensors(m_Folder + "/first/last.safetensors");
  EXPECT_LT(largest("disc_head.dec_conv.weight",
                    0.5 * (start.at("disc_head.dec_conv.weight") + state.at("disc_head.dec_conv.weight"))),
            1e-3);
}

TEST_F(TrainerTest, SaysWhatIsWrong)
{
  const auto message = [this](const std::string & changes) {
    this->WriteConfiguration(changes);
    return Complaint(this->MakeTrainer("wrong"));
  };
  EXPECT_NE(message(R"({ "lerning_rate": 1 })").find("lerning_rate"), std::string::npos);
  EXPECT_NE(message(R"({ "task": "dream" })").find("dream"), std::string::npos);
  EXPECT_NE(message(R"({ "model": { "storage": "int4" } })").find("int4"), std::string::npos);
  EXPECT_NE(message(R"({ "augmentation": { "rain": 1 } })").find("rain"), std::string::npos);
  EXPECT_NE(message(R"({ "data": { "index": "nowhere.csv", "sets": { "toy": 1 } } })").find("nowhere.csv"),
            std::string::npos);
  EXPECT_NE(message(R"({ "batch": 100 })").find("batch"), std::string::npos);
  for (const char * changes : { R"({ "crop": { "rotatoin": 1 } })",
                                R"({ "model": { "rotatoin": 1 } })",
                                R"({ "data": { "sets": { "toy": 1 }, "rotatoin": 1 } })",
                                R"({ "architecture": { "rotatoin": 1 } })",
                                R"({ "locator": { "rotatoin": 1 } })" })
  {
    EXPECT_NE(message(changes).find("\"rotatoin\""), std::string::npos) << changes;
  }
  for (const auto & [changes, key] :
       { std::make_pair(R"({ "epochs": -1 })", "epochs"),
         std::make_pair(R"({ "epochs": 1.5 })", "epochs"),
         std::make_pair(R"({ "batch": 0 })", "batch"),
         std::make_pair(R"({ "workers": -1 })", "workers"),
         std::make_pair(R"({ "threads": 0 })", "threads"),
         std::make_pair(R"({ "learning_rate": 0 })", "learning_rate"),
         std::make_pair(R"({ "learning_rate": "high" })", "learning_rate"),
         std::make_pair(R"({ "gradient_clip": 0 })", "gradient_clip"),
         std::make_pair(R"({ "weight_decay": -0.1 })", "weight_decay"),
         std::make_pair(R"({ "average_decay": 1 })", "average_decay"),
         std::make_pair(R"({ "data": { "sets": { "toy": -1 } } })", "toy"),
         std::make_pair(R"({ "data": { "sets": { "toy": 1 }, "undrawn_cup": "perhaps" } })", "undrawn_cup"),
         std::make_pair(R"({ "crop": { "near_probability": 2 } })", "near_probability"),
         std::make_pair(R"({ "losses": { "rim": -1 } })", "rim"),
         std::make_pair(R"({ "losses": { "shape_start": 2 } })", "shape_start"),
         std::make_pair(R"({ "crop": { "cupping": 0.5 } })", "cupping"),
         std::make_pair(R"({ "crop": { "side_low": 2 } })", "side_low"),
         std::make_pair(R"({ "crop": { "flip_probability": 2 } })", "flip_probability"),
         std::make_pair(R"({ "locator": { "confidence_threshold": "high" } })", "confidence_threshold") })
  {
    EXPECT_NE(message(changes).find(std::string("\"") + key + "\""), std::string::npos) << changes;
  }
  EXPECT_NE(message(R"({ "initial_model": "config.json" })").find("config.json"), std::string::npos);

  this->WriteText("file", "no folder");
  this->WriteConfiguration();
  EXPECT_THROW(this->MakeTrainer("file/run")->Train(), itk::OutputError);
}

TEST(TrainingHistory, MayHoldWhatIsNotFinite)
{
  const auto history = nlohmann::json::parse(R"([{ "epoch": 1, "train_total": null, "val_score": 0.5 },
                                                 { "epoch": 2, "train_total": 2.5 }])");
  EXPECT_EQ(itk::TrainingHistoryToCSV(history),
            "epoch,learning_rate,seconds,train_total,val_score\n1,,,nan,0.5\n2,,,2.5,\n");
  EXPECT_EQ(itk::TrainingHistoryToSVG(history).find("nan"), std::string::npos);
}

TEST(OneCycle, FollowsPyTorch)
{
  // torch.optim.lr_scheduler.OneCycleLR(max_lr=1, total_steps=100, pct_start=0.1), PyTorch 2.6
  const auto first = itk::OneCycle::At(0, 100, 1.0);
  EXPECT_NEAR(first.LearningRate, 0.04, 1e-12);
  EXPECT_NEAR(first.Beta1, 0.95, 1e-12);
  const auto peak = itk::OneCycle::At(9, 100, 1.0);
  EXPECT_NEAR(peak.LearningRate, 1.0, 1e-12);
  EXPECT_NEAR(peak.Beta1, 0.85, 1e-12);
  EXPECT_NEAR(itk::OneCycle::At(54, 100, 1.0).LearningRate, 0.500002, 1e-9);
  EXPECT_NEAR(itk::OneCycle::At(99, 100, 1.0).LearningRate, 4e-6, 1e-12);
}
