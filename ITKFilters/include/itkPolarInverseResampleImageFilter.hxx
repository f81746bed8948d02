// SPDX-License-Identifier: Apache-2.0
#ifndef itkPolarInverseResampleImageFilter_hxx
#define itkPolarInverseResampleImageFilter_hxx

#include "itkNumericTraits.h"
#include "detail/itkSampledOutput.h"

#include <algorithm>
#include <cmath>

namespace itk
{
template <typename TInputImage, typename TOutputImage>
PolarInverseResampleImageFilter<TInputImage, TOutputImage>::PolarInverseResampleImageFilter()
{
  m_Size.Fill(0);
  m_OutputStartIndex.Fill(0);
  m_OutputSpacing.Fill(1.0);
  m_OutputDirection.SetIdentity();
  this->DynamicMultiThreadingOn();
}

template <typename TInputImage, typename TOutputImage>
void PolarInverseResampleImageFilter<TInputImage, TOutputImage>::SetOutputParametersFromImage(
  const ImageBase<2> * image)
{
  this->SetSize(image->GetLargestPossibleRegion().GetSize());
  this->SetOutputStartIndex(image->GetLargestPossibleRegion().GetIndex());
  this->SetOutputSpacing(image->GetSpacing());
  this->SetOutputOrigin(image->GetOrigin());
  this->SetOutputDirection(image->GetDirection());
}

template <typename TInputImage, typename TOutputImage>
void PolarInverseResampleImageFilter<TInputImage, TOutputImage>::VerifyPreconditions() ITKv5_CONST
{
  Superclass::VerifyPreconditions();
  if (m_Size[0] == 0 || m_Size[1] == 0)
  {
    itkExceptionMacro("The size of the output must be set, for example by SetOutputParametersFromImage().");
  }
  if (!std::isfinite(m_Radius) || m_Radius < 0.0)
  {
    itkExceptionMacro("Radius must be a finite length, or 0 for half the output, not " << m_Radius << '.');
  }
  if (!m_UseImageCenter && (!std::isfinite(m_Center[0]) || !std::isfinite(m_Center[1])))
  {
    itkExceptionMacro("Center must be finite, not " << m_Center << '.');
  }
}

template <typename TInputImage, typename TOutputImage>
void PolarInverseResampleImageFilter<TInputImage, TOutputImage>::GenerateOutputInformation()
{
  TOutputImage * output = this->GetOutput();
  PrepareSampledOutput(this->GetInput(), output);
  output->SetLargestPossibleRegion(OutputImageRegionType(m_OutputStartIndex, m_Size));
  output->SetSpacing(m_OutputSpacing);
  output->SetOrigin(m_OutputOrigin);
  output->SetDirection(m_OutputDirection);
}

template <typename TInputImage, typename TOutputImage>
void PolarInverseResampleImageFilter<TInputImage, TOutputImage>::GenerateInputRequestedRegion()
{
  if (auto * input = const_cast<TInputImage *>(this->GetInput()))
  {
    input->SetRequestedRegionToLargestPossibleRegion();
  }
}

template <typename TInputImage, typename TOutputImage>
void PolarInverseResampleImageFilter<TInputImage, TOutputImage>::DynamicThreadedGenerateData(
  const OutputImageRegionType & region)
{
  using InputComponent = typename NumericTraits<typename TInputImage::PixelType>::ValueType;
  using OutputComponent = typename NumericTraits<typename TOutputImage::PixelType>::ValueType;

  const TInputImage * input = this->GetInput();
  TOutputImage *      output = this->GetOutput();
  const auto          polarSize = input->GetLargestPossibleRegion().GetSize();
  const std::size_t   components = input->GetNumberOfComponentsPerPixel();
  const PolarFrame    frame(output,
                         m_UseImageCenter ? PolarFrame::DefaultCenter(output) : m_Center,
                         m_Radius > 0.0 ? m_Radius : PolarFrame::DefaultRadius(output));

  const PolarGrid<double> grid =
    frame.MakeGrid(static_cast<unsigned int>(polarSize[1]), static_cast<unsigned int>(polarSize[0]));

  const auto * in = reinterpret_cast<const InputComponent *>(input->GetBufferPointer());
  auto *       out = reinterpret_cast<OutputComponent *>(output->GetBufferPointer());
  for (SizeValueType dy = 0; dy < region.GetSize(1); ++dy)
  {
    for (SizeValueType dx = 0; dx < region.GetSize(0); ++dx)
    {
      const IndexType   index{ { region.GetIndex(0) + static_cast<IndexValueType>(dx),
                                 region.GetIndex(1) + static_cast<IndexValueType>(dy) } };
      OutputComponent * target = out + static_cast<std::size_t>(output->ComputeOffset(index)) * components;
      PolarCell<double> cell;
      if (!grid.Locate(static_cast<double>(index[0] - m_OutputStartIndex[0]),
                       static_cast<double>(index[1] - m_OutputStartIndex[1]),
                       cell))
      {
        std::fill_n(target, components, OutputComponent{});
        continue;
      }
      for (std::size_t c = 0; c < components; ++c)
      {
        const double value = cell.Interpolate(
          [&](int j, int i) { return in[(j * polarSize[0] + static_cast<std::size_t>(i)) * components + c]; });
        target[c] = ToSampledComponent<OutputComponent>(value);
      }
    }
  }
}

template <typename TInputImage, typename TOutputImage>
void PolarInverseResampleImageFilter<TInputImage, TOutputImage>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "Center: " << m_Center << std::endl;
  os << indent << "UseImageCenter: " << (m_UseImageCenter ? "On" : "Off") << std::endl;
  os << indent << "Radius: " << m_Radius << std::endl;
  os << indent << "Size: " << m_Size << std::endl;
  os << indent << "OutputStartIndex: " << m_OutputStartIndex << std::endl;
  os << indent << "OutputSpacing: " << m_OutputSpacing << std::endl;
  os << indent << "OutputOrigin: " << m_OutputOrigin << std::endl;
  os << indent << "OutputDirection: " << std::endl << m_OutputDirection;
}
} // namespace itk

#endif
