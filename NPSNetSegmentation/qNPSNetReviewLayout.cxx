// SPDX-License-Identifier: Apache-2.0
#include "qNPSNetReviewLayout.h"

#include "vtkMRMLNPSNetParameterNode.h"

#include <qSlicerApplication.h>
#include <qSlicerLayoutManager.h>

#include <vtkMRMLDisplayableNode.h>
#include <vtkMRMLLayoutLogic.h>
#include <vtkMRMLLayoutNode.h>
#include <vtkMRMLMarkupsClosedCurveNode.h>
#include <vtkMRMLMarkupsFiducialNode.h>
#include <vtkMRMLMarkupsROINode.h>
#include <vtkMRMLPlotChartNode.h>
#include <vtkMRMLSegmentationNode.h>
#include <vtkMRMLSelectionNode.h>
#include <vtkMRMLTableNode.h>
#include <vtkMRMLVolumeNode.h>
#include <vtkSlicerApplicationLogic.h>

#include <initializer_list>
#include <string>

namespace
{
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

void select(vtkMRMLNPSNetParameterNode* parameters)
{
  vtkMRMLApplicationLogic* logic = qSlicerApplication::application()->applicationLogic();
  vtkMRMLSelectionNode* selection = logic->GetSelectionNode();
  if (vtkMRMLTableNode* table = parameters->GetRimTableNode())
  {
    selection->SetActiveTableID(table->GetID());
    logic->PropagateTableSelection();
  }
  if (vtkMRMLPlotChartNode* chart = parameters->GetChartNode())
  {
    selection->SetActivePlotChartID(chart->GetID());
    logic->PropagatePlotChartSelection();
  }
}
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
  }
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

void qNPSNetReviewLayout::showTable(vtkMRMLNPSNetParameterNode* parameters)
{
  vtkMRMLLayoutNode* layout = layoutNode();
  if (layout && parameters)
  {
    const int arrangement = layout->GetViewArrangement();
    const bool plot = arrangement == PhotoPlot || arrangement == PhotoPlotTable;
    layout->SetViewArrangement(plot ? PhotoPlotTable : PhotoTable);
    select(parameters);
  }
}

void qNPSNetReviewLayout::showPlot(vtkMRMLNPSNetParameterNode* parameters)
{
  vtkMRMLLayoutNode* layout = layoutNode();
  if (layout && parameters)
  {
    const int arrangement = layout->GetViewArrangement();
    const bool table = arrangement == PhotoTable || arrangement == PhotoPlotTable;
    layout->SetViewArrangement(table ? PhotoPlotTable : PhotoPlot);
    select(parameters);
  }
}
