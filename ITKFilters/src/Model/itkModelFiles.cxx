// SPDX-License-Identifier: Apache-2.0
#include "itkModelFiles.h"

#include <cstdlib>
#include <filesystem>

#ifndef _WIN32
#include <dlfcn.h>
#endif

namespace fs = std::filesystem;

namespace itk
{
namespace
{
fs::path GetFolderOfThisLibrary()
{
#ifndef _WIN32
  Dl_info info = {};
  if (dladdr(reinterpret_cast<const void *>(&GetFolderOfThisLibrary), &info) && info.dli_fname)
  {
    std::error_code error;
    const fs::path  file = fs::weakly_canonical(info.dli_fname, error);
    return (error ? fs::path(info.dli_fname) : file).parent_path();
  }
#endif
  return "";
}
} // namespace

std::vector<std::string> ModelFiles::GetInstalledFolders(const std::string & libraryFolder)
{
  const fs::path           library(libraryFolder);
  std::vector<std::string> folders;
  // Slicer: <prefix>/lib/Slicer-5.x/{qt-loadable,cli}-modules beside <prefix>/share/Slicer-5.x/qt-loadable-modules.
  const fs::path version = library.parent_path();
  const fs::path prefix = version.parent_path().parent_path();
  folders.push_back((prefix / "share" / version.filename() / "qt-loadable-modules/NPSNetSegmentation").string());
  // A prefix (lib or lib/<architecture>), and a package with its resources beside or below its libraries.
  folders.push_back((library.parent_path() / "share/NPSNetSegmentation").string());
  folders.push_back((library.parent_path().parent_path() / "share/NPSNetSegmentation").string());
  folders.push_back((library / "share/NPSNetSegmentation").string());
  folders.push_back((library.parent_path() / "Resources").string());
  return folders;
}

std::vector<std::string> ModelFiles::GetFolders()
{
  std::vector<std::string> folders;
  if (const char * variable = std::getenv("NPSNET_RESOURCES_DIR"))
  {
    folders.emplace_back(variable);
  }
  const fs::path library = GetFolderOfThisLibrary();
  if (!library.empty())
  {
    const auto installed = GetInstalledFolders(library.string());
    folders.insert(folders.end(), installed.begin(), installed.end());
  }
#ifdef NPSNET_SOURCE_RESOURCES_DIR
  folders.emplace_back(NPSNET_SOURCE_RESOURCES_DIR);
#endif
  return folders;
}

std::string ModelFiles::Find(const std::string & path)
{
  std::error_code error;
  for (const std::string & folder : GetFolders())
  {
    const fs::path file = fs::path(folder) / path;
    if (fs::exists(file, error))
    {
      return fs::weakly_canonical(file, error).string();
    }
  }
  return "";
}
} // namespace itk
