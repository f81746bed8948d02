// SPDX-License-Identifier: Apache-2.0
#ifndef itkFundusPhotographReader_h
#define itkFundusPhotographReader_h

#include "NPSNetExport.h"
#include "itkFundusPhotograph.h"
#include "itkImageSource.h"

#include <string>

namespace itk
{
/** \class FundusPhotographReader
 * \brief Reads one photograph of any usual kind as upright 8-bit RGB.
 *
 * JPEG, PNG, TIFF, BMP, NRRD, MetaImage, NIfTI and DICOM; the content decides, not the extension. A single file is
 * read, never a series beside it. Volumes must have one slice; of multi-frame DICOM and multi-page TIFF the given
 * frame is taken.
 *
 * - 1 to 4 components, 8 or 16 bit. 16 bit becomes 8 by v / 257 rounded (DICOM: by its BitsStored), never by the range
 *   of the values. Floating point: 0 ... 1 or 0 ... 255. Grey becomes R = G = B. Alpha is composited on black, unless
 *   it is zero everywhere. CMYK JPEG is converted, Adobe's inverted kind too.
 * - Upright: EXIF orientation (JPEG, PNG, TIFF), DICOM PatientOrientation (upright is L\F, as one faces the patient)
 *   and the sign of the direction of volumes; StoredGeometry::Orientation says what was done.
 * - Resolution in dots per inch is never a calibration, but different ones in x and y mean non-square pixels (a ratio
 *   beyond 4 is taken for an error and ignored). DICOM PixelSpacing is a calibration.
 * - Broken files give one sentence with the file's name and the cure; truncated JPEG, too.
 *
 * GetOutput() is the image; GetPhotograph() is what the file says about it, and holds the same image.
 *
 * \ingroup NPSNet
 * \ingroup IOFilters
 */
class NPSNet_EXPORT FundusPhotographReader : public ImageSource<FundusPhotograph::ImageType>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(FundusPhotographReader);

  using Self = FundusPhotographReader;
  using Superclass = ImageSource<FundusPhotograph::ImageType>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkTypeMacro(FundusPhotographReader, ImageSource);

  itkSetStringMacro(FileName);
  itkGetStringMacro(FileName);

  /** Frame of a multi-frame DICOM or page of a TIFF file, from 0. Default 0. */
  itkSetMacro(Frame, unsigned int);
  itkGetConstMacro(Frame, unsigned int);

  /** Larger photographs are refused before they are decoded. Default 200 million. */
  itkSetMacro(MaximumNumberOfPixels, SizeValueType);
  itkGetConstMacro(MaximumNumberOfPixels, SizeValueType);

  /** Valid after Update(). Another photograph is another object; this one keeps its own pixels then. */
  FundusPhotograph * GetPhotograph() const { return m_Photograph; }

protected:
  FundusPhotographReader();
  ~FundusPhotographReader() override;

  void VerifyPreconditions() ITKv5_CONST override;
  void GenerateOutputInformation() override;
  void EnlargeOutputRequestedRegion(DataObject * output) override;
  void GenerateData() override;
  void PrintSelf(std::ostream & os, Indent indent) const override;

private:
  std::string               m_FileName;
  unsigned int              m_Frame{ 0 };
  SizeValueType             m_MaximumNumberOfPixels{ 200000000 };
  FundusPhotograph::Pointer m_Photograph;
};
} // namespace itk

#endif
