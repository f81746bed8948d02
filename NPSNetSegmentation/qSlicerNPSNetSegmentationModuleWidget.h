// SPDX-License-Identifier: Apache-2.0
#ifndef qSlicerNPSNetSegmentationModuleWidget_h
#define qSlicerNPSNetSegmentationModuleWidget_h

#include "qSlicerAbstractModuleWidget.h"
#include "qSlicerNPSNetSegmentationModuleExport.h"

class qSlicerNPSNetSegmentationModuleWidgetPrivate;
class vtkMRMLNode;

/// \brief The module's panel: photo, segment, edit, batch.
class Q_SLICER_QTMODULES_NPSNETSEGMENTATION_EXPORT qSlicerNPSNetSegmentationModuleWidget
    : public qSlicerAbstractModuleWidget
{
  Q_OBJECT
public:
  typedef qSlicerAbstractModuleWidget Superclass;
  explicit qSlicerNPSNetSegmentationModuleWidget(QWidget* parent = nullptr);
  ~qSlicerNPSNetSegmentationModuleWidget() override;

  void enter() override;
  void exit() override;
  bool setEditedNode(vtkMRMLNode* node, QString role = QString(), QString context = QString()) override;

  /// Clicks into the slice views, for the tab Segment.
  bool eventFilter(QObject* object, QEvent* event) override;

public slots:
  void setMRMLScene(vtkMRMLScene* scene) override;
  /// Loads exactly this file and chooses it; with labels they become its segments.
  bool loadPhoto(const QString& fileName, const QString& labels = QString());
  bool loadSamplePhoto(const QString& name);
  /// Adds the expert's labels as comparison.
  bool loadComparison(const QString& labels);
  void setPhoto(vtkMRMLNode* volume);

protected slots:
  void onSceneChanged();

protected:
  void setup() override;
  /// Photos may be dropped on the panel.
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

  QScopedPointer<qSlicerNPSNetSegmentationModuleWidgetPrivate> d_ptr;

private:
  Q_DECLARE_PRIVATE(qSlicerNPSNetSegmentationModuleWidget);
  Q_DISABLE_COPY(qSlicerNPSNetSegmentationModuleWidget);
};

#endif
