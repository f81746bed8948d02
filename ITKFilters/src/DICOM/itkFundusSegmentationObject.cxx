// SPDX-License-Identifier: Apache-2.0
#include "itkFundusSegmentationObject.h"

#include "itkDICOMCodes.h"
#include "itkNPSNetThrow.h"
#include "itkNPSNetVersion.h"
#include "itkPalette.h"
#include "itkText.h"
#include "itkSHA256.h"

#include "dcmtk/config/osconfig.h"
#include "dcmtk/dcmdata/dctk.h"
#include "dcmtk/dcmfg/fgderimg.h"
#include "dcmtk/dcmfg/fgfracon.h"
#include "dcmtk/dcmfg/fgpixmsr.h"
#include "dcmtk/dcmfg/fgplanor.h"
#include "dcmtk/dcmfg/fgplanpo.h"
#include "dcmtk/dcmfg/fgseg.h"
#include "dcmtk/dcmiod/cielabutil.h"
#include "dcmtk/dcmseg/segdoc.h"
#include "dcmtk/dcmseg/segment.h"

#include <array>
#include <cmath>
#include <memory>

namespace itk
{
namespace
{
constexpr const char * Program = "NPSNetSegmentation";

CodeSequenceMacro MakeCode(const DICOMCode & code)
{
  return { code.Value, code.Scheme, code.Meaning };
}

DcmSegTypes::E_SegmentAlgoType AlgorithmTypeOf(const FundusResult & result)
{
  return result.Measurements.MeasuredFrom == RimMeasurements::Origin::Masks ? DcmSegTypes::SAT_SEMIAUTOMATIC
                                                                            : DcmSegTypes::SAT_AUTOMATIC;
}

void SetColor(DcmSegment & segment, const Palette::ColorType & color)
{
  std::array<double, 3> lab{};
  const auto            rgb = Palette::ToFractions(color);
  IODCIELabUtil::rgb2DicomLab(lab[0], lab[1], lab[2], rgb[0], rgb[1], rgb[2]);
  const auto number = [](double value) { return static_cast<Uint16>(std::lround(value)); };
  RequireGood(segment.setRecommendedDisplayCIELabValue(number(lab[0]), number(lab[1]), number(lab[2])), "a color");
}

std::unique_ptr<DcmSegment> MakeSegment(const FundusResult & result, const DICOMObject & photograph, bool disc)
{
  const std::string           name = result.Network.Name.empty() ? Program : result.Network.Name;
  DcmSegment *                made = nullptr;
  const OFCondition           condition = DcmSegment::create(made,
                                                   disc ? "Optic disc" : "Optic cup",
                                                   MakeCode(DICOMCodes::AnatomicalStructure),
                                                   MakeCode(disc ? DICOMCodes::OpticNerveHead : DICOMCodes::OpticCup),
                                                   AlgorithmTypeOf(result),
                                                   name.substr(0, 64).c_str()); // LO holds 64 characters
  std::unique_ptr<DcmSegment> segment(made);
  RequireGood(condition, "a segment");
  SetColor(*segment, disc ? Palette::Disc : Palette::Cup);
  RequireGood(segment->setTrackingID(TrackingTextOf(result.Eye, disc).c_str()), "a tracking identifier");
  RequireGood(segment->setTrackingUID(TrackingUIDOf(photograph, disc).c_str()), "a tracking UID");

  auto & anatomy = segment->getGeneralAnatomyCode();
  RequireGood(anatomy.getAnatomicRegion().set(DICOMCodes::Eye.Value, DICOMCodes::Eye.Scheme, DICOMCodes::Eye.Meaning),
              "an anatomic region");
  if (result.Eye != EyeSideEnum::Unknown)
  {
    const DICOMCode & side = DICOMCodes::OfEye(result.Eye);
    anatomy.getAnatomicRegionModifier().push_back(new CodeSequenceMacro(side.Value, side.Scheme, side.Meaning));
  }
  return segment;
}

/** 0 or 1 a pixel. */
std::vector<Uint8> MakeMask(const FundusPhotograph::StoredLabelImageType * labels, bool disc)
{
  const auto          count = static_cast<std::size_t>(labels->GetLargestPossibleRegion().GetNumberOfPixels());
  const auto *        from = labels->GetBufferPointer();
  std::vector<Uint8>  mask(count);
  const unsigned char least = disc ? 1 : 2;
  for (std::size_t k = 0; k < count; ++k)
  {
    mask[k] = from[k] >= least ? 1 : 0;
  }
  return mask;
}

void AddFrame(DcmSegmentation &   segmentation,
              std::vector<Uint8>  mask,
              Uint16              segmentNumber,
              const DICOMObject & photograph,
              unsigned int        frame)
{
  FGDerivationImage     derivation;
  DerivationImageItem * item = nullptr;
  RequireGood(derivation.addDerivationImageItem(MakeCode(DICOMCodes::SegmentationDerivation), "", item),
              "a derivation");
  SourceImageItem * source = nullptr;
  RequireGood(
    item->addSourceImageItem(&photograph.GetDataset(), MakeCode(DICOMCodes::SourceImageForProcessing), source),
    "the reference to the photograph");
  if (photograph.GetNumber(DCM_NumberOfFrames) > 1)
  {
    RequireGood(source->getImageSOPInstanceReference().addReferencedFrameNumber(static_cast<Uint16>(frame + 1)),
                "the number of a frame");
  }
  FGFrameContent content;
  RequireGood(content.setDimensionIndexValues(segmentNumber, 0), "a dimension index");
  const std::unique_ptr<FGPlanePosPatient> position(FGPlanePosPatient::createMinimal("0", "0", "0"));
  OFVector<FGBase *>                       groups;
  groups.push_back(&content);
  groups.push_back(&derivation);
  groups.push_back(position.get());
  RequireGood(segmentation.addFrame(mask.data(), segmentNumber, groups), "the pixels of a segment");
}

/** The photograph and its series among the references of the whole object. */
void AddReferences(DcmDataset & dataset, const DICOMObject & photograph)
{
  DcmItem * series = nullptr;
  DcmItem * instance = nullptr;
  RequireGood(dataset.findOrCreateSequenceItem(DCM_ReferencedSeriesSequence, series, 0), "a reference");
  RequireGood(series->putAndInsertString(DCM_SeriesInstanceUID, photograph.GetText(DCM_SeriesInstanceUID).c_str()),
              "a UID");
  RequireGood(series->findOrCreateSequenceItem(DCM_ReferencedInstanceSequence, instance, 0), "a reference");
  RequireGood(instance->putAndInsertString(DCM_ReferencedSOPClassUID, photograph.GetText(DCM_SOPClassUID).c_str()),
              "a UID");
  RequireGood(
    instance->putAndInsertString(DCM_ReferencedSOPInstanceUID, photograph.GetText(DCM_SOPInstanceUID).c_str()),
    "a UID");
}

/** Each frame lies on the photograph pixel by pixel. DCMTK before 3.6.8 has no word for it. */
void SaySpatialLocationsArePreserved(DcmDataset & dataset)
{
  for (const signed long frame : { 0, 1 })
  {
    DcmItem * group = nullptr;
    DcmItem * derivation = nullptr;
    DcmItem * source = nullptr;
    RequireGood(dataset.findAndGetSequenceItem(DCM_PerFrameFunctionalGroupsSequence, group, frame), "a frame");
    RequireGood(group->findAndGetSequenceItem(DCM_DerivationImageSequence, derivation, 0), "a derivation");
    RequireGood(derivation->findAndGetSequenceItem(DCM_SourceImageSequence, source, 0), "a reference");
    RequireGood(source->putAndInsertString(DCM_SpatialLocationsPreserved, "YES"), "a reference");
  }
}

/** Names the scheme of the codes that no standard has. */
void AddPrivateScheme(DcmDataset & dataset)
{
  DcmItem * item = nullptr;
  RequireGood(dataset.findOrCreateSequenceItem(DCM_CodingSchemeIdentificationSequence, item, 0), "a coding scheme");
  RequireGood(item->putAndInsertString(DCM_CodingSchemeDesignator, DICOMCodes::PrivateScheme), "a coding scheme");
  RequireGood(item->putAndInsertString(DCM_CodingSchemeName, DICOMCodes::PrivateSchemeName), "a coding scheme");
}

/** DCMTK wants a frame of reference and, in it, the plane of the frames; a photograph has neither as a rule. So it is
 * the photograph's own pixel plane: the origin is its first pixel, the axes are rows and columns. That is also where
 * viewers put a photograph without a place, so both lie upon each other. */
void SetPlane(DcmSegmentation & segmentation, const DICOMObject & photograph, const std::array<double, 2> & spacing)
{
  auto & frameOfReference = segmentation.getFrameOfReference();
  RequireGood(frameOfReference.setFrameOfReferenceUID(photograph.DeriveUID("frame of reference").c_str()), "a UID");
  FGPixelMeasures   measures;
  const std::string rowsAndColumns = NumberText(spacing[1], 8) + "\\" + NumberText(spacing[0], 8);
  RequireGood(measures.setPixelSpacing(rowsAndColumns.c_str()), "a pixel spacing");
  RequireGood(measures.setSliceThickness("1"), "a slice thickness");
  const std::unique_ptr<FGPlaneOrientationPatient> orientation(
    FGPlaneOrientationPatient::createMinimal("1", "0", "0", "0", "1", "0"));
  RequireGood(segmentation.addForAllFrames(measures), "the plane of the frames");
  RequireGood(segmentation.addForAllFrames(*orientation), "the plane of the frames");
}

void CopyLossyCompression(DcmSegmentation & segmentation, const DICOMObject & photograph)
{
  if (photograph.GetText(DCM_LossyImageCompression) == "01")
  {
    OFString ratios;
    OFString methods;
    photograph.GetDataset().findAndGetOFStringArray(DCM_LossyImageCompressionRatio, ratios);
    photograph.GetDataset().findAndGetOFStringArray(DCM_LossyImageCompressionMethod, methods);
    segmentation.setLossyImageCompressionFlag(ratios, methods, OFFalse);
  }
}
} // namespace

std::string TrackingUIDOf(const DICOMObject & photograph, bool disc)
{
  return photograph.DeriveUID(disc ? "tracking of the disc" : "tracking of the cup");
}

std::string TrackingTextOf(EyeSideEnum eye, bool disc)
{
  return std::string(disc ? "Optic disc" : "Optic cup") +
         (eye == EyeSideEnum::Unknown ? "" : " " + EyeSideToString(eye));
}

void FillSegmentation(DcmDataset &                      dataset,
                      const FundusResult &              result,
                      const DICOMObject &               photograph,
                      const FundusSegmentationOptions & options)
{
  photograph.RequireIdentifiers();
  const auto         labels = result.Photograph->UprightToStoredLabels(result.Labels);
  const unsigned int columns = labels->GetLargestPossibleRegion().GetSize()[0];
  const unsigned int rows = labels->GetLargestPossibleRegion().GetSize()[1];
  if (columns != photograph.GetNumber(DCM_Columns) || rows != photograph.GetNumber(DCM_Rows))
  {
    npsnetThrow(photograph.GetFileName() << " has another raster than the outlines: " << columns << " x " << rows
                                         << " pixels were analysed.");
  }

  const std::string version = NPSNetVersion();
  const std::string serial = result.Network.SHA256.empty() ? version : result.Network.SHA256;
  const IODGeneralEquipmentModule::EquipmentInfo equipment(Program, Program, serial.c_str(), version.c_str());
  ContentIdentificationMacro                     content(
    "1", "OPTIC_DISC_CUP", "Optic disc and cup, research use", options.PersonName.c_str());
  DcmSegmentation * made = nullptr;
  const OFCondition condition = DcmSegmentation::createBinarySegmentation(
    made, static_cast<Uint16>(rows), static_cast<Uint16>(columns), equipment, content);
  const std::unique_ptr<DcmSegmentation> segmentation(made);
  RequireGood(condition, "a segmentation");
  RequireGood(segmentation->importFromSourceImage(photograph.GetDataset()),
              "patient and study of " + photograph.GetFileName());
  SetPlane(*segmentation,
           photograph,
           { { result.Photograph->GetStored().Spacing[0], result.Photograph->GetStored().Spacing[1] } });
  CopyLossyCompression(*segmentation, photograph);
  RequireGood(segmentation->getDimensions().addDimensionIndex(DCM_ReferencedSegmentNumber,
                                                              photograph.DeriveUID("dimensions").c_str(),
                                                              DCM_SegmentIdentificationSequence,
                                                              "Segment"),
              "a dimension");

  std::string pixels;
  for (const bool disc : { true, false })
  {
    Uint16 number = 0;
    auto   segment = MakeSegment(result, photograph, disc);
    RequireGood(segmentation->addSegment(segment.release(), number), "a segment");
    const auto mask = MakeMask(labels, disc);
    pixels += SHA256::OfBytes(mask.data(), mask.size());
    AddFrame(*segmentation, mask, number, photograph, options.Frame);
  }

  const DICOMTime now;
  auto &          series = segmentation->getSeries();
  RequireGood(series.setSeriesInstanceUID(photograph.DeriveUID("series of segmentations " + version).c_str()), "a UID");
  RequireGood(series.setSeriesNumber("9001"), "a series number");
  RequireGood(series.setSeriesDescription("Optic disc and cup (research use)"), "a description");
  RequireGood(series.setSeriesDate(now.Date.c_str()), "a date");
  RequireGood(series.setSeriesTime(now.Time.c_str()), "a time");
  segmentation->getGeneralImage().setContentDate(now.Date.c_str());
  segmentation->getGeneralImage().setContentTime(now.Time.c_str());
  const std::string uid = photograph.DeriveUID("segmentation " + version + serial + std::to_string(options.Frame) +
                                               pixels + options.PersonName);
  RequireGood(segmentation->getSOPCommon().setSOPInstanceUID(uid.c_str()), "a UID");
  RequireGood(segmentation->writeDataset(dataset), "the segmentation");
  SaySpatialLocationsArePreserved(dataset);
  AddReferences(dataset, photograph);
  AddPrivateScheme(dataset);
}
} // namespace itk
