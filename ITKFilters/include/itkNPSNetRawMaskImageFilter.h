// SPDX-License-Identifier: Apache-2.0
#ifndef itkNPSNetRawMaskImageFilter_h
#define itkNPSNetRawMaskImageFilter_h

#include "NPSNetTorchExport.h"
#include "detail/itkNameOfClass.h"
#include "itkImageToImageFilter.h"
#include "itkNPSNet.h"
#include "itkNPSNetImageFilter.h"

namespace itk
{
/** \class NPSNetRawMaskImageFilter
 * \brief Masks of a network as its maps alone give them: P > 0.5 on the photograph's raster, nothing repaired.
 *
 * For comparisons with baselines that promise neither nesting nor star-convexity (plain UNet, Polar UNet, monotone
 * heads alone); for a segmentation take NPSNetImageFilter. One pass, no test-time augmentation. The label
 * map (0 background, 1 rim, 2 cup) cannot show a cup outside its disc, so such pixels are counted.
 *
 * \ingroup NPSNet
 */
class NPSNetTorch_EXPORT NPSNetRawMaskImageFilter
  : public ImageToImageFilter<NPSNetImageFilter::ImageType, NPSNetImageFilter::LabelImageType>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(NPSNetRawMaskImageFilter);

  using Self = NPSNetRawMaskImageFilter;
  using Superclass = ImageToImageFilter<NPSNetImageFilter::ImageType, NPSNetImageFilter::LabelImageType>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;
  using ImageType = NPSNetImageFilter::ImageType;
  using LabelImageType = NPSNetImageFilter::LabelImageType;
  using PointType = NPSNetImageFilter::PointType;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(NPSNetRawMaskImageFilter);

  itkSetConstObjectMacro(Network, NPSNet);
  itkGetConstObjectMacro(Network, NPSNet);

  /** The square crop in physical space. */
  itkSetMacro(Center, PointType);
  itkGetConstReferenceMacro(Center, PointType);
  itkSetMacro(Side, double);
  itkGetConstMacro(Side, double);

  /** Of the cup, not in the disc. */
  itkGetConstMacro(NumberOfPixelsOutsideTheDisc, SizeValueType);

protected:
  NPSNetRawMaskImageFilter() = default;
  ~NPSNetRawMaskImageFilter() override = default;

  void VerifyPreconditions() ITKv5_CONST override;
  void GenerateInputRequestedRegion() override;
  void EnlargeOutputRequestedRegion(DataObject * output) override;
  void GenerateData() override;
  void PrintSelf(std::ostream & os, Indent indent) const override;

private:
  NPSNet::ConstPointer m_Network;
  PointType            m_Center{};
  double               m_Side{ 0.0 };
  SizeValueType        m_NumberOfPixelsOutsideTheDisc{ 0 };
};
} // namespace itk

#endif
