// SPDX-License-Identifier: Apache-2.0
#include "itkHash.h"

#include <gtest/gtest.h>

namespace
{
std::uint64_t Of(const std::string & text)
{
  itk::FNV1aHash hash;
  hash.Update(text);
  return hash.GetValue();
}
} // namespace

TEST(FNV1aHash, GivesThePublishedValues)
{
  EXPECT_EQ(Of(""), 0xcbf29ce484222325ULL);
  EXPECT_EQ(Of("a"), 0xaf63dc4c8601ec8cULL);
  EXPECT_EQ(Of("foobar"), 0x85944171f73967e8ULL);
}

TEST(FNV1aHash, TakesTheLowestByteOfANumberFirst)
{
  itk::FNV1aHash hash;
  hash.UpdateNumber(0x6261, 2);
  EXPECT_EQ(hash.GetValue(), Of("ab"));
}
