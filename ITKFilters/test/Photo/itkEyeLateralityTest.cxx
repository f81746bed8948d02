// SPDX-License-Identifier: Apache-2.0
#include "itkEyeLaterality.h"

#include <gtest/gtest.h>
#include <utility>

namespace
{
const auto OD = itk::EyeSideEnum::OD;
const auto OS = itk::EyeSideEnum::OS;
const auto Unknown = itk::EyeSideEnum::Unknown;
} // namespace

TEST(itkEyeLaterality, FileNames)
{
  const std::pair<const char *, itk::EyeSideEnum> cases[] = {
    { "RET023OD.jpg", OD },
    { "RET023OS.jpg", OS },
    { "/data/some where/RET190OS.jpg", OS },
    { "C:\\photos\\RET190OD.JPG", OD },
    { "OD.png", OD },
    { "OS", OS },
    { "od_001.tif", OD },
    { "OS-12-2020.png", OS },
    { "OD1.jpg", OD },
    { "12OD3.jpg", OD },
    { "img.os.nii.gz", OS },
    { "patient (OS).jpg", OS },
    { "001_R.jpg", OD },
    { "001_l.jpg", OS },
    { "R.jpg", OD },
    { "left eye.png", OS },
    { "Right-Eye-3.png", OD },
    { "x LEFT.bmp", OS },
    { "right_OD.jpg", OD }, // twice the same
    { "a.R.jpg", OD },
    // Not an eye
    { "METHOD.jpg", Unknown },
    { "PHOTOS.JPG", Unknown },
    { "photos.jpg", Unknown },
    { "ODonnell.jpg", Unknown },
    { "iOS_photo.jpg", Unknown },
    { "DrSmithOD.jpg", Unknown },
    { "R2.jpg", Unknown },
    { "img_R2.jpg", Unknown },
    { "12L.jpg", Unknown },
    { "bright.jpg", Unknown },
    { "lefty.jpg", Unknown },
    { "leftover_3.jpg", Unknown },
    { "/OD/001.jpg", Unknown },
    { "001.OD", Unknown }, // an extension
    { "m\xc3\xb6"
      "d.jpg",
      Unknown },
    { "\xc3\xb6od.jpg", Unknown },
    { "OU_001.jpg", Unknown },
    { "001.jpg", Unknown },
    { "", Unknown },
    { ".jpg", Unknown },
    { "/", Unknown },
    // Both eyes
    { "OD_OS.jpg", Unknown },
    { "RET023OD_left.jpg", Unknown },
    { "R_vs_L.png", Unknown },
    { "12OD13OS.png", Unknown },
  };
  for (const auto & test : cases)
  {
    EXPECT_EQ(itk::EyeSideFromFileName(test.first), test.second) << test.first;
  }
}

TEST(itkEyeLaterality, UserBeatsDICOMBeatsFileName)
{
  const auto check = [](const char * user, const char * dicom, const char * file) {
    const auto eye = itk::DetermineEyeLaterality(user, dicom, file);
    return itk::EyeSideToString(eye.Side) + " " + itk::EyeSourceToString(eye.Source);
  };
  EXPECT_EQ(check("OS", "R", "x_OD.jpg"), "OS user");
  EXPECT_EQ(check("od", "L", "x_OS.jpg"), "OD user");
  EXPECT_EQ(check("right", "", ""), "OD user");
  EXPECT_EQ(check("auto", "L", "x_OD.jpg"), "OS dicom");
  EXPECT_EQ(check("", "R", "x_OS.jpg"), "OD dicom");
  EXPECT_EQ(check("AUTO", "B", "x_OS.jpg"), "OS file_name");
  EXPECT_EQ(check("", "", "x_OD.jpg"), "OD file_name");
  EXPECT_EQ(check("", "U", "x.jpg"), "unknown none");
  EXPECT_EQ(check("", "", "OD_OS.jpg"), "unknown none");
  EXPECT_THROW(check("both", "R", ""), itk::ExceptionObject);
  EXPECT_THROW(check("rightish", "R", ""), itk::ExceptionObject);
}
