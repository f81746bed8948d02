// SPDX-License-Identifier: Apache-2.0
#ifndef itkLabelMapFile_h
#define itkLabelMapFile_h

#include "itkAtomicFile.h"
#include "itkFundusPhotograph.h"

namespace itk
{
/** Labels 0/1/2 with the stored geometry. */
void FillWithLabelMap(const AtomicFile & file, const FundusPhotograph::StoredLabelImageType * labels);
} // namespace itk

#endif
