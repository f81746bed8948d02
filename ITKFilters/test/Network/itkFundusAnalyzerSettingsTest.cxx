// SPDX-License-Identifier: Apache-2.0
#include "itkFundusAnalyzerSettings.h"

#include "itkMacro.h"

#include <gtest/gtest.h>

using itk::FundusAnalyzerSettings;

TEST(FundusAnalyzerSettings, ComeBackFromTheirArguments)
{
  FundusAnalyzerSettings settings;
  EXPECT_TRUE(settings.ToArguments().empty());
  EXPECT_TRUE(FundusAnalyzerSettings::FromArguments({}) == settings);
  settings.ModelFile = "model.pth";
  settings.LocatorFile = "locator.safetensors";
  settings.TTAMode = "symmetric";
  settings.Engine = "torch";
  settings.Device = "cuda";
  settings.Precision = "fp16";
  settings.Threads = 7;
  settings.Locate = false;
  settings.Recenter = false;
  settings.MaximumNumberOfPixels = 2000000000;
  EXPECT_TRUE(FundusAnalyzerSettings::FromArguments(settings.ToArguments()) == settings);
  EXPECT_TRUE(settings != FundusAnalyzerSettings());
}

TEST(FundusAnalyzerSettings, TakeTheWordsOfTheCommandLine)
{
  const auto settings = FundusAnalyzerSettings::FromArguments(
    { "--tta", "default", "--no-locate", "--max-megapixels", "3", "--model", "" });
  EXPECT_EQ(settings.TTAMode, "auto");
  EXPECT_FALSE(settings.Locate);
  EXPECT_EQ(settings.MaximumNumberOfPixels, 3000000u);
  FundusAnalyzerSettings other;
  other.Set("no_locate", "false");
  other.Set("threads", "2");
  EXPECT_TRUE(other.Locate);
  EXPECT_EQ(other.Threads, 2u);
}

TEST(FundusAnalyzerSettings, MistakesAreSentences)
{
  for (const std::vector<std::string> & arguments : std::vector<std::vector<std::string>>{
         { "tta" }, { "--tta" }, { "--unknown", "x" }, { "--threads", "-1" }, { "--threads", "two" } })
  {
    EXPECT_THROW(FundusAnalyzerSettings::FromArguments(arguments), itk::ExceptionObject) << arguments.front();
  }
  FundusAnalyzerSettings settings;
  EXPECT_THROW(settings.Set("no_locate", "perhaps"), itk::ExceptionObject);
}
