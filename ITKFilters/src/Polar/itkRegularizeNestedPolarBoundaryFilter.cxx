// SPDX-License-Identifier: Apache-2.0
#include "itkRegularizeNestedPolarBoundaryFilter.h"

namespace itk
{
RegularizeNestedPolarBoundaryFilter::RegularizeNestedPolarBoundaryFilter()
{
  this->SetPrimaryInputName("Boundary");
  this->AddRequiredInputName("ReferenceImage", 1);
}

void RegularizeNestedPolarBoundaryFilter::GenerateInputRequestedRegion()
{
  // The superclass would ask for all pixels of the reference image.
}

void RegularizeNestedPolarBoundaryFilter::GenerateData()
{
  this->GetOutput()->Graft(RegularizeNestedPolarBoundary(this->GetBoundary(), this->GetReferenceImage(), &m_Report));
}

void RegularizeNestedPolarBoundaryFilter::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "DiscWindow: " << m_Report.DiscWindow << std::endl;
  os << indent << "CupWindow: " << m_Report.CupWindow << std::endl;
}
} // namespace itk
