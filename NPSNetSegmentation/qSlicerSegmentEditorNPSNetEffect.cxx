// SPDX-License-Identifier: Apache-2.0
#include "qSlicerSegmentEditorNPSNetEffect.h"

#include "qMRMLNPSNetNestingGuard.h"
#include "qMRMLNPSNetParametersWidget.h"
#include "qMRMLNPSNetSegmentWidget.h"
#include "qNPSNetReviewLayout.h"
#include "vtkMRMLNPSNetParameterNode.h"
#include "vtkSlicerNPSNetSegmentationLogic.h"

#include <qMRMLSliceWidget.h>
#include <qSlicerAbstractCoreModule.h>
#include <qSlicerCoreApplication.h>
#include <qSlicerModuleManager.h>

#include <vtkMRMLCrosshairNode.h>
#include <vtkMRMLScalarVolumeNode.h>
#include <vtkMRMLScene.h>
#include <vtkMRMLSegmentEditorNode.h>
#include <vtkMRMLSegmentationDisplayNode.h>
#include <vtkMRMLSegmentationNode.h>
#include <vtkMRMLVolumeNode.h>

#include <vtkCommand.h>
#include <vtkRenderWindowInteractor.h>
#include <vtkSmartPointer.h>
#include <vtkCollection.h>

#include <QDesktopServices>
#include <QFileDialog>
#include <QIcon>
#include <QPointer>
#include <QUrl>

class qSlicerSegmentEditorNPSNetEffectPrivate
{
  Q_DECLARE_PUBLIC(qSlicerSegmentEditorNPSNetEffect);

public:
  explicit qSlicerSegmentEditorNPSNetEffectPrivate(qSlicerSegmentEditorNPSNetEffect& object)
      : q_ptr(&object)
  {
  }

  static vtkSlicerNPSNetSegmentationLogic* logic()
  {
    qSlicerCoreApplication* application = qSlicerCoreApplication::application();
    qSlicerAbstractCoreModule* module = application && application->moduleManager()
                                          ? application->moduleManager()->module("NPSNetSegmentation")
                                          : nullptr;
    return module ? vtkSlicerNPSNetSegmentationLogic::SafeDownCast(module->logic()) : nullptr;
  }

  vtkMRMLSegmentationNode* segmentation() const
  {
    vtkMRMLSegmentEditorNode* editor = this->q_ptr->parameterSetNode();
    return editor ? editor->GetSegmentationNode() : nullptr;
  }

  qSlicerSegmentEditorNPSNetEffect* q_ptr;
  QPointer<qMRMLNPSNetSegmentWidget> Widget;
};

qSlicerSegmentEditorNPSNetEffect::qSlicerSegmentEditorNPSNetEffect(QObject* parent)
    : Superclass(parent)
    , d_ptr(new qSlicerSegmentEditorNPSNetEffectPrivate(*this))
{
  this->m_Name = "NPS-Net";
  this->m_Title = tr("NPS-Net");
  this->m_PerSegment = false;
  this->m_RequireSegments = false;
  this->m_ShowEffectCursorInSliceView = false;
}

qSlicerSegmentEditorNPSNetEffect::~qSlicerSegmentEditorNPSNetEffect() = default;

QIcon qSlicerSegmentEditorNPSNetEffect::icon()
{
  return QIcon(":/NPSNetSegmentation/NPSNet.svg");
}

const QString qSlicerSegmentEditorNPSNetEffect::helpText() const
{
  // The editor folds all behind the first <br> away, but only of a text that is <html>.
  return tr("<html>Optic disc and cup of a fundus photo as two nested segments<br><p>"
            "<ul><li><b>Apply</b> finds the disc and segments it; one step of undo.</li>"
            "<li><b>Centre: Click</b> – a left click into the disc tells where it is; with <b>Live</b> it is segmented "
            "again at once.</li>"
            "<li>Edit with any other effect: painting the cup grows the disc, erasing the disc clips the cup, and the "
            "rim table follows.</li></ul><p>"
            "Measurements for research use, not a diagnosis.</html>");
}

qSlicerSegmentEditorAbstractEffect* qSlicerSegmentEditorNPSNetEffect::clone()
{
  return new qSlicerSegmentEditorNPSNetEffect();
}

qMRMLNPSNetSegmentWidget* qSlicerSegmentEditorNPSNetEffect::segmentWidget() const
{
  Q_D(const qSlicerSegmentEditorNPSNetEffect);
  return d->Widget;
}

vtkMRMLNPSNetParameterNode* qSlicerSegmentEditorNPSNetEffect::npsnetParameterNode()
{
  Q_D(qSlicerSegmentEditorNPSNetEffect);
  vtkMRMLSegmentationNode* segmentation = d->segmentation();
  vtkSlicerNPSNetSegmentationLogic* logic = d->logic();
  if (!segmentation || !logic || !this->scene())
  {
    return nullptr;
  }
  vtkMRMLNPSNetParameterNode* parameters = nullptr;
  const auto nodes = vtkSmartPointer<vtkCollection>::Take(this->scene()->GetNodesByClass("vtkMRMLNPSNetParameterNode"));
  for (int i = 0; i < nodes->GetNumberOfItems() && !parameters; ++i)
  {
    auto* node = vtkMRMLNPSNetParameterNode::SafeDownCast(nodes->GetItemAsObject(i));
    parameters = node && node->GetSegmentationNode() == segmentation ? node : nullptr;
  }
  if (!parameters)
  {
    parameters = logic->AddParameterNode();
    parameters->SetSegmentationNode(segmentation);
  }
  vtkMRMLVolumeNode* photo = this->parameterSetNode()->GetSourceVolumeNode();
  if (photo && parameters->GetInputVolumeNode() != photo)
  {
    parameters->SetInputVolumeNode(photo);
  }
  return parameters;
}

void qSlicerSegmentEditorNPSNetEffect::setupOptionsFrame()
{
  Q_D(qSlicerSegmentEditorNPSNetEffect);
  d->Widget = new qMRMLNPSNetSegmentWidget;
  d->Widget->setObjectName("NPSNetSegmentWidget");
  d->Widget->setCompact(true);
  d->Widget->setUndoElsewhere(true);
  d->Widget->setLogic(d->logic());
  this->addOptionsWidget(d->Widget);

  connect(d->Widget, &qMRMLNPSNetSegmentWidget::aboutToModify, this, [this] { this->saveStateForUndo(); });
  connect(d->Widget, &qMRMLNPSNetSegmentWidget::showTableRequested, this,
    [this] { qNPSNetReviewLayout::showTable(this->npsnetParameterNode()); });
  connect(d->Widget, &qMRMLNPSNetSegmentWidget::showPlotRequested, this,
    [this] { qNPSNetReviewLayout::showPlot(this->npsnetParameterNode()); });
  d->Widget->setReportFolder(qSlicerCoreApplication::application()->temporaryPath());
  connect(d->Widget, &qMRMLNPSNetSegmentWidget::saveRequested, this,
    [d] {
      d->Widget->saveFiles(QFileDialog::getExistingDirectory(d->Widget, tr("Folder for report, tables and outlines")));
    });
  connect(d->Widget, &qMRMLNPSNetSegmentWidget::reportWritten, this,
    [](const QString& file) { QDesktopServices::openUrl(QUrl::fromLocalFile(file)); });
  connect(d->Widget, &qMRMLNPSNetSegmentWidget::crosshairCenterNeeded, this,
    [this, d]
    {
      auto* crosshair = vtkMRMLCrosshairNode::SafeDownCast(
        this->scene() ? this->scene()->GetFirstNodeByClass("vtkMRMLCrosshairNode") : nullptr);
      if (crosshair)
      {
        d->Widget->setCenter(crosshair->GetCrosshairRAS());
      }
    });
  connect(d->Widget, &qMRMLNPSNetSegmentWidget::runFinished, this,
    [this](bool good)
    {
      vtkMRMLSegmentEditorNode* editor = this->parameterSetNode();
      if (!good || !editor)
      {
        return;
      }
      // Disc and cup overlap: the editor's default would erase the disc under a painted cup.
      editor->SetOverwriteMode(vtkMRMLSegmentEditorNode::OverwriteNone);
      if (!editor->GetSelectedSegmentID())
      {
        editor->SetSelectedSegmentID(vtkSlicerNPSNetSegmentationLogic::GetDiscSegmentID());
      }
    });
  d->Widget->nestingGuard()->setSelectedSegment(
    [this]
    {
      vtkMRMLSegmentEditorNode* editor = this->parameterSetNode();
      return QString::fromUtf8(editor ? editor->GetSelectedSegmentID() : nullptr);
    });
}

void qSlicerSegmentEditorNPSNetEffect::activate()
{
  Superclass::activate();
  this->updateGUIFromMRML();
}

void qSlicerSegmentEditorNPSNetEffect::cleanup()
{
  Q_D(qSlicerSegmentEditorNPSNetEffect);
  if (d->Widget)
  {
    d->Widget->cancel();
    d->Widget->setParameterNode(nullptr);
    d->Widget->disconnect(this);
  }
}

void qSlicerSegmentEditorNPSNetEffect::setMRMLDefaults()
{
  // The defaults are those of vtkMRMLNPSNetParameterNode.
}

void qSlicerSegmentEditorNPSNetEffect::sourceVolumeNodeChanged()
{
  if (this->active())
  {
    this->updateGUIFromMRML();
  }
}

void qSlicerSegmentEditorNPSNetEffect::referenceGeometryChanged()
{
  this->sourceVolumeNodeChanged(); // another segmentation may have been chosen
}

void qSlicerSegmentEditorNPSNetEffect::updateGUIFromMRML()
{
  Q_D(qSlicerSegmentEditorNPSNetEffect);
  if (d->Widget && this->active())
  {
    d->Widget->setLogic(d->logic());
    d->Widget->setParameterNode(this->npsnetParameterNode());
  }
}

void qSlicerSegmentEditorNPSNetEffect::updateMRMLFromGUI()
{
  // The widget writes its parameter node itself.
}

bool qSlicerSegmentEditorNPSNetEffect::processInteractionEvents(
  vtkRenderWindowInteractor* callerInteractor, unsigned long eid, qMRMLWidget* viewWidget)
{
  Q_D(qSlicerSegmentEditorNPSNetEffect);
  auto* sliceWidget = qobject_cast<qMRMLSliceWidget*>(viewWidget);
  const bool modified =
    callerInteractor->GetShiftKey() || callerInteractor->GetControlKey() || callerInteractor->GetAltKey();
  vtkMRMLNPSNetParameterNode* parameters = d->Widget ? d->Widget->parameterNode() : nullptr;
  if (!sliceWidget || modified || eid != vtkCommand::LeftButtonPressEvent ||
      qMRMLNPSNetParametersWidget::centerMode(parameters) != qMRMLNPSNetParametersWidget::CenterClick)
  {
    return false;
  }
  int position[2];
  callerInteractor->GetEventPosition(position);
  double world[3];
  this->xyToRas(QPoint(position[0], position[1]), world, sliceWidget);
  d->Widget->setCenter(world);
  return true;
}
