// SPDX-License-Identifier: Apache-2.0
#include "itkNPSNetImageFilter.h"

#include "itkNestedPolarBoundaryToLabelImageFilter.h"
#include "itkNetworkCrop.h"
#include "itkPolarFrame.h"
#include "itkPolarTestTimeAugmentationFilter.h"
#include "itkProgressAccumulator.h"
#include "itkRegularizeNestedPolarBoundary.h"

#include <cmath>

namespace itk
{
NPSNetImageFilter::NPSNetImageFilter()
{
  this->SetNumberOfRequiredOutputs(5);
  for (unsigned int i = 1; i < 5; ++i)
  {
    this->SetNthOutput(i, this->MakeOutput(i));
  }
}

NPSNetImageFilter::~NPSNetImageFilter() = default;

DataObject::Pointer NPSNetImageFilter::MakeOutput(DataObjectPointerArraySizeType index)
{
  switch (index)
  {
    case 0:
      return LabelImageType::New().GetPointer();
    case 1:
    case 4:
      return NestedPolarBoundary::New().GetPointer();
    default:
      return MapType::New().GetPointer();
  }
}

DataObject::Pointer NPSNetImageFilter::MakeOutput(const DataObjectIdentifierType & name)
{
  return this->MakeOutput(this->MakeIndexFromOutputName(name));
}

NestedPolarBoundary * NPSNetImageFilter::GetBoundary()
{
  return static_cast<NestedPolarBoundary *>(this->ProcessObject::GetOutput(1));
}

NPSNetImageFilter::MapType * NPSNetImageFilter::GetDiscOccupancy()
{
  return static_cast<MapType *>(this->ProcessObject::GetOutput(2));
}

NPSNetImageFilter::MapType * NPSNetImageFilter::GetCupOccupancy()
{
  return static_cast<MapType *>(this->ProcessObject::GetOutput(3));
}

NestedPolarBoundary * NPSNetImageFilter::GetNetworkBoundary()
{
  return static_cast<NestedPolarBoundary *>(this->ProcessObject::GetOutput(4));
}

void NPSNetImageFilter::VerifyPreconditions() ITKv5_CONST
{
  Superclass::VerifyPreconditions();
  if (m_Network.IsNull())
  {
    itkExceptionMacro("A network must be set: NPSNet::Load() gives one.");
  }
  if (!std::isfinite(m_Side) || m_Side < 0.0)
  {
    itkExceptionMacro("The side of the crop must be a positive length, or 0 for the whole image, not " << m_Side
                                                                                                       << '.');
  }
}

void NPSNetImageFilter::GenerateInputRequestedRegion()
{
  if (auto * input = const_cast<ImageType *>(this->GetInput()))
  {
    input->SetRequestedRegionToLargestPossibleRegion();
  }
}

void NPSNetImageFilter::GenerateOutputRequestedRegion(DataObject *)
{
  // Everything is made at once, and the superclass would ask of the maps what is asked of the labels.
  for (DataObjectPointerArraySizeType i = 0; i < this->GetNumberOfIndexedOutputs(); ++i)
  {
    this->ProcessObject::GetOutput(i)->SetRequestedRegionToLargestPossibleRegion();
  }
}

void NPSNetImageFilter::EnlargeOutputRequestedRegion(DataObject * output)
{
  output->SetRequestedRegionToLargestPossibleRegion();
}

void NPSNetImageFilter::GenerateOutputInformation()
{
  // Only the labels share the input's geometry.
  this->GetOutput()->CopyInformation(this->GetInput());
  const auto & architecture = m_Network->GetArchitecture();
  PolarFrame::SetMapInformation(this->GetDiscOccupancy(), architecture.NumberOfRadii, architecture.NumberOfAngles);
  PolarFrame::SetMapInformation(this->GetCupOccupancy(), architecture.NumberOfRadii, architecture.NumberOfAngles);
}

void NPSNetImageFilter::GenerateData()
{
  const ImageType *          input = this->GetInput();
  const NPSNetArchitecture & architecture = m_Network->GetArchitecture();
  m_CropCenter = m_Side > 0.0 ? m_Center : PolarFrame::DefaultCenter(input);
  m_CropSide = m_Side > 0.0 ? m_Side : 2.0 * PolarFrame::DefaultRadius(input);

  auto progress = ProgressAccumulator::New();
  progress->SetMiniPipelineFilter(this);

  const ImageType::Pointer crop = MakeNetworkCrop(input, m_CropCenter, m_CropSide, architecture, progress);

  auto augmentation = PolarTestTimeAugmentationFilter::New();
  augmentation->SetInput(crop);
  augmentation->SetNetwork(m_Network);
  augmentation->SetSettings(m_TTASettings);
  progress->RegisterInternalFilter(augmentation, 0.9f);
  augmentation->Update();
  m_Report = augmentation->GetReport();
  this->GetDiscOccupancy()->Graft(augmentation->GetDiscOccupancy());
  this->GetCupOccupancy()->Graft(augmentation->GetCupOccupancy());

  NestedPolarBoundaryRegularization done;
  const auto                        boundary = RegularizeNestedPolarBoundary(augmentation->GetBoundary(), input, &done);
  m_BoundaryWasRepaired = done.DiscWindow != 1 || done.CupWindow != 1;
  this->GetBoundary()->Graft(boundary);
  this->GetNetworkBoundary()->Graft(augmentation->GetBoundary());

  auto labels = NestedPolarBoundaryToLabelImageFilter::New();
  labels->SetBoundary(boundary);
  labels->SetReferenceImage(input);
  progress->RegisterInternalFilter(labels, 0.05f);
  labels->Update();
  this->GraftOutput(labels->GetOutput());
}

void NPSNetImageFilter::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  itkPrintSelfObjectMacro(Network);
  os << indent << "TTAMode: " << PolarTTAModeToString(m_TTASettings.Mode) << std::endl;
  os << indent << "Center: " << m_Center << std::endl;
  os << indent << "Side: " << m_Side << std::endl;
  os << indent << "CropCenter: " << m_CropCenter << std::endl;
  os << indent << "CropSide: " << m_CropSide << std::endl;
  os << indent << "BoundaryWasRepaired: " << (m_BoundaryWasRepaired ? "Yes" : "No") << std::endl;
}
} // namespace itk
