// SPDX-License-Identifier: Apache-2.0
#include "itkNPSNetTrainer.h"

#include "itkAtomicFile.h"
#include "itkLocatorTask.h"
#include "itkNPSNetModelIO.h"
#include "itkNPSNetThrow.h"
#include "itkSegmentationTask.h"
#include "itkTrainingConfiguration.h"
#include "itkOutputError.h"
#include "itkTrainingReport.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <vector>

namespace itk
{
namespace
{
std::unique_ptr<TrainingTask> MakeTask(const nlohmann::json & configuration, const std::string & index)
{
  const auto task = configuration.value("task", std::string("segmentation"));
  if (task == "segmentation")
  {
    return std::make_unique<SegmentationTask>(configuration, index);
  }
  if (task == "locator")
  {
    return std::make_unique<LocatorTask>(configuration, index);
  }
  npsnetThrow("Unknown task \"" << task << "\": use segmentation or locator.");
}

/** The mean of the models' weights, one by one: what was trained from one common start in several ways is better, and
 * more robust, than each of them (Wortsman et al. 2022, model soups). A model may lack the angular contexts: their mean
 * is that of the models that have them, or they stay as they were made. */
template <typename TPathOf>
void StartFrom(torch::nn::Module & network, const std::vector<std::string> & names, const TPathOf & pathOf)
{
  TorchModuleState made;
  for (const auto & item : GetTorchModuleState(network))
  {
    made[item.first] = item.second.clone();
  }
  std::map<std::string, std::vector<torch::Tensor>> given;
  for (const auto & name : names)
  {
    const auto path = pathOf(name);
    try
    {
      auto       state = ReadTensors(path);
      const auto own = state;
      for (const auto & item : made)
      {
        if (item.first.find("context.") != std::string::npos)
        {
          state.insert(item);
        }
      }
      SetTorchModuleState(network, state, "the network to be trained");
      for (const auto & item : own)
      {
        given[item.first].push_back(item.second);
      }
    }
    catch (const ExceptionObject & error)
    {
      npsnetThrow("The training cannot start from " << path << ": " << error.GetDescription());
    }
  }
  for (auto & item : made)
  {
    const auto found = given.find(item.first);
    if (found != given.end())
    {
      const auto & all = found->second;
      const auto   sum = torch::stack(all).to(item.second.is_floating_point() ? torch::kFloat : torch::kLong).sum(0);
      item.second = item.second.is_floating_point() ? sum / static_cast<double>(all.size())
                                                    : sum.floor_divide(static_cast<int64_t>(all.size()));
    }
  }
  SetTorchModuleState(network, made, "the network to be trained");
}

void MakeFolder(const std::string & path)
{
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error)
  {
    throw OutputError("The folder " + path + " cannot be made (" + error.message() + "): give another output folder.");
  }
}
} // namespace

void NPSNetTrainer::Train()
{
  std::ifstream file(m_ConfigurationFile);
  if (!file)
  {
    npsnetThrow("The training configuration " << m_ConfigurationFile << " cannot be read: give an existing JSON file.");
  }
  if (m_OutputDirectory.empty())
  {
    npsnetThrow("The training needs an output folder.");
  }
  const bool hasCheckpoint = TrainingLoop::HasCheckpoint(m_OutputDirectory);
  if (hasCheckpoint && !m_Resume)
  {
    npsnetThrow("The folder " << m_OutputDirectory
                              << " holds the checkpoint of a training: go on with it (--resume) or give another output "
                                 "folder.");
  }
  try
  {
    const auto configuration = nlohmann::json::parse(file);
    CheckConfiguration(configuration);
    const auto besideConfiguration = [this](const std::string & path) {
      return (std::filesystem::path(m_ConfigurationFile).parent_path() / path).string();
    };
    const auto index =
      m_DataIndex.empty()
        ? besideConfiguration(
            configuration.value("data", nlohmann::json::object()).value("index", std::string("index.csv")))
        : m_DataIndex;
    const auto task = MakeTask(configuration, index);
    if (configuration.contains("initial_model"))
    {
      const auto &                   initial = configuration.at("initial_model");
      const std::vector<std::string> names = initial.is_array()
                                               ? initial.get<std::vector<std::string>>()
                                               : std::vector<std::string>{ initial.get<std::string>() };
      StartFrom(task->GetNetwork(), names, besideConfiguration);
    }
    TrainingLoop loop(*task, ReadTrainingSettings(configuration), m_OutputDirectory);
    if (hasCheckpoint)
    {
      loop.Load();
    }
    MakeFolder(m_OutputDirectory);
    AtomicFile::Write(m_OutputDirectory + "/config.json", configuration.dump(2) + "\n");
    loop.Log = m_Log;
    loop.Progress = m_Progress;
    loop.ShouldStop = m_ShouldStop;
    if (m_Log)
    {
      if (loop.IsFinished())
      {
        m_Log("The training in " + m_OutputDirectory + " is finished, its models are best.safetensors and " +
              "last.safetensors: to train on, name one of them as \"initial_model\" in a configuration for another " +
              "output folder.");
      }
      if (m_Resume && !hasCheckpoint)
      {
        m_Log("There is no checkpoint in " + m_OutputDirectory + " yet: the training starts from the beginning.");
      }
      if (task->GetNumberOfValidationPhotographs() == 0)
      {
        m_Log("There are no photographs for validation in " + index +
              ": best.safetensors will be the model of the last epoch.");
      }
      std::size_t parameters = 0;
      for (const auto & p : task->GetNetwork().parameters())
      {
        parameters += static_cast<std::size_t>(p.numel());
      }
      m_Log(std::to_string(task->GetNumberOfSamples()) + " training samples, " +
            std::to_string(task->GetNumberOfValidationPhotographs()) + " photographs for validation, " +
            std::to_string(parameters) + " parameters");
    }
    loop.Run();
    m_History = loop.GetHistory().dump();
  }
  catch (const nlohmann::json::exception & error)
  {
    npsnetThrow("The training configuration " << m_ConfigurationFile << " is not valid: " << error.what());
  }
}

void NPSNetTrainer::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "ConfigurationFile: " << m_ConfigurationFile << std::endl;
  os << indent << "DataIndex: " << m_DataIndex << std::endl;
  os << indent << "OutputDirectory: " << m_OutputDirectory << std::endl;
  os << indent << "Resume: " << (m_Resume ? "On" : "Off") << std::endl;
}
} // namespace itk
