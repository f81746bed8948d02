// SPDX-License-Identifier: Apache-2.0
#ifndef itkFundusRegionOfInterestImageFilter_h
#define itkFundusRegionOfInterestImageFilter_h

#include "detail/itkNameOfClass.h"
#include "itkImageToImageFilter.h"

namespace itk
{
/** \class FundusRegionOfInterestImageFilter
 * \brief Square crop about a physical centre, resampled to N x N.
 *
 * Side is a physical length, so non-square pixels become square ones. The crop's axes are the image's own index
 * axes, whatever its direction. Bilinear (or nearest neighbour for label maps) at half-pixel centres without
 * antialiasing; black outside the photograph; the centre may lie anywhere.
 *
 * The output's origin, spacing and direction are the exact way back: every crop pixel keeps its physical place,
 * and the crop's centre has the continuous index (N - 1) / 2.
 *
 * \ingroup NPSNet
 * \ingroup MultiThreaded
 */
template <typename TInputImage, typename TOutputImage = TInputImage>
class ITK_TEMPLATE_EXPORT FundusRegionOfInterestImageFilter : public ImageToImageFilter<TInputImage, TOutputImage>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(FundusRegionOfInterestImageFilter);

  using Self = FundusRegionOfInterestImageFilter;
  using Superclass = ImageToImageFilter<TInputImage, TOutputImage>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;
  using PointType = typename TInputImage::PointType;
  using OutputImageRegionType = typename TOutputImage::RegionType;

  static_assert(TInputImage::ImageDimension == 2 && TOutputImage::ImageDimension == 2, "a photograph has 2 dimensions");

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(FundusRegionOfInterestImageFilter);

  /** Physical centre of the crop. */
  itkSetMacro(Center, PointType);
  itkGetConstReferenceMacro(Center, PointType);

  /** Physical side of the crop; must be set. */
  itkSetMacro(Side, double);
  itkGetConstMacro(Side, double);

  /** Pixels N of the crop along each axis. Default 512. */
  itkSetMacro(NumberOfPixels, unsigned int);
  itkGetConstMacro(NumberOfPixels, unsigned int);

  /** For label maps. Default off: bilinear. */
  itkSetMacro(NearestNeighbor, bool);
  itkGetConstMacro(NearestNeighbor, bool);
  itkBooleanMacro(NearestNeighbor);

protected:
  FundusRegionOfInterestImageFilter();
  ~FundusRegionOfInterestImageFilter() override = default;

  void VerifyPreconditions() ITKv5_CONST override;
  /** A crop may lie outside the photograph: there is nothing to compare. */
  void VerifyInputInformation() ITKv5_CONST override {}
  void GenerateOutputInformation() override;
  void GenerateInputRequestedRegion() override;
  void DynamicThreadedGenerateData(const OutputImageRegionType & region) override;
  void PrintSelf(std::ostream & os, Indent indent) const override;

private:
  PointType    m_Center{};
  double       m_Side{ 0.0 };
  unsigned int m_NumberOfPixels{ 512 };
  bool         m_NearestNeighbor{ false };
};
} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#include "itkFundusRegionOfInterestImageFilter.hxx"
#endif

#endif
