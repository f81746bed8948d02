// SPDX-License-Identifier: Apache-2.0
#include "LogicFixture.h"

#include <vtkCacheManager.h>
#include <vtkDataIOManager.h>
#include <vtkMRMLMarkupsClosedCurveNode.h>
#include <vtkMRMLPlotChartNode.h>
#include <vtkMRMLPlotSeriesNode.h>
#include <vtkSegment.h>
#include <vtkSegmentation.h>

#include <vtkStringArray.h>
#include <vtkTable.h>
#include <vtksys/SystemTools.hxx>

/// A real sample photo with its expert's labels.
class LogicScene : public LogicFixture
{
protected:
  void SetUp() override
  {
    LogicFixture::SetUp();
    vtkMRMLVolumeNode* photo = this->TheLogic->LoadSamplePhoto("RET023OD");
    ASSERT_NE(photo, nullptr) << this->TheLogic->GetLastMessage();
    this->Parameters->SetInputVolumeNode(photo);
  }

  void ApplyExpert()
  {
    vtkMRMLVolumeNode* labels = this->TheLogic->LoadPhoto(this->TheLogic->GetSampleLabelFileName("RET023OD"));
    ASSERT_NE(labels, nullptr) << this->TheLogic->GetLastMessage();
    ASSERT_EQ(this->TheLogic->ApplyLabels(this->Parameters, labels), Logic::Success)
      << this->TheLogic->GetLastMessage();
  }
};

TEST_F(LogicScene, SamplePhotosAreVectorVolumesWithOneSlice)
{
  vtkNew<vtkStringArray> names;
  this->TheLogic->GetSamplePhotoNames(names);
  EXPECT_GE(names->GetNumberOfValues(), 8);
  auto* photo = vtkMRMLVectorVolumeNode::SafeDownCast(this->Parameters->GetInputVolumeNode());
  ASSERT_NE(photo, nullptr);
  EXPECT_STREQ(photo->GetName(), "RET023OD");
  EXPECT_EQ(photo->GetImageData()->GetNumberOfScalarComponents(), 3);
  int dimensions[3];
  photo->GetImageData()->GetDimensions(dimensions);
  EXPECT_EQ(dimensions[0], 2576);
  EXPECT_EQ(dimensions[2], 1);
  EXPECT_EQ(this->TheLogic->LoadSamplePhoto("nobody"), nullptr);
  EXPECT_NE(this->TheLogic->GetLastMessage().find("nobody"), std::string::npos);
}

TEST_F(LogicScene, APhotoIsLoadedWithoutItsNumberedNeighbours)
{
  const std::string folder = this->GetTemporaryFolder();
  const std::string sample = this->TheLogic->GetResourcesDirectory() + "/SampleData/RET023OD_mask.png";
  vtksys::SystemTools::CopyFileAlways(sample, folder + "/001.png");
  vtksys::SystemTools::CopyFileAlways(sample, folder + "/002.png");
  vtkMRMLVolumeNode* volume = this->TheLogic->LoadPhoto(folder + "/001.png");
  ASSERT_NE(volume, nullptr);
  int dimensions[3];
  volume->GetImageData()->GetDimensions(dimensions);
  EXPECT_EQ(dimensions[2], 1);
  EXPECT_EQ(this->TheLogic->LoadPhoto(folder + "/003.png"), nullptr);
  EXPECT_NE(this->TheLogic->GetLastMessage().find("does not exist"), std::string::npos);
}

TEST_F(LogicScene, ExpertLabelsBecomeSegmentsAsTheyAre)
{
  this->ApplyExpert();
  EXPECT_EQ(Logic::GetResultState(this->Parameters->GetSegmentationNode()), "imported");
  EXPECT_EQ(this->CountCupOutsideDisc(), 0);
  EXPECT_EQ(this->TheLogic->GetMeasurementText(this->Parameters, "eye"), "OD");
  const double vcdr = this->TheLogic->GetMeasurement(this->Parameters, "vcdr");
  EXPECT_GT(vcdr, 0.2);
  EXPECT_LT(vcdr, 1.0);

  ASSERT_EQ(this->TheLogic->LoadComparison(this->Parameters, this->TheLogic->GetSampleLabelFileName("RET023OD")), 0)
    << this->TheLogic->GetLastMessage();
  vtkSegmentation* expert = this->Parameters->GetComparisonSegmentationNode()->GetSegmentation();
  for (const char* id : {Logic::GetDiscSegmentID(), Logic::GetCupSegmentID()})
  {
    const double* theirs = expert->GetSegment(id)->GetColor();
    for (const char* other : {Logic::GetDiscSegmentID(), Logic::GetCupSegmentID()})
    {
      const double* ours = this->Parameters->GetSegmentationNode()->GetSegmentation()->GetSegment(other)->GetColor();
      EXPECT_GT(std::hypot(theirs[0] - ours[0], theirs[1] - ours[1], theirs[2] - ours[2]), 0.3) << id << other;
    }
  }
  ASSERT_EQ(this->TheLogic->FitBoundary(this->Parameters), Logic::Success);
  EXPECT_NEAR(this->TheLogic->GetMeasurement(this->Parameters, "vcdr"), vcdr, 0.02);
  EXPECT_EQ(this->Parameters->GetChartNode()->GetNumberOfPlotSeriesNodes(), 4) << "rim, disc, cup and the expert's rim";
  vtkTable* table = this->Parameters->GetRimTableNode()->GetTable();
  double difference = 0.0;
  for (int row = 0; row < 360; ++row)
  {
    difference += std::abs(table->GetValueByName(row, "expert_rim_width_px").ToDouble() -
                           table->GetValueByName(row, "rim_width_px").ToDouble()) /
                  360;
  }
  EXPECT_LT(difference, 1.5) << "pixels between a boundary and the masks it was fitted to";
}

TEST_F(LogicScene, LabelsOfAnotherSizeAreRefused)
{
  vtkMRMLVolumeNode* other = this->AddPhoto(20, 20);
  EXPECT_EQ(this->TheLogic->ApplyLabels(this->Parameters, other), Logic::InvalidParameter);
  EXPECT_NE(this->TheLogic->GetLastMessage().find("size"), std::string::npos);
  EXPECT_EQ(this->TheLogic->ApplyLabels(this->Parameters, nullptr), Logic::InvalidParameter);
  EXPECT_EQ(this->Parameters->GetSegmentationNode(), nullptr) << "nothing was made";
}

/// Saves as .mrb or .mrml and opens in another scene.
class LogicRoundTrip : public LogicScene, public ::testing::WithParamInterface<const char*>
{
};

TEST_P(LogicRoundTrip, ASavedSceneOpensWithEverything)
{
  this->ApplyExpert();
  ASSERT_EQ(this->TheLogic->FitBoundary(this->Parameters), Logic::Success);
  this->Parameters->SetEye(vtkMRMLNPSNetParameterNode::EyeRight);
  this->Parameters->SetMicrometersPerPixel(4.5);
  this->Parameters->SetTTAMode("fast");
  this->Parameters->SetInProcess(true);
  ASSERT_EQ(this->TheLogic->UpdateMeasurements(this->Parameters), Logic::Success);
  vtkSegmentation* before = this->Parameters->GetSegmentationNode()->GetSegmentation();
  before->GetSegment(Logic::GetDiscSegmentID())->SetColor(0.25, 0.5, 0.75);
  const int disc = Count(this->GetLabelmap(Logic::GetDiscSegmentID()));
  const double vcdr = this->TheLogic->GetMeasurement(this->Parameters, "vcdr");
  double control[3];
  this->Parameters->GetDiscCurveNode()->GetNthControlPointPositionWorld(7, control);

  const std::string folder = this->GetTemporaryFolder();
  const std::string file = folder + "/scene" + this->GetParam();
  this->Scene->SetURL(file.c_str());
  if (std::string(this->GetParam()) == ".mrb")
  {
    ASSERT_TRUE(this->Scene->WriteToMRB(file.c_str()));
  }
  else
  {
    vtksys::SystemTools::MakeDirectory(folder + "/bundle");
    ASSERT_TRUE(this->Scene->SaveSceneToSlicerDataBundleDirectory((folder + "/bundle").c_str()));
  }

  vtkNew<vtkMRMLScene> opened;
  vtkNew<vtkCacheManager> cache; // the application has one; a .mrb is unpacked there
  cache->SetRemoteCacheDirectory(folder.c_str());
  vtkNew<vtkDataIOManager> io;
  io->SetCacheManager(cache);
  opened->SetCacheManager(cache);
  opened->SetDataIOManager(io);
  vtkNew<Logic> logic;
  logic->SetMRMLScene(opened);
  if (std::string(this->GetParam()) == ".mrb")
  {
    ASSERT_TRUE(opened->ReadFromMRB(file.c_str()));
  }
  else
  {
    opened->SetURL((folder + "/bundle/bundle.mrml").c_str());
    ASSERT_TRUE(opened->Connect());
  }
  auto* parameters = logic->GetDefaultParameterNode();
  ASSERT_EQ(opened->GetNumberOfNodesByClass("vtkMRMLNPSNetParameterNode"), 1);
  EXPECT_EQ(parameters->GetEye(), int(vtkMRMLNPSNetParameterNode::EyeRight));
  EXPECT_DOUBLE_EQ(parameters->GetMicrometersPerPixel(), 4.5);
  EXPECT_EQ(parameters->GetTTAMode(), "fast");
  EXPECT_TRUE(parameters->GetInProcess());
  ASSERT_NE(parameters->GetInputVolumeNode(), nullptr);
  ASSERT_NE(parameters->GetInputVolumeNode()->GetImageData(), nullptr);
  ASSERT_NE(parameters->GetSegmentationNode(), nullptr);
  ASSERT_NE(parameters->GetRimTableNode(), nullptr);
  ASSERT_NE(parameters->GetChartNode(), nullptr);
  ASSERT_NE(parameters->GetDiscCurveNode(), nullptr);

  vtkSegmentation* after = parameters->GetSegmentationNode()->GetSegmentation();
  ASSERT_NE(after->GetSegment(Logic::GetDiscSegmentID()), nullptr);
  EXPECT_NEAR(after->GetSegment(Logic::GetDiscSegmentID())->GetColor()[1], 0.5, 0.01);
  EXPECT_EQ(after->GetSegment(Logic::GetDiscSegmentID())->GetTerminology(),
    before->GetSegment(Logic::GetDiscSegmentID())->GetTerminology());
  vtkNew<vtkOrientedImageData> labelmap;
  parameters->GetSegmentationNode()->GetBinaryLabelmapRepresentation(Logic::GetDiscSegmentID(), labelmap);
  EXPECT_EQ(Count(labelmap), disc);

  EXPECT_EQ(parameters->GetRimTableNode()->GetNumberOfRows(), 360);
  EXPECT_EQ(parameters->GetRimTableNode()->GetTable()->GetColumnByName("rim_width_px")->GetDataType(), VTK_DOUBLE);
  EXPECT_EQ(parameters->GetRimTableNode()->GetColumnUnitLabel("rim_width_px"), "px");
  EXPECT_EQ(parameters->GetChartNode()->GetNumberOfPlotSeriesNodes(), 3);
  EXPECT_EQ(parameters->GetChartNode()->GetNthPlotSeriesNode(0)->GetTableNode(), parameters->GetRimTableNode());
  EXPECT_NEAR(logic->GetMeasurement(parameters, "vcdr"), vcdr, 1e-9);
  double opened7[3];
  parameters->GetDiscCurveNode()->GetNthControlPointPositionWorld(7, opened7);
  for (int axis = 0; axis < 3; ++axis)
  {
    EXPECT_NEAR(opened7[axis], control[axis], 1e-4);
  }

  // And it goes on where it stopped: nothing was edited, and the same nodes are used.
  const int nodes = opened->GetNumberOfNodes();
  ASSERT_EQ(logic->UpdateMeasurements(parameters), Logic::Success) << logic->GetLastMessage();
  EXPECT_EQ(Logic::GetResultState(parameters->GetSegmentationNode()), "fitted");
  EXPECT_EQ(logic->GetMeasurementText(parameters, "state"), "fitted");
  EXPECT_NEAR(logic->GetMeasurement(parameters, "vcdr"), vcdr, 1e-9);
  EXPECT_EQ(opened->GetNumberOfNodes(), nodes);
  logic->SetMRMLScene(nullptr);
}

INSTANTIATE_TEST_SUITE_P(Files, LogicRoundTrip, ::testing::Values(".mrb", ".mrml"),
  [](const ::testing::TestParamInfo<const char*>& file) { return std::string(file.param + 1); });

TEST_F(LogicFixture, ParameterNodeIsCopiedAndPrinted)
{
  this->Parameters->SetEye(vtkMRMLNPSNetParameterNode::EyeLeft);
  this->Parameters->SetDevice("cpu");
  this->Parameters->SetNumberOfCurvePoints(24);
  auto* copy = this->TheLogic->AddParameterNode("copy");
  copy->Copy(this->Parameters);
  EXPECT_EQ(copy->GetEye(), int(vtkMRMLNPSNetParameterNode::EyeLeft));
  EXPECT_EQ(copy->GetDevice(), "cpu");
  EXPECT_EQ(copy->GetNumberOfCurvePoints(), 24);
  std::ostringstream text;
  copy->Print(text);
  EXPECT_NE(text.str().find("Eye: OS"), std::string::npos);
  EXPECT_EQ(vtkMRMLNPSNetParameterNode::GetEyeFromString("OS"), int(vtkMRMLNPSNetParameterNode::EyeLeft));
  EXPECT_EQ(vtkMRMLNPSNetParameterNode::GetEyeFromString("both"), -1);
}

TEST(LogicWithoutScene, SaysSo)
{
  vtkNew<vtkSlicerNPSNetSegmentationLogic> logic;
  vtkNew<vtkMRMLNPSNetParameterNode> parameters;
  EXPECT_EQ(logic->Segment(parameters), vtkSlicerNPSNetSegmentationLogic::NoScene);
  EXPECT_NE(logic->GetLastMessage().find("SetMRMLScene"), std::string::npos);
  EXPECT_EQ(logic->AddParameterNode(), nullptr);
  EXPECT_EQ(logic->LoadPhoto("x.jpg"), nullptr);
}
