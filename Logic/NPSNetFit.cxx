// SPDX-License-Identifier: Apache-2.0
#include "NPSNetFit.h"

#include "itkImageRegionConstIteratorWithIndex.h"
#include "itkMath.h"
#include "itkNestedPolarBoundaryToLabelImageFilter.h"
#include "itkRegularizeNestedPolarBoundary.h"
#include "itkSignedMaurerDistanceMapImageFilter.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace npsnet
{
namespace
{
constexpr std::size_t NumberOfAngles = 360;
constexpr double Step = 0.1; // photo pixels

using PointType = MaskImage::PointType;

/// Centroid, or the innermost pixel when the centroid lies outside.
PointType FindAnchor(const MaskImage* mask)
{
  using Iterator = itk::ImageRegionConstIteratorWithIndex<MaskImage>;
  PointType centroid;
  centroid.Fill(0.0);
  double count = 0.0;
  for (Iterator it(mask, mask->GetBufferedRegion()); !it.IsAtEnd(); ++it)
  {
    if (it.Get() != 0)
    {
      PointType point;
      mask->TransformIndexToPhysicalPoint(it.GetIndex(), point);
      centroid[0] += point[0];
      centroid[1] += point[1];
      ++count;
    }
  }
  centroid[0] /= count;
  centroid[1] /= count;
  MaskImage::IndexType index;
  if (mask->TransformPhysicalPointToIndex(centroid, index) && mask->GetPixel(index) != 0)
  {
    return centroid;
  }
  using Distance = itk::SignedMaurerDistanceMapImageFilter<MaskImage, itk::Image<float, 2>>;
  auto distance = Distance::New();
  distance->SetInput(mask);
  distance->SetUseImageSpacing(true);
  distance->SetInsideIsPositive(true);
  distance->Update();
  itk::ImageRegionConstIteratorWithIndex<itk::Image<float, 2>> it(
    distance->GetOutput(), distance->GetOutput()->GetBufferedRegion());
  MaskImage::IndexType deepest = it.GetIndex();
  for (float most = it.Get(); !it.IsAtEnd(); ++it)
  {
    if (it.Get() > most)
    {
      most = it.Get();
      deepest = it.GetIndex();
    }
  }
  PointType anchor;
  mask->TransformIndexToPhysicalPoint(deepest, anchor);
  return anchor;
}

/// Bilinear, zero outside.
double Evaluate(const MaskImage* mask, double x, double y)
{
  const auto size = mask->GetBufferedRegion().GetSize();
  const double u = (x - mask->GetOrigin()[0]) / mask->GetSpacing()[0];
  const double v = (y - mask->GetOrigin()[1]) / mask->GetSpacing()[1];
  const long i = static_cast<long>(std::floor(u));
  const long j = static_cast<long>(std::floor(v));
  const unsigned char* pixels = mask->GetBufferPointer();
  const auto at = [&](long a, long b)
  {
    return a >= 0 && b >= 0 && a < static_cast<long>(size[0]) && b < static_cast<long>(size[1])
             ? (pixels[static_cast<std::size_t>(b) * size[0] + static_cast<std::size_t>(a)] != 0 ? 1.0 : 0.0)
             : 0.0;
  };
  const double s = u - static_cast<double>(i);
  const double t = v - static_cast<double>(j);
  return (1 - t) * ((1 - s) * at(i, j) + s * at(i + 1, j)) + t * ((1 - s) * at(i, j + 1) + s * at(i + 1, j + 1));
}

double GetLengthInside(const MaskImage* mask, const PointType& anchor, double theta, double reach)
{
  const double dx = std::cos(theta);
  const double dy = std::sin(theta);
  const auto steps = static_cast<std::size_t>(std::ceil(reach / Step));
  std::size_t inside = 0;
  for (std::size_t k = 0; k < steps; ++k)
  {
    const double rho = (static_cast<double>(k) + 0.5) * Step;
    inside += Evaluate(mask, anchor[0] + rho * dx, anchor[1] + rho * dy) >= 0.5 ? 1 : 0;
  }
  return static_cast<double>(inside) * Step;
}
} // namespace

itk::NestedPolarBoundary::Pointer FitBoundary(const Masks& masks, const PhotoGeometry& geometry)
{
  if (IsEmpty(masks.Disc))
  {
    throw std::runtime_error("There is no optic disc to fit: paint the segment \"Optic disc\" first.");
  }
  const bool hasCup = !IsEmpty(masks.Cup);
  const PointType anchor = FindAnchor(hasCup ? masks.Cup : masks.Disc);
  const auto size = masks.Disc->GetBufferedRegion().GetSize();
  double reach = 0.0;
  for (const double x : {0.0, size[0] - 1.0})
  {
    for (const double y : {0.0, size[1] - 1.0})
    {
      reach = std::max(reach, std::hypot(masks.Disc->GetOrigin()[0] + x * masks.Disc->GetSpacing()[0] - anchor[0],
                                masks.Disc->GetOrigin()[1] + y * masks.Disc->GetSpacing()[1] - anchor[1]));
    }
  }
  reach += 1.0;

  itk::NestedPolarBoundary::ProfileType disc(NumberOfAngles);
  itk::NestedPolarBoundary::ProfileType cup(NumberOfAngles);
  for (std::size_t i = 0; i < NumberOfAngles; ++i)
  {
    const double theta = itk::Math::twopi * static_cast<double>(i) / static_cast<double>(NumberOfAngles);
    const double cupLength = hasCup ? GetLengthInside(masks.Cup, anchor, theta, reach) : 0.0;
    const double discLength = GetLengthInside(masks.Disc, anchor, theta, reach);
    disc[i] = std::min(std::max(discLength, cupLength) / reach, 1.0);
    cup[i] = std::min(cupLength / reach, disc[i]);
  }
  auto boundary = itk::NestedPolarBoundary::New();
  itk::NestedPolarBoundary::PointType center;
  center[0] = anchor[0];
  center[1] = anchor[1];
  boundary->SetAnchor(center);
  boundary->SetRadius(reach);
  boundary->SetRadii(disc, cup);
  return itk::RegularizeNestedPolarBoundary(boundary, MakeRaster(geometry));
}

Masks RasterizeBoundary(const itk::NestedPolarBoundary* boundary, const PhotoGeometry& geometry)
{
  Polygon outline;
  for (const auto& point : boundary->GetDiscContour())
  {
    outline.push_back({{point[0], point[1]}});
  }
  Masks masks = MakeMasksAround(outline, geometry);
  auto filter = itk::NestedPolarBoundaryToLabelImageFilter::New();
  filter->SetBoundary(boundary);
  filter->SetReferenceImage(masks.Disc);
  filter->Update();
  const unsigned char* label = filter->GetOutput()->GetBufferPointer();
  for (std::size_t i = 0; i < masks.Disc->GetBufferedRegion().GetNumberOfPixels(); ++i)
  {
    masks.Disc->GetBufferPointer()[i] = label[i] > 0 ? 1 : 0;
    masks.Cup->GetBufferPointer()[i] = label[i] == 2 ? 1 : 0;
  }
  return masks;
}

itk::Image<unsigned char, 2>::Pointer MakeLabels(const Masks& masks, const itk::Image<unsigned char, 2>* raster)
{
  auto labels = itk::Image<unsigned char, 2>::New();
  labels->CopyInformation(raster);
  labels->SetRegions(raster->GetLargestPossibleRegion());
  labels->Allocate(true);
  const auto size = masks.Disc->GetBufferedRegion().GetSize();
  itk::Index<2> index;
  for (index[1] = 0; index[1] < static_cast<itk::IndexValueType>(size[1]); ++index[1])
  {
    for (index[0] = 0; index[0] < static_cast<itk::IndexValueType>(size[0]); ++index[0])
    {
      if (masks.Disc->GetPixel(index) != 0)
      {
        labels->SetPixel({{index[0] + masks.X, index[1] + masks.Y}}, masks.Cup->GetPixel(index) != 0 ? 2 : 1);
      }
    }
  }
  return labels;
}

itk::Image<unsigned char, 2>::Pointer MakeRaster(const PhotoGeometry& geometry)
{
  auto raster = itk::Image<unsigned char, 2>::New();
  itk::Image<unsigned char, 2>::RegionType region;
  region.SetSize({{geometry.GetUprightSize()[0], geometry.GetUprightSize()[1]}});
  raster->SetRegions(region);
  raster->SetSpacing(geometry.GetUprightSpacing().data());
  return raster;
}
} // namespace npsnet
