// SPDX-License-Identifier: Apache-2.0
#include "qMRMLNPSNetParametersWidget.h"
#include "ui_qMRMLNPSNetParametersWidget.h"

#include "vtkMRMLNPSNetParameterNode.h"

#include <QFileDialog>
#include <QScopedValueRollback>

#include <vtkCallbackCommand.h>
#include <vtkCommand.h>

namespace
{
const char* const CenterAttribute = "NPSNet.Center";
const char* const CenterValues[] = {"automatic", "click", "crosshair"};

void selectData(QComboBox* box, const std::string& value)
{
  const int index = box->findData(QString::fromStdString(value));
  box->setCurrentIndex(index >= 0 ? index : 0);
}

std::string selectedData(const QComboBox* box)
{
  return box->currentData().toString().toStdString();
}
} // namespace

qMRMLNPSNetParametersWidget::qMRMLNPSNetParametersWidget(QWidget* parent)
    : QWidget(parent)
    , ui(new Ui::qMRMLNPSNetParametersWidget)
{
  this->ui->setupUi(this);
  this->Observer = vtkSmartPointer<vtkCallbackCommand>::New();
  this->Observer->SetClientData(this);
  this->Observer->SetCallback(&qMRMLNPSNetParametersWidget::onNodeModified);

  this->ui->EyeComboBox->addItem(tr("Automatic"), vtkMRMLNPSNetParameterNode::EyeAuto);
  this->ui->EyeComboBox->addItem(tr("Right (OD)"), vtkMRMLNPSNetParameterNode::EyeRight);
  this->ui->EyeComboBox->addItem(tr("Left (OS)"), vtkMRMLNPSNetParameterNode::EyeLeft);
  this->ui->CenterComboBox->addItem(tr("Found automatically"), CenterAutomatic);
  this->ui->CenterComboBox->addItem(tr("Click in the slice view"), CenterClick);
  this->ui->CenterComboBox->addItem(tr("Cross-hair of the slice views"), CenterCrosshair);
  const QList<QPair<QString, QString>> modes = {
    {"auto", tr("Default (best on validation photos)")},
    {"off", tr("Off: one pass")},
    {"fast", tr("Fast: 5 hypotheses")},
    {"symmetric", tr("Symmetric: 27 hypotheses")},
    {"paper", tr("Paper: 75 hypotheses")},
    {"full", tr("Full: 27 close hypotheses")},
    {"reference", tr("Reference: as the authors' code")},
  };
  for (const auto& mode : modes)
  {
    this->ui->TTAComboBox->addItem(mode.second, mode.first);
  }
  this->ui->DeviceComboBox->addItem(tr("Automatic"), "auto");
  this->ui->DeviceComboBox->addItem(tr("CPU"), "cpu");
  this->ui->DeviceComboBox->addItem(tr("GPU (CUDA)"), "cuda");
  this->ui->PrecisionComboBox->addItem(tr("Automatic"), "auto");
  this->ui->PrecisionComboBox->addItem(tr("32 bit"), "fp32");
  this->ui->PrecisionComboBox->addItem(tr("bfloat16"), "bf16");
  this->ui->PrecisionComboBox->addItem(tr("16 bit"), "fp16");

  this->ui->AdvancedFrame->hide();
  connect(this->ui->AdvancedButton, &QToolButton::toggled, this,
    [this](bool open)
    {
      this->ui->AdvancedFrame->setVisible(open);
      this->ui->AdvancedButton->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    });

  const auto changed = [this] { this->updateMRMLFromGUI(); };
  const auto indexChanged = QOverload<int>::of(&QComboBox::currentIndexChanged);
  for (QComboBox* box : this->findChildren<QComboBox*>())
  {
    connect(box, indexChanged, this, changed);
  }
  for (QCheckBox* box : this->findChildren<QCheckBox*>())
  {
    connect(box, &QCheckBox::toggled, this, changed);
  }
  connect(this->ui->CalibrationSpinBox, QOverload<double>::of(&QDoubleSpinBox::valueChanged), this, changed);
  connect(this->ui->ThreadsSpinBox, QOverload<int>::of(&QSpinBox::valueChanged), this, changed);
  connect(this->ui->ModelLineEdit, &QLineEdit::editingFinished, this, changed);
  connect(this->ui->ModelBrowseButton, &QToolButton::clicked, this, &qMRMLNPSNetParametersWidget::browseModel);
  this->updateGUIFromMRML();
}

qMRMLNPSNetParametersWidget::~qMRMLNPSNetParametersWidget()
{
  this->setParameterNode(nullptr);
}

qMRMLNPSNetParametersWidget::CenterMode qMRMLNPSNetParametersWidget::centerMode(vtkMRMLNPSNetParameterNode* node)
{
  const char* value = node ? node->GetAttribute(CenterAttribute) : nullptr;
  for (int mode = CenterAutomatic; value && mode <= CenterCrosshair; ++mode)
  {
    if (std::string(value) == CenterValues[mode])
    {
      return static_cast<CenterMode>(mode);
    }
  }
  return CenterAutomatic;
}

void qMRMLNPSNetParametersWidget::setCenterMode(vtkMRMLNPSNetParameterNode* node, CenterMode mode)
{
  if (node && centerMode(node) != mode)
  {
    node->SetAttribute(CenterAttribute, CenterValues[mode]);
  }
}

vtkMRMLNPSNetParameterNode* qMRMLNPSNetParametersWidget::parameterNode() const
{
  return this->Node;
}

void qMRMLNPSNetParametersWidget::setParameterNode(vtkMRMLNode* node)
{
  auto* parameters = vtkMRMLNPSNetParameterNode::SafeDownCast(node);
  if (parameters == this->Node)
  {
    return;
  }
  if (this->Node)
  {
    this->Node->RemoveObserver(this->Observer);
  }
  this->Node = parameters;
  if (this->Node)
  {
    this->Node->AddObserver(vtkCommand::ModifiedEvent, this->Observer);
  }
  this->updateGUIFromMRML();
}

void qMRMLNPSNetParametersWidget::setDeviceFound(const QString& text)
{
  this->ui->DeviceFoundLabel->setText(text);
}

void qMRMLNPSNetParametersWidget::onNodeModified(vtkObject*, unsigned long, void* self, void*)
{
  static_cast<qMRMLNPSNetParametersWidget*>(self)->updateGUIFromMRML();
}

void qMRMLNPSNetParametersWidget::updateGUIFromMRML()
{
  this->setEnabled(this->Node != nullptr);
  if (!this->Node || this->Updating)
  {
    return;
  }
  const QScopedValueRollback<bool> updating(this->Updating, true);
  this->ui->EyeComboBox->setCurrentIndex(this->ui->EyeComboBox->findData(this->Node->GetEye()));
  this->ui->CenterComboBox->setCurrentIndex(this->ui->CenterComboBox->findData(centerMode(this->Node)));
  selectData(this->ui->TTAComboBox, this->Node->GetTTAMode());
  selectData(this->ui->DeviceComboBox, this->Node->GetDevice());
  selectData(this->ui->PrecisionComboBox, this->Node->GetPrecision());
  this->ui->CalibrationSpinBox->setValue(this->Node->GetMicrometersPerPixel());
  this->ui->ThreadsSpinBox->setValue(this->Node->GetNumberOfThreads());
  this->ui->LocateCheckBox->setChecked(this->Node->GetLocate());
  this->ui->CurvesCheckBox->setChecked(this->Node->GetCreateCurves());
  this->ui->InProcessCheckBox->setChecked(this->Node->GetInProcess());
  const QString model = QString::fromStdString(this->Node->GetModelFileName());
  if (this->ui->ModelLineEdit->text() != model)
  {
    this->ui->ModelLineEdit->setText(model);
  }
}

void qMRMLNPSNetParametersWidget::updateMRMLFromGUI()
{
  if (!this->Node || this->Updating)
  {
    return;
  }
  const CenterMode oldMode = centerMode(this->Node);
  {
    const QScopedValueRollback<bool> updating(this->Updating, true);
    const int modifying = this->Node->StartModify();
    this->Node->SetEye(this->ui->EyeComboBox->currentData().toInt());
    setCenterMode(this->Node, static_cast<CenterMode>(this->ui->CenterComboBox->currentData().toInt()));
    this->Node->SetTTAMode(selectedData(this->ui->TTAComboBox));
    this->Node->SetDevice(selectedData(this->ui->DeviceComboBox));
    this->Node->SetPrecision(selectedData(this->ui->PrecisionComboBox));
    this->Node->SetMicrometersPerPixel(this->ui->CalibrationSpinBox->value());
    this->Node->SetNumberOfThreads(this->ui->ThreadsSpinBox->value());
    this->Node->SetLocate(this->ui->LocateCheckBox->isChecked());
    this->Node->SetCreateCurves(this->ui->CurvesCheckBox->isChecked());
    this->Node->SetInProcess(this->ui->InProcessCheckBox->isChecked());
    this->Node->SetModelFileName(this->ui->ModelLineEdit->text().toStdString());
    this->Node->EndModify(modifying);
  }
  emit this->parametersChanged();
  if (centerMode(this->Node) != oldMode)
  {
    emit this->centerModeChanged(centerMode(this->Node));
  }
}

void qMRMLNPSNetParametersWidget::browseModel()
{
  const QString file = QFileDialog::getOpenFileName(this, tr("Network weights"), this->ui->ModelLineEdit->text(),
    tr("Network weights (*.npsnet *.pt *.pth);;All files (*)"));
  if (!file.isEmpty())
  {
    this->ui->ModelLineEdit->setText(file);
    this->updateMRMLFromGUI();
  }
}
