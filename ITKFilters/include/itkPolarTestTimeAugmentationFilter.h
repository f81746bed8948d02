// SPDX-License-Identifier: Apache-2.0
#ifndef itkPolarTestTimeAugmentationFilter_h
#define itkPolarTestTimeAugmentationFilter_h

#include "NPSNetTorchExport.h"
#include "detail/itkNameOfClass.h"
#include "itkImage.h"
#include "itkNPSNet.h"
#include "itkNestedPolarBoundary.h"
#include "itkPolarTTASettings.h"
#include "itkProcessObject.h"
#include "itkRGBPixel.h"

#include <memory>

namespace itk
{
/** \class PolarTestTimeAugmentationFilter
 * \brief The network on an enhanced crop, about one centre or about many (Polar-TTA), to one nested boundary.
 *
 * Every hypothesis displaces the polar centre and scales the radius; the maps of the best ones, or of all by consensus,
 * are blended about one anchor inside the cup (see PolarTTASettings). In every mode the blended occupancies are
 * non-increasing along rho and nested, so the boundary is valid.
 *
 * Mode Reference gives the authors' blend as images on the crop's pixels, GetReferenceDisc() and GetReferenceCup().
 * Their masks are star-convex about no stated anchor; the boundary is their monotone envelope about an anchor
 * inside the cup.
 *
 * Progress is reported, and an abort is obeyed, after every batch of hypotheses (one hypothesis on the CPU).
 * The boundary still has to be made whole on a raster: RegularizeNestedPolarBoundary().
 *
 * \ingroup NPSNet
 */
class NPSNetTorch_EXPORT PolarTestTimeAugmentationFilter : public ProcessObject
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(PolarTestTimeAugmentationFilter);

  using Self = PolarTestTimeAugmentationFilter;
  using Superclass = ProcessObject;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;
  using ImageType = Image<RGBPixel<unsigned char>, 2>;
  using MapType = Image<float, 2>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(PolarTestTimeAugmentationFilter);

  /** The square crop, already enhanced. */
  void              SetInput(const ImageType * crop);
  const ImageType * GetInput() const;

  itkSetConstObjectMacro(Network, NPSNet);
  itkGetConstObjectMacro(Network, NPSNet);

  void SetSettings(const PolarTTASettings & settings)
  {
    m_Settings = settings;
    this->Modified();
  }
  const PolarTTASettings & GetSettings() const { return m_Settings; }

  /** Size of the polar grid; 0 (default) is the network's own. */
  itkSetMacro(NumberOfRadii, unsigned int);
  itkGetConstMacro(NumberOfRadii, unsigned int);
  itkSetMacro(NumberOfAngles, unsigned int);
  itkGetConstMacro(NumberOfAngles, unsigned int);

  /** In the physical space of the crop, with the confidences along it. */
  NestedPolarBoundary * GetBoundary();

  /** P_d and P_c about the boundary's anchor, angles along x and radii along y, physical space (theta, rho). */
  MapType * GetDiscOccupancy();
  MapType * GetCupOccupancy();

  /** Mode Reference only, else empty images: the authors' Cartesian blend. */
  MapType * GetReferenceDisc();
  MapType * GetReferenceCup();

  /** Scores, winner and weights; valid after Update(). */
  const PolarTTAReport & GetReport() const { return m_Report; }

  using Superclass::MakeOutput;
  DataObjectPointer MakeOutput(DataObjectPointerArraySizeType index) override;

protected:
  PolarTestTimeAugmentationFilter();
  ~PolarTestTimeAugmentationFilter() override;

  void VerifyPreconditions() ITKv5_CONST override;
  void GenerateInputRequestedRegion() override;
  void GenerateOutputRequestedRegion(DataObject * output) override;
  void GenerateOutputInformation() override;
  void GenerateData() override;
  void PrintSelf(std::ostream & os, Indent indent) const override;

private:
  class Search;

  NPSNet::ConstPointer m_Network;
  PolarTTASettings     m_Settings;
  unsigned int         m_NumberOfRadii{ 0 };
  unsigned int         m_NumberOfAngles{ 0 };
  PolarTTAReport       m_Report;
};
} // namespace itk

#endif
