#include "itkTrainingLoop.h"

#include "itkBatchPrefetcher.h"
#include "itkNPSNetThrow.h"
#include "itkTrainingRandom.h"
#include "itkTrainingReport.h"

#include <ATen/autocast_mode.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <iomanip>
#include <limits>
#include <sys/stat.h>

namespace itk
{
namespace
{
constexpr double Pi = 3.14159265358979323846;
constexpr double WarmUp = 0.1;

double Cosine(double from, double to, double part)
{
  return to + (from - to) * 0.5 * (1.0 + std::cos(Pi * part));
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

void Replace(const std::string & temporary, const std::string & fileName)
{
  if (std::rename(temporary.c_str(), fileName.c_str()) != 0)
  {
    npsnetThrow("Cannot write " << fileName << ": check the folder's permissions and free space.");
  }
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
  mkdir(folder.c_str(), 0777);
  if (settings.BatchSize == 0 || settings.Epochs == 0 || task.GetNumberOfSamples() < settings.BatchSize)
  {
    npsnetThrow("The training needs at least one epoch and one full batch: "
                << task.GetNumberOfSamples() << " samples, batches of " << settings.BatchSize << '.');
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
  const nlohmann::json facts = { { "epochs", finishedEpochs }, { "total_epochs", m_Settings.Epochs },
                                 { "step", m_Step },           { "best_score", m_BestScore },
                                 { "seed", m_Settings.Seed },  { "batch", m_Settings.BatchSize },
                                 { "history", m_History } };
  archive.write("facts", ToTensor(facts.dump()));
  const std::string fileName = m_Folder + "/checkpoint.pt";
  archive.save_to(fileName + ".tmp");
  Replace(fileName + ".tmp", fileName);
}

void TrainingLoop::Load()
{
  const std::string fileName = m_Folder + "/checkpoint.pt";
  struct stat       info;
  if (stat(fileName.c_str(), &info) != 0)
  {
    npsnetThrow("There is no checkpoint " << fileName << " to resume: start without --resume.");
  }
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
    if (facts.at("total_epochs") != m_Settings.Epochs || facts.at("batch") != m_Settings.BatchSize ||
        facts.at("seed") != m_Settings.Seed)
    {
      npsnetThrow(fileName << " belongs to a training with other epochs, batch size or seed: resume with the same "
                              "configuration or start anew in another folder.");
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
    npsnetThrow("The checkpoint " << fileName << " does not fit this network or is damaged: start without --resume.");
  }
}

void TrainingLoop::WriteReports() const
{
  const auto write = [this](const std::string & name, const std::string & text) {
    const std::string fileName = m_Folder + "/" + name;
    WriteTextFile(fileName + ".tmp", text);
    Replace(fileName + ".tmp", fileName);
  };
  write("log.csv", TrainingHistoryToCSV(m_History));
  write("curves.svg", TrainingHistoryToSVG(m_History));
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
  if (Log)
  {
    Log(line);
  }
  const auto remark =
    std::to_string(record.at("epoch").get<std::size_t>()) + " of " + std::to_string(m_Settings.Epochs) + " epochs";
  m_Task.WriteModel(m_Folder + "/last.safetensors", remark);
  if (!figures.empty() && figures.front().second > m_BestScore)
  {
    m_BestScore = figures.front().second;
    m_Task.WriteModel(m_Folder + "/best.safetensors", remark);
  }
  if (averaged)
  {
    this->SwapAverage();
  }
}

void TrainingLoop::Run(bool resume)
{
  using Clock = std::chrono::steady_clock;
  if (resume)
  {
    this->Load();
  }
  const std::size_t perEpoch = m_Task.GetNumberOfSamples() / m_Settings.BatchSize;
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
  bool timeIsUp = false;

  for (std::size_t epoch = m_FinishedEpochs; epoch < m_Settings.Epochs && !timeIsUp; ++epoch)
  {
    m_Task.GetNetwork().train();
    std::vector<std::pair<std::string, double>> sums;
    std::size_t                                 stepsOfEpoch = 0;
    const auto                                  epochStart = Clock::now();
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
        terms = m_Task.ComputeLoss(batch, static_cast<double>(epoch) / static_cast<double>(m_Settings.Epochs));
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
      }
      else if (Log)
      {
        Log("  step " + std::to_string(m_Step) + ": gradient not finite, step left out");
      }
      for (std::size_t k = 0; k < terms.size(); ++k)
      {
        if (k >= sums.size())
        {
          sums.emplace_back(terms[k].first, 0.0);
        }
        sums[k].second += terms[k].second.item<double>();
      }
      ++stepsOfEpoch;
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
                              { "learning_rate",
                                OneCycle::At(m_Step - 1, steps, m_Settings.LearningRate).LearningRate },
                              { "seconds", seconds(Clock::now() - epochStart) } };
    std::string    line = "epoch " + std::to_string(epoch + 1) + "/" + std::to_string(m_Settings.Epochs) + ":";
    for (auto & sum : sums)
    {
      sum.second /= static_cast<double>(stepsOfEpoch);
      record["train_" + sum.first] = sum.second;
      line += " " + sum.first + " " + TextOf(sum.second, 4);
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
