// SPDX-License-Identifier: Apache-2.0
#ifndef qMRMLNPSNetNestingGuard_h
#define qMRMLNPSNetNestingGuard_h

#include "qSlicerNPSNetSegmentationModuleWidgetsExport.h"

#include <QObject>
#include <QSet>

#include <vtkSmartPointer.h>
#include <vtkWeakPointer.h>

#include <functional>

class vtkCallbackCommand;
class vtkMRMLMarkupsClosedCurveNode;
class vtkMRMLNPSNetParameterNode;
class vtkMRMLSegmentationNode;
class vtkObject;
class vtkSlicerNPSNetSegmentationLogic;

/// \brief Keeps the cup inside the disc and the tables up to date while the segments are edited or a curve is dragged.
///
/// Reacts once the event loop is reached again, so that an edit is complete and an undo fully restored: a restored
/// state is nested already and is left untouched, which keeps redo possible. Saves no undo state of its own, so its
/// change belongs to the step of the edit that caused it; a dragged curve is a step that the logic saves.
class Q_SLICER_MODULE_NPSNETSEGMENTATION_WIDGETS_EXPORT qMRMLNPSNetNestingGuard : public QObject
{
  Q_OBJECT
public:
  explicit qMRMLNPSNetNestingGuard(QObject* parent = nullptr);
  ~qMRMLNPSNetNestingGuard() override;

  /// Guards the segmentation and the curves of the parameter node, if it has them.
  void setParameterNode(vtkSlicerNPSNetSegmentationLogic* logic, vtkMRMLNPSNetParameterNode* parameters);

  /// Tells which segment the user has in hand: in the editor's overwrite mode painting one changes the other as well.
  void setSelectedSegment(std::function<QString()> selected) { this->Selected = std::move(selected); }

signals:
  void enforced();

private:
  static void onNodeEvent(vtkObject* caller, unsigned long event, void* self, void* callData);
  void observeNodes();
  void enforce();
  QString editedSegment() const;

  vtkWeakPointer<vtkSlicerNPSNetSegmentationLogic> Logic;
  vtkWeakPointer<vtkMRMLNPSNetParameterNode> Parameters;
  vtkWeakPointer<vtkMRMLSegmentationNode> Segmentation;
  vtkWeakPointer<vtkMRMLMarkupsClosedCurveNode> DiscCurve;
  vtkWeakPointer<vtkMRMLMarkupsClosedCurveNode> CupCurve;
  vtkSmartPointer<vtkCallbackCommand> Observer;
  std::function<QString()> Selected;
  QSet<QString> Edited;
  bool Scheduled{false};
};

#endif
