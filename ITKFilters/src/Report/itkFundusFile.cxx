// SPDX-License-Identifier: Apache-2.0
#include "itkFundusFile.h"

#include <map>

namespace itk
{
namespace
{
const std::map<FundusFileEnum, const char *> & Endings()
{
  static const std::map<FundusFileEnum, const char *> endings{
    { FundusFileEnum::Labels, "_labels.nrrd" }, { FundusFileEnum::Segmentation, ".seg.nrrd" },
    { FundusFileEnum::RimTable, "_rim.csv" },   { FundusFileEnum::Overlay, "_overlay.png" },
    { FundusFileEnum::Report, "_report.html" }, { FundusFileEnum::Metrics, "_metrics.json" }
  };
  return endings;
}
} // namespace

const std::set<FundusFileEnum> & AllFundusFiles()
{
  static const std::set<FundusFileEnum> all = [] {
    std::set<FundusFileEnum> files;
    for (const auto & [file, ending] : Endings())
    {
      files.insert(file);
    }
    return files;
  }();
  return all;
}

std::string FundusFileEnding(FundusFileEnum file)
{
  return Endings().at(file);
}
} // namespace itk
