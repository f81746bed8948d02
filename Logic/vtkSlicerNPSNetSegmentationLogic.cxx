// SPDX-License-Identifier: Apache-2.0
#include "vtkSlicerNPSNetSegmentationLogic.h"

#include "NPSNetFit.h"
#include "NPSNetMasks.h"
#include "NPSNetOutputs.h"
#include "NPSNetPhoto.h"
#include "NPSNetRequest.h"
#include "NPSNetResources.h"
#include "NPSNetResult.h"
#include "NPSNetRun.h"
#include "NPSNetTables.h"
#include "vtkMRMLNPSNetParameterNode.h"
#include "vtkSlicerNPSNetSegmentationLogicInternal.h"

#include "itkFundusResultWriter.h"
#include "itkModelFiles.h"
#include "itkRegularizeNestedPolarBoundary.h"

#include <vtkBinaryLabelmapToClosedSurfaceConversionRule.h>
#include <vtkClosedSurfaceToBinaryLabelmapConversionRule.h>
#include <vtkMRMLMarkupsClosedCurveNode.h>
#include <vtkMRMLMarkupsDisplayNode.h>
#include <vtkMRMLMarkupsFiducialDisplayNode.h>
#include <vtkMRMLMarkupsFiducialNode.h>
#include <vtkMRMLMarkupsJsonStorageNode.h>
#include <vtkMRMLMarkupsROIDisplayNode.h>
#include <vtkMRMLMarkupsROIJsonStorageNode.h>
#include <vtkMRMLMarkupsROINode.h>
#include <vtkMRMLPlotChartNode.h>
#include <vtkMRMLScene.h>
#include <vtkMRMLSegmentationDisplayNode.h>
#include <vtkMRMLSegmentationNode.h>
#include <vtkMRMLSegmentationStorageNode.h>
#include <vtkMRMLTableNode.h>
#include <vtkMRMLVolumeNode.h>
#include <vtkSegmentation.h>
#include <vtkSegmentationConverterFactory.h>
#include <vtkSegmentationHistory.h>
#include <vtkSlicerApplicationLogic.h>
#include <vtkSlicerTerminologiesModuleLogic.h>

#include <vtkIntArray.h>
#include <vtkObjectFactory.h>
#include <vtkSmartPointer.h>
#include <vtkStringArray.h>
#include <vtkVariant.h>
#include <vtkWeakPointer.h>
#include <vtksys/SystemTools.hxx>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <set>
#include <thread>
#include <vector>

using npsnet::Failure;
using npsnet::Masks;
using npsnet::PhotoGeometry;
using npsnet::Structure;

vtkStandardNewMacro(vtkSlicerNPSNetSegmentationLogic);

//----------------------------------------------------------------------------
vtkSlicerNPSNetSegmentationLogic::vtkSlicerNPSNetSegmentationLogic()
    : Internal(new vtkInternal(this))
{
}

vtkSlicerNPSNetSegmentationLogic::~vtkSlicerNPSNetSegmentationLogic() = default;

void vtkSlicerNPSNetSegmentationLogic::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "SaveStateForUndo: " << this->SaveStateForUndo << "\n";
  os << indent << "ResourcesDirectory: " << this->GetResourcesDirectory() << "\n";
  os << indent << "SegmentExecutable: " << this->GetSegmentExecutable() << "\n";
  os << indent << "Runs: " << this->Internal->Runs.size() << "\n";
  os << indent << "LastMessage: " << this->Internal->LastMessage << "\n";
}

const std::string& vtkSlicerNPSNetSegmentationLogic::GetLastMessage() const
{
  return this->Internal->LastMessage;
}

//----------------------------------------------------------------------------
// Scene

void vtkSlicerNPSNetSegmentationLogic::SetMRMLSceneInternal(vtkMRMLScene* newScene)
{
  vtkNew<vtkIntArray> events;
  for (const int event :
    {int(vtkMRMLScene::NodeAddedEvent), int(vtkMRMLScene::NodeRemovedEvent), int(vtkMRMLScene::EndBatchProcessEvent)})
  {
    events->InsertNextValue(event);
  }
  this->SetAndObserveMRMLSceneEventsInternal(newScene, events);
  this->RegisterTerminology();
}

void vtkSlicerNPSNetSegmentationLogic::RegisterNodes()
{
  // Inside Slicer the modules Segmentations and Markups register theirs; a script may have none of them.
  const auto registerNode = [this](const char* name, auto* node)
  {
    if (!this->GetMRMLScene()->IsNodeClassRegistered(name))
    {
      this->GetMRMLScene()->RegisterNodeClass(node);
    }
  };
  registerNode("vtkMRMLNPSNetParameterNode", vtkNew<vtkMRMLNPSNetParameterNode>().Get());
  registerNode("vtkMRMLSegmentationNode", vtkNew<vtkMRMLSegmentationNode>().Get());
  registerNode("vtkMRMLSegmentationDisplayNode", vtkNew<vtkMRMLSegmentationDisplayNode>().Get());
  registerNode("vtkMRMLSegmentationStorageNode", vtkNew<vtkMRMLSegmentationStorageNode>().Get());
  registerNode("vtkMRMLMarkupsClosedCurveNode", vtkNew<vtkMRMLMarkupsClosedCurveNode>().Get());
  registerNode("vtkMRMLMarkupsFiducialNode", vtkNew<vtkMRMLMarkupsFiducialNode>().Get());
  registerNode("vtkMRMLMarkupsROINode", vtkNew<vtkMRMLMarkupsROINode>().Get());
  registerNode("vtkMRMLMarkupsDisplayNode", vtkNew<vtkMRMLMarkupsDisplayNode>().Get());
  registerNode("vtkMRMLMarkupsFiducialDisplayNode", vtkNew<vtkMRMLMarkupsFiducialDisplayNode>().Get());
  registerNode("vtkMRMLMarkupsROIDisplayNode", vtkNew<vtkMRMLMarkupsROIDisplayNode>().Get());
  registerNode("vtkMRMLMarkupsJsonStorageNode", vtkNew<vtkMRMLMarkupsJsonStorageNode>().Get());
  registerNode("vtkMRMLMarkupsROIJsonStorageNode", vtkNew<vtkMRMLMarkupsROIJsonStorageNode>().Get());
  // The same for the rules by which segments are shown in 3D; without any rule there is not even an empty label map.
  auto* factory = vtkSegmentationConverterFactory::GetInstance();
  if (factory->GetConverterRules().empty())
  {
    factory->RegisterConverterRule(vtkNew<vtkBinaryLabelmapToClosedSurfaceConversionRule>());
    factory->RegisterConverterRule(vtkNew<vtkClosedSurfaceToBinaryLabelmapConversionRule>());
  }
}

void vtkSlicerNPSNetSegmentationLogic::UnobserveMRMLScene()
{
  this->Internal->Runs.clear();
  this->Internal->LastCodes.clear();
  this->Internal->Measurements.clear();
  this->Internal->Histories.clear();
  for (vtkMRMLNode* node : this->Internal->Observed)
  {
    vtkUnObserveMRMLNodeMacro(node);
  }
  this->Internal->Observed.clear();
}

void vtkSlicerNPSNetSegmentationLogic::UpdateFromMRMLScene()
{
  this->UpdateObservations();
}

void vtkSlicerNPSNetSegmentationLogic::OnMRMLSceneEndImport()
{
  std::vector<vtkMRMLNode*> nodes;
  this->GetMRMLScene()->GetNodesByClass("vtkMRMLNPSNetParameterNode", nodes);
  for (vtkMRMLNode* node : nodes)
  {
    auto* parameters = vtkMRMLNPSNetParameterNode::SafeDownCast(node);
    if (parameters->GetRimTableNode() != nullptr && parameters->GetChartNode() != nullptr)
    {
      npsnet::RestoreChart(parameters->GetRimTableNode(), parameters->GetChartNode());
    }
  }
}

void vtkSlicerNPSNetSegmentationLogic::OnMRMLSceneNodeAdded(vtkMRMLNode* node)
{
  if (vtkMRMLNPSNetParameterNode::SafeDownCast(node) != nullptr)
  {
    this->UpdateObservations();
  }
}

void vtkSlicerNPSNetSegmentationLogic::OnMRMLSceneNodeRemoved(vtkMRMLNode* node)
{
  if (auto* parameters = vtkMRMLNPSNetParameterNode::SafeDownCast(node))
  {
    this->Internal->Runs.erase(parameters);
    this->Internal->LastCodes.erase(parameters);
    this->Internal->Measurements.erase(parameters);
  }
  else if (auto* segmentation = vtkMRMLSegmentationNode::SafeDownCast(node))
  {
    this->Internal->Histories.erase(segmentation);
  }
  if (this->Internal->Observed.erase(node) > 0)
  {
    vtkUnObserveMRMLNodeMacro(node);
  }
}

void vtkSlicerNPSNetSegmentationLogic::UpdateObservations()
{
  std::set<vtkMRMLNode*> wanted;
  std::vector<vtkMRMLNode*> nodes;
  if (this->GetMRMLScene() != nullptr)
  {
    this->GetMRMLScene()->GetNodesByClass("vtkMRMLNPSNetParameterNode", nodes);
  }
  for (vtkMRMLNode* node : nodes)
  {
    auto* parameters = vtkMRMLNPSNetParameterNode::SafeDownCast(node);
    wanted.insert(parameters);
    if (parameters->GetAutoUpdate())
    {
      wanted.insert(parameters->GetSegmentationNode());
      wanted.insert(parameters->GetDiscCurveNode());
      wanted.insert(parameters->GetCupCurveNode());
    }
  }
  wanted.erase(nullptr);

  std::set<vtkMRMLNode*>& observed = this->Internal->Observed;
  for (auto it = observed.begin(); it != observed.end();)
  {
    if (wanted.count(*it) == 0)
    {
      vtkUnObserveMRMLNodeMacro(*it);
      it = observed.erase(it);
    }
    else
    {
      ++it;
    }
  }
  for (vtkMRMLNode* node : wanted)
  {
    if (!observed.insert(node).second)
    {
      continue;
    }
    vtkNew<vtkIntArray> events;
    if (node->IsA("vtkMRMLSegmentationNode"))
    {
      events->InsertNextValue(vtkSegmentation::SourceRepresentationModified);
      events->InsertNextValue(vtkSegmentation::SegmentRemoved);
    }
    else if (node->IsA("vtkMRMLMarkupsNode"))
    {
      events->InsertNextValue(vtkMRMLMarkupsNode::PointEndInteractionEvent);
      events->InsertNextValue(vtkMRMLMarkupsNode::PointRemovedEvent);
    }
    else
    {
      events->InsertNextValue(vtkCommand::ModifiedEvent);
      events->InsertNextValue(vtkMRMLNode::ReferenceAddedEvent);
      events->InsertNextValue(vtkMRMLNode::ReferenceModifiedEvent);
      events->InsertNextValue(vtkMRMLNode::ReferenceRemovedEvent);
    }
    vtkObserveMRMLNodeEventsMacro(node, events);
  }
}

void vtkSlicerNPSNetSegmentationLogic::ProcessMRMLNodesEvents(vtkObject* caller, unsigned long event, void* callData)
{
  if (auto* parameters = vtkMRMLNPSNetParameterNode::SafeDownCast(caller))
  {
    this->UpdateObservations();
    this->Internal->FollowSettings(parameters);
    return;
  }
  vtkMRMLScene* scene = this->GetMRMLScene();
  if (this->Internal->Updating > 0 || scene == nullptr || scene->IsBatchProcessing())
  {
    return;
  }
  std::vector<vtkMRMLNode*> nodes;
  scene->GetNodesByClass("vtkMRMLNPSNetParameterNode", nodes);
  for (vtkMRMLNode* node : nodes)
  {
    auto* parameters = vtkMRMLNPSNetParameterNode::SafeDownCast(node);
    const bool concerned = caller == parameters->GetSegmentationNode() || caller == parameters->GetDiscCurveNode() ||
                           caller == parameters->GetCupCurveNode();
    if (parameters->GetAutoUpdate() && concerned && parameters->GetRimTableNode() != nullptr)
    {
      this->UpdateMeasurements(parameters);
    }
  }
  this->Superclass::ProcessMRMLNodesEvents(caller, event, callData);
}

//----------------------------------------------------------------------------
// Parameters and photos

vtkMRMLNPSNetParameterNode* vtkSlicerNPSNetSegmentationLogic::AddParameterNode(const char* name)
{
  if (this->GetMRMLScene() == nullptr)
  {
    this->Internal->LastMessage = "The logic has no scene: call SetMRMLScene() first.";
    return nullptr;
  }
  return vtkMRMLNPSNetParameterNode::SafeDownCast(
    this->GetMRMLScene()->AddNewNodeByClass("vtkMRMLNPSNetParameterNode", name != nullptr ? name : "NPS-Net"));
}

vtkMRMLNPSNetParameterNode* vtkSlicerNPSNetSegmentationLogic::GetDefaultParameterNode()
{
  vtkMRMLNode* node =
    this->GetMRMLScene() != nullptr ? this->GetMRMLScene()->GetFirstNodeByClass("vtkMRMLNPSNetParameterNode") : nullptr;
  return node != nullptr ? vtkMRMLNPSNetParameterNode::SafeDownCast(node) : this->AddParameterNode();
}

vtkMRMLVolumeNode* vtkSlicerNPSNetSegmentationLogic::LoadPhoto(const std::string& fileName, const char* nodeName)
{
  vtkMRMLVolumeNode* volume = nullptr;
  this->Internal->Try(FileError,
    [&]
    {
      if (this->GetMRMLScene() == nullptr)
      {
        throw Failure(NoScene, "The logic has no scene: call SetMRMLScene() first.");
      }
      if (!vtksys::SystemTools::FileExists(fileName, true))
      {
        throw Failure(FileError, "The photograph " + fileName + " does not exist.");
      }
      const std::string name =
        nodeName != nullptr ? nodeName : vtksys::SystemTools::GetFilenameWithoutLastExtension(fileName);
      volume = npsnet::LoadVolume(this->GetMRMLScene(), fileName, name);
    });
  return volume;
}

//----------------------------------------------------------------------------
// Run

int vtkSlicerNPSNetSegmentationLogic::StartSegment(vtkMRMLNPSNetParameterNode* parameters)
{
  const int code = this->Internal->Try(InvalidParameter,
    [&]
    {
      PhotoGeometry geometry = this->Internal->GetGeometry(parameters);
      if (this->IsRunning(parameters))
      {
        throw Failure(Busy, "This photograph is being segmented already: wait or cancel first.");
      }
      npsnet::RunRequest request = npsnet::MakeRequest(parameters, geometry, this->GetSegmentExecutable());
      vtkSlicerApplicationLogic* application = this->GetApplicationLogic();
      vtkObject* news = this->Internal->News;
      this->Internal->LastCodes.erase(parameters);
      parameters->SetRunState(vtkMRMLNPSNetParameterNode::Running, "Starting", 0.0);
      auto run = std::make_shared<npsnet::ActiveRun>(parameters->GetInputVolumeNode(), std::move(geometry));
      run->Found = vtkInternal::GetTimes(parameters->GetSegmentationNode());
      npsnet::ActiveRun* prepared = run.get(); // outlives its thread
      run->Computation = std::make_unique<npsnet::Run>(
        std::move(request),
        [prepared](const itk::FundusResult& result)
        { prepared->Prepared = npsnet::RasterizeBoundary(result.Boundary, prepared->Geometry); },
        [application, news]
        {
          if (application != nullptr)
          {
            application->RequestModified(news);
          }
        });
      this->Internal->Runs[parameters] = std::move(run);
    });
  if (code == Success)
  {
    this->InvokeEvent(RunStartedEvent, parameters);
  }
  else if (parameters != nullptr && code != Busy)
  {
    parameters->SetRunState(vtkMRMLNPSNetParameterNode::Failed, this->GetLastMessage(), 0.0);
  }
  return code;
}

int vtkSlicerNPSNetSegmentationLogic::Segment(vtkMRMLNPSNetParameterNode* parameters)
{
  const int code = this->StartSegment(parameters);
  return code == Success ? this->WaitForRun(parameters) : code;
}

void vtkSlicerNPSNetSegmentationLogic::CancelRun(vtkMRMLNPSNetParameterNode* parameters)
{
  const auto run = this->Internal->Runs.find(parameters);
  if (run != this->Internal->Runs.end())
  {
    run->second->Computation->Cancel();
  }
}

bool vtkSlicerNPSNetSegmentationLogic::IsRunning(vtkMRMLNPSNetParameterNode* parameters)
{
  return this->Internal->Runs.count(parameters) > 0;
}

bool vtkSlicerNPSNetSegmentationLogic::IsWriting(vtkMRMLNPSNetParameterNode* parameters)
{
  const auto run = this->Internal->Runs.find(parameters);
  return run != this->Internal->Runs.end() && run->second->Computation->IsFinished();
}

void vtkSlicerNPSNetSegmentationLogic::ProcessRuns()
{
  // Observers may start, cancel or delete runs: work on a copy of the keys.
  std::vector<vtkWeakPointer<vtkMRMLNPSNetParameterNode>> running;
  for (const auto& run : this->Internal->Runs)
  {
    running.emplace_back(run.first);
  }
  for (const auto& node : running)
  {
    const auto found = this->Internal->Runs.find(node);
    if (found == this->Internal->Runs.end())
    {
      continue;
    }
    const npsnet::Run& run = *found->second->Computation;
    if (run.IsFinished())
    {
      this->Internal->FinishRun(node);
    }
    else if (run.GetProgress() != node->GetProgress() || run.GetStage() != node->GetStatusMessage())
    {
      node->SetRunState(vtkMRMLNPSNetParameterNode::Running, run.GetStage(), run.GetProgress());
      this->InvokeEvent(RunProgressEvent, node);
    }
  }
}

int vtkSlicerNPSNetSegmentationLogic::WaitForRun(vtkMRMLNPSNetParameterNode* parameters, double timeoutSeconds)
{
  const auto start = std::chrono::steady_clock::now();
  while (this->IsRunning(parameters))
  {
    this->ProcessRuns();
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    const auto run = this->Internal->Runs.find(parameters);
    if (run != this->Internal->Runs.end() && !run->second->Computation->IsFinished())
    {
      if (timeoutSeconds >= 0.0 && passed.count() >= timeoutSeconds)
      {
        return Busy;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  const auto code = this->Internal->LastCodes.find(parameters);
  if (code == this->Internal->LastCodes.end())
  {
    this->Internal->LastMessage = "This parameter node has not been run.";
    return InvalidParameter;
  }
  return code->second;
}

//----------------------------------------------------------------------------
// Results from elsewhere

int vtkSlicerNPSNetSegmentationLogic::ApplyBoundary(
  vtkMRMLNPSNetParameterNode* parameters, const std::string& boundaryJSON)
{
  return this->Internal->Try(InvalidParameter,
    [&]
    {
      const PhotoGeometry geometry = this->Internal->GetGeometry(parameters);
      const auto boundary = itk::RegularizeNestedPolarBoundary(
        itk::NestedPolarBoundary::FromJSON(boundaryJSON), npsnet::MakeRaster(geometry));
      itk::FundusResult result;
      result.Status = itk::FundusStatusEnum::Ok;
      npsnet::ResolveEye(parameters, result);
      this->Internal->WriteSegments(
        parameters, geometry, npsnet::RasterizeBoundary(boundary, geometry), boundary, result, "automatic");
    });
}

int vtkSlicerNPSNetSegmentationLogic::ApplyLabels(vtkMRMLNPSNetParameterNode* parameters, vtkMRMLVolumeNode* labels)
{
  return this->Internal->Try(InvalidParameter,
    [&]
    {
      const PhotoGeometry geometry = this->Internal->GetGeometry(parameters);
      const Masks masks = npsnet::ReadLabels(labels, geometry);
      itk::FundusResult result;
      result.Status = itk::FundusStatusEnum::Ok;
      npsnet::ResolveEye(parameters, result);
      this->Internal->WriteSegments(parameters, geometry, masks, nullptr, result, "imported");
    });
}

int vtkSlicerNPSNetSegmentationLogic::ApplyMetrics(
  vtkMRMLNPSNetParameterNode* parameters, const std::string& metricsFileName)
{
  return this->Internal->Try(FileError,
    [&]
    {
      const PhotoGeometry geometry = this->Internal->GetGeometry(parameters);
      std::ifstream file(metricsFileName);
      const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
      if (!file)
      {
        throw Failure(FileError, "The metrics file " + metricsFileName + " cannot be read.");
      }
      itk::FundusResult result = itk::FundusResult::FromJSON(text);
      if (result.Boundary.IsNull())
      {
        throw Failure(FileError, "The metrics file " + metricsFileName + " holds no outlines.");
      }
      npsnet::ResolveEye(parameters, result);
      this->Internal->WriteSegments(parameters, geometry, npsnet::RasterizeBoundary(result.Boundary, geometry),
        result.Boundary, result, "automatic");
    });
}

int vtkSlicerNPSNetSegmentationLogic::LoadComparison(
  vtkMRMLNPSNetParameterNode* parameters, const std::string& labelFileName)
{
  return this->Internal->Try(InvalidParameter,
    [&]
    {
      const PhotoGeometry geometry = this->Internal->GetGeometry(parameters);
      vtkMRMLVolumeNode* volume = parameters->GetInputVolumeNode();
      vtkMRMLVolumeNode* labels = this->LoadPhoto(labelFileName);
      if (labels == nullptr)
      {
        throw Failure(FileError, this->GetLastMessage());
      }
      const vtkSmartPointer<vtkMRMLVolumeNode> keep = labels;
      this->GetMRMLScene()->RemoveNode(labels);
      const Masks masks = npsnet::ReadLabels(keep, geometry);
      vtkMRMLSegmentationNode* expert = parameters->GetComparisonSegmentationNode();
      const bool made = expert == nullptr;
      if (made)
      {
        expert = vtkMRMLSegmentationNode::SafeDownCast(this->GetMRMLScene()->AddNewNodeByClass(
          "vtkMRMLSegmentationNode", npsnet::GetDisplayName(volume) + " expert"));
      }
      npsnet::PlaceSegmentation(expert, volume);
      auto* display = vtkMRMLSegmentationDisplayNode::SafeDownCast(expert->GetDisplayNode());
      if (made && display != nullptr)
      {
        display->SetOpacity2DFill(0.0); // two fills would hide the photo
      }
      npsnet::PutUnder(volume, expert);
      itk::FundusResult result;
      npsnet::ResolveEye(parameters, result);
      for (const Structure structure : {Structure::Disc, Structure::Cup})
      {
        npsnet::EnsureSegment(expert, structure, result.Eye, true);
        npsnet::WriteMask(
          expert, npsnet::FindSegment(expert->GetSegmentation(), structure), masks, structure, geometry);
      }
      parameters->SetComparisonSegmentationNode(expert);
      if (parameters->GetSegmentationNode() != nullptr && parameters->GetRimTableNode() != nullptr)
      {
        this->Internal->ApplyDraggedCurves(parameters, geometry);
        this->Internal->WriteMeasurements(
          parameters, geometry, npsnet::ReadMasks(parameters->GetSegmentationNode(), volume, geometry));
      }
    });
}

//----------------------------------------------------------------------------
// Edits

int vtkSlicerNPSNetSegmentationLogic::UpdateMeasurements(vtkMRMLNPSNetParameterNode* parameters)
{
  return this->Internal->Try(InvalidParameter,
    [&]
    {
      const PhotoGeometry geometry = this->Internal->GetGeometry(parameters);
      const auto measure = [&]
      {
        this->Internal->WriteMeasurements(parameters, geometry,
          npsnet::ReadMasks(parameters->GetSegmentationNode(), parameters->GetInputVolumeNode(), geometry));
      };
      if (parameters->GetSegmentationNode() != nullptr && parameters->GetRimTableNode() != nullptr &&
          npsnet::FindSegment(parameters->GetSegmentationNode()->GetSegmentation(), Structure::Disc).empty())
      {
        measure(); // the numbers of a disc that is gone (undo of the run) go with it
      }
      this->Internal->CheckSegments(parameters);
      npsnet::EnsureOutputs(parameters);
      this->Internal->ApplyDraggedCurves(parameters, geometry);
      measure();
    });
}

int vtkSlicerNPSNetSegmentationLogic::FitBoundary(vtkMRMLNPSNetParameterNode* parameters)
{
  return this->Internal->Try(NoSegments,
    [&]
    {
      const PhotoGeometry geometry = this->Internal->GetGeometry(parameters);
      this->Internal->CheckSegments(parameters);
      vtkMRMLSegmentationNode* segmentation = parameters->GetSegmentationNode();
      const Masks masks = npsnet::ReadMasks(segmentation, parameters->GetInputVolumeNode(), geometry);
      const auto boundary = npsnet::FitBoundary(masks, geometry);
      itk::FundusResult result = npsnet::GetResult(segmentation);
      npsnet::ResolveEye(parameters, result);
      this->Internal->WriteSegments(
        parameters, geometry, npsnet::RasterizeBoundary(boundary, geometry), boundary, result, "fitted");
    });
}

std::function<std::string()> vtkSlicerNPSNetSegmentationLogic::PrepareReport(
  vtkMRMLNPSNetParameterNode* parameters, const std::string& folder)
{
  return this->Internal->PrepareFiles(parameters, folder, {itk::FundusFileEnum::Report});
}

std::function<std::string()> vtkSlicerNPSNetSegmentationLogic::PrepareFiles(
  vtkMRMLNPSNetParameterNode* parameters, const std::string& folder)
{
  return this->Internal->PrepareFiles(parameters, folder, itk::AllFundusFiles());
}

std::string vtkSlicerNPSNetSegmentationLogic::WriteReport(
  vtkMRMLNPSNetParameterNode* parameters, const std::string& folder)
{
  std::string fileName;
  const std::function<std::string()> write = this->PrepareReport(parameters, folder);
  if (write)
  {
    this->Internal->Try(FileError, [&] { fileName = write(); });
  }
  return fileName;
}

int vtkSlicerNPSNetSegmentationLogic::EnforceNesting(vtkMRMLSegmentationNode* segmentation, const char* editedSegmentID)
{
  return this->Internal->Try(InvalidParameter,
    [&]
    {
      if (segmentation == nullptr || editedSegmentID == nullptr ||
          segmentation->GetSegmentation()->GetSegment(editedSegmentID) == nullptr)
      {
        throw Failure(InvalidParameter, "There is no such segment to nest.");
      }
      for (const Structure structure : {Structure::Disc, Structure::Cup})
      {
        if (npsnet::FindSegment(segmentation->GetSegmentation(), structure) == editedSegmentID)
        {
          npsnet::EnforceNesting(segmentation, structure);
        }
      }
    });
}

//----------------------------------------------------------------------------
// Undo

vtkSegmentationHistory* vtkSlicerNPSNetSegmentationLogic::GetSegmentationHistory(vtkMRMLSegmentationNode* segmentation)
{
  if (segmentation == nullptr)
  {
    return nullptr;
  }
  vtkSmartPointer<vtkSegmentationHistory>& history = this->Internal->Histories[segmentation];
  if (history == nullptr)
  {
    history = vtkSmartPointer<vtkSegmentationHistory>::New();
    history->SetMaximumNumberOfStates(10);
  }
  if (history->GetSegmentation() != segmentation->GetSegmentation())
  {
    history->SetSegmentation(segmentation->GetSegmentation());
  }
  return history;
}

void vtkSlicerNPSNetSegmentationLogic::SetSegmentationHistory(
  vtkMRMLSegmentationNode* segmentation, vtkSegmentationHistory* history)
{
  if (segmentation != nullptr)
  {
    this->Internal->Histories[segmentation] = history;
  }
}

int vtkSlicerNPSNetSegmentationLogic::Undo(vtkMRMLNPSNetParameterNode* parameters)
{
  return this->Internal->RestoreState(parameters, &vtkSegmentationHistory::IsRestorePreviousStateAvailable,
    &vtkSegmentationHistory::RestorePreviousState, "There is nothing to undo.");
}

int vtkSlicerNPSNetSegmentationLogic::Redo(vtkMRMLNPSNetParameterNode* parameters)
{
  return this->Internal->RestoreState(parameters, &vtkSegmentationHistory::IsRestoreNextStateAvailable,
    &vtkSegmentationHistory::RestoreNextState, "There is nothing to redo.");
}

//----------------------------------------------------------------------------
// What was found

std::string vtkSlicerNPSNetSegmentationLogic::GetMeasurementText(
  vtkMRMLNPSNetParameterNode* parameters, const std::string& key)
{
  vtkMRMLTableNode* summary = parameters != nullptr ? parameters->GetSummaryTableNode() : nullptr;
  const int keyColumn = summary != nullptr ? summary->GetColumnIndex("key") : -1;
  for (int row = 0; keyColumn >= 0 && row < summary->GetNumberOfRows(); ++row)
  {
    if (summary->GetCellText(row, keyColumn) == key)
    {
      return summary->GetCellText(row, summary->GetColumnIndex("value"));
    }
  }
  return "";
}

double vtkSlicerNPSNetSegmentationLogic::GetMeasurement(vtkMRMLNPSNetParameterNode* parameters, const std::string& key)
{
  const std::string text = this->GetMeasurementText(parameters, key);
  bool valid = false;
  const double value = vtkVariant(text).ToDouble(&valid);
  return valid && !text.empty() ? value : std::numeric_limits<double>::quiet_NaN();
}

NPSNetSummary vtkSlicerNPSNetSegmentationLogic::GetSummary(vtkMRMLNPSNetParameterNode* parameters)
{
  return this->Internal->GetSummary(parameters);
}

std::string vtkSlicerNPSNetSegmentationLogic::GetResultState(vtkMRMLSegmentationNode* segmentation)
{
  return npsnet::GetState(segmentation);
}

std::string vtkSlicerNPSNetSegmentationLogic::GetBoundary(vtkMRMLSegmentationNode* segmentation)
{
  return npsnet::GetBoundary(segmentation);
}

//----------------------------------------------------------------------------
// Geometry

bool vtkSlicerNPSNetSegmentationLogic::PhotoPixelToWorld(
  vtkMRMLNPSNetParameterNode* parameters, const double pixel[2], double world[3])
{
  return this->Internal->Try(InvalidPhoto,
           [&]
           {
             const PhotoGeometry geometry = this->Internal->GetGeometry(parameters);
             npsnet::PhotoToWorld(parameters->GetInputVolumeNode(), geometry, geometry.IndexToPoint(pixel), world);
           }) == Success;
}

bool vtkSlicerNPSNetSegmentationLogic::WorldToPhotoPixel(
  vtkMRMLNPSNetParameterNode* parameters, const double world[3], double pixel[2])
{
  return this->Internal->Try(InvalidPhoto,
           [&]
           {
             const PhotoGeometry geometry = this->Internal->GetGeometry(parameters);
             const auto index =
               geometry.PointToIndex(npsnet::WorldToPhoto(parameters->GetInputVolumeNode(), geometry, world));
             std::copy(index.begin(), index.end(), pixel);
           }) == Success;
}

//----------------------------------------------------------------------------
// Resources

void vtkSlicerNPSNetSegmentationLogic::SetResourcesDirectory(const std::string& directory)
{
  this->Internal->ResourcesDirectory = directory;
  this->Modified();
}

std::string vtkSlicerNPSNetSegmentationLogic::GetResourcesDirectory()
{
  const std::string& given = this->Internal->ResourcesDirectory;
  return given.empty() ? vtksys::SystemTools::GetParentDirectory(itk::ModelFiles::Find("Terminologies")) : given;
}

void vtkSlicerNPSNetSegmentationLogic::SetSegmentExecutable(const std::string& fileName)
{
  this->Internal->Executable = fileName;
  this->Modified();
}

std::string vtkSlicerNPSNetSegmentationLogic::GetSegmentExecutable()
{
  return this->Internal->Executable.empty() ? npsnet::FindExecutable("NPSNetSegment") : this->Internal->Executable;
}

void vtkSlicerNPSNetSegmentationLogic::GetSamplePhotoNames(vtkStringArray* names)
{
  names->Initialize();
  for (const npsnet::SamplePhoto& sample : npsnet::ReadSampleIndex(this->GetResourcesDirectory()))
  {
    names->InsertNextValue(sample.Name);
  }
}

vtkMRMLVolumeNode* vtkSlicerNPSNetSegmentationLogic::LoadSamplePhoto(const std::string& name)
{
  for (const npsnet::SamplePhoto& sample : npsnet::ReadSampleIndex(this->GetResourcesDirectory()))
  {
    if (sample.Name == name)
    {
      return this->LoadPhoto(sample.FileName);
    }
  }
  this->Internal->LastMessage = "There is no sample photograph called " + name + ".";
  return nullptr;
}

std::string vtkSlicerNPSNetSegmentationLogic::GetSampleLabelFileName(const std::string& name)
{
  for (const npsnet::SamplePhoto& sample : npsnet::ReadSampleIndex(this->GetResourcesDirectory()))
  {
    if (sample.Name == name)
    {
      return sample.LabelFileName;
    }
  }
  return "";
}

std::string vtkSlicerNPSNetSegmentationLogic::GetSampleLabel(const std::string& name)
{
  for (const npsnet::SamplePhoto& sample : npsnet::ReadSampleIndex(this->GetResourcesDirectory()))
  {
    if (sample.Name == name)
    {
      return sample.Label;
    }
  }
  return "";
}

std::string vtkSlicerNPSNetSegmentationLogic::GetTerminologyFileName()
{
  const std::string resources = this->GetResourcesDirectory();
  return resources.empty() ? "" : resources + "/Terminologies/OpticNerveHead.term.json";
}

bool vtkSlicerNPSNetSegmentationLogic::RegisterTerminology()
{
  auto* terminologies = vtkSlicerTerminologiesModuleLogic::SafeDownCast(this->GetModuleLogic("Terminologies"));
  const std::string fileName = this->GetTerminologyFileName();
  return terminologies != nullptr && !fileName.empty() && !terminologies->LoadTerminologyFromFile(fileName).empty();
}
