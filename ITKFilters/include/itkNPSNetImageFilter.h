// SPDX-License-Identifier: Apache-2.0
#ifndef itkNPSNetImageFilter_h
#define itkNPSNetImageFilter_h

#include "NPSNetTorchExport.h"
#include "detail/itkNameOfClass.h"
#include "itkImageToImageFilter.h"
#include "itkNPSNet.h"
#include "itkNestedPolarBoundary.h"
#include "itkPolarTTASettings.h"
#include "itkRGBPixel.h"

namespace itk
{
/** \class NPSNetImageFilter
 * \brief Optic disc and cup of a fundus photograph, or of a crop of one, as a label map in the input's own geometry.
 *
 * Crop about Center with side Side, enhancement as the model's metadata say, polar sampling, network, Polar-TTA,
 * boundary made whole on the input's raster, labels (0 background, 1 rim, 2 cup). Spacing, origin and direction of the
 * input are honoured.
 *
 * Without a Side the input is itself a crop centred on the disc: its largest centred square is taken.
 *
 * Further outputs: the boundary (from which the labels were made, with the confidences Gamma_d, Gamma_c) and the polar
 * occupancy maps P_d, P_c about its anchor before it was made whole.
 *
 * \ingroup NPSNet
 * \sa PolarTestTimeAugmentationFilter, FundusPhotographAnalyzer
 */
class NPSNetTorch_EXPORT NPSNetImageFilter
  : public ImageToImageFilter<Image<RGBPixel<unsigned char>, 2>, Image<unsigned char, 2>>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(NPSNetImageFilter);

  using Self = NPSNetImageFilter;
  using ImageType = Image<RGBPixel<unsigned char>, 2>;
  using LabelImageType = Image<unsigned char, 2>;
  using MapType = Image<float, 2>;
  using Superclass = ImageToImageFilter<ImageType, LabelImageType>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;
  using PointType = ImageType::PointType;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(NPSNetImageFilter);

  itkSetConstObjectMacro(Network, NPSNet);
  itkGetConstObjectMacro(Network, NPSNet);

  /** Physical centre and side of the crop; Side 0 (default): the input is the crop. */
  itkSetMacro(Center, PointType);
  itkGetConstReferenceMacro(Center, PointType);
  itkSetMacro(Side, double);
  itkGetConstMacro(Side, double);

  void SetTTASettings(const PolarTTASettings & settings)
  {
    m_TTASettings = settings;
    this->Modified();
  }
  const PolarTTASettings & GetTTASettings() const { return m_TTASettings; }

  NestedPolarBoundary * GetBoundary();
  MapType *             GetDiscOccupancy();
  MapType *             GetCupOccupancy();

  /** Valid after Update(). */
  const PolarTTAReport & GetReport() const { return m_Report; }

  /** The crop that was used: centre and side. */
  itkGetConstReferenceMacro(CropCenter, PointType);
  itkGetConstMacro(CropSide, double);

  /** The boundary as the network drew it, before RegularizeNestedPolarBoundary(). */
  NestedPolarBoundary * GetNetworkBoundary();

  /** Whether RegularizeNestedPolarBoundary() had to change the boundary. */
  itkGetConstMacro(BoundaryWasRepaired, bool);

  DataObjectPointer MakeOutput(DataObjectPointerArraySizeType index) override;
  /** DisconnectPipeline() asks by name, and the superclass would make a label image of every output. */
  DataObjectPointer MakeOutput(const DataObjectIdentifierType & name) override;

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
  PointType            m_Center{};
  double               m_Side{ 0.0 };
  PointType            m_CropCenter{};
  double               m_CropSide{ 0.0 };
  bool                 m_BoundaryWasRepaired{ false };
  PolarTTAReport       m_Report;
};
} // namespace itk

#endif
