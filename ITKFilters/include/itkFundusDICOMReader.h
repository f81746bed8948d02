// SPDX-License-Identifier: Apache-2.0
#ifndef itkFundusDICOMReader_h
#define itkFundusDICOMReader_h

#include "NPSNetDICOMExport.h"
#include "itkEyeSide.h"
#include "itkFundusPhotograph.h"

#include <string>
#include <vector>

namespace itk
{
/** \class FundusDICOMObject
 * \brief What one DICOM file is to us, and which photographs it is about.
 * \ingroup NPSNet
 */
struct NPSNetDICOM_EXPORT FundusDICOMObject
{
  enum class Kind
  {
    Photograph,   // has pixels that may be a photograph
    Segmentation, // of DICOM, by any program
    Report,       // an Imaging Measurement Report with a vertical cup to disc ratio
    Other         // no photograph: another report, a document, a waveform …
  };

  Kind                     What{ Kind::Other };
  std::string              SOPInstanceUID;
  std::vector<std::string> Photographs; // SOP Instance UIDs it refers to
  EyeSideEnum              Eye{ EyeSideEnum::Unknown };
};

/** \class FundusDICOMReader
 * \brief Reads back what the archive holds of a photograph: outlines and reports.
 *
 * Every failure is an itk::ExceptionObject with one sentence that names the file.
 * \ingroup NPSNet
 */
class NPSNetDICOM_EXPORT FundusDICOMReader
{
public:
  /** Kind and references, without the pixels. */
  static FundusDICOMObject Describe(const std::string & fileName);

  /** Labels 0 background, 1 rim, 2 cup of a Segmentation on the raster that the photograph is stored in. The disc is
   * the segment coded as optic nerve head, the cup the one with our code; where another program wrote the object,
   * labels that say disc and cup do as well. A Segmentation of another photograph is refused. */
  static FundusPhotograph::LabelImageType::Pointer ReadSegmentation(const std::string & fileName,
                                                                    const std::string & photographFileName);

  /** Throws unless the report is one of ours about this photograph. */
  static void RequireReportOf(const std::string & fileName, const std::string & photographFileName);
};
} // namespace itk

#endif
