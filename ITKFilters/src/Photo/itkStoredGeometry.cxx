// SPDX-License-Identifier: Apache-2.0
#include "itkStoredGeometry.h"

#include "itkMacro.h"

#include <vnl/vnl_inverse.h>

#include <algorithm>
#include <utility>

namespace itk
{
namespace
{
/** What an EXIF orientation does to rows and columns: they may change places, then each may run backwards. */
struct Turn
{
  bool Swap;
  bool FlipX; // of the upright raster
  bool FlipY;
};

Turn GetTurn(unsigned int orientation)
{
  static constexpr Turn turns[] = { { false, false, false }, { false, true, false }, { false, true, true },
                                    { false, false, true },  { true, false, false }, { true, true, false },
                                    { true, true, true },    { true, false, true } };
  if (orientation < 1 || orientation > 8)
  {
    itkGenericExceptionMacro("An EXIF orientation is 1 to 8, not " << orientation << '.');
  }
  return turns[orientation - 1];
}

template <typename TIndex>
TIndex ToUpright(const StoredGeometry & geometry, TIndex index)
{
  using ValueType = std::decay_t<decltype(index[0])>;
  const Turn turn = GetTurn(geometry.Orientation);
  const auto size = geometry.GetUprightSize();
  if (turn.Swap)
  {
    std::swap(index[0], index[1]);
  }
  index[0] = turn.FlipX ? static_cast<ValueType>(size[0]) - 1 - index[0] : index[0];
  index[1] = turn.FlipY ? static_cast<ValueType>(size[1]) - 1 - index[1] : index[1];
  return index;
}

template <typename TIndex>
TIndex ToStored(const StoredGeometry & geometry, TIndex index)
{
  using ValueType = std::decay_t<decltype(index[0])>;
  const Turn turn = GetTurn(geometry.Orientation);
  const auto size = geometry.GetUprightSize();
  index[0] = turn.FlipX ? static_cast<ValueType>(size[0]) - 1 - index[0] : index[0];
  index[1] = turn.FlipY ? static_cast<ValueType>(size[1]) - 1 - index[1] : index[1];
  if (turn.Swap)
  {
    std::swap(index[0], index[1]);
  }
  return index;
}
} // namespace

std::array<unsigned, 2> StoredGeometry::GetUprightSize() const
{
  return Orientation > 4 ? std::array<unsigned, 2>{ { Size[1], Size[0] } } : Size;
}

StoredGeometry::ContinuousIndexType StoredGeometry::StoredToUpright(const ContinuousIndexType & stored) const
{
  return ToUpright(*this, stored);
}

StoredGeometry::ContinuousIndexType StoredGeometry::UprightToStored(const ContinuousIndexType & upright) const
{
  return ToStored(*this, upright);
}

StoredGeometry::IndexType StoredGeometry::StoredToUpright(const IndexType & stored) const
{
  return ToUpright(*this, stored);
}

StoredGeometry::IndexType StoredGeometry::UprightToStored(const IndexType & upright) const
{
  return ToStored(*this, upright);
}

StoredGeometry::ContinuousIndexType StoredGeometry::PhysicalToUpright(const PhysicalPointType & point) const
{
  vnl_matrix_fixed<double, 3, 3> direction;
  std::copy(Direction.begin(), Direction.end(), direction.data_block());
  vnl_vector_fixed<double, 3> offset;
  for (unsigned int k = 0; k < 3; ++k)
  {
    offset[k] = point[k] - Origin[k];
  }
  const vnl_vector_fixed<double, 3> along = vnl_inverse(direction) * offset;
  ContinuousIndexType               stored;
  stored[0] = along[0] / Spacing[0];
  stored[1] = along[1] / Spacing[1];
  return this->StoredToUpright(stored);
}
} // namespace itk
