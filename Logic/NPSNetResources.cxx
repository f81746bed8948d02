// SPDX-License-Identifier: Apache-2.0
#include "NPSNetResources.h"

#include "itkCSV.h"

#include <vtkResourceFileLocator.h>
#include <vtksys/SystemTools.hxx>

using vtksys::SystemTools;

namespace npsnet
{
std::string GetLibraryDirectory()
{
  static const int inThisLibrary = 0;
  return SystemTools::GetFilenamePath(
    SystemTools::CollapseFullPath(vtkResourceFileLocator::GetLibraryPathForAddress(&inThisLibrary)));
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
  if (!SystemTools::FileExists(folder + "index.csv", true))
  {
    return samples;
  }
  const itk::CSVTable table = itk::CSVTable::Read(folder + "index.csv");
  const std::size_t name = table.RequireColumn("name");
  const std::size_t label = table.RequireColumn("label");
  for (const auto& row : table.Rows)
  {
    SamplePhoto sample;
    sample.Name = row[name];
    sample.Label = label < row.size() ? row[label] : "";
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
