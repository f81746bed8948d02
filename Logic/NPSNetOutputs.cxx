// SPDX-License-Identifier: Apache-2.0
#include "NPSNetOutputs.h"

#include "vtkMRMLNPSNetParameterNode.h"
#include "vtkSlicerNPSNetSegmentationLogic.h"

#include "itkPalette.h"

#include <vtkMRMLMarkupsClosedCurveNode.h>
#include <vtkMRMLMarkupsDisplayNode.h>
#include <vtkMRMLPlotChartNode.h>
#include <vtkMRMLPlotSeriesNode.h>
#include <vtkMRMLScalarVolumeNode.h>
#include <vtkMRMLScene.h>
#include <vtkMRMLSegmentationDisplayNode.h>
#include <vtkMRMLSegmentationNode.h>
#include <vtkMRMLSubjectHierarchyNode.h>
#include <vtkMRMLTableNode.h>
#include <vtkMRMLTransformNode.h>
#include <vtkSegment.h>
#include <vtkSegmentation.h>
#include <vtkSlicerTerminologiesModuleLogic.h>

#include <vtkGeneralTransform.h>
#include <vtkPoints.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>

namespace npsnet
{
namespace Palette = itk::Palette;

namespace
{
const char* ParametersRole = "npsnet.parameters";

struct Output
{
  const char* Role; // of the parameter node; prefixed by "npsnet." on the segmentation
  const char* ClassName;
  const char* Suffix;
};

const Output OutputNodes[] = {
  {"rimTable", "vtkMRMLTableNode", " rim"},
  {"summaryTable", "vtkMRMLTableNode", " summary"},
  {"chart", "vtkMRMLPlotChartNode", " rim profile"},
  {"discCurve", "vtkMRMLMarkupsClosedCurveNode", " optic disc boundary"},
  {"cupCurve", "vtkMRMLMarkupsClosedCurveNode", " optic cup boundary"},
};

bool IsCurve(const Output& output)
{
  return std::strcmp(output.ClassName, "vtkMRMLMarkupsClosedCurveNode") == 0;
}

/// A segmentation this parameter node made for this photo earlier on.
vtkMRMLSegmentationNode* FindEarlier(vtkMRMLNPSNetParameterNode* parameters, vtkMRMLVolumeNode* volume)
{
  std::vector<vtkMRMLNode*> nodes;
  parameters->GetScene()->GetNodesByClass("vtkMRMLSegmentationNode", nodes);
  for (vtkMRMLNode* node : nodes)
  {
    if (node->GetNodeReference(ParametersRole) == parameters &&
        node->GetNodeReference(vtkMRMLSegmentationNode::GetReferenceImageGeometryReferenceRole().c_str()) == volume)
    {
      return vtkMRMLSegmentationNode::SafeDownCast(node);
    }
  }
  return nullptr;
}

/// Control points as text, to be compared with a tolerance: a file may not keep the last digits.
std::string GetPositions(vtkMRMLMarkupsClosedCurveNode* curve)
{
  std::ostringstream text;
  text.precision(12);
  for (int i = 0; i < curve->GetNumberOfControlPoints(); ++i)
  {
    double p[3];
    curve->GetNthControlPointPosition(i, p);
    text << p[0] << ' ' << p[1] << ' ' << p[2] << ' ';
  }
  return text.str();
}

void GetWorldTransform(vtkMRMLVolumeNode* volume, bool toWorld, vtkGeneralTransform* transform)
{
  vtkMRMLTransformNode* parent = volume->GetParentTransformNode();
  vtkMRMLTransformNode::GetTransformBetweenNodes(toWorld ? parent : nullptr, toWorld ? nullptr : parent, transform);
}
} // namespace

void PutUnder(vtkMRMLNode* parent, vtkMRMLNode* child)
{
  vtkMRMLSubjectHierarchyNode* hierarchy = vtkMRMLSubjectHierarchyNode::GetSubjectHierarchyNode(child->GetScene());
  if (hierarchy == nullptr)
  {
    return;
  }
  const vtkIdType none = vtkMRMLSubjectHierarchyNode::GetInvalidItemID();
  vtkIdType parentItem = hierarchy->GetItemByDataNode(parent);
  if (parentItem == none)
  {
    parentItem = hierarchy->CreateItem(hierarchy->GetSceneItemID(), parent);
  }
  const vtkIdType childItem = hierarchy->GetItemByDataNode(child);
  if (childItem == none)
  {
    hierarchy->CreateItem(parentItem, child);
  }
  else if (hierarchy->GetItemParent(childItem) != parentItem)
  {
    hierarchy->SetItemParent(childItem, parentItem);
  }
}

/// vtkMRMLTransformableNode::GetTransformNodeID() would do, but the copy it keeps is never freed.
void PutUnderTheTransformOf(vtkMRMLTransformableNode* node, vtkMRMLVolumeNode* volume)
{
  vtkMRMLTransformNode* parent = volume->GetParentTransformNode();
  node->SetAndObserveTransformNodeID(parent ? parent->GetID() : nullptr);
}

void PlaceSegmentation(vtkMRMLSegmentationNode* segmentation, vtkMRMLVolumeNode* volume)
{
  segmentation->GetSegmentation()->SetSourceRepresentationName(
    vtkSegmentationConverter::GetSegmentationBinaryLabelmapRepresentationName());
  segmentation->SetReferenceImageGeometryParameterFromVolumeNode(vtkMRMLScalarVolumeNode::SafeDownCast(volume));
  PutUnderTheTransformOf(segmentation, volume);
  // An empty one that the Segment Editor made has a display node already, but no look that was chosen.
  if (segmentation->GetDisplayNode() == nullptr || segmentation->GetSegmentation()->GetNumberOfSegments() == 0)
  {
    segmentation->CreateDefaultDisplayNodes();
    auto* display = vtkMRMLSegmentationDisplayNode::SafeDownCast(segmentation->GetDisplayNode());
    if (display != nullptr)
    {
      display->SetOpacity2DFill(0.0); // a fill would dim the rim that is to be judged
      display->SetSliceIntersectionThickness(2);
    }
  }
}

bool EnsureOutputs(vtkMRMLNPSNetParameterNode* parameters, int most)
{
  vtkMRMLScene* scene = parameters->GetScene();
  vtkMRMLVolumeNode* volume = parameters->GetInputVolumeNode();
  const std::string photo = volume->GetName() != nullptr ? volume->GetName() : "Photo";

  vtkMRMLSegmentationNode* segmentation = parameters->GetSegmentationNode();
  if (segmentation != nullptr && segmentation->GetAttribute("NPSNet.State") != nullptr)
  {
    vtkMRMLNode* before =
      segmentation->GetNodeReference(vtkMRMLSegmentationNode::GetReferenceImageGeometryReferenceRole().c_str());
    if (before != nullptr && before != volume)
    {
      segmentation = nullptr;
      for (const Output& output : OutputNodes)
      {
        parameters->SetNodeReferenceID(output.Role, nullptr);
      }
    }
  }
  if (segmentation == nullptr)
  {
    segmentation = FindEarlier(parameters, volume);
  }
  int made = 0;
  if (segmentation == nullptr)
  {
    segmentation = vtkMRMLSegmentationNode::SafeDownCast(
      scene->AddNewNodeByClass("vtkMRMLSegmentationNode", photo + " optic nerve head"));
    ++made;
  }
  parameters->SetSegmentationNode(segmentation);
  segmentation->SetNodeReferenceID(ParametersRole, parameters->GetID());
  PlaceSegmentation(segmentation, volume);
  if (made > 0)
  {
    segmentation->SetDisplayVisibility(parameters->GetResultsVisible());
  }
  PutUnder(volume, segmentation);

  for (const Output& output : OutputNodes)
  {
    if (IsCurve(output) && !parameters->GetCreateCurves())
    {
      continue;
    }
    const std::string role = std::string("npsnet.") + output.Role;
    vtkMRMLNode* node = parameters->GetNodeReference(output.Role);
    if (node == nullptr)
    {
      node = segmentation->GetNodeReference(role.c_str());
    }
    if (node == nullptr)
    {
      if (made++ == most)
      {
        return false;
      }
      node = scene->AddNewNodeByClass(output.ClassName, photo + output.Suffix);
      if (auto* curve = vtkMRMLMarkupsClosedCurveNode::SafeDownCast(node))
      {
        curve->CreateDefaultDisplayNodes();
        if (auto* display = vtkMRMLMarkupsDisplayNode::SafeDownCast(curve->GetDisplayNode()))
        {
          const bool disc = std::strcmp(output.Role, "discCurve") == 0;
          const auto color = Palette::ToFractions(disc ? Palette::Disc : Palette::Cup);
          display->SetSelectedColor(color[0], color[1], color[2]);
          display->SetColor(color[0], color[1], color[2]);
          display->SetPointLabelsVisibility(false);
          display->SetPropertiesLabelVisibility(false);
          display->SetGlyphScale(1.0);
          display->SetVisibility(parameters->GetResultsVisible());
        }
      }
    }
    parameters->SetNodeReferenceID(output.Role, node->GetID());
    segmentation->SetNodeReferenceID(role.c_str(), node->GetID());
    if (auto* curve = vtkMRMLMarkupsClosedCurveNode::SafeDownCast(node))
    {
      PutUnderTheTransformOf(curve, volume);
    }
    PutUnder(volume, node);
  }
  return true;
}

void EnsureSegment(vtkMRMLSegmentationNode* segmentation, Structure structure, itk::EyeSideEnum eye, bool expert)
{
  const bool disc = structure == Structure::Disc;
  const std::string name = disc ? "Optic disc" : "Optic cup";
  std::string id = FindSegment(segmentation->GetSegmentation(), structure);
  if (id.empty())
  {
    id =
      disc ? vtkSlicerNPSNetSegmentationLogic::GetDiscSegmentID() : vtkSlicerNPSNetSegmentationLogic::GetCupSegmentID();
    vtkNew<vtkSegment> segment;
    segment->SetName((expert ? name + ", expert" : name).c_str());
    const auto color = Palette::ToFractions(
      expert ? (disc ? Palette::ExpertDisc : Palette::ExpertCup) : (disc ? Palette::Disc : Palette::Cup));
    segment->SetColor(color[0], color[1], color[2]);
    segment->NameAutoGeneratedOff();
    segment->ColorAutoGeneratedOff();
    segmentation->GetSegmentation()->AddSegment(segment, id);
  }
  // The codes are those of Resources/Terminologies; a side only when the eye is known.
  const bool right = eye == itk::EyeSideEnum::OD;
  const bool known = eye != itk::EyeSideEnum::Unknown;
  const std::string terminology = vtkSlicerTerminologiesModuleLogic::SerializeTerminologyEntry(
    "Optic nerve head - NPSNetSegmentation", "123037004", "SCT", "Anatomical Structure",
    disc ? "81016008" : "optic-cup", disc ? "SCT" : "99NPSNET", name, known ? (right ? "24028007" : "7771000") : "",
    known ? "SCT" : "", known ? (right ? "Right" : "Left") : "", "", "", "", "", "", "", "");
  vtkSegment* segment = segmentation->GetSegmentation()->GetSegment(id);
  if (segment->GetTerminology() != terminology)
  {
    segment->SetTerminology(terminology);
  }
}

void WriteCurve(vtkMRMLMarkupsClosedCurveNode* curve, const Polygon& outline, int points, const PhotoGeometry& geometry,
  const std::string& maskFingerprint)
{
  const Polygon sampled = ResampleClosed(outline, points);
  {
    MRMLNodeModifyBlocker blocker(curve);
    if (curve->GetNumberOfControlPoints() != static_cast<int>(sampled.size()))
    {
      curve->RemoveAllControlPoints();
    }
    for (std::size_t i = 0; i < sampled.size(); ++i)
    {
      double local[3];
      geometry.PhotoToLocal(sampled[i], local);
      if (static_cast<int>(i) < curve->GetNumberOfControlPoints())
      {
        curve->SetNthControlPointPosition(static_cast<int>(i), local);
      }
      else
      {
        curve->AddControlPoint(local);
      }
    }
  }
  MarkInStep(curve, maskFingerprint);
}

bool IsDragged(vtkMRMLMarkupsClosedCurveNode* curve)
{
  const char* written = curve != nullptr ? curve->GetAttribute("NPSNet.WrittenPoints") : nullptr;
  if (written == nullptr || curve->GetNumberOfDefinedControlPoints() < 3)
  {
    return false;
  }
  std::istringstream before(written);
  std::istringstream now(GetPositions(curve));
  double a = 0.0;
  double b = 0.0;
  while (now >> a)
  {
    if (!(before >> b) || std::abs(a - b) > 1e-6 * std::max(1.0, std::abs(b)))
    {
      return true;
    }
  }
  return static_cast<bool>(before >> b);
}

bool IsInStep(vtkMRMLMarkupsClosedCurveNode* curve, const std::string& maskFingerprint)
{
  const char* mask = curve->GetAttribute("NPSNet.Mask");
  return mask != nullptr && maskFingerprint == mask;
}

void MarkInStep(vtkMRMLMarkupsClosedCurveNode* curve, const std::string& maskFingerprint)
{
  curve->SetAttribute("NPSNet.WrittenPoints", GetPositions(curve).c_str());
  curve->SetAttribute("NPSNet.Mask", maskFingerprint.c_str());
}

Polygon ReadCurve(vtkMRMLMarkupsClosedCurveNode* curve, vtkMRMLVolumeNode* volume, const PhotoGeometry& geometry)
{
  vtkNew<vtkGeneralTransform> toVolume;
  GetWorldTransform(volume, false, toVolume);
  Polygon polygon;
  vtkPoints* points = curve->GetCurvePointsWorld();
  for (vtkIdType i = 0; points != nullptr && i < points->GetNumberOfPoints(); ++i)
  {
    double local[3];
    toVolume->TransformPoint(points->GetPoint(i), local);
    polygon.push_back(geometry.LocalToPhoto(local));
  }
  return polygon;
}

void PhotoToWorld(vtkMRMLVolumeNode* volume, const PhotoGeometry& geometry, const Point& photo, double world[3])
{
  double local[3];
  geometry.PhotoToLocal(photo, local);
  vtkNew<vtkGeneralTransform> toWorld;
  GetWorldTransform(volume, true, toWorld);
  toWorld->TransformPoint(local, world);
}

Point WorldToPhoto(vtkMRMLVolumeNode* volume, const PhotoGeometry& geometry, const double world[3])
{
  vtkNew<vtkGeneralTransform> toVolume;
  GetWorldTransform(volume, false, toVolume);
  double local[3];
  toVolume->TransformPoint(world, local);
  return geometry.LocalToPhoto(local);
}
} // namespace npsnet
