// SPDX-License-Identifier: Apache-2.0
#include "itkPolarTestTimeAugmentationFilter.h"

#include "itkNPSNetThrow.h"
#include "itkPolarFrame.h"
#include "itkPolarHypothesisBlend.h"
#include "itkPolarOccupancy.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

namespace itk
{
/** One run of the filter: which hypotheses are evaluated on which grid, and their maps. */
class PolarTestTimeAugmentationFilter::Search
{
public:
  Search(Self & filter, const ImageType * crop, const PolarGridSize & grid)
    : m_Filter(filter)
    , m_Settings(filter.m_Settings)
    , m_Network(*filter.m_Network)
    , m_Crop(crop)
    , m_Grid(grid)
    , m_Reference(filter.m_Settings.Mode == PolarTTAModeEnum::Reference)
  {
    for (const auto & hypothesis : m_Settings.MakeHypotheses(this->GetCropSize()))
    {
      filter.m_Report.Entries.emplace_back();
      filter.m_Report.Entries.back().Hypothesis = hypothesis;
    }
    m_Maps.resize(this->GetEntries().size());
  }

  unsigned int GetCropSize() const { return static_cast<unsigned int>(m_Crop->GetLargestPossibleRegion().GetSize(0)); }

  /** Full passes for all, or for the few of mode Fast. */
  void Run()
  {
    std::vector<std::size_t> all(this->GetEntries().size());
    std::iota(all.begin(), all.end(), std::size_t{ 0 });
    if (m_Settings.Mode != PolarTTAModeEnum::Fast)
    {
      m_TotalWork = static_cast<double>(all.size());
      this->Evaluate(all);
      this->ScoreByConsensus(all);
      return;
    }
    const std::size_t passes = std::clamp<std::size_t>(m_Settings.MaximumFullPasses, 1, all.size());
    m_TotalWork = static_cast<double>(passes);
    this->EvaluateUntilStable(all, passes);
  }

  /** Blends the best ones; an empty report entry list is impossible. Returns false when nothing was finite. */
  bool Blend(PolarBlend & blend, std::vector<float> & cartesianDisc, std::vector<float> & cartesianCup)
  {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < this->GetEntries().size(); ++i)
    {
      if (this->GetEntries()[i].FullPass && this->GetEntries()[i].Finite)
      {
        order.push_back(i);
      }
    }
    if (order.empty())
    {
      return false;
    }
    this->SortByScore(order);
    m_Filter.m_Report.Winner = order.front();
    if (!m_Settings.IsConsensus())
    {
      order.resize(std::min<std::size_t>(order.size(), std::max(1u, m_Settings.TopK)));
    }

    std::vector<double>                      scores;
    std::vector<const PolarHypothesisMaps *> maps;
    for (const auto i : order)
    {
      scores.push_back(this->GetEntries()[i].Score);
      maps.push_back(&m_Maps[i]);
    }
    const std::vector<double> weights =
      ComputeBlendWeights(scores, m_Settings.IsConsensus() ? m_Settings.ConsensusTemperature : m_Settings.Temperature);
    for (std::size_t k = 0; k < order.size(); ++k)
    {
      this->GetEntries()[order[k]].Weight = weights[k];
    }
    if (!m_Reference)
    {
      blend = BlendPolarHypotheses(maps, weights, m_Grid);
      return true;
    }
    cartesianDisc = BlendPolarHypothesesOnCrop(maps, weights, m_Grid, this->GetCropSize(), false);
    cartesianCup = BlendPolarHypothesesOnCrop(maps, weights, m_Grid, this->GetCropSize(), true);
    blend = MakePolarBlendFromCrop(cartesianDisc, cartesianCup, this->GetCropSize(), m_Grid);
    return true;
  }

private:
  std::vector<PolarTTAReport::Entry> & GetEntries() { return m_Filter.m_Report.Entries; }

  /** Best score first; hypotheses that are not finite last. Stable: the crop's own centre wins a tie. */
  void SortByScore(std::vector<std::size_t> & order)
  {
    const auto & entries = this->GetEntries();
    std::stable_sort(order.begin(), order.end(), [&entries](std::size_t a, std::size_t b) {
      return entries[a].Finite != entries[b].Finite ? entries[a].Finite : entries[a].Score > entries[b].Score;
    });
  }

  /** Nothing in the modes of the paper's score. */
  void ScoreByConsensus(const std::vector<std::size_t> & which)
  {
    std::vector<std::size_t>                 finite;
    std::vector<const PolarHypothesisMaps *> maps;
    for (const auto i : which)
    {
      if (m_Settings.IsConsensus() && this->GetEntries()[i].Finite)
      {
        finite.push_back(i);
        maps.push_back(&m_Maps[i]);
      }
    }
    if (finite.empty())
    {
      return;
    }
    const std::vector<double> scores = ComputeConsensusScores(maps, m_Grid);
    for (std::size_t k = 0; k < finite.size(); ++k)
    {
      this->GetEntries()[finite[k]].Score = scores[k];
    }
  }

  /** Full passes in the given order: as many as asked for, without those that are not finite, or as many as it takes
   * until the rest cannot change the blend any more. */
  void EvaluateUntilStable(const std::vector<std::size_t> & order, std::size_t passes)
  {
    constexpr std::size_t    fewest = 3; // two that agree by chance tell nothing about a third
    std::vector<std::size_t> finite;
    double                   worst = 0.0;
    for (auto next = order.begin(); next != order.end() && finite.size() < passes;)
    {
      const double remaining = 1.0 - static_cast<double>(finite.size()) / static_cast<double>(passes);
      if (finite.size() >= fewest && remaining * (1.0 - worst) < m_Settings.StopTolerance)
      {
        break;
      }
      const auto wanted = finite.size() < fewest ? std::min(fewest, passes) - finite.size() : 1;
      const auto last = next + std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(wanted), order.end() - next);
      this->Evaluate(std::vector<std::size_t>(next, last));
      std::copy_if(
        next, last, std::back_inserter(finite), [this](std::size_t i) { return this->GetEntries()[i].Finite; });
      next = last;
      this->ScoreByConsensus(finite);
      worst = 1.0;
      for (const auto i : finite)
      {
        worst = std::min(worst, this->GetEntries()[i].Score);
      }
    }
  }

  std::size_t GetBatchSize() const
  {
    if (m_Network.GetDevice() == "cpu")
    {
      return 1; // larger batches are no faster there, and an abort would wait for them
    }
    const std::size_t bytes = m_Network.EstimateBytesPerImage(m_Grid.NumberOfRadii, m_Grid.NumberOfAngles);
    return std::clamp<std::size_t>(m_Settings.MaximumBatchBytes / std::max<std::size_t>(bytes, 1), 1, 32);
  }

  void Evaluate(const std::vector<std::size_t> & which)
  {
    const std::size_t batchSize = this->GetBatchSize();
    for (std::size_t first = 0; first < which.size(); first += batchSize)
    {
      if (m_Filter.GetAbortGenerateData())
      {
        throw ProcessAborted(__FILE__, __LINE__);
      }
      const std::size_t count = std::min(batchSize, which.size() - first);
      this->EvaluateBatch(&which[first], count);
      m_DoneWork += static_cast<double>(count);
      m_Filter.UpdateProgress(static_cast<float>(std::min(1.0, m_DoneWork / m_TotalWork)));
    }
  }

  void EvaluateBatch(const std::size_t * which, std::size_t count)
  {
    const std::size_t            planes = m_Grid.NumberOfRadii * m_Grid.NumberOfAngles;
    std::vector<PolarHypothesis> hypotheses;
    for (std::size_t k = 0; k < count; ++k)
    {
      hypotheses.push_back(this->GetEntries()[which[k]].Hypothesis);
    }
    const auto         size = m_Crop->GetLargestPossibleRegion().GetSize();
    std::vector<float> images(count * 3 * planes);
    SamplePolarHypotheses(reinterpret_cast<const unsigned char *>(m_Crop->GetBufferPointer()),
                          static_cast<int>(size[0]),
                          static_cast<int>(size[1]),
                          hypotheses.data(),
                          count,
                          static_cast<int>(m_Grid.NumberOfRadii),
                          static_cast<int>(m_Grid.NumberOfAngles),
                          m_Network.GetArchitecture().ChannelOrder == "BGR",
                          images.data());
    NPSNetOccupancies result =
      m_Network.Infer(images.data(), count, m_Grid.NumberOfRadii, m_Grid.NumberOfAngles, m_Reference);
    if (m_Settings.FlipAverage && !m_Reference)
    {
      this->AverageWithMirrorImage(images, result);
    }
    const auto slice = [&](const std::vector<float> & values, std::size_t k, std::size_t length) {
      return values.empty() ? std::vector<float>()
                            : std::vector<float>(values.begin() + static_cast<std::ptrdiff_t>(k * length),
                                                 values.begin() + static_cast<std::ptrdiff_t>((k + 1) * length));
    };
    for (std::size_t k = 0; k < count; ++k)
    {
      PolarTTAReport::Entry & entry = this->GetEntries()[which[k]];
      PolarHypothesisMaps &   maps = m_Maps[which[k]];
      maps.Hypothesis = entry.Hypothesis;
      maps.Disc = slice(result.Disc, k, planes);
      maps.Cup = slice(result.Cup, k, planes);
      maps.DiscConfidence = slice(result.DiscConfidence, k, m_Grid.NumberOfAngles);
      maps.CupConfidence = slice(result.CupConfidence, k, m_Grid.NumberOfAngles);
      entry.FullPass = true;
      entry.Finite = IsFinite(maps);
      entry.Score =
        entry.Finite && !m_Settings.IsConsensus() ? ComputePolarScore(maps, m_Grid, m_Settings, m_Reference) : 0.0;
      if (!entry.Finite)
      {
        maps = PolarHypothesisMaps();
      }
    }
  }

  /** Means of two non-increasing, nested maps are non-increasing and nested again. */
  void AverageWithMirrorImage(std::vector<float> & images, NPSNetOccupancies & result) const
  {
    const std::size_t angles = result.NumberOfAngles;
    MirrorPolarMaps(images.data(), images.size() / angles, angles);
    NPSNetOccupancies mirrored =
      m_Network.Infer(images.data(), result.NumberOfImages, result.NumberOfRadii, result.NumberOfAngles);
    const auto average = [angles](std::vector<float> & a, std::vector<float> & b) {
      MirrorPolarMaps(b.data(), b.size() / angles, angles);
      std::transform(a.begin(), a.end(), b.begin(), a.begin(), [](float x, float y) { return 0.5f * (x + y); });
    };
    average(result.Disc, mirrored.Disc);
    average(result.Cup, mirrored.Cup);
    average(result.DiscConfidence, mirrored.DiscConfidence);
    average(result.CupConfidence, mirrored.CupConfidence);
  }

  Self &                           m_Filter;
  const PolarTTASettings &         m_Settings;
  const NPSNet &                   m_Network;
  const ImageType *                m_Crop;
  PolarGridSize                    m_Grid;
  bool                             m_Reference;
  std::vector<PolarHypothesisMaps> m_Maps;
  double                           m_TotalWork{ 1.0 };
  double                           m_DoneWork{ 0.0 };
};

namespace
{
void FillMap(PolarTestTimeAugmentationFilter::MapType * image, const std::vector<float> & values, std::size_t width)
{
  using MapType = PolarTestTimeAugmentationFilter::MapType;
  MapType::SizeType size;
  size[0] = width;
  size[1] = width > 0 ? values.size() / width : 0;
  image->SetRegions(size);
  image->Allocate();
  std::copy(values.begin(), values.end(), image->GetBufferPointer());
}
} // namespace

PolarTestTimeAugmentationFilter::PolarTestTimeAugmentationFilter()
{
  this->SetNumberOfRequiredInputs(1);
  this->SetNumberOfRequiredOutputs(5);
  for (unsigned int i = 0; i < 5; ++i)
  {
    this->SetNthOutput(i, this->MakeOutput(i));
  }
}

PolarTestTimeAugmentationFilter::~PolarTestTimeAugmentationFilter() = default;

DataObject::Pointer PolarTestTimeAugmentationFilter::MakeOutput(DataObjectPointerArraySizeType index)
{
  return index == 0 ? DataObject::Pointer(NestedPolarBoundary::New().GetPointer())
                    : DataObject::Pointer(MapType::New().GetPointer());
}

void PolarTestTimeAugmentationFilter::SetInput(const ImageType * crop)
{
  this->SetNthInput(0, const_cast<ImageType *>(crop));
}

const PolarTestTimeAugmentationFilter::ImageType * PolarTestTimeAugmentationFilter::GetInput() const
{
  return static_cast<const ImageType *>(this->GetPrimaryInput());
}

NestedPolarBoundary * PolarTestTimeAugmentationFilter::GetBoundary()
{
  return static_cast<NestedPolarBoundary *>(this->ProcessObject::GetOutput(0));
}

PolarTestTimeAugmentationFilter::MapType * PolarTestTimeAugmentationFilter::GetDiscOccupancy()
{
  return static_cast<MapType *>(this->ProcessObject::GetOutput(1));
}

PolarTestTimeAugmentationFilter::MapType * PolarTestTimeAugmentationFilter::GetCupOccupancy()
{
  return static_cast<MapType *>(this->ProcessObject::GetOutput(2));
}

PolarTestTimeAugmentationFilter::MapType * PolarTestTimeAugmentationFilter::GetReferenceDisc()
{
  return static_cast<MapType *>(this->ProcessObject::GetOutput(3));
}

PolarTestTimeAugmentationFilter::MapType * PolarTestTimeAugmentationFilter::GetReferenceCup()
{
  return static_cast<MapType *>(this->ProcessObject::GetOutput(4));
}

void PolarTestTimeAugmentationFilter::VerifyPreconditions() ITKv5_CONST
{
  Superclass::VerifyPreconditions();
  if (m_Network.IsNull())
  {
    itkExceptionMacro("A network must be set: NPSNet::Load() gives one.");
  }
  if (!m_Network->GetArchitecture().IsPolar())
  {
    itkExceptionMacro("A plain UNet has no polar maps: use a polar network.");
  }
  if (m_Settings.Mode != PolarTTAModeEnum::Reference)
  {
    m_Network->RequireNonNegativePriorScale();
  }
  const auto angles = m_NumberOfAngles > 0 ? m_NumberOfAngles : m_Network->GetArchitecture().NumberOfAngles;
  if (m_Settings.FlipAverage && angles % 2 != 0)
  {
    itkExceptionMacro("Averaging with the mirror image needs an even number of angles, not " << angles << '.');
  }
  for (const double temperature : { m_Settings.Temperature, m_Settings.ConsensusTemperature })
  {
    if (!(temperature > 0.0))
    {
      itkExceptionMacro("The temperature of the blend must be positive, not " << temperature << '.');
    }
  }
}

void PolarTestTimeAugmentationFilter::GenerateInputRequestedRegion()
{
  if (auto * crop = const_cast<ImageType *>(this->GetInput()))
  {
    crop->SetRequestedRegionToLargestPossibleRegion();
  }
}

void PolarTestTimeAugmentationFilter::GenerateOutputInformation()
{
  const auto & architecture = m_Network->GetArchitecture();
  for (MapType * map : { this->GetDiscOccupancy(), this->GetCupOccupancy() })
  {
    PolarFrame::SetMapInformation(map,
                                  m_NumberOfRadii > 0 ? m_NumberOfRadii : architecture.NumberOfRadii,
                                  m_NumberOfAngles > 0 ? m_NumberOfAngles : architecture.NumberOfAngles);
  }
}

void PolarTestTimeAugmentationFilter::GenerateOutputRequestedRegion(DataObject *)
{
  // Everything is made at once.
  for (DataObjectPointerArraySizeType i = 0; i < this->GetNumberOfIndexedOutputs(); ++i)
  {
    this->ProcessObject::GetOutput(i)->SetRequestedRegionToLargestPossibleRegion();
  }
}

void PolarTestTimeAugmentationFilter::GenerateData()
{
  const ImageType * crop = this->GetInput();
  const auto        size = crop->GetLargestPossibleRegion().GetSize();
  const auto        spacing = crop->GetSpacing();
  if (size[0] != size[1] || size[0] < 2 || std::abs(spacing[0] - spacing[1]) > 1e-6 * spacing[0])
  {
    npsnetThrow("The network needs a square crop with square pixels, not "
                << size[0] << " x " << size[1] << " with spacing " << spacing[0] << " x " << spacing[1] << '.');
  }
  PolarGridSize grid;
  grid.NumberOfRadii = this->GetDiscOccupancy()->GetLargestPossibleRegion().GetSize(1);
  grid.NumberOfAngles = this->GetDiscOccupancy()->GetLargestPossibleRegion().GetSize(0);
  grid.Radius = 0.5 * static_cast<double>(size[0]);

  m_Report = PolarTTAReport();
  Search search(*this, crop, grid);
  search.Run();
  PolarBlend         blend;
  std::vector<float> cartesianDisc;
  std::vector<float> cartesianCup;
  m_Report.Finite = search.Blend(blend, cartesianDisc, cartesianCup);
  if (!m_Report.Finite)
  {
    blend.Radius = grid.Radius;
    blend.Disc.assign(grid.NumberOfRadii * grid.NumberOfAngles, 0.0f);
    blend.Cup = blend.Disc;
  }

  FillMap(this->GetDiscOccupancy(), blend.Disc, grid.NumberOfAngles);
  FillMap(this->GetCupOccupancy(), blend.Cup, grid.NumberOfAngles);
  FillMap(this->GetReferenceDisc(), cartesianDisc, cartesianDisc.empty() ? 0 : size[0]);
  FillMap(this->GetReferenceCup(), cartesianCup, cartesianCup.empty() ? 0 : size[0]);
  if (!cartesianDisc.empty())
  {
    for (auto * map : { this->GetReferenceDisc(), this->GetReferenceCup() })
    {
      map->SetSpacing(spacing);
      map->SetOrigin(crop->GetOrigin());
      map->SetDirection(crop->GetDirection());
    }
  }

  NestedPolarBoundary *      boundary = this->GetBoundary();
  ContinuousIndex<double, 2> anchor;
  for (unsigned int k = 0; k < 2; ++k)
  {
    anchor[k] = static_cast<double>(crop->GetLargestPossibleRegion().GetIndex(k)) +
                0.5 * (static_cast<double>(size[k]) - 1.0) + blend.Anchor[k];
  }
  NestedPolarBoundary::PointType point;
  crop->TransformContinuousIndexToPhysicalPoint(anchor, point);
  NestedPolarBoundary::ProfileType disc;
  NestedPolarBoundary::ProfileType cup;
  ExtractNestedRadiiFromOccupancy(
    blend.Disc.data(), blend.Cup.data(), grid.NumberOfRadii, grid.NumberOfAngles, disc, cup);
  boundary->SetAnchor(point);
  boundary->SetRadius(blend.Radius * spacing[0]);
  boundary->SetAxes(crop->GetDirection());
  boundary->SetRadii(disc, cup);
  boundary->SetConfidences(blend.DiscConfidence, blend.CupConfidence);
}

void PolarTestTimeAugmentationFilter::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  itkPrintSelfObjectMacro(Network);
  os << indent << "Mode: " << PolarTTAModeToString(m_Settings.Mode) << std::endl;
  os << indent << "NumberOfRadii: " << m_NumberOfRadii << std::endl;
  os << indent << "NumberOfAngles: " << m_NumberOfAngles << std::endl;
  os << indent << "Winner: " << m_Report.Winner << " of " << m_Report.Entries.size() << std::endl;
}
} // namespace itk
