// SPDX-License-Identifier: Apache-2.0
#ifndef vtkMRMLNPSNetParameterNode_h
#define vtkMRMLNPSNetParameterNode_h

#include "vtkSlicerNPSNetSegmentationModuleLogicExport.h"

#include <vtkMRMLNode.h>

#include <string>

class vtkMRMLMarkupsClosedCurveNode;
class vtkMRMLMarkupsFiducialNode;
class vtkMRMLMarkupsROINode;
class vtkMRMLPlotChartNode;
class vtkMRMLSegmentationNode;
class vtkMRMLTableNode;
class vtkMRMLVolumeNode;

/// \brief Parameters of one NPS-Net segmentation and references to its input and output nodes; saved with the scene.
///
/// Missing output nodes are created by the logic and referenced here, so running again updates the same nodes.
/// Status, StatusMessage and Progress describe the present run: they are written by the logic only and are not saved.
class VTK_SLICER_NPSNETSEGMENTATION_MODULE_LOGIC_EXPORT vtkMRMLNPSNetParameterNode : public vtkMRMLNode
{
public:
  static vtkMRMLNPSNetParameterNode* New();
  vtkTypeMacro(vtkMRMLNPSNetParameterNode, vtkMRMLNode);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  vtkMRMLNode* CreateNodeInstance() override;
  const char* GetNodeTagName() override { return "NPSNetParameters"; }
  void ReadXMLAttributes(const char** atts) override;
  void WriteXML(ostream& of, int indent) override;
  vtkMRMLCopyContentMacro(vtkMRMLNPSNetParameterNode);

  enum EyeType
  {
    EyeAuto = 0, ///< DICOM tags, else the file name, else unknown; never guessed
    EyeRight,
    EyeLeft,
    Eye_Last
  };
  enum StatusType
  {
    Idle = 0,
    Running,
    Completed,
    Cancelled,
    Failed
  };

  ///@{
  /// Which eye the photo shows: "auto", "OD" (right) or "OS" (left).
  vtkSetClampMacro(Eye, int, EyeAuto, Eye_Last - 1);
  vtkGetMacro(Eye, int);
  static const char* GetEyeAsString(int eye);
  /// -1 when the text is not one of the three.
  static int GetEyeFromString(const char* text);
  ///@}

  ///@{
  /// Test-time augmentation: "auto" (the mode that won on validation photos), "off", "fast", "symmetric", "paper",
  /// "full" or "reference". "default", the word of version 0.1, is "auto".
  virtual void SetTTAMode(const std::string& mode);
  vtkGetMacro(TTAMode, std::string);
  ///@}

  ///@{
  /// "auto", "cpu" or "cuda".
  vtkSetMacro(Device, std::string);
  vtkGetMacro(Device, std::string);
  ///@}

  ///@{
  /// "auto", "fp32", "bf16" or "fp16".
  vtkSetMacro(Precision, std::string);
  vtkGetMacro(Precision, std::string);
  ///@}

  ///@{
  /// Weights; empty for the ones that ship with the module.
  vtkSetMacro(ModelFileName, std::string);
  vtkGetMacro(ModelFileName, std::string);
  ///@}

  ///@{
  /// Calibration; 0 means unknown: the volume's spacing counts only when the photo came from DICOM.
  vtkSetClampMacro(MicrometersPerPixel, double, 0.0, 1000.0);
  vtkGetMacro(MicrometersPerPixel, double);
  ///@}

  ///@{
  /// Off: the photo is already a crop centred on the optic disc. Ignored when a centre or ROI is given.
  vtkSetMacro(Locate, bool);
  vtkGetMacro(Locate, bool);
  vtkBooleanMacro(Locate, bool);
  ///@}

  ///@{
  /// How the stored raster becomes upright: 0 automatic (as the photo looks in the slice view, and EXIF of the file it
  /// was loaded from), or an EXIF value 1...8.
  vtkSetClampMacro(Orientation, int, 0, 8);
  vtkGetMacro(Orientation, int);
  ///@}

  ///@{
  /// Run inside this process instead of through the NPSNetSegment command-line module. Same results to the bit.
  vtkSetMacro(InProcess, bool);
  vtkGetMacro(InProcess, bool);
  vtkBooleanMacro(InProcess, bool);
  ///@}

  ///@{
  /// Number of CPU threads; 0 for all.
  vtkSetClampMacro(NumberOfThreads, int, 0, 1024);
  vtkGetMacro(NumberOfThreads, int);
  ///@}

  ///@{
  /// Make closed-curve markups of both boundaries, with this many control points each.
  vtkSetMacro(CreateCurves, bool);
  vtkGetMacro(CreateCurves, bool);
  vtkBooleanMacro(CreateCurves, bool);
  /// Off when another photo is looked at: new output nodes are hidden then.
  vtkSetMacro(ResultsVisible, bool);
  vtkGetMacro(ResultsVisible, bool);
  vtkBooleanMacro(ResultsVisible, bool);
  vtkSetClampMacro(NumberOfCurvePoints, int, 8, 360);
  vtkGetMacro(NumberOfCurvePoints, int);
  ///@}

  ///@{
  /// Recompute tables and chart whenever the segments or the curves change.
  vtkSetMacro(AutoUpdate, bool);
  vtkGetMacro(AutoUpdate, bool);
  vtkBooleanMacro(AutoUpdate, bool);
  ///@}

  ///@{
  /// The photo: vtkMRMLVectorVolumeNode (3 or 4 components) or vtkMRMLScalarVolumeNode (grey).
  vtkMRMLVolumeNode* GetInputVolumeNode();
  void SetInputVolumeNode(vtkMRMLVolumeNode* node);
  ///@}

  ///@{
  /// Optional centre: the first defined control point is taken as a point near the centre of the disc.
  vtkMRMLMarkupsFiducialNode* GetAnchorNode();
  void SetAnchorNode(vtkMRMLMarkupsFiducialNode* node);
  ///@}

  ///@{
  /// Optional region: its centre is the centre of the crop and its larger in-plane size the crop's side.
  vtkMRMLMarkupsROINode* GetROINode();
  void SetROINode(vtkMRMLMarkupsROINode* node);
  ///@}

  ///@{
  /// Outputs.
  vtkMRMLSegmentationNode* GetSegmentationNode();
  void SetSegmentationNode(vtkMRMLSegmentationNode* node);
  vtkMRMLTableNode* GetRimTableNode();
  void SetRimTableNode(vtkMRMLTableNode* node);
  vtkMRMLTableNode* GetSummaryTableNode();
  void SetSummaryTableNode(vtkMRMLTableNode* node);
  vtkMRMLPlotChartNode* GetChartNode();
  void SetChartNode(vtkMRMLPlotChartNode* node);
  vtkMRMLMarkupsClosedCurveNode* GetDiscCurveNode();
  void SetDiscCurveNode(vtkMRMLMarkupsClosedCurveNode* node);
  vtkMRMLMarkupsClosedCurveNode* GetCupCurveNode();
  void SetCupCurveNode(vtkMRMLMarkupsClosedCurveNode* node);
  ///@}

  ///@{
  /// Optional expert segmentation of the same photo (segments "Optic disc" and "Optic cup"): its rim is added to the
  /// rim table and to the chart.
  vtkMRMLSegmentationNode* GetComparisonSegmentationNode();
  void SetComparisonSegmentationNode(vtkMRMLSegmentationNode* node);
  ///@}

  ///@{
  /// State of the present run, written by the logic; a ModifiedEvent tells of every change.
  vtkGetMacro(Status, int);
  vtkGetMacro(StatusMessage, std::string);
  vtkGetMacro(Progress, double);
  void SetRunState(int status, const std::string& message, double progress);
  ///@}

protected:
  vtkMRMLNPSNetParameterNode();
  ~vtkMRMLNPSNetParameterNode() override;

private:
  vtkMRMLNPSNetParameterNode(const vtkMRMLNPSNetParameterNode&) = delete;
  void operator=(const vtkMRMLNPSNetParameterNode&) = delete;

  int Eye{EyeAuto};
  std::string TTAMode{"auto"};
  std::string Device{"auto"};
  std::string Precision{"auto"};
  std::string ModelFileName;
  double MicrometersPerPixel{0.0};
  bool Locate{true};
  int Orientation{0};
  bool InProcess{false};
  int NumberOfThreads{0};
  bool CreateCurves{true};
  bool ResultsVisible{true};
  int NumberOfCurvePoints{36};
  bool AutoUpdate{false};

  int Status{Idle};
  std::string StatusMessage;
  double Progress{0.0};
};

#endif
