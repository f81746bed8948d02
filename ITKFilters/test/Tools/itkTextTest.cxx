// SPDX-License-Identifier: Apache-2.0
#include "itkText.h"

#include <gtest/gtest.h>

#include <limits>

TEST(Text, OneLineOfValidUTF8)
{
  EXPECT_EQ(itk::Printable("a\tb\n\x7f"), "a b  ");
  EXPECT_EQ(itk::Printable("\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x91\x81"), "\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x91\x81");
  // A lone byte, an overlong form, a surrogate, a code point past the last one, a sequence that is cut off.
  EXPECT_EQ(itk::Printable("\xE4|"), "%E4|");
  EXPECT_EQ(itk::Printable("\xE0\x80\x80"), "%E0%80%80");
  EXPECT_EQ(itk::Printable("\xED\xA0\x80"), "%ED%A0%80");
  EXPECT_EQ(itk::Printable("\xF4\x90\x80\x80"), "%F4%90%80%80");
  EXPECT_EQ(itk::Printable("\xE2\x82"), "%E2%82");
}

TEST(Text, NumbersForTablesAndReaders)
{
  EXPECT_EQ(itk::NumberText(-0.0), "0");
  EXPECT_EQ(itk::NumberText(1.0 / 3.0, 3), "0.333");
  EXPECT_EQ(itk::NumberText(std::numeric_limits<double>::infinity()), "");
  EXPECT_EQ(itk::NumberText(std::optional<double>()), "");
  EXPECT_EQ(itk::FixedText(-0.0004, 3), "0.000");
  EXPECT_EQ(itk::FixedText(2.0, 2), "2.00");
  EXPECT_EQ(itk::ShortestText(0.1), "0.1");
  EXPECT_EQ(std::stod(itk::ShortestText(1.0 / 3.0)), 1.0 / 3.0);
  EXPECT_EQ(itk::ShortestText(std::numeric_limits<double>::quiet_NaN()), "nan");
}
