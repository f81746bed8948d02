// SPDX-License-Identifier: Apache-2.0
#include "qMRMLNPSNetNestingGuard.h"

#include "vtkMRMLNPSNetParameterNode.h"
#include "vtkSlicerNPSNetSegmentationLogic.h"

#include <vtkMRMLMarkupsClosedCurveNode.h>
#include <vtkMRMLSegmentationNode.h>
#include <vtkSegmentation.h>

#include <vtkCallbackCommand.h>

#include <QTimer>

#include <initializer_list>

namespace
{
/// Observes another node from now on; false when it is the same.
template <typename T>
bool observe(vtkWeakPointer<T>& observed, T* node, vtkCommand* observer, std::initializer_list<unsigned long> events)
{
  if (observed == node)
  {
    return false;
  }
  if (observed)
  {
    observed->RemoveObserver(observer);
  }
  observed = node;
  if (node)
  {
    for (unsigned long event : events)
    {
      node->AddObserver(event, observer);
    }
  }
  return true;
}
} // namespace

qMRMLNPSNetNestingGuard::qMRMLNPSNetNestingGuard(QObject* parent)
    : QObject(parent)
    , Observer(vtkSmartPointer<vtkCallbackCommand>::New())
{
  this->Observer->SetClientData(this);
  this->Observer->SetCallback(&qMRMLNPSNetNestingGuard::onNodeEvent);
}

qMRMLNPSNetNestingGuard::~qMRMLNPSNetNestingGuard()
{
  this->setParameterNode(nullptr, nullptr);
}

void qMRMLNPSNetNestingGuard::setParameterNode(
  vtkSlicerNPSNetSegmentationLogic* logic, vtkMRMLNPSNetParameterNode* parameters)
{
  this->Logic = logic;
  this->Parameters = parameters;
  this->observeNodes();
}

void qMRMLNPSNetNestingGuard::observeNodes()
{
  // The node passes the events of its vtkSegmentation on, with the segment's ID as call data. Undo and redo say only
  // that the segment was modified.
  vtkMRMLNPSNetParameterNode* parameters = this->Parameters;
  if (observe(this->Segmentation, parameters ? parameters->GetSegmentationNode() : nullptr, this->Observer,
        {vtkSegmentation::SourceRepresentationModified, vtkSegmentation::RepresentationModified,
          vtkSegmentation::SegmentModified, vtkSegmentation::SegmentAdded, vtkSegmentation::SegmentRemoved}))
  {
    this->Edited.clear();
  }
  const std::initializer_list<unsigned long> dragged = {
    vtkMRMLMarkupsNode::PointEndInteractionEvent, vtkMRMLMarkupsNode::PointRemovedEvent};
  observe(this->DiscCurve, parameters ? parameters->GetDiscCurveNode() : nullptr, this->Observer, dragged);
  observe(this->CupCurve, parameters ? parameters->GetCupCurveNode() : nullptr, this->Observer, dragged);
}

void qMRMLNPSNetNestingGuard::onNodeEvent(vtkObject* caller, unsigned long, void* clientData, void* callData)
{
  auto* self = static_cast<qMRMLNPSNetNestingGuard*>(clientData);
  if (caller == self->Segmentation)
  {
    self->Edited.insert(QString::fromUtf8(static_cast<const char*>(callData)));
  }
  if (!self->Scheduled)
  {
    self->Scheduled = true;
    QTimer::singleShot(0, self, &qMRMLNPSNetNestingGuard::enforce);
  }
}

QString qMRMLNPSNetNestingGuard::editedSegment() const
{
  const QString disc = vtkSlicerNPSNetSegmentationLogic::GetDiscSegmentID();
  const QString cup = vtkSlicerNPSNetSegmentationLogic::GetCupSegmentID();
  if (this->Edited.contains(disc) != this->Edited.contains(cup))
  {
    return this->Edited.contains(disc) ? disc : cup;
  }
  const QString selected = this->Selected ? this->Selected() : QString();
  return selected == cup ? cup : disc;
}

void qMRMLNPSNetNestingGuard::enforce()
{
  this->Scheduled = false;
  if (!this->Logic || !this->Parameters || !this->Segmentation ||
      this->Parameters->GetSegmentationNode() != this->Segmentation || this->Logic->IsWriting(this->Parameters))
  {
    this->Edited.clear(); // a run writes nested segments and tables itself
    return;
  }
  if (!this->Edited.isEmpty()) // and not only a curve
  {
    this->Logic->EnforceNesting(this->Segmentation, this->editedSegment().toUtf8().constData());
  }
  this->Edited.clear();
  this->Logic->UpdateMeasurements(this->Parameters);
  this->observeNodes(); // it may have made the curves
  emit this->enforced();
}
