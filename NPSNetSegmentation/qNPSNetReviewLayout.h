// SPDX-License-Identifier: Apache-2.0
#ifndef qNPSNetReviewLayout_h
#define qNPSNetReviewLayout_h

class vtkMRMLNPSNetParameterNode;

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
} // namespace qNPSNetReviewLayout

#endif
