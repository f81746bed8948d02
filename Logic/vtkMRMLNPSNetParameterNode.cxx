// SPDX-License-Identifier: Apache-2.0
#include "vtkMRMLNPSNetParameterNode.h"

#include <vtkMRMLMarkupsClosedCurveNode.h>
#include <vtkMRMLMarkupsFiducialNode.h>
#include <vtkMRMLMarkupsROINode.h>
#include <vtkMRMLPlotChartNode.h>
#include <vtkMRMLScene.h>
#include <vtkMRMLSegmentationNode.h>
#include <vtkMRMLTableNode.h>
#include <vtkMRMLVolumeNode.h>

#include <vtkObjectFactory.h>

vtkMRMLNodeNewMacro(vtkMRMLNPSNetParameterNode);

vtkMRMLNPSNetParameterNode::vtkMRMLNPSNetParameterNode()
{
  this->HideFromEditors = 1;
  for (const char* role : {"inputVolume", "anchor", "roi", "segmentation", "rimTable", "summaryTable", "chart",
         "discCurve", "cupCurve", "comparison"})
  {
    this->AddNodeReferenceRole(role, (std::string(role) + "Ref").c_str());
  }
}

vtkMRMLNPSNetParameterNode::~vtkMRMLNPSNetParameterNode() = default;

void vtkMRMLNPSNetParameterNode::SetTTAMode(const std::string& mode)
{
  const std::string wanted = mode == "default" ? "auto" : mode;
  if (this->TTAMode != wanted)
  {
    this->TTAMode = wanted;
    this->Modified();
  }
}

void vtkMRMLNPSNetParameterNode::PrintSelf(ostream& os, vtkIndent indent)
{
  Superclass::PrintSelf(os, indent);
  os << indent << "Eye: " << GetEyeAsString(this->Eye) << "\n";
  vtkMRMLPrintBeginMacro(os, indent);
  vtkMRMLPrintStdStringMacro(TTAMode);
  vtkMRMLPrintStdStringMacro(Device);
  vtkMRMLPrintStdStringMacro(Precision);
  vtkMRMLPrintStdStringMacro(ModelFileName);
  vtkMRMLPrintFloatMacro(MicrometersPerPixel);
  vtkMRMLPrintBooleanMacro(Locate);
  vtkMRMLPrintIntMacro(Orientation);
  vtkMRMLPrintBooleanMacro(InProcess);
  vtkMRMLPrintIntMacro(NumberOfThreads);
  vtkMRMLPrintBooleanMacro(CreateCurves);
  vtkMRMLPrintBooleanMacro(ResultsVisible);
  vtkMRMLPrintIntMacro(NumberOfCurvePoints);
  vtkMRMLPrintBooleanMacro(AutoUpdate);
  vtkMRMLPrintIntMacro(Status);
  vtkMRMLPrintStdStringMacro(StatusMessage);
  vtkMRMLPrintFloatMacro(Progress);
  vtkMRMLPrintEndMacro();
}

void vtkMRMLNPSNetParameterNode::WriteXML(ostream& of, int indent)
{
  Superclass::WriteXML(of, indent);
  vtkMRMLWriteXMLBeginMacro(of);
  vtkMRMLWriteXMLEnumMacro(eye, Eye);
  vtkMRMLWriteXMLStdStringMacro(ttaMode, TTAMode);
  vtkMRMLWriteXMLStdStringMacro(device, Device);
  vtkMRMLWriteXMLStdStringMacro(precision, Precision);
  vtkMRMLWriteXMLStdStringMacro(modelFileName, ModelFileName);
  vtkMRMLWriteXMLFloatMacro(micrometersPerPixel, MicrometersPerPixel);
  vtkMRMLWriteXMLBooleanMacro(locate, Locate);
  vtkMRMLWriteXMLIntMacro(orientation, Orientation);
  vtkMRMLWriteXMLBooleanMacro(inProcess, InProcess);
  vtkMRMLWriteXMLIntMacro(numberOfThreads, NumberOfThreads);
  vtkMRMLWriteXMLBooleanMacro(createCurves, CreateCurves);
  vtkMRMLWriteXMLBooleanMacro(resultsVisible, ResultsVisible);
  vtkMRMLWriteXMLIntMacro(numberOfCurvePoints, NumberOfCurvePoints);
  vtkMRMLWriteXMLBooleanMacro(autoUpdate, AutoUpdate);
  vtkMRMLWriteXMLEndMacro();
}

void vtkMRMLNPSNetParameterNode::ReadXMLAttributes(const char** atts)
{
  MRMLNodeModifyBlocker blocker(this);
  Superclass::ReadXMLAttributes(atts);
  vtkMRMLReadXMLBeginMacro(atts);
  vtkMRMLReadXMLEnumMacro(eye, Eye);
  vtkMRMLReadXMLStdStringMacro(ttaMode, TTAMode);
  vtkMRMLReadXMLStdStringMacro(device, Device);
  vtkMRMLReadXMLStdStringMacro(precision, Precision);
  vtkMRMLReadXMLStdStringMacro(modelFileName, ModelFileName);
  vtkMRMLReadXMLFloatMacro(micrometersPerPixel, MicrometersPerPixel);
  vtkMRMLReadXMLBooleanMacro(locate, Locate);
  vtkMRMLReadXMLIntMacro(orientation, Orientation);
  vtkMRMLReadXMLBooleanMacro(inProcess, InProcess);
  vtkMRMLReadXMLIntMacro(numberOfThreads, NumberOfThreads);
  vtkMRMLReadXMLBooleanMacro(createCurves, CreateCurves);
  vtkMRMLReadXMLBooleanMacro(resultsVisible, ResultsVisible);
  vtkMRMLReadXMLIntMacro(numberOfCurvePoints, NumberOfCurvePoints);
  vtkMRMLReadXMLBooleanMacro(autoUpdate, AutoUpdate);
  vtkMRMLReadXMLEndMacro();
}

void vtkMRMLNPSNetParameterNode::CopyContent(vtkMRMLNode* anode, bool deepCopy)
{
  MRMLNodeModifyBlocker blocker(this);
  Superclass::CopyContent(anode, deepCopy);
  vtkMRMLCopyBeginMacro(anode);
  vtkMRMLCopyEnumMacro(Eye);
  vtkMRMLCopyStdStringMacro(TTAMode);
  vtkMRMLCopyStdStringMacro(Device);
  vtkMRMLCopyStdStringMacro(Precision);
  vtkMRMLCopyStdStringMacro(ModelFileName);
  vtkMRMLCopyFloatMacro(MicrometersPerPixel);
  vtkMRMLCopyBooleanMacro(Locate);
  vtkMRMLCopyIntMacro(Orientation);
  vtkMRMLCopyBooleanMacro(InProcess);
  vtkMRMLCopyIntMacro(NumberOfThreads);
  vtkMRMLCopyBooleanMacro(CreateCurves);
  vtkMRMLCopyBooleanMacro(ResultsVisible);
  vtkMRMLCopyIntMacro(NumberOfCurvePoints);
  vtkMRMLCopyBooleanMacro(AutoUpdate);
  vtkMRMLCopyEndMacro();
}

const char* vtkMRMLNPSNetParameterNode::GetEyeAsString(int eye)
{
  switch (eye)
  {
  case EyeAuto:
    return "auto";
  case EyeRight:
    return "OD";
  case EyeLeft:
    return "OS";
  default:
    return "";
  }
}

int vtkMRMLNPSNetParameterNode::GetEyeFromString(const char* text)
{
  for (int eye = 0; text != nullptr && eye < Eye_Last; ++eye)
  {
    if (std::string(text) == GetEyeAsString(eye))
    {
      return eye;
    }
  }
  return -1;
}

void vtkMRMLNPSNetParameterNode::SetRunState(int status, const std::string& message, double progress)
{
  if (this->Status == status && this->StatusMessage == message && this->Progress == progress)
  {
    return;
  }
  this->Status = status;
  this->StatusMessage = message;
  this->Progress = progress;
  this->Modified();
}

#define NodeReferenceMacro(name, role, type)                                                                           \
  type* vtkMRMLNPSNetParameterNode::Get##name##Node()                                                                  \
  {                                                                                                                    \
    return type::SafeDownCast(this->GetNodeReference(role));                                                           \
  }                                                                                                                    \
  void vtkMRMLNPSNetParameterNode::Set##name##Node(type* node)                                                         \
  {                                                                                                                    \
    this->SetNodeReferenceID(role, node != nullptr ? node->GetID() : nullptr);                                         \
  }

NodeReferenceMacro(InputVolume, "inputVolume", vtkMRMLVolumeNode);
NodeReferenceMacro(Anchor, "anchor", vtkMRMLMarkupsFiducialNode);
NodeReferenceMacro(ROI, "roi", vtkMRMLMarkupsROINode);
NodeReferenceMacro(Segmentation, "segmentation", vtkMRMLSegmentationNode);
NodeReferenceMacro(RimTable, "rimTable", vtkMRMLTableNode);
NodeReferenceMacro(SummaryTable, "summaryTable", vtkMRMLTableNode);
NodeReferenceMacro(Chart, "chart", vtkMRMLPlotChartNode);
NodeReferenceMacro(DiscCurve, "discCurve", vtkMRMLMarkupsClosedCurveNode);
NodeReferenceMacro(CupCurve, "cupCurve", vtkMRMLMarkupsClosedCurveNode);
NodeReferenceMacro(ComparisonSegmentation, "comparison", vtkMRMLSegmentationNode);
