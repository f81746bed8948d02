// SPDX-License-Identifier: Apache-2.0
#ifndef itkSlicerSegmentationFile_h
#define itkSlicerSegmentationFile_h

#include "itkAtomicFile.h"
#include "itkEyeSide.h"
#include "itkFundusPhotograph.h"

namespace itk
{
/** The two nested segments as Slicer's overlapping layers, with names, colors and terminology. */
void FillWithSlicerSegmentation(const AtomicFile &                             file,
                                const FundusPhotograph::StoredLabelImageType * labels,
                                EyeSideEnum                                    eye);
} // namespace itk

#endif
