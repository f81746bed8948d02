// SPDX-License-Identifier: Apache-2.0
#ifndef itkRegularizeNestedPolarBoundaryFilter_h
#define itkRegularizeNestedPolarBoundaryFilter_h

#include "itkNestedPolarBoundarySource.h"
#include "itkRegularizeNestedPolarBoundary.h"

namespace itk
{
/** \class RegularizeNestedPolarBoundaryFilter
 * \brief RegularizeNestedPolarBoundary() as a stage: the boundary made whole on the raster of an image.
 *
 * Between the network and everything that is made from a boundary.
 *
 * \ingroup NPSNet
 * \sa NestedPolarBoundaryToLabelImageFilter
 */
class NPSNet_EXPORT RegularizeNestedPolarBoundaryFilter : public NestedPolarBoundarySource
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(RegularizeNestedPolarBoundaryFilter);

  using Self = RegularizeNestedPolarBoundaryFilter;
  using Superclass = NestedPolarBoundarySource;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;
  using ReferenceImageType = ImageBase<2>;

  itkNewMacro(Self);
  itkTypeMacro(RegularizeNestedPolarBoundaryFilter, NestedPolarBoundarySource);

  itkSetInputMacro(Boundary, NestedPolarBoundary);
  itkGetInputMacro(Boundary, NestedPolarBoundary);
  using Superclass::SetInput;
  void SetInput(const NestedPolarBoundary * boundary) { this->SetBoundary(boundary); }

  /** Only its geometry is used. */
  itkSetInputMacro(ReferenceImage, ReferenceImageType);
  itkGetInputMacro(ReferenceImage, ReferenceImageType);

  /** Valid after Update(). */
  const NestedPolarBoundaryRegularization & GetReport() const { return m_Report; }
  bool IsUntouched() const { return m_Report.DiscWindow == 1 && m_Report.CupWindow == 1; }

protected:
  RegularizeNestedPolarBoundaryFilter();
  ~RegularizeNestedPolarBoundaryFilter() override = default;

  void GenerateInputRequestedRegion() override;
  void GenerateData() override;
  void PrintSelf(std::ostream & os, Indent indent) const override;

private:
  NestedPolarBoundaryRegularization m_Report;
};
} // namespace itk

#endif
