// SPDX-License-Identifier: Apache-2.0
#include "qSlicerNPSNetSegmentationModule.h"

#include "qSlicerNPSNetSegmentationModuleWidget.h"
#include "qSlicerSegmentEditorNPSNetEffect.h"
#include "vtkSlicerNPSNetSegmentationLogic.h"

#include <qSlicerSegmentEditorEffectFactory.h>

#include <vtkSlicerConfigure.h>

#include <QDir>
#include <QFileInfo>
#include <QIcon>

qSlicerNPSNetSegmentationModule::qSlicerNPSNetSegmentationModule(QObject* parent)
    : Superclass(parent)
{
}

qSlicerNPSNetSegmentationModule::~qSlicerNPSNetSegmentationModule() = default;

QIcon qSlicerNPSNetSegmentationModule::icon() const
{
  return QIcon(":/NPSNetSegmentation/NPSNet.svg");
}

QString qSlicerNPSNetSegmentationModule::helpText() const
{
  return tr(
    "Segments optic disc and cup of a fundus photograph as two nested segments and measures the rim. The same is "
    "an effect of the Segment Editor, and a command line for batches. Measurements for research use, not a "
    "diagnosis.<p>First steps: <b>Sample</b>, choose a photo, <b>Apply</b>. The view zooms to the disc; ratios, "
    "quadrants "
    "and the rim stand in the panel. Correct with the tools of the tab <b>Edit</b> and everything follows.<p>Keys: "
    "Ctrl+Return apply, D disc or whole photo, O outlines, N next photo, Z and Y undo and redo. "
    "Documentation/SlicerTutorial.md of the sources goes click by click.");
}

QString qSlicerNPSNetSegmentationModule::acknowledgementText() const
{
  return tr(
    "R. Goperma, R. Basnet, L. Zhao: Nested Radially Monotone Polar Occupancy Estimation: Clinically-Grounded Optic "
    "Disc and Cup Segmentation for Glaucoma Screening. Sample photos: O. Kovalyk et al., PAPILA, Scientific Data 9, "
    "291 (2022), CC BY 4.0.");
}

QStringList qSlicerNPSNetSegmentationModule::contributors() const
{
  return QStringList{"NPSNetSegmentation contributors"};
}

QStringList qSlicerNPSNetSegmentationModule::categories() const
{
  return QStringList{"Segmentation"};
}

QStringList qSlicerNPSNetSegmentationModule::dependencies() const
{
  return QStringList{"Segmentations", "Terminologies"};
}

QStringList qSlicerNPSNetSegmentationModule::associatedNodeTypes() const
{
  return QStringList{"vtkMRMLNPSNetParameterNode"};
}

QString qSlicerNPSNetSegmentationModule::commandLineModule(const QString& name) const
{
  // Loadable and command-line modules lie in sibling folders of an extension, installed or not.
  const QDir modules = QFileInfo(this->path()).dir();
  for (const QString& folder : {QString("../" Slicer_CLIMODULES_SUBDIR), QString("."), QString("../../../bin")})
  {
    const QFileInfo file(modules, folder + "/" + name);
    if (file.isExecutable() && file.isFile())
    {
      return file.canonicalFilePath();
    }
  }
  return QString();
}

void qSlicerNPSNetSegmentationModule::setup()
{
  this->Superclass::setup();
  auto* logic = vtkSlicerNPSNetSegmentationLogic::SafeDownCast(this->logic());
  const QString segment = this->commandLineModule("NPSNetSegment");
  if (logic && !segment.isEmpty())
  {
    logic->SetSegmentExecutable(segment.toStdString());
  }
  qSlicerSegmentEditorEffectFactory::instance()->registerEffect(new qSlicerSegmentEditorNPSNetEffect());
}

qSlicerAbstractModuleRepresentation* qSlicerNPSNetSegmentationModule::createWidgetRepresentation()
{
  return new qSlicerNPSNetSegmentationModuleWidget;
}

vtkMRMLAbstractLogic* qSlicerNPSNetSegmentationModule::createLogic()
{
  return vtkSlicerNPSNetSegmentationLogic::New();
}
