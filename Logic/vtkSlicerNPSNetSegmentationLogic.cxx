#include "vtkSlicerNPSNetSegmentationLogic.h"

#include "NPSNetFit.h"
#include "NPSNetMasks.h"
#include "NPSNetOutputs.h"
#include "NPSNetPhoto.h"
#include "NPSNetProvenance.h"
#include "NPSNetResources.h"
#include "NPSNetRun.h"
#include "NPSNetTables.h"
#include "vtkMRMLNPSNetParameterNode.h"

#include "itkEyeLaterality.h"
#include "itkFundusResultWriter.h"
#include "itkRegularizeNestedPolarBoundary.h"
#include "itkRimMeasurementCalculator.h"

#include <vtkBinaryLabelmapToClosedSurfaceConversionRule.h>
#include <vtkClosedSurfaceToBinaryLabelmapConversionRule.h>
#include <vtkMRMLMarkupsClosedCurveNode.h>
#include <vtkMRMLMarkupsDisplayNode.h>
#include <vtkMRMLMarkupsFiducialDisplayNode.h>
#include <vtkMRMLMarkupsFiducialNode.h>
#include <vtkMRMLMarkupsJsonStorageNode.h>
#include <vtkMRMLMarkupsROIDisplayNode.h>
#include <vtkMRMLMarkupsROIJsonStorageNode.h>
#include <vtkMRMLMarkupsROINode.h>
#include <vtkMRMLPlotChartNode.h>
#include <vtkMRMLPlotSeriesNode.h>
#include <vtkMRMLScalarVolumeNode.h>
#include <vtkMRMLScene.h>
#include <vtkMRMLSegmentationDisplayNode.h>
#include <vtkMRMLSegmentationNode.h>
#include <vtkMRMLSegmentationStorageNode.h>
#include <vtkMRMLTableNode.h>
#include <vtkSegment.h>
#include <vtkSegmentation.h>
#include <vtkSegmentationConverterFactory.h>
#include <vtkSegmentationHistory.h>
#include <vtkSlicerApplicationLogic.h>
#include <vtkSlicerTerminologiesModuleLogic.h>

#include <vtkCallbackCommand.h>
#include <vtkImageData.h>
#include <vtkIntArray.h>
#include <vtkObjectFactory.h>
#include <vtkPointData.h>
#include <vtkSmartPointer.h>
#include <vtkStringArray.h>
#include <vtkTable.h>
#include <vtkWeakPointer.h>
#include <vtksys/SystemTools.hxx>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <thread>

using npsnet::Masks;
using npsnet::PhotoGeometry;
using npsnet::Structure;

namespace
{
const char* StateAttribute = "NPSNet.State";             // what the masks are now
const char* OriginAttribute = "NPSNet.Origin";           // what they were when they were last written
const char* FingerprintAttribute = "NPSNet.Fingerprint"; // of the masks that were last written
const char* BoundaryAttribute = "NPSNet.Boundary";
const char* ProvenanceAttribute = "NPSNet.Provenance";

std::string GetAttribute(vtkMRMLNode* node, const char* name)
{
  const char* value = node != nullptr ? node->GetAttribute(name) : nullptr;
  return value != nullptr ? value : "";
}

void ReadProvenance(vtkMRMLSegmentationNode* segmentation, itk::FundusResult& result)
{
  const std::string text = GetAttribute(segmentation, ProvenanceAttribute);
  if (!text.empty())
  {
    npsnet::ReadMetrics(text, result);
  }
}

/// A failure with its code; only the methods of the logic catch it.
class Failure : public std::runtime_error
{
public:
  Failure(int code, const std::string& message)
      : std::runtime_error(message)
      , Code(code)
  {
  }
  int Code;
};
} // namespace

vtkStandardNewMacro(vtkSlicerNPSNetSegmentationLogic);

//----------------------------------------------------------------------------
class vtkSlicerNPSNetSegmentationLogic::vtkInternal
{
public:
  explicit vtkInternal(vtkSlicerNPSNetSegmentationLogic* external)
      : External(external)
  {
    this->NewsCallback->SetClientData(external);
    this->NewsCallback->SetCallback([](vtkObject*, unsigned long, void* logic, void*)
      { static_cast<vtkSlicerNPSNetSegmentationLogic*>(logic)->ProcessRuns(); });
    this->News->AddObserver(vtkCommand::ModifiedEvent, this->NewsCallback);
  }

  ~vtkInternal()
  {
    this->Runs.clear();
    this->News->RemoveAllObservers(); // an application logic may still hold it
  }

  /// Calls f and turns whatever it throws into a return code and a sentence.
  template <typename F> int Try(int defaultCode, F f)
  {
    try
    {
      f();
      this->LastMessage.clear();
      return Success;
    }
    catch (const Failure& failure)
    {
      this->LastMessage = failure.what();
      return failure.Code;
    }
    catch (const itk::ExceptionObject& exception)
    {
      this->LastMessage = exception.GetDescription();
    }
    catch (const std::exception& exception)
    {
      this->LastMessage = exception.what();
    }
    return defaultCode;
  }

  /// Throws unless the parameter node is in this logic's scene and has a photo.
  vtkMRMLVolumeNode* CheckInput(vtkMRMLNPSNetParameterNode* parameters)
  {
    if (this->External->GetMRMLScene() == nullptr)
    {
      throw Failure(NoScene, "The logic has no scene: call SetMRMLScene() first.");
    }
    if (parameters == nullptr || parameters->GetScene() != this->External->GetMRMLScene())
    {
      throw Failure(InvalidParameter, "The parameter node is not in the logic's scene: use AddParameterNode().");
    }
    vtkMRMLVolumeNode* volume = parameters->GetInputVolumeNode();
    if (volume == nullptr)
    {
      throw Failure(InvalidPhoto, "There is no photograph: choose an input volume.");
    }
    return volume;
  }

  PhotoGeometry GetGeometry(vtkMRMLNPSNetParameterNode* parameters)
  {
    vtkMRMLVolumeNode* volume = this->CheckInput(parameters);
    try
    {
      int orientation = parameters->GetOrientation();
      if (orientation == 0)
      {
        const unsigned stored = npsnet::GetFileFacts(volume).Orientation;
        orientation = stored > 1 ? static_cast<int>(stored) : 0;
      }
      return PhotoGeometry(volume, orientation);
    }
    catch (const std::exception& exception)
    {
      throw Failure(InvalidPhoto, exception.what());
    }
  }

  static std::string GetName(vtkMRMLVolumeNode* volume)
  {
    return volume->GetName() != nullptr && *volume->GetName() != '\0' ? volume->GetName() : "photo";
  }

  /// User, else DICOM, else file name; what an earlier run had found counts when nothing else is known.
  static void ResolveEye(vtkMRMLNPSNetParameterNode* parameters, itk::FundusResult& result)
  {
    if (parameters->GetEye() != vtkMRMLNPSNetParameterNode::EyeAuto)
    {
      const bool right = parameters->GetEye() == vtkMRMLNPSNetParameterNode::EyeRight;
      result.Eye = right ? itk::EyeSideEnum::OD : itk::EyeSideEnum::OS;
      result.EyeSource = itk::EyeSourceEnum::User;
      return;
    }
    vtkMRMLVolumeNode* volume = parameters->GetInputVolumeNode();
    const auto found =
      itk::DetermineEyeLaterality("auto", npsnet::GetFileFacts(volume).DICOMLaterality, npsnet::GetPhotoName(volume));
    if (found.Side != itk::EyeSideEnum::Unknown || result.EyeSource == itk::EyeSourceEnum::User)
    {
      result.Eye = found.Side;
      result.EyeSource = found.Source;
    }
  }

  /// Micrometres per photo pixel and where they are from; 0 when unknown.
  static double ResolveCalibration(
    vtkMRMLNPSNetParameterNode* parameters, const PhotoGeometry& geometry, itk::FundusResult& result)
  {
    if (parameters->GetMicrometersPerPixel() > 0.0)
    {
      result.CalibrationSource = "user";
      return parameters->GetMicrometersPerPixel();
    }
    // Slicer gives a photo without calibration a spacing of 1 mm, and that of JPEG or TIFF is a print resolution.
    vtkMRMLVolumeNode* volume = parameters->GetInputVolumeNode();
    double calibration = npsnet::GetFileFacts(volume).MicrometersPerPixel;
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

  itk::RimMeasurementCalculator::Pointer MakeCalculator(
    vtkMRMLNPSNetParameterNode* parameters, const PhotoGeometry& geometry, itk::FundusResult& result)
  {
    auto calculator = itk::RimMeasurementCalculator::New();
    calculator->SetPhotograph(npsnet::MakeRaster(geometry));
    calculator->SetEye(result.Eye);
    calculator->SetMicrometersPerPixel(ResolveCalibration(parameters, geometry, result));
    return calculator;
  }

  void SaveState(vtkMRMLSegmentationNode* segmentation)
  {
    if (this->External->SaveStateForUndo)
    {
      this->External->GetSegmentationHistory(segmentation)->SaveState();
    }
  }

  /// Writes segments, then everything that follows from them. One undo state.
  void WriteSegments(vtkMRMLNPSNetParameterNode* parameters, const PhotoGeometry& geometry, const Masks& masks,
    const itk::NestedPolarBoundary* boundary, const itk::FundusResult& result, const std::string& state)
  {
    npsnet::EnsureOutputs(parameters);
    this->WriteMasks(parameters, geometry, masks, boundary, result, state);
    this->WriteMeasurements(parameters, geometry, masks);
  }

  void WriteMasks(vtkMRMLNPSNetParameterNode* parameters, const PhotoGeometry& geometry, const Masks& masks,
    const itk::NestedPolarBoundary* boundary, const itk::FundusResult& result, const std::string& state)
  {
    vtkMRMLSegmentationNode* segmentation = parameters->GetSegmentationNode();
    this->SaveState(segmentation);
    const UpdateGuard guard(this);
    for (const Structure structure : {Structure::Disc, Structure::Cup})
    {
      npsnet::EnsureSegment(segmentation, structure, result.Eye);
      npsnet::WriteMask(
        segmentation, npsnet::FindSegment(segmentation->GetSegmentation(), structure), masks, structure, geometry);
    }
    const MRMLNodeModifyBlocker blocker(segmentation);
    segmentation->SetAttribute(OriginAttribute, state.c_str());
    segmentation->SetAttribute(FingerprintAttribute, npsnet::GetFingerprint(masks).c_str());
    segmentation->SetAttribute(BoundaryAttribute, boundary != nullptr ? boundary->ToJSON().c_str() : nullptr);
    segmentation->SetAttribute(ProvenanceAttribute, npsnet::GetProvenance(result).c_str());
  }

  /// All that is known of the masks, from themselves or, while nobody touched them, from the boundary they came from.
  npsnet::Report MakeReport(vtkMRMLNPSNetParameterNode* parameters, const PhotoGeometry& geometry, const Masks& masks)
  {
    vtkMRMLVolumeNode* volume = parameters->GetInputVolumeNode();
    vtkMRMLSegmentationNode* segmentation = parameters->GetSegmentationNode();
    const std::string json = GetAttribute(segmentation, BoundaryAttribute);
    itk::NestedPolarBoundary::Pointer boundary;
    if (!json.empty())
    {
      boundary = itk::NestedPolarBoundary::FromJSON(json);
    }
    const bool untouched = npsnet::GetFingerprint(masks) == GetAttribute(segmentation, FingerprintAttribute);

    npsnet::Report report;
    itk::FundusResult& result = report.Result;
    result.Status = itk::FundusStatusEnum::Ok;
    ReadProvenance(segmentation, result);
    result.Name = GetName(volume);
    result.InputFileName = npsnet::GetPhotoName(volume);
    ResolveEye(parameters, result);
    const auto calculator = this->MakeCalculator(parameters, geometry, result);
    report.State = untouched ? GetAttribute(segmentation, OriginAttribute) : "edited";
    if (untouched && boundary)
    {
      result.Boundary = boundary;
      result.Measurements = calculator->Compute(boundary);
    }
    else
    {
      result.Boundary = nullptr;
      result.Measurements = calculator->Compute(masks.Disc, masks.Cup);
      if (boundary)
      {
        report.Automatic = calculator->Compute(boundary);
      }
    }
    if (vtkMRMLSegmentationNode* expert = parameters->GetComparisonSegmentationNode())
    {
      const Masks expertMasks = npsnet::ReadMasks(expert, volume, geometry);
      if (!npsnet::IsEmpty(expertMasks.Disc))
      {
        report.Expert = calculator->Compute(expertMasks.Disc, expertMasks.Cup);
      }
    }
    return report;
  }

  /// Tables, chart and those curves whose mask has changed.
  void WriteMeasurements(vtkMRMLNPSNetParameterNode* parameters, const PhotoGeometry& geometry, const Masks& masks)
  {
    const npsnet::Report report = this->MakeReport(parameters, geometry, masks);
    const UpdateGuard guard(this);
    WriteTables(parameters, report);
    npsnet::WriteChart(report, parameters->GetRimTableNode(), parameters->GetChartNode());
    WriteCurves(parameters, geometry, masks, report.Result.Boundary);
    this->External->InvokeEvent(MeasurementsUpdatedEvent, parameters);
  }

  static void WriteTables(vtkMRMLNPSNetParameterNode* parameters, const npsnet::Report& report)
  {
    parameters->GetSegmentationNode()->SetAttribute(StateAttribute, report.State.c_str());
    npsnet::WriteRimTable(report, parameters->GetRimTableNode());
    npsnet::WriteSummaryTable(report, parameters->GetSummaryTableNode());
  }

  static void WriteCurves(vtkMRMLNPSNetParameterNode* parameters, const PhotoGeometry& geometry, const Masks& masks,
    const itk::NestedPolarBoundary* boundary)
  {
    for (const Structure structure : {Structure::Disc, Structure::Cup})
    {
      vtkMRMLMarkupsClosedCurveNode* curve = GetCurve(parameters, structure);
      const std::string fingerprint = npsnet::GetFingerprint(masks, structure);
      if (curve == nullptr || npsnet::IsInStep(curve, fingerprint))
      {
        continue;
      }
      npsnet::Polygon outline;
      if (boundary != nullptr)
      {
        const bool disc = structure == Structure::Disc;
        if (!(disc ? boundary->IsDiscEmpty() : boundary->IsCupEmpty()))
        {
          for (const auto& point : disc ? boundary->GetDiscContour() : boundary->GetCupContour())
          {
            outline.push_back({{point[0], point[1]}});
          }
        }
      }
      else
      {
        outline = npsnet::TraceOutline(masks.Get(structure));
      }
      npsnet::WriteCurve(curve, outline, parameters->GetNumberOfCurvePoints(), geometry, fingerprint);
    }
  }

  static vtkMRMLMarkupsClosedCurveNode* GetCurve(vtkMRMLNPSNetParameterNode* parameters, Structure structure)
  {
    return structure == Structure::Disc ? parameters->GetDiscCurveNode() : parameters->GetCupCurveNode();
  }

  /// Writes dragged curves to their segments; one undo state.
  void ApplyDraggedCurves(vtkMRMLNPSNetParameterNode* parameters, const PhotoGeometry& geometry)
  {
    vtkMRMLSegmentationNode* segmentation = parameters->GetSegmentationNode();
    bool saved = false;
    for (const Structure structure : {Structure::Disc, Structure::Cup})
    {
      vtkMRMLMarkupsClosedCurveNode* curve = GetCurve(parameters, structure);
      if (!npsnet::IsDragged(curve))
      {
        continue;
      }
      if (!saved)
      {
        this->SaveState(segmentation);
        saved = true;
      }
      const UpdateGuard guard(this);
      const npsnet::Polygon polygon = npsnet::ReadCurve(curve, parameters->GetInputVolumeNode(), geometry);
      const Masks masks = npsnet::MakeMasksAround(polygon, geometry);
      npsnet::FillPolygon(polygon, geometry, masks, masks.Get(structure));
      const std::string id = npsnet::FindSegment(segmentation->GetSegmentation(), structure);
      npsnet::WriteMask(segmentation, id, masks, structure, geometry);
      npsnet::MarkInStep(curve, npsnet::GetFingerprint(masks, structure));
      npsnet::EnforceNesting(segmentation, structure);
    }
  }

  /// Throws unless there is a disc to measure.
  static void CheckSegments(vtkMRMLNPSNetParameterNode* parameters)
  {
    vtkMRMLSegmentationNode* segmentation = parameters->GetSegmentationNode();
    if (segmentation == nullptr || npsnet::FindSegment(segmentation->GetSegmentation(), Structure::Disc).empty())
    {
      throw Failure(NoSegments, "There is no segment \"Optic disc\" to measure: segment the photograph first.");
    }
  }

  npsnet::RunRequest MakeRequest(vtkMRMLNPSNetParameterNode* parameters, const PhotoGeometry& geometry)
  {
    vtkMRMLVolumeNode* volume = parameters->GetInputVolumeNode();
    npsnet::RunRequest request;
    try
    {
      request.Photograph = npsnet::MakePhotograph(volume, geometry);
    }
    catch (const std::runtime_error& error)
    {
      throw Failure(InvalidPhoto, error.what());
    }
    request.Name = GetName(volume);
    itk::FundusResult known;
    ResolveEye(parameters, known);
    request.Eye = known.Eye;
    request.EyeSource = known.EyeSource;
    request.MicrometersPerPixel = ResolveCalibration(parameters, geometry, known);
    request.CalibrationSource = known.CalibrationSource;
    this->ReadCenter(parameters, geometry, request);
    request.TTAMode = parameters->GetTTAMode();
    request.Device = parameters->GetDevice();
    request.Precision = parameters->GetPrecision();
    request.ModelFileName = parameters->GetModelFileName();
    if (!request.ModelFileName.empty() && !vtksys::SystemTools::FileExists(request.ModelFileName, true))
    {
      throw Failure(ModelError, "The model file " + request.ModelFileName + " does not exist.");
    }
    // Where both the analyzer and its command-line module look for the default models.
    if (!vtksys::SystemTools::HasEnv("NPSNET_RESOURCES_DIR"))
    {
      vtksys::SystemTools::PutEnv("NPSNET_RESOURCES_DIR=" + this->External->GetResourcesDirectory());
    }
    request.Locate = parameters->GetLocate();
    request.NumberOfThreads = parameters->GetNumberOfThreads();
    request.InProcess = parameters->GetInProcess();
    if (!request.InProcess)
    {
      request.Executable = this->External->GetSegmentExecutable();
      if (!vtksys::SystemTools::FileExists(request.Executable, true))
      {
        throw Failure(ExecutableMissing, "The command-line module NPSNetSegment was not found" +
                                           (request.Executable.empty() ? std::string() : " at " + request.Executable) +
                                           ": build it, name it with SetSegmentExecutable(), or run in process.");
      }
    }
    return request;
  }

  /// Centre and side from ROI or anchor, whichever is given; the ROI counts when both are.
  void ReadCenter(vtkMRMLNPSNetParameterNode* parameters, const PhotoGeometry& geometry, npsnet::RunRequest& request)
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
        double photo[2];
        npsnet::WorldToPhoto(volume, geometry, point, photo);
        for (int axis = 0; axis < 2; ++axis)
        {
          lower[axis] = std::min(lower[axis], photo[axis]);
          upper[axis] = std::max(upper[axis], photo[axis]);
        }
      }
      request.CropSide = std::max(upper[0] - lower[0], upper[1] - lower[1]);
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
    std::array<double, 2> center{};
    npsnet::WorldToPhoto(volume, geometry, world, center.data());
    const auto size = geometry.GetUprightSize();
    for (int axis = 0; axis < 2; ++axis)
    {
      if (center[axis] < -0.5 || center[axis] > size[axis] * geometry.GetUprightSpacing()[axis] - 0.5)
      {
        throw Failure(InvalidParameter, "The given centre lies outside the photograph: move it or remove it.");
      }
    }
    request.Center = center;
  }

  /// The views wait as long as it lives: to keep their frame rate they would draw in the midst of what is written.
  class RenderPause
  {
  public:
    explicit RenderPause(vtkSlicerApplicationLogic* application)
        : Application(application)
    {
      if (this->Application)
      {
        this->Application->PauseRender();
      }
    }
    ~RenderPause()
    {
      if (this->Application)
      {
        this->Application->ResumeRender();
      }
    }
    RenderPause(const RenderPause&) = delete;
    RenderPause& operator=(const RenderPause&) = delete;

  private:
    vtkWeakPointer<vtkSlicerApplicationLogic> Application;
  };

  /// A run, and how far its results have been put into the scene.
  struct ActiveRun
  {
    ActiveRun(vtkMRMLVolumeNode* photo, PhotoGeometry geometry)
        : Photo(photo)
        , Geometry(std::move(geometry))
    {
    }
    vtkWeakPointer<vtkMRMLVolumeNode> Photo;
    PhotoGeometry Geometry;
    Masks Prepared; // by the run's thread
    enum
    {
      Outputs,
      Segments,
      Tables,
      Chart,
      Curves,
      Views,
      News
    } Next{Outputs};
    std::unique_ptr<RenderPause> Pause;
    std::array<vtkMTimeType, 2> Written{};
    npsnet::Report Report;
    std::unique_ptr<npsnet::Run> Computation; // last: its thread writes Prepared
  };

  /// When the label maps of disc and cup were last modified.
  static std::array<vtkMTimeType, 2> GetTimes(vtkMRMLSegmentationNode* segmentation)
  {
    std::array<vtkMTimeType, 2> times{};
    for (const Structure structure : {Structure::Disc, Structure::Cup})
    {
      vtkSegment* segment =
        segmentation->GetSegmentation()->GetSegment(npsnet::FindSegment(segmentation->GetSegmentation(), structure));
      vtkDataObject* labelmap =
        segment != nullptr
          ? segment->GetRepresentation(vtkSegmentationConverter::GetSegmentationBinaryLabelmapRepresentationName())
          : nullptr;
      times[structure == Structure::Disc ? 0 : 1] = labelmap != nullptr ? labelmap->GetMTime() : 0;
    }
    return times;
  }

  /// The next part of a run's results, as much as a user interface can bear in one turn of its event loop; true after
  /// the last part. Segments and tables are out of step in between, and IsRunning() is true as long.
  bool WritePart(vtkMRMLNPSNetParameterNode* parameters, ActiveRun& run)
  {
    const itk::FundusResult& result = run.Computation->GetOutcome().Result;
    if (result.Boundary.IsNull())
    {
      throw Failure(
        DiscNotFound, result.Message.empty() ? "No optic disc was found: give its centre." : result.Message);
    }
    const PhotoGeometry geometry = this->GetGeometry(parameters);
    if (parameters->GetInputVolumeNode() != run.Photo || geometry.GetUprightSize() != run.Geometry.GetUprightSize() ||
        geometry.GetUprightSpacing() != run.Geometry.GetUprightSpacing() ||
        geometry.GetOrientation() != run.Geometry.GetOrientation())
    {
      throw Failure(InvalidPhoto, "The photograph was changed while it was being segmented: apply again.");
    }
    if (parameters->GetSegmentationNode() == nullptr || parameters->GetRimTableNode() == nullptr ||
        parameters->GetSummaryTableNode() == nullptr || parameters->GetChartNode() == nullptr)
    {
      run.Next = ActiveRun::Outputs; // none yet, or one was removed since
    }
    if (run.Next > ActiveRun::Segments && GetTimes(parameters->GetSegmentationNode()) != run.Written)
    {
      // Somebody was faster and has edited the segments.
      this->WriteMeasurements(
        parameters, geometry, npsnet::ReadMasks(parameters->GetSegmentationNode(), run.Photo, geometry));
      return true;
    }
    if (!run.Pause && run.Next < ActiveRun::Views)
    {
      run.Pause = std::make_unique<RenderPause>(this->External->GetApplicationLogic());
    }
    const UpdateGuard guard(this);
    switch (run.Next)
    {
    case ActiveRun::Outputs:
      run.Next = npsnet::EnsureOutputs(parameters, 1) ? ActiveRun::Segments : ActiveRun::Outputs;
      return false;
    case ActiveRun::Segments:
      this->WriteMasks(parameters, geometry, run.Prepared, result.Boundary, result, "automatic");
      run.Written = GetTimes(parameters->GetSegmentationNode());
      run.Next = ActiveRun::Tables;
      return false;
    case ActiveRun::Tables:
      run.Report = this->MakeReport(parameters, geometry, run.Prepared);
      WriteTables(parameters, run.Report);
      run.Next = ActiveRun::Chart;
      return false;
    case ActiveRun::Chart:
      run.Next = npsnet::WriteChart(run.Report, parameters->GetRimTableNode(), parameters->GetChartNode(), 1)
                   ? ActiveRun::Curves
                   : ActiveRun::Chart;
      return false;
    case ActiveRun::Curves:
      WriteCurves(parameters, geometry, run.Prepared, run.Report.Result.Boundary);
      run.Next = ActiveRun::Views;
      return false;
    case ActiveRun::Views:
      run.Pause.reset();
      run.Next = ActiveRun::News;
      return false;
    default:
      this->External->InvokeEvent(MeasurementsUpdatedEvent, parameters);
      return true;
    }
  }

  /// Writes the next part of a finished run's results and tells when it was the last one.
  void FinishRun(vtkMRMLNPSNetParameterNode* parameters)
  {
    using Node = vtkMRMLNPSNetParameterNode;
    const std::shared_ptr<ActiveRun> run = this->Runs[parameters]; // an observer may remove the node
    const npsnet::RunOutcome& outcome = run->Computation->GetOutcome();
    int code = outcome.Code;
    std::string message = outcome.Message;
    if (code == Success)
    {
      bool last = true;
      code = this->Try(RunFailed, [&] { last = this->WritePart(parameters, *run); });
      const auto found = this->Runs.find(parameters);
      if (found == this->Runs.end() || found->second != run)
      {
        return;
      }
      if (!last)
      {
        this->AskForTurn();
        return;
      }
      message = code == Success ? outcome.Result.Message : this->LastMessage;
    }
    this->Runs.erase(parameters);
    this->LastMessage = message;
    this->LastCodes[parameters] = code;
    if (code == Success)
    {
      parameters->SetRunState(Node::Completed, message, 1.0);
      this->External->InvokeEvent(RunCompletedEvent, parameters);
    }
    else if (code == RunCancelled)
    {
      parameters->SetRunState(Node::Cancelled, message, 0.0);
      this->External->InvokeEvent(RunCancelledEvent, parameters);
    }
    else
    {
      parameters->SetRunState(Node::Failed, message, 0.0);
      this->External->InvokeEvent(RunFailedEvent, parameters);
    }
  }

  /// ProcessRuns() is called soon, from the event loop of the application if it has one.
  void AskForTurn()
  {
    if (vtkSlicerApplicationLogic* application = this->External->GetApplicationLogic())
    {
      application->RequestModified(this->News);
    }
  }

  int RestoreState(vtkMRMLNPSNetParameterNode* parameters, bool (vtkSegmentationHistory::*available)(),
    bool (vtkSegmentationHistory::*restore)(), const char* nothing)
  {
    return this->Try(InvalidParameter,
      [&]
      {
        this->CheckInput(parameters);
        vtkMRMLSegmentationNode* segmentation = parameters->GetSegmentationNode();
        vtkSegmentationHistory* history = this->External->GetSegmentationHistory(segmentation);
        if (history == nullptr || !(history->*available)())
        {
          throw Failure(NothingToUndo, nothing);
        }
        const UpdateGuard guard(this);
        (history->*restore)();
        const PhotoGeometry geometry = this->GetGeometry(parameters);
        this->WriteMeasurements(
          parameters, geometry, npsnet::ReadMasks(segmentation, parameters->GetInputVolumeNode(), geometry));
      });
  }

  /// Ignores the events of our own writing.
  class UpdateGuard
  {
  public:
    explicit UpdateGuard(vtkInternal* internal)
        : Internal(internal)
    {
      ++this->Internal->Updating;
    }
    ~UpdateGuard() { --this->Internal->Updating; }
    UpdateGuard(const UpdateGuard&) = delete;
    UpdateGuard& operator=(const UpdateGuard&) = delete;

  private:
    vtkInternal* Internal;
  };

  vtkSlicerNPSNetSegmentationLogic* External;
  std::string LastMessage;
  std::string ResourcesDirectory;
  std::string Executable;
  int Updating{0};
  std::map<vtkMRMLSegmentationNode*, vtkSmartPointer<vtkSegmentationHistory>> Histories;
  std::map<vtkMRMLNPSNetParameterNode*, std::shared_ptr<ActiveRun>> Runs;
  std::map<vtkMRMLNPSNetParameterNode*, int> LastCodes;
  std::set<vtkMRMLNode*> Observed;
  /// Modified by an application logic in the main thread when a run has news.
  vtkNew<vtkObject> News;
  vtkNew<vtkCallbackCommand> NewsCallback;
};

//----------------------------------------------------------------------------
vtkSlicerNPSNetSegmentationLogic::vtkSlicerNPSNetSegmentationLogic()
    : Internal(new vtkInternal(this))
{
}

vtkSlicerNPSNetSegmentationLogic::~vtkSlicerNPSNetSegmentationLogic() = default;

void vtkSlicerNPSNetSegmentationLogic::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "SaveStateForUndo: " << this->SaveStateForUndo << "\n";
  os << indent << "ResourcesDirectory: " << this->GetResourcesDirectory() << "\n";
  os << indent << "SegmentExecutable: " << this->GetSegmentExecutable() << "\n";
  os << indent << "Runs: " << this->Internal->Runs.size() << "\n";
  os << indent << "LastMessage: " << this->Internal->LastMessage << "\n";
}

const std::string& vtkSlicerNPSNetSegmentationLogic::GetLastMessage() const
{
  return this->Internal->LastMessage;
}

//----------------------------------------------------------------------------
// Scene

void vtkSlicerNPSNetSegmentationLogic::SetMRMLSceneInternal(vtkMRMLScene* newScene)
{
  vtkNew<vtkIntArray> events;
  for (const int event :
    {int(vtkMRMLScene::NodeAddedEvent), int(vtkMRMLScene::NodeRemovedEvent), int(vtkMRMLScene::EndBatchProcessEvent)})
  {
    events->InsertNextValue(event);
  }
  this->SetAndObserveMRMLSceneEventsInternal(newScene, events);
  this->RegisterTerminology();
}

void vtkSlicerNPSNetSegmentationLogic::RegisterNodes()
{
  // Inside Slicer the modules Segmentations and Markups register theirs; a script may have none of them.
  const auto registerNode = [this](const char* name, auto* node)
  {
    if (!this->GetMRMLScene()->IsNodeClassRegistered(name))
    {
      this->GetMRMLScene()->RegisterNodeClass(node);
    }
  };
  registerNode("vtkMRMLNPSNetParameterNode", vtkNew<vtkMRMLNPSNetParameterNode>().Get());
  registerNode("vtkMRMLSegmentationNode", vtkNew<vtkMRMLSegmentationNode>().Get());
  registerNode("vtkMRMLSegmentationDisplayNode", vtkNew<vtkMRMLSegmentationDisplayNode>().Get());
  registerNode("vtkMRMLSegmentationStorageNode", vtkNew<vtkMRMLSegmentationStorageNode>().Get());
  registerNode("vtkMRMLMarkupsClosedCurveNode", vtkNew<vtkMRMLMarkupsClosedCurveNode>().Get());
  registerNode("vtkMRMLMarkupsFiducialNode", vtkNew<vtkMRMLMarkupsFiducialNode>().Get());
  registerNode("vtkMRMLMarkupsROINode", vtkNew<vtkMRMLMarkupsROINode>().Get());
  registerNode("vtkMRMLMarkupsDisplayNode", vtkNew<vtkMRMLMarkupsDisplayNode>().Get());
  registerNode("vtkMRMLMarkupsFiducialDisplayNode", vtkNew<vtkMRMLMarkupsFiducialDisplayNode>().Get());
  registerNode("vtkMRMLMarkupsROIDisplayNode", vtkNew<vtkMRMLMarkupsROIDisplayNode>().Get());
  registerNode("vtkMRMLMarkupsJsonStorageNode", vtkNew<vtkMRMLMarkupsJsonStorageNode>().Get());
  registerNode("vtkMRMLMarkupsROIJsonStorageNode", vtkNew<vtkMRMLMarkupsROIJsonStorageNode>().Get());
  // The same for the rules by which segments are shown in 3D; without any rule there is not even an empty label map.
  auto* factory = vtkSegmentationConverterFactory::GetInstance();
  if (factory->GetConverterRules().empty())
  {
    factory->RegisterConverterRule(vtkNew<vtkBinaryLabelmapToClosedSurfaceConversionRule>());
    factory->RegisterConverterRule(vtkNew<vtkClosedSurfaceToBinaryLabelmapConversionRule>());
  }
}

void vtkSlicerNPSNetSegmentationLogic::UnobserveMRMLScene()
{
  this->Internal->Runs.clear();
  this->Internal->LastCodes.clear();
  this->Internal->Histories.clear();
  for (vtkMRMLNode* node : this->Internal->Observed)
  {
    vtkUnObserveMRMLNodeMacro(node);
  }
  this->Internal->Observed.clear();
}

void vtkSlicerNPSNetSegmentationLogic::UpdateFromMRMLScene()
{
  this->UpdateObservations();
}

void vtkSlicerNPSNetSegmentationLogic::OnMRMLSceneNodeAdded(vtkMRMLNode* node)
{
  if (vtkMRMLNPSNetParameterNode::SafeDownCast(node) != nullptr)
  {
    this->UpdateObservations();
  }
}

void vtkSlicerNPSNetSegmentationLogic::OnMRMLSceneNodeRemoved(vtkMRMLNode* node)
{
  if (auto* parameters = vtkMRMLNPSNetParameterNode::SafeDownCast(node))
  {
    this->Internal->Runs.erase(parameters);
    this->Internal->LastCodes.erase(parameters);
  }
  else if (auto* segmentation = vtkMRMLSegmentationNode::SafeDownCast(node))
  {
    this->Internal->Histories.erase(segmentation);
  }
  if (this->Internal->Observed.erase(node) > 0)
  {
    vtkUnObserveMRMLNodeMacro(node);
  }
}

void vtkSlicerNPSNetSegmentationLogic::UpdateObservations()
{
  std::set<vtkMRMLNode*> wanted;
  std::vector<vtkMRMLNode*> nodes;
  if (this->GetMRMLScene() != nullptr)
  {
    this->GetMRMLScene()->GetNodesByClass("vtkMRMLNPSNetParameterNode", nodes);
  }
  for (vtkMRMLNode* node : nodes)
  {
    auto* parameters = vtkMRMLNPSNetParameterNode::SafeDownCast(node);
    wanted.insert(parameters);
    if (parameters->GetAutoUpdate())
    {
      wanted.insert(parameters->GetSegmentationNode());
      wanted.insert(parameters->GetDiscCurveNode());
      wanted.insert(parameters->GetCupCurveNode());
    }
  }
  wanted.erase(nullptr);

  std::set<vtkMRMLNode*>& observed = this->Internal->Observed;
  for (auto it = observed.begin(); it != observed.end();)
  {
    if (wanted.count(*it) == 0)
    {
      vtkUnObserveMRMLNodeMacro(*it);
      it = observed.erase(it);
    }
    else
    {
      ++it;
    }
  }
  for (vtkMRMLNode* node : wanted)
  {
    if (!observed.insert(node).second)
    {
      continue;
    }
    vtkNew<vtkIntArray> events;
    if (node->IsA("vtkMRMLSegmentationNode"))
    {
      events->InsertNextValue(vtkSegmentation::SourceRepresentationModified);
      events->InsertNextValue(vtkSegmentation::SegmentRemoved);
    }
    else if (node->IsA("vtkMRMLMarkupsNode"))
    {
      events->InsertNextValue(vtkMRMLMarkupsNode::PointEndInteractionEvent);
      events->InsertNextValue(vtkMRMLMarkupsNode::PointRemovedEvent);
    }
    else
    {
      events->InsertNextValue(vtkCommand::ModifiedEvent);
      events->InsertNextValue(vtkMRMLNode::ReferenceAddedEvent);
      events->InsertNextValue(vtkMRMLNode::ReferenceModifiedEvent);
      events->InsertNextValue(vtkMRMLNode::ReferenceRemovedEvent);
    }
    vtkObserveMRMLNodeEventsMacro(node, events);
  }
}

void vtkSlicerNPSNetSegmentationLogic::ProcessMRMLNodesEvents(vtkObject* caller, unsigned long event, void* callData)
{
  if (vtkMRMLNPSNetParameterNode::SafeDownCast(caller) != nullptr)
  {
    this->UpdateObservations();
    return;
  }
  vtkMRMLScene* scene = this->GetMRMLScene();
  if (this->Internal->Updating > 0 || scene == nullptr || scene->IsBatchProcessing())
  {
    return;
  }
  std::vector<vtkMRMLNode*> nodes;
  scene->GetNodesByClass("vtkMRMLNPSNetParameterNode", nodes);
  for (vtkMRMLNode* node : nodes)
  {
    auto* parameters = vtkMRMLNPSNetParameterNode::SafeDownCast(node);
    const bool concerned = caller == parameters->GetSegmentationNode() || caller == parameters->GetDiscCurveNode() ||
                           caller == parameters->GetCupCurveNode();
    if (parameters->GetAutoUpdate() && concerned && parameters->GetRimTableNode() != nullptr)
    {
      this->UpdateMeasurements(parameters);
    }
  }
  this->Superclass::ProcessMRMLNodesEvents(caller, event, callData);
}

//----------------------------------------------------------------------------
// Parameters and photos

vtkMRMLNPSNetParameterNode* vtkSlicerNPSNetSegmentationLogic::AddParameterNode(const char* name)
{
  if (this->GetMRMLScene() == nullptr)
  {
    this->Internal->LastMessage = "The logic has no scene: call SetMRMLScene() first.";
    return nullptr;
  }
  return vtkMRMLNPSNetParameterNode::SafeDownCast(
    this->GetMRMLScene()->AddNewNodeByClass("vtkMRMLNPSNetParameterNode", name != nullptr ? name : "NPS-Net"));
}

vtkMRMLNPSNetParameterNode* vtkSlicerNPSNetSegmentationLogic::GetDefaultParameterNode()
{
  vtkMRMLNode* node =
    this->GetMRMLScene() != nullptr ? this->GetMRMLScene()->GetFirstNodeByClass("vtkMRMLNPSNetParameterNode") : nullptr;
  return node != nullptr ? vtkMRMLNPSNetParameterNode::SafeDownCast(node) : this->AddParameterNode();
}

vtkMRMLVolumeNode* vtkSlicerNPSNetSegmentationLogic::LoadPhoto(const std::string& fileName, const char* nodeName)
{
  vtkMRMLVolumeNode* volume = nullptr;
  this->Internal->Try(FileError,
    [&]
    {
      if (this->GetMRMLScene() == nullptr)
      {
        throw Failure(NoScene, "The logic has no scene: call SetMRMLScene() first.");
      }
      if (!vtksys::SystemTools::FileExists(fileName, true))
      {
        throw Failure(FileError, "The photograph " + fileName + " does not exist.");
      }
      const std::string name =
        nodeName != nullptr ? nodeName : vtksys::SystemTools::GetFilenameWithoutLastExtension(fileName);
      volume = npsnet::LoadVolume(this->GetMRMLScene(), fileName, name);
    });
  return volume;
}

//----------------------------------------------------------------------------
// Run

int vtkSlicerNPSNetSegmentationLogic::StartSegment(vtkMRMLNPSNetParameterNode* parameters)
{
  const int code = this->Internal->Try(InvalidParameter,
    [&]
    {
      PhotoGeometry geometry = this->Internal->GetGeometry(parameters);
      if (this->IsRunning(parameters))
      {
        throw Failure(Busy, "This photograph is being segmented already: wait or cancel first.");
      }
      npsnet::RunRequest request = this->Internal->MakeRequest(parameters, geometry);
      vtkSlicerApplicationLogic* application = this->GetApplicationLogic();
      vtkObject* news = this->Internal->News;
      this->Internal->LastCodes.erase(parameters);
      parameters->SetRunState(vtkMRMLNPSNetParameterNode::Running, "Starting", 0.0);
      auto run = std::make_shared<vtkInternal::ActiveRun>(parameters->GetInputVolumeNode(), std::move(geometry));
      vtkInternal::ActiveRun* prepared = run.get(); // outlives its thread
      run->Computation = std::make_unique<npsnet::Run>(
        std::move(request),
        [prepared](const itk::FundusResult& result)
        { prepared->Prepared = npsnet::RasterizeBoundary(result.Boundary, prepared->Geometry); },
        [application, news]
        {
          if (application != nullptr)
          {
            application->RequestModified(news);
          }
        });
      this->Internal->Runs[parameters] = std::move(run);
    });
  if (code == Success)
  {
    this->InvokeEvent(RunStartedEvent, parameters);
  }
  else if (parameters != nullptr && code != Busy)
  {
    parameters->SetRunState(vtkMRMLNPSNetParameterNode::Failed, this->GetLastMessage(), 0.0);
  }
  return code;
}

int vtkSlicerNPSNetSegmentationLogic::Segment(vtkMRMLNPSNetParameterNode* parameters)
{
  const int code = this->StartSegment(parameters);
  return code == Success ? this->WaitForRun(parameters) : code;
}

void vtkSlicerNPSNetSegmentationLogic::CancelRun(vtkMRMLNPSNetParameterNode* parameters)
{
  const auto run = this->Internal->Runs.find(parameters);
  if (run != this->Internal->Runs.end())
  {
    run->second->Computation->Cancel();
  }
}

bool vtkSlicerNPSNetSegmentationLogic::IsRunning(vtkMRMLNPSNetParameterNode* parameters)
{
  return this->Internal->Runs.count(parameters) > 0;
}

void vtkSlicerNPSNetSegmentationLogic::ProcessRuns()
{
  // Observers may start, cancel or delete runs: work on a copy of the keys.
  std::vector<vtkWeakPointer<vtkMRMLNPSNetParameterNode>> running;
  for (const auto& run : this->Internal->Runs)
  {
    running.emplace_back(run.first);
  }
  for (const auto& node : running)
  {
    const auto found = this->Internal->Runs.find(node);
    if (found == this->Internal->Runs.end())
    {
      continue;
    }
    const npsnet::Run& run = *found->second->Computation;
    if (run.IsFinished())
    {
      this->Internal->FinishRun(node);
    }
    else if (run.GetProgress() != node->GetProgress() || run.GetStage() != node->GetStatusMessage())
    {
      node->SetRunState(vtkMRMLNPSNetParameterNode::Running, run.GetStage(), run.GetProgress());
      this->InvokeEvent(RunProgressEvent, node);
    }
  }
}

int vtkSlicerNPSNetSegmentationLogic::WaitForRun(vtkMRMLNPSNetParameterNode* parameters, double timeoutSeconds)
{
  const auto start = std::chrono::steady_clock::now();
  while (this->IsRunning(parameters))
  {
    this->ProcessRuns();
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    const auto run = this->Internal->Runs.find(parameters);
    if (run != this->Internal->Runs.end() && !run->second->Computation->IsFinished())
    {
      if (timeoutSeconds >= 0.0 && passed.count() >= timeoutSeconds)
      {
        return Busy;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  const auto code = this->Internal->LastCodes.find(parameters);
  if (code == this->Internal->LastCodes.end())
  {
    this->Internal->LastMessage = "This parameter node has not been run.";
    return InvalidParameter;
  }
  return code->second;
}

//----------------------------------------------------------------------------
// Results from elsewhere

int vtkSlicerNPSNetSegmentationLogic::ApplyBoundary(
  vtkMRMLNPSNetParameterNode* parameters, const std::string& boundaryJSON)
{
  return this->Internal->Try(InvalidParameter,
    [&]
    {
      const PhotoGeometry geometry = this->Internal->GetGeometry(parameters);
      const auto boundary = itk::RegularizeNestedPolarBoundary(
        itk::NestedPolarBoundary::FromJSON(boundaryJSON), npsnet::MakeRaster(geometry));
      itk::FundusResult result;
      result.Status = itk::FundusStatusEnum::Ok;
      vtkInternal::ResolveEye(parameters, result);
      this->Internal->WriteSegments(
        parameters, geometry, npsnet::RasterizeBoundary(boundary, geometry), boundary, result, "automatic");
    });
}

int vtkSlicerNPSNetSegmentationLogic::ApplyLabels(vtkMRMLNPSNetParameterNode* parameters, vtkMRMLVolumeNode* labels)
{
  return this->Internal->Try(InvalidParameter,
    [&]
    {
      const PhotoGeometry geometry = this->Internal->GetGeometry(parameters);
      const Masks masks = npsnet::ReadLabels(labels, geometry);
      itk::FundusResult result;
      result.Status = itk::FundusStatusEnum::Ok;
      vtkInternal::ResolveEye(parameters, result);
      this->Internal->WriteSegments(parameters, geometry, masks, nullptr, result, "imported");
    });
}

int vtkSlicerNPSNetSegmentationLogic::LoadComparison(
  vtkMRMLNPSNetParameterNode* parameters, const std::string& labelFileName)
{
  return this->Internal->Try(InvalidParameter,
    [&]
    {
      const PhotoGeometry geometry = this->Internal->GetGeometry(parameters);
      vtkMRMLVolumeNode* volume = parameters->GetInputVolumeNode();
      vtkMRMLVolumeNode* labels = this->LoadPhoto(labelFileName);
      if (labels == nullptr)
      {
        throw Failure(FileError, this->GetLastMessage());
      }
      const vtkSmartPointer<vtkMRMLVolumeNode> keep = labels;
      this->GetMRMLScene()->RemoveNode(labels);
      const Masks masks = npsnet::ReadLabels(keep, geometry);
      vtkMRMLSegmentationNode* expert = parameters->GetComparisonSegmentationNode();
      if (expert == nullptr)
      {
        expert = vtkMRMLSegmentationNode::SafeDownCast(
          this->GetMRMLScene()->AddNewNodeByClass("vtkMRMLSegmentationNode", vtkInternal::GetName(volume) + " expert"));
      }
      npsnet::PlaceSegmentation(expert, volume);
      npsnet::PutUnder(volume, expert);
      itk::FundusResult result;
      vtkInternal::ResolveEye(parameters, result);
      for (const Structure structure : {Structure::Disc, Structure::Cup})
      {
        npsnet::EnsureSegment(expert, structure, result.Eye);
        npsnet::WriteMask(
          expert, npsnet::FindSegment(expert->GetSegmentation(), structure), masks, structure, geometry);
      }
      parameters->SetComparisonSegmentationNode(expert);
      if (parameters->GetSegmentationNode() != nullptr && parameters->GetRimTableNode() != nullptr)
      {
        this->Internal->WriteMeasurements(
          parameters, geometry, npsnet::ReadMasks(parameters->GetSegmentationNode(), volume, geometry));
      }
    });
}

//----------------------------------------------------------------------------
// Edits

int vtkSlicerNPSNetSegmentationLogic::UpdateMeasurements(vtkMRMLNPSNetParameterNode* parameters)
{
  return this->Internal->Try(InvalidParameter,
    [&]
    {
      const PhotoGeometry geometry = this->Internal->GetGeometry(parameters);
      const auto measure = [&]
      {
        this->Internal->WriteMeasurements(parameters, geometry,
          npsnet::ReadMasks(parameters->GetSegmentationNode(), parameters->GetInputVolumeNode(), geometry));
      };
      if (parameters->GetSegmentationNode() != nullptr && parameters->GetRimTableNode() != nullptr &&
          npsnet::FindSegment(parameters->GetSegmentationNode()->GetSegmentation(), Structure::Disc).empty())
      {
        measure(); // the numbers of a disc that is gone (undo of the run) go with it
      }
      this->Internal->CheckSegments(parameters);
      npsnet::EnsureOutputs(parameters);
      this->Internal->ApplyDraggedCurves(parameters, geometry);
      measure();
    });
}

int vtkSlicerNPSNetSegmentationLogic::FitBoundary(vtkMRMLNPSNetParameterNode* parameters)
{
  return this->Internal->Try(NoSegments,
    [&]
    {
      const PhotoGeometry geometry = this->Internal->GetGeometry(parameters);
      this->Internal->CheckSegments(parameters);
      vtkMRMLSegmentationNode* segmentation = parameters->GetSegmentationNode();
      const Masks masks = npsnet::ReadMasks(segmentation, parameters->GetInputVolumeNode(), geometry);
      const auto boundary = npsnet::FitBoundary(masks, geometry);
      itk::FundusResult result;
      result.Status = itk::FundusStatusEnum::Ok;
      ReadProvenance(segmentation, result);
      vtkInternal::ResolveEye(parameters, result);
      this->Internal->WriteSegments(
        parameters, geometry, npsnet::RasterizeBoundary(boundary, geometry), boundary, result, "fitted");
    });
}

std::function<std::string()> vtkSlicerNPSNetSegmentationLogic::PrepareReport(
  vtkMRMLNPSNetParameterNode* parameters, const std::string& folder)
{
  std::function<std::string()> write;
  this->Internal->Try(InvalidParameter,
    [&]
    {
      const PhotoGeometry geometry = this->Internal->GetGeometry(parameters);
      this->Internal->CheckSegments(parameters);
      vtkMRMLVolumeNode* volume = parameters->GetInputVolumeNode();
      const Masks masks = npsnet::ReadMasks(parameters->GetSegmentationNode(), volume, geometry);
      itk::FundusResult result = this->Internal->MakeReport(parameters, geometry, masks).Result;
      result.Photograph = npsnet::MakePhotograph(volume, geometry);
      std::replace_if(
        result.Name.begin(), result.Name.end(), [](char c) { return c == '/' || c == '\\' || c == ':'; }, '_');
      result.Labels = npsnet::MakeLabels(masks, geometry);
      write = [result, folder]
      {
        auto writer = itk::FundusResultWriter::New();
        writer->SetOutputDirectory(folder);
        writer->WriteLabelsOff();
        writer->WriteSegmentationOff();
        writer->WriteRimTableOff();
        writer->WriteMetricsOff();
        writer->WriteOverlayOff();
        return writer->Write(result).front();
      };
    });
  return write;
}

std::string vtkSlicerNPSNetSegmentationLogic::WriteReport(
  vtkMRMLNPSNetParameterNode* parameters, const std::string& folder)
{
  std::string fileName;
  const std::function<std::string()> write = this->PrepareReport(parameters, folder);
  if (write)
  {
    this->Internal->Try(FileError, [&] { fileName = write(); });
  }
  return fileName;
}

int vtkSlicerNPSNetSegmentationLogic::EnforceNesting(vtkMRMLSegmentationNode* segmentation, const char* editedSegmentID)
{
  return this->Internal->Try(InvalidParameter,
    [&]
    {
      if (segmentation == nullptr || editedSegmentID == nullptr ||
          segmentation->GetSegmentation()->GetSegment(editedSegmentID) == nullptr)
      {
        throw Failure(InvalidParameter, "There is no such segment to nest.");
      }
      for (const Structure structure : {Structure::Disc, Structure::Cup})
      {
        if (npsnet::FindSegment(segmentation->GetSegmentation(), structure) == editedSegmentID)
        {
          npsnet::EnforceNesting(segmentation, structure);
        }
      }
    });
}

//----------------------------------------------------------------------------
// Undo

vtkSegmentationHistory* vtkSlicerNPSNetSegmentationLogic::GetSegmentationHistory(vtkMRMLSegmentationNode* segmentation)
{
  if (segmentation == nullptr)
  {
    return nullptr;
  }
  vtkSmartPointer<vtkSegmentationHistory>& history = this->Internal->Histories[segmentation];
  if (history == nullptr)
  {
    history = vtkSmartPointer<vtkSegmentationHistory>::New();
    history->SetMaximumNumberOfStates(10);
  }
  if (history->GetSegmentation() != segmentation->GetSegmentation())
  {
    history->SetSegmentation(segmentation->GetSegmentation());
  }
  return history;
}

void vtkSlicerNPSNetSegmentationLogic::SetSegmentationHistory(
  vtkMRMLSegmentationNode* segmentation, vtkSegmentationHistory* history)
{
  if (segmentation != nullptr)
  {
    this->Internal->Histories[segmentation] = history;
  }
}

int vtkSlicerNPSNetSegmentationLogic::Undo(vtkMRMLNPSNetParameterNode* parameters)
{
  return this->Internal->RestoreState(parameters, &vtkSegmentationHistory::IsRestorePreviousStateAvailable,
    &vtkSegmentationHistory::RestorePreviousState, "There is nothing to undo.");
}

int vtkSlicerNPSNetSegmentationLogic::Redo(vtkMRMLNPSNetParameterNode* parameters)
{
  return this->Internal->RestoreState(parameters, &vtkSegmentationHistory::IsRestoreNextStateAvailable,
    &vtkSegmentationHistory::RestoreNextState, "There is nothing to redo.");
}

//----------------------------------------------------------------------------
// What was found

std::string vtkSlicerNPSNetSegmentationLogic::GetMeasurementText(
  vtkMRMLNPSNetParameterNode* parameters, const std::string& key)
{
  vtkMRMLTableNode* summary = parameters != nullptr ? parameters->GetSummaryTableNode() : nullptr;
  const int keyColumn = summary != nullptr ? summary->GetColumnIndex("key") : -1;
  for (int row = 0; keyColumn >= 0 && row < summary->GetNumberOfRows(); ++row)
  {
    if (summary->GetCellText(row, keyColumn) == key)
    {
      return summary->GetCellText(row, summary->GetColumnIndex("value"));
    }
  }
  return "";
}

double vtkSlicerNPSNetSegmentationLogic::GetMeasurement(vtkMRMLNPSNetParameterNode* parameters, const std::string& key)
{
  const std::string text = this->GetMeasurementText(parameters, key);
  bool valid = false;
  const double value = vtkVariant(text).ToDouble(&valid);
  return valid && !text.empty() ? value : std::numeric_limits<double>::quiet_NaN();
}

std::string vtkSlicerNPSNetSegmentationLogic::GetResultState(vtkMRMLSegmentationNode* segmentation)
{
  return GetAttribute(segmentation, StateAttribute);
}

std::string vtkSlicerNPSNetSegmentationLogic::GetBoundary(vtkMRMLSegmentationNode* segmentation)
{
  return GetAttribute(segmentation, BoundaryAttribute);
}

//----------------------------------------------------------------------------
// Geometry

bool vtkSlicerNPSNetSegmentationLogic::PhotoPixelToWorld(
  vtkMRMLNPSNetParameterNode* parameters, const double pixel[2], double world[3])
{
  return this->Internal->Try(InvalidPhoto,
           [&]
           {
             const PhotoGeometry geometry = this->Internal->GetGeometry(parameters);
             npsnet::PhotoToWorld(parameters->GetInputVolumeNode(), geometry, pixel, world);
           }) == Success;
}

bool vtkSlicerNPSNetSegmentationLogic::WorldToPhotoPixel(
  vtkMRMLNPSNetParameterNode* parameters, const double world[3], double pixel[2])
{
  return this->Internal->Try(InvalidPhoto,
           [&]
           {
             const PhotoGeometry geometry = this->Internal->GetGeometry(parameters);
             npsnet::WorldToPhoto(parameters->GetInputVolumeNode(), geometry, world, pixel);
           }) == Success;
}

//----------------------------------------------------------------------------
// Resources

void vtkSlicerNPSNetSegmentationLogic::SetResourcesDirectory(const std::string& directory)
{
  this->Internal->ResourcesDirectory = directory;
  this->Modified();
}

std::string vtkSlicerNPSNetSegmentationLogic::GetResourcesDirectory()
{
  return this->Internal->ResourcesDirectory.empty() ? npsnet::FindResourcesDirectory(this->GetModuleShareDirectory())
                                                    : this->Internal->ResourcesDirectory;
}

void vtkSlicerNPSNetSegmentationLogic::SetSegmentExecutable(const std::string& fileName)
{
  this->Internal->Executable = fileName;
  this->Modified();
}

std::string vtkSlicerNPSNetSegmentationLogic::GetSegmentExecutable()
{
  return this->Internal->Executable.empty() ? npsnet::FindExecutable("NPSNetSegment") : this->Internal->Executable;
}

void vtkSlicerNPSNetSegmentationLogic::GetSamplePhotoNames(vtkStringArray* names)
{
  names->Initialize();
  for (const npsnet::SamplePhoto& sample : npsnet::ReadSampleIndex(this->GetResourcesDirectory()))
  {
    names->InsertNextValue(sample.Name);
  }
}

vtkMRMLVolumeNode* vtkSlicerNPSNetSegmentationLogic::LoadSamplePhoto(const std::string& name)
{
  for (const npsnet::SamplePhoto& sample : npsnet::ReadSampleIndex(this->GetResourcesDirectory()))
  {
    if (sample.Name == name)
    {
      return this->LoadPhoto(sample.FileName);
    }
  }
  this->Internal->LastMessage = "There is no sample photograph called " + name + ".";
  return nullptr;
}

std::string vtkSlicerNPSNetSegmentationLogic::GetSampleLabelFileName(const std::string& name)
{
  for (const npsnet::SamplePhoto& sample : npsnet::ReadSampleIndex(this->GetResourcesDirectory()))
  {
    if (sample.Name == name)
    {
      return sample.LabelFileName;
    }
  }
  return "";
}

std::string vtkSlicerNPSNetSegmentationLogic::GetTerminologyFileName()
{
  const std::string resources = this->GetResourcesDirectory();
  return resources.empty() ? "" : resources + "/Terminologies/OpticNerveHead.term.json";
}

bool vtkSlicerNPSNetSegmentationLogic::RegisterTerminology()
{
  auto* terminologies = vtkSlicerTerminologiesModuleLogic::SafeDownCast(this->GetModuleLogic("Terminologies"));
  const std::string fileName = this->GetTerminologyFileName();
  return terminologies != nullptr && !fileName.empty() && !terminologies->LoadTerminologyFromFile(fileName).empty();
}
