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
 * \brief FIPS 180-4 SHA-256, with the processor's own instructions where it has them.
 * \ingroup NPSNet
 */
class NPSNet_EXPORT SHA256
{
public:
  /** \a portable avoids the processor's SHA instructions (for tests). */
  explicit SHA256(bool portable = false);
  void Update(const void * data, std::size_t size);

  /** Lower-case hexadecimal digest of everything given so far; the object is spent afterwards. */
  std::string Finalize();

  static std::string OfBytes(const void * data, std::size_t size);

private:
  using CompressFunction = void (*)(std::uint32_t * state, const unsigned char * data, std::size_t blocks);

  CompressFunction              m_Compress;
  std::array<std::uint32_t, 8>  m_State;
  std::array<unsigned char, 64> m_Block;
  std::size_t                   m_BlockSize{ 0 };
  std::uint64_t                 m_TotalSize{ 0 };
};
} // namespace itk

#endif
