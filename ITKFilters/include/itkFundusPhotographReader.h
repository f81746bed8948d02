// SPDX-License-Identifier: Apache-2.0
#ifndef itkFundusPhotographReader_h
#define itkFundusPhotographReader_h

#include "NPSNetExport.h"
#include "detail/itkNameOfClass.h"
#include "itkFundusPhotograph.h"
#include "itkProcessObject.h"

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
 *   and the sign of the direction of volumes; FundusPhotograph::StoredGeometry::Orientation says what was done.
 * - Resolution in dots per inch is never a calibration, but different ones in x and y mean non-square pixels (a ratio
 *   beyond 4 is taken for an error and ignored). DICOM PixelSpacing is a calibration.
 * - Broken files give one sentence with the file's name and the cure; truncated JPEG, too.
 *
 * The image inside its output is not an output of the pipeline: what takes GetOutput()->GetImage() as its input must be
 * given it again after another Update().
 *
 * \ingroup NPSNet
 * \ingroup IOFilters
 */
class NPSNet_EXPORT FundusPhotographReader : public ProcessObject
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(FundusPhotographReader);

  using Self = FundusPhotographReader;
  using Superclass = ProcessObject;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(FundusPhotographReader);

  itkSetStringMacro(FileName);
  itkGetStringMacro(FileName);

  /** Frame of a multi-frame DICOM or page of a TIFF file, from 0. Default 0. */
  itkSetMacro(Frame, unsigned int);
  itkGetConstMacro(Frame, unsigned int);

  /** Larger photographs are refused before they are decoded. Default 200 million. */
  itkSetMacro(MaximumNumberOfPixels, SizeValueType);
  itkGetConstMacro(MaximumNumberOfPixels, SizeValueType);

  FundusPhotograph * GetOutput();

  using Superclass::MakeOutput;
  DataObject::Pointer MakeOutput(DataObjectPointerArraySizeType index) override;

protected:
  FundusPhotographReader();
  ~FundusPhotographReader() override = default;

  void VerifyPreconditions() ITKv5_CONST override;
  void GenerateData() override;
  void PrintSelf(std::ostream & os, Indent indent) const override;

private:
  std::string   m_FileName;
  unsigned int  m_Frame{ 0 };
  SizeValueType m_MaximumNumberOfPixels{ 200000000 };
};
} // namespace itk

#endif
