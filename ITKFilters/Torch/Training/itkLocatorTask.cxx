// SPDX-License-Identifier: Apache-2.0
#include "itkLocatorTask.h"

#include "itkNPSNetModelIO.h"
#include "itkTorchModuleState.h"
#include "itkTrainingPhotographs.h"
#include "itkUnrelatedPicture.h"

#include <algorithm>
#include <cmath>

namespace itk
{
namespace
{
constexpr double Pi = 3.14159265358979323846;
constexpr int    Cells = LocatorInputSize / LocatorStride;

double Diameter(const LabelledPhotograph & photograph)
{
  return std::max(photograph.Extent[0], photograph.Extent[1]);
}

/** Whole photograph in a square. */
CropPlacement Letterbox(const LabelledPhotograph & photograph)
{
  CropPlacement place;
  place.CentreX = 0.5 * (photograph.Width - 1.0);
  place.CentreY = 0.5 * (photograph.Height - 1.0);
  place.Side = std::max(photograph.Width, photograph.Height);
  return place;
}

/** Pixel of the square that shows this place of the photograph: the inverse of CutCrop(). */
std::array<double, 2> ToSquare(const CropPlacement & place, double x, double y)
{
  const double scale = LocatorInputSize / place.Side;
  const double dx = (x - place.CentreX) * scale;
  const double dy = (y - place.CentreY) * scale;
  const double c = std::cos(place.Rotation);
  const double s = std::sin(place.Rotation);
  const double u = (c * dx + s * dy) / (place.Flip ? -place.Aspect : place.Aspect);
  const double v = (-s * dx + c * dy) * place.Aspect;
  return { { u + 0.5 * LocatorInputSize - 0.5, v + 0.5 * LocatorInputSize - 0.5 } };
}

/** A probability of 0 draws no number: the samples of recipes that were written before it stay what they were. */
bool DrawnIfPossible(double probability, TrainingRandom & random)
{
  return probability > 0.0 && random.Chance(probability);
}

ColorRaster EmptyRaster()
{
  ColorRaster raster;
  raster.Size = LocatorInputSize;
  raster.Values.resize(3 * LocatorInputSize * LocatorInputSize);
  return raster;
}

void FillWithNothing(ColorRaster & raster, TrainingRandom & random)
{
  const double base[3] = { random.Uniform(0.0, 220.0), random.Uniform(0.0, 160.0), random.Uniform(0.0, 120.0) };
  const double noise = random.Chance(0.5) ? random.Uniform(0.0, 60.0) : 0.0;
  const bool   blackOut = random.Chance(0.3);
  for (std::size_t i = 0; i < raster.Values.size(); ++i)
  {
    const double v = blackOut ? random.Uniform(0.0, 8.0) : base[i % 3] + noise * random.FastNormal();
    raster.Values[i] = static_cast<float>(std::clamp(v, 0.0, 255.0));
  }
}
} // namespace

LocatorTask::LocatorTask(const nlohmann::json & configuration, const std::string & index)
  : m_Metadata(ReadModelMetadata(configuration))
  , m_Storage(ReadModelStorage(configuration))
  , m_Appearance(ReadAppearanceRanges(configuration.value("augmentation", nlohmann::json::object())))
  , m_Sampling(ReadLocatorSampling(configuration.value("locator", nlohmann::json::object())))
  , m_Seed(configuration.value("seed", 42))
{
  m_Metadata.Architecture.Extra["confidence_threshold"] = nlohmann::json(m_Sampling.ConfidenceThreshold).dump();

  const auto data = ReadDataSelection(configuration);
  auto       photographs = SelectTrainingPhotographs(index, data, "frame", "frame_mask");
  m_Training = std::move(photographs.Training);
  m_Validation = std::move(photographs.Validation);
  m_Samples = std::move(photographs.Samples);
  m_DataHash = std::move(photographs.Hash);
  if (data.Limit > 0 && m_Samples.size() > data.Limit)
  {
    m_Samples.resize(data.Limit);
  }
  torch::manual_seed(m_Seed);
  m_Network = std::make_shared<LocatorNetwork>();
}

double LocatorTask::DrawRotation(double spread, TrainingRandom & random) const
{
  const double rotation = random.Spread(spread);
  return DrawnIfPossible(m_Sampling.TurnProbability, random)
           ? rotation + 0.5 * Pi * static_cast<double>(1 + random.Next() % 3)
           : rotation;
}

LocatorTask::Sample LocatorTask::MakeSample(const LabelledPhotograph & photograph, TrainingRandom & random) const
{
  const double diameter = Diameter(photograph);
  const double part = std::exp(random.Uniform(std::log(m_Sampling.SmallestDisc), std::log(m_Sampling.LargestDisc)));
  auto         place = Letterbox(photograph);
  // A third of the squares show the whole photograph, as it will be used.
  place.Side = random.Chance(0.33) ? place.Side * random.Uniform(0.9, 1.3) : diameter / part;
  if (place.Side >= std::max(photograph.Width, photograph.Height))
  {
    place.CentreX += random.Spread(0.12) * place.Side;
    place.CentreY += random.Spread(0.12) * place.Side;
  }
  else
  {
    const double reach = std::max(0.0, 0.5 * place.Side - 0.6 * diameter);
    place.CentreX = photograph.Centre[0] + random.Spread(reach);
    place.CentreY = photograph.Centre[1] + random.Spread(reach);
  }
  place.Rotation = this->DrawRotation(Pi / 6.0, random);
  place.Aspect = std::exp(random.Spread(0.06));
  place.Flip = random.Chance(0.5);
  const auto centre = ToSquare(place, photograph.Centre[0], photograph.Centre[1]);
  Sample     sample;
  sample.Image = std::move(CutLocatorCrop(photograph, place).Image);
  sample.X = centre[0];
  sample.Y = centre[1];
  const bool visible = sample.X >= 0 && sample.Y >= 0 && sample.X < LocatorInputSize && sample.Y < LocatorInputSize;
  sample.Diameter = visible ? diameter * LocatorInputSize / place.Side : 0.0;
  return sample;
}

LocatorTask::Sample LocatorTask::MakeEmptySample(const LabelledPhotograph & photograph, TrainingRandom & random) const
{
  Sample sample;
  sample.Image = EmptyRaster();
  if (random.Chance(0.2))
  {
    FillWithNothing(sample.Image, random);
    return sample;
  }
  // Beside the disc: a square of the photograph that does not touch it.
  const double diameter = Diameter(photograph);
  for (int attempt = 0; attempt < 30; ++attempt)
  {
    CropPlacement place;
    place.Side = diameter * random.Uniform(1.5, 5.0);
    place.CentreX = random.Uniform(0.15, 0.85) * photograph.Width;
    place.CentreY = random.Uniform(0.15, 0.85) * photograph.Height;
    place.Rotation = this->DrawRotation(0.3, random);
    place.Flip = random.Chance(0.5);
    const auto   centre = ToSquare(place, photograph.Centre[0], photograph.Centre[1]);
    const double margin = 0.7 * diameter * LocatorInputSize / place.Side;
    const bool   before = std::min(centre[0], centre[1]) < -margin;
    const bool   behind = std::max(centre[0], centre[1]) > LocatorInputSize + margin;
    if (before || behind)
    {
      sample.Image = std::move(CutLocatorCrop(photograph, place).Image);
      return sample;
    }
  }
  FillWithNothing(sample.Image, random);
  return sample;
}

LocatorTask::Sample LocatorTask::MakeUnrelatedSample(TrainingRandom & random)
{
  Sample sample;
  sample.Image = EmptyRaster();
  DrawUnrelatedPicture(sample.Image, random);
  return sample;
}

LocatorTask::Sample LocatorTask::MakeTrainingSample(const LabelledPhotograph & photograph,
                                                    TrainingRandom &           random) const
{
  Sample sample;
  if (!random.Chance(m_Sampling.EmptyProbability))
  {
    sample = this->MakeSample(photograph, random);
  }
  else
  {
    sample = DrawnIfPossible(m_Sampling.UnrelatedProbability, random) ? MakeUnrelatedSample(random)
                                                                      : this->MakeEmptySample(photograph, random);
  }
  if (DrawnIfPossible(m_Sampling.SpotProbability, random))
  {
    DrawBrightSpots(sample.Image, sample.X, sample.Y, 0.75 * sample.Diameter, random);
  }
  return sample;
}

TrainingTask::BatchType LocatorTask::MakeBatch(std::size_t epoch, const std::vector<std::size_t> & samples) const
{
  const auto    count = static_cast<int64_t>(samples.size());
  const int64_t n = LocatorInputSize;
  auto          images = torch::empty({ count, 3, n, n });
  auto          heat = torch::zeros({ count, 1, Cells, Cells });
  auto          size = torch::zeros({ count, 1, Cells, Cells });
  for (int64_t b = 0; b < count; ++b)
  {
    const auto     index = samples[static_cast<std::size_t>(b)];
    TrainingRandom random(m_Seed, epoch, index);
    const auto &   photograph = m_Training.Get(m_Samples[index]);
    auto           sample = this->MakeTrainingSample(photograph, random);
    ChangeFundusAppearance(sample.Image, m_Appearance, random);
    images[b].copy_(PrepareLocatorInput(sample.Image));
    if (sample.Diameter > 0.0)
    {
      const double sigma = std::max(1.0, 0.18 * sample.Diameter / LocatorStride);
      const double x = (sample.X + 0.5) / LocatorStride - 0.5;
      const double y = (sample.Y + 0.5) / LocatorStride - 0.5;
      float *      h = heat.data_ptr<float>() + b * Cells * Cells;
      for (int j = 0; j < Cells; ++j)
      {
        for (int i = 0; i < Cells; ++i)
        {
          const double d2 = (i - x) * (i - x) + (j - y) * (j - y);
          h[j * Cells + i] = static_cast<float>(std::exp(-0.5 * d2 / (sigma * sigma)));
        }
      }
      size[b].fill_(std::log(sample.Diameter / (0.25 * LocatorInputSize)));
    }
  }
  return { images, heat, size };
}

TrainingTask::LossType LocatorTask::ComputeLoss(const BatchType & batch, double)
{
  const auto output = m_Network->forward(batch[0]);
  const auto logits = output.narrow(1, 0, 1);
  // Quality focal loss: cross-entropy against the soft heat map, weighted by the squared error.
  const auto   error = (logits.sigmoid() - batch[1]).square().detach() + 0.02 * (batch[1] > 0.05);
  const auto   entropy = torch::binary_cross_entropy_with_logits(logits, batch[1], {}, {}, at::Reduction::None);
  const double images = static_cast<double>(batch[0].size(0));
  const auto   heat = (error * entropy).sum() / images;
  const auto   near = (batch[1] > 0.5).to(torch::kFloat);
  const auto   size = (near * (output.narrow(1, 1, 1) - batch[2]).abs()).sum() / (near.sum() + 1.0);
  return { { "total", heat + size }, { "heat", heat.detach() }, { "size", size.detach() } };
}

TrainingTask::FiguresType LocatorTask::Validate()
{
  double     hits = 0;
  double     count = 0;
  double     zoomHits = 0;
  double     sizeError = 0;
  double     rejected = 0;
  double     unrelatedRejected = 0;
  double     lowest = 1.0;
  double     error = 0;
  const auto device = m_Network->parameters().front().device();
  for (std::size_t i = 0; i < m_Validation.GetSize(); ++i)
  {
    const auto & photograph = m_Validation.Get(i);
    const double radius = 0.25 * (photograph.Extent[0] + photograph.Extent[1]);
    const auto   distance = [&](const CropPlacement & place, const LocatorPeak & peak) {
      const auto truth = ToSquare(place, photograph.Centre[0], photograph.Centre[1]);
      return std::hypot(peak.X - truth[0], peak.Y - truth[1]) * place.Side / LocatorInputSize / radius;
    };
    const auto find = [&](const ColorRaster & raster) {
      return FindLocatorPeak(*m_Network, PrepareLocatorInput(raster).to(device));
    };
    const auto   look = [&](const CropPlacement & place) { return find(CutLocatorCrop(photograph, place).Image); };
    const auto   whole = Letterbox(photograph);
    const auto   peak = look(whole);
    const double d = distance(whole, peak);
    count += 1;
    hits += d < 0.5;
    error += std::min(d, 4.0);
    lowest = std::min(lowest, peak.Confidence);
    sizeError += std::min(1.0, std::abs(peak.Diameter * whole.Side / LocatorInputSize / Diameter(photograph) - 1.0));

    TrainingRandom random(7, 0, i);
    CropPlacement  zoom = whole;
    zoom.Side = Diameter(photograph) / random.Uniform(0.25, 0.45);
    zoom.CentreX = photograph.Centre[0] + random.Spread(0.15 * zoom.Side);
    zoom.CentreY = photograph.Centre[1] + random.Spread(0.15 * zoom.Side);
    zoomHits += distance(zoom, look(zoom)) < 0.5;

    const double threshold = m_Sampling.ConfidenceThreshold;
    rejected += find(this->MakeEmptySample(photograph, random).Image).Confidence < threshold;
    unrelatedRejected += find(MakeUnrelatedSample(random).Image).Confidence < threshold;
  }
  const double n = std::max(1.0, count);
  return { { "score", (hits + 0.5 * zoomHits + 0.25 * rejected - 0.1 * error - 0.1 * sizeError) / n },
           { "hits", hits / n },
           { "zoom_hits", zoomHits / n },
           { "mean_error_radii", error / n },
           { "size_error", sizeError / n },
           { "empty_rejected", rejected / n },
           { "unrelated_rejected", unrelatedRejected / n },
           { "lowest_confidence", lowest } };
}

void LocatorTask::WriteModel(const std::string & fileName, const std::string & remark) const
{
  auto metadata = m_Metadata;
  metadata.Description += (metadata.Description.empty() ? "" : " ") + remark;
  WriteNPSNetModel(fileName, metadata, GetTorchModuleState(*m_Network), m_Storage);
}
} // namespace itk
