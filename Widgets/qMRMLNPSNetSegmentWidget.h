// SPDX-License-Identifier: Apache-2.0
#ifndef qMRMLNPSNetSegmentWidget_h
#define qMRMLNPSNetSegmentWidget_h

#include "qNPSNetResults.h"
#include "qSlicerNPSNetSegmentationModuleWidgetsExport.h"

#include <QPointer>
#include <QScopedPointer>
#include <QWidget>

#include <functional>
#include <string>

#include <vtkSmartPointer.h>
#include <vtkWeakPointer.h>

class QThread;
class QTimer;
class qMRMLNPSNetNestingGuard;
class vtkCallbackCommand;
class vtkMRMLNPSNetParameterNode;
class vtkMRMLNode;
class vtkMRMLSegmentationNode;
class vtkObject;
class vtkSegmentationHistory;
class vtkSlicerNPSNetSegmentationLogic;

namespace Ui
{
class qMRMLNPSNetSegmentWidget;
}

/// \brief Parameters, Apply and Cancel with progress, and the results of one parameter node.
///
/// The module panel and the Segment Editor effect both are this widget plus what they know of their surroundings. The
/// computation runs in the logic, out of process; nothing here waits for it.
class Q_SLICER_MODULE_NPSNETSEGMENTATION_WIDGETS_EXPORT qMRMLNPSNetSegmentWidget : public QWidget
{
  Q_OBJECT
public:
  explicit qMRMLNPSNetSegmentWidget(QWidget* parent = nullptr);
  ~qMRMLNPSNetSegmentWidget() override;

  void setLogic(vtkSlicerNPSNetSegmentationLogic* logic);
  vtkSlicerNPSNetSegmentationLogic* logic() const;
  vtkMRMLNPSNetParameterNode* parameterNode() const;
  qMRMLNPSNetNestingGuard* nestingGuard() const { return this->Guard; }

  /// The segmentation's undo history belongs to another widget: aboutToModify() is emitted right before the segments
  /// are written, and no state is kept here.
  void setUndoElsewhere(bool elsewhere);

  /// Where openReport() writes; the system's folder for temporary files unless set.
  void setReportFolder(const QString& folder) { this->ReportFolder = folder; }

  /// What a run says, in words of this window: the command line's options are not the reader's, and stages have names.
  static QString windowText(const QString& message);

  bool isRunning() const;
  bool isLive() const;
  QString statusText() const;
  qNPSNetResults results() const;

  /// The point of a click or of the cross-hair, in world coordinates. Starts a run when live.
  void setCenter(const double world[3]);
  /// Forget the point; the disc is found automatically again.
  void clearCenter();

public slots:
  void setParameterNode(vtkMRMLNode* node);
  void setCompact(bool compact);
  void setLive(bool live);
  /// Starts a run; when one is running already it is cancelled and a new one follows.
  void apply();
  void cancel();
  /// Writes the report in a thread of its own; reportWritten() tells when.
  void openReport();
  /// Writes all files of the command line into a folder, in a thread of its own; statusText() tells when.
  void saveFiles(const QString& folder);
  void updateResults();
  /// A sentence for the reader, below the controls.
  void say(const QString& sentence);
  /// Whether table and plot are in the window now.
  void setShown(bool table, bool plot);

signals:
  /// What the panel shows of the photo has changed.
  void resultsChanged(const qNPSNetResults& results);
  void aboutToModify();
  /// The parameter node has got a segmentation; a run writes to it in later turns of the event loop.
  void segmentationChanged();
  /// Before a run whose centre is the cross-hair: answer with setCenter().
  void crosshairCenterNeeded();
  void centerModeChanged(int mode);
  /// The user chose another parameter.
  void parametersChanged();
  void runFinished(bool good);
  void showTableRequested();
  void showPlotRequested();
  /// The user wants to save what is shown: answer with saveFiles().
  void saveRequested();
  /// The report that the user asked to see lies here.
  void reportWritten(const QString& fileName);

private:
  static void onLogicEvent(vtkObject* caller, unsigned long event, void* self, void* callData);
  static void onHistoryModified(vtkObject* caller, unsigned long event, void* self, void* callData);
  void onRunEnded(bool good);
  void onCenterModeChanged(int mode);
  void write(const std::function<std::string()>& write, const std::function<void(const QString&)>& done);
  void observeHistory();
  void updateWidget();

  QScopedPointer<Ui::qMRMLNPSNetSegmentWidget> ui;
  qMRMLNPSNetNestingGuard* Guard;
  QTimer* Timer;
  vtkSmartPointer<vtkSlicerNPSNetSegmentationLogic> Logic;
  vtkWeakPointer<vtkMRMLNPSNetParameterNode> Node;
  vtkWeakPointer<vtkMRMLSegmentationNode> Segmentation;
  vtkSmartPointer<vtkCallbackCommand> Observer;
  vtkSmartPointer<vtkCallbackCommand> HistoryObserver;
  vtkSmartPointer<vtkSegmentationHistory> History;
  QPointer<QThread> Reporter;
  QString ReportFolder;
  QString Advice;
  bool UndoElsewhere{false};
  bool ApplyAgain{false};
};

#endif
