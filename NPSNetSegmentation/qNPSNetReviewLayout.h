// SPDX-License-Identifier: Apache-2.0
#ifndef qNPSNetReviewLayout_h
#define qNPSNetReviewLayout_h

class vtkMRMLNPSNetParameterNode;
class vtkSlicerNPSNetSegmentationLogic;

/// \brief View layouts for photos: the photo alone, or beside its rim plot and rim table.
namespace qNPSNetReviewLayout
{
/// Photo as large as it gets, in the red slice view.
void showPhoto(vtkMRMLNPSNetParameterNode* parameters);
/// Shows or hides what lies on the photo, or will after its run: segments, curves, centre.
void setResultsVisible(vtkMRMLNPSNetParameterNode* parameters, bool visible);
/// Adds the rim table to what is shown.
void showTable(vtkMRMLNPSNetParameterNode* parameters);
/// Adds the rim plot to what is shown.
void showPlot(vtkMRMLNPSNetParameterNode* parameters);
/// The same, or takes it away again when it is shown.
void toggleTable(vtkMRMLNPSNetParameterNode* parameters);
void togglePlot(vtkMRMLNPSNetParameterNode* parameters);
bool isTableShown();
bool isPlotShown();
void hideTableAndPlot();
/// Views with results of this module show those of this photo from now on, or nothing when it has none.
void follow(vtkMRMLNPSNetParameterNode* parameters);

/// The red view shows the whole photo, or the disc in the middle third; false without a disc.
void showWhole(vtkMRMLNPSNetParameterNode* parameters);
bool showDisc(vtkSlicerNPSNetSegmentationLogic* logic, vtkMRMLNPSNetParameterNode* parameters);
void toggleDisc(vtkSlicerNPSNetSegmentationLogic* logic, vtkMRMLNPSNetParameterNode* parameters);
/// What was shown last, whole or disc, in a view that has another size now.
void fitAgain(vtkSlicerNPSNetSegmentationLogic* logic, vtkMRMLNPSNetParameterNode* parameters);
} // namespace qNPSNetReviewLayout

#endif
