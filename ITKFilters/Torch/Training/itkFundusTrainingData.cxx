// SPDX-License-Identifier: Apache-2.0
#include "itkFundusTrainingData.h"

#include "detail/itkBilinear.h"
#include "itkCSV.h"
#include "itkFundusPhotographReader.h"
#include "itkNPSNetThrow.h"
#include "itkOpticDiscEvaluation.h"
#include "itkPixelBox.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <sstream>

namespace itk
{
namespace
{
constexpr double Pi = 3.14159265358979323846;

/** Index into n samples, reflected at both ends. */
int Reflect(int i, int n)
{
  const int period = 2 * n;
  i = ((i % period) + period) % period;
  return i < n ? i : period - 1 - i;
}

struct Neighbour
{
  std::size_t Offset;
  float       Weight;
};

/** In the outer half pixel the edge value continues. */
bool IsInside(double x, double y, int width, int height)
{
  return x >= -0.5 && y >= -0.5 && x <= width - 0.5 && y <= height - 0.5;
}

/** Bilinear neighbours of a continuous index; outside, the sample is black (no neighbours) unless the photograph is
 * mirrored. */
int FindNeighbours(double x, double y, int width, int height, bool mirror, Neighbour (&n)[4])
{
  if (!mirror && !IsInside(x, y, width, height))
  {
    return 0;
  }
  const double fx = std::floor(x);
  const double fy = std::floor(y);
  const float  wx = static_cast<float>(x - fx);
  const float  wy = static_cast<float>(y - fy);
  const int    x0 = Reflect(static_cast<int>(fx), width);
  const int    x1 = Reflect(static_cast<int>(fx) + 1, width);
  const auto   y0 = static_cast<std::size_t>(Reflect(static_cast<int>(fy), height)) * width;
  const auto   y1 = static_cast<std::size_t>(Reflect(static_cast<int>(fy) + 1, height)) * width;
  n[0] = { y0 + x0, (1 - wx) * (1 - wy) };
  n[1] = { y0 + x1, wx * (1 - wy) };
  n[2] = { y1 + x0, (1 - wx) * wy };
  n[3] = { y1 + x1, wx * wy };
  return 4;
}

/** Moves a place inside the ellipse of the disc's box along its ray from the centre. */
void MoveInsideDisc(const LabelledPhotograph & photograph, double cupping, double & x, double & y)
{
  const double dx = x - photograph.Centre[0];
  const double dy = y - photograph.Centre[1];
  const double q = 2.0 * std::hypot(dx / photograph.Extent[0], dy / photograph.Extent[1]);
  if (q > 0.0 && q < 1.0)
  {
    const double ratio = DeepenCup(q, cupping) / q;
    x = photograph.Centre[0] + ratio * dx;
    y = photograph.Centre[1] + ratio * dy;
  }
}

double Dice(const std::vector<float> & a, const std::vector<float> & b)
{
  double both = 0;
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
  {
    const bool inA = a[i] > 0.5F;
    const bool inB = b[i] > 0.5F;
    both += inA && inB;
    sum += static_cast<double>(inA) + inB;
  }
  return (2 * both + 1e-7) / (sum + 1e-7);
}

/** Number of rows from the first to the last that has a value above \a limit. */
template <typename TValue>
double RowExtent(const std::vector<TValue> & values, unsigned int width, TValue limit)
{
  int first = -1;
  int last = -2;
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    if (values[i] > limit)
    {
      last = static_cast<int>(i / width);
      first = first < 0 ? last : first;
    }
  }
  return last - first + 1;
}

/** Last foreground sample on 360 rays of 256 samples. */
std::vector<double> LastForeground(const std::vector<float> & mask, unsigned int size)
{
  std::vector<double> profile(360, 0.0);
  const double        centre = (size - 1) / 2.0;
  for (int t = 0; t < 360; ++t)
  {
    const double c = std::cos(t * Pi / 180.0);
    const double s = std::sin(t * Pi / 180.0);
    for (int j = 255; j >= 0; --j)
    {
      const double r = size / 2.0 * j / 255.0;
      const int    x = std::clamp(static_cast<int>(std::nearbyint(centre + r * c)), 0, static_cast<int>(size) - 1);
      const int    y = std::clamp(static_cast<int>(std::nearbyint(centre + r * s)), 0, static_cast<int>(size) - 1);
      if (mask[static_cast<std::size_t>(y) * size + x] > 0.5F)
      {
        profile[t] = j / 255.0;
        break;
      }
    }
  }
  return profile;
}

/** \return false, with the crop unfinished, when it would show a part of the disc's mirror image. */
bool FillCrop(const LabelledPhotograph & photograph,
              const CropPlacement &      place,
              bool                       mirror,
              unsigned int               size,
              LabelledCrop &             crop)
{
  const std::size_t pixels = static_cast<std::size_t>(size) * size;
  crop.Image.Size = size;
  crop.Image.Values.assign(3 * pixels, 0.0F);
  crop.Shown.assign(pixels, false);
  crop.Disc.assign(pixels, 0.0F);
  crop.Cup.assign(pixels, 0.0F);
  const auto   width = static_cast<int>(photograph.Width);
  const auto   height = static_cast<int>(photograph.Height);
  const double c = std::cos(place.Rotation) * place.Side / size;
  const double s = std::sin(place.Rotation) * place.Side / size;
  for (unsigned int j = 0; j < size; ++j)
  {
    const double v = (j + 0.5 - 0.5 * size) / place.Aspect;
    for (unsigned int i = 0; i < size; ++i)
    {
      const double u = (i + 0.5 - 0.5 * size) * (place.Flip ? -place.Aspect : place.Aspect);
      double       x = place.CentreX + c * u - s * v;
      double       y = place.CentreY + s * u + c * v;
      if (place.Cupping != 0.0)
      {
        MoveInsideDisc(photograph, place.Cupping, x, y);
      }
      Neighbour         n[4];
      const int         count = FindNeighbours(x, y, width, height, mirror, n);
      const bool        inside = IsInside(x, y, width, height);
      const std::size_t out = static_cast<std::size_t>(j) * size + i;
      crop.Shown[out] =
        count > 0 &&
        (place.CutSide <= 0.0 || std::max(std::abs(x - place.CutX), std::abs(y - place.CutY)) <= 0.5 * place.CutSide);
      for (int k = 0; k < count; ++k)
      {
        const unsigned char * p = &photograph.Color[3 * n[k].Offset];
        const unsigned char   label = photograph.Labels.empty() ? 0 : photograph.Labels[n[k].Offset];
        if (label >= 64 && !inside)
        {
          return false;
        }
        crop.Image.Values[3 * out] += n[k].Weight * p[0];
        crop.Image.Values[3 * out + 1] += n[k].Weight * p[1];
        crop.Image.Values[3 * out + 2] += n[k].Weight * p[2];
        crop.Disc[out] += label >= 64 ? n[k].Weight : 0.0F;
        crop.Cup[out] += label >= 192 ? n[k].Weight : 0.0F;
      }
      // The weights may add up to an ulp more than one.
      crop.Disc[out] = std::min(crop.Disc[out], 1.0F);
      crop.Cup[out] = std::min(crop.Cup[out], 1.0F);
    }
  }
  return true;
}
} // namespace

std::vector<TrainingRow> ReadTrainingIndex(const std::string & fileName)
{
  std::error_code error;
  if (!std::filesystem::is_regular_file(fileName, error))
  {
    npsnetThrow("The data index " << fileName << " cannot be read: give the path of a CSV file with a header line.");
  }
  const CSVTable           table = CSVTable::Read(fileName);
  std::vector<TrainingRow> rows;
  for (const auto & cells : table.Rows)
  {
    TrainingRow row;
    for (std::size_t i = 0; i < cells.size(); ++i)
    {
      row[table.Columns[i]] = cells[i];
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

LabelledPhotograph ReadLabelledPhotograph(const std::string & image, const std::string & mask)
{
  auto reader = FundusPhotographReader::New();
  reader->SetFileName(image);
  reader->Update();
  const auto *       color = reader->GetPhotograph()->GetImage();
  const auto         labels = OpticDiscEvaluation::ReadMask(mask, reader->GetPhotograph());
  const auto         size = color->GetLargestPossibleRegion().GetSize();
  LabelledPhotograph p;
  p.Width = static_cast<unsigned int>(size[0]);
  p.Height = static_cast<unsigned int>(size[1]);
  const std::size_t pixels = size[0] * size[1];
  const auto *      bytes = reinterpret_cast<const unsigned char *>(color->GetBufferPointer());
  p.Color.assign(bytes, bytes + 3 * pixels);
  constexpr std::array<unsigned char, 3> levels{ { 0, 128, 255 } };
  std::transform(labels->GetBufferPointer(),
                 labels->GetBufferPointer() + pixels,
                 std::back_inserter(p.Labels),
                 [&levels](unsigned char label) { return levels[label]; });

  const auto box = PixelBox::Of(p.Labels.data(), p.Width, p.Height, [](unsigned char level) { return level >= 64; });
  if (!box)
  {
    npsnetThrow("The mask " << mask << " has no optic disc: leave its row out of the index.");
  }
  p.Centre = { { 0.5 * static_cast<double>(box->Left + box->Right),
                 0.5 * static_cast<double>(box->Top + box->Bottom) } };
  p.Extent = { { static_cast<double>(box->GetWidth()), static_cast<double>(box->GetHeight()) } };
  return p;
}

double VerticalCupToDiscRatio(const LabelledPhotograph & photograph)
{
  constexpr unsigned char rimOrLess = 191;
  return RowExtent(photograph.Labels, photograph.Width, rimOrLess) / photograph.Extent[1];
}

std::vector<unsigned int> BalancingRepeats(const std::vector<double> & ratios, double strength)
{
  constexpr double            most = 4.0;
  std::array<std::size_t, 11> counts{};
  const auto tenth = [](double ratio) { return static_cast<std::size_t>(std::clamp(ratio, 0.0, 1.0) * 10.0); };
  for (const double ratio : ratios)
  {
    ++counts[tenth(ratio)];
  }
  const auto                fullest = static_cast<double>(*std::max_element(counts.begin(), counts.end()));
  std::vector<unsigned int> repeats;
  for (const double ratio : ratios)
  {
    const double rarity = fullest / static_cast<double>(counts[tenth(ratio)]);
    repeats.push_back(static_cast<unsigned int>(std::lround(std::min(most, std::pow(rarity, strength)))));
  }
  return repeats;
}

void LabelledPhotographStore::Add(const std::string & name,
                                  const std::string & image,
                                  const std::string & mask,
                                  bool                drawnCup)
{
  m_Entries.push_back(std::make_unique<Entry>());
  m_Entries.back()->Name = name;
  m_Entries.back()->Image = image;
  m_Entries.back()->Mask = mask;
  m_Entries.back()->DrawnCup = drawnCup;
}

const LabelledPhotograph & LabelledPhotographStore::Get(std::size_t i) const
{
  Entry & entry = *m_Entries[i];
  std::call_once(entry.Once, [&entry] { entry.Photograph = ReadLabelledPhotograph(entry.Image, entry.Mask); });
  return entry.Photograph;
}

LabelledCrop CutCrop(const LabelledPhotograph & photograph, const CropPlacement & place, unsigned int size)
{
  LabelledCrop crop;
  // The mirror image of the disc would be a second disc, in the picture and in its truth: black then.
  if (!(place.Mirror && FillCrop(photograph, place, true, size, crop)))
  {
    FillCrop(photograph, place, false, size, crop);
  }
  return crop;
}

void BlackenOutside(LabelledCrop & crop)
{
  for (std::size_t i = 0; i < crop.Shown.size(); ++i)
  {
    if (!crop.Shown[i])
    {
      std::fill_n(crop.Image.Values.begin() + static_cast<std::ptrdiff_t>(3 * i), 3, 0.0F);
    }
  }
}

std::vector<float> MaskRadii(const std::vector<float> & mask, unsigned int size, unsigned int angles)
{
  const auto at = [&](double x, double y) {
    const int   last = static_cast<int>(size) - 1;
    const int   x0 = std::clamp(static_cast<int>(std::floor(x)), 0, last);
    const int   y0 = std::clamp(static_cast<int>(std::floor(y)), 0, last);
    const int   x1 = std::min(x0 + 1, last);
    const int   y1 = std::min(y0 + 1, last);
    const float wx = std::clamp(static_cast<float>(x - x0), 0.0F, 1.0F);
    const float wy = std::clamp(static_cast<float>(y - y0), 0.0F, 1.0F);
    const auto  m = [&](int i, int j) { return mask[static_cast<std::size_t>(j) * size + i]; };
    return Bilinear(wx, wy, m(x0, y0), m(x1, y0), m(x0, y1), m(x1, y1));
  };
  const double       centre = (size - 1) / 2.0;
  const double       step = 0.5; // pixels
  const int          steps = static_cast<int>(size);
  std::vector<float> radii(angles, 0.0F);
  for (unsigned int t = 0; t < angles; ++t)
  {
    const double c = std::cos(2 * Pi * t / angles);
    const double s = std::sin(2 * Pi * t / angles);
    float        outer = 0.0F;
    for (int j = steps; j >= 0; --j)
    {
      const float value = at(centre + j * step * c, centre + j * step * s);
      if (value >= 0.5F)
      {
        const float within = j < steps ? (value - 0.5F) / std::max(value - outer, 1e-6F) : 0.0F;
        radii[t] = std::min(1.0F, static_cast<float>((j + within) * step / (size / 2.0)));
        break;
      }
      outer = value;
    }
  }
  return radii;
}

CropAgreement CompareCrops(const std::vector<float> & discPrediction,
                           const std::vector<float> & cupPrediction,
                           const std::vector<float> & disc,
                           const std::vector<float> & cup,
                           unsigned int               size)
{
  CropAgreement a;
  a.DiscDice = Dice(discPrediction, disc);
  a.CupDice = Dice(cupPrediction, cup);
  const auto ratio = [size](const std::vector<float> & c, const std::vector<float> & d) {
    const double height = RowExtent(d, size, 0.5F);
    return height > 0 ? RowExtent(c, size, 0.5F) / height : 0.0;
  };
  a.VerticalRatioError = std::abs(ratio(cupPrediction, discPrediction) - ratio(cup, disc));

  const auto rim = [size](const std::vector<float> & c, const std::vector<float> & d) {
    auto       outer = LastForeground(d, size);
    const auto inner = LastForeground(c, size);
    for (std::size_t i = 0; i < outer.size(); ++i)
    {
      outer[i] -= inner[i];
    }
    return outer;
  };
  const auto   p = rim(cupPrediction, discPrediction);
  const auto   q = rim(cup, disc);
  const double n = static_cast<double>(p.size());
  double       mp = 0;
  double       mq = 0;
  for (std::size_t i = 0; i < p.size(); ++i)
  {
    a.RimError += std::abs(p[i] - q[i]) / n;
    mp += p[i] / n;
    mq += q[i] / n;
  }
  double pp = 0;
  double qq = 0;
  double pq = 0;
  for (std::size_t i = 0; i < p.size(); ++i)
  {
    pp += (p[i] - mp) * (p[i] - mp);
    qq += (q[i] - mq) * (q[i] - mq);
    pq += (p[i] - mp) * (q[i] - mq);
  }
  a.HasRimCorrelation = std::sqrt(pp / n) >= 1e-6 && std::sqrt(qq / n) >= 1e-6;
  a.RimCorrelation = a.HasRimCorrelation ? pq / std::sqrt(pp * qq) : 0.0;
  return a;
}
} // namespace itk
