// SPDX-License-Identifier: Apache-2.0
#ifndef itkFundusRegionOfInterestImageFilter_hxx
#define itkFundusRegionOfInterestImageFilter_hxx

#include "itkNumericTraits.h"
#include "detail/itkSampledOutput.h"
#include "detail/itkSquareCropSampling.h"

#include <cmath>

namespace itk
{
template <typename TInputImage, typename TOutputImage>
FundusRegionOfInterestImageFilter<TInputImage, TOutputImage>::FundusRegionOfInterestImageFilter()
{
  this->DynamicMultiThreadingOn();
}

template <typename TInputImage, typename TOutputImage>
void FundusRegionOfInterestImageFilter<TInputImage, TOutputImage>::VerifyPreconditions() ITKv5_CONST
{
  Superclass::VerifyPreconditions();
  if (!std::isfinite(m_Side) || m_Side <= 0.0)
  {
    itkExceptionMacro("Side must be set to a finite positive length, not " << m_Side << '.');
  }
  if (!std::isfinite(m_Center[0]) || !std::isfinite(m_Center[1]))
  {
    itkExceptionMacro("Center must be finite, not " << m_Center << '.');
  }
  if (m_NumberOfPixels == 0 || m_NumberOfPixels > 32768)
  {
    itkExceptionMacro("NumberOfPixels must be 1 to 32768, not " << m_NumberOfPixels << '.');
  }
}

template <typename TInputImage, typename TOutputImage>
void FundusRegionOfInterestImageFilter<TInputImage, TOutputImage>::GenerateOutputInformation()
{
  const TInputImage * input = this->GetInput();
  TOutputImage *      output = this->GetOutput();
  PrepareSampledOutput(input, output);
  typename TOutputImage::SizeType    size;
  typename TOutputImage::SpacingType spacing;
  typename TOutputImage::PointType   origin;
  size.Fill(m_NumberOfPixels);
  spacing.Fill(m_Side / m_NumberOfPixels);
  const double first = (0.5 - 0.5 * m_NumberOfPixels) * spacing[0];
  const auto & direction = input->GetDirection();
  for (unsigned int k = 0; k < 2; ++k)
  {
    origin[k] = m_Center[k] + first * (direction(k, 0) + direction(k, 1));
  }
  output->SetLargestPossibleRegion(OutputImageRegionType(size));
  output->SetSpacing(spacing);
  output->SetOrigin(origin);
  output->SetDirection(direction);
}

template <typename TInputImage, typename TOutputImage>
void FundusRegionOfInterestImageFilter<TInputImage, TOutputImage>::GenerateInputRequestedRegion()
{
  // Not the superclass's: it would copy the crop's indices onto the photograph.
  if (auto * input = const_cast<TInputImage *>(this->GetInput()))
  {
    input->SetRequestedRegionToLargestPossibleRegion();
  }
}

template <typename TInputImage, typename TOutputImage>
void FundusRegionOfInterestImageFilter<TInputImage, TOutputImage>::DynamicThreadedGenerateData(
  const OutputImageRegionType & region)
{
  using InputComponent = typename NumericTraits<typename TInputImage::PixelType>::ValueType;
  using OutputComponent = typename NumericTraits<typename TOutputImage::PixelType>::ValueType;

  const TInputImage * input = this->GetInput();
  TOutputImage *      output = this->GetOutput();
  const auto &        buffered = input->GetBufferedRegion();
  const std::size_t   components = input->GetNumberOfComponentsPerPixel();

  ContinuousIndex<double, 2> centre;
  input->TransformPhysicalPointToContinuousIndex(m_Center, centre);
  const auto axis = [&](unsigned int k) {
    return SquareCropAxis(centre[k] - static_cast<double>(buffered.GetIndex(k)),
                          m_Side / input->GetSpacing()[k],
                          m_NumberOfPixels,
                          buffered.GetSize(k),
                          m_NearestNeighbor);
  };
  const SquareCropAxis xAxis = axis(0);
  const SquareCropAxis yAxis = axis(1);

  const auto *      in = reinterpret_cast<const InputComponent *>(input->GetBufferPointer());
  auto *            out = reinterpret_cast<OutputComponent *>(output->GetBufferPointer());
  const std::size_t x0 = static_cast<std::size_t>(region.GetIndex(0));
  const auto &      outBuffered = output->GetBufferedRegion();
  for (SizeValueType dy = 0; dy < region.GetSize(1); ++dy)
  {
    const IndexValueType y = region.GetIndex(1) + static_cast<IndexValueType>(dy);
    const std::size_t    row = static_cast<std::size_t>(y - outBuffered.GetIndex(1)) * outBuffered.GetSize(0) + x0 -
                            static_cast<std::size_t>(outBuffered.GetIndex(0));
    SampleSquareCropRow(in,
                        buffered.GetSize(0) * components,
                        components,
                        xAxis,
                        yAxis[static_cast<std::size_t>(y)],
                        x0,
                        x0 + region.GetSize(0),
                        out + row * components);
  }
}

template <typename TInputImage, typename TOutputImage>
void FundusRegionOfInterestImageFilter<TInputImage, TOutputImage>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "Center: " << m_Center << std::endl;
  os << indent << "Side: " << m_Side << std::endl;
  os << indent << "NumberOfPixels: " << m_NumberOfPixels << std::endl;
  os << indent << "NearestNeighbor: " << (m_NearestNeighbor ? "On" : "Off") << std::endl;
}
} // namespace itk

#endif
