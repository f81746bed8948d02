// SPDX-License-Identifier: Apache-2.0
#ifndef itkRimCSV_h
#define itkRimCSV_h

#include "NPSNetExport.h"
#include "itkRimMeasurements.h"

#include <string>

namespace itk
{
/** The rim profile, one row a degree; with tabs as Slicer's tables are read. */
NPSNet_EXPORT std::string RimCSV(const RimMeasurements & measurements, char separator = ',');
} // namespace itk

#endif
