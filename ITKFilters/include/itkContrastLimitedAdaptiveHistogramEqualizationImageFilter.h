// SPDX-License-Identifier: Apache-2.0
#ifndef itkContrastLimitedAdaptiveHistogramEqualizationImageFilter_h
#define itkContrastLimitedAdaptiveHistogramEqualizationImageFilter_h

#include "detail/itkNameOfClass.h"
#include "itkImageToImageFilter.h"

namespace itk
{
/** \class ContrastLimitedAdaptiveHistogramEqualizationImageFilter
 * \brief CLAHE as OpenCV does it: on grey values, or for colour on L of 8-bit Lab.
 *
 * Takes and gives 2-D images of scalars, RGB or RGBA with 8 or 16 bits (the alpha channel is passed on).
 * The equalisation itself has 8 bits: 16-bit input is reduced by v / 257 rounded, 16-bit output is v * 257.
 * Input and output have the same number of components. The whole image is needed at once; the work is
 * distributed over the filter's work units.
 *
 * \ingroup NPSNet
 * \ingroup MultiThreaded
 * \sa ContrastLimitedEqualization, ApplyCLAHE
 */
template <typename TInputImage, typename TOutputImage = TInputImage>
class ITK_TEMPLATE_EXPORT ContrastLimitedAdaptiveHistogramEqualizationImageFilter
  : public ImageToImageFilter<TInputImage, TOutputImage>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(ContrastLimitedAdaptiveHistogramEqualizationImageFilter);

  using Self = ContrastLimitedAdaptiveHistogramEqualizationImageFilter;
  using Superclass = ImageToImageFilter<TInputImage, TOutputImage>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;
  using TilesType = Size<2>;

  static_assert(TInputImage::ImageDimension == 2 && TOutputImage::ImageDimension == 2, "CLAHE works on 2-D images");

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(ContrastLimitedAdaptiveHistogramEqualizationImageFilter);

  /** Limit of a histogram bin as a multiple of the mean bin. Default 2. */
  itkSetMacro(ClipLimit, double);
  itkGetConstMacro(ClipLimit, double);

  /** Number of tiles along x and y. Default 8 x 8. */
  itkSetMacro(Tiles, TilesType);
  itkGetConstReferenceMacro(Tiles, TilesType);

protected:
  ContrastLimitedAdaptiveHistogramEqualizationImageFilter() { m_Tiles.Fill(8); }
  ~ContrastLimitedAdaptiveHistogramEqualizationImageFilter() override = default;

  void VerifyPreconditions() ITKv5_CONST override;
  void GenerateInputRequestedRegion() override;
  void EnlargeOutputRequestedRegion(DataObject * output) override;
  void GenerateData() override;
  void PrintSelf(std::ostream & os, Indent indent) const override;

private:
  double    m_ClipLimit{ 2.0 };
  TilesType m_Tiles;
};
} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#include "itkContrastLimitedAdaptiveHistogramEqualizationImageFilter.hxx"
#endif

#endif
