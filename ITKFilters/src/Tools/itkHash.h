// SPDX-License-Identifier: Apache-2.0
#ifndef itkHash_h
#define itkHash_h

#include <cstddef>
#include <cstdint>
#include <string>

#include "itkMacro.h"

namespace itk
{
/** \class FNV1aHash
 * \brief FNV-1a with 64 bits: quick and the same everywhere, but no protection against forgery (for that: SHA256).
 * \ingroup NPSNet
 */
class FNV1aHash
{
public:
  void Update(const void * data, std::size_t size)
  {
    const auto * bytes = static_cast<const unsigned char *>(data);
    for (std::size_t i = 0; i < size; ++i)
    {
      m_Value = (m_Value ^ bytes[i]) * 1099511628211ULL;
    }
  }
  void Update(const std::string & text) { this->Update(text.data(), text.size()); }

  /** The lowest bytes first, whatever the machine. */
  void UpdateNumber(std::uint64_t value, unsigned int bytes = 8)
  {
    for (unsigned int k = 0; k < bytes; ++k)
    {
      const auto byte = static_cast<unsigned char>(value >> (8 * k));
      this->Update(&byte, 1);
    }
  }

  std::uint64_t GetValue() const { return m_Value; }

private:
  std::uint64_t m_Value{ 14695981039346656037ULL };
};
} // namespace itk

#endif
