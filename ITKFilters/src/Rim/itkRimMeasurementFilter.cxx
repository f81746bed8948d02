// SPDX-License-Identifier: Apache-2.0
#include "itkRimMeasurementFilter.h"
#include "itkNPSNetThrow.h"

namespace itk
{
RimMeasurementFilter::RimMeasurementFilter()
{
  this->SetNumberOfRequiredInputs(0);
  this->SetNumberOfRequiredOutputs(1);
  this->SetNthOutput(0, this->MakeOutput(0));
}

DataObject::Pointer RimMeasurementFilter::MakeOutput(DataObjectPointerArraySizeType)
{
  return OutputType::New().GetPointer();
}

RimMeasurementFilter::OutputType * RimMeasurementFilter::GetOutput()
{
  return static_cast<OutputType *>(this->GetPrimaryOutput());
}

void RimMeasurementFilter::VerifyPreconditions() ITKv5_CONST
{
  Superclass::VerifyPreconditions();
  if (this->GetBoundary() == nullptr && this->GetLabels() == nullptr)
  {
    npsnetThrow("Nothing to measure: give a boundary or a label map.");
  }
}

void RimMeasurementFilter::GenerateInputRequestedRegion()
{
  // Of the photograph only the geometry is used; the superclass would ask for its pixels.
  if (auto * labels = const_cast<LabelImageType *>(this->GetLabels()))
  {
    labels->SetRequestedRegionToLargestPossibleRegion();
  }
}

void RimMeasurementFilter::GenerateData()
{
  auto calculator = RimMeasurementCalculator::New();
  calculator->SetEye(m_Eye);
  calculator->SetMicrometersPerPixel(m_MicrometersPerPixel);
  calculator->SetPhotograph(this->GetPhotograph());
  const NestedPolarBoundary * boundary = this->GetBoundary();
  this->GetOutput()->Set(boundary != nullptr ? calculator->Compute(boundary) : calculator->Compute(this->GetLabels()));
}

void RimMeasurementFilter::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "Eye: " << EyeSideToString(m_Eye) << std::endl;
  os << indent << "MicrometersPerPixel: " << m_MicrometersPerPixel << std::endl;
}
} // namespace itk
