// SPDX-License-Identifier: Apache-2.0
#ifndef itkSHA256_h
#define itkSHA256_h

#include "NPSNetExport.h"
#include "itkMacro.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace itk
{
/** \class SHA256
 * \brief FIPS 180-4 SHA-256.
 * \ingroup NPSNet
 */
class NPSNet_EXPORT SHA256
{
public:
  void Update(const void * data, std::size_t size);

  /** Lower-case hexadecimal digest of everything given so far; the object is spent afterwards. */
  std::string Finalize();

  static std::string OfBytes(const void * data, std::size_t size);

private:
  std::array<std::uint32_t, 8> m_State{
    { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 }
  };
  std::array<unsigned char, 64> m_Block{};
  std::size_t                   m_BlockSize{ 0 };
  std::uint64_t                 m_TotalSize{ 0 };
};
} // namespace itk

#endif
