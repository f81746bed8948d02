#include "NPSNetLocateCLP.h"

#include "npsnetExitCodes.h"
#include "npsnetMemory.h"
#include "npsnetReport.h"

#include "itkFundusPhotographAnalyzer.h"
#include "itkFundusPhotographReader.h"
#include "itkOpticNerveHeadLocator.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <stdexcept>

using nlohmann::ordered_json;

namespace
{
const char* const Program = "NPSNetLocate";

/// Digits that mean something.
double Rounded(double value, double step)
{
  return std::round(value / step) * step;
}

/// Centre and diameter in photo pixels.
ordered_json Describe(const std::string& path, const itk::OpticNerveHeadLocator::Location& location)
{
  return {{"image", npsnet::Printable(path)}, {"status", location.Found ? "ok" : "not_found"},
    {"center", {Rounded(location.Center[0], 0.01), Rounded(location.Center[1], 0.01)}},
    {"diameter", Rounded(location.Diameter, 0.01)}, {"confidence", Rounded(location.Confidence, 1e-4)}};
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
  npsnet::KeepFreedMemory();
  const bool slicerIsListening = !returnParameterFile.empty();
  try
  {
    if (inputVolume.empty())
    {
      throw std::runtime_error("no photo is given; see --help.");
    }
    if (frame < 0 || maximumMegapixels < 1)
    {
      throw std::runtime_error("--frame and --max-megapixels take no negative numbers.");
    }
    const std::string file = model.empty() ? itk::FundusPhotographAnalyzer::GetDefaultLocatorFile() : model;
    if (file.empty())
    {
      throw std::runtime_error("The default locator is not installed: give one with --model, or set "
                               "NPSNET_RESOURCES_DIR to the Resources folder.");
    }
    const auto locator = itk::OpticNerveHeadLocator::Load(file, device);
    npsnet::Progress progress(Program, "Finding the optic nerve head", slicerIsListening);
    ordered_json all = ordered_json::array();
    int exitCode = npsnet::ExitDone;
    for (std::size_t i = 0; i < inputVolume.size(); ++i)
    {
      const std::string& path = inputVolume[i];
      ordered_json entry;
      try
      {
        auto reader = itk::FundusPhotographReader::New();
        reader->SetFileName(path);
        reader->SetFrame(static_cast<unsigned>(frame));
        reader->SetMaximumNumberOfPixels(static_cast<std::size_t>(maximumMegapixels) * 1000000);
        reader->Update();
        const auto location = locator->Locate(reader->GetOutput()->GetImage());
        entry = Describe(path, location);
        exitCode = location.Found ? exitCode : std::max<int>(exitCode, npsnet::ExitNotAllGood);
      }
      catch (const std::exception& error)
      {
        const std::string sentence = npsnet::Printable(npsnet::Sentence(error));
        npsnet::PrintError(Program, npsnet::Printable(path) + ": " + sentence);
        entry = DescribeProblem(path, sentence);
        exitCode = npsnet::ExitUsage;
      }
      progress.Report(static_cast<double>(i + 1) / static_cast<double>(inputVolume.size()), "locating");
      progress.Clear();
      if (!json && !slicerIsListening && !entry["center"].is_null())
      {
        std::cout << entry["image"].get<std::string>() << ": " << entry["status"].get<std::string>() << ", centre "
                  << entry["center"][0] << "," << entry["center"][1] << ", diameter " << entry["diameter"]
                  << " px, confidence " << entry["confidence"] << std::endl;
      }
      all.push_back(std::move(entry));
    }
    const std::string text = (all.size() == 1 ? all[0] : all).dump(2) + "\n";
    if (json)
    {
      std::cout << text << std::flush;
    }
    if (!outputFile.empty())
    {
      npsnet::WriteFileAtomically(outputFile, text);
    }
    const ordered_json& first = all[0];
    if (!first["center"].is_null())
    {
      npsnet::WriteReturnParameters(returnParameterFile,
        {{"centerX", npsnet::NumberToText(first["center"][0])}, {"centerY", npsnet::NumberToText(first["center"][1])},
          {"diameter", npsnet::NumberToText(first["diameter"])},
          {"confidence", npsnet::NumberToText(first["confidence"])}});
    }
    return exitCode;
  }
  catch (const std::exception& error)
  {
    npsnet::PrintError(Program, npsnet::Printable(npsnet::Sentence(error)));
    return npsnet::ExitUsage;
  }
}
