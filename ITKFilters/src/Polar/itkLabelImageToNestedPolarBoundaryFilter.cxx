// SPDX-License-Identifier: Apache-2.0
#include "itkLabelImageToNestedPolarBoundaryFilter.h"
#include "itkNPSNetThrow.h"

#include "itkImageRegionConstIteratorWithIndex.h"
#include "itkMath.h"
#include "itkSignedMaurerDistanceMapImageFilter.h"

#include <algorithm>
#include <cmath>

namespace itk
{
namespace
{
using LabelImageType = LabelImageToNestedPolarBoundaryFilter::LabelImageType;
using PointType = LabelImageType::PointType;

/** A structure is all pixels whose label is at least the given one. */
constexpr unsigned char Disc = 1;
constexpr unsigned char Cup = 2;

/** Sum and number of its pixel centres. */
struct Foreground
{
  double        X{ 0.0 };
  double        Y{ 0.0 };
  SizeValueType Count{ 0 };
};

Foreground FindForeground(const LabelImageType * labels, unsigned char structure)
{
  using Iterator = ImageRegionConstIteratorWithIndex<LabelImageType>;
  Foreground foreground;
  for (Iterator it(labels, labels->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    if (it.Get() >= structure)
    {
      PointType point;
      labels->TransformIndexToPhysicalPoint(it.GetIndex(), point);
      foreground.X += point[0];
      foreground.Y += point[1];
      ++foreground.Count;
    }
  }
  return foreground;
}

/** Centroid, or the innermost pixel when the centroid lies outside. */
PointType FindAnchor(const LabelImageType * labels, unsigned char structure, const Foreground & foreground)
{
  PointType centroid;
  centroid[0] = foreground.X / static_cast<double>(foreground.Count);
  centroid[1] = foreground.Y / static_cast<double>(foreground.Count);
  LabelImageType::IndexType index;
  if (labels->TransformPhysicalPointToIndex(centroid, index) && labels->GetPixel(index) >= structure)
  {
    return centroid;
  }
  auto mask = LabelImageType::New();
  mask->CopyInformation(labels);
  mask->SetRegions(labels->GetBufferedRegion());
  mask->Allocate();
  const unsigned char * first = labels->GetBufferPointer();
  std::transform(first,
                 first + labels->GetBufferedRegion().GetNumberOfPixels(),
                 mask->GetBufferPointer(),
                 [structure](unsigned char label) { return label >= structure ? 1 : 0; });
  using DistanceType = Image<float, 2>;
  auto distance = SignedMaurerDistanceMapImageFilter<LabelImageType, DistanceType>::New();
  distance->SetInput(mask);
  distance->SetUseImageSpacing(true);
  distance->SetInsideIsPositive(true);
  distance->Update();
  ImageRegionConstIteratorWithIndex<DistanceType> it(distance->GetOutput(), distance->GetOutput()->GetBufferedRegion());
  LabelImageType::IndexType                       deepest = it.GetIndex();
  for (float most = it.Get(); !it.IsAtEnd(); ++it)
  {
    if (it.Get() > most)
    {
      most = it.Get();
      deepest = it.GetIndex();
    }
  }
  PointType anchor;
  labels->TransformIndexToPhysicalPoint(deepest, anchor);
  return anchor;
}

/** Bilinear, zero outside. */
double Evaluate(const LabelImageType * labels, unsigned char structure, const PointType & point)
{
  ContinuousIndex<double, 2> place;
  labels->TransformPhysicalPointToContinuousIndex(point, place);
  const auto                region = labels->GetBufferedRegion();
  LabelImageType::IndexType low;
  double                    weight[2];
  for (unsigned int k = 0; k < 2; ++k)
  {
    low[k] = static_cast<IndexValueType>(std::floor(place[k]));
    weight[k] = place[k] - static_cast<double>(low[k]);
  }
  const auto at = [&](IndexValueType dx, IndexValueType dy) {
    const LabelImageType::IndexType index{ { low[0] + dx, low[1] + dy } };
    return region.IsInside(index) && labels->GetPixel(index) >= structure ? 1.0 : 0.0;
  };
  return (1 - weight[1]) * ((1 - weight[0]) * at(0, 0) + weight[0] * at(1, 0)) +
         weight[1] * ((1 - weight[0]) * at(0, 1) + weight[0] * at(1, 1));
}
} // namespace

LabelImageToNestedPolarBoundaryFilter::LabelImageToNestedPolarBoundaryFilter()
{
  this->SetNumberOfRequiredInputs(1);
}

void LabelImageToNestedPolarBoundaryFilter::SetInput(const LabelImageType * labels)
{
  this->SetPrimaryInput(const_cast<LabelImageType *>(labels));
}

const LabelImageType * LabelImageToNestedPolarBoundaryFilter::GetInput() const
{
  return static_cast<const LabelImageType *>(this->GetPrimaryInput());
}

void LabelImageToNestedPolarBoundaryFilter::VerifyPreconditions() ITKv5_CONST
{
  Superclass::VerifyPreconditions();
  if (!(m_Step > 0.0) || !std::isfinite(m_Step))
  {
    npsnetThrow("The step along a ray must be a positive length, not " << m_Step << '.');
  }
}

void LabelImageToNestedPolarBoundaryFilter::GenerateData()
{
  const LabelImageType * labels = this->GetInput();
  const Foreground       disc = FindForeground(labels, Disc);
  if (disc.Count == 0)
  {
    npsnetThrow("The labels hold no optic disc: nothing can be fitted.");
  }
  const Foreground cup = FindForeground(labels, Cup);
  const bool       hasCup = cup.Count > 0;
  const PointType  anchor = hasCup ? FindAnchor(labels, Cup, cup) : FindAnchor(labels, Disc, disc);

  const auto region = labels->GetBufferedRegion();
  double     reach = 0.0;
  for (const IndexValueType x : { region.GetIndex(0), region.GetUpperIndex()[0] })
  {
    for (const IndexValueType y : { region.GetIndex(1), region.GetUpperIndex()[1] })
    {
      PointType corner;
      labels->TransformIndexToPhysicalPoint({ { x, y } }, corner);
      reach = std::max(reach, anchor.EuclideanDistanceTo(corner));
    }
  }
  reach += std::max(labels->GetSpacing()[0], labels->GetSpacing()[1]);

  const auto steps = static_cast<std::size_t>(std::ceil(reach / m_Step));
  const auto lengthInside = [&](unsigned char structure, double theta) {
    std::size_t inside = 0;
    for (std::size_t k = 0; k < steps; ++k)
    {
      const double rho = (static_cast<double>(k) + 0.5) * m_Step;
      PointType    point;
      point[0] = anchor[0] + rho * std::cos(theta);
      point[1] = anchor[1] + rho * std::sin(theta);
      inside += Evaluate(labels, structure, point) >= 0.5 ? 1 : 0;
    }
    return static_cast<double>(inside) * m_Step;
  };
  NestedPolarBoundary::ProfileType discRadii(m_NumberOfAngles);
  NestedPolarBoundary::ProfileType cupRadii(m_NumberOfAngles);
  for (unsigned int i = 0; i < m_NumberOfAngles; ++i)
  {
    const double theta = Math::twopi * i / m_NumberOfAngles;
    const double cupLength = hasCup ? lengthInside(Cup, theta) : 0.0;
    discRadii[i] = std::min(std::max(lengthInside(Disc, theta), cupLength) / reach, 1.0);
    cupRadii[i] = std::min(cupLength / reach, discRadii[i]);
  }
  NestedPolarBoundary * boundary = this->GetOutput();
  boundary->Initialize();
  boundary->SetAnchor(anchor);
  boundary->SetRadius(reach);
  boundary->SetRadii(std::move(discRadii), std::move(cupRadii));
}

void LabelImageToNestedPolarBoundaryFilter::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "NumberOfAngles: " << m_NumberOfAngles << std::endl;
  os << indent << "Step: " << m_Step << std::endl;
}
} // namespace itk
