// SPDX-License-Identifier: Apache-2.0
#include "TestFolder.h"
#include "itkPickleProgram.h"
#include "itkTensorFile.h"
#include "CheckpointBytes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <stdexcept>

using namespace checkpoint;

namespace
{
const std::string Oracle = std::string(NPSNET_TEST_DATA_DIR) + "/oracle/b4_narrow/checkpoint_b4_narrow.pth";

template <typename T>
std::vector<T> Values(const itk::TensorView & view)
{
  std::vector<T> values(static_cast<std::size_t>(view.GetNumberOfElements()));
  std::memcpy(values.data(), view.Data, values.size() * sizeof(T));
  return values;
}

/** The one sentence the user gets; empty when the file was accepted. */
std::string Complaint(const std::string & bytes, const std::string & name = "tensor_file_test.pth")
{
  const std::string path = WriteFile(name, bytes);
  try
  {
    itk::TensorFile file(path);
  }
  catch (const itk::ExceptionObject & error)
  {
    EXPECT_NE(std::string(error.GetDescription()).find(name), std::string::npos) << error.GetDescription();
    return error.GetDescription();
  }
  return "";
}

const Tensor      Good{ "FloatStorage", "0", 6, 0, { 2, 3 }, { 3, 1 } };
const std::string SixFloats = Bytes(std::vector<float>{ 0, 1, 2, 3, 4, 5 });
} // namespace

TEST(TensorFile, ReadsTheAuthorsCheckpoint)
{
  const itk::TensorFile file(Oracle);
  EXPECT_TRUE(file.IsTorchCheckpoint());
  EXPECT_EQ(file.GetTensors().size(), 136u);
  EXPECT_EQ(file.GetMetadata().at("epoch"), "61");
  EXPECT_EQ(file.GetMetadata().at("best_cup_dice"), "0.875");
  const auto & first = file.GetTensors().at("polar_unet.encoders.0.double_conv.block.0.conv.weight");
  EXPECT_EQ(itk::TensorShapeToString(first.Shape), "[8, 3, 3, 3]");
  EXPECT_FLOAT_EQ(Values<float>(file.GetTensors().at("fusion.lambda_c")).at(0), 0.37f);
  const auto rho = Values<float>(file.GetTensors().at("polar_grid.rho"));
  ASSERT_EQ(rho.size(), 256u);
  EXPECT_FLOAT_EQ(rho[51], 51.0f / 255.0f);
}

TEST(TensorFile, FindsTheStateWhereverItLies)
{
  const std::string state = Dictionary({ { "w", Good.Pickle() } });
  for (const std::string & body :
       { state,
         Dictionary({ { "state_dict", state }, { "epoch", Integer(3) } }),
         Dictionary({ { "module.w", Good.Pickle() } }),
         Dictionary({ { "optimizer", Global("numpy", "float64") + ")R" },
                      { "model_state_dict", state },
                      { "scheduler", Global("a", "b") + ")\x81}b" } }),
         Dictionary({ { "w", Global("torch._utils", "_rebuild_parameter") + "(" + Good.Pickle() + "\x89}tR" } }) })
  {
    const itk::TensorFile file(WriteFile("state.pth", Archive(body, { { "0", SixFloats } })));
    ASSERT_EQ(file.GetTensors().count("w"), 1u);
    EXPECT_EQ(Values<float>(file.GetTensors().at("w")), (std::vector<float>{ 0, 1, 2, 3, 4, 5 }));
  }
}

TEST(TensorFile, KeepsOffsetsStridesAndElementTypes)
{
  const std::string body =
    Dictionary({ { "transposed", Tensor{ "FloatStorage", "0", 6, 1, { 2, 2 }, { 1, 3 } }.Pickle() },
                 { "half", Tensor{ "HalfStorage", "1", 2, 0, { 2 }, { 1 } }.Pickle() },
                 { "bfloat", Tensor{ "BFloat16Storage", "1", 2, 0, { 2 }, { 1 } }.Pickle() },
                 { "double", Tensor{ "DoubleStorage", "2", 1, 0, {}, {} }.Pickle() },
                 { "long", Tensor{ "LongStorage", "2", 1, 0, { 1 }, { 1 } }.Pickle() },
                 { "empty", Tensor{ "FloatStorage", "0", 6, 0, { 0, 3 }, { 3, 1 } }.Pickle() } });
  const itk::TensorFile file(
    WriteFile("types.pth", Archive(body, { { "0", SixFloats }, { "1", "abcd" }, { "2", "12345678" } })));
  const auto & transposed = file.GetTensors().at("transposed");
  EXPECT_EQ(transposed.Strides, (std::vector<std::int64_t>{ 1, 3 }));
  EXPECT_EQ(Values<float>(transposed).front(), 1.0f);
  EXPECT_EQ(file.GetTensors().at("half").Element, itk::TensorElementEnum::F16);
  EXPECT_EQ(file.GetTensors().at("bfloat").Element, itk::TensorElementEnum::BF16);
  EXPECT_EQ(file.GetTensors().at("double").GetNumberOfElements(), 1);
  EXPECT_EQ(file.GetTensors().at("long").Element, itk::TensorElementEnum::I64);
  EXPECT_EQ(file.GetTensors().at("empty").GetNumberOfElements(), 0);
}

TEST(TensorFile, NeverExecutesAnything)
{
  const std::string trap = TestFolder() + "/executed";
  std::filesystem::remove(trap);
  const std::string attack = Global("posix", "system") + "(" + Text("touch " + trap) + "tR";
  EXPECT_NE(Complaint(Archive(attack)).find("state_dict"), std::string::npos);
  EXPECT_EQ(Complaint(Archive(Dictionary({ { "evil", attack }, { "w", Good.Pickle() } }), { { "0", SixFloats } })), "");
  EXPECT_FALSE(std::filesystem::exists(trap));
}

TEST(TensorFile, RefusesTensorsThatDoNotFitTheirStorage)
{
  const auto complaint = [](const Tensor & tensor) {
    return Complaint(Archive(Dictionary({ { "w", tensor.Pickle() } }), { { "0", SixFloats } }));
  };
  constexpr std::int64_t huge = std::int64_t{ 1 } << 62;
  const Tensor           bad[] = {
              { "FloatStorage", "0", 7, 0, { 2, 3 }, { 3, 1 } },       // storage shorter than said
              { "FloatStorage", "1", 6, 0, { 2, 3 }, { 3, 1 } },       // no such storage
              { "FloatStorage", "0", 6, 1, { 2, 3 }, { 3, 1 } },       // one element too far
              { "FloatStorage", "0", 6, 0, { 2, 3 }, { 4, 1 } },       // stride too long
              { "FloatStorage", "0", 6, 0, { huge, huge }, { 0, 0 } }, // expanded without end
              { "FloatStorage", "0", 6, 0, { huge, 4 }, { huge, 4 } }, // products overflow
              { "FloatStorage", "0", 6, huge, { 1 }, { 1 } },          // offset beyond
              { "FloatStorage", "0", 6, -1, { 1 }, { 1 } },            // negative
              { "FloatStorage", "0", -6, 0, { 2, 3 }, { 3, 1 } },      //
              { "FloatStorage", "0", 6, 0, { -2, 3 }, { 3, 1 } },      //
              { "FloatStorage", "0", 6, 0, { 2, 3 }, { -3, 1 } },      //
              { "FloatStorage", "0", 6, 0, { 2, 3 }, { 1 } },          // ranks differ
              { "FloatStorage", "../../0", 6, 0, { 2, 3 }, { 3, 1 } }, // not a path
              { "ComplexFloatStorage", "0", 3, 0, { 3 }, { 1 } },      // unsupported
              { "FloatStorage", "0", 6, 0, std::vector<std::int64_t>(40, 1), std::vector<std::int64_t>(40, 1) },
  };
  EXPECT_EQ(complaint(Good), "");
  for (const auto & tensor : bad)
  {
    EXPECT_NE(complaint(tensor).find("\"w\""), std::string::npos) << tensor.Storage << ' ' << tensor.Offset;
  }
}

TEST(TensorFile, ExplainsFilesThatAreNoCheckpoint)
{
  EXPECT_NE(Complaint("").find("neither"), std::string::npos);
  EXPECT_NE(Complaint("PK").find("neither"), std::string::npos);
  EXPECT_NE(Complaint("hello, this is text").find("neither"), std::string::npos);
  EXPECT_NE(Complaint("\x80\x02\x8a\x0al\xfc\x9c").find("older than 1.6"), std::string::npos);
  EXPECT_NE(Complaint(Zip({ { "a.txt", "x" } })).find("data.pkl"), std::string::npos);
  EXPECT_NE(Complaint(Zip({ { "m/data.pkl", "x" } }, 8)).find("compressed"), std::string::npos);
  EXPECT_NE(Complaint(Zip({ { "m/data.pkl", Program("}") }, { "m/byteorder", "big" } })).find("big-endian"),
            std::string::npos);
  EXPECT_NE(Complaint(Archive("}")).find("state_dict"), std::string::npos);
  EXPECT_NE(Complaint(Archive("K\x01")).find("state_dict"), std::string::npos);
  EXPECT_NE(Complaint(Archive("\x82\x01")).find("unknown instruction"), std::string::npos);
  EXPECT_THROW(itk::TensorFile("/nonexistent/model.pth"), itk::ExceptionObject);
  const std::string folder = TestFolder();
  EXPECT_THROW(itk::TensorFile file(folder), itk::ExceptionObject);
}

TEST(TensorFile, SurvivesEveryTruncation)
{
  const std::string whole = Archive(Dictionary({ { "w", Good.Pickle() } }), { { "0", SixFloats } });
  ASSERT_EQ(Complaint(whole), "");
  for (std::size_t size = 0; size < whole.size(); ++size)
  {
    EXPECT_NE(Complaint(whole.substr(0, size)), "") << size;
  }
  const std::string oracle = ReadFile(Oracle);
  for (const double part : { 0.1, 0.5, 0.9, 0.99, 0.99999 })
  {
    EXPECT_NE(Complaint(oracle.substr(0, static_cast<std::size_t>(part * oracle.size()))), "");
  }
}

TEST(TensorFile, SurvivesDamagedBytes)
{
  constexpr unsigned int seed = 20261116;
  std::mt19937           random(seed);
  const std::string      whole =
    Archive(Dictionary({ { "w", Good.Pickle() }, { "v", Good.Pickle() } }), { { "0", SixFloats } });
  unsigned int           refused = 0;
  constexpr unsigned int cases = 1500;
  for (unsigned int i = 0; i < cases; ++i)
  {
    std::string bytes = whole;
    for (unsigned int flips = 1 + random() % 4; flips > 0; --flips)
    {
      bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    refused += !Complaint(bytes, "damaged.pth").empty();
  }
  std::cout << cases << " damaged checkpoints, seed " << seed << ", refused " << refused << '\n';
  EXPECT_GT(refused, cases / 2);
}

TEST(PickleProgram, SurvivesRandomPrograms)
{
  constexpr unsigned int seed = 4711;
  std::mt19937           random(seed);
  const std::string      opcodes =
    "(.012)]}tldaeusNIJKMGXUTBCcRbhjqrpgQP\x80\x81\x85\x86\x87\x88\x89\x8a\x8c\x8f\x90\x91\x93\x94\x95";
  unsigned int           accepted = 0;
  constexpr unsigned int cases = 50000;
  for (unsigned int i = 0; i < cases; ++i)
  {
    std::string program;
    for (unsigned int length = random() % 60; length > 0; --length)
    {
      program += random() % 4 ? opcodes[random() % opcodes.size()] : static_cast<char>(random() % 4);
    }
    try
    {
      const itk::PickleProgram result(reinterpret_cast<const unsigned char *>(program.data()), program.size());
      accepted += result.GetRoot().Items.size() < 100;
    }
    catch (const std::runtime_error &)
    {}
  }
  std::cout << cases << " random pickles, seed " << seed << ", accepted " << accepted << '\n';
  EXPECT_GT(accepted, 0u);
}

TEST(PickleProgram, LimitsWhatAProgramMayGrow)
{
  const auto complaint = [](const std::string & program) {
    try
    {
      itk::PickleProgram(reinterpret_cast<const unsigned char *>(program.data()), program.size());
    }
    catch (const std::runtime_error & error)
    {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string many(3000000, 'N');
  EXPECT_NE(complaint(many).find("more than"), std::string::npos);
  EXPECT_NE(complaint(std::string(3000000, '(')).find("stack"), std::string::npos);
  EXPECT_NE(complaint("N" + std::string(3000000, '2')).find("stack"), std::string::npos);
  EXPECT_NE(complaint("X\xff\xff\xff\x7f").find("ends too early"), std::string::npos);
  EXPECT_NE(complaint("\x8e\xff\xff\xff\xff\xff\xff\xff\xff").find("ends too early"), std::string::npos);
  EXPECT_NE(complaint(std::string((std::size_t{ 1 } << 26) + 1, 'N')).find("larger"), std::string::npos);

  // A list that holds itself and a nesting of half a million lists: neither may recurse.
  EXPECT_EQ(complaint("]q" + std::string(1, '\0') + "h" + std::string(1, '\0') + "a."), "");
  EXPECT_EQ(complaint(std::string(500000, ']') + std::string(499999, 'a') + "."), "");

  // OrderedDict(the same long list), again and again.
  std::string pairs = "](";
  for (int i = 0; i < 1000; ++i)
  {
    pairs += "NN\x86";
  }
  pairs += "e\x85q" + std::string(1, '\0') + "0";
  for (int i = 0; i < 100000; ++i)
  {
    pairs += Global("collections", "OrderedDict") + "h" + std::string(1, '\0') + "R0";
  }
  EXPECT_NE(complaint(pairs).find("more than"), std::string::npos);
}

TEST(Safetensors, WritesWhatItReads)
{
  const std::vector<float>         weights{ 1.5f, -2.0f, 0.0f, 3.25f, 1e-8f, 7.0f };
  const std::int64_t               counter = 42;
  itk::TensorFile::TensorMapType   tensors;
  const std::vector<unsigned char> bytes{ 1, 2, 3 };
  tensors["a.bytes"] = { itk::TensorElementEnum::U8, { 3 }, { 1 }, bytes.data() };
  tensors["b.weight"] = {
    itk::TensorElementEnum::F32, { 2, 3 }, { 3, 1 }, reinterpret_cast<const unsigned char *>(weights.data())
  };
  tensors["c.count"] = { itk::TensorElementEnum::I64, {}, {}, reinterpret_cast<const unsigned char *>(&counter) };
  const std::string path = WriteFile("round_trip.safetensors", "to be replaced");
  std::string       digest;
  itk::TensorFile::Write(path, tensors, [&digest](const std::string & sha256) {
    digest = sha256;
    return std::map<std::string, std::string>{ { "key", "value \"quoted\" \xc2\xb5m" } };
  });

  const itk::TensorFile file(path);
  EXPECT_FALSE(file.IsTorchCheckpoint());
  EXPECT_EQ(file.GetMetadata().at("key"), "value \"quoted\" \xc2\xb5m");
  EXPECT_EQ(file.ComputeDataSHA256(), digest);
  EXPECT_EQ(Values<float>(file.GetTensors().at("b.weight")), weights);
  EXPECT_EQ(Values<std::int64_t>(file.GetTensors().at("c.count")).at(0), counter);
  EXPECT_EQ(Values<unsigned char>(file.GetTensors().at("a.bytes")), bytes);
  for (const auto & tensor : file.GetTensors())
  {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(tensor.second.Data) % itk::TensorElementSize(tensor.second.Element), 0u);
  }
  EXPECT_EQ(ReadFile(path).find('{'), 8u);
  EXPECT_FALSE(std::filesystem::exists(path + ".part"));

  const std::string whole = ReadFile(path);
  for (std::size_t size = 0; size < whole.size(); ++size)
  {
    EXPECT_NE(Complaint(whole.substr(0, size), "truncated.safetensors"), "") << size;
  }
  EXPECT_NE(Complaint(whole + "x", "longer.safetensors").find("belong to none"), std::string::npos);
}

TEST(Safetensors, RefusesHostileHeaders)
{
  const auto complaint = [](const std::string & header, std::size_t data) {
    return Complaint(Little(header.size(), 8) + header + std::string(data, 'x'), "hostile.safetensors");
  };
  EXPECT_EQ(complaint(R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", 8), "");
  const char * bad[] = { R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,9]}})",
                         R"({"w":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})",
                         R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}})",
                         R"({"w":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}})",
                         R"({"w":{"dtype":"F32","shape":[4294967296,4294967296,4294967296],"data_offsets":[0,8]}})",
                         R"({"w":{"dtype":"F32","shape":[0,9223372036854775807,2],"data_offsets":[0,8]}})",
                         R"({"w":{"dtype":"F31","shape":[2],"data_offsets":[0,8]}})",
                         R"({"w":{"dtype":"F32","shape":[2]}})",
                         R"({"w":[]})",
                         R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]})",
                         R"({"__metadata__":{"a":1},"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})" };
  for (const char * header : bad)
  {
    EXPECT_NE(complaint(header, 8), "") << header;
  }
  EXPECT_NE(complaint("{\"a\":" + std::string(1000000, '['), 8).find("deeply"), std::string::npos);
  EXPECT_NE(Complaint(Little(~std::uint64_t{ 0 }, 8) + "{}", "hostile.safetensors").find("truncated"),
            std::string::npos);
}
