// SPDX-License-Identifier: Apache-2.0
#ifndef itkFundusReportParts_h
#define itkFundusReportParts_h

#include "itkFundusResult.h"

#include <string>

namespace itk
{
/** What every page says about one photograph, as pieces of HTML. */
namespace FundusReportParts
{
/** The eye and who said so. */
std::string EyeText(const FundusResult & result);

/** "Inferior" for "I", "Superotemporal" for "ST"; other names stay. */
std::string SectorTitle(const std::string & name);

/** How the analysis ended, in a coloured chip. */
std::string StatusChip(const FundusResult & result);

/** Message, flags and what else a reader must know; empty when there is nothing. */
std::string FlagList(const FundusResult & result);

/** One sentence and a space. */
std::string Calibration(const FundusResult & result);

/** Software, model, TTA, locator, seconds: "NPSNetSegmentation 1.0, model ..., 1.2 s." */
std::string Provenance(const FundusResult & result);
} // namespace FundusReportParts
} // namespace itk

#endif
