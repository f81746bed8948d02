// SPDX-License-Identifier: Apache-2.0
#ifndef itkFundusPhotograph_h
#define itkFundusPhotograph_h

#include "NPSNetExport.h"
#include "detail/itkNameOfClass.h"
#include "itkDataObject.h"
#include "itkImage.h"
#include "itkObjectFactory.h"
#include "itkRGBPixel.h"

#include <array>
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

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(FundusPhotograph);

  itkSetObjectMacro(Image, ImageType);
  itkGetModifiableObjectMacro(Image, ImageType);

  /** Geometry of the image as stored in the file. Dimension 2 or 3 (a one-slice volume). */
  struct StoredGeometry
  {
    unsigned int            Dimension{ 2 };
    std::array<unsigned, 2> Size{ { 0, 0 } };
    std::array<double, 3>   Spacing{ { 1, 1, 1 } };
    std::array<double, 3>   Origin{ { 0, 0, 0 } };
    std::array<double, 9>   Direction{ { 1, 0, 0, 0, 1, 0, 0, 0, 1 } }; // row-major
    /** EXIF convention, 1 = stored upright ... 8; how stored rows and columns map to upright ones. */
    unsigned int Orientation{ 1 };
  };
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

  /** Where pixel (x, y) of a stored raster of the given size lies in the upright image, for an EXIF orientation. */
  static std::array<unsigned, 2> StoredToUprightIndex(unsigned int                    orientation,
                                                      const std::array<unsigned, 2> & storedSize,
                                                      unsigned int                    x,
                                                      unsigned int                    y);

  /** A point in photo pixels as the upright raster's pixel index, which viewers show, and the way back. */
  std::array<double, 2> PointToIndex(const std::array<double, 2> & point) const;
  std::array<double, 2> IndexToPoint(const std::array<double, 2> & index) const;

  /** Does a point in photo pixels lie on the raster? */
  bool IsInside(const std::array<double, 2> & point) const;

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
