// SPDX-License-Identifier: Apache-2.0
#ifndef itkNPSNetImageFilter_h
#define itkNPSNetImageFilter_h

#include "NPSNetExport.h"
#include "itkFundusRegion.h"
#include "itkImage.h"
#include "itkNPSNet.h"
#include "itkNestedPolarBoundarySource.h"
#include "itkPolarTTASettings.h"
#include "itkRGBPixel.h"

namespace itk
{
/** \class NPSNetImageFilter
 * \brief Optic disc and cup of a fundus photograph, or of a crop of one: the network's boundary.
 *
 * Crop of the region, enhancement as the model's metadata say, polar sampling, network, Polar-TTA. Spacing, origin and
 * direction of the input are honoured. Without a region, or with one of side 0, the input is itself a crop centred on
 * the disc: its largest centred square is taken.
 *
 * Outputs: the boundary as the network drew it, with the confidences Gamma_d, Gamma_c, and the polar occupancy maps
 * P_d, P_c about its anchor. RegularizeNestedPolarBoundaryFilter makes the boundary whole on the input's raster, then
 * NestedPolarBoundaryToLabelImageFilter makes labels of it and RimMeasurementFilter measures it.
 *
 * \ingroup NPSNet
 * \sa OpticNerveHeadRegionFilter, PolarTestTimeAugmentationFilter, FundusPhotographAnalyzer
 */
class NPSNet_EXPORT NPSNetImageFilter : public NestedPolarBoundarySource
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(NPSNetImageFilter);

  using Self = NPSNetImageFilter;
  using Superclass = NestedPolarBoundarySource;
  using ImageType = Image<RGBPixel<unsigned char>, 2>;
  using MapType = Image<float, 2>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;
  using PointType = ImageType::PointType;

  itkNewMacro(Self);
  itkTypeMacro(NPSNetImageFilter, NestedPolarBoundarySource);

  using Superclass::SetInput;
  void              SetInput(const ImageType * image);
  const ImageType * GetInput() const;

  /** A FundusRegion or the output of OpticNerveHeadRegionFilter. */
  itkSetGetDecoratedInputMacro(Region, FundusRegion);

  itkSetConstObjectMacro(Network, NPSNet);
  itkGetConstObjectMacro(Network, NPSNet);

  void SetTTASettings(const PolarTTASettings & settings)
  {
    m_TTASettings = settings;
    this->Modified();
  }
  const PolarTTASettings & GetTTASettings() const { return m_TTASettings; }

  MapType * GetDiscOccupancy();
  MapType * GetCupOccupancy();

  /** Valid after Update(). */
  const PolarTTAReport & GetReport() const { return m_Report; }

  /** The square that was used. */
  itkGetConstReferenceMacro(CropRegion, FundusRegion);

  DataObjectPointer MakeOutput(DataObjectPointerArraySizeType index) override;

protected:
  NPSNetImageFilter();
  ~NPSNetImageFilter() override;

  void VerifyPreconditions() ITKv5_CONST override;
  void GenerateInputRequestedRegion() override;
  void GenerateOutputRequestedRegion(DataObject * output) override;
  void EnlargeOutputRequestedRegion(DataObject * output) override;
  void GenerateOutputInformation() override;
  void GenerateData() override;
  void PrintSelf(std::ostream & os, Indent indent) const override;

private:
  NPSNet::ConstPointer m_Network;
  PolarTTASettings     m_TTASettings;
  FundusRegion         m_CropRegion;
  PolarTTAReport       m_Report;
};
} // namespace itk

#endif
