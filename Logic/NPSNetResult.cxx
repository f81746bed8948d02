#include "NPSNetResult.h"

#include "NPSNetFit.h"
#include "NPSNetOutputs.h"
#include "NPSNetProvenance.h"
#include "NPSNetRequest.h"
#include "vtkMRMLNPSNetParameterNode.h"

#include "itkRimMeasurementCalculator.h"

#include <vtkMRMLMarkupsClosedCurveNode.h>
#include <vtkMRMLSegmentationNode.h>
#include <vtkMRMLTableNode.h>
#include <vtkMRMLVolumeNode.h>

#include <vector>

namespace npsnet
{
namespace
{
const char* StateAttribute = "NPSNet.State";             // what the masks are now
const char* OriginAttribute = "NPSNet.Origin";           // what they were when they were last written
const char* FingerprintAttribute = "NPSNet.Fingerprint"; // of the masks that were last written
const char* BoundaryAttribute = "NPSNet.Boundary";
const char* ProvenanceAttribute = "NPSNet.Provenance";

std::string GetAttribute(vtkMRMLNode* node, const char* name)
{
  const char* value = node != nullptr ? node->GetAttribute(name) : nullptr;
  return value != nullptr ? value : "";
}

itk::RimMeasurementCalculator::Pointer MakeCalculator(
  vtkMRMLNPSNetParameterNode* parameters, const PhotoGeometry& geometry, itk::FundusResult& result)
{
  auto calculator = itk::RimMeasurementCalculator::New();
  calculator->SetPhotograph(MakeRaster(geometry));
  calculator->SetEye(result.Eye);
  calculator->SetMicrometersPerPixel(ResolveCalibration(parameters, geometry, result));
  return calculator;
}
} // namespace

void Remember(vtkMRMLSegmentationNode* segmentation, const Masks& masks, const itk::NestedPolarBoundary* boundary,
  const itk::FundusResult& result, const std::string& origin)
{
  const MRMLNodeModifyBlocker blocker(segmentation);
  segmentation->SetAttribute(OriginAttribute, origin.c_str());
  segmentation->SetAttribute(FingerprintAttribute, GetFingerprint(masks).c_str());
  segmentation->SetAttribute(BoundaryAttribute, boundary != nullptr ? boundary->ToJSON().c_str() : nullptr);
  segmentation->SetAttribute(ProvenanceAttribute, GetProvenance(result).c_str());
}

std::string GetState(vtkMRMLSegmentationNode* segmentation)
{
  return GetAttribute(segmentation, StateAttribute);
}

std::string GetBoundary(vtkMRMLSegmentationNode* segmentation)
{
  return GetAttribute(segmentation, BoundaryAttribute);
}

void ReadProvenance(vtkMRMLSegmentationNode* segmentation, itk::FundusResult& result)
{
  const std::string text = GetAttribute(segmentation, ProvenanceAttribute);
  if (!text.empty())
  {
    ReadMetrics(text, result);
  }
}

Report MakeReport(vtkMRMLNPSNetParameterNode* parameters, const PhotoGeometry& geometry, const Masks& masks)
{
  vtkMRMLVolumeNode* volume = parameters->GetInputVolumeNode();
  vtkMRMLSegmentationNode* segmentation = parameters->GetSegmentationNode();
  const std::string json = GetBoundary(segmentation);
  itk::NestedPolarBoundary::Pointer boundary;
  if (!json.empty())
  {
    boundary = itk::NestedPolarBoundary::FromJSON(json);
  }
  const bool untouched = GetFingerprint(masks) == GetAttribute(segmentation, FingerprintAttribute);

  Report report;
  itk::FundusResult& result = report.Result;
  result.Status = itk::FundusStatusEnum::Ok;
  ReadProvenance(segmentation, result);
  result.Name = GetDisplayName(volume);
  result.InputFileName = GetPhotoName(volume);
  ResolveEye(parameters, result);
  const auto calculator = MakeCalculator(parameters, geometry, result);
  report.State = untouched ? GetAttribute(segmentation, OriginAttribute) : "edited";
  if (untouched && boundary)
  {
    const std::vector<itk::RimQualityFlagEnum> ofTheRun = result.Measurements.Flags;
    result.Boundary = boundary;
    result.Measurements = calculator->Compute(boundary);
    result.Measurements.Flags.insert(result.Measurements.Flags.begin(), ofTheRun.begin(), ofTheRun.end());
  }
  else
  {
    result.Boundary = nullptr;
    result.Measurements = calculator->Compute(masks.Disc, masks.Cup);
    if (boundary)
    {
      report.Automatic = calculator->Compute(boundary);
    }
  }
  if (vtkMRMLSegmentationNode* expert = parameters->GetComparisonSegmentationNode())
  {
    const Masks expertMasks = ReadMasks(expert, volume, geometry);
    if (!IsEmpty(expertMasks.Disc))
    {
      report.Expert = calculator->Compute(expertMasks.Disc, expertMasks.Cup);
    }
  }
  return report;
}

void WriteTables(vtkMRMLNPSNetParameterNode* parameters, const Report& report)
{
  parameters->GetSegmentationNode()->SetAttribute(StateAttribute, report.State.c_str());
  WriteRimTable(report, parameters->GetRimTableNode());
  WriteSummaryTable(report, parameters->GetSummaryTableNode());
}

void WriteCurves(vtkMRMLNPSNetParameterNode* parameters, const PhotoGeometry& geometry, const Masks& masks,
  const itk::NestedPolarBoundary* boundary)
{
  for (const Structure structure : {Structure::Disc, Structure::Cup})
  {
    vtkMRMLMarkupsClosedCurveNode* curve = GetCurve(parameters, structure);
    const std::string fingerprint = GetFingerprint(masks, structure);
    if (curve == nullptr || (IsInStep(curve, fingerprint) && !IsDragged(curve)))
    {
      continue;
    }
    Polygon outline;
    if (boundary != nullptr)
    {
      const bool disc = structure == Structure::Disc;
      if (!(disc ? boundary->IsDiscEmpty() : boundary->IsCupEmpty()))
      {
        for (const auto& point : disc ? boundary->GetDiscContour() : boundary->GetCupContour())
        {
          outline.push_back({{point[0], point[1]}});
        }
      }
    }
    else
    {
      outline = TraceOutline(masks.Get(structure));
    }
    WriteCurve(curve, outline, parameters->GetNumberOfCurvePoints(), geometry, fingerprint);
  }
}

vtkMRMLMarkupsClosedCurveNode* GetCurve(vtkMRMLNPSNetParameterNode* parameters, Structure structure)
{
  return structure == Structure::Disc ? parameters->GetDiscCurveNode() : parameters->GetCupCurveNode();
}

void ApplyCurve(vtkMRMLNPSNetParameterNode* parameters, const PhotoGeometry& geometry, Structure structure)
{
  vtkMRMLSegmentationNode* segmentation = parameters->GetSegmentationNode();
  vtkMRMLMarkupsClosedCurveNode* curve = GetCurve(parameters, structure);
  const Polygon polygon = ReadCurve(curve, parameters->GetInputVolumeNode(), geometry);
  const Masks masks = MakeMasksAround(polygon, geometry);
  FillPolygon(polygon, geometry, masks, masks.Get(structure));
  WriteMask(segmentation, FindSegment(segmentation->GetSegmentation(), structure), masks, structure, geometry);
  MarkInStep(curve, GetFingerprint(masks, structure));
  EnforceNesting(segmentation, structure);
}
} // namespace npsnet
