// SPDX-License-Identifier: Apache-2.0
#include "itkNestedPolarBoundarySource.h"

namespace itk
{
NestedPolarBoundarySource::NestedPolarBoundarySource()
{
  this->SetNumberOfRequiredOutputs(1);
  this->SetNthOutput(0, NestedPolarBoundary::New());
}

NestedPolarBoundary * NestedPolarBoundarySource::GetOutput()
{
  return static_cast<NestedPolarBoundary *>(this->GetPrimaryOutput());
}

const NestedPolarBoundary * NestedPolarBoundarySource::GetOutput() const
{
  return static_cast<const NestedPolarBoundary *>(this->GetPrimaryOutput());
}

DataObject::Pointer NestedPolarBoundarySource::MakeOutput(DataObjectPointerArraySizeType)
{
  return NestedPolarBoundary::New().GetPointer();
}
} // namespace itk
