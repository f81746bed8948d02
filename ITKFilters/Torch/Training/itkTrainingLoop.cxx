// SPDX-License-Identifier: Apache-2.0
#include "itkTrainingLoop.h"

#include "itkAtomicFile.h"
#include "itkBatchPrefetcher.h"
#include "itkNPSNetThrow.h"
#include "itkOutputError.h"
#include "itkTrainingRandom.h"
#include "itkTrainingReport.h"

#include <ATen/autocast_mode.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iomanip>
#include <limits>

namespace itk
{
namespace
{
constexpr double Pi = 3.14159265358979323846;
constexpr double WarmUp = 0.1;
constexpr int    MostStepsLeftOut = 100; // in a row

double Cosine(double from, double to, double part)
{
  return to + (from - to) * 0.5 * (1.0 + std::cos(Pi * part));
}

/** Mean of one term of the loss over the steps that had it. */
struct MeanTerm
{
  std::string Name;
  double      Sum{ 0.0 };
  double      Count{ 0.0 };
};

void AddTerms(const TrainingTask::LossType & terms, std::vector<MeanTerm> & means)
{
  for (const auto & term : terms)
  {
    auto mean = std::find_if(means.begin(), means.end(), [&](const MeanTerm & m) { return m.Name == term.first; });
    if (mean == means.end())
    {
      mean = means.insert(means.end(), MeanTerm{ term.first });
    }
    mean->Sum += term.second.item<double>();
    mean->Count += 1.0;
  }
}

std::string TextOf(double value, int digits)
{
  std::ostringstream out;
  out << std::fixed << std::setprecision(digits) << value;
  return out.str();
}

std::string Duration(double seconds)
{
  char       text[32];
  const auto s = static_cast<long>(seconds + 0.5);
  std::snprintf(text, sizeof(text), "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
  return text;
}

std::string CheckpointFile(const std::string & folder)
{
  return folder + "/checkpoint.pt";
}

torch::Tensor ToTensor(const std::string & text)
{
  auto t = torch::empty({ static_cast<int64_t>(text.size()) }, torch::kUInt8);
  std::copy(text.begin(), text.end(), t.data_ptr<uint8_t>());
  return t;
}

std::string ToText(const torch::Tensor & t)
{
  return std::string(reinterpret_cast<const char *>(t.data_ptr<uint8_t>()), static_cast<std::size_t>(t.numel()));
}

/** "crop/rotation" for the first entry that is in one only or not the same in both; empty: there is none. */
std::string FirstDifference(const nlohmann::json & a, const nlohmann::json & b)
{
  const auto changes = nlohmann::json::diff(a, b);
  return changes.empty() ? std::string() : changes.front().at("path").get<std::string>().substr(1);
}

/** bf16 on CUDA while it lives: no loss scaling needed; heads and losses stay in fp32. */
class MixedPrecision
{
public:
  explicit MixedPrecision(bool on)
    : m_On(on)
  {
    if (m_On)
    {
      at::autocast::set_autocast_dtype(at::kCUDA, at::kBFloat16);
      at::autocast::set_autocast_enabled(at::kCUDA, true);
    }
  }
  ~MixedPrecision()
  {
    if (m_On)
    {
      at::autocast::set_autocast_enabled(at::kCUDA, false);
      at::autocast::clear_cache();
    }
  }

private:
  bool m_On;
};
} // namespace

OneCycle OneCycle::At(std::size_t step, std::size_t steps, double peak)
{
  const double start = peak / 25.0;
  const double end = start / 1e4;
  const double top = WarmUp * static_cast<double>(steps) - 1.0;
  const double last = static_cast<double>(steps) - 1.0;
  const double s = static_cast<double>(step);
  if (s <= top)
  {
    const double part = top > 0 ? s / top : 1.0;
    return { Cosine(start, peak, part), Cosine(0.95, 0.85, part) };
  }
  const double part = last > top ? std::min(1.0, (s - top) / (last - top)) : 1.0;
  return { Cosine(peak, end, part), Cosine(0.85, 0.95, part) };
}

torch::Device SelectTrainingDevice(const std::string & name)
{
  if (name == "auto")
  {
    return torch::cuda::is_available() ? torch::Device(torch::kCUDA) : torch::Device(torch::kCPU);
  }
  try
  {
    const torch::Device device(name);
    if (device.is_cuda() && !torch::cuda::is_available())
    {
      npsnetThrow("The device \"" << name << "\" is not available here: use cpu or auto.");
    }
    return device;
  }
  catch (const c10::Error &)
  {
    npsnetThrow("Unknown device \"" << name << "\": use auto, cpu or cuda:N.");
  }
}

TrainingLoop::TrainingLoop(TrainingTask & task, const TrainingSettings & settings, const std::string & folder)
  : m_Task(task)
  , m_Settings(settings)
  , m_Folder(folder)
  , m_Device(SelectTrainingDevice(settings.Device))
{
  if (this->GetStepsPerEpoch() == 0)
  {
    npsnetThrow("The training needs at least one full batch: there are "
                << task.GetNumberOfSamples() << " samples; lower \"batch\" (" << settings.BatchSize
                << ") or add photographs.");
  }
  torch::set_num_threads(settings.Threads);
  at::globalContext().setFlushDenormal(true);

  auto & network = task.GetNetwork();
  network.to(m_Device);
  std::vector<torch::Tensor> decayed;
  std::vector<torch::Tensor> plain;
  for (auto & item : network.named_parameters())
  {
    if (settings.ChannelsLast && item.value().dim() == 4)
    {
      item.value().set_data(item.value().contiguous(torch::MemoryFormat::ChannelsLast));
    }
    m_State.emplace_back(item.key(), item.value());
    // Shrinking norms and biases makes no sense.
    (item.value().dim() > 1 ? decayed : plain).push_back(item.value());
  }
  for (auto & item : network.named_buffers())
  {
    m_State.emplace_back(item.key(), item.value());
  }
  for (const auto & item : m_State)
  {
    m_Average.push_back(item.second.detach().clone());
  }
  std::vector<torch::optim::OptimizerParamGroup> groups;
  groups.emplace_back(
    decayed,
    std::make_unique<torch::optim::AdamWOptions>(torch::optim::AdamWOptions(1e-3).weight_decay(settings.WeightDecay)));
  groups.emplace_back(plain,
                      std::make_unique<torch::optim::AdamWOptions>(torch::optim::AdamWOptions(1e-3).weight_decay(0.0)));
  m_Optimizer = std::make_unique<torch::optim::AdamW>(groups);
}

void TrainingLoop::UpdateAverage()
{
  torch::NoGradGuard noGrad;
  const double       n = static_cast<double>(m_Step);
  const double       decay = std::min(m_Settings.AverageDecay, (1.0 + n) / (10.0 + n));
  for (std::size_t i = 0; i < m_State.size(); ++i)
  {
    if (m_Average[i].is_floating_point())
    {
      m_Average[i].lerp_(m_State[i].second, 1.0 - decay);
    }
    else
    {
      m_Average[i].copy_(m_State[i].second);
    }
  }
}

void TrainingLoop::SwapAverage()
{
  torch::NoGradGuard noGrad;
  for (std::size_t i = 0; i < m_State.size(); ++i)
  {
    const auto current = m_State[i].second.detach().clone();
    m_State[i].second.copy_(m_Average[i]);
    m_Average[i].copy_(current);
  }
}

void TrainingLoop::Save(std::size_t finishedEpochs)
{
  torch::serialize::OutputArchive archive;
  for (std::size_t i = 0; i < m_State.size(); ++i)
  {
    archive.write("state" + std::to_string(i), m_State[i].second.detach());
    archive.write("average" + std::to_string(i), m_Average[i]);
  }
  torch::serialize::OutputArchive optimizer;
  m_Optimizer->save(optimizer);
  archive.write("optimizer", optimizer);
  const nlohmann::json facts = { { "epochs", finishedEpochs },
                                 { "total_epochs", m_Settings.Epochs },
                                 { "step", m_Step },
                                 { "best_score", m_BestScore },
                                 { "seed", m_Settings.Seed },
                                 { "batch", m_Settings.BatchSize },
                                 { "history", m_History },
                                 { "recipe", m_Settings.Recipe },
                                 { "data_hash", m_Task.GetDataHash() },
                                 { "steps_per_epoch", this->GetStepsPerEpoch() } };
  archive.write("facts", ToTensor(facts.dump()));
  // Not straight to the file: Torch's writer throws in its destructor when the disk is full.
  std::string content;
  archive.save_to([&content](const void * data, std::size_t size) {
    content.append(static_cast<const char *>(data), size);
    return size;
  });
  AtomicFile::Write(CheckpointFile(m_Folder), content);
}

bool TrainingLoop::HasCheckpoint(const std::string & folder)
{
  std::error_code ignored;
  return std::filesystem::exists(CheckpointFile(folder), ignored);
}

void TrainingLoop::Load()
{
  const auto         fileName = CheckpointFile(m_Folder);
  torch::NoGradGuard noGrad;
  try
  {
    torch::serialize::InputArchive archive;
    archive.load_from(fileName);
    // Always into a new tensor: read() writes through one that is already defined.
    const auto read = [&archive](const std::string & key) {
      torch::Tensor t;
      archive.read(key, t);
      return t;
    };
    const auto facts = nlohmann::json::parse(ToText(read("facts")));
    // Checkpoints of earlier versions have no recipe, hash and steps per epoch.
    const auto difference = FirstDifference(facts.value("recipe", m_Settings.Recipe), m_Settings.Recipe);
    if (!difference.empty())
    {
      npsnetThrow(fileName << " belongs to a training with another \"" << difference
                           << "\": resume with its configuration (config.json beside it) or start anew in another "
                              "folder.");
    }
    if (facts.at("total_epochs") != m_Settings.Epochs || facts.at("batch") != m_Settings.BatchSize ||
        facts.at("seed") != m_Settings.Seed)
    {
      npsnetThrow(fileName << " belongs to a training with other epochs, batch size or seed: resume with the same "
                              "configuration or start anew in another folder.");
    }
    // There are fewer steps than the epochs have when the time was up.
    const auto perEpoch = this->GetStepsPerEpoch();
    if (facts.value("data_hash", m_Task.GetDataHash()) != m_Task.GetDataHash() ||
        facts.value("steps_per_epoch", perEpoch) != perEpoch ||
        facts.at("step").get<std::size_t>() > facts.at("epochs").get<std::size_t>() * perEpoch)
    {
      npsnetThrow(fileName << " belongs to a training with other photographs: resume with the same data index or start "
                              "anew in another folder.");
    }
    for (std::size_t i = 0; i < m_State.size(); ++i)
    {
      m_State[i].second.copy_(read("state" + std::to_string(i)));
      m_Average[i].copy_(read("average" + std::to_string(i)));
    }
    torch::serialize::InputArchive optimizer;
    archive.read("optimizer", optimizer);
    m_Optimizer->load(optimizer);
    m_FinishedEpochs = facts.at("epochs");
    m_Step = facts.at("step");
    m_BestScore = facts.at("best_score");
    m_History = facts.at("history");
  }
  catch (const c10::Error &)
  {
    npsnetThrow("The checkpoint " << fileName
                                  << " does not fit this network or is damaged: start anew in another folder.");
  }
  catch (const nlohmann::json::exception &)
  {
    npsnetThrow("The checkpoint " << fileName << " is damaged: start anew in another folder.");
  }
}

void TrainingLoop::WriteReports() const
{
  AtomicFile::Write(m_Folder + "/log.csv", TrainingHistoryToCSV(m_History));
  AtomicFile::Write(m_Folder + "/curves.svg", TrainingHistoryToSVG(m_History));
}

void TrainingLoop::WriteModel(const std::string & name, const std::string & remark) const
{
  try
  {
    m_Task.WriteModel(m_Folder + "/" + name, remark);
  }
  catch (const ExceptionObject & error)
  {
    throw OutputError(error.GetDescription());
  }
}

void TrainingLoop::ValidateEpoch(nlohmann::json & record)
{
  const bool averaged = m_Settings.AverageDecay > 0.0;
  if (averaged)
  {
    this->SwapAverage();
  }
  m_Task.GetNetwork().eval();
  TrainingTask::FiguresType figures;
  if (m_Task.GetNumberOfValidationPhotographs() > 0)
  {
    torch::NoGradGuard noGrad;
    figures = m_Task.Validate();
  }
  std::string line = "  validation:";
  for (const auto & figure : figures)
  {
    record["val_" + figure.first] = figure.second;
    line += " " + figure.first + " " + TextOf(figure.second, 4);
  }
  if (Log && !figures.empty())
  {
    Log(line);
  }
  const auto remark =
    std::to_string(record.at("epoch").get<std::size_t>()) + " of " + std::to_string(m_Settings.Epochs) + " epochs";
  this->WriteModel("last.safetensors", remark);
  const double score = figures.empty() ? m_BestScore : figures.front().second;
  if (figures.empty() || score > m_BestScore)
  {
    m_BestScore = score;
    this->WriteModel("best.safetensors", remark);
  }
  if (averaged)
  {
    this->SwapAverage();
  }
}

void TrainingLoop::Run()
{
  using Clock = std::chrono::steady_clock;
  const std::size_t perEpoch = this->GetStepsPerEpoch();
  const std::size_t steps = perEpoch * m_Settings.Epochs;
  const auto        seed = m_Settings.Seed;
  BatchPrefetcher   batches(
    [this, perEpoch, seed](std::size_t number) {
      const std::size_t epoch = number / perEpoch;
      const auto        order = TrainingRandom(seed, epoch, ~0ULL).Permutation(m_Task.GetNumberOfSamples());
      const auto        begin = order.begin() + static_cast<std::ptrdiff_t>(number % perEpoch * m_Settings.BatchSize);
      return m_Task.MakeBatch(epoch, { begin, begin + static_cast<std::ptrdiff_t>(m_Settings.BatchSize) });
    },
    m_Step,
    steps,
    m_Settings.Workers);

  const auto        start = Clock::now();
  auto              lastLine = start;
  const std::size_t firstStep = m_Step;
  const auto        seconds = [](Clock::duration d) { return std::chrono::duration<double>(d).count(); };

  // With a time limit the rest of the schedule is run through in that time, or sooner when the steps are done.
  const double startPart = static_cast<double>(m_Step) / static_cast<double>(steps);
  const auto   part = [&] {
    const double done = static_cast<double>(m_Step) / static_cast<double>(steps);
    const double limit = 60.0 * m_Settings.TimeLimitMinutes;
    return limit > 0.0 ? std::max(done, startPart + (1.0 - startPart) * seconds(Clock::now() - start) / limit) : done;
  };
  bool   timeIsUp = false;
  double learningRate = 0.0;
  int    leftOutInARow = 0;

  for (std::size_t epoch = m_FinishedEpochs; epoch < m_Settings.Epochs && !timeIsUp; ++epoch)
  {
    m_Task.GetNetwork().train();
    std::vector<MeanTerm> means;
    std::size_t           stepsLeftOut = 0;
    const auto            epochStart = Clock::now();
    for (std::size_t i = 0; i < perEpoch; ++i)
    {
      if (ShouldStop && ShouldStop())
      {
        return;
      }
      const auto position = static_cast<std::size_t>(std::lround(part() * static_cast<double>(steps)));
      timeIsUp = position >= steps;
      if (timeIsUp)
      {
        break;
      }
      const auto cycle = OneCycle::At(position, steps, m_Settings.LearningRate);
      learningRate = cycle.LearningRate;
      for (auto & group : m_Optimizer->param_groups())
      {
        auto & options = static_cast<torch::optim::AdamWOptions &>(group.options());
        options.lr(cycle.LearningRate).betas(std::make_tuple(cycle.Beta1, 0.999));
      }
      auto batch = batches.Next();
      for (auto & t : batch)
      {
        t = t.to(m_Device, true);
      }
      m_Optimizer->zero_grad();
      TrainingTask::LossType terms;
      {
        MixedPrecision mixed(m_Device.is_cuda());
        terms =
          m_Task.ComputeLoss(batch, static_cast<double>(position / perEpoch) / static_cast<double>(m_Settings.Epochs));
      }
      terms.front().second.backward();
      const double norm = torch::nn::utils::clip_grad_norm_(m_Task.GetNetwork().parameters(), m_Settings.GradientClip);
      ++m_Step;
      if (std::isfinite(norm))
      {
        m_Optimizer->step();
        torch::NoGradGuard noGrad;
        m_Task.ConstrainParameters();
        this->UpdateAverage();
        AddTerms(terms, means);
        leftOutInARow = 0;
      }
      else
      {
        ++stepsLeftOut;
        if (Log)
        {
          Log("  step " + std::to_string(m_Step) + ": gradient not finite, step left out");
        }
        if (++leftOutInARow == MostStepsLeftOut)
        {
          npsnetThrow("The gradient was not finite in " << MostStepsLeftOut
                                                        << " steps in a row: lower \"learning_rate\" or check the "
                                                           "weights in \"losses\".");
        }
      }
      const auto now = Clock::now();
      if (Progress)
      {
        Progress(part());
      }
      if (Log && (seconds(now - lastLine) >= 20.0 || m_Step == firstStep + 1))
      {
        lastLine = now;
        const double speed = static_cast<double>(m_Step - firstStep) / seconds(now - start);
        Log("  epoch " + std::to_string(epoch + 1) + "/" + std::to_string(m_Settings.Epochs) + " step " +
            std::to_string(i + 1) + "/" + std::to_string(perEpoch) + " loss " +
            TextOf(terms.front().second.item<double>(), 4) + " lr " + TextOf(1e3 * cycle.LearningRate, 4) + "e-3 " +
            TextOf(speed * static_cast<double>(m_Settings.BatchSize), 2) + " images/s, remaining " +
            Duration(std::min(static_cast<double>(steps - m_Step) / speed,
                              m_Settings.TimeLimitMinutes > 0.0
                                ? 60.0 * m_Settings.TimeLimitMinutes - seconds(now - start)
                                : std::numeric_limits<double>::infinity())));
      }
    }
    nlohmann::json record = { { "epoch", epoch + 1 },
                              { "learning_rate", learningRate },
                              { "seconds", seconds(Clock::now() - epochStart) } };
    std::string    line = "epoch " + std::to_string(epoch + 1) + "/" + std::to_string(m_Settings.Epochs) + ":";
    for (const auto & mean : means)
    {
      const double value = mean.Sum / mean.Count;
      record["train_" + mean.Name] = value;
      line += " " + mean.Name + " " + TextOf(value, 4);
    }
    if (stepsLeftOut > 0)
    {
      record["steps_left_out"] = stepsLeftOut;
      line += " steps left out " + std::to_string(stepsLeftOut);
    }
    if (Log)
    {
      Log(line);
    }
    if ((epoch + 1) % m_Settings.ValidateEvery == 0 || epoch + 1 == m_Settings.Epochs || timeIsUp)
    {
      this->ValidateEpoch(record);
    }
    m_History.push_back(record);
    m_FinishedEpochs = epoch + 1;
    this->Save(m_FinishedEpochs);
    this->WriteReports();
  }
}
} // namespace itk
