// SPDX-License-Identifier: Apache-2.0
#include "LogicFixture.h"

#include "itkRimProfileTable.h"

#include <vtkMRMLMarkupsClosedCurveNode.h>
#include <vtkMRMLPlotChartNode.h>
#include <vtkMRMLPlotSeriesNode.h>
#include <vtkMRMLSubjectHierarchyNode.h>
#include <vtkSegment.h>
#include <vtkSegmentation.h>
#include <vtkSegmentationHistory.h>
#include <vtkSlicerTerminologiesModuleLogic.h>
#include <vtkSlicerTerminologyEntry.h>
#include <vtkSlicerTerminologyType.h>

#include <vtkAbstractArray.h>
#include <vtkTable.h>

#include <fstream>

class LogicResult : public LogicFixture
{
protected:
  void SetUp() override
  {
    LogicFixture::SetUp();
    this->Photo = this->AddPhoto(300, 260);
    this->Parameters->SetInputVolumeNode(this->Photo);
    ASSERT_EQ(this->TheLogic->ApplyBoundary(this->Parameters, MakeBoundary(140, 120, 60, 75, 0.5)), Logic::Success)
      << this->TheLogic->GetLastMessage();
  }

  vtkMRMLVectorVolumeNode* Photo{nullptr};
};

TEST_F(LogicResult, SegmentsAreNamedColouredCodedAndNested)
{
  vtkSegmentation* segmentation = this->Parameters->GetSegmentationNode()->GetSegmentation();
  ASSERT_EQ(segmentation->GetNumberOfSegments(), 2);
  vtkSegment* disc = segmentation->GetSegment(Logic::GetDiscSegmentID());
  vtkSegment* cup = segmentation->GetSegment(Logic::GetCupSegmentID());
  ASSERT_TRUE(disc && cup);
  EXPECT_STREQ(disc->GetName(), "Optic disc");
  EXPECT_STREQ(cup->GetName(), "Optic cup");
  EXPECT_NEAR(disc->GetColor()[2], 178 / 255.0, 1e-9);
  EXPECT_NEAR(cup->GetColor()[0], 230 / 255.0, 1e-9);

  vtkNew<vtkSlicerTerminologyEntry> entry;
  ASSERT_TRUE(vtkSlicerTerminologiesModuleLogic::DeserializeTerminologyEntry(disc->GetTerminology(), entry));
  EXPECT_STREQ(entry->GetTypeObject()->GetCodeValue(), "81016008");
  EXPECT_STREQ(entry->GetTypeObject()->GetCodingSchemeDesignator(), "SCT");
  EXPECT_STREQ(entry->GetTypeModifierObject()->GetCodeMeaning(), "Right"); // photo_OD
  ASSERT_TRUE(vtkSlicerTerminologiesModuleLogic::DeserializeTerminologyEntry(cup->GetTerminology(), entry));
  EXPECT_STREQ(entry->GetTypeObject()->GetCodingSchemeDesignator(), "99NPSNET");

  EXPECT_EQ(this->CountCupOutsideDisc(), 0);
  const double pi = std::acos(-1.0);
  EXPECT_NEAR(Count(this->GetLabelmap(Logic::GetDiscSegmentID())), pi * 60 * 75, 0.01 * pi * 60 * 75);
  EXPECT_NEAR(Count(this->GetLabelmap(Logic::GetCupSegmentID())), pi * 30 * 37.5, 0.01 * pi * 30 * 37.5);
  EXPECT_EQ(this->Parameters->GetSegmentationNode()->GetNodeReference(
              vtkMRMLSegmentationNode::GetReferenceImageGeometryReferenceRole().c_str()),
    this->Photo);
}

TEST_F(LogicResult, RimTableHasTypedColumnsWithUnits)
{
  vtkMRMLTableNode* rim = this->Parameters->GetRimTableNode();
  ASSERT_EQ(rim->GetNumberOfRows(), 360);
  vtkTable* table = rim->GetTable();
  EXPECT_EQ(table->GetColumnByName("theta_deg")->GetDataType(), VTK_INT);
  EXPECT_EQ(table->GetColumnByName("quadrant")->GetDataType(), VTK_STRING);
  EXPECT_EQ(table->GetColumnByName("rim_width_px")->GetDataType(), VTK_DOUBLE);
  EXPECT_EQ(rim->GetColumnUnitLabel("rim_width_px"), "px");
  EXPECT_EQ(rim->GetColumnUnitLabel("theta_deg"), "°");
  EXPECT_EQ(rim->GetColumnTitle("theta_deg"), "photo_OD: angle") << "the table tells its photo";
  EXPECT_FALSE(rim->GetColumnDescription("rim_to_disc").empty());
  EXPECT_EQ(rim->GetColumnIndex("rim_width_um"), -1) << "a photo without calibration has no micrometres";
  for (int row = 0; row < 360; ++row)
  {
    const double theta = row * std::acos(-1.0) / 180;
    const double disc = 60 * 75 / std::hypot(75 * std::cos(theta), 60 * std::sin(theta));
    EXPECT_NEAR(table->GetValueByName(row, "disc_radius_px").ToDouble(), disc, 0.05);
    EXPECT_NEAR(table->GetValueByName(row, "rim_width_px").ToDouble(), 0.5 * disc, 0.05);
  }
  EXPECT_EQ(table->GetValueByName(90, "quadrant").ToString(), "I");
  EXPECT_EQ(table->GetValueByName(0, "quadrant").ToString(), "N") << "right eye: image right is nasal";

  this->Parameters->SetMicrometersPerPixel(10.0);
  ASSERT_EQ(this->TheLogic->UpdateMeasurements(this->Parameters), Logic::Success);
  EXPECT_NEAR(rim->GetTable()->GetValueByName(0, "rim_width_um").ToDouble(), 300.0, 0.5);
  EXPECT_EQ(rim->GetColumnUnitLabel("rim_width_um"), "µm");
  EXPECT_EQ(Logic::GetResultState(this->Parameters->GetSegmentationNode()), "automatic");

  this->Parameters->SetEye(vtkMRMLNPSNetParameterNode::EyeLeft);
  ASSERT_EQ(this->TheLogic->UpdateMeasurements(this->Parameters), Logic::Success);
  EXPECT_EQ(rim->GetTable()->GetValueByName(0, "quadrant").ToString(), "T") << "left eye: image right is temporal";
}

TEST_F(LogicResult, AMetricsFileGivesTheNumbersOfItsBoundary)
{
  const std::string boundary = MakeBoundary(141.25, 121.75, 61.3, 74.9, 0.47);
  ASSERT_EQ(this->TheLogic->ApplyBoundary(this->Parameters, boundary), Logic::Success);
  const std::string vcdr = this->TheLogic->GetMeasurementText(this->Parameters, "vcdr");
  const std::string rim = this->TheLogic->GetMeasurementText(this->Parameters, "rim_mean_px");
  const std::string file = this->GetTemporaryFolder() + "/photo_metrics.json";
  const auto write = [&file](const std::string& text) { std::ofstream(file) << text; };

  write(R"({"schema": "npsnet-metrics", "status": "ok", "model": {"name": "network"}, "boundary": )" + boundary + "}");
  ASSERT_EQ(this->TheLogic->ApplyBoundary(this->Parameters, MakeBoundary(140, 120, 60, 60, 0.3)), Logic::Success);
  ASSERT_NE(this->TheLogic->GetMeasurementText(this->Parameters, "vcdr"), vcdr);
  ASSERT_EQ(this->TheLogic->ApplyMetrics(this->Parameters, file), Logic::Success) << this->TheLogic->GetLastMessage();
  EXPECT_EQ(this->TheLogic->GetMeasurementText(this->Parameters, "vcdr"), vcdr);
  EXPECT_EQ(this->TheLogic->GetMeasurementText(this->Parameters, "rim_mean_px"), rim);
  EXPECT_EQ(Logic::GetResultState(this->Parameters->GetSegmentationNode()), "automatic");

  write(R"({"schema": "npsnet-metrics", "status": "not_found"})");
  EXPECT_EQ(this->TheLogic->ApplyMetrics(this->Parameters, file), Logic::FileError);
  EXPECT_NE(this->TheLogic->GetLastMessage().find("no outlines"), std::string::npos);
  EXPECT_EQ(this->TheLogic->ApplyMetrics(this->Parameters, file + ".gone"), Logic::FileError);
  EXPECT_EQ(this->TheLogic->GetMeasurementText(this->Parameters, "vcdr"), vcdr) << "a file that cannot be used";
}

TEST_F(LogicResult, TablesFollowEyeAndCalibrationAtOnce)
{
  auto* rim = this->Parameters->GetRimTableNode();
  this->Parameters->SetMicrometersPerPixel(10.0);
  ASSERT_GE(rim->GetColumnIndex("rim_width_um"), 0);
  EXPECT_EQ(this->TheLogic->GetSummary(this->Parameters).Unit, "um");
  EXPECT_NEAR(this->TheLogic->GetSummary(this->Parameters).RimWidth[0],
    rim->GetTable()->GetValueByName(0, "rim_width_um").ToDouble(), 1e-9);
  this->Parameters->SetEye(vtkMRMLNPSNetParameterNode::EyeLeft);
  EXPECT_EQ(rim->GetTable()->GetValueByName(0, "quadrant").ToString(), "T");
  EXPECT_EQ(this->TheLogic->GetSummary(this->Parameters).Eye, "OS");
  EXPECT_EQ(this->TheLogic->GetMeasurementText(this->Parameters, "eye"), "OS");
  this->Parameters->SetEye(vtkMRMLNPSNetParameterNode::EyeAuto);
  this->Parameters->SetMicrometersPerPixel(0.0);
  EXPECT_EQ(rim->GetColumnIndex("rim_width_um"), -1);
  EXPECT_EQ(this->TheLogic->GetSummary(this->Parameters).Eye, "OD");
  EXPECT_EQ(Logic::GetResultState(this->Parameters->GetSegmentationNode()), "automatic");
}

TEST_F(LogicResult, TheNextPhotoHasNoNumbersOfTheOneBefore)
{
  const std::string vcdr = this->TheLogic->GetMeasurementText(this->Parameters, "vcdr");
  auto* rim = this->Parameters->GetRimTableNode();
  const std::string title = rim->GetColumnTitle("theta_deg");
  this->Parameters->SetInputVolumeNode(this->AddPhoto(700, 500, nullptr, "next_OS"));
  EXPECT_FALSE(this->TheLogic->GetSummary(this->Parameters).Valid);
  this->Parameters->SetEye(vtkMRMLNPSNetParameterNode::EyeLeft);
  this->Parameters->SetMicrometersPerPixel(7.0);
  EXPECT_FALSE(this->TheLogic->GetSummary(this->Parameters).Valid);
  EXPECT_EQ(rim->GetColumnTitle("theta_deg"), title) << "the table of the photo before stays as it is";
  EXPECT_EQ(rim->GetColumnIndex("rim_width_um"), -1);
  EXPECT_EQ(this->TheLogic->GetMeasurementText(this->Parameters, "vcdr"), vcdr);
}

TEST_F(LogicResult, RimTableHasTheColumnsOfTheFile)
{
  this->Parameters->SetMicrometersPerPixel(10.0);
  ASSERT_EQ(this->TheLogic->UpdateMeasurements(this->Parameters), Logic::Success);
  vtkMRMLTableNode* rim = this->Parameters->GetRimTableNode();
  int column = 0;
  for (const itk::RimProfileColumn& expected : itk::RimProfileColumns())
  {
    if (expected.Name.find("confidence") == std::string::npos) // a given boundary has none
    {
      EXPECT_EQ(rim->GetColumnName(column), expected.Name);
      EXPECT_EQ(rim->GetColumnUnitLabel(expected.Name), expected.Unit);
      ++column;
    }
  }
  EXPECT_EQ(rim->GetNumberOfColumns(), column);
}

TEST_F(LogicResult, SummaryTableTellsTheMeasurementsAndThatTheyAreForResearch)
{
  EXPECT_NEAR(this->TheLogic->GetMeasurement(this->Parameters, "vcdr"), 0.5, 0.001);
  EXPECT_NEAR(this->TheLogic->GetMeasurement(this->Parameters, "disc_height_px"), 150.0, 0.3);
  EXPECT_EQ(this->TheLogic->GetMeasurementText(this->Parameters, "eye"), "OD");
  EXPECT_EQ(this->TheLogic->GetMeasurementText(this->Parameters, "eye_source"), "file_name");
  EXPECT_EQ(this->TheLogic->GetMeasurementText(this->Parameters, "state"), "automatic");
  EXPECT_NE(this->TheLogic->GetMeasurementText(this->Parameters, "note").find("Research use"), std::string::npos);
  EXPECT_TRUE(std::isnan(this->TheLogic->GetMeasurement(this->Parameters, "ddls"))) << "needs a calibration";
  EXPECT_TRUE(std::isnan(this->TheLogic->GetMeasurement(this->Parameters, "no such key")));
  vtkMRMLTableNode* summary = this->Parameters->GetSummaryTableNode();
  for (int row = 0; row < summary->GetNumberOfRows(); ++row)
  {
    if (summary->GetCellText(row, summary->GetColumnIndex("key")) == "disc_area_px2")
    {
      EXPECT_EQ(summary->GetCellText(row, summary->GetColumnIndex("unit")), "px²");
      EXPECT_EQ(summary->GetCellText(row, 0), "Disc area");
    }
  }
}

TEST_F(LogicResult, ChartShowsRimDiscAndCup)
{
  vtkMRMLPlotChartNode* chart = this->Parameters->GetChartNode();
  ASSERT_EQ(chart->GetNumberOfPlotSeriesNodes(), 3);
  for (int i = 0; i < 3; ++i)
  {
    vtkMRMLPlotSeriesNode* series = chart->GetNthPlotSeriesNode(i);
    EXPECT_EQ(series->GetTableNode(), this->Parameters->GetRimTableNode());
    EXPECT_GE(this->Parameters->GetRimTableNode()->GetColumnIndex(series->GetYColumnName()), 0);
  }
  EXPECT_NE(std::string(chart->GetXAxisTitle()).find("0 nasal"), std::string::npos) << chart->GetXAxisTitle();
  EXPECT_STREQ(chart->GetTitle(), "Rim profile of photo_OD (OD)");
}

TEST_F(LogicResult, EverythingIsUnderThePhotoInTheSubjectHierarchy)
{
  auto* hierarchy = vtkMRMLSubjectHierarchyNode::GetSubjectHierarchyNode(this->Scene);
  const vtkIdType photo = hierarchy->GetItemByDataNode(this->Photo);
  ASSERT_NE(photo, vtkMRMLSubjectHierarchyNode::GetInvalidItemID());
  for (vtkMRMLNode* node : {static_cast<vtkMRMLNode*>(this->Parameters->GetSegmentationNode()),
         static_cast<vtkMRMLNode*>(this->Parameters->GetRimTableNode()),
         static_cast<vtkMRMLNode*>(this->Parameters->GetSummaryTableNode()),
         static_cast<vtkMRMLNode*>(this->Parameters->GetChartNode()),
         static_cast<vtkMRMLNode*>(this->Parameters->GetDiscCurveNode()),
         static_cast<vtkMRMLNode*>(this->Parameters->GetCupCurveNode())})
  {
    ASSERT_NE(node, nullptr);
    EXPECT_EQ(hierarchy->GetItemParent(hierarchy->GetItemByDataNode(node)), photo) << node->GetName();
  }
  const vtkIdType chart = hierarchy->GetItemByDataNode(this->Parameters->GetChartNode());
  EXPECT_EQ(
    hierarchy->GetItemParent(hierarchy->GetItemByDataNode(this->Parameters->GetChartNode()->GetNthPlotSeriesNode(0))),
    chart);
}

TEST_F(LogicResult, RunningAgainUpdatesTheSameNodesAndKeepsTheUsersColoursAndSegments)
{
  auto* node = this->Parameters->GetSegmentationNode();
  vtkSegmentation* segmentation = node->GetSegmentation();
  segmentation->GetSegment(Logic::GetDiscSegmentID())->SetColor(0.1, 0.9, 0.2);
  segmentation->GetSegment(Logic::GetCupSegmentID())->SetName("My cup");
  this->Parameters->GetChartNode()->GetNthPlotSeriesNode(0)->SetColor(0.3, 0.3, 0.3);
  const std::string vessels = segmentation->AddEmptySegment("vessels", "vessels");
  ASSERT_EQ(vessels, "vessels");
  this->Paint(Logic::GetCupSegmentID(), 0, 0, 1, false);
  const int nodes = this->Scene->GetNumberOfNodes();
  auto* rim = this->Parameters->GetRimTableNode();

  ASSERT_EQ(this->TheLogic->ApplyBoundary(this->Parameters, MakeBoundary(150, 130, 50, 50, 0.4)), Logic::Success);
  EXPECT_EQ(this->Scene->GetNumberOfNodes(), nodes);
  EXPECT_EQ(this->Parameters->GetSegmentationNode(), node);
  EXPECT_EQ(this->Parameters->GetRimTableNode(), rim);
  EXPECT_EQ(segmentation->GetNumberOfSegments(), 3);
  EXPECT_DOUBLE_EQ(segmentation->GetSegment(Logic::GetDiscSegmentID())->GetColor()[1], 0.9);
  EXPECT_STREQ(segmentation->GetSegment(Logic::GetCupSegmentID())->GetName(), "My cup");
  EXPECT_DOUBLE_EQ(this->Parameters->GetChartNode()->GetNthPlotSeriesNode(0)->GetColor()[0], 0.3);
  EXPECT_NEAR(this->TheLogic->GetMeasurement(this->Parameters, "vcdr"), 0.4, 0.001);
}

TEST_F(LogicResult, OneUndoRestoresWhatWasBeforeAndRedoBringsItBack)
{
  const int before = Count(this->GetLabelmap(Logic::GetDiscSegmentID()));
  ASSERT_EQ(this->TheLogic->ApplyBoundary(this->Parameters, MakeBoundary(150, 130, 40, 40, 0.4)), Logic::Success);
  const int after = Count(this->GetLabelmap(Logic::GetDiscSegmentID()));
  ASSERT_NE(before, after);

  ASSERT_EQ(this->TheLogic->Undo(this->Parameters), Logic::Success) << this->TheLogic->GetLastMessage();
  EXPECT_EQ(Count(this->GetLabelmap(Logic::GetDiscSegmentID())), before);
  EXPECT_EQ(this->CountCupOutsideDisc(), 0);
  EXPECT_NEAR(this->TheLogic->GetMeasurement(this->Parameters, "vcdr"), 0.5, 0.02) << "the tables follow";

  ASSERT_EQ(this->TheLogic->Redo(this->Parameters), Logic::Success) << this->TheLogic->GetLastMessage();
  EXPECT_EQ(Count(this->GetLabelmap(Logic::GetDiscSegmentID())), after);
  EXPECT_EQ(this->CountCupOutsideDisc(), 0);
  EXPECT_NEAR(this->TheLogic->GetMeasurement(this->Parameters, "vcdr"), 0.4, 0.001);
  EXPECT_EQ(Logic::GetResultState(this->Parameters->GetSegmentationNode()), "automatic")
    << "the very masks of the automatic boundary";

  // Back to the empty segmentation of the very beginning, and no further.
  ASSERT_EQ(this->TheLogic->Undo(this->Parameters), Logic::Success);
  ASSERT_EQ(this->TheLogic->Undo(this->Parameters), Logic::Success);
  EXPECT_EQ(this->Parameters->GetSegmentationNode()->GetSegmentation()->GetNumberOfSegments(), 0);
  EXPECT_EQ(this->TheLogic->Undo(this->Parameters), Logic::NothingToUndo);
  EXPECT_FALSE(this->TheLogic->GetLastMessage().empty());
}

TEST_F(LogicResult, AnotherHistoryOrNoneIsRespected)
{
  vtkNew<vtkSegmentationHistory> editors;
  editors->SetSegmentation(this->Parameters->GetSegmentationNode()->GetSegmentation());
  this->TheLogic->SetSegmentationHistory(this->Parameters->GetSegmentationNode(), editors);
  this->TheLogic->ApplyBoundary(this->Parameters, MakeBoundary(150, 130, 40, 40, 0.4));
  EXPECT_EQ(editors->GetNumberOfStates(), 1);
  this->TheLogic->SaveStateForUndoOff();
  this->TheLogic->ApplyBoundary(this->Parameters, MakeBoundary(150, 130, 41, 40, 0.4));
  EXPECT_EQ(editors->GetNumberOfStates(), 1);
}

TEST_F(LogicResult, ResultsOfOnePhotoNeverOverwriteThoseOfAnother)
{
  auto* first = this->Parameters->GetSegmentationNode();
  const int disc = Count(this->GetLabelmap(Logic::GetDiscSegmentID()));
  auto* other = this->AddPhoto(200, 200, nullptr, "other_OS");
  this->Parameters->SetInputVolumeNode(other);
  ASSERT_EQ(this->TheLogic->ApplyBoundary(this->Parameters, MakeBoundary(90, 90, 30, 30, 0.3)), Logic::Success);
  EXPECT_NE(this->Parameters->GetSegmentationNode(), first);
  EXPECT_EQ(this->TheLogic->GetMeasurementText(this->Parameters, "eye"), "OS");
  this->Parameters->SetInputVolumeNode(this->Photo);
  ASSERT_EQ(this->TheLogic->ApplyBoundary(this->Parameters, MakeBoundary(140, 120, 60, 75, 0.5)), Logic::Success);
  EXPECT_EQ(this->Parameters->GetSegmentationNode(), first) << "coming back finds the earlier nodes";
  EXPECT_EQ(Count(this->GetLabelmap(Logic::GetDiscSegmentID())), disc);
}

TEST_F(LogicResult, ResultsOfAPhotoThatIsNotLookedAtAreHidden)
{
  auto* other = this->TheLogic->AddParameterNode();
  other->SetInputVolumeNode(this->AddPhoto(300, 200, nullptr, "other_OS"));
  other->ResultsVisibleOff();
  ASSERT_EQ(this->TheLogic->ApplyBoundary(other, MakeBoundary(150, 100, 40, 40, 0.5)), Logic::Success);
  EXPECT_EQ(other->GetSegmentationNode()->GetDisplayVisibility(), 0);
  EXPECT_EQ(other->GetDiscCurveNode()->GetDisplayVisibility(), 0);
  EXPECT_EQ(other->GetCupCurveNode()->GetDisplayVisibility(), 0);
  EXPECT_EQ(this->Parameters->GetSegmentationNode()->GetDisplayVisibility(), 1);
  EXPECT_EQ(this->Parameters->GetDiscCurveNode()->GetDisplayVisibility(), 1);
}

TEST_F(LogicResult, AnEmptyCupIsAnEmptySegmentAndAFlag)
{
  ASSERT_EQ(this->TheLogic->ApplyBoundary(this->Parameters, MakeBoundary(140, 120, 60, 75, 0.0)), Logic::Success)
    << this->TheLogic->GetLastMessage();
  EXPECT_EQ(Count(this->GetLabelmap(Logic::GetCupSegmentID())), 0);
  EXPECT_EQ(this->Parameters->GetCupCurveNode()->GetNumberOfControlPoints(), 0);
  EXPECT_NE(this->TheLogic->GetMeasurementText(this->Parameters, "flags").find("empty_cup"), std::string::npos);
}

TEST_F(LogicResult, ABrokenBoundaryChangesNothing)
{
  const int disc = Count(this->GetLabelmap(Logic::GetDiscSegmentID()));
  for (const char* text : {"", "{}", "no json", "[1, 2]"})
  {
    EXPECT_EQ(this->TheLogic->ApplyBoundary(this->Parameters, text), Logic::InvalidParameter) << text;
    EXPECT_FALSE(this->TheLogic->GetLastMessage().empty());
  }
  EXPECT_EQ(Count(this->GetLabelmap(Logic::GetDiscSegmentID())), disc);
}

TEST_F(LogicFixture, TerminologyFileLoadsInSlicersTerminologies)
{
  vtkNew<vtkSlicerTerminologiesModuleLogic> terminologies;
  terminologies->SetMRMLScene(this->Scene);
  const std::string name = terminologies->LoadTerminologyFromFile(this->TheLogic->GetTerminologyFileName());
  EXPECT_EQ(name, "Optic nerve head - NPSNetSegmentation");
  for (const auto& [scheme, code, meaning] :
    {std::make_tuple("SCT", "81016008", "Optic disc"), std::make_tuple("99NPSNET", "optic-cup", "Optic cup"),
      std::make_tuple("99NPSNET", "neuroretinal-rim", "Neuroretinal rim")})
  {
    vtkNew<vtkSlicerTerminologyType> type;
    ASSERT_TRUE(terminologies->GetTypeInTerminologyCategory(name,
      vtkSlicerTerminologiesModuleLogic::CodeIdentifier("SCT", "123037004"),
      vtkSlicerTerminologiesModuleLogic::CodeIdentifier(scheme, code), type));
    EXPECT_STREQ(type->GetCodeMeaning(), meaning);
  }
}
