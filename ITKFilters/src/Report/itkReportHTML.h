// SPDX-License-Identifier: Apache-2.0
#ifndef itkReportHTML_h
#define itkReportHTML_h

#include "NPSNetExport.h"
#include "itkFundusResult.h"

#include <string>

namespace itk
{
/** One page with everything to read about a photograph; it needs nothing from outside. */
NPSNet_EXPORT std::string ReportHTML(const FundusResult & result);
} // namespace itk

#endif
