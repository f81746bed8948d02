// SPDX-License-Identifier: Apache-2.0
#include "itkNPSNetImageFilter.h"

#include "itkNetworkCrop.h"
#include "itkPolarFrame.h"
#include "itkPolarTestTimeAugmentationFilter.h"
#include "itkProgressAccumulator.h"

#include <cmath>

namespace itk
{
NPSNetImageFilter::NPSNetImageFilter()
{
  this->SetNumberOfRequiredInputs(1);
  this->SetNumberOfRequiredOutputs(3);
  this->SetNthOutput(1, this->MakeOutput(1));
  this->SetNthOutput(2, this->MakeOutput(2));
}

NPSNetImageFilter::~NPSNetImageFilter() = default;

DataObject::Pointer NPSNetImageFilter::MakeOutput(DataObjectPointerArraySizeType index)
{
  return index == 0 ? Superclass::MakeOutput(index) : DataObject::Pointer(MapType::New().GetPointer());
}

void NPSNetImageFilter::SetInput(const ImageType * image)
{
  this->SetPrimaryInput(const_cast<ImageType *>(image));
}

const NPSNetImageFilter::ImageType * NPSNetImageFilter::GetInput() const
{
  return static_cast<const ImageType *>(this->GetPrimaryInput());
}

NPSNetImageFilter::MapType * NPSNetImageFilter::GetDiscOccupancy()
{
  return static_cast<MapType *>(this->ProcessObject::GetOutput(1));
}

NPSNetImageFilter::MapType * NPSNetImageFilter::GetCupOccupancy()
{
  return static_cast<MapType *>(this->ProcessObject::GetOutput(2));
}

void NPSNetImageFilter::VerifyPreconditions() ITKv5_CONST
{
  Superclass::VerifyPreconditions();
  if (m_Network.IsNull())
  {
    itkExceptionMacro("A network must be set: NPSNet::Load() gives one.");
  }
}

void NPSNetImageFilter::GenerateInputRequestedRegion()
{
  const_cast<ImageType *>(this->GetInput())->SetRequestedRegionToLargestPossibleRegion();
}

void NPSNetImageFilter::GenerateOutputRequestedRegion(DataObject *)
{
  // Everything is made at once, whatever is asked for.
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
  const auto & architecture = m_Network->GetArchitecture();
  PolarFrame::SetMapInformation(this->GetDiscOccupancy(), architecture.NumberOfRadii, architecture.NumberOfAngles);
  PolarFrame::SetMapInformation(this->GetCupOccupancy(), architecture.NumberOfRadii, architecture.NumberOfAngles);
}

void NPSNetImageFilter::GenerateData()
{
  const ImageType *          input = this->GetInput();
  const NPSNetArchitecture & architecture = m_Network->GetArchitecture();
  m_CropRegion = this->GetRegionInput() != nullptr ? this->GetRegion() : FundusRegion();
  if (!std::isfinite(m_CropRegion.Side) || m_CropRegion.Side < 0.0)
  {
    itkExceptionMacro("The side of the crop must be a positive length, or 0 for the whole image, not "
                      << m_CropRegion.Side << '.');
  }
  if (m_CropRegion.Side == 0.0)
  {
    m_CropRegion.Center = PolarFrame::DefaultCenter(input);
    m_CropRegion.Side = 2.0 * PolarFrame::DefaultRadius(input);
  }

  auto progress = ProgressAccumulator::New();
  progress->SetMiniPipelineFilter(this);
  const ImageType::Pointer crop =
    MakeNetworkCrop(input, m_CropRegion.Center, m_CropRegion.Side, architecture, progress);

  auto augmentation = PolarTestTimeAugmentationFilter::New();
  augmentation->SetInput(crop);
  augmentation->SetNetwork(m_Network);
  augmentation->SetSettings(m_TTASettings);
  progress->RegisterInternalFilter(augmentation, 0.95f);
  augmentation->Update();
  m_Report = augmentation->GetReport();
  this->GetOutput()->Graft(augmentation->GetBoundary());
  this->GetDiscOccupancy()->Graft(augmentation->GetDiscOccupancy());
  this->GetCupOccupancy()->Graft(augmentation->GetCupOccupancy());
}

void NPSNetImageFilter::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  itkPrintSelfObjectMacro(Network);
  os << indent << "TTAMode: " << PolarTTAModeToString(m_TTASettings.Mode) << std::endl;
  os << indent << "CropRegion: " << m_CropRegion << std::endl;
}
} // namespace itk
