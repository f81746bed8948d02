// SPDX-License-Identifier: Apache-2.0
#include "qMRMLNPSNetParametersWidget.h"
#include "qMRMLNPSNetSettings.h"

#include "vtkMRMLNPSNetParameterNode.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>

#include <vtkCommand.h>
#include <vtkNew.h>

using Widget = qMRMLNPSNetParametersWidget;

class qMRMLNPSNetParametersWidgetTest : public QObject
{
  Q_OBJECT

  static void choose(Widget& widget, const char* box, const QVariant& data)
  {
    auto* combo = widget.findChild<QComboBox*>(box);
    QVERIFY2(combo->findData(data) >= 0, box);
    combo->setCurrentIndex(combo->findData(data));
  }

private slots:
  void isDisabledWithoutANode()
  {
    Widget widget;
    QVERIFY(!widget.isEnabled());
    vtkNew<vtkMRMLNPSNetParameterNode> node;
    widget.setParameterNode(node);
    QVERIFY(widget.isEnabled());
    widget.setParameterNode(nullptr);
    QVERIFY(!widget.isEnabled());
  }

  void writesEveryChoiceToTheNode()
  {
    Widget widget;
    vtkNew<vtkMRMLNPSNetParameterNode> node;
    widget.setParameterNode(node);
    QSignalSpy center(&widget, &Widget::centerModeChanged);
    choose(widget, "EyeComboBox", int(vtkMRMLNPSNetParameterNode::EyeLeft));
    choose(widget, "TTAComboBox", "paper");
    choose(widget, "DeviceComboBox", "cpu");
    choose(widget, "PrecisionComboBox", "bf16");
    choose(widget, "CenterComboBox", int(Widget::CenterClick));
    widget.findChild<QDoubleSpinBox*>("CalibrationSpinBox")->setValue(7.25);
    widget.findChild<QCheckBox*>("CurvesCheckBox")->setChecked(false);
    QCOMPARE(node->GetEye(), int(vtkMRMLNPSNetParameterNode::EyeLeft));
    QCOMPARE(node->GetTTAMode(), std::string("paper"));
    QCOMPARE(node->GetDevice(), std::string("cpu"));
    QCOMPARE(node->GetPrecision(), std::string("bf16"));
    QCOMPARE(node->GetMicrometersPerPixel(), 7.25);
    QVERIFY(!node->GetCreateCurves());
    QCOMPARE(Widget::centerMode(node), Widget::CenterClick);
    QCOMPARE(center.count(), 1);
  }

  void followsTheNode()
  {
    Widget widget;
    vtkNew<vtkMRMLNPSNetParameterNode> node;
    widget.setParameterNode(node);
    QSignalSpy changed(&widget, &Widget::parametersChanged);
    node->SetEye(vtkMRMLNPSNetParameterNode::EyeRight);
    node->SetTTAMode("symmetric");
    node->SetModelFileName("weights.pth");
    Widget::setCenterMode(node, Widget::CenterCrosshair);
    QCOMPARE(
      widget.findChild<QComboBox*>("EyeComboBox")->currentData().toInt(), int(vtkMRMLNPSNetParameterNode::EyeRight));
    QCOMPARE(widget.findChild<QComboBox*>("TTAComboBox")->currentData().toString(), QString("symmetric"));
    QCOMPARE(widget.findChild<QComboBox*>("CenterComboBox")->currentData().toInt(), int(Widget::CenterCrosshair));
    QCOMPARE(widget.findChild<QLineEdit*>("ModelLineEdit")->text(), QString("weights.pth"));
    QCOMPARE(changed.count(), 0); // what comes from the node is not sent back
  }

  void survivesTheNodeAndTheWidget()
  {
    auto* node = vtkMRMLNPSNetParameterNode::New();
    auto* widget = new Widget;
    widget->setParameterNode(node);
    node->Delete();
    widget->parameterNode()->SetDevice("cuda");
    QCOMPARE(widget->findChild<QComboBox*>("DeviceComboBox")->currentData().toString(), QString("cuda"));
    vtkSmartPointer<vtkMRMLNPSNetParameterNode> kept = widget->parameterNode();
    delete widget;
    kept->SetDevice("cpu"); // no observer is left behind
    QVERIFY(!kept->HasObserver(vtkCommand::ModifiedEvent));
  }

  void remembersHowTheNetworkIsRunButNotThePhoto()
  {
    QCoreApplication::setOrganizationName("NPSNetTest");
    QCoreApplication::setApplicationName("qMRMLNPSNetParametersWidgetTest");
    QTemporaryDir folder;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder.path());
    vtkNew<vtkMRMLNPSNetParameterNode> chosen;
    chosen->SetTTAMode("fast");
    chosen->SetNumberOfThreads(3);
    chosen->SetCreateCurves(false);
    chosen->SetLocate(false);
    chosen->SetModelFileName(folder.filePath("gone.safetensors").toStdString());
    chosen->SetMicrometersPerPixel(5.0);
    chosen->SetEye(vtkMRMLNPSNetParameterNode::EyeLeft);
    qMRMLNPSNetSettings::remember(chosen);
    vtkNew<vtkMRMLNPSNetParameterNode> next;
    qMRMLNPSNetSettings::recall(next);
    QCOMPARE(next->GetTTAMode(), std::string("fast"));
    QCOMPARE(next->GetNumberOfThreads(), 3);
    QVERIFY(!next->GetCreateCurves());
    QVERIFY(!next->GetLocate());
    QCOMPARE(next->GetModelFileName(), std::string()); // those weights do not exist any more
    QCOMPARE(next->GetMicrometersPerPixel(), 0.0);
    QCOMPARE(next->GetEye(), int(vtkMRMLNPSNetParameterNode::EyeAuto));
  }

  void tellsABatchItsSettings()
  {
    vtkNew<vtkMRMLNPSNetParameterNode> node;
    QCOMPARE(qMRMLNPSNetSettings::batchArguments(node), QStringList());
    QCOMPARE(qMRMLNPSNetSettings::describe(node), QString("the defaults"));
    node->SetTTAMode("fast");
    node->SetModelFileName("/weights/own.safetensors");
    node->SetMicrometersPerPixel(4.5);
    node->SetLocate(false);
    QCOMPARE(qMRMLNPSNetSettings::batchArguments(node),
      QStringList({"--tta", "fast", "--model", "/weights/own.safetensors", "--um_per_pixel", "4.5", "--no_locate"}));
    QCOMPARE(qMRMLNPSNetSettings::describe(node),
      QString::fromUtf8(
        "augmentation fast, weights own.safetensors, 4.5 µm per pixel, photos are crops about the disc"));
  }

  void explainsEveryControl()
  {
    Widget widget;
    for (QWidget* child : widget.findChildren<QWidget*>())
    {
      const bool control = qobject_cast<QComboBox*>(child) || qobject_cast<QAbstractSpinBox*>(child) ||
                           qobject_cast<QAbstractButton*>(child);
      if (control && !child->objectName().isEmpty() && !child->objectName().startsWith("qt_"))
      {
        QVERIFY2(!child->toolTip().isEmpty(), qPrintable(child->objectName()));
        QVERIFY2(child->focusPolicy() != Qt::NoFocus, qPrintable(child->objectName()));
      }
    }
    QVERIFY(widget.findChild<QWidget*>("CalibrationSpinBox")->toolTip().contains("micrometres"));
  }
};

QTEST_MAIN(qMRMLNPSNetParametersWidgetTest)
#include "qMRMLNPSNetParametersWidgetTest.moc"
