// SPDX-License-Identifier: Apache-2.0
#include "itkRegularizeNestedPolarBoundary.h"
#include "itkNestedLabelValidity.h"
#include "itkPolarRaster.h"

#include <algorithm>

namespace itk
{
namespace
{
using ProfileType = NestedPolarBoundary::ProfileType;

/** Summed in the same order everywhere, so that a profile below another one stays below it. */
ProfileType CircularMean(const ProfileType & radii, std::size_t window)
{
  const std::size_t n = radii.size();
  ProfileType       mean(n);
  if (window >= n)
  {
    double sum = 0.0;
    for (const double r : radii)
    {
      sum += r;
    }
    std::fill(mean.begin(), mean.end(), std::min(sum / static_cast<double>(n), 1.0));
    return mean;
  }
  const std::size_t half = window / 2;
  for (std::size_t i = 0; i < n; ++i)
  {
    double sum = 0.0;
    for (std::size_t k = 0; k < window; ++k)
    {
      sum += radii[(i + n - half + k) % n];
    }
    mean[i] = std::min(sum / static_cast<double>(window), 1.0);
  }
  return mean;
}

ProfileType Limit(ProfileType radii, const ProfileType & limit)
{
  std::transform(
    radii.begin(), radii.end(), limit.begin(), radii.begin(), [](double a, double b) { return std::min(a, b); });
  return radii;
}

/** The narrowest mean of `radii`, limited by `limit`, whose raster is whole; returns the window, 0 when emptied. */
std::size_t MakeWhole(const PolarRaster & raster, ProfileType & radii, const ProfileType & limit)
{
  const std::size_t n = radii.size();
  const ProfileType original = radii;
  const auto        accept = [&](ProfileType candidate) {
    const auto mask = raster.Rasterize(candidate, limit);
    const auto structure =
      NestedLabelValidity::CheckMask(mask.data(), raster.GetWidth(), raster.GetHeight(), raster.GetAnchor());
    if (structure.Empty || !structure.IsWhole())
    {
      return false;
    }
    radii = std::move(candidate);
    return true;
  };
  if (raster.GetWidth() > 0)
  {
    if (accept(Limit(original, limit)))
    {
      return 1;
    }
    for (std::size_t window = 3; window < n; window = 2 * window - 1)
    {
      if (accept(Limit(CircularMean(original, window), limit)))
      {
        return window;
      }
    }
    const ProfileType circle = CircularMean(original, n);
    if (accept(Limit(circle, limit)))
    {
      return n;
    }
    // Even the circle may be cut to pieces by its limit; a circle inside the limit cannot be.
    const double smallest = std::min(circle.front(), *std::min_element(limit.begin(), limit.end()));
    if (accept(ProfileType(n, smallest)))
    {
      return n;
    }
  }
  std::fill(radii.begin(), radii.end(), 0.0);
  return 0;
}
} // namespace

NestedPolarBoundary::Pointer RegularizeNestedPolarBoundary(const NestedPolarBoundary *         boundary,
                                                           const ImageBase<2> *                image,
                                                           NestedPolarBoundaryRegularization * done)
{
  if (boundary == nullptr || image == nullptr)
  {
    itkGenericExceptionMacro("A boundary and the image whose raster it shall fit are needed.");
  }
  NestedPolarBoundaryRegularization report;
  auto                              result = NestedPolarBoundary::New();
  result->Graft(boundary);
  ProfileType disc = boundary->GetDiscRadii();
  ProfileType cup = boundary->GetCupRadii();
  if (!boundary->IsDiscEmpty())
  {
    const double      reach = *std::max_element(disc.begin(), disc.end());
    const PolarRaster raster(*boundary, disc.size(), reach, image);
    report.DiscWindow = MakeWhole(raster, disc, ProfileType(disc.size(), 1.0));
    cup = Limit(std::move(cup), disc);
    if (std::any_of(cup.begin(), cup.end(), [](double r) { return r > 0.0; }))
    {
      report.CupWindow = MakeWhole(raster, cup, disc);
    }
    else
    {
      report.CupWindow = boundary->IsCupEmpty() ? 1 : 0;
    }
    if (disc != boundary->GetDiscRadii() || cup != boundary->GetCupRadii())
    {
      result->SetRadii(std::move(disc), std::move(cup));
    }
  }
  if (done != nullptr)
  {
    *done = report;
  }
  return result;
}
} // namespace itk
