// SPDX-License-Identifier: Apache-2.0
#include "itkSegmentationTask.h"

#include "detail/itkContrastLimitedEqualization.h"
#include "itkTrainingPhotographs.h"

#include <algorithm>
#include <cmath>

namespace itk
{
SegmentationTask::SegmentationTask(const nlohmann::json & configuration, const std::string & index)
  : m_Architecture(NPSNetArchitecture::FromJSON(configuration.value("architecture", nlohmann::json::object()).dump()))
  , m_Metadata(ReadModelMetadata(configuration))
  , m_Storage(ReadModelStorage(configuration))
  , m_Weights(ReadLossWeights(configuration.value("losses", nlohmann::json::object())))
  , m_Jitter(ReadCropJitter(configuration.value("crop", nlohmann::json::object())))
  , m_Appearance(ReadAppearanceRanges(configuration.value("augmentation", nlohmann::json::object())))
  , m_Seed(configuration.value("seed", 42))
  , m_ChannelsLast(configuration.value("channels_last", false))
  , m_SoftEdges(configuration.value("soft_edges", true))
{
  m_Metadata.Architecture = m_Architecture;
  const auto data = ReadDataSelection(configuration);
  m_BoundUndrawnCups = data.UndrawnCup == UndrawnCupEnum::Bound;
  auto photographs = SelectTrainingPhotographs(index, data, "crop", "mask");
  m_Training = std::move(photographs.Training);
  m_Validation = std::move(photographs.Validation);
  m_Samples = std::move(photographs.Samples);
  m_DataHash = std::move(photographs.Hash);
  if (data.CupRatioBalance > 0.0)
  {
    this->BalanceCupRatios(data.CupRatioBalance);
  }
  if (data.Limit > 0 && m_Samples.size() > data.Limit)
  {
    m_Samples.resize(data.Limit);
  }
  torch::manual_seed(m_Seed);
  m_Network = MakeNPSNetNetwork(m_Architecture);
  this->InitializeHeads();
}

void SegmentationTask::BalanceCupRatios(double strength)
{
  std::vector<double> ratios;
  for (std::size_t i = 0; i < m_Training.GetSize(); ++i)
  {
    ratios.push_back(VerticalCupToDiscRatio(m_Training.Get(i)));
  }
  const auto               repeats = BalancingRepeats(ratios, strength);
  std::vector<std::size_t> samples;
  for (const auto i : m_Samples)
  {
    samples.insert(samples.end(), repeats[i], i);
  }
  m_Samples = std::move(samples);
}

void SegmentationTask::InitializeHeads()
{
  // softplus(0) at every radius would put the first boundary next to the centre: start with the disc's at half and
  // the cup's at a quarter of the crop, the logit falling by 16 over the whole radius.
  torch::NoGradGuard noGrad;
  const double       decrement = 16.0 / m_Architecture.NumberOfRadii;
  for (auto & item : m_Network->named_parameters())
  {
    const auto & name = item.key();
    const auto   endsWith = [&name](const std::string & end) {
      return name.size() >= end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0;
    };
    if (m_Architecture.IsMonotone() && endsWith("dec_conv.bias"))
    {
      item.value().fill_(std::log(std::expm1(decrement)));
    }
    else if (m_Architecture.IsMonotone() && endsWith("bias_conv.bias"))
    {
      item.value().fill_(name.compare(0, 4, "disc") == 0 ? 8.0 : 4.0);
    }
  }
}

torch::Tensor SegmentationTask::PrepareImage(const ColorRaster & raster) const
{
  const int64_t              n = raster.Size;
  std::vector<unsigned char> bytes(raster.Values.size());
  for (std::size_t i = 0; i < bytes.size(); ++i)
  {
    bytes[i] = static_cast<unsigned char>(std::clamp(raster.Values[i] + 0.5F, 0.0F, 255.0F));
  }
  if (m_Architecture.ClaheClipLimit > 0.0)
  {
    ApplyCLAHE(bytes.data(),
               bytes.data(),
               raster.Size,
               raster.Size,
               m_Architecture.ClaheClipLimit,
               m_Architecture.ClaheTiles,
               m_Architecture.ClaheTiles);
  }
  auto       image = torch::empty({ 3, n, n }, torch::kFloat);
  float *    out = image.data_ptr<float>();
  const int  first = m_Architecture.ChannelOrder == "BGR" ? 2 : 0;
  const auto pixels = static_cast<std::size_t>(n * n);
  for (int c = 0; c < 3; ++c)
  {
    const int source = std::abs(first - c);
    for (std::size_t i = 0; i < pixels; ++i)
    {
      out[c * pixels + i] = static_cast<float>(bytes[3 * i + source]) * (1.0F / 255.0F);
    }
  }
  return image;
}

TrainingTask::BatchType SegmentationTask::MakeBatch(std::size_t epoch, const std::vector<std::size_t> & samples) const
{
  const auto    n = static_cast<int64_t>(m_Architecture.CropSize);
  const auto    angles = static_cast<int64_t>(m_Architecture.NumberOfAngles);
  const auto    count = static_cast<int64_t>(samples.size());
  torch::Tensor images = torch::empty({ count, 3, n, n });
  torch::Tensor masks = torch::empty({ count, 2, n, n });
  torch::Tensor radii = torch::empty({ count, 2, angles });
  torch::Tensor drawn = torch::ones({ count });
  for (int64_t b = 0; b < count; ++b)
  {
    const auto     sample = samples[static_cast<std::size_t>(b)];
    TrainingRandom random(m_Seed, epoch, sample);
    const auto &   photograph = m_Training.Get(m_Samples[sample]);
    drawn[b].fill_(m_Training.HasDrawnCup(m_Samples[sample]) ? 1.0 : 0.0);
    CropPlacement place;
    place.Side =
      2.0 * std::max(photograph.Extent[0], photograph.Extent[1]) * random.Uniform(m_Jitter.SideLow, m_Jitter.SideHigh);
    place.CentreX = photograph.Centre[0] + place.Side * random.Spread(m_Jitter.Centre);
    place.CentreY = photograph.Centre[1] + place.Side * random.Spread(m_Jitter.Centre);
    place.Rotation = random.Spread(m_Jitter.Rotation) * 3.14159265358979323846 / 180.0;
    place.Aspect = std::exp(random.Spread(m_Jitter.Aspect));
    place.Flip = random.Chance(m_Jitter.FlipProbability);
    place.Mirror = random.Chance(m_Jitter.MirrorProbability);
    if (m_Jitter.ExactProbability > 0.0 && random.Chance(m_Jitter.ExactProbability))
    {
      place.Side = 2.0 * std::max(photograph.Extent[0], photograph.Extent[1]);
      place.CentreX = photograph.Centre[0];
      place.CentreY = photograph.Centre[1];
    }
    if (m_Jitter.NearProbability > 0.0 && random.Chance(m_Jitter.NearProbability))
    {
      place.Side =
        2.0 * std::max(photograph.Extent[0], photograph.Extent[1]) * std::exp(m_Jitter.NearSide * random.FastNormal());
      place.CentreX = photograph.Centre[0] + place.Side * m_Jitter.NearCentre * random.FastNormal();
      place.CentreY = photograph.Centre[1] + place.Side * m_Jitter.NearCentre * random.FastNormal();
    }
    if (m_Jitter.CuppingProbability > 0.0 && random.Chance(m_Jitter.CuppingProbability))
    {
      place.Cupping = random.Spread(m_Jitter.Cupping);
    }
    if (m_Jitter.CutProbability > 0.0 && random.Chance(m_Jitter.CutProbability))
    {
      const double box = std::max(photograph.Extent[0], photograph.Extent[1]);
      place.CutSide = box * random.Uniform(m_Jitter.CutLow, m_Jitter.CutHigh);
      place.CutX = photograph.Centre[0] + random.Spread(0.5 * (place.CutSide - box));
      place.CutY = photograph.Centre[1] + random.Spread(0.5 * (place.CutSide - box));
    }
    auto crop = CutCrop(photograph, place, m_Architecture.CropSize);
    ChangeFundusAppearance(crop.Image, m_Appearance, random);
    BlackenOutside(crop);
    images[b].copy_(this->PrepareImage(crop.Image));

    float * mask = masks.data_ptr<float>() + b * 2 * n * n;
    std::copy(crop.Disc.begin(), crop.Disc.end(), mask);
    std::copy(crop.Cup.begin(), crop.Cup.end(), mask + n * n);
    const auto disc = MaskRadii(crop.Disc, m_Architecture.CropSize, m_Architecture.NumberOfAngles);
    const auto cup = MaskRadii(crop.Cup, m_Architecture.CropSize, m_Architecture.NumberOfAngles);
    float *    r = radii.data_ptr<float>() + b * 2 * angles;
    std::copy(disc.begin(), disc.end(), r);
    std::copy(cup.begin(), cup.end(), r + angles);
  }
  return { images, masks, radii, drawn };
}

NPSNetTensors SegmentationTask::Forward(const torch::Tensor & crops)
{
  auto input = crops;
  if (m_Architecture.IsPolar())
  {
    if (!m_Sampling)
    {
      m_Sampling = std::make_unique<NPSNetPolarSampling>(
        m_Architecture.CropSize, m_Architecture.NumberOfRadii, m_Architecture.NumberOfAngles, crops.device());
    }
    input = m_Sampling->ToPolar(crops);
  }
  if (m_ChannelsLast)
  {
    input = input.contiguous(torch::MemoryFormat::ChannelsLast);
  }
  return m_Network->forward(input);
}

torch::Tensor SegmentationTask::ToCrop(const NPSNetTensors & output)
{
  const auto maps = torch::cat({ output.P_d, output.P_c }, 1);
  return m_Architecture.IsPolar() ? m_Sampling->ToCartesian(maps) : maps;
}

TrainingTask::LossType SegmentationTask::ComputeLoss(const BatchType & batch, double progress)
{
  const auto output = this->Forward(batch[0]);
  auto       targets = MakeNPSNetTargets(batch[1].narrow(1, 0, 1),
                                   batch[1].narrow(1, 1, 1),
                                   batch[2].select(1, 0),
                                   batch[2].select(1, 1),
                                   m_Architecture.NumberOfRadii,
                                   m_SoftEdges);
  if (m_BoundUndrawnCups)
  {
    targets.cupDrawn = batch[3];
  }
  const auto terms = ComputeNPSNetLoss(output, this->ToCrop(output), targets, m_Weights, progress);
  LossType   loss = { { "total", terms.Total }, { "cart", terms.Cartesian } };
  const std::pair<const char *, torch::Tensor> others[] = {
    { "polar", terms.Polar }, { "rim", terms.Rim },           { "dist", terms.Distribution },
    { "shape", terms.Shape }, { "smooth", terms.Smoothness }, { "cons", terms.Consistency },
    { "bound", terms.Bound }
  };
  for (const auto & other : others)
  {
    if (other.second.defined())
    {
      loss.emplace_back(other.first, other.second.detach());
    }
  }
  return loss;
}

void SegmentationTask::ConstrainParameters()
{
  // A negative weight of the prior would break the monotonicity of the cup.
  for (auto & item : m_Network->named_parameters())
  {
    if (item.key() == "fusion.lambda_c")
    {
      item.value().clamp_min_(0.0);
    }
  }
}

TrainingTask::FiguresType SegmentationTask::Validate()
{
  const auto size = m_Architecture.CropSize;
  if (m_Prepared.empty())
  {
    m_Prepared.resize(m_Validation.GetSize());
    for (std::size_t i = 0; i < m_Prepared.size(); ++i)
    {
      const auto &  photograph = m_Validation.Get(i);
      CropPlacement place;
      place.CentreX = photograph.Centre[0];
      place.CentreY = photograph.Centre[1];
      place.Side = 2.0 * std::max(photograph.Extent[0], photograph.Extent[1]);
      m_Prepared[i].Crop = CutCrop(photograph, place, size);
      m_Prepared[i].Image = this->PrepareImage(m_Prepared[i].Crop.Image);
      m_Prepared[i].Crop.Image = {};
    }
  }
  struct Sums
  {
    double n{ 0 }, disc{ 0 }, cup{ 0 }, ratio{ 0 }, rim{ 0 }, correlation{ 0 }, correlated{ 0 };
  };
  std::map<std::string, Sums> sets;
  const auto                  device = m_Network->parameters().front().device();
  const auto                  pixels = static_cast<std::size_t>(size) * size;
  constexpr std::size_t       batchSize = 8;
  for (std::size_t first = 0; first < m_Prepared.size(); first += batchSize)
  {
    std::vector<torch::Tensor> images;
    for (std::size_t i = first; i < std::min(first + batchSize, m_Prepared.size()); ++i)
    {
      images.push_back(m_Prepared[i].Image);
    }
    const auto    maps = this->ToCrop(this->Forward(torch::stack(images).to(device))).cpu().contiguous();
    const float * p = maps.data_ptr<float>();
    for (std::size_t i = 0; i < images.size(); ++i, p += 2 * pixels)
    {
      const auto & truth = m_Prepared[first + i].Crop;
      const auto   a = CompareCrops({ p, p + pixels }, { p + pixels, p + 2 * pixels }, truth.Disc, truth.Cup, size);
      auto &       s = sets[m_Validation.GetName(first + i)];
      s.n += 1;
      s.disc += a.DiscDice;
      s.cup += a.CupDice;
      s.ratio += a.VerticalRatioError;
      s.rim += a.RimError;
      s.correlation += a.RimCorrelation;
      s.correlated += a.HasRimCorrelation;
    }
  }
  FiguresType figures = { { "score", 0.0 } };
  for (const auto & item : sets)
  {
    const auto & s = item.second;
    const double correlation = s.correlation / std::max(1.0, s.correlated);
    figures.emplace_back(item.first + "_cup_dice", s.cup / s.n);
    figures.emplace_back(item.first + "_disc_dice", s.disc / s.n);
    figures.emplace_back(item.first + "_vcdr_mae", s.ratio / s.n);
    figures.emplace_back(item.first + "_rim_mae", s.rim / s.n);
    figures.emplace_back(item.first + "_rim_corr", correlation);
    figures.front().second += (s.cup / s.n + s.disc / s.n - 2.0 * s.ratio / s.n + 0.25 * correlation) /
                              (2.25 * static_cast<double>(sets.size()));
  }
  return figures;
}

void SegmentationTask::WriteModel(const std::string & fileName, const std::string & remark) const
{
  auto metadata = m_Metadata;
  metadata.Description += (metadata.Description.empty() ? "" : " ") + remark;
  WriteNPSNetModel(fileName, metadata, m_Network->GetState(), m_Storage);
}
} // namespace itk
