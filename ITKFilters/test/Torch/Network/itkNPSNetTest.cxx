// SPDX-License-Identifier: Apache-2.0
#include "TestFolder.h"
#include "itkNPSNet.h"
#include "RandomModel.h"
#include "itkNPSNetOracle.h"
#include "itkTorchDevice.h"

#include <gtest/gtest.h>

#include <iostream>
#include <thread>

namespace
{
std::string LoadComplaint(const std::string & path, const itk::NPSNet::Settings & settings = itk::NPSNet::Settings())
{
  try
  {
    itk::NPSNet::Load(path, settings);
  }
  catch (const itk::ExceptionObject & error)
  {
    return error.GetDescription();
  }
  return "";
}

double LargestDifference(const std::vector<float> & a, const torch::Tensor & b)
{
  return oracle::Difference(torch::tensor(a), b);
}

std::vector<float> OraclePolarImage()
{
  const auto tensor = oracle::Array("polar_image").contiguous();
  return std::vector<float>(tensor.data_ptr<float>(), tensor.data_ptr<float>() + tensor.numel());
}
} // namespace

TEST(NPSNet, ReproducesTheAuthorsMapsFromTheirCheckpoint)
{
  const auto network = itk::NPSNet::Load(oracle::Path("checkpoint_b4_narrow.pth"));
  EXPECT_EQ(network->GetDevice(), "cpu");
  const auto image = OraclePolarImage();
  for (const bool raw : { false, true })
  {
    const auto result = network->Infer(image.data(), 1, 256, 360, raw);
    EXPECT_LT(LargestDifference(result.Disc, oracle::Array("P_d_polar")), 1e-4);
    EXPECT_LT(LargestDifference(result.Cup, oracle::Array("P_c_polar")), 1e-4);
    EXPECT_LT(LargestDifference(result.DiscConfidence, oracle::Array("gamma_d")), 1e-4);
    EXPECT_LT(LargestDifference(result.CupConfidence, oracle::Array("gamma_c")), 1e-4);
  }
}

TEST(NPSNet, IsTheSameAfterConversionToOurFormat)
{
  const std::string    checkpoint = oracle::Path("checkpoint_b4_narrow.pth");
  const auto           original = itk::NPSNet::Load(checkpoint);
  itk::NPSNetStateType state;
  for (const auto & item : itk::ReadTensors(checkpoint))
  {
    if (!itk::NPSNetNetwork::IsDerivedTensor(item.first))
    {
      state[item.first] = item.second;
    }
  }
  const auto converted =
    itk::NPSNet::Load(randommodel::Write("converted.safetensors", original->GetArchitecture(), state));
  for (const auto & item : itk::ReadTensors(TestFolder() + "/converted.safetensors"))
  {
    EXPECT_TRUE(torch::equal(item.second, state.at(item.first))) << item.first;
  }
  // The same weights at another place in memory: sums may be taken in another order.
  const auto image = OraclePolarImage();
  const auto cup = original->Infer(image.data(), 1, 256, 360).Cup;
  const auto again = converted->Infer(image.data(), 1, 256, 360).Cup;
  ASSERT_EQ(cup.size(), again.size());
  for (std::size_t i = 0; i < cup.size(); ++i)
  {
    ASSERT_NEAR(cup[i], again[i], 1e-5) << i;
  }
  EXPECT_NE(original->GetSHA256(), converted->GetSHA256());
  EXPECT_EQ(converted->GetMetadata().Licence, "CC0-1.0");
}

TEST(NPSNet, WeightsStoredAsBytesComeBackWithinHalfAStep)
{
  const auto               state = randommodel::MakeState(randommodel::SmallArchitecture(), 12);
  const std::string        path = TestFolder() + "/bytes.safetensors";
  itk::NPSNetModelMetadata metadata;
  metadata.Architecture = randommodel::SmallArchitecture();
  for (const auto & [storage, largest] :
       { std::make_pair(itk::NPSNetStorageEnum::Int8, 127.0), std::make_pair(itk::NPSNetStorageEnum::Int6, 23.0) })
  {
    itk::WriteNPSNetModel(path, metadata, state, storage);
    const auto read = itk::ReadNPSNetState(itk::NPSNetModelFile(path));
    ASSERT_EQ(read.size(), state.size());
    for (const auto & item : state)
    {
      const auto & value = read.at(item.first);
      ASSERT_EQ(value.sizes(), item.second.sizes()) << item.first;
      if (item.second.dim() > 1)
      {
        const auto step = item.second.flatten(1).abs().amax(1, true) / largest;
        const auto error = (value - item.second).flatten(1).abs();
        EXPECT_TRUE((error <= 0.501 * step).all().item<bool>()) << item.first;
        const auto steps = value.flatten(1) / step;
        EXPECT_LT((steps - steps.round()).abs().max().item<double>(), 1e-3) << item.first;
      }
    }
    EXPECT_EQ(LoadComplaint(path), "");
  }
}

TEST(NPSNet, SaysThatAScaleDoesNotFit)
{
  auto state = randommodel::MakeState(randommodel::SmallArchitecture(), 12);
  for (auto & item : state)
  {
    if (item.second.dim() > 1)
    {
      state[item.first + ".scale"] = torch::ones({ 2 });
      item.second = item.second.to(torch::kChar);
      break;
    }
  }
  const std::string path = randommodel::Write("scale.safetensors", randommodel::SmallArchitecture(), state);
  EXPECT_NE(LoadComplaint(path).find(".scale"), std::string::npos) << LoadComplaint(path);
}

TEST(NPSNet, IsReadOnceAndSharedByThreads)
{
  const auto        architecture = randommodel::SmallArchitecture();
  const std::string path =
    randommodel::Write("shared.safetensors", architecture, randommodel::MakeState(architecture, 1));
  const auto                      network = itk::NPSNet::Load(path);
  const std::vector<float>        image(3 * 32 * 48, 0.4f);
  const auto                      expected = network->Infer(image.data(), 1, 32, 48);
  std::vector<std::vector<float>> results(4);
  std::vector<std::thread>        threads;
  for (auto & result : results)
  {
    threads.emplace_back([&result, &path, &image] {
      const auto mine = itk::NPSNet::Load(path);
      for (int i = 0; i < 5; ++i)
      {
        result = mine->Infer(image.data(), 1, 32, 48).Disc;
      }
    });
  }
  for (auto & thread : threads)
  {
    thread.join();
  }
  for (const auto & result : results)
  {
    EXPECT_EQ(result, expected.Disc);
  }

  // The file is in use: deleting it changes nothing for those who have it, replacing it is another model.
  const std::string first = network->GetSHA256();
  EXPECT_EQ(&itk::NPSNet::Load(path)->GetMetadata(), &network->GetMetadata()) << "one copy in memory";
  randommodel::Write("shared.safetensors", architecture, randommodel::MakeState(architecture, 2));
  EXPECT_NE(itk::NPSNet::Load(path)->GetSHA256(), first);
  EXPECT_EQ(network->Infer(image.data(), 1, 32, 48).Disc, expected.Disc);
}

TEST(NPSNet, BatchesAndOtherGridsAreTheSameNetwork)
{
  const auto architecture = randommodel::SmallArchitecture();
  const auto network =
    itk::NPSNet::Load(randommodel::Write("batch.safetensors", architecture, randommodel::MakeState(architecture, 3)));
  std::vector<float> images(2 * 3 * 32 * 48);
  torch::manual_seed(7);
  const auto noise = torch::rand({ static_cast<int64_t>(images.size()) });
  std::copy_n(noise.data_ptr<float>(), images.size(), images.begin());
  const auto both = network->Infer(images.data(), 2, 32, 48);
  const auto second = network->Infer(images.data() + 3 * 32 * 48, 1, 32, 48);
  for (std::size_t i = 0; i < second.Disc.size(); ++i)
  {
    ASSERT_NEAR(both.Disc[second.Disc.size() + i], second.Disc[i], 1e-5);
  }
  EXPECT_EQ(network->Infer(images.data(), 1, 16, 32).Disc.size(), 16u * 32u);
  EXPECT_THROW(network->Infer(images.data(), 1, 8, 48), itk::ExceptionObject);
  EXPECT_THROW(network->Infer(images.data(), 0, 32, 48), itk::ExceptionObject);
}

TEST(NPSNet, RefusesImagesThatAreNotFinite)
{
  const auto         network = itk::NPSNet::Load(oracle::Path("checkpoint_b4_narrow.pth"));
  std::vector<float> image(3 * 32 * 32, 0.5f);
  EXPECT_NO_THROW(network->Infer(image.data(), 1, 32, 32));
  image.back() = std::nanf("");
  EXPECT_THROW(network->Infer(image.data(), 1, 32, 32), itk::ExceptionObject);
}

TEST(NPSNet, ExplainsWhatItCannotLoad)
{
  const auto        architecture = randommodel::SmallArchitecture();
  auto              state = randommodel::MakeState(architecture, 4);
  const std::string good = randommodel::Write("good.safetensors", architecture, state);

  EXPECT_NE(LoadComplaint("/nonexistent/model.pth").find("/nonexistent/model.pth"), std::string::npos);
  itk::NPSNet::Settings settings;
  settings.Device = "quantum";
  EXPECT_NE(LoadComplaint(good, settings).find("cuda:N"), std::string::npos);
  settings.Device = "cpu";
  settings.Precision = "fp8";
  EXPECT_NE(LoadComplaint(good, settings).find("fp8"), std::string::npos);
  settings.Precision = "fp16";
  EXPECT_NE(LoadComplaint(good, settings).find("GPU"), std::string::npos);

  auto changed = state;
  changed["disc_head.bias_conv.weight"] = torch::zeros({ 1, 5, 1 });
  const std::string complaint = LoadComplaint(randommodel::Write("shape.safetensors", architecture, changed));
  EXPECT_NE(complaint.find("disc_head.bias_conv.weight"), std::string::npos) << complaint;
  EXPECT_NE(complaint.find("[1, 5, 1]"), std::string::npos) << complaint;
  changed = state;
  changed.erase("disc_head.dec_conv.bias");
  EXPECT_NE(
    LoadComplaint(randommodel::Write("missing.safetensors", architecture, changed)).find("disc_head.dec_conv.bias"),
    std::string::npos);
  changed = state;
  changed["disc_head.dec_conv.bias"] = torch::full({ 1 }, INFINITY);
  EXPECT_THROW(randommodel::Write("infinite.safetensors", architecture, changed), itk::ExceptionObject);
}

TEST(NPSNet, SaysWhyCudaCannotBeUsed)
{
  const auto        architecture = randommodel::SmallArchitecture();
  const std::string path =
    randommodel::Write("cuda.safetensors", architecture, randommodel::MakeState(architecture, 5));
  itk::NPSNet::Settings settings;
  settings.Device = torch::cuda::is_available() ? "cuda:99" : "cuda"; // no machine has a hundred
  const std::string complaint = LoadComplaint(path, settings);
  EXPECT_NE(complaint.find("cannot be used"), std::string::npos) << complaint;
  EXPECT_NE(complaint.find("--device cpu"), std::string::npos) << complaint;
}

TEST(NPSNet, RefusesANegativeWeightOfThePrior)
{
  const auto architecture = randommodel::SmallArchitecture();
  auto       state = randommodel::MakeState(architecture, 6);
  state["fusion.lambda_c"] = torch::tensor(-0.25f);
  const std::string path = randommodel::Write("negative.safetensors", architecture, state);
  const std::string complaint = LoadComplaint(path);
  EXPECT_NE(complaint.find("-0.25"), std::string::npos) << complaint;
  EXPECT_NE(complaint.find("reference"), std::string::npos) << complaint;
  itk::NPSNet::Settings settings;
  settings.AllowNegativePriorScale = true;
  EXPECT_EQ(itk::NPSNet::Load(path, settings)->GetPriorScale(), -0.25);
}

TEST(NPSNet, AutomaticPrecisionIsTheSameOnEveryProcessor)
{
  itk::NPSNet::Settings settings;
  settings.Device = "cpu";
  settings.Precision = "auto";
  EXPECT_EQ(itk::NPSNet::Load(oracle::Path("checkpoint_b4_narrow.pth"), settings)->GetPrecision(), "fp32");
}

TEST(NPSNet, BFloat16StaysNearAndKeepsTheInvariants)
{
  itk::NPSNet::Settings settings;
  settings.Device = "cpu";
  settings.Precision = "bf16";
  if (!itk::CanComputeBFloat16OnCPU())
  {
    try
    {
      itk::NPSNet::Load(oracle::Path("checkpoint_b4_narrow.pth"), settings);
      FAIL() << "bf16 was not refused";
    }
    catch (const itk::ExceptionObject & error)
    {
      EXPECT_NE(std::string(error.GetDescription()).find("use fp32 or auto"), std::string::npos) << error;
    }
    return;
  }
  const auto network = itk::NPSNet::Load(oracle::Path("checkpoint_b4_narrow.pth"), settings);
  EXPECT_EQ(network->GetPrecision(), "bf16");
  const auto image = OraclePolarImage();
  const auto result = network->Infer(image.data(), 1, 256, 360);
  const auto truth = oracle::Array("P_d_polar").contiguous();
  double     mean = 0.0;
  for (std::size_t i = 0; i < result.Disc.size(); ++i)
  {
    mean += std::abs(result.Disc[i] - truth.data_ptr<float>()[i]);
    ASSERT_LE(result.Cup[i], result.Disc[i]);
    if (i >= 360)
    {
      ASSERT_LE(result.Disc[i], result.Disc[i - 360]);
      ASSERT_LE(result.Cup[i], result.Cup[i - 360]);
    }
  }
  EXPECT_LT(mean / static_cast<double>(result.Disc.size()), 0.02);
}
