// SPDX-License-Identifier: Apache-2.0
#ifndef NPSNetResources_h
#define NPSNetResources_h

#include <string>
#include <vector>

namespace npsnet
{
/// Where this library lies.
std::string GetLibraryDirectory();

/// A command-line module: beside this library, in ../bin, ../cli-modules or on the PATH; empty when it is nowhere.
std::string FindExecutable(const std::string& name);

struct SamplePhoto
{
  std::string Name;
  std::string FileName;
  std::string LabelFileName; // empty when there is none
  std::string Label;         // "glaucoma", "suspect", "healthy"
};

/// The rows of SampleData/index.csv whose photo exists.
std::vector<SamplePhoto> ReadSampleIndex(const std::string& resourcesDirectory);
} // namespace npsnet

#endif
