// SPDX-License-Identifier: Apache-2.0
#ifndef itkFundusPhotograph_h
#define itkFundusPhotograph_h

#include "NPSNetExport.h"
#include "itkDataObject.h"
#include "itkImage.h"
#include "itkObjectFactory.h"
#include "itkRGBPixel.h"
#include "itkStoredGeometry.h"

#include <string>

namespace itk
{
/** \class FundusPhotograph
 * \brief A decoded photograph, upright and 8-bit RGB, that remembers the geometry it was stored in.
 *
 * The upright image has origin 0, identity direction and a spacing whose geometric mean is 1, so its physical
 * space is "photo pixels" (for square pixels: exactly the continuous index). All analysis happens there;
 * only label maps go back to the stored geometry, see itk::UprightToStoredLabels().
 *
 * \ingroup NPSNet
 */
class NPSNet_EXPORT FundusPhotograph : public DataObject
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(FundusPhotograph);

  using Self = FundusPhotograph;
  using Superclass = DataObject;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;
  using ImageType = Image<RGBPixel<unsigned char>, 2>;
  using LabelImageType = Image<unsigned char, 2>;
  using StoredLabelImageType = Image<unsigned char, 3>;
  using PointType = Point<double, 2>;
  using ContinuousIndexType = ContinuousIndex<double, 2>;

  itkNewMacro(Self);
  itkTypeMacro(FundusPhotograph, DataObject);

  itkSetObjectMacro(Image, ImageType);
  itkGetModifiableObjectMacro(Image, ImageType);

  /** How the file holds it. */
  void SetStored(const StoredGeometry & stored)
  {
    m_Stored = stored;
    this->Modified();
  }
  const StoredGeometry & GetStored() const { return m_Stored; }

  /** Path as given by the user; its stem names the outputs. */
  itkSetStringMacro(FileName);
  itkGetStringMacro(FileName);

  /** "R", "L" or empty: DICOM (0020,0062) or (0020,0060). */
  itkSetStringMacro(DICOMLaterality);
  itkGetStringMacro(DICOMLaterality);

  /** Micrometres per photo pixel from DICOM spacing; 0 when the file carries no calibration (DPI never counts). */
  itkSetMacro(MicrometersPerPixel, double);
  itkGetConstMacro(MicrometersPerPixel, double);

  /** A position in photo pixels as the upright raster's pixel index, which viewers show, and the way back. */
  ContinuousIndexType PointToIndex(const PointType & point) const;
  PointType           IndexToPoint(const ContinuousIndexType & index) const;

  /** Does a pixel index lie on the upright raster? */
  bool IsInside(const ContinuousIndexType & index) const;

  /** Labels of the upright image on the stored raster, with the stored geometry (a 2-D photo has one slice). */
  StoredLabelImageType::Pointer UprightToStoredLabels(const LabelImageType * upright) const;

  /** The way back: labels of the stored raster on the raster and geometry of the upright image. */
  LabelImageType::Pointer StoredToUprightLabels(const LabelImageType * stored) const;

protected:
  FundusPhotograph() = default;
  ~FundusPhotograph() override = default;
  void PrintSelf(std::ostream & os, Indent indent) const override;

private:
  ImageType::Pointer m_Image;
  StoredGeometry     m_Stored;
  std::string        m_FileName;
  std::string        m_DICOMLaterality;
  double             m_MicrometersPerPixel{ 0.0 };
};
} // namespace itk

#endif
