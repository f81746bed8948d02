// SPDX-License-Identifier: Apache-2.0
#include "itkOpticDiscMetrics.h"

#include "itkEvaluationStatistics.h"
#include "itkMath.h"
#include "itkNPSNetThrow.h"
#include "itkSignedMaurerDistanceMapImageFilter.h"

#include <algorithm>
#include <cmath>

namespace itk
{
namespace
{
using MaskType = OpticDiscMetrics::MaskType;

/** One mask with what the metrics ask of it. */
class Mask
{
public:
  template <typename TPredicate>
  Mask(const MaskType * image, TPredicate && isForeground)
    : m_Width(static_cast<long>(image->GetBufferedRegion().GetSize()[0]))
    , m_Height(static_cast<long>(image->GetBufferedRegion().GetSize()[1]))
  {
    const unsigned char * pixels = image->GetBufferPointer();
    m_Pixels.resize(static_cast<std::size_t>(m_Width * m_Height));
    for (std::size_t k = 0; k < m_Pixels.size(); ++k)
    {
      m_Pixels[k] = isForeground(pixels[k]) ? 1 : 0;
      m_Count += m_Pixels[k];
    }
  }

  long        GetWidth() const { return m_Width; }
  long        GetHeight() const { return m_Height; }
  std::size_t GetCount() const { return m_Count; }
  std::size_t GetSize() const { return m_Pixels.size(); }
  bool        operator[](std::size_t k) const { return m_Pixels[k] != 0; }
  bool        At(long x, long y) const { return m_Pixels[static_cast<std::size_t>(y * m_Width + x)] != 0; }

  /** Number of rows from the first to the last with foreground. */
  long GetRowExtent() const
  {
    long first = m_Height;
    long last = -1;
    for (long y = 0; y < m_Height; ++y)
    {
      const auto row = m_Pixels.begin() + y * m_Width;
      if (std::find(row, row + m_Width, 1) != row + m_Width)
      {
        first = std::min(first, y);
        last = y;
      }
    }
    return last < 0 ? 0 : last - first + 1;
  }

  /** Foreground pixels with a 4-neighbour in the background or outside the raster. */
  std::vector<unsigned char> GetBorder() const
  {
    std::vector<unsigned char> border(m_Pixels.size(), 0);
    for (long y = 0; y < m_Height; ++y)
    {
      for (long x = 0; x < m_Width; ++x)
      {
        const bool inner = x > 0 && y > 0 && x + 1 < m_Width && y + 1 < m_Height && this->At(x - 1, y) &&
                           this->At(x + 1, y) && this->At(x, y - 1) && this->At(x, y + 1);
        border[static_cast<std::size_t>(y * m_Width + x)] = this->At(x, y) && !inner ? 1 : 0;
      }
    }
    return border;
  }

  const std::vector<unsigned char> & GetPixels() const { return m_Pixels; }

private:
  long                       m_Width;
  long                       m_Height;
  std::vector<unsigned char> m_Pixels;
  std::size_t                m_Count{ 0 };
};

/** Distance of every pixel to the nearest foreground pixel; 0 on the foreground. */
std::vector<double> DistanceTo(const std::vector<unsigned char> & foreground, long width, long height)
{
  const auto image = MaskType::New();
  image->SetRegions(MaskType::SizeType{ { static_cast<SizeValueType>(width), static_cast<SizeValueType>(height) } });
  image->Allocate();
  std::copy(foreground.begin(), foreground.end(), image->GetBufferPointer());

  using MapType = Image<double, 2>;
  const auto filter = SignedMaurerDistanceMapImageFilter<MaskType, MapType>::New();
  filter->SetInput(image);
  filter->SetSquaredDistance(false);
  filter->SetUseImageSpacing(false);
  filter->SetInsideIsPositive(false);
  filter->Update();
  const double *      values = filter->GetOutput()->GetBufferPointer();
  std::vector<double> distances(foreground.size());
  for (std::size_t k = 0; k < distances.size(); ++k)
  {
    distances[k] = foreground[k] != 0 ? 0.0 : std::max(0.0, values[k]);
  }
  return distances;
}

/** Distances from the points of one set to another, both ways. */
struct Distances
{
  std::vector<double> Forward;
  std::vector<double> Backward;

  Distances(const std::vector<unsigned char> & a, const std::vector<unsigned char> & b, long width, long height)
  {
    const auto toA = DistanceTo(a, width, height);
    const auto toB = DistanceTo(b, width, height);
    for (std::size_t k = 0; k < a.size(); ++k)
    {
      if (a[k] != 0)
      {
        Forward.push_back(toB[k]);
      }
      if (b[k] != 0)
      {
        Backward.push_back(toA[k]);
      }
    }
  }

  double HD95() const
  {
    std::vector<double> pooled = Forward;
    pooled.insert(pooled.end(), Backward.begin(), Backward.end());
    return EvaluationStatistics::Percentile(std::move(pooled), 95.0);
  }

  double MeanOfMeans() const
  {
    return 0.5 * (EvaluationStatistics::Mean(Forward) + EvaluationStatistics::Mean(Backward));
  }
};

OpticDiscMetrics::Structure Compare(const Mask & mask, const Mask & truth)
{
  constexpr double epsilon = 1e-7;
  std::size_t      both = 0;
  for (std::size_t k = 0; k < mask.GetSize(); ++k)
  {
    both += mask[k] && truth[k] ? 1 : 0;
  }
  const auto intersection = static_cast<double>(both);
  const auto sum = static_cast<double>(mask.GetCount() + truth.GetCount());

  OpticDiscMetrics::Structure metrics;
  metrics.Dice = (2.0 * intersection + epsilon) / (sum + epsilon);
  metrics.IoU = (intersection + epsilon) / (sum - intersection + epsilon);
  if (mask.GetCount() > 0 && truth.GetCount() > 0)
  {
    const Distances all(mask.GetPixels(), truth.GetPixels(), mask.GetWidth(), mask.GetHeight());
    metrics.HD95 = all.HD95();
    metrics.ASSD = all.MeanOfMeans();
    const Distances surface(mask.GetBorder(), truth.GetBorder(), mask.GetWidth(), mask.GetHeight());
    metrics.HD95Surface = surface.HD95();
    metrics.ASSDSurface = surface.MeanOfMeans();
  }
  return metrics;
}

std::vector<double> ProfileOf(const Mask & mask)
{
  constexpr int       rays = 360;
  constexpr int       samples = 256;
  const double        cx = (static_cast<double>(mask.GetWidth()) - 1.0) / 2.0;
  const double        cy = (static_cast<double>(mask.GetHeight()) - 1.0) / 2.0;
  const double        radius = static_cast<double>(std::min(mask.GetWidth(), mask.GetHeight())) / 2.0;
  std::vector<double> profile(rays, 0.0);
  for (int k = 0; k < rays; ++k)
  {
    const double c = std::cos(k * (2.0 * Math::pi / rays));
    const double s = std::sin(k * (2.0 * Math::pi / rays));
    for (int j = samples - 1; j >= 0; --j)
    {
      const double rho = j * (1.0 / (samples - 1));
      // NumPy rounds halves to even, as nearbyint() does; then the index is clipped to the raster.
      const long x =
        std::min(std::max(static_cast<long>(std::nearbyint(cx + radius * rho * c)), 0L), mask.GetWidth() - 1);
      const long y =
        std::min(std::max(static_cast<long>(std::nearbyint(cy + radius * rho * s)), 0L), mask.GetHeight() - 1);
      if (mask.At(x, y))
      {
        profile[static_cast<std::size_t>(k)] = rho;
        break;
      }
    }
  }
  return profile;
}

std::vector<double> Rim(const Mask & disc, const Mask & cup)
{
  std::vector<double>       rim = ProfileOf(disc);
  const std::vector<double> inner = ProfileOf(cup);
  for (std::size_t k = 0; k < rim.size(); ++k)
  {
    rim[k] -= inner[k];
  }
  return rim;
}

void Ratios(const Mask & disc, const Mask & cup, std::optional<double> & vertical, std::optional<double> & area)
{
  if (disc.GetCount() > 0)
  {
    vertical = static_cast<double>(cup.GetRowExtent()) / static_cast<double>(disc.GetRowExtent());
    area = static_cast<double>(cup.GetCount()) / static_cast<double>(disc.GetCount());
  }
}

OpticDiscMetrics Evaluate(const Mask & disc, const Mask & cup, const Mask & trueDisc, const Mask & trueCup)
{
  OpticDiscMetrics metrics;
  metrics.Disc = Compare(disc, trueDisc);
  metrics.Cup = Compare(cup, trueCup);
  Ratios(disc, cup, metrics.VerticalCDR, metrics.AreaCDR);
  Ratios(trueDisc, trueCup, metrics.TrueVerticalCDR, metrics.TrueAreaCDR);
  if (disc.GetCount() > 0 && trueDisc.GetCount() > 0)
  {
    const auto rim = Rim(disc, cup);
    const auto trueRim = Rim(trueDisc, trueCup);
    double     sum = 0.0;
    for (std::size_t k = 0; k < rim.size(); ++k)
    {
      sum += std::abs(rim[k] - trueRim[k]);
    }
    metrics.RimMAE = sum / static_cast<double>(rim.size());
    metrics.RimCorrelation = EvaluationStatistics::Correlation(rim, trueRim, 1e-6);
  }
  return metrics;
}

std::optional<double> AbsoluteDifference(const std::optional<double> & a, const std::optional<double> & b)
{
  return a && b ? std::optional<double>(std::abs(*a - *b)) : std::nullopt;
}
} // namespace

std::optional<double> OpticDiscMetrics::GetVerticalCDRError() const
{
  return AbsoluteDifference(VerticalCDR, TrueVerticalCDR);
}

std::optional<double> OpticDiscMetrics::GetAreaCDRError() const
{
  return AbsoluteDifference(AreaCDR, TrueAreaCDR);
}

OpticDiscMetrics OpticDiscMetrics::Compute(const MaskType * disc,
                                           const MaskType * cup,
                                           const MaskType * trueDisc,
                                           const MaskType * trueCup)
{
  for (const MaskType * mask : { disc, cup, trueDisc, trueCup })
  {
    if (mask == nullptr || mask->GetBufferedRegion().GetSize() != disc->GetBufferedRegion().GetSize())
    {
      npsnetThrow("Metrics need four masks of one size: resample them onto one raster.");
    }
  }
  const auto nonZero = [](unsigned char value) { return value != 0; };
  return Evaluate(Mask(disc, nonZero), Mask(cup, nonZero), Mask(trueDisc, nonZero), Mask(trueCup, nonZero));
}

OpticDiscMetrics OpticDiscMetrics::ComputeFromLabels(const MaskType * labels, const MaskType * trueLabels)
{
  if (labels == nullptr || trueLabels == nullptr ||
      labels->GetBufferedRegion().GetSize() != trueLabels->GetBufferedRegion().GetSize())
  {
    npsnetThrow("Metrics need two label maps of one size: resample them onto one raster.");
  }
  const auto isDisc = [](unsigned char value) { return value != 0; };
  const auto isCup = [](unsigned char value) { return value == 2; };
  return Evaluate(Mask(labels, isDisc), Mask(labels, isCup), Mask(trueLabels, isDisc), Mask(trueLabels, isCup));
}

std::vector<double> OpticDiscMetrics::RadialProfile(const MaskType * mask)
{
  return ProfileOf(Mask(mask, [](unsigned char value) { return value != 0; }));
}

std::vector<std::pair<std::string, std::optional<double>>> OpticDiscMetrics::ToList() const
{
  return { { "cup_dice", Cup.Dice },
           { "disc_dice", Disc.Dice },
           { "cup_iou", Cup.IoU },
           { "disc_iou", Disc.IoU },
           { "cup_hd95", Cup.HD95 },
           { "disc_hd95", Disc.HD95 },
           { "cup_assd", Cup.ASSD },
           { "disc_assd", Disc.ASSD },
           { "cup_hd95_surface", Cup.HD95Surface },
           { "disc_hd95_surface", Disc.HD95Surface },
           { "cup_assd_surface", Cup.ASSDSurface },
           { "disc_assd_surface", Disc.ASSDSurface },
           { "vcdr_pred", VerticalCDR },
           { "vcdr_truth", TrueVerticalCDR },
           { "vcdr_mae", this->GetVerticalCDRError() },
           { "acdr_pred", AreaCDR },
           { "acdr_truth", TrueAreaCDR },
           { "acdr_mae", this->GetAreaCDRError() },
           { "rim_mae", RimMAE },
           { "rim_corr", RimCorrelation } };
}
} // namespace itk
