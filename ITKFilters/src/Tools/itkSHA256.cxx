// SPDX-License-Identifier: Apache-2.0
#include "itkSHA256.h"

#include <algorithm>
#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__)
#define NPSNET_SHA_NI
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace itk
{
namespace
{
alignas(16) constexpr std::uint32_t RoundConstants[64] = {
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
};

constexpr std::uint32_t RotateRight(std::uint32_t value, unsigned int count)
{
  return (value >> count) | (value << (32 - count));
}

void CompressPortable(std::uint32_t * state, const unsigned char * data, std::size_t blocks)
{
  for (; blocks > 0; --blocks, data += 64)
  {
    std::uint32_t w[64];
    for (unsigned int i = 0; i < 16; ++i)
    {
      w[i] = (std::uint32_t{ data[4 * i] } << 24) | (std::uint32_t{ data[4 * i + 1] } << 16) |
             (std::uint32_t{ data[4 * i + 2] } << 8) | std::uint32_t{ data[4 * i + 3] };
    }
    for (unsigned int i = 16; i < 64; ++i)
    {
      const auto s0 = RotateRight(w[i - 15], 7) ^ RotateRight(w[i - 15], 18) ^ (w[i - 15] >> 3);
      const auto s1 = RotateRight(w[i - 2], 17) ^ RotateRight(w[i - 2], 19) ^ (w[i - 2] >> 10);
      w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    std::uint32_t v[8];
    std::copy_n(state, 8, v);
    for (unsigned int i = 0; i < 64; ++i)
    {
      const auto s1 = RotateRight(v[4], 6) ^ RotateRight(v[4], 11) ^ RotateRight(v[4], 25);
      const auto t1 = v[7] + s1 + ((v[4] & v[5]) ^ (~v[4] & v[6])) + RoundConstants[i] + w[i];
      const auto s0 = RotateRight(v[0], 2) ^ RotateRight(v[0], 13) ^ RotateRight(v[0], 22);
      const auto t2 = s0 + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
      std::copy_backward(v, v + 7, v + 8);
      v[4] += t1;
      v[0] = t1 + t2;
    }
    for (unsigned int i = 0; i < 8; ++i)
    {
      state[i] += v[i];
    }
  }
}

#ifdef NPSNET_SHA_NI
__attribute__((target("sha,sse4.1"))) void CompressSHANI(std::uint32_t *       state,
                                                         const unsigned char * data,
                                                         std::size_t           blocks)
{
  const __m128i byteSwap = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);

  // The instructions want the state as (a b e f) and (c d g h).
  __m128i abcd = _mm_shuffle_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i *>(state)), 0xB1);
  __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i *>(state + 4)), 0x1B);
  __m128i abef = _mm_alignr_epi8(abcd, efgh, 8);
  __m128i cdgh = _mm_blend_epi16(efgh, abcd, 0xF0);

  for (; blocks > 0; --blocks, data += 64)
  {
    const __m128i savedABEF = abef;
    const __m128i savedCDGH = cdgh;
    __m128i       w[4];
    for (unsigned int i = 0; i < 16; ++i)
    {
      __m128i & current = w[i & 3];
      if (i < 4)
      {
        current = _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i *>(data + 16 * i)), byteSwap);
      }
      else
      {
        const __m128i w1 = w[(i + 1) & 3];
        const __m128i w2 = w[(i + 2) & 3];
        const __m128i w3 = w[(i + 3) & 3];
        current =
          _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(current, w1), _mm_alignr_epi8(w3, w2, 4)), w3);
      }
      const __m128i sum =
        _mm_add_epi32(current, _mm_load_si128(reinterpret_cast<const __m128i *>(RoundConstants + 4 * i)));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0E));
    }
    abef = _mm_add_epi32(abef, savedABEF);
    cdgh = _mm_add_epi32(cdgh, savedCDGH);
  }

  const __m128i feba = _mm_shuffle_epi32(abef, 0x1B);
  const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xB1);
  _mm_storeu_si128(reinterpret_cast<__m128i *>(state), _mm_blend_epi16(feba, dchg, 0xF0));
  _mm_storeu_si128(reinterpret_cast<__m128i *>(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

bool HasSHANI()
{
  unsigned int a, b, c, d;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & (1u << 29)) && __get_cpuid(1, &a, &b, &c, &d) &&
         (c & (1u << 19));
}
#endif

} // namespace

SHA256::SHA256(bool portable)
  : m_Compress(CompressPortable)
  , m_State{ { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 } }
  , m_Block{}
{
#ifdef NPSNET_SHA_NI
  static const bool hasSHANI = HasSHANI();
  if (hasSHANI && !portable)
  {
    m_Compress = CompressSHANI;
  }
#else
  (void)portable;
#endif
}

void SHA256::Update(const void * data, std::size_t size)
{
  const auto * bytes = static_cast<const unsigned char *>(data);
  m_TotalSize += size;
  if (m_BlockSize > 0)
  {
    const std::size_t count = std::min(size, m_Block.size() - m_BlockSize);
    std::copy_n(bytes, count, m_Block.begin() + m_BlockSize);
    m_BlockSize += count;
    bytes += count;
    size -= count;
    if (m_BlockSize < m_Block.size())
    {
      return;
    }
    m_Compress(m_State.data(), m_Block.data(), 1);
  }
  m_Compress(m_State.data(), bytes, size / 64);
  m_BlockSize = size % 64;
  std::copy_n(bytes + (size - m_BlockSize), m_BlockSize, m_Block.begin());
}

std::string SHA256::Finalize()
{
  const std::uint64_t bits = m_TotalSize * 8;
  const unsigned char padding[72] = { 0x80 };
  this->Update(padding, (m_BlockSize < 56 ? 56 : 120) - m_BlockSize);
  unsigned char length[8];
  for (unsigned int i = 0; i < 8; ++i)
  {
    length[i] = static_cast<unsigned char>(bits >> (56 - 8 * i));
  }
  this->Update(length, 8);

  std::string digest;
  for (const auto word : m_State)
  {
    for (int shift = 28; shift >= 0; shift -= 4)
    {
      digest += "0123456789abcdef"[(word >> shift) & 15];
    }
  }
  return digest;
}

std::string SHA256::OfBytes(const void * data, std::size_t size)
{
  SHA256 hash;
  hash.Update(data, size);
  return hash.Finalize();
}
} // namespace itk
