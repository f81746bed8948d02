// SPDX-License-Identifier: Apache-2.0
#include "itkSHA256.h"

#include <algorithm>
#include <cstring>

namespace itk
{
namespace
{
constexpr std::uint32_t RoundConstants[64] = {
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

void Compress(std::uint32_t * state, const unsigned char * data, std::size_t blocks)
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
    // Eight rounds a turn: then every variable is back in its place, and none has to be moved.
    for (unsigned int i = 0; i < 64; i += 8)
    {
      for (unsigned int k = 0; k < 8; ++k)
      {
        const auto at = [&v, k](unsigned int n) -> std::uint32_t & { return v[(n - k) & 7]; };
        const auto s1 = RotateRight(at(4), 6) ^ RotateRight(at(4), 11) ^ RotateRight(at(4), 25);
        const auto t1 = at(7) + s1 + ((at(4) & at(5)) ^ (~at(4) & at(6))) + RoundConstants[i + k] + w[i + k];
        const auto s0 = RotateRight(at(0), 2) ^ RotateRight(at(0), 13) ^ RotateRight(at(0), 22);
        const auto t2 = s0 + ((at(0) & at(1)) ^ (at(0) & at(2)) ^ (at(1) & at(2)));
        at(3) += t1;
        at(7) = t1 + t2;
      }
    }
    for (unsigned int i = 0; i < 8; ++i)
    {
      state[i] += v[i];
    }
  }
}
} // namespace

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
    Compress(m_State.data(), m_Block.data(), 1);
  }
  Compress(m_State.data(), bytes, size / 64);
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
