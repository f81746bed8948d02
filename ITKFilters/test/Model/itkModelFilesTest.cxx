// SPDX-License-Identifier: Apache-2.0
#include "itkModelFiles.h"

#include "TestFolder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace
{
bool Holds(const std::vector<std::string> & folders, const std::string & wanted)
{
  return std::any_of(folders.begin(), folders.end(), [&](const std::string & folder) {
    return std::filesystem::path(folder).lexically_normal() == wanted;
  });
}
} // namespace

TEST(ModelFiles, EnvironmentComesFirst)
{
  const std::string folder = TestFolder() + "/resources";
  std::filesystem::create_directories(folder + "/Models");
  std::ofstream(folder + "/Models/some-model.safetensors") << "x";
  EXPECT_EQ(itk::ModelFiles::FindModel("some-model.safetensors"), "");
  setenv("NPSNET_RESOURCES_DIR", folder.c_str(), 1);
  EXPECT_EQ(itk::ModelFiles::GetFolders().front(), folder);
  EXPECT_NE(itk::ModelFiles::FindModel("some-model.safetensors"), "");
  EXPECT_NE(itk::ModelFiles::GetDefaultNetwork(), "") << "one that is not there is looked for further on";
  unsetenv("NPSNET_RESOURCES_DIR");
  EXPECT_EQ(itk::ModelFiles::FindModel("some-model.safetensors"), "");
}

TEST(ModelFiles, KnowsTheLayoutsOfInstallations)
{
  using itk::ModelFiles;
  const std::string share = "/opt/npsnet/share/Slicer-5.12/qt-loadable-modules/NPSNetSegmentation";
  EXPECT_TRUE(Holds(ModelFiles::GetInstalledFolders("/opt/npsnet/lib/Slicer-5.12/qt-loadable-modules"), share));
  EXPECT_TRUE(Holds(ModelFiles::GetInstalledFolders("/opt/npsnet/lib/Slicer-5.12/cli-modules"), share));
  EXPECT_TRUE(Holds(ModelFiles::GetInstalledFolders("/usr/lib"), "/usr/share/NPSNetSegmentation"));
  EXPECT_TRUE(Holds(ModelFiles::GetInstalledFolders("/usr/lib/x86_64-linux-gnu"), "/usr/share/NPSNetSegmentation"));
}
