// SPDX-License-Identifier: Apache-2.0
#ifndef itkPolarInverseResampleImageFilter_h
#define itkPolarInverseResampleImageFilter_h

#include "detail/itkNameOfClass.h"
#include "itkImageToImageFilter.h"
#include "itkPolarFrame.h"

namespace itk
{
/** \class PolarInverseResampleImageFilter
 * \brief Polar image (angles along x, radii along y) back to a raster.
 *
 * For the centre of every output pixel rho and theta = atan2 are interpolated bilinearly in the polar image: circular
 * in theta, the first and last radius continued; zero where rho > 1. The centre itself has theta = 0. The output's
 * geometry comes from SetOutputParametersFromImage() or its parts. Works on scalar and on vector pixels; integral
 * outputs are rounded.
 *
 * \ingroup NPSNet
 * \ingroup MultiThreaded
 * \sa PolarResampleImageFilter
 */
template <typename TInputImage, typename TOutputImage = TInputImage>
class ITK_TEMPLATE_EXPORT PolarInverseResampleImageFilter : public ImageToImageFilter<TInputImage, TOutputImage>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(PolarInverseResampleImageFilter);

  using Self = PolarInverseResampleImageFilter;
  using Superclass = ImageToImageFilter<TInputImage, TOutputImage>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;
  using PointType = PolarFrame::PointType;
  using SizeType = typename TOutputImage::SizeType;
  using IndexType = typename TOutputImage::IndexType;
  using SpacingType = typename TOutputImage::SpacingType;
  using DirectionType = typename TOutputImage::DirectionType;
  using OutputImageRegionType = typename TOutputImage::RegionType;

  static_assert(TInputImage::ImageDimension == 2 && TOutputImage::ImageDimension == 2, "polar means 2-D");

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(PolarInverseResampleImageFilter);

  /** Physical centre; setting it turns UseImageCenter off. */
  void SetCenter(const PointType & center)
  {
    m_Center = center;
    m_UseImageCenter = false;
    this->Modified();
  }
  itkGetConstReferenceMacro(Center, PointType);

  /** Use the middle of the output. Default on. */
  itkSetMacro(UseImageCenter, bool);
  itkGetConstMacro(UseImageCenter, bool);
  itkBooleanMacro(UseImageCenter);

  /** Physical length of rho = 1; 0 (default) means half the smaller extent of the output. */
  itkSetMacro(Radius, double);
  itkGetConstMacro(Radius, double);

  /** Geometry of the output. */
  void SetOutputParametersFromImage(const ImageBase<2> * image);
  itkSetMacro(Size, SizeType);
  itkGetConstReferenceMacro(Size, SizeType);
  itkSetMacro(OutputStartIndex, IndexType);
  itkGetConstReferenceMacro(OutputStartIndex, IndexType);
  itkSetMacro(OutputSpacing, SpacingType);
  itkGetConstReferenceMacro(OutputSpacing, SpacingType);
  itkSetMacro(OutputOrigin, PointType);
  itkGetConstReferenceMacro(OutputOrigin, PointType);
  itkSetMacro(OutputDirection, DirectionType);
  itkGetConstReferenceMacro(OutputDirection, DirectionType);

protected:
  PolarInverseResampleImageFilter();
  ~PolarInverseResampleImageFilter() override = default;

  void VerifyPreconditions() ITKv5_CONST override;
  void VerifyInputInformation() ITKv5_CONST override {}
  void GenerateOutputInformation() override;
  void GenerateInputRequestedRegion() override;
  void DynamicThreadedGenerateData(const OutputImageRegionType & region) override;
  void PrintSelf(std::ostream & os, Indent indent) const override;

private:
  PointType     m_Center{};
  bool          m_UseImageCenter{ true };
  double        m_Radius{ 0.0 };
  SizeType      m_Size;
  IndexType     m_OutputStartIndex;
  SpacingType   m_OutputSpacing;
  PointType     m_OutputOrigin{};
  DirectionType m_OutputDirection;
};
} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#include "itkPolarInverseResampleImageFilter.hxx"
#endif

#endif
