// SPDX-License-Identifier: Apache-2.0
#include "itkFundusReportObject.h"

#include "itkFundusSegmentationObject.h"
#include "itkNPSNetThrow.h"
#include "itkNPSNetVersion.h"
#include "itkReportTree.h"
#include "itkSHA256.h"

#include "dcmtk/dcmdata/dctk.h"
#include "dcmtk/dcmsr/cmr/tid1600.h"

#include <memory>
#include <sstream>

namespace itk
{
namespace
{
using DSR = DSRTypes;
namespace Codes = DICOMCodes;

constexpr const char * Program = "NPSNetSegmentation";
constexpr const char * ResearchUse = "Measurements for research use; not a diagnosis.";

DSRImageReferenceValue ReferenceTo(const DICOMObject & object)
{
  return { object.GetText(DCM_SOPClassUID).c_str(), object.GetText(DCM_SOPInstanceUID).c_str() };
}

DSRImageReferenceValue ReferenceToPhotograph(const DICOMObject & photograph, unsigned int frame)
{
  DSRImageReferenceValue reference = ReferenceTo(photograph);
  if (photograph.GetNumber(DCM_NumberOfFrames) > 1)
  {
    reference.getFrameList().addItem(static_cast<Sint32>(frame + 1));
  }
  return reference;
}

/** Builds the content of one report, from top to bottom. */
class ReportContent
{
public:
  ReportContent(DSRDocumentTree &           tree,
                const FundusResult &        result,
                const DICOMObject &         photograph,
                const FundusReportOptions & options)
    : m_DocumentTree(tree)
    , m_Tree(tree)
    , m_Result(result)
    , m_Photograph(photograph)
    , m_Options(options)
  {}

  void Build()
  {
    m_Tree.OpenRoot(Codes::ReportTitle, "1500");
    m_Tree.AddCode(DSR::RT_hasConceptMod, Codes::Language, Codes::English);
    this->AddObservers();
    m_Tree.AddCode(DSR::RT_hasConceptMod, Codes::ProcedureReported, Codes::ImagingProcedure);
    this->AddImageLibrary();
    m_Tree.OpenContainer(Codes::ImagingMeasurements);
    this->AddKeyMeasurements();
    this->AddSectors(m_Result.Measurements.Quadrants, "quadrants", Codes::QuadrantSectors);
    this->AddSectors(m_Result.Measurements.ClockHours, "clock hours", Codes::ClockHours);
    if (m_Options.Segmentation != nullptr)
    {
      this->AddSegmentArea(true);
      this->AddSegmentArea(false);
    }
    m_Tree.Close();
    m_Tree.Close();
  }

private:
  void AddObservers()
  {
    if (!m_Options.PersonName.empty())
    {
      m_Tree.AddCode(DSR::RT_hasObsContext, Codes::ObserverType, Codes::Person);
      m_Tree.AddPersonName(DSR::RT_hasObsContext, Codes::PersonName, m_Options.PersonName);
      if (!m_Options.Organization.empty())
      {
        m_Tree.AddText(DSR::RT_hasObsContext, Codes::PersonOrganization, m_Options.Organization);
      }
    }
    m_Tree.AddCode(DSR::RT_hasObsContext, Codes::ObserverType, Codes::Device);
    m_Tree.AddUID(DSR::RT_hasObsContext,
                  Codes::DeviceUID,
                  UIDOfText(std::string(Program) + "\n" + NPSNetVersion() + "\n" + m_Result.Network.SHA256));
    m_Tree.AddText(DSR::RT_hasObsContext, Codes::DeviceName, Program);
    m_Tree.AddText(DSR::RT_hasObsContext, Codes::DeviceManufacturer, Program);
    m_Tree.AddText(DSR::RT_hasObsContext, Codes::DeviceModel, NPSNetVersion());
  }

  void AddImageLibrary()
  {
    TID1600_ImageLibrary library;
    RequireGood(library.createNewImageLibrary(), "an image library");
    RequireGood(library.addImageGroup(), "an image library");
    RequireGood(library.addImageEntry(m_Photograph.GetDataset(), TID1600_ImageLibrary::withAllDescriptors),
                "the photograph in the image library");
    RequireGood(m_DocumentTree.insertSubTree(library.getTree().clone(), DSR::AM_belowCurrent, DSR::RT_contains),
                "an image library");
    m_Tree.Close();
  }

  /** Rows that TID 1501 and TID 2120 share. */
  void OpenGroup(const std::string & purpose, const std::string & trackingUID, const DICOMCode & finding)
  {
    m_Tree.OpenContainer(Codes::MeasurementGroup, "1501");
    m_Tree.AddText(DSR::RT_hasObsContext, Codes::TrackingIdentifier, purpose);
    m_Tree.AddUID(DSR::RT_hasObsContext, Codes::TrackingUID, trackingUID);
    m_Tree.AddCode(DSR::RT_contains, Codes::Finding, finding);
    m_Tree.OpenCode(DSR::RT_hasConceptMod, Codes::FindingSite, Codes::Eye);
    if (m_Result.Eye != EyeSideEnum::Unknown)
    {
      m_Tree.AddCode(DSR::RT_hasConceptMod, Codes::Laterality, Codes::OfEye(m_Result.Eye));
    }
    m_Tree.Close();
  }

  /** TID 4019: what computed the numbers, so that it can be found again. */
  void AddAlgorithm()
  {
    const auto & network = m_Result.Network;
    m_Tree.AddText(DSR::RT_hasConceptMod, Codes::AlgorithmName, network.Name.empty() ? Program : network.Name);
    m_Tree.AddText(DSR::RT_hasConceptMod,
                   Codes::AlgorithmVersion,
                   std::string(Program) + " " + NPSNetVersion() +
                     (network.Version.empty() ? "" : ", model " + network.Version));
    if (!network.SHA256.empty())
    {
      m_Tree.AddText(DSR::RT_hasConceptMod, Codes::AlgorithmParameters, "model_sha256=" + network.SHA256);
    }
  }

  void AddNumber(const DICOMCode & concept, const std::optional<double> & value, const DICOMCode & unit)
  {
    if (value)
    {
      m_Tree.OpenNumber(concept, *value, unit);
      m_Tree.Close();
    }
  }

  void AddSource()
  {
    m_Tree.AddImage(DSR::RT_contains, Codes::SourceOfMeasurement, ReferenceToPhotograph(m_Photograph, m_Options.Frame));
  }

  void AddKeyMeasurements()
  {
    const RimMeasurements & m = m_Result.Measurements;
    this->OpenGroup(TrackingTextOf(m_Result.Eye, true) + ", key measurements",
                    TrackingUIDOf(m_Photograph, true),
                    Codes::OpticNerveHead);
    this->AddAlgorithm();
    this->AddNumber(Codes::CupToDiscVertical, m.VerticalCupToDiscRatio, Codes::Ratio);
    this->AddNumber(Codes::CupToDiscHorizontal, m.HorizontalCupToDiscRatio, Codes::Ratio);
    this->AddNumber(Codes::CupToDiscAreaRatio, m.AreaCupToDiscRatio, Codes::Ratio);
    this->AddNumber(Codes::MinimumRimToDisc, m.MinimumRimToDiscRatio, Codes::Ratio);
    if (m.MicrometersPerPixel)
    {
      const double micrometers = *m.MicrometersPerPixel;
      const auto   area = [micrometers](const std::optional<double> & pixels) {
        return pixels ? std::optional<double>(*pixels * micrometers * micrometers * 1e-6) : std::nullopt;
      };
      this->AddNumber(Codes::DiscArea, area(m.DiscArea), Codes::SquareMillimeter);
      this->AddNumber(Codes::CupArea, area(m.CupArea), Codes::SquareMillimeter);
      this->AddNumber(Codes::RimArea, area(m.RimArea), Codes::SquareMillimeter);
      this->AddNumber(Codes::RimWidth, this->InMicrometers(m.MeanRimWidth), Codes::Micrometer);
    }
    m_Tree.AddText(DSR::RT_contains, Codes::Comment, ResearchUse);
    for (const auto flag : m.Flags)
    {
      m_Tree.AddText(DSR::RT_contains, Codes::QualityFlag, RimQualityFlagToString(flag));
    }
    this->AddSource();
    m_Tree.Close();
  }

  std::optional<double> InMicrometers(const std::optional<double> & pixels) const
  {
    const auto & scale = m_Result.Measurements.MicrometersPerPixel;
    return pixels && scale ? std::optional<double>(*pixels * *scale) : std::nullopt;
  }

  /** Null when the sector has no place of its own on this eye. */
  static const DICOMCode * PlaceOf(const std::string & sector)
  {
    if (sector == "S" || sector == "I")
    {
      return sector == "S" ? &Codes::Superior : &Codes::Inferior;
    }
    if (sector == "N" || sector == "T")
    {
      return sector == "N" ? &Codes::Nasal : &Codes::Temporal;
    }
    const int hour = std::atoi(sector.c_str());
    return hour >= 1 && hour <= 12 ? &Codes::ClockHourPositions[static_cast<std::size_t>(hour - 1)] : nullptr;
  }

  void AddSectorNumber(const DICOMCode &             concept,
                       const std::optional<double> & value,
                       const DICOMCode &             unit,
                       const DICOMCode &             place)
  {
    if (!value)
    {
      return;
    }
    m_Tree.OpenNumber(concept, *value, unit);
    m_Tree.OpenCode(DSR::RT_hasConceptMod, Codes::FindingSite, Codes::OpticNerveHead);
    m_Tree.AddCode(DSR::RT_hasConceptMod, Codes::TopographicalModifier, place);
    m_Tree.Close();
    m_Tree.Close();
  }

  void AddSectors(const std::vector<RimMeasurements::Sector> & sectors,
                  const std::string &                          name,
                  const DICOMCode &                            method)
  {
    bool any = false;
    for (const auto & sector : sectors)
    {
      any = any || (PlaceOf(sector.Name) != nullptr && sector.RimToDiscRatio);
    }
    if (!any)
    {
      return;
    }
    this->OpenGroup(TrackingTextOf(m_Result.Eye, true) + ", " + name,
                    m_Photograph.DeriveUID("tracking of the rim by " + name),
                    Codes::OpticNerveHead);
    m_Tree.AddCode(DSR::RT_hasConceptMod, Codes::MeasurementMethod, method);
    this->AddAlgorithm();
    for (const auto & sector : sectors)
    {
      if (const DICOMCode * place = PlaceOf(sector.Name))
      {
        this->AddSectorNumber(Codes::RimWidth, this->InMicrometers(sector.RimWidth), Codes::Micrometer, *place);
        this->AddSectorNumber(Codes::RimToDisc, sector.RimToDiscRatio, Codes::Ratio, *place);
      }
    }
    this->AddSource();
    m_Tree.Close();
  }

  /** TID 1410: the area of one segment, with the frame of the segmentation that shows it. */
  void AddSegmentArea(bool disc)
  {
    const RimMeasurements &       m = m_Result.Measurements;
    const std::optional<double> & pixels = disc ? m.DiscArea : m.CupArea;
    if (!pixels)
    {
      return;
    }
    const auto number = static_cast<Uint16>(disc ? DiscSegmentNumber : CupSegmentNumber);
    m_Tree.OpenContainer(Codes::MeasurementGroup, "1410");
    m_Tree.AddText(DSR::RT_hasObsContext, Codes::TrackingIdentifier, TrackingTextOf(m_Result.Eye, disc));
    m_Tree.AddUID(DSR::RT_hasObsContext, Codes::TrackingUID, TrackingUIDOf(m_Photograph, disc));
    m_Tree.AddCode(DSR::RT_contains, Codes::Finding, disc ? Codes::OpticNerveHead : Codes::OpticCup);
    DSRImageReferenceValue segment = ReferenceTo(*m_Options.Segmentation);
    segment.getFrameList().addItem(number); // one frame a segment, in this order
    m_Tree.AddImage(DSR::RT_contains, Codes::ReferencedSegmentationFrame, segment);
    m_Tree.AddImage(
      DSR::RT_contains, Codes::SourceImageForSegmentation, ReferenceToPhotograph(m_Photograph, m_Options.Frame));
    m_Tree.OpenCode(DSR::RT_hasConceptMod, Codes::FindingSite, Codes::Eye);
    if (m_Result.Eye != EyeSideEnum::Unknown)
    {
      m_Tree.AddCode(DSR::RT_hasConceptMod, Codes::Laterality, Codes::OfEye(m_Result.Eye));
    }
    m_Tree.Close();
    this->AddAlgorithm();
    if (m.MicrometersPerPixel)
    {
      this->AddNumber(
        Codes::Area, *pixels * *m.MicrometersPerPixel * *m.MicrometersPerPixel * 1e-6, Codes::SquareMillimeter);
    }
    else
    {
      this->AddNumber(Codes::Area, pixels, Codes::Pixels);
    }
    m_Tree.Close();
  }

  DSRDocumentTree &           m_DocumentTree;
  ReportTree                  m_Tree;
  const FundusResult &        m_Result;
  const DICOMObject &         m_Photograph;
  const FundusReportOptions & m_Options;
};

/** What the report says, as text: its identifier follows from it. */
std::string ContentOf(DSRDocument & document)
{
  std::ostringstream text;
  document.getTree().print(text, 0);
  return text.str();
}

void AddEvidence(DSRDocument & document, const DICOMObject & object)
{
  RequireGood(document.getCurrentRequestedProcedureEvidence().addItem(object.GetDataset()),
              "the reference to " + object.GetFileName());
}
} // namespace

void FillReport(DcmDataset &                dataset,
                const FundusResult &        result,
                const DICOMObject &         photograph,
                const FundusReportOptions & options)
{
  photograph.RequireIdentifiers();
  DSRDocument document(DSR::DT_ComprehensiveSR);
  RequireGood(document.createNewSeriesInStudy(photograph.GetText(DCM_StudyInstanceUID).c_str()), "the study");
  RequireGood(document.readPatientData(photograph.GetDataset()), "the patient of " + photograph.GetFileName());
  RequireGood(document.readStudyData(photograph.GetDataset()), "the study of " + photograph.GetFileName());
  const std::string characters = photograph.GetText(DCM_SpecificCharacterSet);
  if (!characters.empty())
  {
    OFString all;
    photograph.GetDataset().findAndGetOFStringArray(DCM_SpecificCharacterSet, all);
    RequireGood(document.setSpecificCharacterSet(all), "the character set of " + photograph.GetFileName());
  }

  ReportContent(document.getTree(), result, photograph, options).Build();

  AddEvidence(document, photograph);
  if (options.Segmentation != nullptr)
  {
    AddEvidence(document, *options.Segmentation);
  }
  if (options.PreviousReport != nullptr)
  {
    RequireGood(document.getPredecessorDocuments().addItem(options.PreviousReport->GetDataset()),
                "the reference to " + options.PreviousReport->GetFileName());
  }
  auto & schemes = document.getCodingSchemeIdentification();
  RequireGood(schemes.addItem(Codes::PrivateScheme), "a coding scheme");
  RequireGood(schemes.setCodingSchemeName(Codes::PrivateSchemeName), "a coding scheme");

  const DICOMTime   now;
  const std::string version = NPSNetVersion();
  const std::string serial = result.Network.SHA256.empty() ? version : result.Network.SHA256;
  document.setSeriesDescription("Optic disc measurements (research use)");
  document.setSeriesNumber("9002");
  document.setManufacturer(Program);
  document.setManufacturerModelName(Program);
  document.setDeviceSerialNumber(serial.c_str());
  document.setSoftwareVersions(version.c_str());
  document.setSeriesDate(now.Date.c_str());
  document.setSeriesTime(now.Time.c_str());
  document.setContentDate(now.Date.c_str());
  document.setContentTime(now.Time.c_str());
  RequireGood(document.completeDocument(), "the report");
  if (!options.PersonName.empty())
  {
    RequireGood(document.verifyDocument(options.PersonName.c_str(),
                                        options.Organization.empty() ? "unknown" : options.Organization.c_str(),
                                        (now.Date + now.Time).c_str()),
                "the signature");
  }
  const std::string content = ContentOf(document);
  RequireGood(document.write(dataset), "the report");
  const std::string uid = photograph.DeriveUID(
    "report\n" + content + (options.PreviousReport ? options.PreviousReport->GetText(DCM_SOPInstanceUID) : ""));
  const std::string series = photograph.DeriveUID("series of reports " + version);
  RequireGood(dataset.putAndInsertString(DCM_SOPInstanceUID, uid.c_str()), "a UID");
  RequireGood(dataset.putAndInsertString(DCM_SeriesInstanceUID, series.c_str()), "a UID");
  RequireGood(dataset.putAndInsertString(DCM_InstanceCreationDate, now.Date.c_str()), "a date");
  RequireGood(dataset.putAndInsertString(DCM_InstanceCreationTime, now.Time.c_str()), "a time");
}
} // namespace itk
