// SPDX-License-Identifier: Apache-2.0
#include "itkNPSNetModelFile.h"
#include "itkTensorFile.h"
#include "CheckpointBytes.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace checkpoint;

namespace
{
using ShapesType = std::map<std::string, std::vector<std::int64_t>>;

ShapesType PublishedShapes()
{
  std::ifstream file(std::string(NPSNET_TEST_DATA_DIR) + "/oracle/state_dict_full.json");
  return nlohmann::json::parse(file).get<ShapesType>();
}

std::string Complaint(const ShapesType & shapes)
{
  try
  {
    itk::InferNPSNetArchitecture(shapes);
  }
  catch (const itk::ExceptionObject & error)
  {
    return error.GetDescription();
  }
  return "";
}

/** The oracle's tensors as a file of ours, with metadata changed by \a edit. */
template <typename TEdit>
std::string WriteModel(const std::string & name, TEdit edit)
{
  const itk::TensorFile    oracle(std::string(NPSNET_TEST_DATA_DIR) + "/oracle/b4_narrow/checkpoint_b4_narrow.pth");
  itk::NPSNetModelMetadata metadata;
  metadata.Architecture = itk::NPSNetModelFile(oracle.GetFile().GetFileName()).GetMetadata().Architecture;
  metadata.Name = "narrow";
  metadata.TrainingSets = { "none" };
  metadata.Licence = "CC0-1.0";
  const std::string path = WriteFile(name, "");
  itk::TensorFile::Write(path, oracle.GetTensors(), [&](const std::string & digest) {
    metadata.TensorSHA256 = digest;
    edit(metadata);
    return std::map<std::string, std::string>{ { "npsnet", metadata.ToJSON() } };
  });
  return path;
}

std::string OpenComplaint(const std::string & path)
{
  try
  {
    itk::NPSNetModelFile file(path);
  }
  catch (const itk::ExceptionObject & error)
  {
    EXPECT_NE(std::string(error.GetDescription()).find(path), std::string::npos);
    return error.GetDescription();
  }
  return "";
}
} // namespace

TEST(NPSNetModelFile, KnowsThePublishedNetworkByItsTensors)
{
  EXPECT_EQ(itk::InferNPSNetArchitecture(PublishedShapes()), itk::NPSNetArchitecture());
}

TEST(NPSNetModelFile, KnowsTheOracleByItsTensors)
{
  const itk::NPSNetModelFile file(std::string(NPSNET_TEST_DATA_DIR) + "/oracle/b4_narrow/checkpoint_b4_narrow.pth");
  itk::NPSNetArchitecture    expected;
  expected.Channels = { 8, 16, 32, 64 };
  expected.ShapeFeatures = 32;
  EXPECT_EQ(file.GetMetadata().Architecture, expected);
  EXPECT_TRUE(file.IsTorchCheckpoint());
  EXPECT_EQ(file.GetMetadata().Name, "checkpoint_b4_narrow");
  EXPECT_NE(file.GetMetadata().Description.find("epoch 61"), std::string::npos);
  EXPECT_EQ(file.GetSHA256().size(), 64u);
}

TEST(NPSNetModelFile, KnowsTheOtherVariantsByTheirTensors)
{
  const auto addBlock =
    [](ShapesType & shapes, const std::string & name, bool polar, std::int64_t in, std::int64_t out) {
      const std::string weight = polar ? ".conv.weight" : ".weight";
      shapes[name + (polar ? ".block.0" : ".conv.0") + weight] = { out, in, 3, 3 };
      shapes[name + (polar ? ".block.3" : ".conv.3") + weight] = { out, out, 3, 3 };
      shapes[name + (polar ? ".block.1" : ".conv.1") + ".running_mean"] = { out };
    };
  const auto make = [&](const std::string & prefix, bool polar) {
    ShapesType shapes;
    addBlock(shapes, prefix + "encoders.0.double_conv", polar, 3, 6);
    addBlock(shapes, prefix + "encoders.1.double_conv", polar, 6, 10);
    addBlock(shapes, prefix + "bottleneck", polar, 10, 20);
    return shapes;
  };
  const auto unet = itk::InferNPSNetArchitecture(make("", false));
  EXPECT_EQ(unet.Variant, itk::NPSNetVariant::UNet);
  EXPECT_EQ(unet.Channels, (std::vector<unsigned int>{ 6, 10 }));

  ShapesType shapes = make("", true);
  shapes["polar_grid.grid"] = { 1, 64, 80, 2 };
  const auto b1 = itk::InferNPSNetArchitecture(shapes);
  EXPECT_EQ(b1.Variant, itk::NPSNetVariant::PolarUNet);
  EXPECT_EQ(b1.NumberOfRadii, 64u);
  EXPECT_EQ(b1.NumberOfAngles, 80u);

  shapes = make("polar_unet.", true);
  shapes["cup_head.dec_conv.weight"] = { 1, 6, 1, 1 };
  const auto b2 = itk::InferNPSNetArchitecture(shapes);
  EXPECT_EQ(b2.Variant, itk::NPSNetVariant::Monotone);
  EXPECT_EQ(b2.GroupNormStages, 0u);

  shapes["cup_gate.cup_dec_conv.weight"] = { 1, 6, 1, 1 };
  EXPECT_EQ(itk::InferNPSNetArchitecture(shapes).Variant, itk::NPSNetVariant::Nested);
}

TEST(NPSNetModelFile, NamesTheTensorThatDoesNotFit)
{
  ShapesType        shapes = PublishedShapes();
  const std::string name = "polar_unet.encoders.2.double_conv.block.3.conv.weight";
  shapes[name] = { 256, 255, 3, 3 };
  EXPECT_EQ(Complaint(shapes),
            "the tensor \"" + name + "\" has the shape [256, 255, 3, 3] where [256, 256, 3, 3] is expected");
  shapes.erase(name);
  EXPECT_EQ(Complaint(shapes), "the tensor \"" + name + "\" is missing");
  shapes = PublishedShapes();
  shapes["shape_prior.disc_dist_head.weight"] = { 256, 127, 1 };
  EXPECT_NE(Complaint(shapes).find("[256, 127, 1] where [n, 128, 1] is expected"), std::string::npos);
  EXPECT_NE(Complaint({}).find("is missing"), std::string::npos);

  // A first layer that is small on disk must not make a network of many gigabytes.
  shapes = PublishedShapes();
  shapes["polar_unet.encoders.0.double_conv.block.0.conv.weight"] = { 60000, 3, 3, 3 };
  EXPECT_NE(Complaint(shapes).find("block.3.conv.weight"), std::string::npos);
}

TEST(NPSNetModelFile, ReadsItsOwnFormat)
{
  const std::string          path = WriteModel("own.safetensors", [](auto &) {});
  const itk::NPSNetModelFile file(path);
  EXPECT_FALSE(file.IsTorchCheckpoint());
  EXPECT_EQ(file.GetMetadata().Name, "narrow");
  EXPECT_EQ(file.GetMetadata().Licence, "CC0-1.0");
  EXPECT_EQ(file.GetMetadata().Architecture.ShapeFeatures, 32u);
  EXPECT_EQ(file.GetShapes().at("fusion.lambda_c").size(), 0u);

  std::string bytes = ReadFile(path);
  bytes[bytes.size() - 1000] ^= 1;
  EXPECT_NE(OpenComplaint(WriteFile("flipped.safetensors", bytes)).find("checksum"), std::string::npos);
}

TEST(NPSNetModelFile, ExplainsMetadataThatDoNotFit)
{
  const auto complaint = [](auto edit) { return OpenComplaint(WriteModel("edited.safetensors", edit)); };
  EXPECT_NE(complaint([](auto & m) {
              m.Architecture.Channels = { 8, 16, 32, 128 };
            }).find("another network"),
            std::string::npos);
  EXPECT_NE(complaint([](auto & m) { m.Architecture.NumberOfRadii = 128; }).find("another network"), std::string::npos);
  EXPECT_NE(complaint([](auto & m) { m.FormatVersion = 99; }).find("update"), std::string::npos);
  EXPECT_NE(complaint([](auto & m) { m.Task = "cooking"; }).find("cooking"), std::string::npos);
  EXPECT_NE(complaint([](auto & m) { m.Architecture.Channels.clear(); }).find("encoder stages"), std::string::npos);

  const std::string header = R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
  EXPECT_NE(
    OpenComplaint(WriteFile("foreign.safetensors", Little(header.size(), 8) + header + "1234")).find("metadata"),
    std::string::npos);
}
