// SPDX-License-Identifier: Apache-2.0
#ifndef itkAlignedFloats_h
#define itkAlignedFloats_h

#include "itkMacro.h"

#include <cstddef>
#include <new>
#include <utility>

namespace itk
{
namespace npsnet
{
/** \class AlignedFloats
 * \brief Numbers that begin at a cache line; their values are not set.
 */
class AlignedFloats
{
public:
  AlignedFloats() = default;
  explicit AlignedFloats(std::size_t size)
    : m_Data(static_cast<float *>(::operator new(size * sizeof(float), Alignment)))
    , m_Size(size)
  {}
  AlignedFloats(AlignedFloats && other) noexcept { this->Swap(other); }
  AlignedFloats & operator=(AlignedFloats && other) noexcept
  {
    this->Swap(other);
    return *this;
  }
  AlignedFloats(const AlignedFloats &) = delete;
  AlignedFloats & operator=(const AlignedFloats &) = delete;
  ~AlignedFloats() { ::operator delete(m_Data, Alignment); }

  float *       data() { return m_Data; }
  const float * data() const { return m_Data; }
  std::size_t   size() const { return m_Size; }

  /** Forgets the values when it has to grow. */
  float * Reserve(std::size_t size)
  {
    if (size > m_Size)
    {
      *this = AlignedFloats(size);
    }
    return m_Data;
  }

private:
  void Swap(AlignedFloats & other) noexcept
  {
    std::swap(m_Data, other.m_Data);
    std::swap(m_Size, other.m_Size);
  }

  static constexpr std::align_val_t Alignment{ 64 };

  float *     m_Data{ nullptr };
  std::size_t m_Size{ 0 };
};
} // namespace npsnet
} // namespace itk

#endif
