// SPDX-License-Identifier: Apache-2.0
#include "itkSHA256.h"

#include <gtest/gtest.h>

#include <string>

namespace
{
std::string Digest(const std::string & text, std::size_t chunk)
{
  itk::SHA256 hash;
  for (std::size_t at = 0; at < text.size(); at += chunk)
  {
    const std::string part = text.substr(at, chunk);
    hash.Update(part.data(), part.size());
  }
  return hash.Finalize();
}
} // namespace

// Examples of FIPS 180-4 (NIST, SHA_All.pdf) and its well-known long message.
TEST(SHA256, ReproducesThePublishedVectors)
{
  const std::pair<std::string, const char *> vectors[] = {
    { "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
    { "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
    { "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
    { "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrst"
      "u",
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1" },
    { std::string(1000000, 'a'), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0" },
  };
  for (const auto & vector : vectors)
  {
    for (const std::size_t chunk : { 1u, 63u, 64u, 65u, 1000000u })
    {
      EXPECT_EQ(Digest(vector.first, chunk), vector.second) << chunk;
    }
  }
}
