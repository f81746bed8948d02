// SPDX-License-Identifier: Apache-2.0
#include "qMRMLNPSNetNestingGuard.h"
#include "qMRMLNPSNetResults.h"
#include "qMRMLNPSNetSegmentWidget.h"

#include "vtkMRMLNPSNetParameterNode.h"
#include "vtkSlicerNPSNetSegmentationLogic.h"

#include <vtkMRMLMarkupsClosedCurveNode.h>
#include <vtkMRMLMarkupsFiducialNode.h>
#include <vtkMRMLPlotChartNode.h>
#include <vtkMRMLScene.h>
#include <vtkMRMLSegmentationNode.h>
#include <vtkMRMLTableNode.h>
#include <vtkMRMLVolumeNode.h>
#include <vtkOrientedImageData.h>
#include <vtkSegment.h>
#include <vtkSegmentation.h>
#include <vtkSegmentationHistory.h>
#include <vtkSlicerSegmentationsModuleLogic.h>

#include <vtkDataArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkTable.h>

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>

using Logic = vtkSlicerNPSNetSegmentationLogic;

/// The widgets on the real logic, with the expert's labels of a sample photo in place of a run.
class qMRMLNPSNetSegmentWidgetTest : public QObject
{
  Q_OBJECT

  vtkNew<vtkMRMLScene> Scene;
  vtkNew<Logic> TheLogic;
  vtkMRMLNPSNetParameterNode* Parameters{nullptr};

  vtkMRMLSegmentationNode* segmentation() const { return this->Parameters->GetSegmentationNode(); }

  long count(const char* id) const
  {
    vtkNew<vtkOrientedImageData> image;
    this->segmentation()->GetBinaryLabelmapRepresentation(id, image);
    int extent[6];
    image->GetExtent(extent);
    long pixels = 0;
    for (int j = extent[2]; j <= extent[3]; ++j)
    {
      for (int i = extent[0]; i <= extent[1]; ++i)
      {
        pixels += image->GetScalarComponentAsDouble(i, j, extent[4], 0) != 0.0;
      }
    }
    return pixels;
  }

  /// The table has seven digits.
  void checkRatio(const qNPSNetResults& results) const
  {
    QVERIFY(std::abs(results.VerticalCDR - this->TheLogic->GetMeasurement(this->Parameters, "vcdr")) < 1e-6);
  }

private slots:
  void initTestCase()
  {
    this->TheLogic->SetResourcesDirectory(NPSNET_RESOURCES_DIR);
    this->TheLogic->SetMRMLScene(this->Scene);
  }

  void init()
  {
    this->Scene->Clear();
    this->Parameters = this->TheLogic->AddParameterNode();
    this->Parameters->SetInputVolumeNode(this->TheLogic->LoadSamplePhoto("RET023OD"));
    const std::string labels = this->TheLogic->GetSampleLabelFileName("RET023OD");
    QVERIFY(!labels.empty());
    QCOMPARE(this->TheLogic->ApplyLabels(this->Parameters, this->TheLogic->LoadPhoto(labels)), int(Logic::Success));
  }

  void everyMnemonicIsThereOnce()
  {
    qMRMLNPSNetSegmentWidget widget;
    QMap<QString, QString> owners;
    const auto add = [&](const QString& text)
    {
      const QString key = QKeySequence::mnemonic(text).toString();
      if (!key.isEmpty())
      {
        QVERIFY2(!owners.contains(key), qPrintable(key + ": " + owners.value(key) + ", " + text));
        owners[key] = text;
      }
    };
    for (QLabel* label : widget.findChildren<QLabel*>())
    {
      add(label->buddy() ? label->text() : QString());
    }
    for (QAbstractButton* button : widget.findChildren<QAbstractButton*>())
    {
      add(button->text());
    }
    QVERIFY(owners.size() > 8);
  }

  void readsTheTables()
  {
    const qNPSNetResults results = qMRMLNPSNetResults(this->TheLogic, this->Parameters);
    QVERIFY(results.Valid);
    QCOMPARE(results.RimWidth.size(), 360);
    this->checkRatio(results);
    QCOMPARE(results.Eye, QString("OD")); // from the file name
    QCOMPARE(results.Quadrants.size(), 4);
    QCOMPARE(results.Quadrants[3].Name, QString("Temporal"));
    QVERIFY(
      std::abs(results.Quadrants[0].RimWidth - this->TheLogic->GetMeasurement(this->Parameters, "rim_I_px")) < 1e-3);
    QVERIFY(!qMRMLNPSNetResults(this->TheLogic, nullptr).Valid);
  }

  void hasOneUnitAlsoWhenDICOMKnowsTheSpacing()
  {
    vtkMRMLVolumeNode* photo = this->TheLogic->LoadSamplePhoto("RET023OD");
    photo->SetAttribute("DICOM.instanceUIDs", "1.2.3");
    photo->SetSpacing(0.005, 0.005, 1.0); // 5 micrometres a pixel
    this->Parameters = this->TheLogic->AddParameterNode();
    this->Parameters->SetInputVolumeNode(photo);
    const std::string file = this->TheLogic->GetSampleLabelFileName("RET023OD");
    vtkMRMLVolumeNode* labels = this->TheLogic->LoadPhoto(file);
    QCOMPARE(this->TheLogic->ApplyLabels(this->Parameters, labels), int(Logic::Success));
    QCOMPARE(this->TheLogic->LoadComparison(this->Parameters, file), int(Logic::Success));
    QCOMPARE(this->TheLogic->GetMeasurement(this->Parameters, "um_per_px"), 5.0);
    const qNPSNetResults results = qMRMLNPSNetResults(this->TheLogic, this->Parameters);
    QCOMPARE(results.LengthUnit, QString::fromUtf8("µm"));
    QCOMPARE(results.Quadrants.size(), 4);
    QVERIFY(std::abs(results.Quadrants[0].RimWidth -
                     5.0 * this->TheLogic->GetMeasurement(this->Parameters, "rim_I_px")) < 1e-2);
    vtkTable* rim = this->Parameters->GetRimTableNode()->GetTable();
    for (int angle = 0; angle < 360; angle += 45)
    {
      QCOMPARE(results.RimWidth[angle], rim->GetValueByName(angle, "rim_width_um").ToDouble());
      QVERIFY(std::abs(results.ComparisonRimWidth[angle] -
                       5.0 * rim->GetValueByName(angle, "expert_rim_width_px").ToDouble()) < 1e-9);
    }
  }

  void followsEyeAndCalibrationAtOnce()
  {
    qMRMLNPSNetSegmentWidget widget;
    widget.setLogic(this->TheLogic);
    widget.setParameterNode(this->Parameters);
    QCOMPARE(widget.results().Eye, QString("OD"));
    const double ratio = widget.results().VerticalCDR;
    auto* eye = widget.findChild<QComboBox*>("EyeComboBox");
    eye->setCurrentIndex(eye->findData(vtkMRMLNPSNetParameterNode::EyeLeft));
    QCOMPARE(widget.results().Eye, QString("OS"));
    QCOMPARE(this->TheLogic->GetMeasurementText(this->Parameters, "eye"), std::string("OS"));
    QCOMPARE(
      this->Parameters->GetRimTableNode()->GetTable()->GetValueByName(0, "quadrant").ToString(), vtkStdString("T"));
    QVERIFY(QString::fromUtf8(this->Parameters->GetChartNode()->GetTitle()).contains("OS"));
    const QString tag = QString::fromStdString(
      this->segmentation()->GetSegmentation()->GetSegment(Logic::GetDiscSegmentID())->GetTerminology());
    QVERIFY2(tag.contains("Left"), qPrintable(tag));
    widget.findChild<QDoubleSpinBox*>("CalibrationSpinBox")->setValue(4.0);
    QCOMPARE(widget.results().LengthUnit, QString::fromUtf8("µm"));
    QCOMPARE(this->TheLogic->GetMeasurement(this->Parameters, "um_per_px"), 4.0);
    QVERIFY(this->Parameters->GetRimTableNode()->GetColumnIndex("rim_width_um") >= 0);
    QCOMPARE(widget.results().VerticalCDR, ratio);
    QCOMPARE(widget.results().State, QString("imported"));
  }

  void paintingTheCupGrowsTheDisc()
  {
    qMRMLNPSNetNestingGuard guard;
    guard.setParameterNode(this->TheLogic, this->Parameters);
    QSignalSpy enforced(&guard, &qMRMLNPSNetNestingGuard::enforced);
    const long disc = this->count(Logic::GetDiscSegmentID());
    vtkNew<vtkOrientedImageData> box; // the cup becomes the box around the disc, corners outside of it
    this->segmentation()->GetBinaryLabelmapRepresentation(Logic::GetDiscSegmentID(), box);
    box->GetPointData()->GetScalars()->Fill(1.0);
    const long pixels = box->GetNumberOfPoints();
    QVERIFY(pixels > disc);
    vtkSlicerSegmentationsModuleLogic::SetBinaryLabelmapToSegment(box, this->segmentation(), Logic::GetCupSegmentID());
    QVERIFY(enforced.wait(60000));
    QCOMPARE(this->count(Logic::GetCupSegmentID()), pixels);
    QCOMPARE(this->count(Logic::GetDiscSegmentID()), pixels);
    QCOMPARE(this->TheLogic->GetMeasurement(this->Parameters, "vcdr"), 1.0);
    QCOMPARE(QString::fromStdString(Logic::GetResultState(this->segmentation())), QString("edited"));
  }

  void erasingTheDiscClipsTheCupInTheSameUndoStep()
  {
    qMRMLNPSNetNestingGuard guard;
    guard.setParameterNode(this->TheLogic, this->Parameters);
    QSignalSpy enforced(&guard, &qMRMLNPSNetNestingGuard::enforced);
    const long cup = this->count(Logic::GetCupSegmentID());
    const double vcdr = this->TheLogic->GetMeasurement(this->Parameters, "vcdr");

    vtkNew<vtkSegmentationHistory> history;
    history->SetSegmentation(this->segmentation()->GetSegmentation());
    history->SetMaximumNumberOfStates(5);
    history->SaveState(); // what the editor does before an edit
    vtkNew<vtkOrientedImageData> empty;
    this->segmentation()->GetBinaryLabelmapRepresentation(Logic::GetDiscSegmentID(), empty);
    int extent[6];
    empty->GetExtent(extent);
    for (int j = extent[2]; j <= (extent[2] + extent[3]) / 2; ++j) // the upper half goes
    {
      for (int i = extent[0]; i <= extent[1]; ++i)
      {
        empty->SetScalarComponentFromDouble(i, j, extent[4], 0, 0.0);
      }
    }
    vtkSlicerSegmentationsModuleLogic::SetBinaryLabelmapToSegment(
      empty, this->segmentation(), Logic::GetDiscSegmentID());
    QVERIFY(enforced.wait(60000));
    const long clipped = this->count(Logic::GetCupSegmentID());
    QVERIFY(clipped < cup);
    QVERIFY(clipped > 0);
    QVERIFY(this->TheLogic->GetMeasurement(this->Parameters, "vcdr") != vcdr);

    QVERIFY(history->RestorePreviousState());
    QVERIFY(enforced.wait(60000));
    QCOMPARE(this->count(Logic::GetCupSegmentID()), cup);
    QCOMPARE(this->TheLogic->GetMeasurement(this->Parameters, "vcdr"), vcdr);
    QVERIFY2(history->IsRestoreNextStateAvailable(), "the guard must not break redo");
    QVERIFY(history->RestoreNextState());
    QVERIFY(enforced.wait(60000));
    QCOMPARE(this->count(Logic::GetCupSegmentID()), clipped);
    QVERIFY(this->TheLogic->GetMeasurement(this->Parameters, "vcdr") != vcdr);
  }

  void aDraggedCurveChangesItsSegmentAtOnce()
  {
    qMRMLNPSNetSegmentWidget widget;
    widget.setUndoElsewhere(true);
    widget.setLogic(this->TheLogic);
    widget.setParameterNode(this->Parameters);
    QSignalSpy modify(&widget, &qMRMLNPSNetSegmentWidget::aboutToModify);
    QSignalSpy enforced(widget.nestingGuard(), &qMRMLNPSNetNestingGuard::enforced);
    const long disc = this->count(Logic::GetDiscSegmentID());
    vtkMRMLMarkupsClosedCurveNode* curve = this->Parameters->GetDiscCurveNode();
    double bounds[6];
    curve->GetBounds(bounds);
    double point[3];
    curve->GetNthControlPointPositionWorld(0, point);
    for (int axis = 0; axis < 2; ++axis) // away from the centre
    {
      point[axis] += 0.5 * (point[axis] - 0.5 * (bounds[2 * axis] + bounds[2 * axis + 1]));
    }
    curve->SetNthControlPointPositionWorld(0, point);
    QVERIFY(!enforced.wait(100)); // while the button is down
    curve->InvokeEvent(vtkMRMLMarkupsNode::PointEndInteractionEvent);
    QVERIFY(enforced.wait(60000));
    QVERIFY(this->count(Logic::GetDiscSegmentID()) > disc);
    QCOMPARE(modify.count(), 1);
    QCOMPARE(widget.results().State, QString("edited"));
    this->checkRatio(widget.results());
  }

  void placesAndForgetsTheCenter()
  {
    qMRMLNPSNetSegmentWidget widget;
    widget.setLogic(this->TheLogic);
    widget.setParameterNode(this->Parameters);
    const double world[3] = {-300.0, -200.0, 0.0};
    widget.setCenter(world);
    QVERIFY(this->Parameters->GetAnchorNode());
    QCOMPARE(this->Parameters->GetAnchorNode()->GetNumberOfControlPoints(), 1);
    widget.setCenter(world);
    QCOMPARE(this->Parameters->GetAnchorNode()->GetNumberOfControlPoints(), 1);
    widget.clearCenter();
    QVERIFY(!this->Parameters->GetAnchorNode());
    QCOMPARE(this->Scene->GetNumberOfNodesByClass("vtkMRMLMarkupsFiducialNode"), 0);
  }

  void tellsBeforeItWritesWhenUndoIsElsewhere()
  {
    qMRMLNPSNetSegmentWidget widget;
    widget.setUndoElsewhere(true);
    widget.setLogic(this->TheLogic);
    widget.setParameterNode(this->Parameters);
    QSignalSpy modify(&widget, &qMRMLNPSNetSegmentWidget::aboutToModify);
    QCOMPARE(this->TheLogic->FitBoundary(this->Parameters), int(Logic::Success));
    QCOMPARE(modify.count(), 1);
    QVERIFY(widget.results().Valid);
    QCOMPARE(widget.results().State, QString("fitted"));
  }

  void tellsAlsoBeforeItWritesToASegmentationThatItMakes()
  {
    const std::string labels = this->TheLogic->GetSampleLabelFileName("RET023OD");
    this->Scene->RemoveNode(this->segmentation());
    qMRMLNPSNetSegmentWidget widget;
    widget.setUndoElsewhere(true);
    widget.setLogic(this->TheLogic);
    widget.setParameterNode(this->Parameters);
    int segments = -1;
    connect(&widget, &qMRMLNPSNetSegmentWidget::aboutToModify,
      [&] { segments = this->segmentation()->GetSegmentation()->GetNumberOfSegments(); });
    QCOMPARE(this->TheLogic->ApplyLabels(this->Parameters, this->TheLogic->LoadPhoto(labels)), int(Logic::Success));
    QCOMPARE(segments, 0);
  }

  void resultsGoWithTheSegments()
  {
    qMRMLNPSNetSegmentWidget widget;
    widget.setLogic(this->TheLogic);
    widget.setParameterNode(this->Parameters);
    QVERIFY(widget.results().Valid);
    QSignalSpy enforced(widget.nestingGuard(), &qMRMLNPSNetNestingGuard::enforced);
    this->segmentation()->GetSegmentation()->RemoveAllSegments();
    QVERIFY(enforced.wait(60000));
    QVERIFY(!widget.results().Valid);
    QVERIFY(!std::isfinite(widget.results().VerticalCDR));
  }

  void writesTheReportOfTheCommandLine()
  {
    QTemporaryDir folder;
    qMRMLNPSNetSegmentWidget widget;
    widget.setLogic(this->TheLogic);
    widget.setParameterNode(this->Parameters);
    widget.setReportFolder(folder.path());
    QSignalSpy written(&widget, &qMRMLNPSNetSegmentWidget::reportWritten);
    widget.openReport();
    QVERIFY(written.wait(60000));
    QVERIFY(written[0][0].toString().startsWith(folder.path()));
    QVERIFY(written[0][0].toString().endsWith("/RET023OD_report.html"));
    QFile file(written[0][0].toString());
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString html = QString::fromUtf8(file.readAll());
    QVERIFY(html.contains(QString::number(widget.results().VerticalCDR, 'f', 2)));
    QVERIFY(html.contains("Research use"));
    QVERIFY2(html.contains("by hand"), "the expert's labels are not the network's");
    QVERIFY(html.count("<img ") >= 2);

    widget.setReportFolder(written[0][0].toString()); // a file is not a folder
    widget.openReport();
    QTRY_VERIFY_WITH_TIMEOUT(widget.statusText().contains("RET023OD_report.html"), 60000);
    QCOMPARE(written.count(), 1);

    widget.setReportFolder(folder.path());
    widget.openReport();
    QVERIFY(written.wait(60000));
    QVERIFY2(written[1][0] != written[0][0], "a report that is open stays as it was");

    QDir(folder.path()).mkdir("saved");
    widget.saveFiles(folder.filePath("saved"));
    QTRY_VERIFY_WITH_TIMEOUT(widget.statusText().startsWith("Saved"), 60000);
    const QStringList files = QDir(folder.filePath("saved")).entryList(QDir::Files);
    for (const char* name : {"RET023OD_report.html", "RET023OD_rim.csv", "RET023OD_metrics.json"})
    {
      QVERIFY2(files.contains(name), name);
    }
  }

  void speaksTheLanguageOfTheWindow()
  {
    using Widget = qMRMLNPSNetSegmentWidget;
    const QString lost = Widget::windowText(
      "No optic nerve head was found in the photograph: check it, or give its centre (--center X,Y; for a batch the "
      "columns center_x and center_y of a table).");
    QVERIFY2(!lost.contains("--") && !lost.contains("columns") && lost.contains("click"), qPrintable(lost));
    QCOMPARE(Widget::windowText("It is too large: make it smaller or raise the limit (--max-megapixels)."),
      QString("It is too large: make it smaller or raise the limit."));
    QCOMPARE(Widget::windowText("segment"), QString::fromUtf8("Outlining disc and cup…"));
    QCOMPARE(Widget::windowText("The disc leaves the photo."), QString("The disc leaves the photo."));
  }

  void saysWhatIsMissing()
  {
    qMRMLNPSNetSegmentWidget widget;
    QVERIFY(!widget.findChild<QPushButton*>("ApplyButton")->isEnabled());
    widget.setLogic(this->TheLogic);
    widget.setParameterNode(this->Parameters);
    QVERIFY(widget.findChild<QPushButton*>("ApplyButton")->isEnabled());
    this->Parameters->SetInputVolumeNode(nullptr);
    QVERIFY(!widget.findChild<QPushButton*>("ApplyButton")->isEnabled());
    QVERIFY(widget.statusText().contains("photo"));
    this->Parameters->SetInputVolumeNode(this->TheLogic->LoadSamplePhoto("RET023OD"));
    QVERIFY2(widget.statusText().isEmpty(), "advice that was followed is gone");
  }

  void reportsARunThatCannotStart()
  {
    qMRMLNPSNetSegmentWidget widget;
    widget.setLogic(this->TheLogic);
    widget.setParameterNode(this->Parameters);
    this->TheLogic->SetSegmentExecutable("no-such-program");
    QSignalSpy finished(&widget, &qMRMLNPSNetSegmentWidget::runFinished);
    widget.apply();
    QVERIFY(finished.count() == 1 || finished.wait(60000));
    QCOMPARE(finished[0][0].toBool(), false);
    QVERIFY(!widget.statusText().isEmpty());
    QVERIFY(!widget.isRunning());
    this->TheLogic->SetSegmentExecutable("");
  }
};

QTEST_MAIN(qMRMLNPSNetSegmentWidgetTest)
#include "qMRMLNPSNetSegmentWidgetTest.moc"
