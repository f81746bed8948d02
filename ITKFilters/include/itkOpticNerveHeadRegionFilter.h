// SPDX-License-Identifier: Apache-2.0
#ifndef itkOpticNerveHeadRegionFilter_h
#define itkOpticNerveHeadRegionFilter_h

#include "NPSNetExport.h"
#include "itkFundusRegion.h"
#include "itkOpticNerveHeadLocator.h"
#include "itkProcessObject.h"

namespace itk
{
/** \class OpticNerveHeadRegionFilter
 * \brief The stage that finds the optic nerve head: a photograph in, the square to analyze out.
 *
 * OpticNerveHeadLocator is the loaded network, which stages share; this is its place in a pipeline. The square is
 * SidePerDiameter times the found disc. Where nothing was found, IsFound() is false and the square is the whole
 * photograph's largest.
 *
 * \ingroup NPSNet
 * \sa NPSNetImageFilter
 */
class NPSNet_EXPORT OpticNerveHeadRegionFilter : public ProcessObject
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(OpticNerveHeadRegionFilter);

  using Self = OpticNerveHeadRegionFilter;
  using Superclass = ProcessObject;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;
  using ImageType = OpticNerveHeadLocator::ImageType;
  using LocationType = OpticNerveHeadLocator::Location;
  using OutputType = FundusRegionObject;

  /** Of the paper's protocol: twice the disc's box. */
  static constexpr double DefaultSidePerDiameter = 2.0;

  itkNewMacro(Self);
  itkTypeMacro(OpticNerveHeadRegionFilter, ProcessObject);

  using Superclass::SetInput;
  void              SetInput(const ImageType * image);
  const ImageType * GetInput() const;

  itkSetConstObjectMacro(Locator, OpticNerveHeadLocator);
  itkGetConstObjectMacro(Locator, OpticNerveHeadLocator);

  itkSetMacro(SidePerDiameter, double);
  itkGetConstMacro(SidePerDiameter, double);

  OutputType * GetOutput();

  /** Valid after Update(). */
  const LocationType & GetLocation() const { return m_Location; }
  bool                 IsFound() const { return m_Location.Found; }

  using Superclass::MakeOutput;
  DataObjectPointer MakeOutput(DataObjectPointerArraySizeType index) override;

protected:
  OpticNerveHeadRegionFilter();
  ~OpticNerveHeadRegionFilter() override;

  void VerifyPreconditions() ITKv5_CONST override;
  void GenerateInputRequestedRegion() override;
  void GenerateData() override;
  void PrintSelf(std::ostream & os, Indent indent) const override;

private:
  OpticNerveHeadLocator::ConstPointer m_Locator;
  double                              m_SidePerDiameter{ DefaultSidePerDiameter };
  LocationType                        m_Location;
};
} // namespace itk

#endif
