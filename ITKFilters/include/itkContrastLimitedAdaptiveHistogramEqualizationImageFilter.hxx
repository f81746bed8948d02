// SPDX-License-Identifier: Apache-2.0
#ifndef itkContrastLimitedAdaptiveHistogramEqualizationImageFilter_hxx
#define itkContrastLimitedAdaptiveHistogramEqualizationImageFilter_hxx

#include "detail/itkContrastLimitedEqualization.h"
#include "itkNumericTraits.h"

#include <cmath>
#include <type_traits>
#include <vector>

namespace itk
{
template <typename TInputImage, typename TOutputImage>
void ContrastLimitedAdaptiveHistogramEqualizationImageFilter<TInputImage, TOutputImage>::VerifyPreconditions()
  ITKv5_CONST
{
  Superclass::VerifyPreconditions();
  if (!std::isfinite(m_ClipLimit) || m_ClipLimit <= 0.0)
  {
    itkExceptionMacro("ClipLimit must be finite and positive, not " << m_ClipLimit << '.');
  }
  if (m_Tiles[0] == 0 || m_Tiles[1] == 0)
  {
    itkExceptionMacro("Tiles must be at least 1 x 1.");
  }
  const unsigned int components = this->GetInput()->GetNumberOfComponentsPerPixel();
  if (components != 1 && components != 3 && components != 4)
  {
    itkExceptionMacro("CLAHE takes 1, 3 or 4 components a pixel, not " << components << '.');
  }
}

template <typename TInputImage, typename TOutputImage>
void ContrastLimitedAdaptiveHistogramEqualizationImageFilter<TInputImage, TOutputImage>::GenerateInputRequestedRegion()
{
  Superclass::GenerateInputRequestedRegion();
  if (auto * input = const_cast<TInputImage *>(this->GetInput()))
  {
    input->SetRequestedRegionToLargestPossibleRegion();
  }
}

template <typename TInputImage, typename TOutputImage>
void ContrastLimitedAdaptiveHistogramEqualizationImageFilter<TInputImage, TOutputImage>::EnlargeOutputRequestedRegion(
  DataObject * output)
{
  output->SetRequestedRegionToLargestPossibleRegion();
}

template <typename TInputImage, typename TOutputImage>
void ContrastLimitedAdaptiveHistogramEqualizationImageFilter<TInputImage, TOutputImage>::GenerateData()
{
  using InputComponent = typename NumericTraits<typename TInputImage::PixelType>::ValueType;
  using OutputComponent = typename NumericTraits<typename TOutputImage::PixelType>::ValueType;
  static_assert(std::is_same<InputComponent, unsigned char>::value ||
                  std::is_same<InputComponent, unsigned short>::value,
                "CLAHE takes 8 or 16 bits");
  static_assert(std::is_same<OutputComponent, unsigned char>::value ||
                  std::is_same<OutputComponent, unsigned short>::value,
                "CLAHE gives 8 or 16 bits");

  this->AllocateOutputs();
  const TInputImage * input = this->GetInput();
  TOutputImage *      output = this->GetOutput();
  const auto          size = input->GetBufferedRegion().GetSize();
  const unsigned int  components = input->GetNumberOfComponentsPerPixel();
  if (output->GetNumberOfComponentsPerPixel() != components)
  {
    itkExceptionMacro("The output must have the input's " << components << " components a pixel.");
  }
  const std::size_t      width = size[0];
  const std::size_t      rowLength = width * components;
  const InputComponent * in = reinterpret_cast<const InputComponent *>(input->GetBufferPointer());
  OutputComponent *      out = reinterpret_cast<OutputComponent *>(output->GetBufferPointer());
  const std::size_t      colours = components == 1 ? 1 : 3;

  const auto to8 = [](InputComponent v) {
    return static_cast<unsigned char>(sizeof(InputComponent) == 1 ? v : (static_cast<unsigned int>(v) + 128) / 257);
  };
  const auto from8 = [](unsigned char v) {
    return static_cast<OutputComponent>(sizeof(OutputComponent) == 1 ? v : v * 257);
  };

  ContrastLimitedEqualization equalization(static_cast<unsigned int>(size[0]),
                                           static_cast<unsigned int>(size[1]),
                                           m_ClipLimit,
                                           static_cast<unsigned int>(m_Tiles[0]),
                                           static_cast<unsigned int>(m_Tiles[1]));

  const auto load = [&](SizeValueType y) {
    std::vector<unsigned char> row(colours * width);
    const InputComponent *     source = in + y * rowLength;
    for (std::size_t x = 0; x < width; ++x)
    {
      for (std::size_t c = 0; c < colours; ++c)
      {
        row[x * colours + c] = to8(source[x * components + c]);
      }
    }
    colours == 1 ? equalization.LoadGreyRow(row.data(), static_cast<unsigned int>(y))
                 : equalization.LoadRGBRow(row.data(), static_cast<unsigned int>(y));
  };
  const auto build = [&](SizeValueType tile) { equalization.BuildTile(static_cast<unsigned int>(tile)); };
  const auto store = [&](SizeValueType y) {
    std::vector<unsigned char> row(colours * width);
    colours == 1 ? equalization.StoreGreyRow(row.data(), static_cast<unsigned int>(y))
                 : equalization.StoreRGBRow(row.data(), static_cast<unsigned int>(y));
    OutputComponent *      target = out + y * rowLength;
    const InputComponent * source = in + y * rowLength;
    for (std::size_t x = 0; x < width; ++x)
    {
      for (std::size_t c = 0; c < colours; ++c)
      {
        target[x * components + c] = from8(row[x * colours + c]);
      }
      if (components == 4)
      {
        const InputComponent alpha = source[x * components + 3];
        target[x * components + 3] =
          sizeof(InputComponent) == sizeof(OutputComponent) ? static_cast<OutputComponent>(alpha) : from8(to8(alpha));
      }
    }
  };

  const auto parallel = [this](SizeValueType count, const auto & part, float done) {
    const auto guarded = [this, &part](SizeValueType i) {
      if (!this->GetAbortGenerateData())
      {
        part(i);
      }
    };
    this->GetMultiThreader()->SetNumberOfWorkUnits(this->GetNumberOfWorkUnits());
    this->GetMultiThreader()->ParallelizeArray(0, count, guarded, nullptr);
    this->UpdateProgress(done);
    if (this->GetAbortGenerateData())
    {
      throw ProcessAborted(__FILE__, __LINE__);
    }
  };
  parallel(size[1], load, 0.4f);
  parallel(equalization.GetNumberOfTiles(), build, 0.6f);
  parallel(size[1], store, 1.0f);
}

template <typename TInputImage, typename TOutputImage>
void ContrastLimitedAdaptiveHistogramEqualizationImageFilter<TInputImage, TOutputImage>::PrintSelf(std::ostream & os,
                                                                                                   Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "ClipLimit: " << m_ClipLimit << std::endl;
  os << indent << "Tiles: " << m_Tiles << std::endl;
}
} // namespace itk

#endif
