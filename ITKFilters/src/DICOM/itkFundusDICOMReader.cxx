// SPDX-License-Identifier: Apache-2.0
#include "itkFundusDICOMReader.h"

#include "itkDICOMCodes.h"
#include "itkDICOMObject.h"
#include "itkNPSNetThrow.h"
#include "itkQuietDCMTK.h"
#include "itkReportTree.h"

#include "dcmtk/dcmdata/dctk.h"
#include "dcmtk/dcmfg/fgseg.h"
#include "dcmtk/dcmseg/segdoc.h"
#include "dcmtk/dcmseg/segment.h"
#include "dcmtk/dcmseg/segutils.h"

#include <algorithm>
#include <cctype>
#include <memory>
#include <optional>

namespace itk
{
namespace
{
// Pixels of an unpacked frame, in DCMTK to 3.6.8 and after it.
template <typename TFrame>
auto PixelsOf(const TFrame & frame, int /*preferred*/) -> decltype(static_cast<const Uint8 *>(frame.pixData))
{
  return frame.pixData;
}
template <typename TFrame>
auto PixelsOf(const TFrame & frame, long /*else*/) -> decltype(static_cast<const Uint8 *>(frame.getPixelDataTyped()))
{
  return frame.getPixelDataTyped();
}

/** 0 or 1 a pixel; empty when the frame cannot be had. */
template <typename TFrame, typename TBase>
std::vector<Uint8> Unpack(TFrame * (*unpack)(const TFrame *, Uint16, Uint16),
                          const TBase * frame,
                          Uint16        rows,
                          Uint16        columns)
{
  const std::unique_ptr<TFrame> unpacked(frame == nullptr ? nullptr
                                                          : unpack(static_cast<const TFrame *>(frame), rows, columns));
  if (!unpacked)
  {
    return {};
  }
  const Uint8 * pixels = PixelsOf(*unpacked, 0);
  return { pixels, pixels + static_cast<std::size_t>(rows) * columns };
}

/** SOP Instance UIDs of a sequence that is nested as studies, series, instances or less. */
void CollectInstances(DcmItem & item, std::vector<std::string> & uids)
{
  OFString uid;
  if (item.findAndGetOFString(DCM_ReferencedSOPInstanceUID, uid).good() && !uid.empty())
  {
    uids.emplace_back(uid.c_str());
  }
  for (const DcmTagKey & tag : { DCM_CurrentRequestedProcedureEvidenceSequence,
                                 DCM_ReferencedSeriesSequence,
                                 DCM_ReferencedSOPSequence,
                                 DCM_ReferencedInstanceSequence,
                                 DCM_SharedFunctionalGroupsSequence,
                                 DCM_PerFrameFunctionalGroupsSequence,
                                 DCM_DerivationImageSequence,
                                 DCM_SourceImageSequence })
  {
    DcmSequenceOfItems * sequence = nullptr;
    if (item.findAndGetSequence(tag, sequence).good() && sequence != nullptr)
    {
      for (unsigned long i = 0; i < sequence->card(); ++i)
      {
        CollectInstances(*sequence->getItem(i), uids);
      }
    }
  }
}

bool Contains(const std::vector<std::string> & list, const std::string & value)
{
  return std::find(list.begin(), list.end(), value) != list.end();
}

bool Says(const DcmSegment & segment, const std::string & word)
{
  OFString label;
  const_cast<DcmSegment &>(segment).getSegmentLabel(label);
  std::string text(label.c_str(), label.size());
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text.find(word) != std::string::npos;
}

bool HasType(DcmSegment & segment, const DICOMCode & code)
{
  OFString value;
  OFString scheme;
  segment.getSegmentedPropertyTypeCode().getCodeValue(value);
  segment.getSegmentedPropertyTypeCode().getCodingSchemeDesignator(scheme);
  return value == code.Value && scheme == code.Scheme;
}

/** 1 for the disc, 2 for the cup, 0 for anything else. */
unsigned char LabelOf(DcmSegment & segment)
{
  if (HasType(segment, DICOMCodes::OpticCup) || Says(segment, "cup"))
  {
    return 2;
  }
  return HasType(segment, DICOMCodes::OpticNerveHead) || Says(segment, "disc") || Says(segment, "disk") ? 1 : 0;
}

EyeSideEnum EyeOf(DSRDocumentTree & tree)
{
  if (tree.gotoNamedNode(ReportTree::ToEntry(DICOMCodes::Laterality)) == 0)
  {
    return EyeSideEnum::Unknown;
  }
  const OFString side = tree.getCurrentContentItem().getCodeValue().getCodeValue();
  return side == DICOMCodes::Right.Value  ? EyeSideEnum::OD
         : side == DICOMCodes::Left.Value ? EyeSideEnum::OS
                                          : EyeSideEnum::Unknown;
}

bool IsReportClass(const std::string & uid)
{
  return uid == UID_ComprehensiveSRStorage || uid == UID_EnhancedSRStorage || uid == UID_Comprehensive3DSRStorage;
}
} // namespace

FundusDICOMObject FundusDICOMReader::Describe(const std::string & fileName)
{
  const QuietDCMTK  quiet;
  const DICOMObject object(fileName, DICOMObject::Part::WithoutPixels);
  FundusDICOMObject description;
  description.SOPInstanceUID = object.GetText(DCM_SOPInstanceUID);
  const std::string kind = object.GetText(DCM_SOPClassUID);
  if (kind == UID_SegmentationStorage)
  {
    description.What = FundusDICOMObject::Kind::Segmentation;
    CollectInstances(object.GetDataset(), description.Photographs);
  }
  else if (IsReportClass(kind))
  {
    DSRDocument document;
    if (document.read(object.GetDataset(), DSRTypes::RF_skipInvalidContentItems).good() &&
        document.getTree().gotoNamedNode(ReportTree::ToEntry(DICOMCodes::CupToDiscVertical)) != 0)
    {
      description.What = FundusDICOMObject::Kind::Report;
      description.Eye = EyeOf(document.getTree());
      CollectInstances(object.GetDataset(), description.Photographs);
    }
  }
  else if (object.GetNumber(DCM_Rows) > 0)
  {
    description.What = FundusDICOMObject::Kind::Photograph;
  }
  return description;
}

FundusPhotograph::LabelImageType::Pointer FundusDICOMReader::ReadSegmentation(const std::string & fileName,
                                                                              const std::string & photographFileName)
{
  const QuietDCMTK  quiet;
  const DICOMObject photograph(photographFileName, DICOMObject::Part::WithoutPixels);
  const DICOMObject object(fileName, DICOMObject::Part::Whole);
  if (object.GetText(DCM_SOPClassUID) != UID_SegmentationStorage)
  {
    npsnetThrow(fileName << " is not a DICOM segmentation: give the file that ends with _seg.dcm.");
  }
  std::vector<std::string> references;
  CollectInstances(object.GetDataset(), references);
  if (!Contains(references, photograph.GetText(DCM_SOPInstanceUID)))
  {
    npsnetThrow(fileName << " was drawn on another photograph than " << photographFileName
                         << ": give the photograph that it refers to.");
  }
  const unsigned int rows = photograph.GetNumber(DCM_Rows);
  const unsigned int columns = photograph.GetNumber(DCM_Columns);
  if (object.GetNumber(DCM_Rows) != rows || object.GetNumber(DCM_Columns) != columns || rows == 0 || columns == 0)
  {
    npsnetThrow(fileName << " has another raster than " << photographFileName << ": export both again.");
  }

  DcmSegmentation *                      loaded = nullptr;
  const OFCondition                      condition = DcmSegmentation::loadDataset(object.GetDataset(), loaded);
  const std::unique_ptr<DcmSegmentation> segmentation(loaded);
  if (condition.bad() || !segmentation)
  {
    npsnetThrow(fileName << " cannot be read as a segmentation (" << condition.text() << "): export it again.");
  }
  if (segmentation->getSegmentationType() != DcmSegTypes::ST_BINARY)
  {
    npsnetThrow(fileName << " is not a binary segmentation: save it as one.");
  }

  const auto labels = FundusPhotograph::LabelImageType::New();
  labels->SetRegions(FundusPhotograph::LabelImageType::SizeType{ { columns, rows } });
  labels->Allocate(true);
  unsigned char * to = labels->GetBufferPointer();
  bool            hasDisc = false;
  for (std::size_t frame = 0; frame < segmentation->getNumberOfFrames(); ++frame)
  {
    bool         isPerFrame = false;
    const auto * group = dynamic_cast<FGSegmentation *>(
      segmentation->getFunctionalGroups().get(static_cast<Uint32>(frame), DcmFGTypes::EFG_SEGMENTATION, isPerFrame));
    Uint16 number = 0;
    if (group == nullptr || const_cast<FGSegmentation *>(group)->getReferencedSegmentNumber(number).bad())
    {
      npsnetThrow(fileName << " does not say which segment its frame " << frame + 1 << " shows: export it again.");
    }
    DcmSegment *        segment = segmentation->getSegment(number);
    const unsigned char label = segment == nullptr ? 0 : LabelOf(*segment);
    if (label == 0)
    {
      continue;
    }
    const auto mask = Unpack(&DcmSegUtils::unpackBinaryFrame,
                             segmentation->getFrame(frame),
                             static_cast<Uint16>(rows),
                             static_cast<Uint16>(columns));
    if (mask.empty())
    {
      npsnetThrow(fileName << " ends early: copy or export it again.");
    }
    hasDisc = hasDisc || label == 1;
    for (std::size_t k = 0; k < mask.size(); ++k)
    {
      to[k] = mask[k] != 0 ? std::max(to[k], label) : to[k];
    }
  }
  if (!hasDisc)
  {
    npsnetThrow(fileName << " has no segment of the optic disc (SCT 81016008): give one that has.");
  }
  return labels;
}

void FundusDICOMReader::RequireReportOf(const std::string & fileName, const std::string & photographFileName)
{
  const FundusDICOMObject report = Describe(fileName);
  if (report.What != FundusDICOMObject::Kind::Report)
  {
    npsnetThrow(fileName << " is not a report of optic disc measurements: give the file that ends with _sr.dcm.");
  }
  if (!Contains(report.Photographs, Describe(photographFileName).SOPInstanceUID))
  {
    npsnetThrow(fileName << " is about another photograph than " << photographFileName
                         << ": give the photograph that it refers to.");
  }
}
} // namespace itk
