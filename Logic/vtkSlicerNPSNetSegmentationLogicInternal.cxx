// SPDX-License-Identifier: Apache-2.0
#include "vtkSlicerNPSNetSegmentationLogicInternal.h"

#include "NPSNetFit.h"
#include "NPSNetOutputs.h"
#include "NPSNetPhoto.h"
#include "NPSNetRequest.h"
#include "NPSNetResult.h"
#include "NPSNetSummarize.h"
#include "vtkMRMLNPSNetParameterNode.h"

#include "itkFundusResultWriter.h"

#include <vtkMRMLMarkupsClosedCurveNode.h>
#include <vtkMRMLPlotChartNode.h>
#include <vtkMRMLScene.h>
#include <vtkMRMLSegmentationNode.h>
#include <vtkMRMLTableNode.h>
#include <vtkMRMLVolumeNode.h>
#include <vtkSegment.h>
#include <vtkSegmentation.h>
#include <vtkSlicerApplicationLogic.h>

#include <vtkDataObject.h>

#include <algorithm>

using npsnet::ActiveRun;
using npsnet::Failure;
using npsnet::Masks;
using npsnet::PhotoGeometry;
using npsnet::Structure;

namespace
{
/// False while a parameter node still has the outputs of the photo before.
bool IsOfPhoto(vtkMRMLSegmentationNode* segmentation, vtkMRMLVolumeNode* photo)
{
  vtkMRMLNode* reference =
    segmentation->GetNodeReference(vtkMRMLSegmentationNode::GetReferenceImageGeometryReferenceRole().c_str());
  return reference == nullptr || reference == photo;
}
} // namespace

vtkSlicerNPSNetSegmentationLogic::vtkInternal::vtkInternal(vtkSlicerNPSNetSegmentationLogic* external)
    : External(external)
{
  this->NewsCallback->SetClientData(external);
  this->NewsCallback->SetCallback([](vtkObject*, unsigned long, void* logic, void*)
    { static_cast<vtkSlicerNPSNetSegmentationLogic*>(logic)->ProcessRuns(); });
  this->News->AddObserver(vtkCommand::ModifiedEvent, this->NewsCallback);
}

vtkSlicerNPSNetSegmentationLogic::vtkInternal::~vtkInternal()
{
  this->Runs.clear();
  this->News->RemoveAllObservers(); // an application logic may still hold it
}

vtkMRMLVolumeNode* vtkSlicerNPSNetSegmentationLogic::vtkInternal::CheckInput(vtkMRMLNPSNetParameterNode* parameters)
{
  return npsnet::CheckInput(this->External->GetMRMLScene(), parameters);
}

PhotoGeometry vtkSlicerNPSNetSegmentationLogic::vtkInternal::GetGeometry(vtkMRMLNPSNetParameterNode* parameters)
{
  return npsnet::GetGeometry(this->External->GetMRMLScene(), parameters);
}

std::array<vtkMTimeType, 2> vtkSlicerNPSNetSegmentationLogic::vtkInternal::GetTimes(
  vtkMRMLSegmentationNode* segmentation)
{
  std::array<vtkMTimeType, 2> times{};
  for (const Structure structure : {Structure::Disc, Structure::Cup})
  {
    vtkSegment* segment = segmentation != nullptr ? segmentation->GetSegmentation()->GetSegment(
                                                      npsnet::FindSegment(segmentation->GetSegmentation(), structure))
                                                  : nullptr;
    vtkDataObject* labelmap =
      segment != nullptr
        ? segment->GetRepresentation(vtkSegmentationConverter::GetSegmentationBinaryLabelmapRepresentationName())
        : nullptr;
    times[structure == Structure::Disc ? 0 : 1] = labelmap != nullptr ? labelmap->GetMTime() : 0;
  }
  return times;
}

void vtkSlicerNPSNetSegmentationLogic::vtkInternal::CheckSegments(vtkMRMLNPSNetParameterNode* parameters)
{
  vtkMRMLSegmentationNode* segmentation = parameters->GetSegmentationNode();
  if (segmentation == nullptr || npsnet::FindSegment(segmentation->GetSegmentation(), Structure::Disc).empty())
  {
    throw Failure(NoSegments, "There is no segment \"Optic disc\" to measure: segment the photograph first.");
  }
}

void vtkSlicerNPSNetSegmentationLogic::vtkInternal::WriteSegments(vtkMRMLNPSNetParameterNode* parameters,
  const PhotoGeometry& geometry, const Masks& masks, const itk::NestedPolarBoundary* boundary,
  const itk::FundusResult& result, const std::string& state)
{
  npsnet::EnsureOutputs(parameters);
  this->WriteMasks(parameters, geometry, masks, boundary, result, state);
  this->WriteMeasurements(parameters, geometry, masks);
}

void vtkSlicerNPSNetSegmentationLogic::vtkInternal::WriteMasks(vtkMRMLNPSNetParameterNode* parameters,
  const PhotoGeometry& geometry, const Masks& masks, const itk::NestedPolarBoundary* boundary,
  const itk::FundusResult& result, const std::string& state)
{
  vtkMRMLSegmentationNode* segmentation = parameters->GetSegmentationNode();
  this->SaveState(segmentation);
  const UpdateGuard guard(this);
  for (const Structure structure : {Structure::Disc, Structure::Cup})
  {
    npsnet::EnsureSegment(segmentation, structure, result.Eye);
    npsnet::WriteMask(
      segmentation, npsnet::FindSegment(segmentation->GetSegmentation(), structure), masks, structure, geometry);
  }
  npsnet::Remember(segmentation, masks, boundary, result, state);
}

void vtkSlicerNPSNetSegmentationLogic::vtkInternal::WriteMeasurements(
  vtkMRMLNPSNetParameterNode* parameters, const PhotoGeometry& geometry, const Masks& masks)
{
  const npsnet::Report report = npsnet::MakeReport(parameters, geometry, masks);
  const UpdateGuard guard(this);
  this->WriteTables(parameters, report);
  npsnet::WriteChart(report, parameters->GetRimTableNode(), parameters->GetChartNode());
  npsnet::WriteCurves(parameters, geometry, masks, report.Result.Boundary);
  this->External->InvokeEvent(MeasurementsUpdatedEvent, parameters);
}

void vtkSlicerNPSNetSegmentationLogic::vtkInternal::WriteTables(
  vtkMRMLNPSNetParameterNode* parameters, const npsnet::Report& report)
{
  vtkMRMLSegmentationNode* segmentation = parameters->GetSegmentationNode();
  for (const Structure structure : {Structure::Disc, Structure::Cup})
  {
    if (!npsnet::FindSegment(segmentation->GetSegmentation(), structure).empty())
    {
      npsnet::EnsureSegment(segmentation, structure, report.Result.Eye); // its side
    }
  }
  npsnet::WriteTables(parameters, report);
  this->Measurements[parameters] = {npsnet::Summarize(report),
    {parameters->GetInputVolumeNode(), segmentation, parameters->GetRimTableNode()}, parameters->GetEye(),
    parameters->GetMicrometersPerPixel()};
}

NPSNetSummary vtkSlicerNPSNetSegmentationLogic::vtkInternal::GetSummary(vtkMRMLNPSNetParameterNode* parameters)
{
  vtkMRMLVolumeNode* photo = parameters != nullptr ? parameters->GetInputVolumeNode() : nullptr;
  vtkMRMLSegmentationNode* segmentation = parameters != nullptr ? parameters->GetSegmentationNode() : nullptr;
  if (photo == nullptr || segmentation == nullptr || parameters->GetRimTableNode() == nullptr ||
      parameters->GetSummaryTableNode() == nullptr || parameters->GetRimTableNode()->GetNumberOfColumns() == 0 ||
      !IsOfPhoto(segmentation, photo))
  {
    return NPSNetSummary();
  }
  const auto found = this->Measurements.find(parameters);
  if (found != this->Measurements.end() &&
      found->second.Nodes == std::array<vtkObject*, 3>{photo, segmentation, parameters->GetRimTableNode()} &&
      found->second.Summary.Name == npsnet::GetDisplayName(photo))
  {
    return found->second.Summary;
  }
  NPSNetSummary summary;
  const std::string message = this->LastMessage;
  this->Try(InvalidParameter,
    [&]
    {
      const PhotoGeometry geometry = this->GetGeometry(parameters);
      const Masks masks = npsnet::ReadMasks(segmentation, photo, geometry);
      const npsnet::Report report = npsnet::MakeReport(parameters, geometry, masks);
      if (npsnet::IsSummaryTableOf(report, parameters->GetSummaryTableNode()))
      {
        this->Measurements[parameters] = {npsnet::Summarize(report),
          {photo, segmentation, parameters->GetRimTableNode()}, parameters->GetEye(),
          parameters->GetMicrometersPerPixel()};
      }
      else
      {
        this->WriteMeasurements(parameters, geometry, masks);
      }
      summary = this->Measurements[parameters].Summary;
    });
  this->LastMessage = message;
  return summary;
}

void vtkSlicerNPSNetSegmentationLogic::vtkInternal::FollowSettings(vtkMRMLNPSNetParameterNode* parameters)
{
  vtkMRMLScene* scene = this->External->GetMRMLScene();
  if (this->Updating > 0 || scene == nullptr || scene->IsBatchProcessing() || scene->IsClosing() ||
      parameters->GetInputVolumeNode() == nullptr || parameters->GetSegmentationNode() == nullptr ||
      parameters->GetRimTableNode() == nullptr || parameters->GetChartNode() == nullptr ||
      !IsOfPhoto(parameters->GetSegmentationNode(), parameters->GetInputVolumeNode()) ||
      this->External->IsWriting(parameters))
  {
    return;
  }
  const auto found = this->Measurements.find(parameters);
  if (found == this->Measurements.end())
  {
    this->GetSummary(parameters); // of a scene just opened
  }
  else if (found->second.Eye != parameters->GetEye() ||
           found->second.MicrometersPerPixel != parameters->GetMicrometersPerPixel())
  {
    const UpdateGuard guard(this); // measuring may modify the node again
    const std::string message = this->LastMessage;
    this->External->UpdateMeasurements(parameters);
    this->LastMessage = message;
  }
}

void vtkSlicerNPSNetSegmentationLogic::vtkInternal::ApplyDraggedCurves(
  vtkMRMLNPSNetParameterNode* parameters, const PhotoGeometry& geometry)
{
  vtkMRMLSegmentationNode* segmentation = parameters->GetSegmentationNode();
  const auto isDragged = [parameters](Structure structure)
  { return npsnet::IsDragged(npsnet::GetCurve(parameters, structure)); };
  if (!isDragged(Structure::Disc) && !isDragged(Structure::Cup))
  {
    return;
  }
  const Masks masks = npsnet::ReadMasks(segmentation, parameters->GetInputVolumeNode(), geometry);
  bool saved = false;
  for (const Structure structure : {Structure::Disc, Structure::Cup})
  {
    // A segment that was edited since its curve was written wins: WriteCurves() brings the curve back to it.
    if (!isDragged(structure) ||
        !npsnet::IsInStep(npsnet::GetCurve(parameters, structure), npsnet::GetFingerprint(masks, structure)))
    {
      continue;
    }
    if (!saved)
    {
      this->SaveState(segmentation);
      saved = true;
    }
    const UpdateGuard guard(this);
    npsnet::ApplyCurve(parameters, geometry, structure);
  }
}

std::function<std::string()> vtkSlicerNPSNetSegmentationLogic::vtkInternal::PrepareFiles(
  vtkMRMLNPSNetParameterNode* parameters, const std::string& folder, const std::set<itk::FundusFileEnum>& files)
{
  std::function<std::string()> write;
  this->Try(InvalidParameter,
    [&]
    {
      const PhotoGeometry geometry = this->GetGeometry(parameters);
      this->CheckSegments(parameters);
      vtkMRMLVolumeNode* volume = parameters->GetInputVolumeNode();
      const Masks masks = npsnet::ReadMasks(parameters->GetSegmentationNode(), volume, geometry);
      itk::FundusResult result = npsnet::MakeReport(parameters, geometry, masks).Result;
      std::replace_if(
        result.Name.begin(), result.Name.end(), [](char c) { return c == '/' || c == '\\' || c == ':'; }, '_');
      write = [result, folder, files, masks, raster = npsnet::MakeRaster(geometry),
                read = npsnet::PreparePhotograph(volume, geometry)]() mutable
      {
        result.SetPhotograph(read());
        result.Labels = npsnet::MakeLabels(masks, raster);
        auto writer = itk::FundusResultWriter::New();
        writer->SetOutputDirectory(folder);
        writer->SetFiles(files);
        const auto written = writer->Write(result);
        const std::string ending = itk::FundusFileEnding(itk::FundusFileEnum::Report);
        return *std::find_if(written.begin(), written.end(),
          [&ending](const std::string& file)
          { return file.size() > ending.size() && file.substr(file.size() - ending.size()) == ending; });
      };
    });
  return write;
}

void vtkSlicerNPSNetSegmentationLogic::vtkInternal::SaveState(vtkMRMLSegmentationNode* segmentation)
{
  if (this->External->SaveStateForUndo)
  {
    this->External->GetSegmentationHistory(segmentation)->SaveState();
  }
}

int vtkSlicerNPSNetSegmentationLogic::vtkInternal::RestoreState(vtkMRMLNPSNetParameterNode* parameters,
  bool (vtkSegmentationHistory::*available)(), bool (vtkSegmentationHistory::*restore)(), const char* nothing)
{
  return this->Try(InvalidParameter,
    [&]
    {
      this->CheckInput(parameters);
      vtkMRMLSegmentationNode* segmentation = parameters->GetSegmentationNode();
      vtkSegmentationHistory* history = this->External->GetSegmentationHistory(segmentation);
      if (history == nullptr || !(history->*available)())
      {
        throw Failure(NothingToUndo, nothing);
      }
      const UpdateGuard guard(this);
      (history->*restore)();
      const PhotoGeometry geometry = this->GetGeometry(parameters);
      this->WriteMeasurements(
        parameters, geometry, npsnet::ReadMasks(segmentation, parameters->GetInputVolumeNode(), geometry));
    });
}

bool vtkSlicerNPSNetSegmentationLogic::vtkInternal::WritePart(vtkMRMLNPSNetParameterNode* parameters, ActiveRun& run)
{
  const itk::FundusResult& result = run.Computation->GetOutcome().Result;
  if (result.Boundary.IsNull())
  {
    throw Failure(DiscNotFound, result.Message.empty() ? "No optic disc was found: give its centre." : result.Message);
  }
  const PhotoGeometry geometry = this->GetGeometry(parameters);
  if (parameters->GetInputVolumeNode() != run.Photo || geometry.GetUprightSize() != run.Geometry.GetUprightSize() ||
      geometry.GetUprightSpacing() != run.Geometry.GetUprightSpacing() ||
      geometry.GetStored().Orientation != run.Geometry.GetStored().Orientation)
  {
    throw Failure(InvalidPhoto, "The photograph was changed while it was being segmented: apply again.");
  }
  if (parameters->GetSegmentationNode() == nullptr || parameters->GetRimTableNode() == nullptr ||
      parameters->GetSummaryTableNode() == nullptr || parameters->GetChartNode() == nullptr)
  {
    run.Next = ActiveRun::Outputs; // none yet, or one was removed since
  }
  if (run.Next > ActiveRun::Segments && GetTimes(parameters->GetSegmentationNode()) != run.Written)
  {
    // The segments were edited meanwhile.
    this->WriteMeasurements(
      parameters, geometry, npsnet::ReadMasks(parameters->GetSegmentationNode(), run.Photo, geometry));
    return true;
  }
  if (!run.Pause && run.Next < ActiveRun::Views)
  {
    run.Pause = std::make_unique<npsnet::RenderPause>(this->External->GetApplicationLogic());
  }
  const UpdateGuard guard(this);
  switch (run.Next)
  {
  case ActiveRun::Outputs:
    run.Next = npsnet::EnsureOutputs(parameters, 1) ? ActiveRun::Segments : ActiveRun::Outputs;
    return false;
  case ActiveRun::Segments:
    this->ApplyDraggedCurves(parameters, geometry);
    run.Replaced = GetTimes(parameters->GetSegmentationNode()) != run.Found;
    this->WriteMasks(parameters, geometry, run.Prepared, result.Boundary, result, "automatic");
    run.Written = GetTimes(parameters->GetSegmentationNode());
    run.Next = ActiveRun::Tables;
    return false;
  case ActiveRun::Tables:
    run.Report = npsnet::MakeReport(parameters, geometry, run.Prepared);
    this->WriteTables(parameters, run.Report);
    run.Next = ActiveRun::Chart;
    return false;
  case ActiveRun::Chart:
    run.Next = npsnet::WriteChart(run.Report, parameters->GetRimTableNode(), parameters->GetChartNode(), 1)
                 ? ActiveRun::Curves
                 : ActiveRun::Chart;
    return false;
  case ActiveRun::Curves:
    npsnet::WriteCurves(parameters, geometry, run.Prepared, run.Report.Result.Boundary);
    run.Next = ActiveRun::Views;
    return false;
  case ActiveRun::Views:
    run.Pause.reset();
    run.Next = ActiveRun::News;
    return false;
  default:
    this->External->InvokeEvent(MeasurementsUpdatedEvent, parameters);
    return true;
  }
}

void vtkSlicerNPSNetSegmentationLogic::vtkInternal::FinishRun(vtkMRMLNPSNetParameterNode* parameters)
{
  using Node = vtkMRMLNPSNetParameterNode;
  const std::shared_ptr<ActiveRun> run = this->Runs[parameters]; // an observer may remove the node
  const npsnet::RunOutcome& outcome = run->Computation->GetOutcome();
  int code = outcome.Code;
  std::string message = outcome.Message;
  if (code == Success)
  {
    bool last = true;
    code = this->Try(RunFailed, [&] { last = this->WritePart(parameters, *run); });
    const auto found = this->Runs.find(parameters);
    if (found == this->Runs.end() || found->second != run)
    {
      return;
    }
    if (!last)
    {
      this->AskForTurn();
      return;
    }
    message = code == Success ? outcome.Result.Message : this->LastMessage;
    if (code == Success && run->Replaced)
    {
      message +=
        std::string(message.empty() ? "" : " ") + "Your edit during the run was replaced: Undo brings it back.";
    }
  }
  this->Runs.erase(parameters);
  this->LastMessage = message;
  this->LastCodes[parameters] = code;
  if (code == Success)
  {
    parameters->SetRunState(Node::Completed, message, 1.0);
    this->External->InvokeEvent(RunCompletedEvent, parameters);
  }
  else if (code == RunCancelled)
  {
    parameters->SetRunState(Node::Cancelled, message, 0.0);
    this->External->InvokeEvent(RunCancelledEvent, parameters);
  }
  else
  {
    parameters->SetRunState(Node::Failed, message, 0.0);
    this->External->InvokeEvent(RunFailedEvent, parameters);
  }
}

void vtkSlicerNPSNetSegmentationLogic::vtkInternal::AskForTurn()
{
  if (vtkSlicerApplicationLogic* application = this->External->GetApplicationLogic())
  {
    application->RequestModified(this->News);
  }
}
