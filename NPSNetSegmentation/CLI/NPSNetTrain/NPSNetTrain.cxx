// SPDX-License-Identifier: Apache-2.0
#include "NPSNetTrainCLP.h"

#include "npsnetExitCodes.h"
#include "npsnetInterrupt.h"
#include "npsnetMessages.h"
#include "npsnetModule.h"
#include "npsnetProgress.h"

#include "itkNPSNetTrainer.h"

#include <nlohmann/json.hpp>

#include <iostream>
#include <stdexcept>

namespace
{
const char* const Program = "NPSNetTrain";
}

int main(int argc, char* argv[])
{
  PARSE_ARGS;
  return npsnet::RunModule(Program,
    [&]() -> int
    {
      if (configuration.empty() || outputDirectory.empty())
      {
        throw std::runtime_error("a configuration (JSON) and --out DIR are needed; see --help.");
      }
      npsnet::Progress progress(Program, "Training", !returnParameterFile.empty());
      auto trainer = itk::NPSNetTrainer::New();
      trainer->SetConfigurationFile(configuration);
      trainer->SetDataIndex(dataIndex);
      trainer->SetOutputDirectory(outputDirectory);
      trainer->SetResume(resume);
      trainer->SetLog(
        [&](const std::string& line)
        {
          progress.Clear();
          std::cout << line << std::endl;
        });
      trainer->SetProgress([&](double fraction) { progress.Report(fraction, "training"); });
      trainer->SetShouldStop([] { return npsnet::IsInterrupted(); });
      trainer->Train();
      const nlohmann::json history = nlohmann::json::parse(trainer->GetHistory(), nullptr, false);
      npsnet::WriteReturnParameters(
        returnParameterFile, {{"numberOfEpochs", std::to_string(history.is_array() ? history.size() : 0)}});
      if (npsnet::IsInterrupted())
      {
        npsnet::PrintError(Program, "stopped; the same command with --resume goes on after the last finished epoch.");
        return npsnet::ExitInterrupted;
      }
      return npsnet::ExitDone;
    });
}
