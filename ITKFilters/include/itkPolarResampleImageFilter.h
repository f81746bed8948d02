// SPDX-License-Identifier: Apache-2.0
#ifndef itkPolarResampleImageFilter_h
#define itkPolarResampleImageFilter_h

#include "detail/itkNameOfClass.h"
#include "itkImageToImageFilter.h"
#include "itkPolarFrame.h"

namespace itk
{
/** \class PolarResampleImageFilter
 * \brief Image to polar coordinates: angles along x, normalised radii along y.
 *
 * Output pixel (i, j) is the input at Center + Radius * rho * (cos(theta), sin(theta)) along the input's own axes,
 * theta = 2 pi i / NumberOfAngles from image right growing downwards, rho = j / (NumberOfRadii - 1). Bilinear; a
 * neighbour outside the image counts as zero. The output's physical space is (theta, rho). Works on scalar and on
 * vector pixels; integral outputs are rounded.
 *
 * \ingroup NPSNet
 * \ingroup MultiThreaded
 * \sa PolarInverseResampleImageFilter
 */
template <typename TInputImage, typename TOutputImage = TInputImage>
class ITK_TEMPLATE_EXPORT PolarResampleImageFilter : public ImageToImageFilter<TInputImage, TOutputImage>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(PolarResampleImageFilter);

  using Self = PolarResampleImageFilter;
  using Superclass = ImageToImageFilter<TInputImage, TOutputImage>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;
  using PointType = PolarFrame::PointType;
  using OutputImageRegionType = typename TOutputImage::RegionType;

  static_assert(TInputImage::ImageDimension == 2 && TOutputImage::ImageDimension == 2, "polar means 2-D");

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(PolarResampleImageFilter);

  /** Physical centre; setting it turns UseImageCenter off. */
  void SetCenter(const PointType & center)
  {
    m_Center = center;
    m_UseImageCenter = false;
    this->Modified();
  }
  itkGetConstReferenceMacro(Center, PointType);

  /** Use the middle of the image. Default on. */
  itkSetMacro(UseImageCenter, bool);
  itkGetConstMacro(UseImageCenter, bool);
  itkBooleanMacro(UseImageCenter);

  /** Physical length of rho = 1; 0 (default) means half the smaller extent of the image. */
  itkSetMacro(Radius, double);
  itkGetConstMacro(Radius, double);

  itkSetMacro(NumberOfRadii, unsigned int);
  itkGetConstMacro(NumberOfRadii, unsigned int);
  itkSetMacro(NumberOfAngles, unsigned int);
  itkGetConstMacro(NumberOfAngles, unsigned int);

protected:
  PolarResampleImageFilter();
  ~PolarResampleImageFilter() override = default;

  void VerifyPreconditions() ITKv5_CONST override;
  void VerifyInputInformation() ITKv5_CONST override {}
  void GenerateOutputInformation() override;
  void GenerateInputRequestedRegion() override;
  void DynamicThreadedGenerateData(const OutputImageRegionType & region) override;
  void PrintSelf(std::ostream & os, Indent indent) const override;

private:
  PointType    m_Center{};
  bool         m_UseImageCenter{ true };
  double       m_Radius{ 0.0 };
  unsigned int m_NumberOfRadii{ 256 };
  unsigned int m_NumberOfAngles{ 360 };
};
} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#include "itkPolarResampleImageFilter.hxx"
#endif

#endif
