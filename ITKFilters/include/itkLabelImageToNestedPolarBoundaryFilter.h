// SPDX-License-Identifier: Apache-2.0
#ifndef itkLabelImageToNestedPolarBoundaryFilter_h
#define itkLabelImageToNestedPolarBoundaryFilter_h

#include "itkImage.h"
#include "itkNestedPolarBoundarySource.h"

namespace itk
{
/** \class LabelImageToNestedPolarBoundaryFilter
 * \brief The nested star-convex boundary nearest to a label map: the way back of NestedPolarBoundaryToLabelImageFilter.
 *
 * Labels are 0 background, 1 rim, 2 cup. Rays from a point inside the cup (inside the disc when there is no cup), each
 * as long as the mask it crosses, so that islands, holes and bays keep their share. The result may need
 * RegularizeNestedPolarBoundaryFilter. A map without a disc is an itk::ExceptionObject with one sentence.
 *
 * The axes are those of physical space; the direction of the image must be the identity.
 *
 * \ingroup NPSNet
 */
class NPSNet_EXPORT LabelImageToNestedPolarBoundaryFilter : public NestedPolarBoundarySource
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(LabelImageToNestedPolarBoundaryFilter);

  using Self = LabelImageToNestedPolarBoundaryFilter;
  using Superclass = NestedPolarBoundarySource;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;
  using LabelImageType = Image<unsigned char, 2>;

  itkNewMacro(Self);
  itkTypeMacro(LabelImageToNestedPolarBoundaryFilter, NestedPolarBoundarySource);

  using Superclass::SetInput;
  void                   SetInput(const LabelImageType * labels);
  const LabelImageType * GetInput() const;

  itkSetClampMacro(NumberOfAngles, unsigned int, 3, 100000);
  itkGetConstMacro(NumberOfAngles, unsigned int);

  /** Length of the steps along a ray, physical. Default 0.1. */
  itkSetMacro(Step, double);
  itkGetConstMacro(Step, double);

protected:
  LabelImageToNestedPolarBoundaryFilter();
  ~LabelImageToNestedPolarBoundaryFilter() override = default;

  void VerifyPreconditions() ITKv5_CONST override;
  void GenerateData() override;
  void PrintSelf(std::ostream & os, Indent indent) const override;

private:
  unsigned int m_NumberOfAngles{ 360 };
  double       m_Step{ 0.1 };
};
} // namespace itk

#endif
