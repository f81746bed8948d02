// SPDX-License-Identifier: Apache-2.0
// Everything that a module's XML may say, as the shell sees it.
#include "TestFolder.h"
#include "GlueTestCLP.h"

#include "npsnetExitCodes.h"
#include "npsnetMessages.h"
#include "npsnetProgress.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace
{
struct Parsed
{
  std::vector<std::string> Photos;
  int Count{0};
  float Ratio{0};
  double Length{-1};
  bool Fast{false};
  std::string Text;
  std::string Eye;
  std::string Model;
  std::string Folder;
  std::string Labels;
  std::string Table;
  std::vector<std::vector<float>> Center;
  std::vector<std::vector<float>> Region;
  std::vector<int> Whole;
  std::vector<float> Broken;
  std::vector<std::string> Words;
  std::vector<std::string> Tags;
  double Result{-1};
  std::string ReturnParameterFile;
};

// PARSE_ARGS returns from the function it stands in, as it does in main().
int ParseInto(Parsed& parsed, int argc, const char* const* argv)
{
  PARSE_ARGS;
  parsed = {photos, count, ratio, length, fast, text, eye, model, folder, labels, table, center, roi, whole, broken,
    words, tags, result, returnParameterFile};
  return 99;
}

struct Outcome
{
  Parsed Values;
  int Code{0};
  std::string Out;
  std::string Err;
};

Outcome Call(std::vector<const char*> words)
{
  words.insert(words.begin(), "GlueTest");
  Outcome outcome;
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  outcome.Code = ParseInto(outcome.Values, static_cast<int>(words.size()), words.data());
  outcome.Out = ::testing::internal::GetCapturedStdout();
  outcome.Err = ::testing::internal::GetCapturedStderr();
  return outcome;
}

bool Contains(const std::string& text, const std::string& part)
{
  return text.find(part) != std::string::npos;
}
} // namespace

TEST(CommandLine, DefaultsComeFromTheXML)
{
  const Outcome outcome = Call({});
  ASSERT_EQ(outcome.Code, 99) << outcome.Err;
  const Parsed& v = outcome.Values;
  EXPECT_TRUE(v.Photos.empty());
  EXPECT_EQ(v.Count, 7);
  EXPECT_FLOAT_EQ(v.Ratio, 0.5f);
  EXPECT_EQ(v.Length, 0.0);
  EXPECT_FALSE(v.Fast);
  EXPECT_EQ(v.Text, "a \"quoted\" \\ text");
  EXPECT_EQ(v.Eye, "auto");
  EXPECT_EQ(v.Whole, (std::vector<int>{1, 2}));
  EXPECT_EQ(v.Words, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(v.Result, 0.0);
}

TEST(CommandLine, EveryKindIsRead)
{
  const Outcome outcome = Call({"a.jpg", "-n", "-3", "--ratio=1e-3", "--um-per-pixel", "4.25", "--fast", "b c.jpg",
    "--text", "", "--eye", "OS", "--model", "m.pt", "--out", "dir", "--labels", "l.nrrd", "--table", "t.csv",
    "--center", "-10.5,3,0", "--roi", "1,2,3,4,5,6", "--whole", "5", "--broken", "1.5,-2", "--words", "x,y z", "--tag",
    "1", "--tag", "2", "--returnparameterfile", "r.params", "--processinformationaddress", "0x0", "--", "--odd.jpg"});
  ASSERT_EQ(outcome.Code, 99) << outcome.Err;
  const Parsed& v = outcome.Values;
  EXPECT_EQ(v.Photos, (std::vector<std::string>{"a.jpg", "b c.jpg", "./--odd.jpg"}));
  EXPECT_EQ(v.Count, -3);
  EXPECT_FLOAT_EQ(v.Ratio, 1e-3f);
  EXPECT_EQ(v.Length, 4.25);
  EXPECT_TRUE(v.Fast);
  EXPECT_EQ(v.Text, "");
  EXPECT_EQ(v.Eye, "OS");
  EXPECT_EQ(v.Model, "m.pt");
  EXPECT_EQ(v.Folder, "dir");
  EXPECT_EQ(v.Labels, "l.nrrd");
  EXPECT_EQ(v.Table, "t.csv");
  EXPECT_EQ(v.Center, (std::vector<std::vector<float>>{{-10.5f, 3.0f, 0.0f}}));
  EXPECT_EQ(v.Region, (std::vector<std::vector<float>>{{1, 2, 3, 4, 5, 6}}));
  EXPECT_EQ(v.Whole, (std::vector<int>{5}));
  EXPECT_EQ(v.Broken, (std::vector<float>{1.5f, -2.0f}));
  EXPECT_EQ(v.Words, (std::vector<std::string>{"x", "y z"}));
  EXPECT_EQ(v.Tags, (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(v.ReturnParameterFile, "r.params");
}

TEST(CommandLine, MistakesAreOneSentence)
{
  const std::vector<std::pair<std::vector<const char*>, std::string>> mistakes = {{{"--fats"}, "no option --fats"},
    {{"--count", "3.5"}, "--count takes whole numbers, not \"3.5\""}, {{"--count", "x"}, "--count takes whole numbers"},
    {{"--count"}, "--count needs a value"}, {{"--eye", "left"}, "--eye takes one of auto, OD, OS, not \"left\""},
    {{"--fast=yes"}, "--fast takes no value"}, {{"--count", "1", "--count", "2"}, "--count is given twice"},
    {{"--count", "13"}, "--count takes -3 to 12, not 13"}, {{"--um-per-pixel=-1e-9"}, "takes at least 0, not -1e-9"},
    {{"--um-per-pixel", "nan"}, "takes numbers, not"}, {{"--fast", "--fast"}, "--fast is given twice"},
    {{"--center", "1,b"}, "--center takes numbers"}, {{"--ratio", "1,5"}, "--ratio takes numbers"}};
  for (const auto& [words, sentence] : mistakes)
  {
    const Outcome outcome = Call(words);
    EXPECT_EQ(outcome.Code, npsnet::ExitUsage) << sentence;
    EXPECT_TRUE(Contains(outcome.Err, sentence)) << outcome.Err;
    EXPECT_EQ(std::count(outcome.Err.begin(), outcome.Err.end(), '\n'), 1) << outcome.Err;
    EXPECT_EQ(outcome.Out, "");
  }
}

TEST(CommandLine, AnswersForPeopleAndForSlicer)
{
  const Outcome xml = Call({"--xml"});
  EXPECT_EQ(xml.Code, npsnet::ExitDone);
  std::ifstream file(GLUE_TEST_XML);
  EXPECT_EQ(xml.Out, std::string(std::istreambuf_iterator<char>(file), {}));
  EXPECT_EQ(Call({"--version"}).Out, "GlueTest 1.2.3\n");
  const Outcome help = Call({"a.jpg", "--help"});
  EXPECT_EQ(help.Code, npsnet::ExitDone);
  for (const char* part : {"Usage: GlueTest photos... [options]", "-n, --count N", "--eye auto|OD|OS",
         "(default: auto)", "Exit codes", "--center X,Y", "--out DIR"})
  {
    EXPECT_TRUE(Contains(help.Out, part)) << part << "\n" << help.Out;
  }
  EXPECT_FALSE(Contains(help.Out, "processinformationaddress"));
  setenv("NPSNET_COMMAND", "npsnet glue", 1);
  EXPECT_TRUE(Contains(Call({"--help"}).Out, "Usage: npsnet glue photos..."));
  unsetenv("NPSNET_COMMAND");
}

TEST(CommandLine, ProgressTagsOnlyForSlicer)
{
  ::testing::internal::CaptureStdout();
  {
    npsnet::Progress progress("Step", "comment", true);
    progress.Report(0.25, "quarter");
  }
  const std::string tags = ::testing::internal::GetCapturedStdout();
  EXPECT_TRUE(Contains(tags, "<filter-start>\n<filter-name>Step</filter-name>"));
  EXPECT_TRUE(Contains(tags, "<filter-progress>0.25</filter-progress>"));
  EXPECT_TRUE(Contains(tags, "</filter-end>"));
  ::testing::internal::CaptureStdout();
  {
    npsnet::Progress progress("Step", "comment", false);
    progress.Report(0.25, "quarter");
  }
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
}

TEST(CommandLine, ReturnParametersAreLines)
{
  const std::string fileName = TestFolder() + "/glue.params";
  npsnet::WriteReturnParameters(fileName, {{"a", itk::ShortestText(0.1)}, {"b", "text"}});
  std::ifstream file(fileName);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "a = 0.1\nb = text\n");
  npsnet::WriteReturnParameters("", {{"a", "1"}});
}
