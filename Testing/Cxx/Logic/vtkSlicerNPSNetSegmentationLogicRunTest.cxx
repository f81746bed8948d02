// SPDX-License-Identifier: Apache-2.0
#include "LogicFixture.h"

#include <vtkMRMLMarkupsClosedCurveNode.h>
#include <vtkMRMLMarkupsFiducialNode.h>
#include <vtkMRMLMarkupsROINode.h>
#include <vtkMRMLPlotChartNode.h>
#include <vtkMRMLSubjectHierarchyNode.h>
#include <vtkSegmentation.h>
#include <vtkSlicerApplicationLogic.h>

#include <vtkCallbackCommand.h>
#include <vtkDataArray.h>
#include <vtkPointData.h>
#include <vtkTable.h>
#include <vtksys/SystemTools.hxx>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <iostream>
#include <thread>

/// Runs on a sample photo with the default weights; with the small published-format checkpoint of the tests and a given
/// centre when no weights are installed.
class LogicRun : public LogicFixture
{
protected:
  void SetUp() override
  {
    LogicFixture::SetUp();
#ifdef NPSNET_SEGMENT_EXECUTABLE
    this->TheLogic->SetSegmentExecutable(NPSNET_SEGMENT_EXECUTABLE);
#endif
    this->Parameters->SetInputVolumeNode(this->TheLogic->LoadSamplePhoto("RET023OD"));
    ASSERT_NE(this->Parameters->GetInputVolumeNode(), nullptr);
    this->Parameters->SetTTAMode("off");
    this->Parameters->SetDevice("cpu");
    this->HasWeights = vtksys::SystemTools::FileExists(NPSNET_RESOURCES_DIR "/Models/npsnet-default.safetensors") &&
                       vtksys::SystemTools::FileExists(NPSNET_RESOURCES_DIR "/Models/onh-locator.safetensors");
    if (!this->HasWeights)
    {
      this->Parameters->SetModelFileName(NPSNET_TEST_DATA_DIR "/oracle/b4_narrow/checkpoint_b4_narrow.pth");
      this->AddROI();
    }
    vtkNew<vtkCallbackCommand> callback;
    callback->SetClientData(this);
    callback->SetCallback([](vtkObject*, unsigned long event, void* self, void*)
      { static_cast<LogicRun*>(self)->Events.push_back(event); });
    for (unsigned long event = Logic::RunStartedEvent; event <= Logic::RunFailedEvent; ++event)
    {
      this->TheLogic->AddObserver(event, callback);
    }
  }

  /// About the disc that the expert marked.
  void AddROI()
  {
    vtkMRMLVolumeNode* labels = this->TheLogic->LoadPhoto(this->TheLogic->GetSampleLabelFileName("RET023OD"));
    ASSERT_EQ(this->TheLogic->ApplyLabels(this->Parameters, labels), Logic::Success);
    const double center[2] = {this->TheLogic->GetMeasurement(this->Parameters, "disc_x_px"),
      this->TheLogic->GetMeasurement(this->Parameters, "disc_y_px")};
    const double side = 2.0 * this->TheLogic->GetMeasurement(this->Parameters, "disc_height_px");
    double world[3];
    this->TheLogic->PhotoPixelToWorld(this->Parameters, center, world);
    auto* roi = vtkMRMLMarkupsROINode::SafeDownCast(this->Scene->AddNewNodeByClass("vtkMRMLMarkupsROINode"));
    roi->SetCenterWorld(world);
    roi->SetSizeWorld(side, side, 10.0);
    this->Parameters->SetROINode(roi);
  }

  /// A shell script in the place of NPSNetSegment.
  void SetScript(const std::string& commands)
  {
    const std::string script = this->GetTemporaryFolder() + "/NPSNetSegment";
    std::ofstream file(script);
    file << "#!/bin/sh\n" << commands;
    file.close();
    vtksys::SystemTools::SetPermissions(script, 0755);
    this->TheLogic->SetSegmentExecutable(script);
  }

  /// A script that ends with the metrics of a photo whose boundary is given, at once unless it has more to do.
  void SetScriptFor(const std::string& boundary, const std::string& before = "")
  {
    // --returnparameterfile FILE --metrics FILE
    this->SetScript(
      before + "cat > \"$4\" <<'END'\n{\"schema\": \"npsnet-metrics\", \"status\": \"ok\", \"boundary\": " + boundary +
      "}\nEND\n");
  }

  /// False when the test should stop: it has failed then.
  bool FindsExecutable()
  {
    if (!vtksys::SystemTools::FileExists(this->TheLogic->GetSegmentExecutable(), true))
    {
      ADD_FAILURE() << "NPSNetSegment is not built";
      return false;
    }
    return true;
  }

  int Count(unsigned long event) const
  {
    return static_cast<int>(std::count(this->Events.begin(), this->Events.end(), event));
  }

  bool HasWeights{false};
  std::vector<unsigned long> Events;
};

TEST_F(LogicRun, OutOfProcessAndInProcessGiveTheSameToTheBit)
{
  if (!this->FindsExecutable())
  {
    return;
  }
  ASSERT_EQ(this->TheLogic->Segment(this->Parameters), Logic::Success) << this->TheLogic->GetLastMessage();
  EXPECT_EQ(this->Parameters->GetStatus(), int(vtkMRMLNPSNetParameterNode::Completed));
  EXPECT_EQ(this->Count(Logic::RunStartedEvent), 1);
  EXPECT_EQ(this->Count(Logic::RunCompletedEvent), 1);
  EXPECT_GE(this->Count(Logic::RunProgressEvent), 1);
  EXPECT_EQ(Logic::GetResultState(this->Parameters->GetSegmentationNode()), "automatic");
  EXPECT_EQ(this->CountCupOutsideDisc(), 0);
  EXPECT_FALSE(this->TheLogic->GetMeasurementText(this->Parameters, "model_sha256").empty());
  EXPECT_EQ(this->TheLogic->GetMeasurementText(this->Parameters, "tta"), "off");
  if (this->HasWeights)
  {
    vtkMRMLVolumeNode* labels = this->TheLogic->LoadPhoto(this->TheLogic->GetSampleLabelFileName("RET023OD"));
    auto* expert = this->TheLogic->AddParameterNode("expert");
    expert->SetInputVolumeNode(this->Parameters->GetInputVolumeNode());
    ASSERT_EQ(this->TheLogic->ApplyLabels(expert, labels), Logic::Success);
    EXPECT_NEAR(
      this->TheLogic->GetMeasurement(this->Parameters, "vcdr"), this->TheLogic->GetMeasurement(expert, "vcdr"), 0.15);
    EXPECT_NEAR(this->TheLogic->GetMeasurement(this->Parameters, "disc_x_px"),
      this->TheLogic->GetMeasurement(expert, "disc_x_px"), 30.0);
  }
  const std::string outside = Logic::GetBoundary(this->Parameters->GetSegmentationNode());
  ASSERT_FALSE(outside.empty());
  const std::string vcdr = this->TheLogic->GetMeasurementText(this->Parameters, "vcdr");

  auto* other = this->TheLogic->AddParameterNode("in process");
  other->Copy(this->Parameters);
  other->SetInputVolumeNode(this->Parameters->GetInputVolumeNode());
  other->SetROINode(this->Parameters->GetROINode());
  for (const char* role : {"segmentation", "rimTable", "summaryTable", "chart", "discCurve", "cupCurve"})
  {
    other->SetNodeReferenceID(role, nullptr);
  }
  other->SetInProcess(true);
  ASSERT_EQ(this->TheLogic->Segment(other), Logic::Success) << this->TheLogic->GetLastMessage();
  ASSERT_NE(other->GetSegmentationNode(), this->Parameters->GetSegmentationNode());
  EXPECT_EQ(Logic::GetBoundary(other->GetSegmentationNode()), outside) << "same to the bit";
  EXPECT_EQ(this->TheLogic->GetMeasurementText(other, "vcdr"), vcdr);
  vtkTable* a = this->Parameters->GetRimTableNode()->GetTable();
  vtkTable* b = other->GetRimTableNode()->GetTable();
  ASSERT_EQ(a->GetNumberOfColumns(), b->GetNumberOfColumns());
  for (vtkIdType row = 0; row < a->GetNumberOfRows(); ++row)
  {
    EXPECT_EQ(a->GetValueByName(row, "rim_width_px").ToDouble(), b->GetValueByName(row, "rim_width_px").ToDouble());
  }
}

TEST_F(LogicRun, PixelsThatAreNoSquaresAreTheSameInAndOutOfProcess)
{
  if (!this->FindsExecutable())
  {
    return;
  }
  auto* volume = this->Parameters->GetInputVolumeNode();
  volume->SetSpacing(1.0, 1.5, 1.0);
  this->Parameters->SetROINode(nullptr);
  const double pixel[2] = {1390.0, 850.0};
  double world[3];
  this->TheLogic->PhotoPixelToWorld(this->Parameters, pixel, world);
  auto* anchor = vtkMRMLMarkupsFiducialNode::SafeDownCast(this->Scene->AddNewNodeByClass("vtkMRMLMarkupsFiducialNode"));
  anchor->AddControlPoint(world[0], world[1], world[2]);
  auto* roi = vtkMRMLMarkupsROINode::SafeDownCast(this->Scene->AddNewNodeByClass("vtkMRMLMarkupsROINode"));
  roi->SetCenterWorld(world);
  roi->SetSizeWorld(1000.0, 1000.0, 10.0);
  for (vtkMRMLMarkupsROINode* given : {static_cast<vtkMRMLMarkupsROINode*>(nullptr), roi})
  {
    std::string boundaries[2];
    for (const bool inProcess : {false, true})
    {
      auto* parameters = this->TheLogic->AddParameterNode("no squares");
      parameters->Copy(this->Parameters);
      parameters->SetInputVolumeNode(volume);
      parameters->SetAnchorNode(anchor);
      parameters->SetROINode(given);
      parameters->SetInProcess(inProcess);
      ASSERT_EQ(this->TheLogic->Segment(parameters), Logic::Success) << this->TheLogic->GetLastMessage();
      boundaries[inProcess ? 1 : 0] = Logic::GetBoundary(parameters->GetSegmentationNode());
      EXPECT_NEAR(this->TheLogic->GetMeasurement(parameters, "disc_x_px"), pixel[0], 100.0);
      EXPECT_NEAR(this->TheLogic->GetMeasurement(parameters, "disc_y_px"), pixel[1], 100.0);
    }
    const auto outside = itk::NestedPolarBoundary::FromJSON(boundaries[0]);
    const auto inside = itk::NestedPolarBoundary::FromJSON(boundaries[1]);
    EXPECT_NEAR(outside->GetAnchor()[0], inside->GetAnchor()[0], 0.5);
    EXPECT_NEAR(outside->GetAnchor()[1], inside->GetAnchor()[1], 0.5);
    EXPECT_NEAR(outside->GetRadius(), inside->GetRadius(), 0.5);
  }
}

TEST_F(LogicRun, ARunCanBeCancelledAndLeavesTheSceneAsItWas)
{
  if (!this->FindsExecutable())
  {
    return;
  }
  this->Parameters->SetTTAMode("full"); // long enough to be caught
  const int nodes = this->Scene->GetNumberOfNodes();
  ASSERT_EQ(this->TheLogic->StartSegment(this->Parameters), Logic::Success) << this->TheLogic->GetLastMessage();
  EXPECT_TRUE(this->TheLogic->IsRunning(this->Parameters));
  EXPECT_EQ(this->TheLogic->StartSegment(this->Parameters), Logic::Busy);
  this->TheLogic->CancelRun(this->Parameters);
  EXPECT_EQ(this->TheLogic->WaitForRun(this->Parameters, 60.0), Logic::RunCancelled);
  EXPECT_FALSE(this->TheLogic->IsRunning(this->Parameters));
  EXPECT_EQ(this->Parameters->GetStatus(), int(vtkMRMLNPSNetParameterNode::Cancelled));
  EXPECT_EQ(this->Count(Logic::RunCancelledEvent), 1);
  EXPECT_EQ(this->Count(Logic::RunCompletedEvent), 0);
  EXPECT_EQ(this->Scene->GetNumberOfNodes(), nodes);
}

TEST_F(LogicRun, RemovingTheParameterNodeEndsItsRun)
{
  if (!this->FindsExecutable())
  {
    return;
  }
  ASSERT_EQ(this->TheLogic->StartSegment(this->Parameters), Logic::Success);
  this->Scene->RemoveNode(this->Parameters);
  this->TheLogic->ProcessRuns();
  EXPECT_EQ(this->Count(Logic::RunCompletedEvent), 0);
}

TEST_F(LogicRun, FailuresComeAsCodeMessageAndEvent)
{
  this->Parameters->SetModelFileName("/nowhere/model.pth");
  EXPECT_EQ(this->TheLogic->Segment(this->Parameters), Logic::ModelError);
  EXPECT_NE(this->TheLogic->GetLastMessage().find("/nowhere/model.pth"), std::string::npos);

  this->Parameters->SetModelFileName("");
  this->TheLogic->SetSegmentExecutable("/nowhere/NPSNetSegment");
  EXPECT_EQ(this->TheLogic->Segment(this->Parameters), Logic::ExecutableMissing);
  EXPECT_NE(this->TheLogic->GetLastMessage().find("SetSegmentExecutable"), std::string::npos);

  // An executable that does something else.
  this->SetScript("echo 'NPSNetSegment: the disk is full.' >&2\nexit 4\n");
  EXPECT_EQ(this->TheLogic->Segment(this->Parameters), Logic::RunFailed);
  EXPECT_EQ(this->TheLogic->GetLastMessage(), "NPSNetSegment: the disk is full.");
  EXPECT_EQ(this->Parameters->GetStatusMessage(), "NPSNetSegment: the disk is full.");
  EXPECT_EQ(this->Parameters->GetStatus(), int(vtkMRMLNPSNetParameterNode::Failed));
  EXPECT_EQ(this->Count(Logic::RunFailedEvent), 1);

  // One that dies.
  this->SetScript("kill -SEGV $$\n");
  EXPECT_EQ(this->TheLogic->Segment(this->Parameters), Logic::RunFailed);
  EXPECT_NE(this->TheLogic->GetLastMessage().find("crashed"), std::string::npos) << this->TheLogic->GetLastMessage();

  // One that never ends.
  this->SetScript("exec sleep 600\n");
  ASSERT_EQ(this->TheLogic->StartSegment(this->Parameters), Logic::Success);
  EXPECT_EQ(this->TheLogic->WaitForRun(this->Parameters, 0.2), Logic::Busy);
  this->TheLogic->CancelRun(this->Parameters);
  EXPECT_EQ(this->TheLogic->WaitForRun(this->Parameters, 30.0), Logic::RunCancelled);
}

TEST_F(LogicRun, AnApplicationLogicBringsTheNewsByItself)
{
  vtkNew<vtkSlicerApplicationLogic> application;
  application->SetMRMLScene(this->Scene);
  application->CreateProcessingThread();
  this->TheLogic->SetMRMLApplicationLogic(application);
  this->SetScript("echo '<filter-progress>0.25</filter-progress><filter-comment>Locating</filter-comment>'\nsleep 1\n"
                  "echo 'NPSNetSegment: no.' >&2\nexit 1\n");
  ASSERT_EQ(this->TheLogic->StartSegment(this->Parameters), Logic::Success);
  double progress = 0.0;
  std::string stage;
  for (int i = 0; i < 3000 && this->TheLogic->IsRunning(this->Parameters); ++i)
  {
    application->ProcessModified(); // what Slicer's event loop does
    if (this->Parameters->GetProgress() > 0.0)
    {
      progress = this->Parameters->GetProgress();
      stage = this->Parameters->GetStatusMessage();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_FALSE(this->TheLogic->IsRunning(this->Parameters));
  EXPECT_DOUBLE_EQ(progress, 0.25);
  EXPECT_EQ(stage, "Locating");
  EXPECT_EQ(this->Parameters->GetStatusMessage(), "NPSNetSegment: no.");
  this->TheLogic->SetMRMLApplicationLogic(nullptr);
  application->TerminateProcessingThread();
}

TEST_F(LogicRun, TheResultsArriveInPartsThatAreAllThereInTheEnd)
{
  vtkMRMLSubjectHierarchyNode::GetSubjectHierarchyNode(this->Scene); // as Slicer's scene has one
  this->SetScriptFor(MakeBoundary(1200.0, 900.0, 180.0, 200.0, 0.5));
  ASSERT_EQ(this->TheLogic->StartSegment(this->Parameters), Logic::Success);
  int parts = 0;
  double longest = 0.0;
  for (int i = 0; i < 30000 && this->TheLogic->IsRunning(this->Parameters); ++i)
  {
    const int nodes = this->Scene->GetNumberOfNodes();
    const std::clock_t start = std::clock();
    this->TheLogic->ProcessRuns();
    longest = std::max(longest, 1000.0 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    const int made = this->Scene->GetNumberOfNodes() - nodes;
    EXPECT_LE(made, 2) << "a node and its display node";
    parts += made > 0 ? 1 : 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ASSERT_EQ(this->Count(Logic::RunCompletedEvent), 1) << this->Parameters->GetStatusMessage();
  EXPECT_GE(parts, 7) << "segmentation, two tables, chart, three series";
  std::cout << "longest turn: " << longest << " ms of processor time" << std::endl;
  EXPECT_EQ(this->CountCupOutsideDisc(), 0);
  EXPECT_NEAR(this->TheLogic->GetMeasurement(this->Parameters, "vcdr"), 0.5, 0.01);
  EXPECT_EQ(this->Parameters->GetRimTableNode()->GetNumberOfRows(), 360);
  EXPECT_EQ(this->Parameters->GetChartNode()->GetNumberOfPlotSeriesNodes(), 3);
  EXPECT_EQ(Logic::GetResultState(this->Parameters->GetSegmentationNode()), "automatic");
  ASSERT_EQ(this->TheLogic->Undo(this->Parameters), Logic::Success) << "one state";
  EXPECT_EQ(this->TheLogic->Undo(this->Parameters), Logic::NothingToUndo);
}

TEST_F(LogicRun, AnEditBetweenTwoPartsIsWhatIsMeasured)
{
  this->SetScriptFor(MakeBoundary(1200.0, 900.0, 180.0, 200.0, 0.5));
  ASSERT_EQ(this->TheLogic->StartSegment(this->Parameters), Logic::Success);
  bool edited = false;
  for (int i = 0; i < 30000 && this->TheLogic->IsRunning(this->Parameters); ++i)
  {
    this->TheLogic->ProcessRuns();
    vtkMRMLSegmentationNode* segmentation = this->Parameters->GetSegmentationNode();
    if (!edited && segmentation != nullptr && segmentation->GetSegmentation()->GetNumberOfSegments() == 2 &&
        this->TheLogic->IsRunning(this->Parameters))
    {
      this->Paint(Logic::GetDiscSegmentID(), 1150, 600, 20, true);
      edited = true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ASSERT_TRUE(edited) << this->Parameters->GetStatusMessage();
  EXPECT_EQ(this->Count(Logic::RunCompletedEvent), 1);
  EXPECT_EQ(Logic::GetResultState(this->Parameters->GetSegmentationNode()), "edited");
  EXPECT_LT(this->TheLogic->GetMeasurement(this->Parameters, "vcdr"), 0.45);
}

TEST_F(LogicRun, ACurveDraggedDuringTheRunIsOneUndoAway)
{
  for (const bool applied : {true, false}) // by the user interface, or not yet
  {
    const int x = applied ? 1200 : 1220;
    ASSERT_EQ(
      this->TheLogic->ApplyBoundary(this->Parameters, MakeBoundary(x, 900.0, 150.0, 150.0, 0.5)), Logic::Success);
    this->SetScriptFor(MakeBoundary(1200.0, 900.0, 180.0, 200.0, 0.5), "sleep 1\n");
    ASSERT_EQ(this->TheLogic->StartSegment(this->Parameters), Logic::Success);
    EXPECT_FALSE(this->TheLogic->IsWriting(this->Parameters));
    vtkMRMLMarkupsClosedCurveNode* curve = this->Parameters->GetDiscCurveNode();
    double point[3];
    curve->GetNthControlPointPosition(0, point);
    point[0] -= 60.0; // from (x + 150, 900) to the right of the photo
    curve->SetNthControlPointPosition(0, point);
    if (applied)
    {
      ASSERT_EQ(this->TheLogic->UpdateMeasurements(this->Parameters), Logic::Success);
    }
    ASSERT_EQ(this->TheLogic->WaitForRun(this->Parameters, 60.0), Logic::Success);
    EXPECT_NEAR(this->TheLogic->GetMeasurement(this->Parameters, "disc_height_px"), 400.0, 3.0);
    EXPECT_NE(this->Parameters->GetStatusMessage().find("Undo"), std::string::npos)
      << this->Parameters->GetStatusMessage();
    ASSERT_EQ(this->TheLogic->Undo(this->Parameters), Logic::Success);
    EXPECT_EQ(Logic::GetResultState(this->Parameters->GetSegmentationNode()), "edited");
    EXPECT_TRUE(IsSet(this->GetLabelmap(Logic::GetDiscSegmentID()), x + 200, 900, 0)) << "dragged";
    ASSERT_EQ(this->TheLogic->Undo(this->Parameters), Logic::Success) << "the drag is a state of its own";
    EXPECT_NEAR(this->TheLogic->GetMeasurement(this->Parameters, "disc_height_px"), 300.0, 3.0);
  }
}

TEST_F(LogicRun, AnEditThatWasNotMadeIsNotReported)
{
  for (int run = 0; run < 2; ++run)
  {
    this->SetScriptFor(MakeBoundary(1200.0, 900.0, 180.0, 200.0, 0.5));
    ASSERT_EQ(this->TheLogic->StartSegment(this->Parameters), Logic::Success);
    ASSERT_EQ(this->TheLogic->WaitForRun(this->Parameters, 60.0), Logic::Success);
    EXPECT_EQ(this->Parameters->GetStatusMessage(), "");
  }
}

TEST_F(LogicRun, RunAndReportOfALargePhotoAreReadByTheirOwnThreads)
{
  auto* volume = this->AddPhoto(10, 10);
  vtkNew<vtkImageData> image;
  image->SetDimensions(4000, 3000, 1);
  image->AllocateScalars(VTK_UNSIGNED_SHORT, 4);
  image->GetPointData()->GetScalars()->Fill(20000.0);
  volume->SetAndObserveImageData(image);
  this->Parameters->SetROINode(nullptr);
  this->Parameters->SetSegmentationNode(nullptr);
  this->Parameters->SetInputVolumeNode(volume);
  this->SetScriptFor(MakeBoundary(1200.0, 900.0, 180.0, 200.0, 0.5));
  const auto processorTime = []
  {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
  };
  double start = processorTime();
  ASSERT_EQ(this->TheLogic->StartSegment(this->Parameters), Logic::Success) << this->TheLogic->GetLastMessage();
  EXPECT_LT(processorTime() - start, 50.0) << "milliseconds of the user's thread";
  ASSERT_EQ(this->TheLogic->WaitForRun(this->Parameters, 60.0), Logic::Success);
  start = processorTime();
  const auto write = this->TheLogic->PrepareReport(this->Parameters, this->GetTemporaryFolder());
  EXPECT_LT(processorTime() - start, 50.0) << "milliseconds of the user's thread";
  this->Scene->RemoveNode(volume);
  ASSERT_TRUE(write);
  EXPECT_TRUE(vtksys::SystemTools::FileExists(write())) << "also when the photo is gone";
}

TEST_F(LogicRun, APhotoChosenMeanwhileDoesNotGetTheResultsOfTheOther)
{
  this->SetScriptFor(MakeBoundary(1200.0, 900.0, 180.0, 200.0, 0.5));
  ASSERT_EQ(this->TheLogic->StartSegment(this->Parameters), Logic::Success);
  this->Parameters->SetInputVolumeNode(this->AddPhoto(2576, 1934));
  EXPECT_EQ(this->TheLogic->WaitForRun(this->Parameters, 60.0), Logic::InvalidPhoto);
  EXPECT_EQ(this->Count(Logic::RunFailedEvent), 1);
  EXPECT_EQ(this->Parameters->GetSegmentationNode(), nullptr);
}

TEST_F(LogicRun, ACentreOutsideThePhotoIsRefused)
{
  this->Parameters->SetROINode(nullptr);
  auto* anchor = vtkMRMLMarkupsFiducialNode::SafeDownCast(this->Scene->AddNewNodeByClass("vtkMRMLMarkupsFiducialNode"));
  anchor->AddControlPoint(5000.0, 0.0, 0.0);
  this->Parameters->SetAnchorNode(anchor);
  EXPECT_EQ(this->TheLogic->StartSegment(this->Parameters), Logic::InvalidParameter);
  EXPECT_NE(this->TheLogic->GetLastMessage().find("outside the photograph"), std::string::npos);
}
