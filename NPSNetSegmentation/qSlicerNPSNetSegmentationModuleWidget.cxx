// SPDX-License-Identifier: Apache-2.0
#include "qSlicerNPSNetSegmentationModuleWidget.h"
#include "ui_qSlicerNPSNetSegmentationModuleWidget.h"

#include "qMRMLNPSNetParametersWidget.h"
#include "qMRMLNPSNetSettings.h"
#include "qNPSNetReviewLayout.h"
#include "qSlicerNPSNetSegmentationModule.h"
#include "vtkMRMLNPSNetParameterNode.h"
#include "vtkSlicerNPSNetSegmentationLogic.h"

#include <qMRMLSliceView.h>
#include <qMRMLSliceWidget.h>
#include <qSlicerApplication.h>
#include <qSlicerLayoutManager.h>
#include <qSlicerSegmentEditorAbstractEffect.h>

#include <vtkMRMLCrosshairNode.h>
#include <vtkMRMLScalarVolumeNode.h>
#include <vtkMRMLScene.h>
#include <vtkMRMLSegmentEditorNode.h>
#include <vtkMRMLSegmentationNode.h>
#include <vtkMRMLSelectionNode.h>
#include <vtkMRMLSliceNode.h>
#include <vtkSlicerApplicationLogic.h>
#include <vtkSlicerVolumesLogic.h>

#include <vtkNew.h>
#include <vtkStringArray.h>

#include <QDesktopServices>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMimeData>
#include <QMouseEvent>
#include <QShortcut>
#include <QTimer>
#include <QToolButton>
#include <QUrl>

#include <algorithm>
#include <array>
#include <vector>

namespace
{
const char* const EditorTag = "NPSNetSegmentation";

QString sampleTitle(const QString& name, const QString& label)
{
  using Widget = qSlicerNPSNetSegmentationModuleWidget;
  const QString eye = name.endsWith("OD") ? Widget::tr("right eye") : Widget::tr("left eye");
  const QString group = label == "glaucoma"  ? Widget::tr("glaucoma")
                        : label == "suspect" ? Widget::tr("suspect")
                        : label == "healthy" ? Widget::tr("healthy")
                                             : label;
  return Widget::tr("%1 (%2, %3)").arg(name, eye, group);
}
} // namespace

class qSlicerNPSNetSegmentationModuleWidgetPrivate : public Ui_qSlicerNPSNetSegmentationModuleWidget
{
public:
  explicit qSlicerNPSNetSegmentationModuleWidgetPrivate(qSlicerNPSNetSegmentationModuleWidget& object)
      : q_ptr(&object)
  {
  }

  vtkSlicerNPSNetSegmentationLogic* logic() const
  {
    return vtkSlicerNPSNetSegmentationLogic::SafeDownCast(this->q_ptr->logic());
  }
  vtkMRMLNPSNetParameterNode* parameters() const { return this->SegmentWidget->parameterNode(); }

  /// Nodes may be made: the scene is neither being closed nor read.
  bool isReady() const
  {
    vtkMRMLScene* scene = this->q_ptr->mrmlScene();
    return scene && this->logic() && !scene->IsBatchProcessing() && !scene->IsClosing();
  }

  /// The parameter node of a photo, or one that has neither photo nor results; null when there is none.
  vtkMRMLNPSNetParameterNode* parametersOf(const vtkMRMLVolumeNode* photo) const
  {
    std::vector<vtkMRMLNode*> nodes;
    this->q_ptr->mrmlScene()->GetNodesByClass("vtkMRMLNPSNetParameterNode", nodes);
    for (vtkMRMLNode* node : nodes)
    {
      auto* parameters = vtkMRMLNPSNetParameterNode::SafeDownCast(node);
      if (parameters->GetInputVolumeNode() == photo && (photo || !parameters->GetSegmentationNode()))
      {
        return parameters;
      }
    }
    return nullptr;
  }

  /// The parameter node of the panel; when there is none of this scene with a photo, that of the photo in the views,
  /// else the scene's first, made when it has none.
  vtkMRMLNPSNetParameterNode* ensureParameterNode()
  {
    vtkMRMLScene* scene = this->q_ptr->mrmlScene();
    const bool present = this->parameters() && this->parameters()->GetScene() == scene;
    if (!this->isReady() || (present && this->parameters()->GetInputVolumeNode()))
    {
      return this->parameters();
    }
    vtkMRMLSelectionNode* selection = qSlicerApplication::application()->applicationLogic()->GetSelectionNode();
    auto* shown =
      vtkMRMLVolumeNode::SafeDownCast(scene->GetNodeByID(selection ? selection->GetActiveVolumeID() : nullptr));
    vtkMRMLNPSNetParameterNode* found = shown ? this->parametersOf(shown) : nullptr;
    if (found || !present)
    {
      vtkMRMLNPSNetParameterNode* node = found ? found : this->logic()->GetDefaultParameterNode();
      if (!node->GetInputVolumeNode() && !node->GetSegmentationNode())
      {
        qMRMLNPSNetSettings::recall(node);
      }
      this->SegmentWidget->setParameterNode(node);
    }
    return this->parameters();
  }

  /// The editor works on the panel's photo and segmentation.
  void updateEditor()
  {
    vtkMRMLScene* scene = this->q_ptr->mrmlScene();
    vtkMRMLNPSNetParameterNode* node = this->parameters();
    if (!scene || !node)
    {
      return;
    }
    auto* editor =
      vtkMRMLSegmentEditorNode::SafeDownCast(scene->GetSingletonNode(EditorTag, "vtkMRMLSegmentEditorNode"));
    if (!editor)
    {
      vtkNew<vtkMRMLSegmentEditorNode> made;
      made->SetSingletonTag(EditorTag);
      editor = vtkMRMLSegmentEditorNode::SafeDownCast(scene->AddNode(made));
    }
    this->SegmentEditorWidget->setMRMLSegmentEditorNode(editor);
    if (node->GetInputVolumeNode() && !node->GetSegmentationNode())
    {
      auto* segmentation = vtkMRMLSegmentationNode::SafeDownCast(scene->AddNewNodeByClass(
        "vtkMRMLSegmentationNode", std::string(node->GetInputVolumeNode()->GetName()) + " segmentation"));
      segmentation->CreateDefaultDisplayNodes();
      segmentation->SetReferenceImageGeometryParameterFromVolumeNode(
        vtkMRMLScalarVolumeNode::SafeDownCast(node->GetInputVolumeNode()));
      node->SetSegmentationNode(segmentation);
    }
    if (node->GetSegmentationNode())
    {
      if (editor->GetSegmentationNode() != node->GetSegmentationNode())
      {
        this->allowOverlap();
      }
      this->SegmentEditorWidget->setSegmentationNode(node->GetSegmentationNode());
      this->SegmentEditorWidget->setSourceVolumeNode(node->GetInputVolumeNode());
    }
  }

  /// Disc and cup overlap: the editor's default would erase the one under the other.
  void allowOverlap()
  {
    if (vtkMRMLSegmentEditorNode* editor = this->SegmentEditorWidget->mrmlSegmentEditorNode())
    {
      editor->SetOverwriteMode(vtkMRMLSegmentEditorNode::OverwriteNone);
    }
  }

  /// The editor must never show another photo's segments, or the segments on another photo.
  void keepEditor()
  {
    vtkMRMLNPSNetParameterNode* node = this->parameters();
    vtkMRMLSegmentEditorNode* editor = this->SegmentEditorWidget->mrmlSegmentEditorNode();
    if (this->isReady() && node && editor && node->GetSegmentationNode() && node->GetInputVolumeNode() &&
        (editor->GetSegmentationNode() != node->GetSegmentationNode() ||
          editor->GetSourceVolumeNode() != node->GetInputVolumeNode()))
    {
      this->updateEditor();
    }
  }

  /// Tools need a segment to work on.
  void selectSegment()
  {
    vtkMRMLSegmentEditorNode* editor = this->SegmentEditorWidget->mrmlSegmentEditorNode();
    if (editor && !editor->GetSelectedSegmentID())
    {
      editor->SetSelectedSegmentID(vtkSlicerNPSNetSegmentationLogic::GetDiscSegmentID());
    }
  }

  QToolButton* editorButton(const char* name) const { return this->SegmentEditorWidget->findChild<QToolButton*>(name); }

  void updateButtons()
  {
    const bool valid = this->SegmentWidget->results().Valid;
    const bool photo = this->parameters() && this->parameters()->GetInputVolumeNode();
    this->FitBoundaryButton->setEnabled(valid);
    this->ComparisonButton->setEnabled(valid);
    this->RemoveComparisonButton->setVisible(valid && this->parameters()->GetComparisonSegmentationNode());
    this->DiscViewButton->setEnabled(valid);
    this->OutlinesButton->setEnabled(valid);
    this->OutlinesButton->setChecked(valid && this->parameters()->GetSegmentationNode()->GetDisplayVisibility() != 0);
    this->NextPhotoButton->setEnabled(photo && this->photos().size() > 1);
    const auto isEnabled = [this](const char* name)
    {
      const QToolButton* button = this->editorButton(name);
      return button && button->isEnabled();
    };
    this->PanelUndoButton->setEnabled(photo && isEnabled("UndoButton"));
    this->PanelRedoButton->setEnabled(photo && isEnabled("RedoButton"));
    this->SegmentWidget->setShown(qNPSNetReviewLayout::isTableShown(), qNPSNetReviewLayout::isPlotShown());
    this->EditResults->setShown(qNPSNetReviewLayout::isTableShown(), qNPSNetReviewLayout::isPlotShown());
  }

  std::vector<vtkMRMLNode*> photos() const
  {
    std::vector<vtkMRMLNode*> nodes;
    for (int i = 0; i < this->PhotoSelector->nodeCount(); ++i)
    {
      nodes.push_back(this->PhotoSelector->nodeFromIndex(i));
    }
    return nodes;
  }

  void stepPhoto(int step)
  {
    const std::vector<vtkMRMLNode*> nodes = this->photos();
    const auto found = std::find(nodes.begin(), nodes.end(), this->PhotoSelector->currentNode());
    if (nodes.size() > 1 && found != nodes.end())
    {
      const int n = static_cast<int>(nodes.size());
      this->PhotoSelector->setCurrentNode(nodes[static_cast<std::size_t>((found - nodes.begin() + step + n) % n)]);
    }
  }

  /// Fits the photo or its disc to the view as soon as that has its new size.
  void fitWhenSettled()
  {
    this->FitTimer.start();
    this->FitSize = {0, 0};
  }

  /// Starts in the folder of the file that was chosen last.
  QString chooseFile(const QString& title, const QString& filter)
  {
    const QString file = QFileDialog::getOpenFileName(this->q_ptr, title, this->LastFile, filter);
    this->LastFile = file.isEmpty() ? this->LastFile : file;
    return file;
  }

  /// A left click into a slice view is the disc's centre; false when it was another click.
  bool clickCenter(QWidget* view, const QMouseEvent* event) const
  {
    qMRMLSliceWidget* slice = nullptr;
    for (QWidget* parent = view; parent && !slice; parent = parent->parentWidget())
    {
      slice = qobject_cast<qMRMLSliceWidget*>(parent);
    }
    if (!slice || view != slice->sliceView()->VTKWidget() || event->button() != Qt::LeftButton || event->modifiers())
    {
      return false;
    }
    const double ratio = view->devicePixelRatioF();
    double xy[2] = {event->x() * ratio, (view->height() - 1 - event->y()) * ratio};
    double world[3];
    qSlicerSegmentEditorAbstractEffect::xyToRas(xy, world, slice);
    this->SegmentWidget->setCenter(world);
    return true;
  }

  /// In the panel, not in a window that wants to be closed.
  void say(const QString& sentence) const
  {
    this->SegmentWidget->say(qMRMLNPSNetSegmentWidget::windowText(sentence));
    this->Tabs->setCurrentWidget(this->SegmentTab);
  }

  bool tell(int code) const
  {
    if (code != vtkSlicerNPSNetSegmentationLogic::Success)
    {
      this->say(QString::fromStdString(this->logic()->GetLastMessage()));
    }
    return code == vtkSlicerNPSNetSegmentationLogic::Success;
  }

  qSlicerNPSNetSegmentationModuleWidget* q_ptr;
  QString LastFile;
  QString LastEffect;
  QList<QShortcut*> UndoKeys;
  QTimer FitTimer;
  std::array<int, 2> FitSize{};
};

qSlicerNPSNetSegmentationModuleWidget::qSlicerNPSNetSegmentationModuleWidget(QWidget* parent)
    : Superclass(parent)
    , d_ptr(new qSlicerNPSNetSegmentationModuleWidgetPrivate(*this))
{
}

qSlicerNPSNetSegmentationModuleWidget::~qSlicerNPSNetSegmentationModuleWidget() = default;

void qSlicerNPSNetSegmentationModuleWidget::setup()
{
  Q_D(qSlicerNPSNetSegmentationModuleWidget);
  this->Superclass::setup();
  d->setupUi(this);
  auto* module = qobject_cast<qSlicerNPSNetSegmentationModule*>(this->module());
  d->SegmentWidget->setUndoElsewhere(true);
  d->SegmentWidget->setLogic(d->logic());
  d->BatchWidget->setExecutable(module ? module->commandLineModule("NPSNetBatch") : QString());
  d->SegmentEditorWidget->setMaximumNumberOfUndoStates(10);

  const auto openFile = [](const QString& file) { QDesktopServices::openUrl(QUrl::fromLocalFile(file)); };
  auto* samples = new QMenu(this);
  connect(samples, &QMenu::aboutToShow, this,
    [this, d, samples]
    {
      samples->clear();
      vtkNew<vtkStringArray> names;
      d->logic()->GetSamplePhotoNames(names);
      for (vtkIdType i = 0; i < names->GetNumberOfValues(); ++i)
      {
        const QString name = QString::fromStdString(names->GetValue(i));
        const QString label = QString::fromStdString(d->logic()->GetSampleLabel(names->GetValue(i)));
        samples->addAction(sampleTitle(name, label), this, [this, name] { this->loadSamplePhoto(name); });
      }
    });
  d->SampleButton->setMenu(samples);

  connect(d->PhotoSelector, QOverload<vtkMRMLNode*>::of(&qMRMLNodeComboBox::currentNodeChanged), this,
    &qSlicerNPSNetSegmentationModuleWidget::setPhoto);
  connect(d->LoadPhotoButton, &QToolButton::clicked, this,
    [this, d]
    {
      const QString file = d->chooseFile(tr("Load a fundus photo"),
        tr("Photos (*.jpg *.jpeg *.png *.tif *.tiff *.bmp *.nrrd *.nhdr *.dcm);;All files (*)"));
      if (!file.isEmpty())
      {
        this->loadPhoto(file);
      }
    });
  const auto toggleTable = [d]
  {
    qNPSNetReviewLayout::toggleTable(d->parameters());
    d->updateButtons();
    d->fitWhenSettled();
  };
  const auto togglePlot = [d]
  {
    qNPSNetReviewLayout::togglePlot(d->parameters());
    d->updateButtons();
    d->fitWhenSettled();
  };
  connect(d->SegmentWidget, &qMRMLNPSNetSegmentWidget::showTableRequested, this, toggleTable);
  connect(d->SegmentWidget, &qMRMLNPSNetSegmentWidget::showPlotRequested, this, togglePlot);
  connect(d->SegmentWidget, &qMRMLNPSNetSegmentWidget::saveRequested, this,
    [this, d]
    {
      d->SegmentWidget->saveFiles(
        QFileDialog::getExistingDirectory(this, tr("Folder for report, tables and outlines"), d->LastFile));
    });
  d->EditResults->setCompact(true);
  d->EditResults->setReportAvailable(false);
  connect(d->EditResults, &qNPSNetResultsWidget::showTableRequested, this, toggleTable);
  connect(d->EditResults, &qNPSNetResultsWidget::showPlotRequested, this, togglePlot);
  connect(d->SegmentWidget, &qMRMLNPSNetSegmentWidget::parametersChanged, this,
    [d] { qMRMLNPSNetSettings::remember(d->parameters()); });
  const auto tellBatch = [d]
  {
    if (vtkMRMLNPSNetParameterNode* node = d->parameters())
    {
      d->BatchWidget->setSettings(qMRMLNPSNetSettings::batchArguments(node), qMRMLNPSNetSettings::describe(node));
    }
  };
  connect(d->Tabs, &QTabWidget::currentChanged, this, tellBatch);
  connect(d->SegmentWidget, &qMRMLNPSNetSegmentWidget::resultsChanged, this,
    [this, d](const qNPSNetResults& results)
    {
      d->EditResults->setResults(results);
      if (this->isEntered())
      {
        qNPSNetReviewLayout::follow(d->parameters());
      }
      QTimer::singleShot(0, this, [d] { d->updateButtons(); }); // the editor's undo buttons follow later
    });
  d->FitTimer.setInterval(30);
  connect(&d->FitTimer, &QTimer::timeout, this,
    [d]
    {
      vtkMRMLScene* scene = d->q_ptr->mrmlScene();
      auto* slice = scene ? vtkMRMLSliceNode::SafeDownCast(scene->GetNodeByID("vtkMRMLSliceNodeRed")) : nullptr;
      const std::array<int, 2> size =
        slice ? std::array<int, 2>{slice->GetDimensions()[0], slice->GetDimensions()[1]} : d->FitSize;
      if (size == d->FitSize)
      {
        d->FitTimer.stop();
        qNPSNetReviewLayout::fitAgain(d->logic(), d->parameters());
      }
      d->FitSize = size;
    });
  d->SegmentEditorWidget->setSegmentationNodeSelectorVisible(false);
  d->SegmentEditorWidget->setSourceVolumeNodeSelectorVisible(false);
  const auto keepEditor = [this, d] { QTimer::singleShot(0, this, [d] { d->keepEditor(); }); };
  connect(d->SegmentEditorWidget, &qMRMLSegmentEditorWidget::segmentationNodeChanged, this, keepEditor);
  connect(d->SegmentEditorWidget, &qMRMLSegmentEditorWidget::sourceVolumeNodeChanged, this, keepEditor);
  connect(d->DiscViewButton, &QToolButton::clicked, this,
    [d] { qNPSNetReviewLayout::toggleDisc(d->logic(), d->parameters()); });
  connect(d->OutlinesButton, &QToolButton::clicked, this,
    [d]
    {
      if (d->parameters() && d->parameters()->GetSegmentationNode())
      {
        const bool shown = d->parameters()->GetSegmentationNode()->GetDisplayVisibility() != 0;
        qNPSNetReviewLayout::setResultsVisible(d->parameters(), !shown);
        d->updateButtons();
      }
    });
  connect(d->NextPhotoButton, &QToolButton::clicked, this, [d] { d->stepPhoto(1); });
  const auto pressEditor = [d](const char* name)
  {
    if (QToolButton* button = d->editorButton(name))
    {
      button->click();
    }
  };
  connect(d->PanelUndoButton, &QToolButton::clicked, this, [pressEditor] { pressEditor("UndoButton"); });
  connect(d->PanelRedoButton, &QToolButton::clicked, this, [pressEditor] { pressEditor("RedoButton"); });
  const auto addKey = [this](const QKeySequence& key, QAbstractButton* button)
  {
    auto* shortcut = new QShortcut(key, this);
    connect(shortcut, &QShortcut::activated, button, &QAbstractButton::click);
    button->setToolTip(tr("%1 Key: %2").arg(button->toolTip(), key.toString(QKeySequence::NativeText)));
    return shortcut;
  };
  addKey(QKeySequence(tr("D", "key: disc or whole photo")), d->DiscViewButton);
  addKey(QKeySequence(tr("O", "key: outlines")), d->OutlinesButton);
  addKey(QKeySequence(tr("N", "key: next photo")), d->NextPhotoButton);
  // The keys of Slicer's Segment Editor, which has them itself in the tab Edit.
  d->UndoKeys = {
    addKey(QKeySequence(Qt::Key_Z), d->PanelUndoButton), addKey(QKeySequence(Qt::Key_Y), d->PanelRedoButton)};
  addKey(QKeySequence(Qt::CTRL | Qt::Key_Return), d->SegmentWidget->findChild<QAbstractButton*>("ApplyButton"));
  connect(d->RemoveComparisonButton, &QPushButton::clicked, this,
    [this, d]
    {
      if (vtkMRMLSegmentationNode* expert = d->parameters()->GetComparisonSegmentationNode())
      {
        d->parameters()->SetComparisonSegmentationNode(nullptr);
        this->mrmlScene()->RemoveNode(expert);
        d->tell(d->logic()->UpdateMeasurements(d->parameters()));
      }
    });
  this->setAcceptDrops(true);
  d->SegmentWidget->setReportFolder(qSlicerApplication::application()->temporaryPath());
  connect(d->SegmentWidget, &qMRMLNPSNetSegmentWidget::reportWritten, this, openFile);
  connect(d->SegmentWidget, &qMRMLNPSNetSegmentWidget::crosshairCenterNeeded, this,
    [this, d]
    {
      auto* crosshair =
        vtkMRMLCrosshairNode::SafeDownCast(this->mrmlScene()->GetFirstNodeByClass("vtkMRMLCrosshairNode"));
      if (crosshair)
      {
        d->SegmentWidget->setCenter(crosshair->GetCrosshairRAS());
      }
    });
  connect(d->SegmentWidget, &qMRMLNPSNetSegmentWidget::segmentationChanged, this,
    [this, d]
    {
      // The editor needs as long as all other parts of a run's results: it has a turn of its own.
      QTimer::singleShot(0, this,
        [d]
        {
          if (d->parameters() && d->parameters()->GetSegmentationNode())
          {
            d->updateEditor();
          }
        });
    });
  connect(d->SegmentWidget, &qMRMLNPSNetSegmentWidget::aboutToModify, this,
    [d]
    {
      d->updateEditor(); // its undo begins with the segmentation
      d->SegmentEditorWidget->saveStateForUndo();
    });
  connect(d->SegmentWidget, &qMRMLNPSNetSegmentWidget::runFinished, this,
    [d](bool good)
    {
      if (good)
      {
        d->updateEditor();
        d->allowOverlap();
        d->selectSegment();
        qNPSNetReviewLayout::follow(d->parameters());
        qNPSNetReviewLayout::showDisc(d->logic(), d->parameters());
      }
      d->updateButtons();
    });
  connect(
    d->FitBoundaryButton, &QPushButton::clicked, this, [d] { d->tell(d->logic()->FitBoundary(d->parameters())); });
  connect(d->ComparisonButton, &QPushButton::clicked, this,
    [this, d]
    {
      const QString file = d->chooseFile(
        tr("Label image of an expert"), tr("Label images (*.png *.tif *.tiff *.bmp *.nrrd);;All files (*)"));
      if (!file.isEmpty())
      {
        this->loadComparison(file);
      }
    });
  connect(d->Tabs, &QTabWidget::currentChanged, this,
    [d](int)
    {
      const bool editing = d->Tabs->currentWidget() == d->EditTab;
      for (QShortcut* key : d->UndoKeys)
      {
        key->setEnabled(!editing);
      }
      if (editing)
      {
        d->updateEditor();
        d->SegmentEditorWidget->setupViewObservations();
        d->SegmentEditorWidget->installKeyboardShortcuts();
        if (!d->LastEffect.isEmpty())
        {
          d->SegmentEditorWidget->setActiveEffectByName(d->LastEffect);
        }
      }
      else
      {
        qSlicerSegmentEditorAbstractEffect* effect = d->SegmentEditorWidget->activeEffect();
        d->LastEffect = effect ? effect->name() : d->LastEffect;
        d->SegmentEditorWidget->setActiveEffect(nullptr);
        d->SegmentEditorWidget->uninstallKeyboardShortcuts();
        d->SegmentEditorWidget->removeViewObservations();
      }
    });
  connect(d->BatchWidget, &qNPSNetBatchWidget::openReportRequested, this, openFile);
  connect(d->BatchWidget, &qNPSNetBatchWidget::loadPhotoRequested, this,
    [this](const QString& photo, const QString& labels) { this->loadPhoto(photo, labels); });
}

void qSlicerNPSNetSegmentationModuleWidget::setMRMLScene(vtkMRMLScene* scene)
{
  Q_D(qSlicerNPSNetSegmentationModuleWidget);
  this->qvtkReconnect(this->mrmlScene(), scene, vtkMRMLScene::EndCloseEvent, this, SLOT(onSceneChanged()));
  this->qvtkReconnect(this->mrmlScene(), scene, vtkMRMLScene::EndImportEvent, this, SLOT(onSceneChanged()));
  this->Superclass::setMRMLScene(scene);
  d->PhotoSelector->setMRMLScene(scene);
  d->SegmentEditorWidget->setMRMLScene(scene);
}

void qSlicerNPSNetSegmentationModuleWidget::onSceneChanged()
{
  Q_D(qSlicerNPSNetSegmentationModuleWidget);
  if (this->isEntered())
  {
    d->ensureParameterNode();
    // The selector learns of new nodes when all have heard of the event.
    QTimer::singleShot(0, this,
      [d] { d->PhotoSelector->setCurrentNode(d->parameters() ? d->parameters()->GetInputVolumeNode() : nullptr); });
  }
}

void qSlicerNPSNetSegmentationModuleWidget::enter()
{
  this->Superclass::enter();
  qApp->installEventFilter(this);
  this->onSceneChanged();
}

void qSlicerNPSNetSegmentationModuleWidget::exit()
{
  Q_D(qSlicerNPSNetSegmentationModuleWidget);
  qApp->removeEventFilter(this);
  d->SegmentEditorWidget->setActiveEffect(nullptr);
  d->SegmentEditorWidget->uninstallKeyboardShortcuts();
  d->SegmentEditorWidget->removeViewObservations();
  this->Superclass::exit();
}

bool qSlicerNPSNetSegmentationModuleWidget::eventFilter(QObject* object, QEvent* event)
{
  Q_D(qSlicerNPSNetSegmentationModuleWidget);
  // In the tab Edit the effect sees the clicks.
  const bool wanted =
    event->type() == QEvent::MouseButtonPress && d->SegmentWidget->isVisible() &&
    qMRMLNPSNetParametersWidget::centerMode(d->parameters()) == qMRMLNPSNetParametersWidget::CenterClick;
  return (wanted && d->clickCenter(qobject_cast<QWidget*>(object), static_cast<QMouseEvent*>(event))) ||
         this->Superclass::eventFilter(object, event);
}

bool qSlicerNPSNetSegmentationModuleWidget::setEditedNode(vtkMRMLNode* node, QString, QString)
{
  Q_D(qSlicerNPSNetSegmentationModuleWidget);
  auto* parameters = vtkMRMLNPSNetParameterNode::SafeDownCast(node);
  if (!parameters)
  {
    return false;
  }
  d->SegmentWidget->setParameterNode(parameters);
  d->PhotoSelector->setCurrentNode(parameters->GetInputVolumeNode());
  return true;
}

void qSlicerNPSNetSegmentationModuleWidget::setPhoto(vtkMRMLNode* node)
{
  Q_D(qSlicerNPSNetSegmentationModuleWidget);
  auto* volume = vtkMRMLVolumeNode::SafeDownCast(node);
  vtkMRMLNPSNetParameterNode* before = d->ensureParameterNode();
  if (!before || !d->isReady())
  {
    return;
  }
  // Every photo has results of its own: look for them, else start afresh with the same settings.
  vtkMRMLNPSNetParameterNode* parameters = d->parametersOf(volume);
  if (!parameters && !before->GetInputVolumeNode() && !before->GetSegmentationNode())
  {
    parameters = before;
  }
  if (!parameters)
  {
    parameters = d->logic()->AddParameterNode();
    parameters->SetTTAMode(before->GetTTAMode());
    parameters->SetDevice(before->GetDevice());
    parameters->SetPrecision(before->GetPrecision());
    parameters->SetModelFileName(before->GetModelFileName());
    parameters->SetMicrometersPerPixel(before->GetMicrometersPerPixel());
    parameters->SetNumberOfThreads(before->GetNumberOfThreads());
    parameters->SetLocate(before->GetLocate());
    parameters->SetCreateCurves(before->GetCreateCurves());
    parameters->SetInProcess(before->GetInProcess());
  }
  if (parameters != before)
  {
    qNPSNetReviewLayout::setResultsVisible(before, false); // they would lie on the other photo
    qNPSNetReviewLayout::setResultsVisible(parameters, true);
  }
  else if (parameters->GetInputVolumeNode() == volume)
  {
    return;
  }
  parameters->SetInputVolumeNode(volume);
  d->SegmentWidget->setParameterNode(parameters);
  if (volume)
  {
    qNPSNetReviewLayout::showPhoto(parameters);
    if (d->SegmentWidget->results().Valid)
    {
      qNPSNetReviewLayout::showDisc(d->logic(), parameters);
    }
  }
  else
  {
    qNPSNetReviewLayout::follow(parameters);
  }
  if (d->Tabs->currentWidget() == d->EditTab)
  {
    d->updateEditor();
  }
  d->updateButtons();
}

void qSlicerNPSNetSegmentationModuleWidget::dragEnterEvent(QDragEnterEvent* event)
{
  for (const QUrl& url : event->mimeData()->urls())
  {
    if (url.isLocalFile() && QFileInfo(url.toLocalFile()).isFile())
    {
      event->acceptProposedAction();
    }
  }
}

void qSlicerNPSNetSegmentationModuleWidget::dropEvent(QDropEvent* event)
{
  event->acceptProposedAction();
  for (const QUrl& url : event->mimeData()->urls())
  {
    if (url.isLocalFile())
    {
      this->loadPhoto(url.toLocalFile());
    }
  }
}

bool qSlicerNPSNetSegmentationModuleWidget::loadPhoto(const QString& fileName, const QString& labels)
{
  Q_D(qSlicerNPSNetSegmentationModuleWidget);
  vtkMRMLVolumeNode* photo = d->logic()->LoadPhoto(fileName.toStdString());
  if (!photo)
  {
    d->say(QString::fromStdString(d->logic()->GetLastMessage()));
    return false;
  }
  d->PhotoSelector->setCurrentNode(photo);
  if (labels.isEmpty())
  {
    return true;
  }
  // The metrics file beside the labels holds the boundary that they were drawn from, to the last digit.
  const QString metrics = QString(labels).replace("_labels.nrrd", "_metrics.json");
  if (metrics != labels && QFileInfo::exists(metrics))
  {
    const bool applied = d->tell(d->logic()->ApplyMetrics(d->parameters(), metrics.toStdString()));
    d->SegmentWidget->setParameterNode(d->parameters());
    if (applied)
    {
      qNPSNetReviewLayout::showDisc(d->logic(), d->parameters());
    }
    return applied;
  }
  vtkMRMLVolumeNode* volume = d->logic()->LoadPhoto(labels.toStdString(), "labels");
  const int code =
    volume ? d->logic()->ApplyLabels(d->parameters(), volume) : int(vtkSlicerNPSNetSegmentationLogic::FileError);
  const bool good = d->tell(code);
  if (volume)
  {
    this->mrmlScene()->RemoveNode(volume);
  }
  d->SegmentWidget->setParameterNode(d->parameters());
  return good;
}

bool qSlicerNPSNetSegmentationModuleWidget::loadSamplePhoto(const QString& name)
{
  Q_D(qSlicerNPSNetSegmentationModuleWidget);
  vtkMRMLVolumeNode* photo = d->logic()->LoadSamplePhoto(name.toStdString());
  if (!photo)
  {
    d->say(QString::fromStdString(d->logic()->GetLastMessage()));
    return false;
  }
  d->PhotoSelector->setCurrentNode(photo);
  return true;
}

bool qSlicerNPSNetSegmentationModuleWidget::loadComparison(const QString& labels)
{
  Q_D(qSlicerNPSNetSegmentationModuleWidget);
  return d->tell(d->logic()->LoadComparison(d->parameters(), labels.toStdString()));
}
