// SPDX-License-Identifier: Apache-2.0
#ifndef NPSNetResult_h
#define NPSNetResult_h

#include "NPSNetMasks.h"
#include "NPSNetTables.h"

#include <string>

class vtkMRMLMarkupsClosedCurveNode;
class vtkMRMLNPSNetParameterNode;
class vtkMRMLSegmentationNode;

namespace npsnet
{
/// \name What a segmentation knows of its masks
/// Kept in the node's attributes, so that it is saved with the scene.
///@{
/// Remembers the masks just written: where they came from ("automatic", "fitted", "imported"), and what made them.
void Remember(vtkMRMLSegmentationNode* segmentation, const Masks& masks, const itk::NestedPolarBoundary* boundary,
  const itk::FundusResult& result, const std::string& origin);
/// State of the masks when they were last measured: their origin, or "edited".
std::string GetState(vtkMRMLSegmentationNode* segmentation);
/// JSON of the boundary they were written from; empty without.
std::string GetBoundary(vtkMRMLSegmentationNode* segmentation);
/// What the run that made them had found, with that boundary; status ok and nothing else of masks without a run.
itk::FundusResult GetResult(vtkMRMLSegmentationNode* segmentation);
///@}

/// All that is known of the masks, from themselves or, while they are untouched, from the boundary they came from.
Report MakeReport(vtkMRMLNPSNetParameterNode* parameters, const PhotoGeometry& geometry, const Masks& masks);

/// Rim and summary table, and the state of the segmentation.
void WriteTables(vtkMRMLNPSNetParameterNode* parameters, const Report& report);

/// Those curves whose mask has changed or that were dragged away from it; from the boundary when there is one.
void WriteCurves(vtkMRMLNPSNetParameterNode* parameters, const PhotoGeometry& geometry, const Masks& masks,
  const itk::NestedPolarBoundary* boundary);

vtkMRMLMarkupsClosedCurveNode* GetCurve(vtkMRMLNPSNetParameterNode* parameters, Structure structure);

/// Writes a dragged curve to its segment; the other segment makes room.
void ApplyCurve(vtkMRMLNPSNetParameterNode* parameters, const PhotoGeometry& geometry, Structure structure);
} // namespace npsnet

#endif
