// SPDX-License-Identifier: Apache-2.0
#include "itkPhotoFormat.h"
#include "itkPhotoFormats.h"

#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <set>

namespace
{
std::string ReadText(const std::string & path)
{
  std::ifstream stream(path);
  EXPECT_TRUE(stream) << path;
  return { std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>() };
}
} // namespace

TEST(PhotoFormat, WhatUsersReadNamesEveryFormat)
{
  EXPECT_EQ(itk::PhotoFormatNames(), "JPEG, PNG, TIFF, BMP, NRRD, MetaImage, NIfTI or DICOM");
  const std::string root = NPSNET_RESOURCES_DIR "/../";
  for (const char * page : { "README.md", "NPSNetSegmentation/CLI/NPSNetSegment/NPSNetSegment.xml" })
  {
    const std::string text = ReadText(root + page);
    for (const auto & format : itk::PhotoFormat::GetAll())
    {
      EXPECT_NE(text.find(format.Name), std::string::npos) << format.Name << " is missing in " << page;
    }
  }
}

TEST(PhotoFormat, EndingsBelongToOneFormat)
{
  std::set<std::string> seen;
  for (const auto & ending : itk::PhotoFileEndings())
  {
    EXPECT_TRUE(seen.insert(ending).second) << ending;
    EXPECT_TRUE(itk::HasPhotoFileEnding("folder.txt/A_OD" + ending));
  }
  for (const char * name : { "a.JPG", "a.b.Tiff", "a.nii.gz", "scans\\a.NII.GZ" })
  {
    EXPECT_TRUE(itk::HasPhotoFileEnding(name)) << name;
  }
  for (const char * name : { "a", "a.gz", ".gz", "a.jpg.gz", "a.txt", "a.jpg/b", "jpg", "" })
  {
    EXPECT_FALSE(itk::HasPhotoFileEnding(name)) << name;
  }
}

TEST(PhotoFormat, ContentDecidesNotTheName)
{
  const auto named = [](const std::string & name, std::string start, const std::string & at128 = "") {
    start.resize(std::max<std::size_t>(start.size(), 140), ' ');
    start.replace(128, at128.size(), at128);
    const auto * format = itk::PhotoFormat::Recognize(name, { start.begin(), start.end() });
    return std::string(format != nullptr ? format->Name : "");
  };
  EXPECT_EQ(named("a.png", "\xFF\xD8\xFF"), "JPEG");
  EXPECT_EQ(named("a.nii", "BM"), "BMP");
  EXPECT_EQ(named("a.tif", std::string("II*\0", 4)), "TIFF");
  EXPECT_EQ(named("a.tif", std::string("II*\0", 4), "DICM"), "DICOM");
  EXPECT_EQ(named("a.nii", "", "DICM"), "DICOM");
  EXPECT_EQ(named("a.nii.gz", ""), "NIfTI");
  EXPECT_EQ(named("a.mha", "NDims = 2"), "MetaImage");
  EXPECT_EQ(named("a.mha", "nothing"), "");
  EXPECT_EQ(named("a.jpg", "text"), "");
}
