// SPDX-License-Identifier: Apache-2.0
#ifndef itkFundusFile_h
#define itkFundusFile_h

#include "NPSNetExport.h"
#include "itkMacro.h" // an SDK may rename the namespace there

#include <cstdint>
#include <set>
#include <string>

namespace itk
{
/** \class FundusFileEnum
 * \brief The files that a photograph can have.
 * \ingroup NPSNet
 */
enum class FundusFileEnum : uint8_t
{
  Overlay,      // the photograph with both outlines
  Labels,       // 0, 1 rim, 2 cup in the stored geometry
  Segmentation, // disc and cup as Slicer's overlapping segments
  RimTable,     // the rim profile, one row a degree
  Report,       // one page to read
  Metrics       // all numbers; the only file of a photograph without a segmentation
};

/** All of them. They are written in this order: when the metrics are there, all the rest is. */
NPSNet_EXPORT const std::set<FundusFileEnum> & AllFundusFiles();

/** What follows the stem in its name: "_overlay.png", "_labels.nrrd", ".seg.nrrd", "_rim.csv", "_report.html",
 * "_metrics.json". */
NPSNet_EXPORT std::string FundusFileEnding(FundusFileEnum file);
} // namespace itk

#endif
