// SPDX-License-Identifier: Apache-2.0
#include "itkFundusDICOMWriter.h"

#include "itkDICOMObject.h"
#include "itkFundusReportObject.h"
#include "itkFundusSegmentationObject.h"
#include "itkNPSNetThrow.h"
#include "itkQuietDCMTK.h"

#include "dcmtk/config/osconfig.h"
#include "dcmtk/dcmdata/dctk.h"

#include <cstring>
#include <fstream>
#include <optional>

namespace itk
{
namespace
{
void RequireOutlines(const FundusResult & result)
{
  if (!result.HasSegmentation() || result.Photograph.IsNull())
  {
    npsnetThrow("There are no outlines, so there is nothing to write as DICOM.");
  }
}

DICOMObject OpenPhotograph(const std::string & fileName)
{
  if (!FundusDICOMWriter::IsDICOM(fileName))
  {
    npsnetThrow(fileName << " is not a DICOM file, so there is no study that its results could join: give the DICOM "
                            "photograph, or leave out the DICOM outputs.");
  }
  return { fileName, DICOMObject::Part::WithoutPixels };
}
} // namespace

bool FundusDICOMWriter::IsDICOM(const std::string & fileName)
{
  std::ifstream stream(fileName, std::ios::binary);
  char          mark[4] = {};
  stream.seekg(128);
  stream.read(mark, sizeof(mark));
  return stream.good() && std::memcmp(mark, "DICM", sizeof(mark)) == 0;
}

void FundusDICOMWriter::WriteSegmentation(const FundusResult & result, const std::string & fileName) const
{
  RequireOutlines(result);
  const QuietDCMTK          quiet;
  const DICOMObject         photograph = OpenPhotograph(m_PhotographFileName);
  FundusSegmentationOptions options;
  options.Frame = m_Frame;
  options.PersonName = m_PersonName;
  DcmDataset dataset;
  FillSegmentation(dataset, result, photograph, options);
  SaveDICOM(dataset, fileName);
}

void FundusDICOMWriter::WriteReport(const FundusResult & result,
                                    const std::string &  segmentationFileName,
                                    const std::string &  fileName) const
{
  RequireOutlines(result);
  const QuietDCMTK           quiet;
  const DICOMObject          photograph = OpenPhotograph(m_PhotographFileName);
  std::optional<DICOMObject> segmentation;
  std::optional<DICOMObject> previous;
  FundusReportOptions        options;
  options.Frame = m_Frame;
  options.PersonName = m_PersonName;
  options.Organization = m_Organization;
  if (!segmentationFileName.empty())
  {
    options.Segmentation = &segmentation.emplace(segmentationFileName, DICOMObject::Part::WithoutPixels);
  }
  if (!m_PreviousReportFileName.empty())
  {
    options.PreviousReport = &previous.emplace(m_PreviousReportFileName, DICOMObject::Part::WithoutPixels);
  }
  DcmDataset dataset;
  FillReport(dataset, result, photograph, options);
  SaveDICOM(dataset, fileName);
}

void FundusDICOMWriter::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "PhotographFileName: " << m_PhotographFileName << std::endl;
  os << indent << "Frame: " << m_Frame << std::endl;
  os << indent << "PersonName: " << m_PersonName << std::endl;
  os << indent << "Organization: " << m_Organization << std::endl;
  os << indent << "PreviousReportFileName: " << m_PreviousReportFileName << std::endl;
}
} // namespace itk
