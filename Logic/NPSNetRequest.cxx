// SPDX-License-Identifier: Apache-2.0
#include "NPSNetRequest.h"

#include "NPSNetFailure.h"
#include "NPSNetOutputs.h"
#include "vtkMRMLNPSNetParameterNode.h"
#include "vtkSlicerNPSNetSegmentationLogic.h"

#include "itkEyeLaterality.h"

#include <vtkMRMLMarkupsFiducialNode.h>
#include <vtkMRMLMarkupsROINode.h>
#include <vtkMRMLScene.h>
#include <vtkMRMLVolumeNode.h>

#include <vtksys/SystemTools.hxx>

#include <algorithm>
#include <cmath>
#include <limits>

namespace npsnet
{
using Code = vtkSlicerNPSNetSegmentationLogic;

namespace
{
/// Centre and side from ROI or anchor, whichever is given; the ROI counts when both are.
void ReadCenter(vtkMRMLNPSNetParameterNode* parameters, const PhotoGeometry& geometry, RunRequest& request)
{
  vtkMRMLVolumeNode* volume = parameters->GetInputVolumeNode();
  double world[3] = {0, 0, 0};
  vtkMRMLMarkupsROINode* roi = parameters->GetROINode();
  vtkMRMLMarkupsFiducialNode* anchor = parameters->GetAnchorNode();
  if (roi != nullptr && roi->GetNumberOfDefinedControlPoints() > 0)
  {
    roi->GetCenterWorld(world);
    double bounds[6];
    roi->GetRASBounds(bounds);
    // The box's corners, seen in the photo's plane.
    double lower[2] = {std::numeric_limits<double>::max(), std::numeric_limits<double>::max()};
    double upper[2] = {std::numeric_limits<double>::lowest(), std::numeric_limits<double>::lowest()};
    for (int corner = 0; corner < 8; ++corner)
    {
      const double point[3] = {bounds[corner & 1], bounds[2 + ((corner >> 1) & 1)], bounds[4 + (corner >> 2)]};
      const Point photo = WorldToPhoto(volume, geometry, point);
      for (int axis = 0; axis < 2; ++axis)
      {
        lower[axis] = std::min(lower[axis], photo[axis]);
        upper[axis] = std::max(upper[axis], photo[axis]);
      }
    }
    request.Options.Side = std::max(upper[0] - lower[0], upper[1] - lower[1]);
  }
  else if (anchor != nullptr && anchor->GetNumberOfDefinedControlPoints() > 0)
  {
    int first = 0;
    while (anchor->GetNthControlPointPositionStatus(first) != vtkMRMLMarkupsNode::PositionDefined)
    {
      ++first;
    }
    anchor->GetNthControlPointPositionWorld(first, world);
  }
  else
  {
    return;
  }
  const auto center = geometry.PointToIndex(WorldToPhoto(volume, geometry, world));
  if (!geometry.IsInside(center))
  {
    throw Failure(Code::InvalidParameter, "The given centre lies outside the photograph: move it or remove it.");
  }
  request.Options.Center = center;
}
} // namespace

vtkMRMLVolumeNode* CheckInput(vtkMRMLScene* scene, vtkMRMLNPSNetParameterNode* parameters)
{
  if (scene == nullptr)
  {
    throw Failure(Code::NoScene, "The logic has no scene: call SetMRMLScene() first.");
  }
  if (parameters == nullptr || parameters->GetScene() != scene)
  {
    throw Failure(Code::InvalidParameter, "The parameter node is not in the logic's scene: use AddParameterNode().");
  }
  vtkMRMLVolumeNode* volume = parameters->GetInputVolumeNode();
  if (volume == nullptr)
  {
    throw Failure(Code::InvalidPhoto, "There is no photograph: choose an input volume.");
  }
  return volume;
}

PhotoGeometry GetGeometry(vtkMRMLScene* scene, vtkMRMLNPSNetParameterNode* parameters)
{
  vtkMRMLVolumeNode* volume = CheckInput(scene, parameters);
  try
  {
    int orientation = parameters->GetOrientation();
    if (orientation == 0)
    {
      const unsigned stored = GetFileFacts(volume).Orientation;
      orientation = stored > 1 ? static_cast<int>(stored) : 0;
    }
    return PhotoGeometry(volume, orientation);
  }
  catch (const std::exception& exception)
  {
    throw Failure(Code::InvalidPhoto, exception.what());
  }
}

std::string GetDisplayName(vtkMRMLVolumeNode* volume)
{
  return volume->GetName() != nullptr && *volume->GetName() != '\0' ? volume->GetName() : "photo";
}

void ResolveEye(vtkMRMLNPSNetParameterNode* parameters, itk::FundusResult& result)
{
  if (parameters->GetEye() != vtkMRMLNPSNetParameterNode::EyeAuto)
  {
    const bool right = parameters->GetEye() == vtkMRMLNPSNetParameterNode::EyeRight;
    result.Eye = right ? itk::EyeSideEnum::OD : itk::EyeSideEnum::OS;
    result.EyeSource = itk::EyeSourceEnum::User;
    return;
  }
  vtkMRMLVolumeNode* volume = parameters->GetInputVolumeNode();
  const auto found = itk::DetermineEyeLaterality("auto", GetFileFacts(volume).DICOMLaterality, GetPhotoName(volume));
  if (found.Side != itk::EyeSideEnum::Unknown || result.EyeSource == itk::EyeSourceEnum::User)
  {
    result.Eye = found.Side;
    result.EyeSource = found.Source;
  }
}

double ResolveCalibration(
  vtkMRMLNPSNetParameterNode* parameters, const PhotoGeometry& geometry, itk::FundusResult& result)
{
  if (parameters->GetMicrometersPerPixel() > 0.0)
  {
    result.CalibrationSource = "user";
    return parameters->GetMicrometersPerPixel();
  }
  // Slicer gives a photo without calibration a spacing of 1 mm, and that of JPEG or TIFF is a print resolution.
  vtkMRMLVolumeNode* volume = parameters->GetInputVolumeNode();
  double calibration = GetFileFacts(volume).MicrometersPerPixel;
  if (calibration == 0.0 && volume->GetAttribute("DICOM.instanceUIDs") != nullptr &&
      std::abs(geometry.GetMillimetersPerPixel() - 1.0) > 1e-6)
  {
    calibration = 1000.0 * geometry.GetMillimetersPerPixel();
  }
  if (calibration > 0.0)
  {
    result.CalibrationSource = "dicom";
    return calibration;
  }
  result.CalibrationSource.clear();
  return 0.0;
}

RunRequest MakeRequest(
  vtkMRMLNPSNetParameterNode* parameters, const PhotoGeometry& geometry, const std::string& executable)
{
  vtkMRMLVolumeNode* volume = parameters->GetInputVolumeNode();
  RunRequest request;
  try
  {
    request.ReadPhotograph = PreparePhotograph(volume, geometry);
  }
  catch (const std::runtime_error& error)
  {
    throw Failure(Code::InvalidPhoto, error.what());
  }
  request.Options.Name = GetDisplayName(volume);
  ReadCenter(parameters, geometry, request);
  itk::FundusAnalyzerSettings& settings = request.Settings;
  settings.Set("tta", parameters->GetTTAMode());
  settings.Set("device", parameters->GetDevice());
  settings.Set("precision", parameters->GetPrecision());
  settings.Set("threads", std::to_string(parameters->GetNumberOfThreads()));
  settings.Set("max_megapixels", "2000");
  settings.ModelFile = parameters->GetModelFileName();
  if (!settings.ModelFile.empty() && !vtksys::SystemTools::FileExists(settings.ModelFile, true))
  {
    throw Failure(Code::ModelError, "The model file " + settings.ModelFile + " does not exist.");
  }
  settings.Locate = parameters->GetLocate() || request.Options.Center.has_value();
  request.InProcess = parameters->GetInProcess();
  if (!request.InProcess)
  {
    request.Executable = executable;
    if (!vtksys::SystemTools::FileExists(request.Executable, true))
    {
      throw Failure(
        Code::ExecutableMissing, "The command-line module NPSNetSegment was not found" +
                                   (request.Executable.empty() ? std::string() : " at " + request.Executable) +
                                   ": build it, name it with SetSegmentExecutable(), or run in process.");
    }
  }
  return request;
}
} // namespace npsnet
