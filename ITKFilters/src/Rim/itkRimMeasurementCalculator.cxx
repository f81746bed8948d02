// SPDX-License-Identifier: Apache-2.0
#include "itkRimMeasurementCalculator.h"

#include "itkMath.h"
#include "itkPixelBox.h"
#include "itkRadialContour.h"
#include "itkRimRules.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace itk
{
namespace
{
using PointType = RadialContour::PointType;
using Confidence = std::function<std::optional<double>(double)>;

constexpr std::size_t NumberOfRays = 360;

/** One structure (disc or cup) in image axes. */
struct Structure
{
  RadialContour          Contour;
  RadialContour::Moments Moments;
  double                 Width{ 0.0 };
  double                 Height{ 0.0 };
  Confidence             ConfidenceAt; // of a parameter of the contour
};

void Flag(RimMeasurements & m, RimQualityFlagEnum flag)
{
  if (!m.HasFlag(flag))
  {
    m.Flags.push_back(flag);
  }
}

void MeasureEllipse(RimMeasurements & m, const std::array<double, 3> & second)
{
  const double mean = 0.5 * (second[0] + second[2]);
  const double half = std::hypot(0.5 * (second[0] - second[2]), second[1]);
  m.DiscMajorAxis = 4.0 * std::sqrt(mean + half);
  m.DiscMinorAxis = 4.0 * std::sqrt(std::max(0.0, mean - half));
  m.DiscOvality = *m.DiscMinorAxis / *m.DiscMajorAxis;
  if (*m.DiscOvality > 0.99)
  {
    m.Missing["disc_axis_angle_deg"] = m.Missing["disc_torsion_deg"] = "the disc is round";
    return;
  }
  const double phi = 0.5 * std::atan2(2.0 * second[1], second[0] - second[2]);
  double       right = std::cos(phi);
  double       up = -std::sin(phi);
  if (up < 0.0)
  {
    right = -right;
    up = -up;
  }
  m.DiscAxisAngle = std::atan2(right, up) * 180.0 / Math::pi;
  if (*m.DiscAxisAngle <= -90.0)
  {
    m.DiscAxisAngle = 90.0;
  }
  if (m.Eye != EyeSideEnum::Unknown)
  {
    m.DiscTorsion = m.Eye == EyeSideEnum::OD ? *m.DiscAxisAngle : -*m.DiscAxisAngle;
  }
}

std::vector<RimMeasurements::Angle> MeasureRays(const Structure & disc, const Structure & cup)
{
  const auto discHits = disc.Contour.CastRays(disc.Moments.Centroid, NumberOfRays);
  const auto cupHits = cup.Contour.CastRays(disc.Moments.Centroid, NumberOfRays);

  std::vector<RimMeasurements::Angle> profile(NumberOfRays);
  for (std::size_t k = 0; k < NumberOfRays; ++k)
  {
    auto & ray = profile[k];
    ray.DiscRadius = discHits[k].Outermost;
    ray.CupRadius = std::min(cupHits[k].Outermost, ray.DiscRadius);
    ray.RimWidth = ray.DiscRadius - ray.CupRadius;
    const double diameter = ray.DiscRadius + discHits[(k + NumberOfRays / 2) % NumberOfRays].Outermost;
    if (discHits[k].Found && diameter > 0.0)
    {
      ray.RimToDiscRatio = ray.RimWidth / diameter;
    }
    if (discHits[k].Found && disc.ConfidenceAt)
    {
      ray.DiscConfidence = disc.ConfidenceAt(discHits[k].Parameter);
    }
    if (cupHits[k].Found && cup.ConfidenceAt)
    {
      ray.CupConfidence = cup.ConfidenceAt(cupHits[k].Parameter);
    }
  }
  return profile;
}

/** Mean |r(t - 10) - 2 r(t) + r(t + 10)| of the outline, smoothed over 7 degrees, over the mean radius. Optic discs of
 * the sample photographs have 0.007 to 0.013 (expert polygons 0.023), an ellipse of ovality 0.66 has 0.015, what the
 * network draws where there is no disc 0.036 and more. */
double Waviness(const std::vector<RimMeasurements::Angle> & profile)
{
  const auto          n = static_cast<int>(profile.size());
  const auto          wrap = [n](int k) { return static_cast<std::size_t>((k + n) % n); };
  std::vector<double> smooth(profile.size(), 0.0);
  double              sum = 0.0;
  for (int k = 0; k < n; ++k)
  {
    for (int d = -3; d <= 3; ++d)
    {
      smooth[wrap(k)] += profile[wrap(k + d)].DiscRadius / 7.0;
    }
    sum += profile[wrap(k)].DiscRadius;
  }
  double bending = 0.0;
  for (int k = 0; k < n; ++k)
  {
    bending += std::abs(smooth[wrap(k - 10)] - 2.0 * smooth[wrap(k)] + smooth[wrap(k + 10)]);
  }
  return sum > 0.0 ? bending / sum : 0.0;
}

/** Everything but the flags that only one of the two ways can know. */
void Measure(RimMeasurements & m, const Structure & disc, const Structure & cup)
{
  m.DiscArea = disc.Moments.Area;
  m.CupArea = cup.Moments.Area;
  m.RimArea = std::max(0.0, *m.DiscArea - *m.CupArea);
  m.DiscHeight = disc.Height;
  m.DiscWidth = disc.Width;
  m.CupHeight = cup.Height;
  m.CupWidth = cup.Width;
  m.VerticalCupToDiscRatio = cup.Height / disc.Height;
  m.HorizontalCupToDiscRatio = cup.Width / disc.Width;
  m.AreaCupToDiscRatio = *m.CupArea / *m.DiscArea;
  m.EquivalentDiscRadius = std::sqrt(*m.DiscArea / Math::pi);
  if (*m.CupArea == 0.0)
  {
    Flag(m, RimQualityFlagEnum::EmptyCup);
  }
  m.Profile = MeasureRays(disc, cup);
  RimRules::Apply(m);
  if (Waviness(m.Profile) > 0.03)
  {
    Flag(m, RimQualityFlagEnum::IrregularBoundary);
  }
  MeasureEllipse(m, disc.Moments.Second);

  if (m.MicrometersPerPixel)
  {
    // Jonas et al., IOVS 1988;29:1151: vertical diameters of 319 normal discs were 0.96 to 2.91 mm.
    const double millimeters = *m.DiscHeight * *m.MicrometersPerPixel / 1000.0;
    if (millimeters < 0.95 || millimeters > 2.95)
    {
      Flag(m, RimQualityFlagEnum::ImplausibleSize);
    }
  }
}

/** ITK 5.2 has no such question yet. */
bool HaveOneRaster(const ImageBase<2> * a, const ImageBase<2> * b)
{
  const double tolerance = 1e-6 * a->GetSpacing()[0];
  return a->GetBufferedRegion() == b->GetBufferedRegion() &&
         a->GetOrigin().GetVnlVector().is_equal(b->GetOrigin().GetVnlVector(), tolerance) &&
         a->GetSpacing().GetVnlVector().is_equal(b->GetSpacing().GetVnlVector(), tolerance) &&
         a->GetDirection().GetVnlMatrix().is_equal(b->GetDirection().GetVnlMatrix(), 1e-6);
}

/** Side of a photo pixel in physical units. */
double PhotoPixel(const ImageBase<2> * raster)
{
  return std::sqrt(raster->GetSpacing()[0] * raster->GetSpacing()[1]);
}

void FlagSizeInPhotograph(RimMeasurements & m, const ImageBase<2> * photograph)
{
  const auto & size = photograph->GetLargestPossibleRegion().GetSize();
  const auto & spacing = photograph->GetSpacing();
  const double side = std::min(static_cast<double>(size[0]) * spacing[0], static_cast<double>(size[1]) * spacing[1]) /
                      PhotoPixel(photograph);
  const double diameter = 2.0 * *m.EquivalentDiscRadius;
  // With fewer pixels than 16 across, one of them is more than 0.06 of the cup-to-disc ratio.
  if (diameter < 16.0 || diameter < 0.02 * side || diameter > 0.98 * side)
  {
    Flag(m, RimQualityFlagEnum::ImplausibleSize);
  }
}

void SetEmpty(RimMeasurements & m, const std::string & reason)
{
  Flag(m, RimQualityFlagEnum::EmptyDisc);
  m.Missing["all"] = reason;
}

double Interpolate(const std::vector<double> & values, double position)
{
  const auto   n = static_cast<double>(values.size());
  const double wrapped = position - n * std::floor(position / n);
  const auto   k = static_cast<std::size_t>(wrapped) % values.size();
  const double t = wrapped - std::floor(wrapped);
  return (1.0 - t) * values[k] + t * values[(k + 1) % values.size()];
}

std::optional<double> Mean(const std::vector<double> & values)
{
  if (values.empty())
  {
    return std::nullopt;
  }
  double sum = 0.0;
  for (const double value : values)
  {
    sum += value;
  }
  return sum / static_cast<double>(values.size());
}

/** Between two stored angles the radius is linear in theta, not the chord: some vertices more. */
constexpr std::size_t Refinement = 4;

Structure MakeStructure(const std::vector<double> & radii, double scale, const std::vector<double> & confidences)
{
  Structure structure;
  if (std::all_of(radii.begin(), radii.end(), [](double r) { return r <= 0.0; }))
  {
    return structure;
  }
  const std::size_t      n = radii.size() * Refinement;
  std::vector<PointType> polygon(n);
  for (std::size_t k = 0; k < n; ++k)
  {
    const double theta = 2.0 * Math::pi * static_cast<double>(k) / static_cast<double>(n);
    const double r = scale * Interpolate(radii, static_cast<double>(k) / Refinement);
    polygon[k] = { { r * std::cos(theta), r * std::sin(theta) } };
  }
  structure.Contour = RadialContour::FromPolygon(polygon);
  structure.Moments = RadialContour::PolygonMoments(polygon);
  const auto box = RadialContour::PolygonBox(polygon);
  structure.Width = box.Upper[0] - box.Lower[0];
  structure.Height = box.Upper[1] - box.Lower[1];
  if (!confidences.empty())
  {
    structure.ConfidenceAt = [confidences](double parameter) {
      return std::optional<double>(Interpolate(confidences, parameter / Refinement));
    };
  }
  return structure;
}

/** A raster cut out around the foreground. */
struct Raster
{
  std::size_t                Width{ 0 };
  std::size_t                Height{ 0 };
  std::array<double, 2>      Spacing{ { 1.0, 1.0 } };
  std::vector<unsigned char> Pixels;
};

Structure MakeStructure(const Raster & raster)
{
  Structure   structure;
  std::size_t count = 0;
  double      su = 0.0;
  double      sv = 0.0;
  double      suu = 0.0;
  double      suv = 0.0;
  double      svv = 0.0;
  std::size_t left = raster.Width;
  std::size_t right = 0;
  std::size_t top = raster.Height;
  std::size_t bottom = 0;
  for (std::size_t j = 0; j < raster.Height; ++j)
  {
    for (std::size_t i = 0; i < raster.Width; ++i)
    {
      if (raster.Pixels[j * raster.Width + i] == 0)
      {
        continue;
      }
      const double u = static_cast<double>(i) * raster.Spacing[0];
      const double v = static_cast<double>(j) * raster.Spacing[1];
      ++count;
      su += u;
      sv += v;
      suu += u * u;
      suv += u * v;
      svv += v * v;
      left = std::min(left, i);
      right = std::max(right, i);
      top = std::min(top, j);
      bottom = std::max(bottom, j);
    }
  }
  if (count == 0)
  {
    return structure;
  }
  const auto n = static_cast<double>(count);
  structure.Moments.Area = n * raster.Spacing[0] * raster.Spacing[1];
  structure.Moments.Centroid = { { su / n, sv / n } };
  // A pixel is a square, not a point: its own second moment is spacing^2 / 12.
  structure.Moments.Second = { { suu / n - su * su / n / n + raster.Spacing[0] * raster.Spacing[0] / 12.0,
                                 suv / n - su * sv / n / n,
                                 svv / n - sv * sv / n / n + raster.Spacing[1] * raster.Spacing[1] / 12.0 } };
  structure.Width = static_cast<double>(right - left + 1) * raster.Spacing[0];
  structure.Height = static_cast<double>(bottom - top + 1) * raster.Spacing[1];
  structure.Contour = RadialContour::FromMask(raster.Pixels, raster.Width, raster.Height, raster.Spacing);
  return structure;
}

/** Seen from its own centroid, does every ray leave the structure once (within a stair of the raster)? */
bool IsStarConvex(const Structure & structure, const std::array<double, 2> & spacing)
{
  const double stair = 1.5 * std::max(spacing[0], spacing[1]);
  const auto   hits = structure.Contour.CastRays(structure.Moments.Centroid, NumberOfRays);
  return std::all_of(hits.begin(), hits.end(), [stair](const auto & hit) {
    return hit.Found && hit.Outermost - hit.Innermost <= stair;
  });
}
} // namespace

RimMeasurements RimMeasurementCalculator::Prepare(RimMeasurements::Origin origin) const
{
  if (!(m_MicrometersPerPixel >= 0.0) || !std::isfinite(m_MicrometersPerPixel))
  {
    itkExceptionMacro("Micrometres per pixel must be a positive number, or 0 when unknown.");
  }
  RimMeasurements m;
  m.MeasuredFrom = origin;
  m.Eye = m_Eye;
  if (m_MicrometersPerPixel > 0.0)
  {
    m.MicrometersPerPixel = m_MicrometersPerPixel;
  }
  return m;
}

ContinuousIndex<double, 2> RimMeasurementCalculator::GetIndex(const Point<double, 2> & point) const
{
  ContinuousIndex<double, 2> index;
  if (m_Photograph.IsNotNull())
  {
    m_Photograph->TransformPhysicalPointToContinuousIndex(point, index);
  }
  else
  {
    index[0] = point[0];
    index[1] = point[1];
  }
  return index;
}

RimMeasurements RimMeasurementCalculator::Compute(const NestedPolarBoundary * boundary) const
{
  if (boundary == nullptr)
  {
    itkExceptionMacro("No boundary to measure: give a NestedPolarBoundary.");
  }
  RimMeasurements m = this->Prepare(RimMeasurements::Origin::Boundary);
  if (boundary->GetNumberOfAngles() == 0 || boundary->IsDiscEmpty())
  {
    SetEmpty(m, "no optic disc was segmented");
    return m;
  }

  const double    scale = boundary->GetRadius() / (m_Photograph.IsNotNull() ? PhotoPixel(m_Photograph) : 1.0);
  const Structure disc = MakeStructure(boundary->GetDiscRadii(), scale, boundary->GetDiscConfidences());
  const Structure cup = MakeStructure(boundary->GetCupRadii(), scale, boundary->GetCupConfidences());
  if (!(disc.Moments.Area > 0.0))
  {
    SetEmpty(m, "the segmented disc has no area");
    return m;
  }
  Measure(m, disc, cup);

  const auto &     axes = boundary->GetAxes();
  const auto &     anchor = boundary->GetAnchor();
  const auto &     center = disc.Moments.Centroid;
  const double     pixel = boundary->GetRadius() / scale;
  Point<double, 2> centroid;
  for (unsigned int k = 0; k < 2; ++k)
  {
    centroid[k] = anchor[k] + pixel * (axes(k, 0) * center[0] + axes(k, 1) * center[1]);
  }
  m.DiscCentroid = this->GetIndex(centroid);

  m.MeanDiscConfidence = Mean(boundary->GetDiscConfidences());
  m.MeanCupConfidence = Mean(boundary->GetCupConfidences());
  if (!m.MeanDiscConfidence)
  {
    m.Missing["confidence"] = "the segmentation carries no confidence";
  }
  if ((m.MeanDiscConfidence && *m.MeanDiscConfidence < m_LowConfidenceThreshold) ||
      (m.MeanCupConfidence && *m.MeanCupConfidence < m_LowConfidenceThreshold))
  {
    Flag(m, RimQualityFlagEnum::LowConfidence);
  }

  const auto & radii = boundary->GetDiscRadii();
  const double largest = *std::max_element(radii.begin(), radii.end());
  if (largest >= 1.0 - 1.0 / 255.0) // the last bin of the published grid
  {
    Flag(m, RimQualityFlagEnum::BoundaryTouchesCrop);
  }
  if (*m.EquivalentDiscRadius < 0.1 * scale || *m.EquivalentDiscRadius > 0.98 * scale)
  {
    Flag(m, RimQualityFlagEnum::ImplausibleSize);
  }
  if (m_Photograph.IsNotNull())
  {
    FlagSizeInPhotograph(m, m_Photograph);
    const auto & size = m_Photograph->GetLargestPossibleRegion().GetSize();
    const auto & start = m_Photograph->GetLargestPossibleRegion().GetIndex();
    for (const auto & point : boundary->GetDiscContour())
    {
      ContinuousIndex<double, 2> index;
      m_Photograph->TransformPhysicalPointToContinuousIndex(point, index);
      for (unsigned int d = 0; d < 2; ++d)
      {
        const double position = index[d] - static_cast<double>(start[d]);
        if (position < -0.5 || position > static_cast<double>(size[d]) - 0.5)
        {
          Flag(m, RimQualityFlagEnum::DiscLeavesPhotograph);
        }
      }
    }
  }
  return m;
}

RimMeasurements RimMeasurementCalculator::Compute(const MaskType * labels) const
{
  return this->Compute(labels, nullptr);
}

RimMeasurements RimMeasurementCalculator::Compute(const MaskType * discMask, const MaskType * cupMask) const
{
  if (discMask == nullptr)
  {
    itkExceptionMacro("No mask to measure: give a label image, or a disc and a cup mask.");
  }
  const ImageRegion<2> whole = discMask->GetBufferedRegion();
  if (whole.GetNumberOfPixels() == 0)
  {
    itkExceptionMacro("The mask to measure has no pixels: update the filter that makes it.");
  }
  if (cupMask != nullptr && !HaveOneRaster(discMask, cupMask))
  {
    itkExceptionMacro("Disc and cup masks have different rasters: resample one onto the raster of the other.");
  }
  RimMeasurements m = this->Prepare(RimMeasurements::Origin::Masks);

  const auto            width = static_cast<std::size_t>(whole.GetSize()[0]);
  const auto            height = static_cast<std::size_t>(whole.GetSize()[1]);
  const unsigned char * discPixels = discMask->GetBufferPointer();
  const unsigned char * cupPixels = cupMask != nullptr ? cupMask->GetBufferPointer() : nullptr;

  const auto isSet = [](unsigned char pixel) { return pixel != 0; };
  const auto box = PixelBox::Of(discPixels, width, height, isSet);
  bool       cupOutside = false;
  for (std::size_t k = 0; cupPixels != nullptr && !cupOutside && k < width * height; ++k)
  {
    cupOutside = isSet(cupPixels[k]) && !isSet(discPixels[k]);
  }
  if (cupOutside)
  {
    Flag(m, RimQualityFlagEnum::CupOutsideDisc);
  }
  if (!box)
  {
    SetEmpty(m, "no optic disc was segmented");
    return m;
  }

  Raster disc;
  disc.Width = box->GetWidth();
  disc.Height = box->GetHeight();
  const ImageBase<2> * raster = m_Photograph.IsNotNull() ? m_Photograph.GetPointer() : discMask;
  const double         pixel = PhotoPixel(raster);
  disc.Spacing = { { discMask->GetSpacing()[0] / pixel, discMask->GetSpacing()[1] / pixel } };
  disc.Pixels.resize(disc.Width * disc.Height);
  Raster cup = disc;
  for (std::size_t j = 0; j < disc.Height; ++j)
  {
    for (std::size_t i = 0; i < disc.Width; ++i)
    {
      const std::size_t   from = (j + box->Top) * width + i + box->Left;
      const std::size_t   to = j * disc.Width + i;
      const unsigned char label = discPixels[from];
      disc.Pixels[to] = label != 0 ? 1 : 0;
      cup.Pixels[to] = label != 0 && (cupPixels != nullptr ? cupPixels[from] != 0 : label == 2) ? 1 : 0;
    }
  }

  const Structure discStructure = MakeStructure(disc);
  const Structure cupStructure = MakeStructure(cup);
  Measure(m, discStructure, cupStructure);
  m.Missing["confidence"] = "measured from masks, which carry no confidence";

  const auto &               center = discStructure.Moments.Centroid;
  ContinuousIndex<double, 2> index;
  index[0] = static_cast<double>(whole.GetIndex()[0]) + static_cast<double>(box->Left) + center[0] / disc.Spacing[0];
  index[1] = static_cast<double>(whole.GetIndex()[1]) + static_cast<double>(box->Top) + center[1] / disc.Spacing[1];
  MaskType::PointType point;
  discMask->TransformContinuousIndexToPhysicalPoint(index, point);
  m.DiscCentroid = this->GetIndex(point);

  if (!IsStarConvex(discStructure, disc.Spacing) ||
      (!cupStructure.Contour.IsEmpty() && !IsStarConvex(cupStructure, disc.Spacing)))
  {
    Flag(m, RimQualityFlagEnum::NotStarConvex);
  }
  if (box->Left == 0 || box->Top == 0 || box->Right + 1 == width || box->Bottom + 1 == height)
  {
    Flag(m, RimQualityFlagEnum::DiscLeavesPhotograph);
  }
  // The masks may cover no more than the disc.
  FlagSizeInPhotograph(m, raster);
  return m;
}

void RimMeasurementCalculator::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "Eye: " << EyeSideToString(m_Eye) << std::endl;
  os << indent << "MicrometersPerPixel: " << m_MicrometersPerPixel << std::endl;
  os << indent << "LowConfidenceThreshold: " << m_LowConfidenceThreshold << std::endl;
  os << indent << "Photograph: " << m_Photograph.GetPointer() << std::endl;
}
} // namespace itk
