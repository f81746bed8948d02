// SPDX-License-Identifier: Apache-2.0
#ifndef vtkSlicerNPSNetSegmentationLogic_h
#define vtkSlicerNPSNetSegmentationLogic_h

#include "vtkSlicerNPSNetSegmentationModuleLogicExport.h"

#include "NPSNetSummary.h"

#include <vtkSlicerModuleLogic.h>

#include <functional>
#include <memory>
#include <string>

class vtkMRMLNPSNetParameterNode;
class vtkMRMLSegmentationNode;
class vtkMRMLVolumeNode;
class vtkSegmentationHistory;
class vtkStringArray;

/// \brief Scene in, scene out: optic disc and cup of a fundus photograph as nested segments, rim tables, plot, curves.
///
/// \code{.py}
/// import slicer
/// from vtkSlicerNPSNetSegmentationModuleLogicPython import vtkSlicerNPSNetSegmentationLogic
///
/// logic = vtkSlicerNPSNetSegmentationLogic()
/// logic.SetMRMLScene(scene)
/// parameters = logic.AddParameterNode()
/// parameters.SetInputVolumeNode(logic.LoadPhoto("RET023OD.jpg"))
/// if logic.Segment(parameters) != logic.Success:
///   raise RuntimeError(logic.GetLastMessage())
/// print(logic.GetMeasurement(parameters, "vcdr"))
/// \endcode
///
/// Every method that can fail returns a ReturnCode; the sentence for the user is GetLastMessage() and, for a run,
/// also the parameter node's StatusMessage. Nothing is reported through vtkErrorMacro.
///
/// All methods belong to the main thread. A started run computes elsewhere; its events are fired and its results
/// are written when ProcessRuns() is called, which a vtkSlicerApplicationLogic (Slicer) does by itself; elsewhere call
/// it from a timer or use WaitForRun().
class VTK_SLICER_NPSNETSEGMENTATION_MODULE_LOGIC_EXPORT vtkSlicerNPSNetSegmentationLogic : public vtkSlicerModuleLogic
{
public:
  static vtkSlicerNPSNetSegmentationLogic* New();
  vtkTypeMacro(vtkSlicerNPSNetSegmentationLogic, vtkSlicerModuleLogic);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum ReturnCode
  {
    Success = 0,
    NoScene,          ///< SetMRMLScene() was not called
    InvalidParameter, ///< a parameter or a referenced node makes no sense
    InvalidPhoto, ///< the volume is not a photograph: several slices, no pixels, a pixel type that is not understood
    DiscNotFound, ///< no optic disc in this photo; give a centre
    ModelError,   ///< the weights are missing or broken
    ExecutableMissing, ///< NPSNetSegment is not where it should be
    RunFailed,         ///< the computation ended with an error
    RunCancelled,
    Busy,         ///< this parameter node is running already
    NoSegments,   ///< the segmentation has no optic disc to measure
    FileError,    ///< a file could not be read or written
    NothingToUndo ///< the undo history has no such state
  };

  /// Events of this object; the call data is the vtkMRMLNPSNetParameterNode.
  enum EventType
  {
    RunStartedEvent = 31200,
    RunProgressEvent, ///< see vtkMRMLNPSNetParameterNode::GetProgress()
    RunCompletedEvent,
    RunCancelledEvent,
    RunFailedEvent, ///< see vtkMRMLNPSNetParameterNode::GetStatusMessage()
    MeasurementsUpdatedEvent
  };

  /// The sentence that belongs to the last return code.
  const std::string& GetLastMessage() const;

  /// \name Parameters and photos
  ///@{
  vtkMRMLNPSNetParameterNode* AddParameterNode(const char* name = nullptr);
  /// The scene's first parameter node of this module, made when there is none: what the module panel shows.
  vtkMRMLNPSNetParameterNode* GetDefaultParameterNode();
  /// Loads exactly this file (never its numbered neighbours) as vector or scalar volume; nullptr on failure.
  vtkMRMLVolumeNode* LoadPhoto(const std::string& fileName, const char* nodeName = nullptr);
  ///@}

  /// \name Run
  ///@{
  /// Segments the parameter node's photo and waits. Out of process unless the node says InProcess.
  int Segment(vtkMRMLNPSNetParameterNode* parameters);
  /// Starts and returns at once; Success means started. Segments and curves may be edited until it ends: its results
  /// replace the edit, which is an undo state of its own, and StatusMessage says so.
  int StartSegment(vtkMRMLNPSNetParameterNode* parameters);
  /// Asks the run to stop; RunCancelledEvent tells when it has. The scene stays as it was.
  void CancelRun(vtkMRMLNPSNetParameterNode* parameters);
  bool IsRunning(vtkMRMLNPSNetParameterNode* parameters);
  /// The run has been computed and its results are on their way into the scene.
  bool IsWriting(vtkMRMLNPSNetParameterNode* parameters);
  /// Fires progress events and writes the results of finished runs, each call a small part of them. Never blocks.
  void ProcessRuns();
  /// Calls ProcessRuns() until the run has ended and returns its code; Busy after timeoutSeconds (< 0: no limit).
  int WaitForRun(vtkMRMLNPSNetParameterNode* parameters, double timeoutSeconds = -1.0);
  ///@}

  /// \name Results from elsewhere
  ///@{
  /// Writes all output nodes from a boundary in photo pixels (JSON of itk::NestedPolarBoundary).
  int ApplyBoundary(vtkMRMLNPSNetParameterNode* parameters, const std::string& boundaryJSON);
  /// Writes all output nodes from a label volume on the photo's raster: 0 background, then rim, then cup, any two
  /// increasing values (1 and 2, or the 128 and 255 of public data sets). The masks stay as they are.
  int ApplyLabels(vtkMRMLNPSNetParameterNode* parameters, vtkMRMLVolumeNode* labels);
  /// Writes all output nodes from a metrics file (STEM_metrics.json of the command line or a batch) of this photo: the
  /// network's boundary and what is known of it, so that every number is the file's.
  int ApplyMetrics(vtkMRMLNPSNetParameterNode* parameters, const std::string& metricsFileName);
  /// Reads such a label file of an expert into a segmentation and makes it the comparison of the parameter node.
  int LoadComparison(vtkMRMLNPSNetParameterNode* parameters, const std::string& labelFileName);
  ///@}

  /// \name Edits
  ///@{
  /// Recomputes tables and chart after the user edited. A dragged curve is written to its segment first, unless the
  /// segment itself was edited meanwhile, then the masks are measured as they are and marked "edited"; when they are
  /// again those of the automatic boundary (after undo) the results are marked "automatic". Takes well under 100 ms.
  int UpdateMeasurements(vtkMRMLNPSNetParameterNode* parameters);
  /// Replaces edited masks by the nested star-convex boundary that fits them; one undo state; marked "fitted".
  int FitBoundary(vtkMRMLNPSNetParameterNode* parameters);
  /// Disc contains cup again: after an edit of the disc the cup is clipped to it, after an edit of the cup the disc
  /// grows. Saves no undo state: meant to be called inside the caller's undo step. Other segments are left alone.
  int EnforceNesting(vtkMRMLSegmentationNode* segmentation, const char* editedSegmentID);
  ///@}

  /// \name Undo
  /// A run, ApplyBoundary(), ApplyLabels(), FitBoundary() and a dragged curve are one state each.
  ///@{
  /// Undo history of a segmentation; made on first use unless one was given.
  vtkSegmentationHistory* GetSegmentationHistory(vtkMRMLSegmentationNode* segmentation);
  /// Use this history (the Segment Editor's) instead of an own one.
  void SetSegmentationHistory(vtkMRMLSegmentationNode* segmentation, vtkSegmentationHistory* history);
  /// Off when the caller saves the state itself, as a Segment Editor effect does with saveStateForUndo().
  vtkSetMacro(SaveStateForUndo, bool);
  vtkGetMacro(SaveStateForUndo, bool);
  vtkBooleanMacro(SaveStateForUndo, bool);
  /// Restore the previous or next state of the segmentation; tables, chart and curves follow.
  int Undo(vtkMRMLNPSNetParameterNode* parameters);
  int Redo(vtkMRMLNPSNetParameterNode* parameters);
  ///@}

  /// \name What was found
  ///@{
  /// Value of a row of the summary table by its key ("vcdr", "rim_area_px", ...); NaN when it is empty or unknown.
  double GetMeasurement(vtkMRMLNPSNetParameterNode* parameters, const std::string& key);
  /// The same as the table shows it; empty when there is none.
  std::string GetMeasurementText(vtkMRMLNPSNetParameterNode* parameters, const std::string& key);
  /// "automatic", "edited", "fitted", "imported" or empty.
  static std::string GetResultState(vtkMRMLSegmentationNode* segmentation);
  /// Last boundary of the network or of FitBoundary(), in photo pixels; empty when there is none.
  static std::string GetBoundary(vtkMRMLSegmentationNode* segmentation);
#ifndef __VTK_WRAP__
  /// All that a window shows, made from the measurements that the tables, the chart and the report hold. Not valid
  /// without a photo, its segments and tables. Tables that do not agree (a scene of another version) are written again.
  NPSNetSummary GetSummary(vtkMRMLNPSNetParameterNode* parameters);
#endif
  /// The command line's report (one HTML file) of what the scene holds now, edits included, written into a folder.
  /// Its path; empty on failure.
  std::string WriteReport(vtkMRMLNPSNetParameterNode* parameters, const std::string& folder);
#ifndef __VTK_WRAP__
  /// The same for those who must not wait: this reads the scene, and what it returns writes the report, in any thread,
  /// and returns the path or throws. Empty on failure.
  std::function<std::string()> PrepareReport(vtkMRMLNPSNetParameterNode* parameters, const std::string& folder);
  /// The same with all files of the command line: overlay, labels, segmentation, rim table, metrics and report.
  std::function<std::string()> PrepareFiles(vtkMRMLNPSNetParameterNode* parameters, const std::string& folder);
#endif
  static const char* GetDiscSegmentID()
  {
    return "OpticDisc";
  }
  static const char* GetCupSegmentID()
  {
    return "OpticCup";
  }
  ///@}

  /// \name Geometry
  /// Pixel indices of the upright photo: x to the right, y down, (0, 0) the centre of the first pixel. Where pixels are
  /// no squares, boundaries and lengths are not in these but in photo pixels, squares of the same area.
  /// World coordinates include the volume's parent transform.
  ///@{
  bool PhotoPixelToWorld(vtkMRMLNPSNetParameterNode* parameters, const double pixel[2], double world[3]);
  bool WorldToPhotoPixel(vtkMRMLNPSNetParameterNode* parameters, const double world[3], double pixel[2]);
  ///@}

  /// \name Resources
  ///@{
  /// Folder with SampleData/ and Terminologies/; see itk::ModelFiles unless set. Models are always looked for there.
  void SetResourcesDirectory(const std::string& directory);
  std::string GetResourcesDirectory();
  /// The NPSNetSegment executable; searched beside the library unless set.
  void SetSegmentExecutable(const std::string& fileName);
  std::string GetSegmentExecutable();
  void GetSamplePhotoNames(vtkStringArray* names);
  /// Loads a sample photo by its name, "RET023OD" say.
  vtkMRMLVolumeNode* LoadSamplePhoto(const std::string& name);
  /// Path of the expert's label file of a sample photo; empty when there is none.
  std::string GetSampleLabelFileName(const std::string& name);
  /// What the data set says of a sample photo's eye: "glaucoma", "suspect", "healthy".
  std::string GetSampleLabel(const std::string& name);
  std::string GetTerminologyFileName();
  /// Hands our terminology to Slicer's Terminologies module when that is there; done when the scene is set.
  bool RegisterTerminology();
  ///@}

protected:
  vtkSlicerNPSNetSegmentationLogic();
  ~vtkSlicerNPSNetSegmentationLogic() override;

  void SetMRMLSceneInternal(vtkMRMLScene* newScene) override;
  void RegisterNodes() override;
  void UnobserveMRMLScene() override;
  void UpdateFromMRMLScene() override;
  void OnMRMLSceneEndImport() override;
  void OnMRMLSceneNodeAdded(vtkMRMLNode* node) override;
  void OnMRMLSceneNodeRemoved(vtkMRMLNode* node) override;
  void ProcessMRMLNodesEvents(vtkObject* caller, unsigned long event, void* callData) override;

private:
  vtkSlicerNPSNetSegmentationLogic(const vtkSlicerNPSNetSegmentationLogic&) = delete;
  void operator=(const vtkSlicerNPSNetSegmentationLogic&) = delete;

  void UpdateObservations();

  bool SaveStateForUndo{true};

  class vtkInternal;
  std::unique_ptr<vtkInternal> Internal;
};

#endif
