// SPDX-License-Identifier: Apache-2.0
#ifndef vtkSlicerNPSNetSegmentationLogicInternal_h
#define vtkSlicerNPSNetSegmentationLogicInternal_h

#include "NPSNetActiveRun.h"
#include "NPSNetFailure.h"
#include "NPSNetMasks.h"
#include "NPSNetTables.h"
#include "vtkSlicerNPSNetSegmentationLogic.h"

#include "itkExceptionSentence.h"
#include "itkFundusFile.h"

#include <vtkCallbackCommand.h>
#include <vtkNew.h>
#include <vtkSegmentationHistory.h>
#include <vtkSmartPointer.h>

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

class vtkMRMLNode;

/// \brief How the logic writes into its scene, and what it remembers of its nodes.
class vtkSlicerNPSNetSegmentationLogic::vtkInternal
{
public:
  explicit vtkInternal(vtkSlicerNPSNetSegmentationLogic* external);
  ~vtkInternal();

  /// Calls f and turns whatever it throws into a return code and a sentence.
  template <typename F> int Try(int defaultCode, F f)
  {
    try
    {
      f();
      this->LastMessage.clear();
      return Success;
    }
    catch (const npsnet::Failure& failure)
    {
      this->LastMessage = failure.what();
      return failure.Code;
    }
    catch (const std::exception& exception)
    {
      this->LastMessage = itk::ExceptionSentence(exception);
    }
    return defaultCode;
  }

  vtkMRMLVolumeNode* CheckInput(vtkMRMLNPSNetParameterNode* parameters);
  npsnet::PhotoGeometry GetGeometry(vtkMRMLNPSNetParameterNode* parameters);
  /// When the label maps of disc and cup were last modified; 0 where there is none.
  static std::array<vtkMTimeType, 2> GetTimes(vtkMRMLSegmentationNode* segmentation);
  /// Throws unless there is a disc to measure.
  static void CheckSegments(vtkMRMLNPSNetParameterNode* parameters);

  /// Writes segments, then everything that follows from them. One undo state.
  void WriteSegments(vtkMRMLNPSNetParameterNode* parameters, const npsnet::PhotoGeometry& geometry,
    const npsnet::Masks& masks, const itk::NestedPolarBoundary* boundary, const itk::FundusResult& result,
    const std::string& state);
  void WriteMasks(vtkMRMLNPSNetParameterNode* parameters, const npsnet::PhotoGeometry& geometry,
    const npsnet::Masks& masks, const itk::NestedPolarBoundary* boundary, const itk::FundusResult& result,
    const std::string& state);
  /// Tables, chart and those curves whose mask has changed.
  void WriteMeasurements(
    vtkMRMLNPSNetParameterNode* parameters, const npsnet::PhotoGeometry& geometry, const npsnet::Masks& masks);
  /// Writes dragged curves to their segments, where those are as they were; one undo state.
  void ApplyDraggedCurves(vtkMRMLNPSNetParameterNode* parameters, const npsnet::PhotoGeometry& geometry);

  /// Both tables, and what GetSummary() hands out.
  void WriteTables(vtkMRMLNPSNetParameterNode* parameters, const npsnet::Report& report);
  /// Measures again when eye or calibration are not those of the tables.
  void FollowSettings(vtkMRMLNPSNetParameterNode* parameters);
  NPSNetSummary GetSummary(vtkMRMLNPSNetParameterNode* parameters);

  /// Reads the scene; what it returns writes these files and returns the path of the report.
  std::function<std::string()> PrepareFiles(
    vtkMRMLNPSNetParameterNode* parameters, const std::string& folder, const std::set<itk::FundusFileEnum>& files);

  void SaveState(vtkMRMLSegmentationNode* segmentation);
  int RestoreState(vtkMRMLNPSNetParameterNode* parameters, bool (vtkSegmentationHistory::*available)(),
    bool (vtkSegmentationHistory::*restore)(), const char* nothing);

  /// The next part of a run's results, as much as a user interface can bear in one turn of its event loop; true after
  /// the last part. Segments and tables are out of step in between, and IsRunning() is true as long.
  bool WritePart(vtkMRMLNPSNetParameterNode* parameters, npsnet::ActiveRun& run);
  /// Writes the next part of a finished run's results and tells when it was the last one.
  void FinishRun(vtkMRMLNPSNetParameterNode* parameters);
  /// ProcessRuns() is called soon, from the event loop of the application if it has one.
  void AskForTurn();

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
  std::map<vtkMRMLNPSNetParameterNode*, std::shared_ptr<npsnet::ActiveRun>> Runs;
  std::map<vtkMRMLNPSNetParameterNode*, int> LastCodes;
  /// What was measured last, and of which nodes with which settings.
  struct Measured
  {
    NPSNetSummary Summary;
    std::array<vtkObject*, 3> Nodes{}; ///< photo, segmentation, rim table
    int Eye{0};
    double MicrometersPerPixel{0.0};
  };
  std::map<vtkMRMLNPSNetParameterNode*, Measured> Measurements;
  std::set<vtkMRMLNode*> Observed;
  /// Modified by an application logic in the main thread when a run has news.
  vtkNew<vtkObject> News;
  vtkNew<vtkCallbackCommand> NewsCallback;
};

#endif
