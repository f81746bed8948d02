// SPDX-License-Identifier: Apache-2.0
#ifndef itkFundusRegion_h
#define itkFundusRegion_h

#include "itkPoint.h"
#include "itkSimpleDataObjectDecorator.h"

#include <ostream>

namespace itk
{
/** \class FundusRegion
 * \brief The square of a photograph that is analyzed, in its physical space; Side 0: the largest centred square.
 * \ingroup NPSNet
 */
struct FundusRegion
{
  Point<double, 2> Center{};
  double           Side{ 0.0 };
};

inline bool operator==(const FundusRegion & a, const FundusRegion & b)
{
  return a.Center == b.Center && a.Side == b.Side;
}

inline bool operator!=(const FundusRegion & a, const FundusRegion & b)
{
  return !(a == b);
}

inline std::ostream & operator<<(std::ostream & os, const FundusRegion & region)
{
  return os << region.Side << " about " << region.Center;
}

/** As the output of a stage and the input of the next. */
using FundusRegionObject = SimpleDataObjectDecorator<FundusRegion>;
} // namespace itk

#endif
