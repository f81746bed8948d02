// SPDX-License-Identifier: Apache-2.0
#ifndef NPSNetRequest_h
#define NPSNetRequest_h

#include "NPSNetPhoto.h"
#include "NPSNetRun.h"

#include <string>

class vtkMRMLNPSNetParameterNode;
class vtkMRMLScene;
class vtkMRMLVolumeNode;

namespace npsnet
{
/// \name What a parameter node asks for
/// All throw Failure with one sentence when it makes no sense.
///@{
/// The photo of a parameter node that is in the scene.
vtkMRMLVolumeNode* CheckInput(vtkMRMLScene* scene, vtkMRMLNPSNetParameterNode* parameters);
/// Its geometry, in the orientation that the node says, else the photo's file.
PhotoGeometry GetGeometry(vtkMRMLScene* scene, vtkMRMLNPSNetParameterNode* parameters);
/// Name of the photo, also of one without.
std::string GetDisplayName(vtkMRMLVolumeNode* volume);
/// User, else DICOM, else file name; what an earlier run had found counts when nothing else is known.
void ResolveEye(vtkMRMLNPSNetParameterNode* parameters, itk::FundusResult& result);
/// Micrometres per photo pixel and where they are from; 0 when unknown.
double ResolveCalibration(
  vtkMRMLNPSNetParameterNode* parameters, const PhotoGeometry& geometry, itk::FundusResult& result);
/// Everything for a run. The executable counts when the node does not say InProcess.
RunRequest MakeRequest(
  vtkMRMLNPSNetParameterNode* parameters, const PhotoGeometry& geometry, const std::string& executable);
///@}
} // namespace npsnet

#endif
