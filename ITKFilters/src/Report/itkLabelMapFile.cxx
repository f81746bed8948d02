// SPDX-License-Identifier: Apache-2.0
#include "itkLabelMapFile.h"

#include "itkNrrdFile.h"

namespace itk
{
void FillWithLabelMap(const AtomicFile & file, const FundusPhotograph::StoredLabelImageType * labels)
{
  FillWithNrrd(file, labels);
}
} // namespace itk
