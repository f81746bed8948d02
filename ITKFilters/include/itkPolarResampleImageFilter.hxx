// SPDX-License-Identifier: Apache-2.0
#ifndef itkPolarResampleImageFilter_hxx
#define itkPolarResampleImageFilter_hxx

#include "itkNumericTraits.h"
#include "detail/itkPolarSampling.h"
#include "detail/itkSampledOutput.h"

#include <cmath>
#include <vector>

namespace itk
{
template <typename TInputImage, typename TOutputImage>
PolarResampleImageFilter<TInputImage, TOutputImage>::PolarResampleImageFilter()
{
  this->DynamicMultiThreadingOn();
}

template <typename TInputImage, typename TOutputImage>
void PolarResampleImageFilter<TInputImage, TOutputImage>::VerifyPreconditions() ITKv5_CONST
{
  Superclass::VerifyPreconditions();
  if (!std::isfinite(m_Radius) || m_Radius < 0.0)
  {
    itkExceptionMacro("Radius must be a finite length, or 0 for half the image, not " << m_Radius << '.');
  }
  if (!m_UseImageCenter && (!std::isfinite(m_Center[0]) || !std::isfinite(m_Center[1])))
  {
    itkExceptionMacro("Center must be finite, not " << m_Center << '.');
  }
  if (m_NumberOfRadii < 2 || m_NumberOfAngles < 1)
  {
    itkExceptionMacro("A polar grid needs at least two radii and one angle, not " << m_NumberOfRadii << " and "
                                                                                  << m_NumberOfAngles << '.');
  }
}

template <typename TInputImage, typename TOutputImage>
void PolarResampleImageFilter<TInputImage, TOutputImage>::GenerateOutputInformation()
{
  TOutputImage * output = this->GetOutput();
  PrepareSampledOutput(this->GetInput(), output);
  PolarFrame::SetMapInformation(output, m_NumberOfRadii, m_NumberOfAngles);
}

template <typename TInputImage, typename TOutputImage>
void PolarResampleImageFilter<TInputImage, TOutputImage>::GenerateInputRequestedRegion()
{
  if (auto * input = const_cast<TInputImage *>(this->GetInput()))
  {
    input->SetRequestedRegionToLargestPossibleRegion();
  }
}

template <typename TInputImage, typename TOutputImage>
void PolarResampleImageFilter<TInputImage, TOutputImage>::DynamicThreadedGenerateData(
  const OutputImageRegionType & region)
{
  using InputComponent = typename NumericTraits<typename TInputImage::PixelType>::ValueType;
  using OutputComponent = typename NumericTraits<typename TOutputImage::PixelType>::ValueType;

  const TInputImage * input = this->GetInput();
  TOutputImage *      output = this->GetOutput();
  const auto          size = input->GetLargestPossibleRegion().GetSize();
  const int           components = static_cast<int>(input->GetNumberOfComponentsPerPixel());
  const PolarFrame    frame(input,
                         m_UseImageCenter ? PolarFrame::DefaultCenter(input) : m_Center,
                         m_Radius > 0.0 ? m_Radius : PolarFrame::DefaultRadius(input));

  const PolarGrid<double> grid = frame.MakeGrid(m_NumberOfRadii, m_NumberOfAngles);
  const auto *            in = reinterpret_cast<const InputComponent *>(input->GetBufferPointer());
  auto *                  out = reinterpret_cast<OutputComponent *>(output->GetBufferPointer());
  std::vector<double>     pixel(components);
  for (SizeValueType di = 0; di < region.GetSize(0); ++di)
  {
    typename TOutputImage::IndexType index{ { region.GetIndex(0) + static_cast<IndexValueType>(di), 0 } };
    double                           direction[2];
    grid.GetDirection(static_cast<int>(index[0]), grid.NumberOfAngles, direction);
    for (SizeValueType dj = 0; dj < region.GetSize(1); ++dj)
    {
      index[1] = region.GetIndex(1) + static_cast<IndexValueType>(dj);
      double point[2];
      grid.GetPoint(static_cast<int>(index[1]), direction, point);
      SampleBilinearZeroOutside(
        in, static_cast<int>(size[0]), static_cast<int>(size[1]), components, point[0], point[1], pixel.data());
      OutputComponent * target = out + output->ComputeOffset(index) * components;
      for (int c = 0; c < components; ++c)
      {
        target[c] = ToSampledComponent<OutputComponent>(pixel[c]);
      }
    }
  }
}

template <typename TInputImage, typename TOutputImage>
void PolarResampleImageFilter<TInputImage, TOutputImage>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "Center: " << m_Center << std::endl;
  os << indent << "UseImageCenter: " << (m_UseImageCenter ? "On" : "Off") << std::endl;
  os << indent << "Radius: " << m_Radius << std::endl;
  os << indent << "NumberOfRadii: " << m_NumberOfRadii << std::endl;
  os << indent << "NumberOfAngles: " << m_NumberOfAngles << std::endl;
}
} // namespace itk

#endif
