// SPDX-License-Identifier: Apache-2.0
#ifndef itkRimMeasurementFilter_h
#define itkRimMeasurementFilter_h

#include "NPSNetExport.h"
#include "itkImage.h"
#include "itkNestedPolarBoundary.h"
#include "itkProcessObject.h"
#include "itkRimMeasurementCalculator.h"
#include "itkSimpleDataObjectDecorator.h"

namespace itk
{
/** \class RimMeasurementFilter
 * \brief RimMeasurementCalculator as a stage: boundary or label map in, measurements out.
 *
 * Give a boundary (sub-pixel, by SetInput()) or labels 0 background, 1 rim, 2 cup (by SetLabels()); a boundary counts
 * when both are there.
 *
 * \ingroup NPSNet
 */
class NPSNet_EXPORT RimMeasurementFilter : public ProcessObject
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(RimMeasurementFilter);

  using Self = RimMeasurementFilter;
  using Superclass = ProcessObject;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;
  using LabelImageType = RimMeasurementCalculator::MaskType;
  using ReferenceImageType = ImageBase<2>;
  using OutputType = SimpleDataObjectDecorator<RimMeasurements>;

  itkNewMacro(Self);
  itkTypeMacro(RimMeasurementFilter, ProcessObject);

  itkSetInputMacro(Boundary, NestedPolarBoundary);
  itkGetInputMacro(Boundary, NestedPolarBoundary);
  using Superclass::SetInput;
  void SetInput(const NestedPolarBoundary * boundary) { this->SetBoundary(boundary); }

  itkSetInputMacro(Labels, LabelImageType);
  itkGetInputMacro(Labels, LabelImageType);

  /** See RimMeasurementCalculator::SetPhotograph(). */
  itkSetInputMacro(Photograph, ReferenceImageType);
  itkGetInputMacro(Photograph, ReferenceImageType);

  itkSetEnumMacro(Eye, EyeSideEnum);
  itkGetEnumMacro(Eye, EyeSideEnum);

  /** 0 (the default) means no calibration. */
  itkSetMacro(MicrometersPerPixel, double);
  itkGetConstMacro(MicrometersPerPixel, double);

  OutputType *            GetOutput();
  const RimMeasurements & GetMeasurements() { return this->GetOutput()->Get(); }

  using Superclass::MakeOutput;
  DataObjectPointer MakeOutput(DataObjectPointerArraySizeType index) override;

protected:
  RimMeasurementFilter();
  ~RimMeasurementFilter() override = default;

  void VerifyPreconditions() ITKv5_CONST override;
  void GenerateInputRequestedRegion() override;
  void GenerateData() override;
  void PrintSelf(std::ostream & os, Indent indent) const override;

private:
  EyeSideEnum m_Eye{ EyeSideEnum::Unknown };
  double      m_MicrometersPerPixel{ 0.0 };
};
} // namespace itk

#endif
