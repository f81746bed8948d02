// SPDX-License-Identifier: Apache-2.0
#include "NPSNetLocateCLP.h"

#include "npsnetExitCodes.h"
#include "npsnetInterrupt.h"
#include "npsnetMessages.h"
#include "npsnetModule.h"
#include "npsnetOptions.h"
#include "npsnetProgress.h"

#include "itkAtomicFile.h"
#include "itkFundusPhotographReader.h"
#include "itkModelFiles.h"
#include "itkOpticNerveHeadLocator.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <iostream>
#include <stdexcept>

using nlohmann::ordered_json;

namespace
{
const char* const Program = "NPSNetLocate";

/// Digits that mean something.
double Rounded(double value, int decimals)
{
  const double scale = std::pow(10.0, decimals);
  return std::round(value * scale) / scale;
}

/// Centre (pixel index) and diameter (photo pixels); null when not found.
ordered_json Describe(const std::string& path, const itk::FundusPhotograph& photograph,
  const itk::OpticNerveHeadLocator::Location& location)
{
  ordered_json entry = {{"image", npsnet::Printable(path)},
    {"status", !location.Found    ? "not_found"
               : location.Certain ? "ok"
                                  : "low_confidence"},
    {"center", nullptr}, {"diameter", nullptr}, {"confidence", Rounded(location.Confidence, 4)}};
  if (location.Found)
  {
    const auto index = photograph.PointToIndex(location.Center);
    entry["center"] = {Rounded(index[0], 2), Rounded(index[1], 2)};
    entry["diameter"] = Rounded(location.Diameter, 2);
  }
  return entry;
}

void PrintLine(const ordered_json& entry)
{
  std::cout << entry["image"].get<std::string>() << ": " << entry["status"].get<std::string>();
  if (!entry["center"].is_null())
  {
    std::cout << ", centre " << entry["center"][0] << "," << entry["center"][1] << ", diameter " << entry["diameter"]
              << " px";
  }
  std::cout << ", confidence " << entry["confidence"] << std::endl;
}

void WriteAnswers(const ordered_json& all, const std::string& text, const std::string& outputFile,
  const std::string& returnParameterFile)
{
  if (!outputFile.empty())
  {
    itk::AtomicFile::Write(outputFile, text);
  }
  const ordered_json& first = all[0];
  if (!first["center"].is_null())
  {
    npsnet::WriteReturnParameters(returnParameterFile,
      {{"centerX", itk::ShortestText(first["center"][0])}, {"centerY", itk::ShortestText(first["center"][1])},
        {"diameter", itk::ShortestText(first["diameter"])}, {"confidence", itk::ShortestText(first["confidence"])}});
  }
}

ordered_json DescribeProblem(const std::string& path, const std::string& message)
{
  return {{"image", npsnet::Printable(path)}, {"status", "unreadable"}, {"message", message}, {"center", nullptr},
    {"diameter", nullptr}, {"confidence", nullptr}};
}
} // namespace

int main(int argc, char* argv[])
{
  PARSE_ARGS;
  const bool slicerIsListening = !returnParameterFile.empty();
  return npsnet::RunModule(Program,
    [&]() -> int
    {
      if (inputVolume.empty())
      {
        throw std::runtime_error("no photo is given; see --help.");
      }
      npsnet::RequireThreads(numberOfThreads);
      const std::string file = model.empty() ? itk::ModelFiles::GetDefaultLocator() : model;
      if (file.empty())
      {
        throw std::runtime_error("The default locator is not installed: give one with --model, or set "
                                 "NPSNET_RESOURCES_DIR to the Resources folder.");
      }
      const auto locator = itk::OpticNerveHeadLocator::Load(file, device, static_cast<unsigned>(numberOfThreads));
      npsnet::Progress progress(Program, "Finding the optic nerve head", slicerIsListening);
      ordered_json all = ordered_json::array();
      int exitCode = npsnet::ExitDone;
      for (std::size_t i = 0; i < inputVolume.size(); ++i)
      {
        if (npsnet::IsInterrupted())
        {
          npsnet::PrintError(Program, npsnet::StoppedAfter(i, inputVolume.size()));
          return npsnet::ExitInterrupted;
        }
        const std::string& path = inputVolume[i];
        ordered_json entry;
        try
        {
          auto reader = itk::FundusPhotographReader::New();
          reader->SetFileName(path);
          reader->SetFrame(static_cast<unsigned>(frame));
          reader->SetMaximumNumberOfPixels(static_cast<std::size_t>(maximumMegapixels) * 1000000);
          reader->Update();
          const auto location = locator->Locate(reader->GetPhotograph()->GetImage());
          entry = Describe(path, *reader->GetPhotograph(), location);
          exitCode = location.Found ? exitCode : npsnet::MoreSerious(exitCode, npsnet::ExitNotAllGood);
        }
        catch (const std::exception& error)
        {
          const std::string sentence = npsnet::Printable(npsnet::Sentence(error));
          npsnet::PrintError(Program, npsnet::SentenceAbout(path, sentence));
          entry = DescribeProblem(path, sentence);
          exitCode = npsnet::MoreSerious(exitCode, npsnet::ExitUsage);
        }
        progress.Report(static_cast<double>(i + 1) / static_cast<double>(inputVolume.size()), "locating");
        progress.Clear();
        if (!json && !slicerIsListening && !entry["confidence"].is_null())
        {
          PrintLine(entry);
        }
        all.push_back(std::move(entry));
      }
      const std::string text = (all.size() == 1 ? all[0] : all).dump(2) + "\n";
      if (json)
      {
        std::cout << text << std::flush;
      }
      WriteAnswers(all, text, outputFile, returnParameterFile);
      return npsnet::ExitCodeWithAnswers(Program, exitCode);
    });
}
