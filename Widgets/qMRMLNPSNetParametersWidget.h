// SPDX-License-Identifier: Apache-2.0
#ifndef qMRMLNPSNetParametersWidget_h
#define qMRMLNPSNetParametersWidget_h

#include "qSlicerNPSNetSegmentationModuleWidgetsExport.h"

#include <QScopedPointer>
#include <QWidget>

#include <vtkSmartPointer.h>

class vtkCallbackCommand;
class vtkMRMLNPSNetParameterNode;
class vtkMRMLNode;
class vtkObject;

namespace Ui
{
class qMRMLNPSNetParametersWidget;
}

/// \brief Shows and edits a vtkMRMLNPSNetParameterNode; disabled without one.
///
/// Needs MRML but neither CTK nor qMRMLWidgets, so that it is compiled and tested without a full Slicer too.
class Q_SLICER_MODULE_NPSNETSEGMENTATION_WIDGETS_EXPORT qMRMLNPSNetParametersWidget : public QWidget
{
  Q_OBJECT
public:
  explicit qMRMLNPSNetParametersWidget(QWidget* parent = nullptr);
  ~qMRMLNPSNetParametersWidget() override;

  /// Where the centre of the disc comes from; kept in the parameter node, so saved with the scene.
  enum CenterMode
  {
    CenterAutomatic,
    CenterClick,
    CenterCrosshair
  };
  Q_ENUM(CenterMode)
  static CenterMode centerMode(vtkMRMLNPSNetParameterNode* node);
  static void setCenterMode(vtkMRMLNPSNetParameterNode* node, CenterMode mode);

  vtkMRMLNPSNetParameterNode* parameterNode() const;

public slots:
  void setParameterNode(vtkMRMLNode* node);
  /// One sentence about the computer, as qNPSNetDeviceProbe tells it.
  void setDeviceFound(const QString& text);

signals:
  void parametersChanged();
  void centerModeChanged(int mode);

private:
  static void onNodeModified(vtkObject* caller, unsigned long event, void* self, void* callData);
  void updateGUIFromMRML();
  void updateMRMLFromGUI();
  void browseModel();

  QScopedPointer<Ui::qMRMLNPSNetParametersWidget> ui;
  vtkSmartPointer<vtkMRMLNPSNetParameterNode> Node;
  vtkSmartPointer<vtkCallbackCommand> Observer;
  bool Updating{false};
};

#endif
