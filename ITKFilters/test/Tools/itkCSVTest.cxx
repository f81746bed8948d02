// SPDX-License-Identifier: Apache-2.0
#include "itkCSV.h"

#include <gtest/gtest.h>

namespace
{
std::string Complaint(const std::string & text)
{
  try
  {
    itk::CSVTable::Parse(text, "t.csv").RequireColumn("image");
    return "";
  }
  catch (const itk::ExceptionObject & error)
  {
    return error.GetDescription();
  }
}
} // namespace

TEST(CSVTable, WhatIsWrittenIsRead)
{
  const std::vector<std::vector<std::string>> rows = { { "a,b", "say \"x\"" }, { "two\nlines", "" } };
  std::string                                 text = "\xEF\xBB\xBF" + itk::ToCSVLine({ "image", "remark" });
  for (const auto & row : rows)
  {
    text += itk::ToCSVLine(row) + "\n";
  }
  const auto table = itk::CSVTable::Parse(text, "t.csv");
  EXPECT_EQ(table.Columns, (std::vector<std::string>{ "image", "remark" }));
  EXPECT_EQ(table.Rows, rows);
  EXPECT_EQ(table.Lines, (std::vector<std::size_t>{ 2, 4 }));
  EXPECT_EQ(table.RequireColumn("remark"), 1u);
  EXPECT_EQ(table.FindColumn("mask"), itk::CSVTable::NotFound);
}

TEST(CSVTable, AMistakeIsOneSentenceWithItsLine)
{
  EXPECT_EQ(Complaint("image\na\n\nb,c\n"), "t.csv, line 4: 2 cells where the header has 1.");
  EXPECT_EQ(Complaint("image\n\"a\n"), "t.csv, line 2: a quote is never closed.");
  EXPECT_EQ(Complaint("image;mask\n"),
            "t.csv has no column named image, but: image;mask. Separate the columns by commas.");
  EXPECT_EQ(Complaint("\n"), "t.csv is empty: its first line should name the columns.");
}
