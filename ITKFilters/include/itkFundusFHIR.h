// SPDX-License-Identifier: Apache-2.0
#ifndef itkFundusFHIR_h
#define itkFundusFHIR_h

#include "NPSNetExport.h"
#include "itkFundusResult.h"

#include <map>
#include <string>

namespace itk
{
/** The measurements as a FHIR R4 Bundle of Observations (JSON, Resources/Schemas/fhir.schema.json), coded as in
 * the DICOM report. Nothing in it names a person, unless \a identifiers does: PatientID and StudyInstanceUID become the
 * subject and the study it derives from. The same result gives the same text. */
NPSNet_EXPORT std::string ToFHIRBundle(const FundusResult &                       result,
                                       const std::map<std::string, std::string> & identifiers = {});
} // namespace itk

#endif
