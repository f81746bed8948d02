#include "qMRMLNPSNetNestingGuard.h"

#include "vtkMRMLNPSNetParameterNode.h"
#include "vtkSlicerNPSNetSegmentationLogic.h"

#include <vtkMRMLSegmentationNode.h>
#include <vtkSegmentation.h>

#include <vtkCallbackCommand.h>

#include <QTimer>

qMRMLNPSNetNestingGuard::qMRMLNPSNetNestingGuard(QObject* parent)
    : QObject(parent)
    , Observer(vtkSmartPointer<vtkCallbackCommand>::New())
{
  this->Observer->SetClientData(this);
  this->Observer->SetCallback(&qMRMLNPSNetNestingGuard::onSegmentationEvent);
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
  vtkMRMLSegmentationNode* segmentation = parameters ? parameters->GetSegmentationNode() : nullptr;
  if (segmentation == this->Segmentation)
  {
    return;
  }
  if (this->Segmentation)
  {
    this->Segmentation->RemoveObserver(this->Observer);
  }
  this->Segmentation = segmentation;
  this->Edited.clear();
  if (segmentation)
  {
    // The node passes the events of its vtkSegmentation on, with the segment's ID as call data. Undo and redo say only
    // that the segment was modified.
    for (unsigned long event : {vtkSegmentation::SourceRepresentationModified, vtkSegmentation::RepresentationModified,
           vtkSegmentation::SegmentModified, vtkSegmentation::SegmentAdded, vtkSegmentation::SegmentRemoved})
    {
      segmentation->AddObserver(event, this->Observer);
    }
  }
}

void qMRMLNPSNetNestingGuard::onSegmentationEvent(vtkObject*, unsigned long, void* self, void* callData)
{
  static_cast<qMRMLNPSNetNestingGuard*>(self)->schedule(QString::fromUtf8(static_cast<const char*>(callData)));
}

void qMRMLNPSNetNestingGuard::schedule(const QString& segmentID)
{
  this->Edited.insert(segmentID);
  if (!this->Scheduled)
  {
    this->Scheduled = true;
    QTimer::singleShot(0, this, &qMRMLNPSNetNestingGuard::enforce);
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
      this->Parameters->GetSegmentationNode() != this->Segmentation || this->Logic->IsRunning(this->Parameters))
  {
    this->Edited.clear(); // a run writes nested segments and tables itself when it ends
    return;
  }
  const QString edited = this->editedSegment();
  this->Logic->EnforceNesting(this->Segmentation, edited.toUtf8().constData());
  this->Edited.clear();
  this->Logic->UpdateMeasurements(this->Parameters);
  emit this->enforced();
}
