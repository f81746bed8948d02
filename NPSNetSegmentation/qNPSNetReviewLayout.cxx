// SPDX-License-Identifier: Apache-2.0
#include "qNPSNetReviewLayout.h"

#include "vtkMRMLNPSNetParameterNode.h"
#include "vtkSlicerNPSNetSegmentationLogic.h"

#include <qMRMLSliceWidget.h>
#include <qSlicerApplication.h>
#include <qSlicerLayoutManager.h>

#include <vtkMRMLDisplayableNode.h>
#include <vtkMRMLLayoutLogic.h>
#include <vtkMRMLLayoutNode.h>
#include <vtkMRMLMarkupsClosedCurveNode.h>
#include <vtkMRMLMarkupsFiducialNode.h>
#include <vtkMRMLMarkupsROINode.h>
#include <vtkMRMLPlotChartNode.h>
#include <vtkMRMLScene.h>
#include <vtkMRMLSegmentationNode.h>
#include <vtkMRMLSelectionNode.h>
#include <vtkMRMLSliceLogic.h>
#include <vtkMRMLSliceNode.h>
#include <vtkMRMLTableNode.h>
#include <vtkMRMLVolumeNode.h>
#include <vtkSlicerApplicationLogic.h>

#include <vtkMath.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string>
#include <vector>

namespace
{
constexpr double DiscsAcrossView = 2.2;

// Numbers of our own, far from Slicer's.
enum Layout
{
  PhotoPlot = 84510,
  PhotoTable,
  PhotoPlotTable
};

const char* const PhotoView =
  "<item splitSize=\"550\"><view class=\"vtkMRMLSliceNode\" singletontag=\"Red\"><property name=\"orientation\" "
  "action=\"default\">Axial"
  "</property><property name=\"viewlabel\" action=\"default\">R</property><property name=\"viewcolor\" "
  "action=\"default\">#F34A33</property></view></item>";
const char* const PlotView =
  "<item splitSize=\"450\"><view class=\"vtkMRMLPlotViewNode\" singletontag=\"PlotView1\"><property "
  "name=\"viewlabel\" action=\"default\">P</property></view></item>";
const char* const TableView =
  "<item splitSize=\"450\"><view class=\"vtkMRMLTableViewNode\" singletontag=\"TableView1\"><property "
  "name=\"viewlabel\" action=\"default\">T</property></view></item>";

std::string sideBySide(const std::string& right)
{
  return std::string("<layout type=\"horizontal\" split=\"true\">") + PhotoView + right + "</layout>";
}

vtkMRMLLayoutNode* layoutNode()
{
  qSlicerApplication* application = qSlicerApplication::application();
  qSlicerLayoutManager* manager = application ? application->layoutManager() : nullptr;
  vtkMRMLLayoutNode* node = manager && manager->layoutLogic() ? manager->layoutLogic()->GetLayoutNode() : nullptr;
  if (node && !node->IsLayoutDescription(PhotoPlot))
  {
    node->AddLayoutDescription(PhotoPlot, sideBySide(PlotView).c_str());
    node->AddLayoutDescription(PhotoTable, sideBySide(TableView).c_str());
    node->AddLayoutDescription(
      PhotoPlotTable, sideBySide(std::string("<item splitSize=\"450\"><layout type=\"vertical\" split=\"true\">") +
                                 PlotView + TableView + "</layout></item>")
                        .c_str());
  }
  return node;
}

void selectTable(vtkMRMLTableNode* table)
{
  vtkMRMLApplicationLogic* logic = qSlicerApplication::application()->applicationLogic();
  logic->GetSelectionNode()->SetActiveTableID(table ? table->GetID() : nullptr);
  logic->PropagateTableSelection();
}

void selectChart(vtkMRMLPlotChartNode* chart)
{
  vtkMRMLApplicationLogic* logic = qSlicerApplication::application()->applicationLogic();
  logic->GetSelectionNode()->SetActivePlotChartID(chart ? chart->GetID() : nullptr);
  logic->PropagatePlotChartSelection();
}

/// Nothing is selected, or what some parameter node refers to by one of these roles.
bool isOurs(vtkMRMLScene* scene, const char* selected, std::initializer_list<const char*> roles)
{
  if (!selected || !*selected || !scene->GetNodeByID(selected))
  {
    return true;
  }
  std::vector<vtkMRMLNode*> nodes;
  scene->GetNodesByClass("vtkMRMLNPSNetParameterNode", nodes);
  for (vtkMRMLNode* node : nodes)
  {
    for (const char* role : roles)
    {
      const char* id = node->GetNodeReferenceID(role);
      if (id && std::string(id) == selected)
      {
        return true;
      }
    }
  }
  return false;
}

/// The red view's slice logic; null without a window.
vtkMRMLSliceLogic* redLogic()
{
  qSlicerLayoutManager* manager = qSlicerApplication::application()->layoutManager();
  qMRMLSliceWidget* widget = manager ? manager->sliceWidget("Red") : nullptr;
  return widget ? widget->sliceLogic() : nullptr;
}

/// What the view was asked to show last; a view that gets another size is asked again.
enum class Extent
{
  Whole,
  Disc
};
Extent shownExtent = Extent::Whole;

} // namespace

void qNPSNetReviewLayout::showPhoto(vtkMRMLNPSNetParameterNode* parameters)
{
  vtkMRMLLayoutNode* layout = layoutNode();
  if (!layout)
  {
    return;
  }
  const int arrangement = layout->GetViewArrangement();
  if (arrangement < PhotoPlot || arrangement > PhotoPlotTable)
  {
    layout->SetViewArrangement(vtkMRMLLayoutNode::SlicerLayoutOneUpRedSliceView);
  }
  vtkMRMLVolumeNode* photo = parameters ? parameters->GetInputVolumeNode() : nullptr;
  if (photo)
  {
    vtkMRMLApplicationLogic* logic = qSlicerApplication::application()->applicationLogic();
    logic->GetSelectionNode()->SetActiveVolumeID(photo->GetID());
    logic->PropagateBackgroundVolumeSelection(true);
    shownExtent = Extent::Whole;
  }
  follow(parameters);
}

void qNPSNetReviewLayout::setResultsVisible(vtkMRMLNPSNetParameterNode* parameters, bool visible)
{
  parameters->SetResultsVisible(visible);
  for (vtkMRMLDisplayableNode* node : std::initializer_list<vtkMRMLDisplayableNode*>{parameters->GetSegmentationNode(),
         parameters->GetComparisonSegmentationNode(), parameters->GetDiscCurveNode(), parameters->GetCupCurveNode(),
         parameters->GetAnchorNode(), parameters->GetROINode()})
  {
    if (node)
    {
      node->SetDisplayVisibility(visible);
    }
  }
}

void qNPSNetReviewLayout::follow(vtkMRMLNPSNetParameterNode* parameters)
{
  vtkMRMLScene* scene = parameters ? parameters->GetScene() : nullptr;
  if (!scene || !layoutNode())
  {
    return;
  }
  vtkMRMLSelectionNode* selection = qSlicerApplication::application()->applicationLogic()->GetSelectionNode();
  if (isOurs(scene, selection->GetActiveTableID(), {"rimTable", "summaryTable"}))
  {
    selectTable(parameters->GetRimTableNode());
  }
  if (isOurs(scene, selection->GetActivePlotChartID(), {"chart"}))
  {
    selectChart(parameters->GetChartNode());
  }
}

void qNPSNetReviewLayout::showWhole(vtkMRMLNPSNetParameterNode* parameters)
{
  vtkMRMLSliceLogic* logic = redLogic();
  vtkMRMLVolumeNode* photo = parameters ? parameters->GetInputVolumeNode() : nullptr;
  shownExtent = Extent::Whole;
  if (logic && photo)
  {
    logic->FitSliceToVolume(
      photo, logic->GetSliceNode()->GetDimensions()[0], logic->GetSliceNode()->GetDimensions()[1]);
    logic->SnapSliceOffsetToIJK();
  }
}

bool qNPSNetReviewLayout::showDisc(
  vtkSlicerNPSNetSegmentationLogic* segmentation, vtkMRMLNPSNetParameterNode* parameters)
{
  vtkMRMLSliceLogic* logic = redLogic();
  const NPSNetSummary summary = segmentation->GetSummary(parameters);
  double center[3];
  double edge[3];
  const double below[2] = {summary.DiscCenter[0], summary.DiscCenter[1] + 0.5 * summary.DiscHeight};
  if (!logic || !summary.Valid || !segmentation->PhotoPixelToWorld(parameters, summary.DiscCenter, center) ||
      !segmentation->PhotoPixelToWorld(parameters, below, edge))
  {
    return false;
  }
  shownExtent = Extent::Disc;
  vtkMRMLSliceNode* slice = logic->GetSliceNode();
  const double side = DiscsAcrossView * 2.0 * std::sqrt(vtkMath::Distance2BetweenPoints(center, edge));
  const int* pixels = slice->GetDimensions();
  const double scale = side / std::max(1, std::min(pixels[0], pixels[1]));
  slice->SetFieldOfView(scale * pixels[0], scale * pixels[1], slice->GetFieldOfView()[2]);
  slice->JumpSliceByCentering(center[0], center[1], center[2]);
  return true;
}

void qNPSNetReviewLayout::toggleDisc(vtkSlicerNPSNetSegmentationLogic* logic, vtkMRMLNPSNetParameterNode* parameters)
{
  if (shownExtent == Extent::Disc || !showDisc(logic, parameters))
  {
    showWhole(parameters);
  }
}

void qNPSNetReviewLayout::fitAgain(vtkSlicerNPSNetSegmentationLogic* logic, vtkMRMLNPSNetParameterNode* parameters)
{
  if (shownExtent == Extent::Whole || !showDisc(logic, parameters))
  {
    showWhole(parameters);
  }
}

void qNPSNetReviewLayout::hideTableAndPlot()
{
  if (vtkMRMLLayoutNode* layout = layoutNode())
  {
    layout->SetViewArrangement(vtkMRMLLayoutNode::SlicerLayoutOneUpRedSliceView);
  }
}

bool qNPSNetReviewLayout::isTableShown()
{
  const int arrangement = layoutNode() ? layoutNode()->GetViewArrangement() : 0;
  return arrangement == PhotoTable || arrangement == PhotoPlotTable;
}

bool qNPSNetReviewLayout::isPlotShown()
{
  const int arrangement = layoutNode() ? layoutNode()->GetViewArrangement() : 0;
  return arrangement == PhotoPlot || arrangement == PhotoPlotTable;
}

void qNPSNetReviewLayout::showTable(vtkMRMLNPSNetParameterNode* parameters)
{
  vtkMRMLLayoutNode* layout = layoutNode();
  if (layout && parameters)
  {
    layout->SetViewArrangement(isPlotShown() ? PhotoPlotTable : PhotoTable);
    selectTable(parameters->GetRimTableNode());
    follow(parameters);
  }
}

void qNPSNetReviewLayout::showPlot(vtkMRMLNPSNetParameterNode* parameters)
{
  vtkMRMLLayoutNode* layout = layoutNode();
  if (layout && parameters)
  {
    layout->SetViewArrangement(isTableShown() ? PhotoPlotTable : PhotoPlot);
    selectChart(parameters->GetChartNode());
    follow(parameters);
  }
}

void qNPSNetReviewLayout::toggleTable(vtkMRMLNPSNetParameterNode* parameters)
{
  if (!isTableShown())
  {
    showTable(parameters);
  }
  else if (vtkMRMLLayoutNode* layout = layoutNode())
  {
    layout->SetViewArrangement(isPlotShown() ? int(PhotoPlot) : int(vtkMRMLLayoutNode::SlicerLayoutOneUpRedSliceView));
  }
}

void qNPSNetReviewLayout::togglePlot(vtkMRMLNPSNetParameterNode* parameters)
{
  if (!isPlotShown())
  {
    showPlot(parameters);
  }
  else if (vtkMRMLLayoutNode* layout = layoutNode())
  {
    layout->SetViewArrangement(
      isTableShown() ? int(PhotoTable) : int(vtkMRMLLayoutNode::SlicerLayoutOneUpRedSliceView));
  }
}
