// SPDX-License-Identifier: Apache-2.0
#ifndef itkFundusDICOMWriter_h
#define itkFundusDICOMWriter_h

#include "NPSNetDICOMExport.h"
#include "itkFundusResult.h"
#include "itkObject.h"
#include "itkObjectFactory.h"

#include <string>

namespace itk
{
/** \class FundusDICOMWriter
 * \brief Writes the result of a DICOM photograph as DICOM objects of the same study: a Segmentation and a report.
 *
 * The Segmentation holds disc and cup (which overlap) on the raster of the photograph, and refers to the frame that
 * they were drawn on. The report is an Imaging Measurement Report (TID 1500) whose groups follow the Ophthalmology
 * Measurements Group of Supplement 247 (TID 2120). Patient and study are copied from the photograph; each kind has a
 * series of its own. UIDs are derived from the photograph's and from what is written: the same result has the same UIDs
 * again. Dates are the time of writing, or SOURCE_DATE_EPOCH where that is set.
 *
 * Documentation/DICOM.md lists every code and where it was checked.
 *
 * \ingroup NPSNet
 */
class NPSNetDICOM_EXPORT FundusDICOMWriter : public Object
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(FundusDICOMWriter);

  using Self = FundusDICOMWriter;
  using Superclass = Object;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkTypeMacro(FundusDICOMWriter, Object);

  /** The photograph's DICOM file. */
  itkSetStringMacro(PhotographFileName);
  itkGetStringMacro(PhotographFileName);

  /** Frame of the photograph that was analysed, from 0. */
  itkSetMacro(Frame, unsigned int);
  itkGetConstMacro(Frame, unsigned int);

  /** Who edited the outlines and signs the report, as DICOM writes names (Family^Given). Empty: the program alone; the
   * report is unverified then. */
  itkSetStringMacro(PersonName);
  itkGetStringMacro(PersonName);

  /** Of the person; a signed report needs one. */
  itkSetStringMacro(Organization);
  itkGetStringMacro(Organization);

  /** DICOM file of the report that this one is a new version of. */
  itkSetStringMacro(PreviousReportFileName);
  itkGetStringMacro(PreviousReportFileName);

  /** Does the file look like DICOM (the mark after its preamble)? */
  static bool IsDICOM(const std::string & fileName);

  /** The result must have a segmentation and a photograph. Throws itk::ExceptionObject with one sentence. */
  void WriteSegmentation(const FundusResult & result, const std::string & fileName) const;

  /** \a segmentationFileName, if given, is what WriteSegmentation() wrote of the same result; the report refers to it.
   */
  void WriteReport(const FundusResult & result,
                   const std::string &  segmentationFileName,
                   const std::string &  fileName) const;

protected:
  FundusDICOMWriter() = default;
  ~FundusDICOMWriter() override = default;
  void PrintSelf(std::ostream & os, Indent indent) const override;

private:
  std::string  m_PhotographFileName;
  unsigned int m_Frame{ 0 };
  std::string  m_PersonName;
  std::string  m_Organization;
  std::string  m_PreviousReportFileName;
};
} // namespace itk

#endif
