// SPDX-License-Identifier: Apache-2.0
#ifndef itkFundusLabelWriters_h
#define itkFundusLabelWriters_h

#include "itkAtomicFile.h"
#include "itkEyeSide.h"
#include "itkFundusPhotograph.h"

namespace itk
{
/** FundusResultWriter::WriteLabelMap without the commit. */
void FillWithLabelMap(const AtomicFile & file, const FundusPhotograph::StoredLabelImageType * labels);

/** FundusResultWriter::WriteSlicerSegmentation without the commit. */
void FillWithSlicerSegmentation(const AtomicFile &                             file,
                                const FundusPhotograph::StoredLabelImageType * labels,
                                EyeSideEnum                                    eye);
} // namespace itk

#endif
