// SPDX-License-Identifier: Apache-2.0
#include "LogicFixture.h"

#include <vtkMRMLMarkupsClosedCurveNode.h>
#include <vtkMRMLPlotChartNode.h>
#include <vtkMRMLPlotSeriesNode.h>
#include <vtkSegmentation.h>

#include <vtkCallbackCommand.h>
#include <vtkTable.h>

#include <chrono>

/// A photo of ordinary size with disc and cup of ordinary size.
class LogicEdit : public LogicFixture
{
protected:
  void SetUp() override
  {
    LogicFixture::SetUp();
    this->Parameters->SetInputVolumeNode(this->AddPhoto(2576, 1934));
    ASSERT_EQ(this->TheLogic->ApplyBoundary(this->Parameters, MakeBoundary(1400, 900, 200, 220, 0.5)), Logic::Success);
  }

  std::string GetState() { return Logic::GetResultState(this->Parameters->GetSegmentationNode()); }
};

TEST_F(LogicEdit, PaintedSegmentsAreMeasuredAndMarkedEdited)
{
  const double before = this->TheLogic->GetMeasurement(this->Parameters, "cup_height_px");
  // The cup's top: 110 above the centre. Paint 30 more on top of it.
  this->Paint(Logic::GetCupSegmentID(), 1385, 900 - 140, 31, true);
  ASSERT_EQ(this->TheLogic->UpdateMeasurements(this->Parameters), Logic::Success) << this->TheLogic->GetLastMessage();

  EXPECT_NEAR(this->TheLogic->GetMeasurement(this->Parameters, "cup_height_px"), before + 30.0, 1.5);
  EXPECT_EQ(this->GetState(), "edited");
  EXPECT_EQ(this->TheLogic->GetMeasurementText(this->Parameters, "state"), "edited");
  EXPECT_STREQ(this->Parameters->GetRimTableNode()->GetAttribute("NPSNet.State"), "edited");
  EXPECT_NE(std::string(this->Parameters->GetChartNode()->GetTitle()).find("edited"), std::string::npos);
  EXPECT_GE(this->Parameters->GetRimTableNode()->GetColumnIndex("automatic_rim_width_px"), 0);
  EXPECT_EQ(this->Parameters->GetChartNode()->GetNumberOfPlotSeriesNodes(), 4) << "the automatic rim for comparison";

  // The cup's curve follows its segment: some control point now lies near the new top.
  double highest = 1e9;
  auto* curve = this->Parameters->GetCupCurveNode();
  for (int i = 0; i < curve->GetNumberOfControlPoints(); ++i)
  {
    double world[3];
    double pixel[2];
    curve->GetNthControlPointPositionWorld(i, world);
    this->TheLogic->WorldToPhotoPixel(this->Parameters, world, pixel);
    highest = std::min(highest, pixel[1]);
  }
  EXPECT_LT(highest, 900 - 130);

  // Erasing the paint again gives the very masks of the network: automatic again, comparison gone.
  this->TheLogic->ApplyBoundary(this->Parameters, MakeBoundary(1400, 900, 200, 220, 0.5));
  EXPECT_EQ(this->GetState(), "automatic");
  EXPECT_EQ(this->Parameters->GetChartNode()->GetNumberOfPlotSeriesNodes(), 3);
  EXPECT_NEAR(this->TheLogic->GetMeasurement(this->Parameters, "cup_height_px"), before, 1e-6);
}

TEST_F(LogicEdit, MasksAndBoundaryGiveTheSameNumbers)
{
  const double boundary = this->TheLogic->GetMeasurement(this->Parameters, "vcdr");
  this->Paint(Logic::GetDiscSegmentID(), 100, 100, 1, true); // one stray pixel
  ASSERT_EQ(this->TheLogic->UpdateMeasurements(this->Parameters), Logic::Success);
  this->Paint(Logic::GetDiscSegmentID(), 100, 100, 1, false);
  ASSERT_EQ(this->TheLogic->UpdateMeasurements(this->Parameters), Logic::Success);
  EXPECT_EQ(this->GetState(), "automatic") << "the stray pixel is gone";
  this->Paint(Logic::GetCupSegmentID(), 1400, 900, 1, false); // a hole of one pixel
  ASSERT_EQ(this->TheLogic->UpdateMeasurements(this->Parameters), Logic::Success);
  EXPECT_EQ(this->GetState(), "edited");
  EXPECT_NEAR(this->TheLogic->GetMeasurement(this->Parameters, "vcdr"), boundary, 0.005);
}

TEST_F(LogicEdit, ADraggedCurveMovesItsSegmentAndStaysWhereTheUserPutIt)
{
  auto* curve = this->Parameters->GetCupCurveNode();
  const int discBefore = Count(this->GetLabelmap(Logic::GetDiscSegmentID()));
  const int cupBefore = Count(this->GetLabelmap(Logic::GetCupSegmentID()));
  // Pull the control point nearest to the right end 60 pixels outwards.
  int rightmost = 0;
  double furthest = 0.0;
  for (int i = 0; i < curve->GetNumberOfControlPoints(); ++i)
  {
    double world[3];
    double pixel[2];
    curve->GetNthControlPointPositionWorld(i, world);
    this->TheLogic->WorldToPhotoPixel(this->Parameters, world, pixel);
    if (pixel[0] > furthest)
    {
      furthest = pixel[0];
      rightmost = i;
    }
  }
  EXPECT_NEAR(furthest, 1500.0, 1.0);
  const double target[2] = {1560.0, 900.0};
  double world[3];
  this->TheLogic->PhotoPixelToWorld(this->Parameters, target, world);
  curve->SetNthControlPointPositionWorld(rightmost, world);

  ASSERT_EQ(this->TheLogic->UpdateMeasurements(this->Parameters), Logic::Success) << this->TheLogic->GetLastMessage();
  EXPECT_EQ(this->GetState(), "edited");
  EXPECT_GT(Count(this->GetLabelmap(Logic::GetCupSegmentID())), cupBefore + 500);
  EXPECT_EQ(Count(this->GetLabelmap(Logic::GetDiscSegmentID())), discBefore);
  EXPECT_NEAR(this->TheLogic->GetMeasurement(this->Parameters, "cup_width_px"), 260.0, 4.0);
  EXPECT_EQ(this->CountCupOutsideDisc(), 0);
  double now[3];
  curve->GetNthControlPointPositionWorld(rightmost, now);
  for (int axis = 0; axis < 3; ++axis)
  {
    EXPECT_DOUBLE_EQ(now[axis], world[axis]);
  }

  ASSERT_EQ(this->TheLogic->Undo(this->Parameters), Logic::Success) << "the drag was one state";
  EXPECT_EQ(Count(this->GetLabelmap(Logic::GetCupSegmentID())), cupBefore);
  EXPECT_EQ(this->GetState(), "automatic");
}

TEST_F(LogicEdit, AnEditOfTheSegmentWinsOverADragThatWasNotApplied)
{
  auto* curve = this->Parameters->GetDiscCurveNode();
  const double target[2] = {1700.0, 900.0}; // 100 outside the disc
  double world[3];
  this->TheLogic->PhotoPixelToWorld(this->Parameters, target, world);
  const int disc = Count(this->GetLabelmap(Logic::GetDiscSegmentID()));
  curve->SetNthControlPointPositionWorld(0, world);
  this->Paint(Logic::GetDiscSegmentID(), 1390, 900 - 260, 20, true);
  const int painted = Count(this->GetLabelmap(Logic::GetDiscSegmentID()));
  ASSERT_EQ(painted, disc + 400);

  ASSERT_EQ(this->TheLogic->UpdateMeasurements(this->Parameters), Logic::Success) << this->TheLogic->GetLastMessage();
  EXPECT_EQ(Count(this->GetLabelmap(Logic::GetDiscSegmentID())), painted);
  double bounds[6];
  curve->GetBounds(bounds);
  EXPECT_NEAR(bounds[1] - bounds[0], 400.0, 10.0) << "the curve is back at its segment";
  ASSERT_EQ(this->TheLogic->UpdateMeasurements(this->Parameters), Logic::Success);
  EXPECT_EQ(Count(this->GetLabelmap(Logic::GetDiscSegmentID())), painted);

  // The same where the masks come back as they were: nothing is left to be applied later on.
  const std::string boundary = MakeBoundary(1400, 900, 200, 220, 0.5);
  ASSERT_EQ(this->TheLogic->ApplyBoundary(this->Parameters, boundary), Logic::Success);
  curve->SetNthControlPointPositionWorld(0, world);
  ASSERT_EQ(this->TheLogic->ApplyBoundary(this->Parameters, boundary), Logic::Success);
  ASSERT_EQ(this->TheLogic->UpdateMeasurements(this->Parameters), Logic::Success);
  EXPECT_EQ(Count(this->GetLabelmap(Logic::GetDiscSegmentID())), disc);
  EXPECT_EQ(this->GetState(), "automatic");
}

TEST_F(LogicEdit, ACupDraggedOutOfTheDiscTakesTheDiscWithIt)
{
  auto* curve = this->Parameters->GetCupCurveNode();
  double world[3];
  const double target[2] = {1660.0, 900.0}; // 60 outside the disc
  this->TheLogic->PhotoPixelToWorld(this->Parameters, target, world);
  double nearest = 1e9;
  int index = 0;
  for (int i = 0; i < curve->GetNumberOfControlPoints(); ++i)
  {
    double p[3];
    curve->GetNthControlPointPositionWorld(i, p);
    const double distance = std::hypot(p[0] - world[0], p[1] - world[1]);
    index = distance < nearest ? i : index;
    nearest = std::min(nearest, distance);
  }
  curve->SetNthControlPointPositionWorld(index, world);
  ASSERT_EQ(this->TheLogic->UpdateMeasurements(this->Parameters), Logic::Success);
  EXPECT_EQ(this->CountCupOutsideDisc(), 0);
  EXPECT_GT(this->TheLogic->GetMeasurement(this->Parameters, "disc_width_px"), 450.0);
}

TEST_F(LogicEdit, NestingHoldsAfterEditsOfEitherSegment)
{
  vtkSegmentation* segmentation = this->Parameters->GetSegmentationNode()->GetSegmentation();
  segmentation->AddEmptySegment("vessels", "vessels");
  const int disc = Count(this->GetLabelmap(Logic::GetDiscSegmentID()));
  const int cup = Count(this->GetLabelmap(Logic::GetCupSegmentID()));

  this->Paint(Logic::GetCupSegmentID(), 1590, 890, 30, true); // reaches out of the disc
  ASSERT_GT(this->CountCupOutsideDisc(), 0);
  ASSERT_EQ(this->TheLogic->EnforceNesting(this->Parameters->GetSegmentationNode(), Logic::GetCupSegmentID()), 0);
  EXPECT_EQ(this->CountCupOutsideDisc(), 0);
  EXPECT_GT(Count(this->GetLabelmap(Logic::GetDiscSegmentID())), disc) << "the disc grew";

  this->Paint(Logic::GetDiscSegmentID(), 1380, 880, 40, false); // a hole in the disc's middle
  ASSERT_GT(this->CountCupOutsideDisc(), 0);
  ASSERT_EQ(this->TheLogic->EnforceNesting(this->Parameters->GetSegmentationNode(), Logic::GetDiscSegmentID()), 0);
  EXPECT_EQ(this->CountCupOutsideDisc(), 0);
  EXPECT_EQ(Count(this->GetLabelmap(Logic::GetCupSegmentID())), cup + 900 - 1600) << "the cup was clipped";

  EXPECT_EQ(this->TheLogic->EnforceNesting(this->Parameters->GetSegmentationNode(), "vessels"), Logic::Success);
  EXPECT_EQ(this->TheLogic->EnforceNesting(this->Parameters->GetSegmentationNode(), "none"), Logic::InvalidParameter);
  EXPECT_EQ(Count(this->GetLabelmap("vessels")), 0);
}

TEST_F(LogicEdit, AFittedBoundaryIsNestedWholeAndCloseToTheMasks)
{
  // An island, a bay and a bump.
  this->Paint(Logic::GetDiscSegmentID(), 1700, 500, 8, true);
  this->Paint(Logic::GetDiscSegmentID(), 1390, 1105, 20, false);
  this->Paint(Logic::GetCupSegmentID(), 1495, 890, 20, true);
  ASSERT_EQ(this->TheLogic->UpdateMeasurements(this->Parameters), Logic::Success);
  const auto edited = this->GetLabelmap(Logic::GetDiscSegmentID());

  ASSERT_EQ(this->TheLogic->FitBoundary(this->Parameters), Logic::Success) << this->TheLogic->GetLastMessage();
  EXPECT_EQ(this->GetState(), "fitted");
  const auto fitted = this->GetLabelmap(Logic::GetDiscSegmentID());
  EXPECT_FALSE(IsSet(fitted, 1703, 503, 0)) << "the island is gone";
  EXPECT_EQ(this->CountCupOutsideDisc(), 0);
  int common = 0;
  ForEachVoxel(edited, [&](int i, int j, int k) { common += IsSet(fitted, i, j, k) ? 1 : 0; });
  EXPECT_GT(2.0 * common / (Count(edited) + Count(fitted)), 0.99);
  const auto boundary = itk::NestedPolarBoundary::FromJSON(Logic::GetBoundary(this->Parameters->GetSegmentationNode()));
  EXPECT_EQ(boundary->GetNumberOfAngles(), 360u);
  EXPECT_NEAR(boundary->EvaluateDiscRadius(std::acos(-1.0)) * boundary->GetRadius(), 200.0, 4.0);

  ASSERT_EQ(this->TheLogic->Undo(this->Parameters), Logic::Success);
  EXPECT_TRUE(IsSet(this->GetLabelmap(Logic::GetDiscSegmentID()), 1703, 503, 0)) << "one undo brings the edit back";
}

TEST_F(LogicEdit, FittingAStarConvexMaskChangesHardlyAPixel)
{
  const auto before = this->GetLabelmap(Logic::GetCupSegmentID());
  ASSERT_EQ(this->TheLogic->FitBoundary(this->Parameters), Logic::Success);
  const auto after = this->GetLabelmap(Logic::GetCupSegmentID());
  int different = 0;
  ForEachVoxel(before, [&](int i, int j, int k) { different += IsSet(after, i, j, k) ? 0 : 1; });
  ForEachVoxel(after, [&](int i, int j, int k) { different += IsSet(before, i, j, k) ? 0 : 1; });
  EXPECT_LT(different, 0.005 * Count(before));
}

TEST_F(LogicEdit, TheNetworksOwnRimStaysForComparisonAfterAFit)
{
  const auto automaticRim = [this](int row)
  {
    vtkTable* table = this->Parameters->GetRimTableNode()->GetTable();
    return table->GetColumnByName("automatic_rim_width_px") != nullptr
             ? table->GetValueByName(row, "automatic_rim_width_px").ToDouble()
             : -1.0;
  };
  this->Paint(Logic::GetDiscSegmentID(), 1340, 600, 120, true); // 80 pixels above the disc's top
  ASSERT_EQ(this->TheLogic->UpdateMeasurements(this->Parameters), Logic::Success);
  EXPECT_NEAR(automaticRim(270), 110.0, 1.0);
  ASSERT_EQ(this->TheLogic->FitBoundary(this->Parameters), Logic::Success);
  EXPECT_NEAR(automaticRim(270), 110.0, 1.0) << "the fit is compared with it too";
  ASSERT_EQ(this->TheLogic->FitBoundary(this->Parameters), Logic::Success);
  this->Paint(Logic::GetDiscSegmentID(), 1390, 560, 20, true);
  ASSERT_EQ(this->TheLogic->UpdateMeasurements(this->Parameters), Logic::Success);
  EXPECT_EQ(this->GetState(), "edited");
  EXPECT_NEAR(automaticRim(270), 110.0, 1.0) << "of the network, not of the fit";

  ASSERT_EQ(this->TheLogic->ApplyBoundary(this->Parameters, MakeBoundary(1400, 900, 200, 220, 0.5)), Logic::Success);
  EXPECT_LT(automaticRim(270), 0.0) << "nothing to compare with";
}

TEST_F(LogicEdit, UndoOfAFitOfTheNetworksMasksIsAutomaticAgain)
{
  const double width = this->Parameters->GetRimTableNode()->GetTable()->GetValueByName(7, "rim_width_px").ToDouble();
  ASSERT_EQ(this->TheLogic->FitBoundary(this->Parameters), Logic::Success);
  EXPECT_EQ(this->GetState(), "fitted");
  ASSERT_EQ(this->TheLogic->Undo(this->Parameters), Logic::Success);
  EXPECT_EQ(this->GetState(), "automatic");
  EXPECT_DOUBLE_EQ(
    this->Parameters->GetRimTableNode()->GetTable()->GetValueByName(7, "rim_width_px").ToDouble(), width);
}

TEST_F(LogicEdit, AutoUpdateFollowsEditsByItself)
{
  int updates = 0;
  vtkNew<vtkCallbackCommand> callback;
  callback->SetClientData(&updates);
  callback->SetCallback([](vtkObject*, unsigned long, void* count, void*) { ++*static_cast<int*>(count); });
  this->TheLogic->AddObserver(Logic::MeasurementsUpdatedEvent, callback);

  this->Paint(Logic::GetCupSegmentID(), 1385, 760, 31, true);
  EXPECT_EQ(updates, 0) << "off unless asked for";
  this->Parameters->AutoUpdateOn();
  this->Paint(Logic::GetCupSegmentID(), 1385, 750, 31, true);
  EXPECT_GT(updates, 0);
  EXPECT_EQ(this->GetState(), "edited");
  const int seen = updates;
  this->Parameters->AutoUpdateOff();
  this->Paint(Logic::GetCupSegmentID(), 1385, 740, 31, true);
  EXPECT_EQ(updates, seen);
}

TEST_F(LogicEdit, WithoutADiscThereIsNothingToMeasureOrFit)
{
  this->Parameters->GetSegmentationNode()->GetSegmentation()->RemoveAllSegments();
  EXPECT_EQ(this->TheLogic->UpdateMeasurements(this->Parameters), Logic::NoSegments);
  EXPECT_NE(this->TheLogic->GetLastMessage().find("Optic disc"), std::string::npos);
  EXPECT_EQ(this->TheLogic->FitBoundary(this->Parameters), Logic::NoSegments);
}
