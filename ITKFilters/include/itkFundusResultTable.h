// SPDX-License-Identifier: Apache-2.0
#ifndef itkFundusResultTable_h
#define itkFundusResultTable_h

#include "NPSNetExport.h"
#include "itkFundusResult.h"

#include <string>
#include <vector>

namespace itk
{
/** \class FundusResultTable
 * \brief One photograph as one row of `results.csv`.
 *
 * An unknown value is an empty cell.
 *
 * \ingroup NPSNet
 */
class NPSNet_EXPORT FundusResultTable
{
public:
  /** `name,status,message,eye,eye_source,vcdr,hcdr,acdr,...,model_sha256,seconds` */
  static const std::vector<std::string> & GetColumns();

  /** As many values as there are columns, not yet quoted. */
  static std::vector<std::string> GetRow(const FundusResult & result);
};
} // namespace itk

#endif
