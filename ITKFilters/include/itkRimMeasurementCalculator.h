// SPDX-License-Identifier: Apache-2.0
#ifndef itkRimMeasurementCalculator_h
#define itkRimMeasurementCalculator_h

#include "NPSNetExport.h"
#include "detail/itkNameOfClass.h"
#include "itkImage.h"
#include "itkNestedPolarBoundary.h"
#include "itkObject.h"
#include "itkObjectFactory.h"
#include "itkRimMeasurements.h"

namespace itk
{
/** \class RimMeasurementCalculator
 * \brief Clinical measurements of the neuroretinal rim.
 *
 * From a nested boundary they are sub-pixel; from masks (edited by hand, star-convex or not, nested or not) they
 * come from the pixels and the flags say what is wrong with them. Both ways the rays start at the centroid of the
 * disc and meet cup and disc at their outermost crossing, so that the anchor of a boundary does not matter. Only
 * the part of a cup that lies inside the disc counts.
 *
 * \ingroup NPSNet
 */
class NPSNet_EXPORT RimMeasurementCalculator : public Object
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(RimMeasurementCalculator);

  using Self = RimMeasurementCalculator;
  using Superclass = Object;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;
  using MaskType = Image<unsigned char, 2>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(RimMeasurementCalculator);

  /** Unknown leaves every nasal and temporal value empty. */
  itkSetEnumMacro(Eye, EyeSideEnum);
  itkGetEnumMacro(Eye, EyeSideEnum);

  /** Calibration; 0 (the default) means none. */
  itkSetMacro(MicrometersPerPixel, double);
  itkGetConstMacro(MicrometersPerPixel, double);

  /** The flag low_confidence is raised when the mean confidence of disc or cup is under this value. Entropy
   * confidences are only comparable within one model, so the default (0.05) catches a collapse and nothing finer. */
  itkSetClampMacro(LowConfidenceThreshold, double, 0.0, 1.0);
  itkGetConstMacro(LowConfidenceThreshold, double);

  /** The photograph's raster, of which only the geometry is used. A boundary needs it for the flags about its place in
   * the photograph, and to be measured in photo pixels where their spacing is not 1: a photo pixel is a square of the
   * mean area of the raster's pixels. Without it the physical unit of a boundary, and the pixels of a mask, are taken.
   */
  itkSetConstObjectMacro(Photograph, ImageBase<2>);
  itkGetConstObjectMacro(Photograph, ImageBase<2>);

  RimMeasurements Compute(const NestedPolarBoundary * boundary) const;

  /** Labels 0 background, 1 rim, 2 cup. */
  RimMeasurements Compute(const MaskType * labels) const;

  /** Non-zero is foreground. Both masks on the same raster. */
  RimMeasurements Compute(const MaskType * disc, const MaskType * cup) const;

protected:
  RimMeasurementCalculator() = default;
  ~RimMeasurementCalculator() override = default;
  void PrintSelf(std::ostream & os, Indent indent) const override;

private:
  RimMeasurements Prepare(RimMeasurements::Origin origin) const;

  EyeSideEnum                m_Eye{ EyeSideEnum::Unknown };
  double                     m_MicrometersPerPixel{ 0.0 };
  double                     m_LowConfidenceThreshold{ 0.05 };
  ImageBase<2>::ConstPointer m_Photograph;
};
} // namespace itk

#endif
