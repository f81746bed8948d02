// SPDX-License-Identifier: Apache-2.0
#ifndef qSlicerNPSNetSegmentationModule_h
#define qSlicerNPSNetSegmentationModule_h

#include "qSlicerLoadableModule.h"
#include "qSlicerNPSNetSegmentationModuleExport.h"

/// \brief Optic disc and cup of fundus photographs: panel, Segment Editor effect, command-line modules.
class Q_SLICER_QTMODULES_NPSNETSEGMENTATION_EXPORT qSlicerNPSNetSegmentationModule : public qSlicerLoadableModule
{
  Q_OBJECT
  Q_PLUGIN_METADATA(IID "org.slicer.modules.loadable.qSlicerLoadableModule/1.0");
  Q_INTERFACES(qSlicerLoadableModule);

public:
  typedef qSlicerLoadableModule Superclass;
  explicit qSlicerNPSNetSegmentationModule(QObject* parent = nullptr);
  ~qSlicerNPSNetSegmentationModule() override;

  qSlicerGetTitleMacro(tr("NPS-Net Segmentation"));

  QIcon icon() const override;
  QString helpText() const override;
  QString acknowledgementText() const override;
  QStringList contributors() const override;
  QStringList categories() const override;
  QStringList dependencies() const override;
  QStringList associatedNodeTypes() const override;

  /// Path of one of our command-line modules, "NPSNetBatch" say; empty when it is not there.
  Q_INVOKABLE QString commandLineModule(const QString& name) const;

protected:
  void setup() override;
  qSlicerAbstractModuleRepresentation* createWidgetRepresentation() override;
  vtkMRMLAbstractLogic* createLogic() override;

private:
  Q_DISABLE_COPY(qSlicerNPSNetSegmentationModule);
};

#endif
