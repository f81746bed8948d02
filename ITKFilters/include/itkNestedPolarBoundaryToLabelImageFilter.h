// SPDX-License-Identifier: Apache-2.0
#ifndef itkNestedPolarBoundaryToLabelImageFilter_h
#define itkNestedPolarBoundaryToLabelImageFilter_h

#include "NPSNetExport.h"
#include "detail/itkNameOfClass.h"
#include "itkImage.h"
#include "itkImageSource.h"
#include "itkNestedPolarBoundary.h"

namespace itk
{
/** \class NestedPolarBoundaryToLabelImageFilter
 * \brief Label map 0 (background), 1 (rim), 2 (cup) of a boundary in the geometry of a reference image.
 *
 * A pixel is disc iff its centre has rho <= r_d(theta), r_d > 0, and cup likewise with min(r_c, r_d); theta is
 * interpolated circularly, so the raster is exactly the boundary's own EvaluateDiscRadius(). Call
 * RegularizeNestedPolarBoundary() first and measure its result: then masks and tables cannot disagree and the masks
 * are whole.
 *
 * \ingroup NPSNet
 * \sa RegularizeNestedPolarBoundary
 */
class NPSNet_EXPORT NestedPolarBoundaryToLabelImageFilter : public ImageSource<Image<unsigned char, 2>>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(NestedPolarBoundaryToLabelImageFilter);

  using Self = NestedPolarBoundaryToLabelImageFilter;
  using Superclass = ImageSource<Image<unsigned char, 2>>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;
  using ReferenceImageType = ImageBase<2>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(NestedPolarBoundaryToLabelImageFilter);

  itkSetInputMacro(Boundary, NestedPolarBoundary);
  itkGetInputMacro(Boundary, NestedPolarBoundary);

  /** Only its geometry is used. */
  itkSetInputMacro(ReferenceImage, ReferenceImageType);
  itkGetInputMacro(ReferenceImage, ReferenceImageType);

protected:
  NestedPolarBoundaryToLabelImageFilter();
  ~NestedPolarBoundaryToLabelImageFilter() override = default;

  void GenerateOutputInformation() override;
  void EnlargeOutputRequestedRegion(DataObject * output) override;
  void GenerateInputRequestedRegion() override;
  void GenerateData() override;
};
} // namespace itk

#endif
