// SPDX-License-Identifier: Apache-2.0
#include "NPSNetResult.h"

#include "NPSNetFit.h"
#include "NPSNetOutputs.h"
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
const char* StateAttribute = "NPSNet.State";                           // what the masks are now
const char* OriginAttribute = "NPSNet.Origin";                         // what they were when they were last written
const char* FingerprintAttribute = "NPSNet.Fingerprint";               // of the masks that were last written
const char* NetworkFingerprintAttribute = "NPSNet.NetworkFingerprint"; // of the network's masks when they were fitted
const char* NetworkBoundaryAttribute = "NPSNet.NetworkBoundary";
const char* ResultAttribute = "NPSNet.Result"; // of the run, with the boundary that the masks were last written from

std::string GetAttribute(vtkMRMLNode* node, const char* name)
{
  const char* value = node != nullptr ? node->GetAttribute(name) : nullptr;
  return value != nullptr ? value : "";
}

/// JSON of what the network had found last; empty without.
std::string GetNetworkBoundary(vtkMRMLSegmentationNode* segmentation)
{
  return GetAttribute(segmentation, OriginAttribute) == "automatic"
           ? GetBoundary(segmentation)
           : GetAttribute(segmentation, NetworkBoundaryAttribute);
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
  const std::string network = GetNetworkBoundary(segmentation);
  const bool keep = origin == "fitted" && !network.empty();
  if (keep && GetAttribute(segmentation, OriginAttribute) == "automatic")
  {
    const std::string fingerprint = GetAttribute(segmentation, FingerprintAttribute);
    segmentation->SetAttribute(NetworkFingerprintAttribute, fingerprint.c_str());
    segmentation->SetAttribute(NetworkBoundaryAttribute, network.c_str());
  }
  else if (!keep)
  {
    segmentation->SetAttribute(NetworkFingerprintAttribute, nullptr);
    segmentation->SetAttribute(NetworkBoundaryAttribute, nullptr);
  }
  segmentation->SetAttribute(OriginAttribute, origin.c_str());
  segmentation->SetAttribute(FingerprintAttribute, GetFingerprint(masks).c_str());
  itk::FundusResult known = result;
  known.Boundary = boundary;
  segmentation->SetAttribute(ResultAttribute, known.ToJSON(-1).c_str());
}

std::string GetState(vtkMRMLSegmentationNode* segmentation)
{
  return GetAttribute(segmentation, StateAttribute);
}

std::string GetBoundary(vtkMRMLSegmentationNode* segmentation)
{
  const itk::FundusResult result = GetResult(segmentation);
  return result.Boundary.IsNotNull() ? result.Boundary->ToJSON() : std::string();
}

itk::FundusResult GetResult(vtkMRMLSegmentationNode* segmentation)
{
  std::string text = GetAttribute(segmentation, ResultAttribute);
  if (!text.empty())
  {
    return itk::FundusResult::FromJSON(text);
  }
  itk::FundusResult result;
  result.Status = itk::FundusStatusEnum::Ok; // of masks without a run
  text = GetAttribute(segmentation, "NPSNet.Provenance");
  if (!text.empty()) // a scene of version 0.1
  {
    result = itk::FundusResult::FromJSON(text);
    text = GetAttribute(segmentation, "NPSNet.Boundary");
    result.Boundary = text.empty() ? nullptr : itk::NestedPolarBoundary::FromJSON(text).GetPointer();
  }
  return result;
}

Report MakeReport(vtkMRMLNPSNetParameterNode* parameters, const PhotoGeometry& geometry, const Masks& masks)
{
  vtkMRMLVolumeNode* volume = parameters->GetInputVolumeNode();
  vtkMRMLSegmentationNode* segmentation = parameters->GetSegmentationNode();
  const std::string network = GetNetworkBoundary(segmentation);
  const std::string fingerprint = GetFingerprint(masks);
  Report report;
  report.PixelHeight = geometry.GetUprightSpacing()[1];
  itk::FundusResult& result = report.Result;
  result = GetResult(segmentation);
  if (fingerprint == GetAttribute(segmentation, FingerprintAttribute))
  {
    report.State = GetAttribute(segmentation, OriginAttribute);
  }
  else if (fingerprint == GetAttribute(segmentation, NetworkFingerprintAttribute)) // undo has brought them back
  {
    report.State = "automatic";
    result.Boundary = network.empty() ? nullptr : itk::NestedPolarBoundary::FromJSON(network).GetPointer();
  }
  else
  {
    report.State = "edited";
    result.Boundary = nullptr;
  }

  result.Name = GetDisplayName(volume);
  result.InputFileName = GetPhotoName(volume);
  ResolveEye(parameters, result);
  const auto calculator = MakeCalculator(parameters, geometry, result);
  if (result.Boundary.IsNotNull())
  {
    // The only flag that does not follow from the boundary.
    const bool uncertain = result.Measurements.HasFlag(itk::RimQualityFlagEnum::UncertainLocation);
    result.Measurements = calculator->Compute(result.Boundary);
    if (uncertain)
    {
      auto& flags = result.Measurements.Flags;
      flags.insert(flags.begin(), itk::RimQualityFlagEnum::UncertainLocation);
    }
  }
  else
  {
    result.Measurements = calculator->Compute(masks.Disc, masks.Cup);
  }
  if (report.State != "automatic" && !network.empty())
  {
    report.Automatic = calculator->Compute(itk::NestedPolarBoundary::FromJSON(network));
  }
  if (vtkMRMLSegmentationNode* expert = parameters->GetComparisonSegmentationNode())
  {
    const Masks expertMasks = ReadMasks(expert, volume, geometry);
    if (!IsEmpty(expertMasks.Disc))
    {
      report.Expert = calculator->Compute(expertMasks.Disc, expertMasks.Cup);
      report.ExpertDiscDice = ComputeDice(masks, expertMasks, Structure::Disc);
      report.ExpertCupDice = ComputeDice(masks, expertMasks, Structure::Cup);
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
        outline = disc ? boundary->GetDiscContour() : boundary->GetCupContour();
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
