// SPDX-License-Identifier: Apache-2.0
// One photograph, one truth: after every single action photograph, outlines, editor, panel, table, plot and report are
// compared with each other.
//
// Arguments: photo, folder of our loadable module. Environment: NPSNET_SCREENSHOT_DIR keeps a picture of every step.

#include "SlicerWalk.h"

#include "qNPSNetResultsWidget.h"

#include <vtkMRMLPlotChartNode.h>
#include <vtkMRMLPlotSeriesNode.h>
#include <vtkMRMLPlotViewNode.h>
#include <vtkMRMLSliceCompositeNode.h>
#include <vtkMRMLScalarVolumeNode.h>
#include <vtkMRMLSliceLogic.h>
#include <vtkMRMLTableViewNode.h>

#include <vtkDataArray.h>

#include <QDoubleSpinBox>

#include <map>

namespace
{
using namespace walk;

class TruthWalk
{
public:
  explicit TruthWalk(qSlicerMainWindow* window)
      : Window(window)
      , Application(qSlicerApplication::application())
      , Shots(qEnvironmentVariable("NPSNET_SCREENSHOT_DIR"))
  {
  }

  void go()
  {
    this->openModule();
    this->act("the module is opened", [] {});
    this->act("a photo is loaded", [&] { this->sample("RET023OD"); });
    this->act("it is segmented", [&] { this->apply(); });
    this->act("the table is shown", [&] { this->press("ShowTableButton"); });
    this->act("the plot is shown", [&] { this->press("ShowPlotButton"); });
    this->act("the other eye is chosen",
      [&] { choose(child<QComboBox>(this->panel(), "EyeComboBox"), int(vtkMRMLNPSNetParameterNode::EyeLeft)); });
    check(this->panel()->results().Eye == "OS", "the panel has the eye that was chosen");
    this->act("the eye is automatic again",
      [&] { choose(child<QComboBox>(this->panel(), "EyeComboBox"), int(vtkMRMLNPSNetParameterNode::EyeAuto)); });
    this->act("it is calibrated", [&] { this->calibrate("4.5"); });
    check(this->panel()->results().LengthUnit == QString::fromUtf8("µm"), "lengths are micrometres now");
    this->act("another photo is loaded", [&] { this->sample("RET190OS"); });
    check(!this->panel()->results().Valid, "of which nothing is known yet");
    this->act("its calibration is unknown", [&] { this->calibrate("0"); });
    this->act("it is segmented, too", [&] { this->apply(); });
    this->act("the first one is looked at again", [&] { this->choosePhoto("RET023OD"); });
    check(this->panel()->results().LengthUnit == QString::fromUtf8("µm"), "with its calibration");
    this->act("the tab Edit is opened", [&] { this->clickTab("EditTab"); });
    this->act("a script gives the editor the other photo", [&] { this->misleadEditor("RET190OS"); });
    this->act("the cup is painted", [&] { this->paint(); });
    check(this->panel()->results().State == "edited", "the result is an edited one");
    this->act("that is undone", [&] { this->editorButton("UndoButton"); });
    check(this->panel()->results().State == "automatic", "the result is the automatic one");
    this->act("and done again", [&] { this->editorButton("RedoButton"); });
    this->act("the tab Segment is opened", [&] { this->clickTab("SegmentTab"); });
    this->act("the edit is smoothed",
      [&] { QTest::mouseClick(child<QPushButton>(this->Module, "FitBoundaryButton"), Qt::LeftButton); });
    check(this->panel()->results().State == "fitted", "the result is a fitted one");
    this->act("that is undone by its key", [&] { QTest::keyClick(this->Module, Qt::Key_Z); });
    check(this->panel()->results().State == "edited", "the edit is back");
    this->act("an expert is compared",
      [&]
      {
        const auto labels = this->panel()->logic()->GetSampleLabelFileName("RET023OD");
        this->Module->loadComparison(QString::fromStdString(labels));
      });
    check(std::isfinite(this->panel()->results().ExpertVerticalCDR), "the vCDR of the expert is known");
    this->act("and taken away",
      [&] { QTest::mouseClick(child<QPushButton>(this->Module, "RemoveComparisonButton"), Qt::LeftButton); });
    this->act("it is segmented again", [&] { this->apply(); });
    this->act("the next photo is looked at", [&] { QTest::keyClick(this->Module, Qt::Key_N); });
    this->act("the scene is saved and opened", [&] { this->saveAndOpen(); });
    this->act("the other photo is looked at", [&] { this->choosePhoto("RET023OD"); });
    this->act("table and plot are taken away",
      [&]
      {
        this->press("ShowTableButton");
        this->press("ShowPlotButton");
      });
    this->act("its photo is removed",
      [&] { this->Application->mrmlScene()->RemoveNode(this->parameters()->GetInputVolumeNode()); });
  }

private:
  void openModule()
  {
    this->Window->setGeometry(0, 0, 1366, 740);
    this->Window->show();
    QTest::qWait(500);
    auto* selector = this->Window->moduleSelector()->findChild<QComboBox*>();
    clickMenu(selector, {"Segmentation", "NPS-Net Segmentation"});
    this->Module = dynamic_cast<qSlicerNPSNetSegmentationModuleWidget*>(
      this->Application->moduleManager()->module("NPSNetSegmentation")->widgetRepresentation());
    check(this->Module && this->Module->isVisible(), "the panel is shown");
  }

  void act(const QString& what, const std::function<void()>& action)
  {
    std::cout << "-- " << what.toStdString() << std::endl;
    action();
    QTest::qWait(600);
    this->compare(what);
    if (!this->Shots.isEmpty())
    {
      QDir().mkpath(this->Shots);
      const QString name =
        QString("Truth%1-%2.png").arg(++this->Number, 2, 10, QChar('0')).arg(QString(what).replace(' ', '-'));
      this->Window->screen()->grabWindow(this->Window->winId()).save(QDir(this->Shots).filePath(name));
    }
  }

  /// All that the window shows of a photo is of the same photo and says the same.
  void compare(const QString& when)
  {
    const auto same = [&when](bool good, const QString& what)
    {
      if (!good)
      {
        throw std::runtime_error((what + ", after: " + when).toStdString());
      }
    };
    vtkMRMLNPSNetParameterNode* node = this->parameters();
    same(node != nullptr, "there are parameters");
    vtkMRMLVolumeNode* photo = node->GetInputVolumeNode();
    vtkMRMLSegmentationNode* segmentation = node->GetSegmentationNode();
    const qNPSNetResults results = this->panel()->results();
    Logic* logic = this->panel()->logic();

    // The photograph.
    same(
      child<qMRMLNodeComboBox>(this->Module, "PhotoSelector")->currentNode() == photo, "the selector names the photo");
    vtkMRMLSliceLogic* slice = this->Application->layoutManager()->sliceWidget("Red")->sliceLogic();
    const char* background = slice->GetSliceCompositeNode()->GetBackgroundVolumeID();
    same(!photo || (background && std::string(background) == photo->GetID()), "the view shows the photo");

    // The outlines.
    vtkMRMLScene* scene = this->Application->mrmlScene();
    for (int i = 0; i < scene->GetNumberOfNodesByClass("vtkMRMLSegmentationNode"); ++i)
    {
      auto* other = vtkMRMLSegmentationNode::SafeDownCast(scene->GetNthNodeByClass(i, "vtkMRMLSegmentationNode"));
      const bool own = photo && (other == segmentation || other == node->GetComparisonSegmentationNode());
      const bool visible = other->GetDisplayVisibility() != 0 && other->GetSegmentation()->GetNumberOfSegments() > 0;
      same(own || !visible, QString("no outlines of another photo: %1").arg(other->GetName()));
    }
    long disc = 0;
    long cup = 0;
    int rows[2] = {0, 0};
    if (photo && segmentation)
    {
      same(segmentation->GetNodeReference(vtkMRMLSegmentationNode::GetReferenceImageGeometryReferenceRole().c_str()) ==
             photo,
        "the segments are of the photo");
      const Mask discMask(segmentation, Logic::GetDiscSegmentID());
      const Mask cupMask(segmentation, Logic::GetCupSegmentID());
      disc = discMask.count();
      cup = cupMask.count();
      rows[0] = height(discMask);
      rows[1] = height(cupMask);
      same(discMask.contains(cupMask), "the disc contains the cup");
    }

    // The editor.
    auto* editor = child<qMRMLSegmentEditorWidget>(this->Module, "SegmentEditorWidget");
    if (editor->isVisible())
    {
      same(editor->segmentationNode() == segmentation, "the editor edits the photo's segments");
      same(editor->sourceVolumeNode() == photo, "on the photo");
      const qNPSNetResults beside = child<qNPSNetResultsWidget>(this->Module, "EditResults")->results();
      same(beside.Valid == results.Valid && beside.Name == results.Name, "the numbers beside it are the photo's");
      same(!results.Valid || beside.VerticalCDR == results.VerticalCDR, "and those of the panel");
    }

    // Table and plot, whether the layout shows them or not.
    auto* tableView = vtkMRMLTableViewNode::SafeDownCast(scene->GetFirstNodeByClass("vtkMRMLTableViewNode"));
    auto* plotView = vtkMRMLPlotViewNode::SafeDownCast(scene->GetFirstNodeByClass("vtkMRMLPlotViewNode"));
    vtkMRMLTableNode* rim = node->GetRimTableNode();
    vtkMRMLPlotChartNode* chart = node->GetChartNode();
    vtkMRMLNode* tableInView = tableView ? tableView->GetTableNode() : nullptr;
    vtkMRMLNode* chartInView = plotView ? plotView->GetPlotChartNode() : nullptr;
    same(!tableInView || tableInView == rim, "the table in the window is the photo's");
    same(!chartInView || chartInView == chart, "the plot in the window is the photo's");

    // The numbers.
    same(results.Valid == (disc > 0), "the panel has numbers when there is a disc");
    if (!results.Valid)
    {
      return;
    }
    same(results.Name == QString::fromUtf8(photo->GetName()), "the panel names the photo");
    const auto text = [&](const char* key) { return QString::fromStdString(logic->GetMeasurementText(node, key)); };
    same(text("name") == results.Name, "the summary names the photo");
    same(
      QString::fromStdString(rim->GetColumnTitle("theta_deg")).startsWith(results.Name), "the table names the photo");
    same(text("eye") == results.Eye || results.Eye.isEmpty(), "the table has the panel's eye");
    same(std::abs(text("vcdr").toDouble() - results.VerticalCDR) < 1e-6, "the table has the panel's vCDR");
    same(text("state") == results.State, "and its state");
    same(std::abs(double(rows[1]) / rows[0] - results.VerticalCDR) < 0.02 || cup == 0, "the outlines have it, too");
    const bool calibrated = !text("um_per_px").isEmpty();
    same(calibrated == (results.LengthUnit != "px"), "the unit is the calibration's");
    same(calibrated == (rim->GetColumnIndex("rim_width_um") >= 0), "in the table, too");
    vtkTable* table = rim->GetTable();
    for (int angle = 0; angle < 360; angle += 15)
    {
      same(std::abs(table->GetValueByName(angle, calibrated ? "rim_width_um" : "rim_width_px").ToDouble() -
                    results.RimWidth[angle]) < 1e-6,
        "the table has the panel's rim");
    }
    if (!results.Eye.isEmpty())
    {
      same(
        table->GetValueByName(0, "quadrant").ToString() == (results.Eye == "OD" ? "N" : "T"), "image right is right");
    }
    const QString title = QString::fromUtf8(chart->GetTitle());
    same(title.contains(results.Name) && title.contains(results.Eye), "the plot names photo and eye: " + title);
    std::map<std::string, int> series;
    for (int i = 0; i < chart->GetNumberOfPlotSeriesNodes(); ++i)
    {
      vtkMRMLPlotSeriesNode* line = chart->GetNthPlotSeriesNode(i);
      same(
        line && line->GetTableNode() && rim->GetColumnIndex(line->GetYColumnName()) >= 0, "the plot's lines are there");
      ++series[line->GetName()];
    }
    for (const char* name : {"Disc radius", "Cup radius", "Rim width"})
    {
      same(series[name] == 1, QString("the plot has the line %1 once").arg(name));
    }

    // The report.
    QTemporaryDir folder;
    const std::string file = logic->WriteReport(node, folder.path().toStdString());
    QFile report(QString::fromStdString(file));
    same(report.open(QIODevice::ReadOnly), "the report is written");
    const QString html = QString::fromUtf8(report.readAll());
    same(html.contains(results.Name), "the report names the photo");
    same(html.contains(QString::number(results.VerticalCDR, 'f', 2)), "the report has the panel's vCDR");
    const QString eye = results.Eye == "OD" ? "Right eye" : results.Eye == "OS" ? "Left eye" : "";
    same(html.contains(eye, Qt::CaseInsensitive), "the report has the panel's eye");
    std::cout << "ok: one truth, vCDR " << results.VerticalCDR << ", " << results.State.toStdString() << std::endl;
  }

  static int height(const Mask& mask)
  {
    int low = 1 << 30;
    int high = -1;
    mask.forEach(
      [&](int, int j)
      {
        low = std::min(low, j);
        high = std::max(high, j);
      });
    return std::max(0, high - low + 1);
  }

  void sample(const QString& name) { clickMenu(child<QToolButton>(this->Module, "SampleButton"), {name}); }

  void choosePhoto(const char* name)
  {
    vtkMRMLNode* photo = this->Application->mrmlScene()->GetFirstNodeByName(name);
    check(photo, QString("there is a photo %1").arg(name));
    child<qMRMLNodeComboBox>(this->Module, "PhotoSelector")->setCurrentNode(photo);
  }

  void apply()
  {
    Outcome outcome(this->panel());
    QTest::mouseClick(child<QPushButton>(this->panel(), "ApplyButton"), Qt::LeftButton);
    waitUntil([&] { return outcome.Finished; }, 900000, "the run ends");
    check(outcome.Good, "and ends well: " + this->panel()->statusText());
  }

  void press(const char* button) { QTest::mouseClick(child<QPushButton>(this->panel(), button), Qt::LeftButton); }

  void calibrate(const QString& value)
  {
    auto* box = child<QDoubleSpinBox>(this->panel(), "CalibrationSpinBox");
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, value);
    QTest::keyClick(box, Qt::Key_Return);
  }

  void clickTab(const char* name)
  {
    auto* tabs = child<QTabWidget>(this->Module, "Tabs");
    QTabBar* bar = tabs->tabBar();
    clickAt(bar, bar->tabRect(tabs->indexOf(child<QWidget>(this->Module, name))).center());
  }

  void editorButton(const char* name)
  {
    QTest::mouseClick(
      child<QToolButton>(child<qMRMLSegmentEditorWidget>(this->Module, "SegmentEditorWidget"), name), Qt::LeftButton);
  }

  /// As another module or a script may do it.
  void misleadEditor(const char* photo)
  {
    vtkMRMLSegmentEditorNode* editor =
      child<qMRMLSegmentEditorWidget>(this->Module, "SegmentEditorWidget")->mrmlSegmentEditorNode();
    editor->SetAndObserveSourceVolumeNode(
      vtkMRMLScalarVolumeNode::SafeDownCast(this->Application->mrmlScene()->GetFirstNodeByName(photo)));
  }

  void paint()
  {
    auto* editor = child<qMRMLSegmentEditorWidget>(this->Module, "SegmentEditorWidget");
    vtkMRMLSegmentationNode* segmentation = this->parameters()->GetSegmentationNode();
    editor->setCurrentSegmentID(Logic::GetCupSegmentID());
    QTest::mouseClick(child<QToolButton>(editor, "Paint"), Qt::LeftButton);
    QTest::qWait(300);
    const Mask disc(segmentation, Logic::GetDiscSegmentID());
    double world[3];
    disc.top(world, 1.0);
    qMRMLSliceWidget* slice = this->Application->layoutManager()->sliceWidget("Red");
    QWidget* view = const_cast<qMRMLSliceView*>(slice->sliceView())->VTKWidget();
    const QPoint xy = qSlicerSegmentEditorAbstractEffect::rasToXy(world, slice);
    const double ratio = view->devicePixelRatioF();
    const QPoint point(qRound(xy.x() / ratio), view->height() - 1 - qRound(xy.y() / ratio));
    QTest::mouseMove(view, point);
    QTest::qWait(50);
    QTest::mousePress(view, Qt::LeftButton, Qt::NoModifier, point);
    QTest::qWait(50);
    QTest::mouseRelease(view, Qt::LeftButton, Qt::NoModifier, point);
  }

  void saveAndOpen()
  {
    QTemporaryDir folder;
    const QString file = folder.filePath("scene.mrb");
    vtkMRMLScene* scene = this->Application->mrmlScene();
    check(scene->WriteToMRB(file.toUtf8().constData()), "the scene is saved");
    scene->Clear(0);
    QTest::qWait(500);
    check(scene->ReadFromMRB(file.toUtf8().constData()), "the scene is opened again");
    QTest::qWait(1000);
  }

  qMRMLNPSNetSegmentWidget* panel() const { return child<qMRMLNPSNetSegmentWidget>(this->Module, "SegmentWidget"); }
  vtkMRMLNPSNetParameterNode* parameters() const { return this->panel()->parameterNode(); }

  qSlicerMainWindow* Window;
  qSlicerApplication* Application;
  QString Shots;
  int Number{0};
  qSlicerNPSNetSegmentationModuleWidget* Module{nullptr};
};
} // namespace

int qSlicerNPSNetOneTruthTest(int argc, char* argv[])
{
  if (argc < 3)
  {
    std::cerr << "Usage: " << argv[0] << " photo module-folder" << std::endl;
    return EXIT_FAILURE;
  }
  return takeWalk(argv[0], argv[2], [](qSlicerMainWindow* window) { TruthWalk(window).go(); });
}
