// SPDX-License-Identifier: Apache-2.0
#ifndef itkFundusPlacement_h
#define itkFundusPlacement_h

#include "itkFundusPhotographAnalyzer.h"
#include "itkFundusRegion.h"
#include "itkOpticNerveHeadLocator.h"

#include <functional>
#include <optional>

namespace itk
{
/** \class FundusPlacement
 * \brief Where a photograph is analyzed first: at the click, at the given region, where the locator points, or as a
 * whole.
 */
struct FundusPlacement
{
  FundusRegion          Region;
  FundusResult::Locator Localisation;
  bool                  Found{ true };
  bool                  Certain{ true };
  /** What the locator found with certainty beside a given centre. */
  std::optional<OpticNerveHeadLocator::Location> Other;

  /** Asked only when the options leave something open; null when no locator is installed. */
  using LocatorFunction = std::function<OpticNerveHeadLocator::ConstPointer()>;

  /** Throws itk::ExceptionObject with one sentence when the options make no sense. */
  static FundusPlacement Find(const FundusPhotograph *        photograph,
                              const FundusPhotographOptions & options,
                              bool                            locate,
                              const LocatorFunction &         locator);

  /** The region that the network was trained on, about a disc; false when there is none. */
  static bool FitToDisc(const NestedPolarBoundary * boundary, FundusRegion & region);
};
} // namespace itk

#endif
