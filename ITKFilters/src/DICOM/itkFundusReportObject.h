// SPDX-License-Identifier: Apache-2.0
#ifndef itkFundusReportObject_h
#define itkFundusReportObject_h

#include "itkDICOMObject.h"
#include "itkFundusResult.h"

namespace itk
{
/** \class FundusReportOptions
 * \brief What the result itself does not know.
 * \ingroup NPSNet
 */
struct FundusReportOptions
{
  unsigned int Frame{ 0 };
  /** Who signs; empty: the report is unverified. */
  std::string PersonName;
  std::string Organization;
  /** Null: there is none. */
  const DICOMObject * Segmentation{ nullptr };
  const DICOMObject * PreviousReport{ nullptr };
};

/** Fills an empty dataset with a Comprehensive SR of the result: TID 1500 with groups after TID 2120. */
void FillReport(DcmDataset &                dataset,
                const FundusResult &        result,
                const DICOMObject &         photograph,
                const FundusReportOptions & options);
} // namespace itk

#endif
