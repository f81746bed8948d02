// SPDX-License-Identifier: Apache-2.0
#include "NPSNetResources.h"

#include <vtkResourceFileLocator.h>
#include <vtksys/SystemTools.hxx>

#include <fstream>

using vtksys::SystemTools;

namespace npsnet
{
std::string GetLibraryDirectory()
{
  static const int inThisLibrary = 0;
  return SystemTools::GetFilenamePath(
    SystemTools::CollapseFullPath(vtkResourceFileLocator::GetLibraryPathForAddress(&inThisLibrary)));
}

std::string FindResourcesDirectory(const std::string& moduleShareDirectory)
{
  const std::string library = GetLibraryDirectory();
  std::vector<std::string> candidates = {
    moduleShareDirectory, moduleShareDirectory + "/Resources", library + "/../share/NPSNetSegmentation"};
#ifdef NPSNET_SHARE_FROM_LIBRARY
  candidates.push_back(library + "/" NPSNET_SHARE_FROM_LIBRARY);
#endif
#ifdef NPSNET_SOURCE_RESOURCES_DIR
  candidates.emplace_back(NPSNET_SOURCE_RESOURCES_DIR);
#endif
  for (const std::string& candidate : candidates)
  {
    if (!candidate.empty() && SystemTools::FileIsDirectory(candidate + "/Terminologies"))
    {
      return SystemTools::CollapseFullPath(candidate);
    }
  }
  return "";
}

std::string FindExecutable(const std::string& name)
{
  const std::string library = GetLibraryDirectory();
  // .../lib/Slicer-5.x/qt-loadable-modules in an installed extension, .../lib in the stand-alone build.
  const std::string path =
    SystemTools::FindProgram(name, {library, library + "/../cli-modules", library + "/../bin", library + "/../../bin"});
  return path;
}

std::vector<SamplePhoto> ReadSampleIndex(const std::string& resourcesDirectory)
{
  std::vector<SamplePhoto> samples;
  const std::string folder = resourcesDirectory + "/SampleData/";
  std::ifstream index(folder + "index.csv");
  std::string line;
  std::getline(index, line); // the header: name first
  while (std::getline(index, line))
  {
    SamplePhoto sample;
    sample.Name = line.substr(0, line.find(','));
    sample.FileName = folder + sample.Name + ".jpg";
    const std::string labels = folder + sample.Name + "_mask.png";
    sample.LabelFileName = SystemTools::FileExists(labels, true) ? labels : "";
    if (SystemTools::FileExists(sample.FileName, true))
    {
      samples.push_back(sample);
    }
  }
  return samples;
}
} // namespace npsnet
