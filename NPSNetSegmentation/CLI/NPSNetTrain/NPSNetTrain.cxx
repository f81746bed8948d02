// SPDX-License-Identifier: Apache-2.0
#include "NPSNetTrainCLP.h"

#include "npsnetExitCodes.h"
#include "npsnetInterrupt.h"
#include "npsnetMemory.h"
#include "npsnetReport.h"

#include "itkNPSNetTrainer.h"
#include "itkTrainingOutputError.h"

#include <nlohmann/json.hpp>

#include <exception>
#include <iostream>

int main(int argc, char* argv[])
{
  PARSE_ARGS;
  npsnet::KeepFreedMemory();
  npsnet::SurviveFileSizeLimit();
  const char* const program = "NPSNetTrain";
  if (configuration.empty() || outputDirectory.empty())
  {
    npsnet::PrintError(program, "a configuration (JSON) and --out DIR are needed; see --help.");
    return npsnet::ExitUsage;
  }
  npsnet::CatchInterrupts();
  try
  {
    npsnet::Progress progress(program, "Training", !returnParameterFile.empty());
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
  }
  catch (const itk::TrainingOutputError& error)
  {
    npsnet::PrintError(program, npsnet::Printable(npsnet::Sentence(error)));
    return npsnet::ExitOutput;
  }
  catch (const std::exception& error)
  {
    npsnet::PrintError(program, npsnet::Printable(npsnet::Sentence(error)));
    return npsnet::ExitUsage;
  }
  if (npsnet::IsInterrupted())
  {
    npsnet::PrintError(program, "stopped; the same command with --resume goes on after the last finished epoch.");
    return npsnet::ExitInterrupted;
  }
  return npsnet::ExitDone;
}
