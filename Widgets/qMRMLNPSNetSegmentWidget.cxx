// SPDX-License-Identifier: Apache-2.0
#include "qMRMLNPSNetSegmentWidget.h"
#include "ui_qMRMLNPSNetSegmentWidget.h"

#include "qMRMLNPSNetNestingGuard.h"
#include "qMRMLNPSNetResults.h"
#include "qNPSNetDeviceProbe.h"
#include "vtkMRMLNPSNetParameterNode.h"
#include "vtkSlicerNPSNetSegmentationLogic.h"

#include <vtkMRMLMarkupsDisplayNode.h>
#include <vtkMRMLMarkupsFiducialNode.h>
#include <vtkMRMLScene.h>
#include <vtkMRMLSegmentationNode.h>
#include <vtkSegmentationHistory.h>

#include <vtkCallbackCommand.h>
#include <vtkVector.h>

#include <QDateTime>
#include <QDir>
#include <QMap>
#include <QRegularExpression>
#include <QThread>
#include <QTimer>

#include <memory>

namespace
{
constexpr int PollMilliseconds = 100; // for hosts without an application logic that calls ProcessRuns()
} // namespace

using Parameters = qMRMLNPSNetParametersWidget;
using LogicClass = vtkSlicerNPSNetSegmentationLogic;

qMRMLNPSNetSegmentWidget::qMRMLNPSNetSegmentWidget(QWidget* parent)
    : QWidget(parent)
    , ui(new Ui::qMRMLNPSNetSegmentWidget)
    , Guard(new qMRMLNPSNetNestingGuard(this))
    , Timer(new QTimer(this))
    , Observer(vtkSmartPointer<vtkCallbackCommand>::New())
    , HistoryObserver(vtkSmartPointer<vtkCallbackCommand>::New())
{
  this->ui->setupUi(this);
  this->Observer->SetClientData(this);
  this->Observer->SetCallback(&qMRMLNPSNetSegmentWidget::onLogicEvent);
  this->HistoryObserver->SetClientData(this);
  this->HistoryObserver->SetCallback(&qMRMLNPSNetSegmentWidget::onHistoryModified);
  this->Timer->setInterval(PollMilliseconds);

  connect(this->Timer, &QTimer::timeout, this,
    [this]
    {
      this->Logic->ProcessRuns();
      this->updateWidget();
    });
  connect(this->ui->ApplyButton, &QPushButton::clicked, this, &qMRMLNPSNetSegmentWidget::apply);
  connect(this->ui->CancelButton, &QPushButton::clicked, this, &qMRMLNPSNetSegmentWidget::cancel);
  connect(
    this->ui->ParametersWidget, &Parameters::centerModeChanged, this, &qMRMLNPSNetSegmentWidget::onCenterModeChanged);
  connect(
    this->ui->ParametersWidget, &Parameters::parametersChanged, this, &qMRMLNPSNetSegmentWidget::parametersChanged);
  connect(this->ui->ResultsWidget, &qNPSNetResultsWidget::showTableRequested, this,
    &qMRMLNPSNetSegmentWidget::showTableRequested);
  connect(this->ui->ResultsWidget, &qNPSNetResultsWidget::showPlotRequested, this,
    &qMRMLNPSNetSegmentWidget::showPlotRequested);
  connect(
    this->ui->ResultsWidget, &qNPSNetResultsWidget::openReportRequested, this, &qMRMLNPSNetSegmentWidget::openReport);

  connect(
    this->ui->ResultsWidget, &qNPSNetResultsWidget::saveRequested, this, &qMRMLNPSNetSegmentWidget::saveRequested);

  auto* probe = new qNPSNetDeviceProbe(this);
  connect(probe, &qNPSNetDeviceProbe::found, this->ui->ParametersWidget, &Parameters::setDeviceFound);
  probe->start();
  this->updateWidget();
}

qMRMLNPSNetSegmentWidget::~qMRMLNPSNetSegmentWidget()
{
  if (this->Reporter)
  {
    this->Reporter->disconnect(this);
    this->Reporter->wait();
  }
  this->setParameterNode(nullptr);
  this->setLogic(nullptr);
}

void qMRMLNPSNetSegmentWidget::setLogic(LogicClass* logic)
{
  if (logic == this->Logic)
  {
    return;
  }
  if (this->Logic)
  {
    this->Logic->RemoveObserver(this->Observer);
  }
  this->Logic = logic;
  if (this->Logic)
  {
    for (unsigned long event = LogicClass::RunStartedEvent; event <= LogicClass::MeasurementsUpdatedEvent; ++event)
    {
      this->Logic->AddObserver(event, this->Observer);
    }
  }
  this->updateWidget();
}

LogicClass* qMRMLNPSNetSegmentWidget::logic() const
{
  return this->Logic;
}

vtkMRMLNPSNetParameterNode* qMRMLNPSNetSegmentWidget::parameterNode() const
{
  return this->Node;
}

void qMRMLNPSNetSegmentWidget::setParameterNode(vtkMRMLNode* node)
{
  if (node != this->Node)
  {
    if (this->Node)
    {
      this->Node->RemoveObserver(this->Observer);
    }
    this->Node = vtkMRMLNPSNetParameterNode::SafeDownCast(node);
    this->ApplyAgain = false;
    this->say(QString()); // of another photo
    if (this->Node)
    {
      this->Node->AddObserver(vtkCommand::ModifiedEvent, this->Observer);
    }
    this->ui->ParametersWidget->setParameterNode(this->Node);
  }
  this->observeHistory();
  this->Guard->setParameterNode(this->Logic, this->Node);
  this->updateResults();
  this->updateWidget();
}

void qMRMLNPSNetSegmentWidget::setUndoElsewhere(bool elsewhere)
{
  this->UndoElsewhere = elsewhere;
  this->observeHistory();
}

void qMRMLNPSNetSegmentWidget::observeHistory()
{
  // The logic saves a state right before it writes. A history of our own tells us when, and its owner keeps the state
  // in the history that the user's undo button works on.
  if (this->History)
  {
    this->History->RemoveObserver(this->HistoryObserver);
    this->History = nullptr;
  }
  vtkMRMLSegmentationNode* segmentation = this->Node ? this->Node->GetSegmentationNode() : nullptr;
  this->Segmentation = segmentation;
  if (!this->UndoElsewhere || !this->Logic || !segmentation)
  {
    return;
  }
  this->History = vtkSmartPointer<vtkSegmentationHistory>::New();
  this->History->SetMaximumNumberOfStates(1);
  this->Logic->SetSegmentationHistory(segmentation, this->History);
  this->History->AddObserver(vtkCommand::ModifiedEvent, this->HistoryObserver);
}

void qMRMLNPSNetSegmentWidget::onHistoryModified(vtkObject* caller, unsigned long, void* self, void*)
{
  auto* history = static_cast<vtkSegmentationHistory*>(caller);
  if (history->GetNumberOfStates() > 0) // it is modified also by every edit of the segments
  {
    history->RemoveAllStates();
    emit static_cast<qMRMLNPSNetSegmentWidget*>(self)->aboutToModify();
  }
}

QString qMRMLNPSNetSegmentWidget::windowText(const QString& message)
{
  static const QMap<QString, const char*> stages = {
    {"locate", QT_TR_NOOP("Finding the optic disc…")},
    {"segment", QT_TR_NOOP("Outlining disc and cup…")},
    {"measure", QT_TR_NOOP("Measuring the rim…")},
    {"done", QT_TR_NOOP("Drawing the results…")},
    {"Starting", QT_TR_NOOP("Starting…")},
  };
  if (stages.contains(message))
  {
    return tr(stages.value(message));
  }
  if (message.startsWith("No optic nerve head was found"))
  {
    return tr(
      "No optic disc was found: check the photo, or choose the centre \"Click in the slice view\" and click into "
      "the disc.");
  }
  static const QRegularExpression option("\\s*\\([^()]*--[^()]*\\)");
  return QString(message).remove(option);
}

bool qMRMLNPSNetSegmentWidget::isRunning() const
{
  return this->Logic && this->Node && this->Logic->IsRunning(this->Node);
}

bool qMRMLNPSNetSegmentWidget::isLive() const
{
  return this->ui->LiveCheckBox->isChecked();
}

void qMRMLNPSNetSegmentWidget::setLive(bool live)
{
  this->ui->LiveCheckBox->setChecked(live);
}

void qMRMLNPSNetSegmentWidget::setCompact(bool compact)
{
  this->ui->ResultsWidget->setCompact(compact);
}

QString qMRMLNPSNetSegmentWidget::statusText() const
{
  return this->ui->StatusLabel->text();
}

qNPSNetResults qMRMLNPSNetSegmentWidget::results() const
{
  return this->ui->ResultsWidget->results();
}

void qMRMLNPSNetSegmentWidget::setCenter(const double world[3])
{
  if (!this->Node || !this->Node->GetScene())
  {
    return;
  }
  vtkMRMLMarkupsFiducialNode* anchor = this->Node->GetAnchorNode();
  if (!anchor)
  {
    anchor = vtkMRMLMarkupsFiducialNode::SafeDownCast(
      this->Node->GetScene()->AddNewNodeByClass("vtkMRMLMarkupsFiducialNode", "NPS-Net centre"));
    anchor->CreateDefaultDisplayNodes();
    if (vtkMRMLMarkupsDisplayNode* display = anchor->GetMarkupsDisplayNode())
    {
      display->SetPointLabelsVisibility(false);
      display->SetPropertiesLabelVisibility(false);
      display->SetGlyphType(vtkMRMLMarkupsDisplayNode::CrossDot2D);
      display->SetSelectedColor(0.94, 0.89, 0.26); // Okabe-Ito yellow, seen on every fundus
    }
    this->Node->SetAnchorNode(anchor);
  }
  if (anchor->GetNumberOfControlPoints() == 0)
  {
    anchor->AddControlPointWorld(vtkVector3d(world));
  }
  else
  {
    anchor->SetNthControlPointPositionWorld(0, world[0], world[1], world[2]);
  }
  if (this->isLive() && Parameters::centerMode(this->Node) == Parameters::CenterClick)
  {
    this->apply();
  }
}

void qMRMLNPSNetSegmentWidget::clearCenter()
{
  vtkMRMLMarkupsFiducialNode* anchor = this->Node ? this->Node->GetAnchorNode() : nullptr;
  if (anchor)
  {
    this->Node->SetAnchorNode(nullptr);
    this->Node->GetScene()->RemoveNode(anchor);
  }
}

void qMRMLNPSNetSegmentWidget::onCenterModeChanged(int mode)
{
  if (mode == Parameters::CenterAutomatic)
  {
    this->clearCenter();
  }
  this->updateWidget();
  emit this->centerModeChanged(mode);
}

void qMRMLNPSNetSegmentWidget::apply()
{
  if (!this->Logic || !this->Node)
  {
    return;
  }
  if (this->isRunning())
  {
    this->ApplyAgain = true;
    this->Logic->CancelRun(this->Node);
    return;
  }
  this->ApplyAgain = false;
  if (Parameters::centerMode(this->Node) == Parameters::CenterCrosshair)
  {
    emit this->crosshairCenterNeeded();
  }
  if (this->Logic->StartSegment(this->Node) == LogicClass::Success)
  {
    this->Timer->start();
    this->ui->StatusLabel->setText(tr("Starting…"));
  }
  else
  {
    this->ui->StatusLabel->setText(windowText(QString::fromStdString(this->Logic->GetLastMessage())));
    emit this->runFinished(false);
  }
  this->updateWidget();
}

void qMRMLNPSNetSegmentWidget::cancel()
{
  this->ApplyAgain = false;
  if (this->isRunning())
  {
    this->Logic->CancelRun(this->Node);
    this->ui->StatusLabel->setText(tr("Stopping…"));
  }
}

void qMRMLNPSNetSegmentWidget::openReport()
{
  if (!this->Logic || !this->Node || this->Reporter)
  {
    return;
  }
  // A folder of its own: a report that is open in the browser stays as it was.
  const QDir base(this->ReportFolder.isEmpty() ? QDir::tempPath() : this->ReportFolder);
  const QString folder = base.filePath("NPSNet-" + QDateTime::currentDateTime().toString("yyyyMMdd-HHmmss-zzz"));
  this->write(this->Logic->PrepareReport(this->Node, folder.toStdString()),
    [this](const QString& file) { emit this->reportWritten(file); });
}

void qMRMLNPSNetSegmentWidget::saveFiles(const QString& folder)
{
  if (!this->Logic || !this->Node || this->Reporter || folder.isEmpty())
  {
    return;
  }
  this->write(this->Logic->PrepareFiles(this->Node, folder.toStdString()),
    [this](const QString& file) { this->say(tr("Saved: %1 and the files beside it.").arg(file)); });
}

void qMRMLNPSNetSegmentWidget::write(
  const std::function<std::string()>& write, const std::function<void(const QString&)>& done)
{
  if (!write)
  {
    this->say(windowText(QString::fromStdString(this->Logic->GetLastMessage())));
    return;
  }
  struct Answer
  {
    QString FileName;
    QString Error;
  };
  const auto answer = std::make_shared<Answer>();
  this->Reporter = QThread::create(
    [write, answer]
    {
      try
      {
        answer->FileName = QString::fromStdString(write());
      }
      catch (const std::exception& error)
      {
        answer->Error = QString::fromUtf8(error.what());
      }
    });
  connect(this->Reporter, &QThread::finished, this,
    [this, answer, done]
    {
      this->Reporter = nullptr;
      answer->Error.isEmpty() ? done(answer->FileName) : this->say(answer->Error);
    });
  connect(this->Reporter, &QThread::finished, this->Reporter, &QObject::deleteLater);
  this->Reporter->start();
}

void qMRMLNPSNetSegmentWidget::say(const QString& sentence)
{
  this->ui->StatusLabel->setText(sentence);
  this->ui->StatusLabel->setVisible(!sentence.isEmpty());
}

void qMRMLNPSNetSegmentWidget::onLogicEvent(vtkObject* caller, unsigned long event, void* clientData, void* callData)
{
  auto* self = static_cast<qMRMLNPSNetSegmentWidget*>(clientData);
  if (caller == self->Node)
  {
    if (self->Node->GetSegmentationNode() != self->Segmentation)
    {
      self->observeHistory(); // the logic is about to write to a segmentation that it has just made
      self->Guard->setParameterNode(self->Logic, self->Node);
      if (self->Segmentation)
      {
        emit self->segmentationChanged();
      }
    }
    self->updateWidget();
    return;
  }
  if (!self->Node || callData != static_cast<vtkObject*>(self->Node))
  {
    return;
  }
  switch (event)
  {
  case LogicClass::RunCompletedEvent:
    self->onRunEnded(true);
    break;
  case LogicClass::RunCancelledEvent:
  case LogicClass::RunFailedEvent:
    self->onRunEnded(false);
    break;
  case LogicClass::MeasurementsUpdatedEvent:
    self->updateResults();
    break;
  default:
    self->updateWidget();
    break;
  }
}

void qMRMLNPSNetSegmentWidget::onRunEnded(bool good)
{
  const QString message = windowText(QString::fromStdString(this->Node->GetStatusMessage()));
  this->ui->StatusLabel->setText(message);
  this->observeHistory(); // the run may have made the segmentation
  this->Guard->setParameterNode(this->Logic, this->Node);
  this->updateResults();
  if (this->ApplyAgain)
  {
    // From the event loop: the logic is still cleaning up the run that ended.
    QTimer::singleShot(0, this, &qMRMLNPSNetSegmentWidget::apply);
    return;
  }
  this->updateWidget();
  emit this->runFinished(good);
}

void qMRMLNPSNetSegmentWidget::updateResults()
{
  this->ui->ResultsWidget->setResults(qMRMLNPSNetResults(this->Logic, this->Node));
  emit this->resultsChanged(this->ui->ResultsWidget->results());
}

void qMRMLNPSNetSegmentWidget::setShown(bool table, bool plot)
{
  this->ui->ResultsWidget->setShown(table, plot);
}

void qMRMLNPSNetSegmentWidget::updateWidget()
{
  const bool running = this->isRunning();
  // A button that is disabled hands its focus on to whatever comes next, far down in the panel.
  if (running && this->ui->ApplyButton->hasFocus())
  {
    this->ui->CancelButton->setEnabled(true);
    this->ui->CancelButton->setFocus();
  }
  const bool focus = !running && this->ui->CancelButton->hasFocus();
  if (!running)
  {
    this->Timer->stop();
  }
  const bool click = Parameters::centerMode(this->Node) == Parameters::CenterClick;
  const bool ready = this->Logic && this->Node && this->Node->GetInputVolumeNode();
  const bool pointMissing = click && ready && !this->Node->GetAnchorNode();
  const QString advice = !this->Node    ? QString()
                         : !ready       ? tr("Choose a photo.")
                         : pointMissing ? tr("Click into the optic disc in the slice view.")
                                        : QString();
  this->ui->ApplyButton->setEnabled(ready && !running && !pointMissing);
  if (focus && this->ui->ApplyButton->isEnabled())
  {
    this->ui->ApplyButton->setFocus();
  }
  this->ui->CancelButton->setEnabled(running);
  this->ui->LiveCheckBox->setEnabled(click);
  this->ui->ProgressBar->setVisible(running);
  if (running)
  {
    this->ui->ProgressBar->setValue(qRound(1000.0 * this->Node->GetProgress()));
    this->ui->StatusLabel->setText(windowText(QString::fromStdString(this->Node->GetStatusMessage())));
  }
  else if (advice != this->Advice || !advice.isEmpty())
  {
    this->ui->StatusLabel->setText(advice); // the sentence of a run stays until there is something to advise
  }
  this->Advice = advice;
  this->ui->StatusLabel->setVisible(!this->ui->StatusLabel->text().isEmpty());
}
