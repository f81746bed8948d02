// SPDX-License-Identifier: Apache-2.0
#ifndef itkBufferPlan_h
#define itkBufferPlan_h

#include "itkMacro.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace itk
{
namespace npsnet
{
/** \class BufferPlan
 * \brief Places in one block of memory for buffers that are needed one after the other.
 *
 * Buffers that are needed at the same time do not overlap; others share their places.
 */
class BufferPlan
{
public:
  /** A buffer that is written first in step `first` and read last in step `last`. Returns where it lies. Ask for the
   * large buffers first. */
  std::size_t Place(std::size_t size, int first, int last)
  {
    constexpr std::size_t line = 16; // of the cache, in numbers
    size = (size + line - 1) / line * line;
    std::vector<Buffer> others;
    for (const auto & buffer : m_Buffers)
    {
      if (buffer.First <= last && first <= buffer.Last)
      {
        others.push_back(buffer);
      }
    }
    std::sort(others.begin(), others.end(), [](const Buffer & a, const Buffer & b) { return a.Begin < b.Begin; });
    std::size_t begin = 0;
    for (const auto & other : others)
    {
      if (begin + size <= other.Begin)
      {
        break;
      }
      begin = std::max(begin, other.Begin + other.Size);
    }
    m_Buffers.push_back({ begin, size, first, last });
    m_Size = std::max(m_Size, begin + size);
    return begin;
  }

  std::size_t GetSize() const { return m_Size; }

private:
  struct Buffer
  {
    std::size_t Begin, Size;
    int         First, Last;
  };
  std::vector<Buffer> m_Buffers;
  std::size_t         m_Size{ 0 };
};
} // namespace npsnet
} // namespace itk

#endif
