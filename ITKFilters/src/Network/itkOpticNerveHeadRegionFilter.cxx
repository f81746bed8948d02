// SPDX-License-Identifier: Apache-2.0
#include "itkOpticNerveHeadRegionFilter.h"
#include "itkNPSNetThrow.h"
#include "itkPolarFrame.h"

namespace itk
{
OpticNerveHeadRegionFilter::OpticNerveHeadRegionFilter()
{
  this->SetNumberOfRequiredInputs(1);
  this->SetNumberOfRequiredOutputs(1);
  this->SetNthOutput(0, this->MakeOutput(0));
}

OpticNerveHeadRegionFilter::~OpticNerveHeadRegionFilter() = default;

DataObject::Pointer OpticNerveHeadRegionFilter::MakeOutput(DataObjectPointerArraySizeType)
{
  return OutputType::New().GetPointer();
}

void OpticNerveHeadRegionFilter::SetInput(const ImageType * image)
{
  this->SetPrimaryInput(const_cast<ImageType *>(image));
}

const OpticNerveHeadRegionFilter::ImageType * OpticNerveHeadRegionFilter::GetInput() const
{
  return static_cast<const ImageType *>(this->GetPrimaryInput());
}

OpticNerveHeadRegionFilter::OutputType * OpticNerveHeadRegionFilter::GetOutput()
{
  return static_cast<OutputType *>(this->GetPrimaryOutput());
}

void OpticNerveHeadRegionFilter::VerifyPreconditions() ITKv5_CONST
{
  Superclass::VerifyPreconditions();
  if (m_Locator.IsNull())
  {
    npsnetThrow("A locator must be set: OpticNerveHeadLocator::Load() gives one.");
  }
}

void OpticNerveHeadRegionFilter::GenerateInputRequestedRegion()
{
  const_cast<ImageType *>(this->GetInput())->SetRequestedRegionToLargestPossibleRegion();
}

void OpticNerveHeadRegionFilter::GenerateData()
{
  const ImageType * image = this->GetInput();
  m_Location = m_Locator->Locate(image);
  FundusRegion region;
  if (m_Location.Found)
  {
    region.Center = m_Location.Center;
    region.Side = m_SidePerDiameter * m_Location.Diameter;
  }
  else
  {
    region.Center = PolarFrame::DefaultCenter(image);
    region.Side = 2.0 * PolarFrame::DefaultRadius(image);
  }
  this->GetOutput()->Set(region);
}

void OpticNerveHeadRegionFilter::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  itkPrintSelfObjectMacro(Locator);
  os << indent << "SidePerDiameter: " << m_SidePerDiameter << std::endl;
  os << indent << "Found: " << (m_Location.Found ? "Yes" : "No") << std::endl;
}
} // namespace itk
