// SPDX-License-Identifier: Apache-2.0
#ifndef NPSNetOutputs_h
#define NPSNetOutputs_h

#include "NPSNetMasks.h"
#include "itkEyeSide.h"

#include <limits>

class vtkMRMLNPSNetParameterNode;
class vtkMRMLMarkupsClosedCurveNode;
class vtkMRMLNode;
class vtkMRMLScene;
class vtkMRMLSegmentationNode;

namespace npsnet
{
/// Makes the output nodes that are missing, puts them under the photo in the subject hierarchy and under its
/// transform. A parameter node that was used for another photo gets the outputs it made for this one, or new ones:
/// results of one photo never overwrite those of another.
/// \param most how many nodes to make at the most: each keeps the application's node selectors and views busy.
/// \return whether nothing is missing any more.
bool EnsureOutputs(vtkMRMLNPSNetParameterNode* parameters, int most = std::numeric_limits<int>::max());

/// Makes a segment with name, colour and terminology when it is missing; only the eye is brought up to date otherwise.
/// \param expert in the colours of an expert's segments, which lie on the same photo.
void EnsureSegment(
  vtkMRMLSegmentationNode* segmentation, Structure structure, itk::EyeSideEnum eye, bool expert = false);

/// Points a segmentation at the photo: reference geometry, transform, display. For outputs and comparisons alike.
void PlaceSegmentation(vtkMRMLSegmentationNode* segmentation, vtkMRMLVolumeNode* volume);

void PutUnder(vtkMRMLNode* parent, vtkMRMLNode* child);

/// Control points at equal distances along an outline in photo coordinates; no points for an empty outline.
/// The curve is then in step with the mask of that fingerprint, and it was not dragged.
void WriteCurve(vtkMRMLMarkupsClosedCurveNode* curve, const Polygon& outline, int points, const PhotoGeometry& geometry,
  const std::string& maskFingerprint);
bool IsDragged(vtkMRMLMarkupsClosedCurveNode* curve);
bool IsInStep(vtkMRMLMarkupsClosedCurveNode* curve, const std::string& maskFingerprint);
void MarkInStep(vtkMRMLMarkupsClosedCurveNode* curve, const std::string& maskFingerprint);
/// The smooth curve in photo coordinates.
Polygon ReadCurve(vtkMRMLMarkupsClosedCurveNode* curve, vtkMRMLVolumeNode* volume, const PhotoGeometry& geometry);

/// World coordinates of a point of the photo and back; the volume's parent transform included.
void PhotoToWorld(vtkMRMLVolumeNode* volume, const PhotoGeometry& geometry, const Point& photo, double world[3]);
Point WorldToPhoto(vtkMRMLVolumeNode* volume, const PhotoGeometry& geometry, const double world[3]);
} // namespace npsnet

#endif
