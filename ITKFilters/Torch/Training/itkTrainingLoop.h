// SPDX-License-Identifier: Apache-2.0
#ifndef itkTrainingLoop_h
#define itkTrainingLoop_h

#include "NPSNetTorchExport.h"
#include "itkTrainingTask.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>

namespace itk
{
struct TrainingSettings
{
  std::size_t   Epochs{ 80 };
  std::size_t   BatchSize{ 8 };
  double        LearningRate{ 1e-3 }; ///< peak of the one-cycle schedule
  double        WeightDecay{ 1e-4 };
  double        GradientClip{ 1.0 };
  double        AverageDecay{ 0.995 }; ///< of the moving average of the weights; 0: none
  std::uint64_t Seed{ 42 };
  int           Threads{ 1 };
  std::size_t   Workers{ 1 };
  std::size_t   ValidateEvery{ 1 };
  double        TimeLimitMinutes{ 0.0 }; ///< of one run; the schedule is run through faster when needed. 0: none
  std::string   Device{ "auto" };
  bool          ChannelsLast{ false };
  /** The configuration without what another machine may have otherwise: a resumed training must have the same. */
  nlohmann::json Recipe;
};

/** Largest learning rate times the factor of PyTorch's OneCycleLR (cosine, 10 % warm-up), and its momentum. */
struct NPSNetTorch_EXPORT OneCycle
{
  double          LearningRate;
  double          Beta1;
  static OneCycle At(std::size_t step, std::size_t steps, double peak);
};

/** "auto" is CUDA when there is one. */
torch::Device SelectTrainingDevice(const std::string & name);

/** \class TrainingLoop
 * \brief AdamW with a one-cycle schedule, averaged weights, data made ahead by workers, exact resumption.
 *
 * Writes to the folder: checkpoint.pt (all that is needed to continue), last.safetensors and best.safetensors
 * (averaged weights), log.csv, curves.svg.
 */
class TrainingLoop
{
public:
  TrainingLoop(TrainingTask & task, const TrainingSettings & settings, const std::string & folder);

  std::function<void(const std::string &)> Log;
  /** Asked between steps: true stops after saving nothing more. */
  std::function<bool()>       ShouldStop;
  std::function<void(double)> Progress;

  static bool HasCheckpoint(const std::string & folder);
  /** Goes back to where the checkpoint in the folder was written, or throws. */
  void Load();
  /** True after Load() when no epoch is left. */
  bool IsFinished() const { return m_FinishedEpochs >= m_Settings.Epochs; }
  void Run();

  /** One object per epoch: epoch, learning_rate, losses, and validation figures where there are some. */
  const nlohmann::json & GetHistory() const { return m_History; }

private:
  void Save(std::size_t finishedEpochs);
  void UpdateAverage();
  void SwapAverage();
  void WriteReports() const;
  void WriteModel(const std::string & name, const std::string & remark) const;
  void ValidateEpoch(nlohmann::json & record);

  std::size_t GetStepsPerEpoch() const { return m_Task.GetNumberOfSamples() / m_Settings.BatchSize; }

  TrainingTask &                                     m_Task;
  TrainingSettings                                   m_Settings;
  std::string                                        m_Folder;
  torch::Device                                      m_Device{ torch::kCPU };
  std::vector<std::pair<std::string, torch::Tensor>> m_State;
  std::vector<torch::Tensor>                         m_Average;
  std::unique_ptr<torch::optim::AdamW>               m_Optimizer;
  std::size_t                                        m_Step{ 0 };
  std::size_t                                        m_FinishedEpochs{ 0 };
  double                                             m_BestScore{ -1e9 };
  nlohmann::json                                     m_History = nlohmann::json::array();
};
} // namespace itk

#endif
