// SPDX-License-Identifier: Apache-2.0
#ifndef itkModelFiles_h
#define itkModelFiles_h

#include "NPSNetExport.h"
#include "itkMacro.h" // an SDK may rename the namespace there

#include <string>
#include <vector>

namespace itk
{
/** \class ModelFiles
 * \brief The one place that knows where weights and other resources lie.
 *
 * A resources folder holds Models, SampleData and Terminologies. Folders are searched in this order:
 *  -# $NPSNET_RESOURCES_DIR;
 *  -# the share folder of an installed Slicer extension, of a prefix (share/NPSNetSegmentation) or of a package,
 *     relative to the library that holds this class;
 *  -# the source tree that the library was built from.
 *
 * \ingroup NPSNet
 */
class NPSNet_EXPORT ModelFiles
{
public:
  /** Folders in the order of the search, whether they exist or not. */
  static std::vector<std::string> GetFolders();

  /** Folders searched after the environment's for a library in libraryFolder, without the source tree. */
  static std::vector<std::string> GetInstalledFolders(const std::string & libraryFolder);

  /** First match of a path such as "Models/npsnet-default.safetensors", file or folder; empty when there is none. */
  static std::string Find(const std::string & path);

  /** The default models; empty when they are not installed. */
  static std::string FindModel(const std::string & name) { return Find("Models/" + name); }
  static std::string GetDefaultNetwork() { return FindModel("npsnet-default.safetensors"); }
  static std::string GetDefaultLocator() { return FindModel("onh-locator.safetensors"); }
};
} // namespace itk

#endif
