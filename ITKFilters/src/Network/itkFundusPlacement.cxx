// SPDX-License-Identifier: Apache-2.0
#include "itkFundusPlacement.h"
#include "itkNPSNetThrow.h"
#include "itkOpticNerveHeadRegionFilter.h"
#include "itkPolarFrame.h"

#include "itkMath.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace itk
{
namespace
{
/** Without a locator a click says where the disc is, not how large: this share of the photograph's smaller side holds
 * it with room to spare at the usual 30 to 50 degrees, and the second pass fits the crop to it. */
constexpr double DefaultSideShare = 0.32;

void UseClick(const FundusPhotograph *           photograph,
              const ContinuousIndex<double, 2> & click,
              FundusPlacement &                  placement)
{
  if (!std::isfinite(click[0]) || !std::isfinite(click[1]))
  {
    npsnetThrow("The centre must be two finite numbers.");
  }
  if (!photograph->IsInside(click))
  {
    const auto size = photograph->GetImage()->GetBufferedRegion().GetSize();
    npsnetThrow("The centre " << click[0] << ", " << click[1] << " lies outside the photograph of " << size[0] << " x "
                              << size[1] << " pixels: give a point near the optic disc.");
  }
  placement.Region.Center = photograph->IndexToPoint(click);
  placement.Localisation.Method = "user";
  placement.Localisation.Center = click;
}
} // namespace

FundusPlacement FundusPlacement::Find(const FundusPhotograph *        photograph,
                                      const FundusPhotographOptions & options,
                                      bool                            locate,
                                      const LocatorFunction &         getLocator)
{
  const auto *    image = photograph->GetImage();
  FundusPlacement placement;
  FundusRegion &  region = placement.Region;
  auto &          localisation = placement.Localisation;
  region.Center = PolarFrame::DefaultCenter(image);
  region.Side = 2.0 * PolarFrame::DefaultRadius(image);
  if (options.Side && !(std::isfinite(*options.Side) && *options.Side > 0.0))
  {
    npsnetThrow("The side of the region must be a positive number of pixels, not " << *options.Side << '.');
  }
  if (!locate || (options.Center && options.Side))
  {
    localisation.Method = "crop";
    if (options.Center)
    {
      UseClick(photograph, *options.Center, placement);
    }
    region.Side = options.Side.value_or(region.Side);
    return placement;
  }

  const auto locator = getLocator();
  if (locator.IsNull() && !options.Center)
  {
    npsnetThrow("The locator model Models/onh-locator.safetensors is not installed: give the centre of the optic disc "
                "(--center X,Y), or --no-locate for a photograph that is already a crop centred on it.");
  }
  OpticNerveHeadLocator::Location location;
  FundusRegion                    located;
  if (locator.IsNotNull())
  {
    auto stage = OpticNerveHeadRegionFilter::New();
    stage->SetInput(image);
    stage->SetLocator(locator);
    stage->Update();
    location = stage->GetLocation();
    located = stage->GetOutput()->Get();
    localisation.ModelSHA256 = locator->GetModelSHA256();
    localisation.Method = "network";
    localisation.Confidence = location.Confidence;
    if (location.Found)
    {
      localisation.Center = photograph->PointToIndex(location.Center);
      localisation.Diameter = location.Diameter;
    }
  }
  if (options.Center)
  {
    // The locator knows the size when it means the same disc.
    UseClick(photograph, *options.Center, placement);
    if (location.Found && location.Certain)
    {
      placement.Other = location;
    }
    const bool same = location.Found && region.Center.EuclideanDistanceTo(location.Center) < location.Diameter;
    region.Side = same ? located.Side : DefaultSideShare * region.Side;
    return placement;
  }
  placement.Found = location.Found;
  placement.Certain = location.Certain;
  region.Center = located.Center;
  region.Side = options.Side.value_or(located.Side);
  return placement;
}

bool FundusPlacement::FitToDisc(const NestedPolarBoundary * boundary, FundusRegion & region)
{
  if (boundary->IsDiscEmpty())
  {
    return false;
  }
  // Along the boundary's own axes, as the crop is cut.
  const auto &          radii = boundary->GetDiscRadii();
  std::array<double, 2> low{ { 0.0, 0.0 } };
  std::array<double, 2> high{ { 0.0, 0.0 } };
  for (std::size_t i = 0; i < radii.size(); ++i)
  {
    const double theta = Math::twopi * static_cast<double>(i) / static_cast<double>(radii.size());
    const double offset[] = { radii[i] * std::cos(theta), radii[i] * std::sin(theta) };
    for (unsigned int k = 0; k < 2; ++k)
    {
      low[k] = std::min(low[k], offset[k]);
      high[k] = std::max(high[k], offset[k]);
    }
  }
  const auto & axes = boundary->GetAxes();
  for (unsigned int k = 0; k < 2; ++k)
  {
    region.Center[k] = boundary->GetAnchor()[k] + 0.5 * boundary->GetRadius() *
                                                    (axes(k, 0) * (low[0] + high[0]) + axes(k, 1) * (low[1] + high[1]));
  }
  region.Side = OpticNerveHeadRegionFilter::DefaultSidePerDiameter * boundary->GetRadius() *
                std::max(high[0] - low[0], high[1] - low[1]);
  return region.Side > 0.0;
}
} // namespace itk
