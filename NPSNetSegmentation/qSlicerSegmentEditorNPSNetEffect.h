// SPDX-License-Identifier: Apache-2.0
#ifndef qSlicerSegmentEditorNPSNetEffect_h
#define qSlicerSegmentEditorNPSNetEffect_h

#include "qSlicerNPSNetSegmentationModuleExport.h"
#include "qSlicerSegmentEditorAbstractEffect.h"

class qMRMLNPSNetSegmentWidget;
class qSlicerSegmentEditorNPSNetEffectPrivate;
class vtkMRMLNPSNetParameterNode;

/// \brief Segment Editor effect: optic disc and cup of the source photo as two nested segments.
///
/// Works on the whole segmentation, an empty one included. The photo is read from the source volume's own image data,
/// because the editor's aligned copy of it keeps only the red channel. Parameters live in a
/// vtkMRMLNPSNetParameterNode of the segmentation, so they are saved with the scene and shared with the module's panel.
///
/// Once applied, the effect keeps the cup inside the disc whichever tool edits them, and the tables follow.
class Q_SLICER_QTMODULES_NPSNETSEGMENTATION_EXPORT qSlicerSegmentEditorNPSNetEffect
    : public qSlicerSegmentEditorAbstractEffect
{
  Q_OBJECT
public:
  typedef qSlicerSegmentEditorAbstractEffect Superclass;
  explicit qSlicerSegmentEditorNPSNetEffect(QObject* parent = nullptr);
  ~qSlicerSegmentEditorNPSNetEffect() override;

  QIcon icon() override;
  const QString helpText() const override;
  qSlicerSegmentEditorAbstractEffect* clone() override;

  void activate() override;
  void setupOptionsFrame() override;
  bool processInteractionEvents(
    vtkRenderWindowInteractor* callerInteractor, unsigned long eid, qMRMLWidget* viewWidget) override;
  void setMRMLDefaults() override;
  void sourceVolumeNodeChanged() override;
  void referenceGeometryChanged() override;
  void cleanup() override;

  /// Parameters of the segmentation that is being edited; made on first use.
  vtkMRMLNPSNetParameterNode* npsnetParameterNode();
  qMRMLNPSNetSegmentWidget* segmentWidget() const;

public slots:
  void updateGUIFromMRML() override;
  void updateMRMLFromGUI() override;

protected:
  QScopedPointer<qSlicerSegmentEditorNPSNetEffectPrivate> d_ptr;

private:
  Q_DECLARE_PRIVATE(qSlicerSegmentEditorNPSNetEffect);
  Q_DISABLE_COPY(qSlicerSegmentEditorNPSNetEffect);
};

#endif
