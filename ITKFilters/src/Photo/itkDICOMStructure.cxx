// SPDX-License-Identifier: Apache-2.0
#include "itkDICOMStructure.h"

#include <cstdint>
#include <cstring>
#include <string>

namespace itk
{
namespace
{
constexpr std::uint32_t Undefined = 0xFFFFFFFF;
constexpr std::uint32_t Item = 0xFFFEE000;
constexpr std::uint32_t EndOfItem = 0xFFFEE00D;
constexpr std::uint32_t EndOfSequence = 0xFFFEE0DD;
constexpr std::uint32_t PixelData = 0x7FE00010;
constexpr std::uint32_t GroupLength = 0x00020000;
constexpr std::uint32_t TransferSyntax = 0x00020010;
constexpr int         DeepestNesting = 64; // readers follow sequences by recursion: thousands of levels end the program
constexpr std::size_t MostElements = 4000000;

class Walker
{
public:
  Walker(const unsigned char * bytes, std::size_t size)
    : m_Bytes(bytes)
    , m_Size(size)
  {}

  enum class Result
  {
    Whole,
    EndsEarly, // or damaged
    Unknown
  };

  Result Walk()
  {
    m_At = 132;
    std::string syntax;
    std::size_t end = 0; // of the file meta information, by its own group length: GDCM believes it
    while (this->Left() >= 8 && this->Number(m_At, 2) == 2) // the file meta information is always explicit
    {
      Element      element;
      const Result result = this->ReadHeader(element, true);
      if (result != Result::Whole || element.Length > this->Left())
      {
        return Result::EndsEarly;
      }
      if (element.Tag == GroupLength && element.Length == 4)
      {
        end = m_At + 4 + this->Number(m_At, 4);
      }
      if (element.Tag == TransferSyntax)
      {
        syntax.assign(reinterpret_cast<const char *>(m_Bytes + m_At), element.Length);
        syntax.resize(std::strlen(syntax.c_str()));
      }
      m_At += element.Length;
    }
    const std::string standard = "1.2.840.10008.1.2";
    if (syntax.compare(0, standard.size(), standard) != 0 || (end != 0 && end != m_At))
    {
      return Result::EndsEarly;
    }
    if (syntax == "1.2.840.10008.1.2.2" || syntax == "1.2.840.10008.1.2.1.99")
    {
      return Result::Unknown; // big endian, deflated
    }
    m_Explicit = syntax != standard;
    return this->WalkDataSet(0, 0);
  }

  bool        IsTooDeep() const { return m_IsTooDeep; }
  bool        HasNoPixels() const { return m_HasNoPixels; }
  std::size_t GetPixelLength() const { return m_PixelLength; }

private:
  struct Element
  {
    std::uint32_t Tag;
    std::uint32_t Length;
    bool          HoldsFragments; // instead of items with elements
    bool          IsSequence;
  };

  std::size_t Left() const { return m_Size - m_At; }

  std::uint32_t Number(std::size_t at, int length) const
  {
    std::uint32_t value = 0;
    for (int i = 0; i < length; ++i)
    {
      value |= static_cast<std::uint32_t>(m_Bytes[at + i]) << (8 * i);
    }
    return value;
  }

  Result ReadHeader(Element & element, bool isExplicit)
  {
    if (this->Left() < 8)
    {
      return Result::EndsEarly;
    }
    if (++m_NumberOfElements > MostElements) // lengths that lie can lead over the same bytes again and again
    {
      m_IsTooDeep = true;
      return Result::EndsEarly;
    }
    element.Tag = this->Number(m_At, 2) << 16 | this->Number(m_At + 2, 2);
    element.HoldsFragments = element.Tag == PixelData;
    element.IsSequence = false;
    if (!isExplicit || element.Tag >> 16 == 0xFFFE)
    {
      element.Length = this->Number(m_At + 4, 4);
      m_At += 8;
      element.IsSequence = element.Tag >> 16 != 0xFFFE && this->Left() >= 8 &&
                           (this->Number(m_At, 2) << 16 | this->Number(m_At + 2, 2)) == Item;
      return Result::Whole;
    }
    const std::string vr(reinterpret_cast<const char *>(m_Bytes + m_At + 4), 2);
    if (vr[0] < 'A' || vr[0] > 'Z' || vr[1] < 'A' || vr[1] > 'Z')
    {
      return Result::Unknown;
    }
    static const std::string longForms = "OB OD OF OL OV OW SQ SV UC UN UR UT UV ";
    if (longForms.find(vr + ' ') == std::string::npos)
    {
      element.Length = this->Number(m_At + 6, 2);
      m_At += 8;
      return Result::Whole;
    }
    if (this->Left() < 12)
    {
      return Result::EndsEarly;
    }
    element.Length = this->Number(m_At + 8, 4);
    element.HoldsFragments = element.Tag == PixelData || vr[0] == 'O';
    element.IsSequence = vr == "SQ";
    m_At += 12;
    return Result::Whole;
  }

  /** Until `end` (0: the file's end), or until the delimiter of an item of undefined length. */
  Result WalkDataSet(std::size_t end, int depth)
  {
    if (depth > DeepestNesting)
    {
      m_IsTooDeep = true;
      return Result::EndsEarly;
    }
    while (end == 0 ? this->Left() >= 8 : m_At < end)
    {
      Element      element;
      const Result result = this->ReadHeader(element, m_Explicit);
      if (result != Result::Whole)
      {
        // Inside a sequence of type UN elements may be implicit; at the top a wrong type is damage.
        return depth == 0 ? Result::EndsEarly : result;
      }
      if (element.Tag == EndOfItem)
      {
        return Result::Whole;
      }
      if (element.Length != Undefined)
      {
        if (element.Length > this->Left())
        {
          return Result::EndsEarly;
        }
        const std::size_t next = m_At + element.Length;
        if (element.IsSequence && element.Tag != PixelData)
        {
          // Only how deep it goes counts: its length says where it ends, whatever is inside.
          this->WalkItems(false, depth, next);
          if (m_IsTooDeep)
          {
            return Result::EndsEarly;
          }
        }
        m_At = next;
        if (element.Tag == PixelData && depth == 0)
        {
          m_PixelLength = element.Length;
          return Result::Whole; // padding may follow
        }
        continue;
      }
      const Result sequence = this->WalkItems(element.HoldsFragments, depth);
      if (sequence != Result::Whole || (element.Tag == PixelData && depth == 0))
      {
        return sequence;
      }
    }
    m_HasNoPixels = depth == 0 && this->Left() == 0;
    return depth == 0 ? Result::EndsEarly : Result::Whole; // a photograph has pixels
  }

  /** Until the delimiter of the sequence, or until `end` (0: there is none). */
  Result WalkItems(bool fragments, int depth, std::size_t end = 0)
  {
    while (end == 0 || m_At < end)
    {
      Element      item;
      const Result result = this->ReadHeader(item, m_Explicit);
      if (result != Result::Whole)
      {
        return result;
      }
      if (item.Tag == EndOfSequence)
      {
        return Result::Whole;
      }
      if (item.Tag != Item || (fragments && item.Length == Undefined))
      {
        return fragments ? Result::EndsEarly : Result::Unknown;
      }
      if (item.Length != Undefined)
      {
        if (item.Length > this->Left())
        {
          return Result::EndsEarly;
        }
        const std::size_t next = m_At + item.Length;
        if (!fragments)
        {
          this->WalkDataSet(next, depth + 1);
          if (m_IsTooDeep)
          {
            return Result::EndsEarly;
          }
        }
        m_At = next;
        continue;
      }
      const Result inner = this->WalkDataSet(m_Size, depth + 1);
      if (inner != Result::Whole)
      {
        return inner;
      }
    }
    return Result::Whole;
  }

  const unsigned char * m_Bytes;
  std::size_t           m_Size;
  std::size_t           m_At{ 0 };
  bool                  m_Explicit{ true };
  std::size_t           m_NumberOfElements{ 0 };
  bool                  m_IsTooDeep{ false };
  bool                  m_HasNoPixels{ false };
  std::size_t           m_PixelLength{ 0 };
};
} // namespace

bool IsDICOMWhole(const unsigned char * bytes, std::size_t size)
{
  if (size < 132 || std::memcmp(bytes + 128, "DICM", 4) != 0)
  {
    return true;
  }
  return Walker(bytes, size).Walk() != Walker::Result::EndsEarly;
}

bool IsDICOMTooDeep(const unsigned char * bytes, std::size_t size)
{
  if (size < 132 || std::memcmp(bytes + 128, "DICM", 4) != 0)
  {
    return false;
  }
  Walker walker(bytes, size);
  walker.Walk();
  return walker.IsTooDeep();
}

bool IsDICOMWithoutPixels(const unsigned char * bytes, std::size_t size)
{
  if (size < 132 || std::memcmp(bytes + 128, "DICM", 4) != 0)
  {
    return false;
  }
  Walker walker(bytes, size);
  walker.Walk();
  return walker.HasNoPixels();
}

std::size_t DICOMPixelLength(const unsigned char * bytes, std::size_t size)
{
  if (size < 132 || std::memcmp(bytes + 128, "DICM", 4) != 0)
  {
    return 0;
  }
  Walker walker(bytes, size);
  walker.Walk();
  return walker.GetPixelLength();
}
} // namespace itk
