// SPDX-License-Identifier: Apache-2.0
#include "npsnetArchive.h"

#include "npsnetIdentifiers.h"
#include "npsnetMessages.h"

#include "itkAtomicFile.h"
#include "itkEyeLaterality.h"
#include "itkFundusFHIR.h"
#include "itkImageFileReader.h"
#include "itkOutputError.h"
#include "itkRimMeasurementCalculator.h"

#ifdef NPSNET_HAS_DICOM
#include "itkFundusDICOMReader.h"
#include "itkFundusDICOMWriter.h"
#endif

#include <filesystem>
#include <stdexcept>

namespace npsnet
{
namespace
{
constexpr const char* NoDICOM =
  "this build has no DCMTK, so it can neither read nor write DICOM segmentations and reports: install DCMTK (Debian: "
  "libdcmtk-dev) and build again.";

#ifdef NPSNET_HAS_DICOM
bool IsDICOM(const std::string& fileName)
{
  return itk::FundusDICOMWriter::IsDICOM(fileName);
}

itk::FundusPhotograph::LabelImageType::Pointer ReadDICOMSegmentation(
  const std::string& fileName, const std::string& photo)
{
  return itk::FundusDICOMReader::ReadSegmentation(fileName, photo);
}

void WriteDICOMFiles(const itk::FundusResult& result, const std::string& stem, const ArchiveOptions& options)
{
  auto writer = itk::FundusDICOMWriter::New();
  writer->SetPhotographFileName(result.InputFileName);
  writer->SetFrame(options.Frame);
  writer->SetPersonName(options.PersonName);
  writer->SetOrganization(options.Organization);
  writer->SetPreviousReportFileName(options.PreviousReport);
  if (options.Segmentation)
  {
    writer->WriteSegmentation(result, stem + "_seg.dcm");
  }
  if (options.Report)
  {
    writer->WriteReport(result, options.Segmentation ? stem + "_seg.dcm" : "", stem + "_sr.dcm");
  }
}
#else
bool IsDICOM(const std::string&)
{
  return false;
}

itk::FundusPhotograph::LabelImageType::Pointer ReadDICOMSegmentation(const std::string&, const std::string&)
{
  throw std::runtime_error(NoDICOM);
}

void WriteDICOMFiles(const itk::FundusResult&, const std::string&, const ArchiveOptions&)
{
  throw std::runtime_error(NoDICOM);
}
#endif

itk::FundusPhotograph::LabelImageType::Pointer ReadOutlines(const std::string& fileName, const std::string& photo)
{
  const std::string ending = std::filesystem::path(fileName).extension().string();
  if (ending != ".nrrd" && ending != ".png" && ending != ".mha" && ending != ".gz")
  {
    return ReadDICOMSegmentation(fileName, photo);
  }
  using LabelsType = itk::FundusPhotograph::LabelImageType;
  return itk::ReadImage<LabelsType>(fileName);
}
/// The photo has no outlines now: what an earlier run wrote for the archive would pass for them.
void RemoveEarlier(const std::string& stem)
{
  for (const std::string& ending : GetArchiveEndings())
  {
    std::error_code error;
    if (std::filesystem::is_regular_file(std::filesystem::symlink_status(stem + ending, error)) &&
        !std::filesystem::remove(stem + ending, error))
    {
      throw itk::OutputError(
        "Cannot remove " + Printable(stem + ending) + " of an earlier run: " + error.message() + ".");
    }
  }
}
} // namespace

const std::vector<std::string>& GetArchiveEndings()
{
  static const std::vector<std::string> Endings = {"_seg.dcm", "_sr.dcm", "_fhir.json"};
  return Endings;
}

void RequireArchive(const ArchiveOptions& options)
{
#ifndef NPSNET_HAS_DICOM
  if (options.NeedsDICOM())
  {
    throw std::runtime_error(NoDICOM);
  }
#endif
  if (!options.PreviousReport.empty() && !options.Report)
  {
    throw std::runtime_error("--previous-report needs --dicom-sr: the new version is a DICOM report, too.");
  }
  if (!options.PersonName.empty() && !options.NeedsDICOM())
  {
    throw std::runtime_error("--signed-by needs --dicom-sr or --dicom-seg: only these carry a name.");
  }
}

void RequireArchivable(const std::string& photo, const ArchiveOptions& options)
{
  if (options.NeedsDICOM() && !IsDICOM(photo))
  {
    throw std::runtime_error("is not a DICOM file, so there is no study that its results could join: give the DICOM "
                             "photograph, or leave out --dicom-seg and --dicom-sr.");
  }
#ifdef NPSNET_HAS_DICOM
  if (!options.PreviousReport.empty())
  {
    itk::FundusDICOMReader::RequireReportOf(options.PreviousReport, photo);
  }
#endif
}

void WriteArchiveFiles(
  const itk::FundusResult& result, const std::string& stem, const ArchiveOptions& options, bool keepIdentifiers)
{
  if (!result.HasSegmentation())
  {
    if (options.Any())
    {
      RemoveEarlier(stem);
    }
    return;
  }
  if (options.NeedsDICOM() && IsDICOM(result.InputFileName))
  {
    WriteDICOMFiles(result, stem, options);
  }
  if (options.Observations)
  {
    const auto identifiers =
      keepIdentifiers ? ReadIdentifiers(result.InputFileName) : std::map<std::string, std::string>();
    itk::AtomicFile::Write(stem + "_fhir.json", itk::ToFHIRBundle(result, identifiers));
  }
}

itk::FundusResult MeasureOutlines(const itk::FundusPhotograph* photograph, const std::string& outlines,
  const std::string& eye, double micrometersPerPixel)
{
  const auto stored = ReadOutlines(outlines, photograph->GetFileName());
  const auto size = stored->GetLargestPossibleRegion().GetSize();
  const auto& expected = photograph->GetStored().Size;
  if (size[0] != expected[0] || size[1] != expected[1])
  {
    throw std::runtime_error(Printable(outlines) + " has another size than the photo: give labels on its pixels.");
  }
  itk::FundusResult result;
  result.Status = itk::FundusStatusEnum::Ok;
  result.SetPhotograph(photograph);
  const itk::EyeLaterality side =
    itk::DetermineEyeLaterality(eye, photograph->GetDICOMLaterality(), photograph->GetFileName());
  result.Eye = side.Side;
  result.EyeSource = side.Source;
  const double calibration = micrometersPerPixel > 0.0 ? micrometersPerPixel : photograph->GetMicrometersPerPixel();
  result.CalibrationSource = micrometersPerPixel > 0.0 ? "user" : calibration > 0.0 ? "dicom" : "";
  result.Labels = photograph->StoredToUprightLabels(stored).GetPointer();

  auto calculator = itk::RimMeasurementCalculator::New();
  calculator->SetEye(result.Eye);
  calculator->SetMicrometersPerPixel(calibration);
  calculator->SetPhotograph(const_cast<itk::FundusPhotograph*>(photograph)->GetImage());
  result.Measurements = calculator->Compute(result.Labels);
  if (result.Measurements.HasFlag(itk::RimQualityFlagEnum::EmptyDisc))
  {
    throw std::runtime_error(Printable(outlines) + " outlines no disc on this photo.");
  }
  return result;
}

std::optional<DICOMRole> DescribeDICOM(const std::string& fileName)
{
#ifdef NPSNET_HAS_DICOM
  if (IsDICOM(fileName))
  {
    try
    {
      const auto object = itk::FundusDICOMReader::Describe(fileName);
      using Kind = itk::FundusDICOMObject::Kind;
      return DICOMRole{
        object.What == Kind::Photograph, object.What == Kind::Report, object.SOPInstanceUID, object.Photographs};
    }
    catch (const std::exception&)
    {
      return std::nullopt;
    }
  }
#endif
  (void)fileName;
  return std::nullopt;
}
} // namespace npsnet
