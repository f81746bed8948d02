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
    "diagnosis.");
}

QString qSlicerNPSNetSegmentationModule::acknowledgementText() const
{
  return tr("After the method of the NPS-Net paper (nested polar segmentation of disc and cup); sample photos from the "
            "PAPILA data set.");
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
