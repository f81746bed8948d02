// SPDX-License-Identifier: Apache-2.0
// The whole way of a reader, in a running Slicer and through the widgets a reader uses:
//  * editor: load photo -> Segment Editor -> NPS-Net -> Apply -> undo -> redo -> paint -> erase -> live click ->
//    cross-hair -> table and plot follow;
//  * panel: load photo -> Apply -> Cancel -> drag a curve -> paint -> Smooth edits -> click the centre -> report ->
//    batch -> load a row of the batch;
//  * scene: two photos in turn -> a photo removed during its run -> save and open the scene -> close it during a run.
//
// Arguments: photo, folder of our loadable module, which of the three.
// Environment: NPSNET_SCREENSHOT_DIR keeps a picture of every step; NPSNET_TEST_MODEL takes other weights.

#include "SlicerWalk.h"

namespace
{
using namespace walk;

class Walk
{
public:
  explicit Walk(qSlicerMainWindow* window)
      : Window(window)
      , Application(qSlicerApplication::application())
      , Shots(qEnvironmentVariable("NPSNET_SCREENSHOT_DIR"))
  {
  }

  void editor(const QString& photo)
  {
    this->openModule();
    clickMenu(child<QToolButton>(this->Module, "SampleButton"), {QFileInfo(photo).completeBaseName()});
    this->checkPhoto();
    this->openEditor();
    this->apply();
    this->undoRedo();
    this->paintCup();
    this->eraseDisc();
    this->clickLive();
    this->crosshair();
    this->tableAndPlot();
  }

  void panel(const QString& photo)
  {
    this->openModule();
    this->loadPhoto(photo);
    this->checkPhoto();
    this->applyAndCancel();
    this->undoPanel();
    this->dragCurve();
    this->dragDuringRun();
    this->paintDisc();
    this->smoothEdits();
    this->clickCenter();
    this->compare(photo);
    this->report();
    this->batch(photo);
  }

  void scene(const QString& photo)
  {
    this->openModule();
    this->twoPhotos(photo);
    this->removePhoto();
    this->saveAndOpen();
    this->closeScene(photo);
  }

private:
  void openModule()
  {
    this->Window->setGeometry(0, 0, 1600, 1000);
    this->Window->show();
    QTest::qWait(500);
    auto* selector = this->Window->moduleSelector()->findChild<QComboBox*>();
    check(selector, "the window has a module selector");
    clickMenu(selector, {"Segmentation", "NPS-Net Segmentation"});
    this->Module = dynamic_cast<qSlicerNPSNetSegmentationModuleWidget*>(
      this->Application->moduleManager()->module("NPSNetSegmentation")->widgetRepresentation());
    check(this->Module, "the module has a panel");
    check(this->Module->isVisible(), "the panel is shown");
    this->Tabs = child<QTabWidget>(this->Module, "Tabs");
    waitUntil([&]
      { return this->Module->visibleRegion().boundingRect().width() >= this->Tabs->minimumSizeHint().width(); },
      30000, "the panel is wide enough for its controls");
  }

  /// A button that asks for a file, the name of the file, Enter.
  static void clickAndChoose(QWidget* button, const QString& file)
  {
    whenShown<QFileDialog>([] { return qobject_cast<QFileDialog*>(QApplication::activeModalWidget()); },
      [file](QFileDialog* dialog)
      {
        auto* name = dialog->findChild<QLineEdit*>("fileNameEdit");
        name->setText(file); // typed letters would open the list of completions, which takes Enter
        QTest::keyClick(name, Qt::Key_Return);
      });
    QTest::mouseClick(button, Qt::LeftButton);
  }

  void loadPhoto(const QString& photo) { clickAndChoose(child<QToolButton>(this->Module, "LoadPhotoButton"), photo); }

  void checkPhoto()
  {
    this->Parameters = this->panelWidget()->parameterNode();
    check(this->Parameters, "the panel has parameters");
    auto* volume = vtkMRMLVectorVolumeNode::SafeDownCast(this->Parameters->GetInputVolumeNode());
    check(volume && volume->GetImageData()->GetNumberOfScalarComponents() == 3, "it is a colour photo");
    this->Parameters->SetModelFileName(qEnvironmentVariable("NPSNET_TEST_MODEL").toStdString());
    this->shot("SlicerPhoto");
  }

  void openEditor()
  {
    this->clickTab("EditTab");
    this->Editor = child<qMRMLSegmentEditorWidget>(this->Module, "SegmentEditorWidget");
    auto* button = child<QToolButton>(this->Editor, "NPS-Net");
    check(button->isEnabled(), "NPS-Net is offered for an empty segmentation");
    QTest::mouseClick(button, Qt::LeftButton);
    auto* effect = qobject_cast<qSlicerSegmentEditorNPSNetEffect*>(this->Editor->activeEffect());
    check(effect, "NPS-Net is the active effect");
    this->Effect = effect->segmentWidget();
    check(this->Effect->parameterNode() == this->Parameters, "effect and panel share their parameters");
    this->Segmentation = this->Parameters->GetSegmentationNode();
    check(
      this->Segmentation && this->Segmentation->GetSegmentation()->GetNumberOfSegments() == 0, "nothing is segmented");
    this->shot("SlicerEffect");
  }

  /// Clicks Apply and waits; tells the longest time in which the event loop stood still.
  void clickApply(qMRMLNPSNetSegmentWidget* widget, const QString& picture = QString())
  {
    Outcome outcome(widget);
    auto* button = child<QPushButton>(widget, "ApplyButton");
    check(button->isEnabled(), "Apply can be clicked");
    Heart heart;
    for (int i = 0; i < 5; ++i)
    {
      this->redView()->scheduleRender();
      QTest::qWait(150);
    }
    heart.tell("to compare, the slice view rendered with nothing running");
    QTest::mouseClick(button, Qt::LeftButton);
    check(widget->isRunning(), "the click returns while the run goes on");
    heart.beat();
    check(heart.tell("the click on Apply") < ClickMilliseconds, "a click on Apply does not block");
    bool pictured = picture.isEmpty() || this->Shots.isEmpty();
    waitUntil(
      [&]
      {
        if (!pictured && this->Parameters->GetProgress() > 0.3 && widget->isRunning())
        {
          pictured = true;
          heart.pause();
          this->shot(picture);
          heart.go();
        }
        return outcome.Finished;
      },
      900000, "the run ends");
    heart.beat();
    check(outcome.Finished && outcome.Good, "the run ends well: " + widget->statusText());
    heart.tell("the run and the writing of its results");
    QTest::qWait(200);
    heart.tell("the rendering of its results");
  }

  void apply()
  {
    this->clickApply(this->Effect, "SlicerProgress");
    this->checkNested("after Apply");
    check(this->disc().count() > 100 && this->cup().count() > 10, "disc and cup have pixels");
    check(this->vcdr() > 0.05 && this->vcdr() < 1.0, QString("vCDR is %1").arg(this->vcdr()));
    check(this->Parameters->GetRimTableNode()->GetTable()->GetNumberOfRows() == 360, "the rim table has 360 rows");
    check(std::abs(this->Effect->results().VerticalCDR - this->vcdr()) < 1e-6, "the effect shows the table's vCDR");
    check(this->state() == "automatic", "the result is marked automatic");
    this->shot("SlicerApplied");
  }

  void undoRedo()
  {
    const long disc = this->disc().count();
    const long cup = this->cup().count();
    const double ratio = this->vcdr();
    this->clickEditor("UndoButton");
    check(this->disc().count() == 0 && this->cup().count() == 0, "one undo takes all of Apply back");
    check(!this->Effect->results().Valid && !(this->vcdr() > 0.0), "and the numbers with it");
    this->clickEditor("RedoButton");
    check(this->disc().count() == disc && this->cup().count() == cup, "redo brings the same pixels");
    this->checkNested("after redo");
    check(std::abs(this->vcdr() - ratio) < 1e-9, "and the same table");
    check(this->Effect->results().Valid && this->state() == "automatic", "and the same results");
  }

  void paintCup()
  {
    const long disc = this->disc().count();
    const long cup = this->cup().count();
    const double ratio = this->vcdr();
    double world[3];
    this->disc().top(world, -2.0); // just outside of the disc
    this->selectEffect("Paint", Logic::GetCupSegmentID());
    this->clickSlice(world);
    check(this->cup().count() > cup, "painting adds to the cup");
    check(this->disc().count() > disc, "and grows the disc");
    this->checkNested("after painting the cup");
    check(this->vcdr() > ratio, "the table follows");
    check(this->state() == "edited", "the result is marked edited");
    this->shot("SlicerPainted");
    this->clickEditor("UndoButton");
    check(this->disc().count() == disc && this->cup().count() == cup, "one undo takes paint and growth back");
    check(
      std::abs(this->vcdr() - ratio) < 1e-9 && this->state() == "automatic", "the table is the automatic one again");
    this->clickEditor("RedoButton");
    check(this->cup().count() > cup, "redo paints again");
    this->checkNested("after redo of the paint");
    this->clickEditor("UndoButton");
  }

  void eraseDisc()
  {
    const long disc = this->disc().count();
    const long cup = this->cup().count();
    double world[3];
    this->cup().top(world, 1.0);
    this->selectEffect("Erase", Logic::GetDiscSegmentID());
    this->clickSlice(world);
    check(this->disc().count() < disc, "erasing takes from the disc");
    check(this->cup().count() < cup, "and clips the cup");
    this->checkNested("after erasing the disc");
    this->clickEditor("UndoButton");
    check(this->disc().count() == disc && this->cup().count() == cup, "one undo restores both");
  }

  void clickLive()
  {
    double world[3];
    this->cup().top(world, 4.0);
    this->selectEffect("NPS-Net", Logic::GetDiscSegmentID());
    choose(child<QComboBox>(this->Effect, "CenterComboBox"), int(qMRMLNPSNetParametersWidget::CenterClick));
    this->clickLiveBox(true);
    Outcome outcome(this->Effect);
    this->clickSlice(world);
    vtkMRMLMarkupsFiducialNode* anchor = this->Parameters->GetAnchorNode();
    check(anchor && anchor->GetNumberOfControlPoints() == 1, "a click places the centre");
    double placed[3];
    anchor->GetNthControlPointPositionWorld(0, placed);
    check(this->isNear(placed, world), "where it was clicked");
    check(this->Effect->isRunning(), "live: the click starts a run");
    waitUntil([&] { return outcome.Finished; }, 900000, "that ends");
    check(outcome.Good, "and ends well: " + this->Effect->statusText());
    this->checkNested("after the live run");
    this->shot("SlicerClick");
    this->clickLiveBox(false);
  }

  void crosshair()
  {
    double world[3];
    this->cup().top(world, 60.0);
    auto* center = child<QComboBox>(this->Effect, "CenterComboBox");
    choose(center, int(qMRMLNPSNetParametersWidget::CenterCrosshair));
    QTest::qWait(300);
    QWidget* view = nullptr;
    const QPoint point = this->viewPoint(world, view);
    QMouseEvent move(QEvent::MouseMove, point, view->mapToGlobal(point), Qt::NoButton, Qt::NoButton, Qt::ShiftModifier);
    QApplication::sendEvent(view, &move); // Shift and the mouse move the cross-hair
    auto* crosshair =
      vtkMRMLCrosshairNode::SafeDownCast(this->Application->mrmlScene()->GetFirstNodeByClass("vtkMRMLCrosshairNode"));
    check(crosshair && this->isNear(crosshair->GetCrosshairRAS(), world), "Shift and the mouse move the cross-hair");
    this->clickApply(this->Effect);
    double placed[3];
    this->Parameters->GetAnchorNode()->GetNthControlPointPositionWorld(0, placed);
    check(this->isNear(placed, crosshair->GetCrosshairRAS()), "the cross-hair was the centre");
    this->checkNested("after the run from the cross-hair");
    choose(center, int(qMRMLNPSNetParametersWidget::CenterAutomatic));
    check(!this->Parameters->GetAnchorNode(), "an automatic centre forgets the point");
  }

  void tableAndPlot()
  {
    QTest::mouseClick(child<QPushButton>(this->Effect, "ShowPlotButton"), Qt::LeftButton);
    QTest::mouseClick(child<QPushButton>(this->Effect, "ShowTableButton"), Qt::LeftButton);
    QTest::qWait(300);
    qSlicerLayoutManager* layout = this->Application->layoutManager();
    check(layout->tableViewCount() > 0 && layout->plotViewCount() > 0, "table and plot are in the layout");
    check(layout->plotWidget(0)->width() > 300 && layout->plotWidget(0)->height() > 200, "the plot can be read");
    check(layout->tableWidget(0)->width() > 300 && layout->tableWidget(0)->height() > 200, "the table can be read");
    this->shot("SlicerTablePlot");
    const vtkMRMLSliceNode* slice = this->Application->layoutManager()->sliceWidget("Red")->mrmlSliceNode();
    double bounds[6];
    this->disc().Image->GetBounds(bounds);
    const double* field = const_cast<vtkMRMLSliceNode*>(slice)->GetFieldOfView();
    check(field[0] > bounds[1] - bounds[0] && field[1] > bounds[3] - bounds[2],
      "the disc fits into the narrower view without being asked to");
    this->clickTab("SegmentTab");
    check(this->panelWidget()->results().Valid, "the panel shows the same results");
    this->shot("SlicerPanel");
  }

  void applyAndCancel()
  {
    qMRMLNPSNetSegmentWidget* widget = this->panelWidget();
    this->clickApply(widget);
    this->Segmentation = this->Parameters->GetSegmentationNode();
    check(this->Segmentation && widget->results().Valid, "the panel shows results");
    this->checkNested("after Apply of the panel");
    const long disc = this->disc().count();
    {
      Outcome outcome(widget);
      QTest::mouseClick(child<QPushButton>(widget, "ApplyButton"), Qt::LeftButton);
      check(widget->isRunning(), "Apply of the panel starts a run");
      QTest::mouseClick(child<QPushButton>(widget, "CancelButton"), Qt::LeftButton);
      waitUntil([&] { return outcome.Finished; }, 30000, "Cancel ends it");
      check(!outcome.Good && this->disc().count() == disc, "and the scene is as it was");
    }
    this->shot("SlicerCancelled");
  }

  /// Apply of the panel is a step of the editor's undo, though the editor was not in sight.
  void undoPanel()
  {
    const long disc = this->disc().count();
    this->clickTab("EditTab");
    this->Editor = child<qMRMLSegmentEditorWidget>(this->Module, "SegmentEditorWidget");
    this->clickEditor("UndoButton");
    check(this->disc().count() == 0, "one undo takes Apply of the panel back");
    check(!this->panelWidget()->results().Valid, "and the numbers with it");
    this->clickEditor("RedoButton");
    check(this->disc().count() == disc && this->panelWidget()->results().Valid, "redo brings both");
    this->clickTab("SegmentTab");
  }

  /// The topmost point of the disc's curve, and a place farther out to drag it to.
  void curvePoints(double top[3], double target[3]) const
  {
    vtkMRMLMarkupsClosedCurveNode* curve = this->Parameters->GetDiscCurveNode();
    double center[3] = {0.0, 0.0, 0.0};
    int highest = 0;
    for (int i = 0; i < curve->GetNumberOfControlPoints(); ++i)
    {
      double point[3];
      curve->GetNthControlPointPositionWorld(i, point);
      curve->GetNthControlPointPositionWorld(highest, top);
      highest = point[1] > top[1] ? i : highest;
      std::transform(point, point + 3, center, center,
        [curve](double p, double sum) { return sum + p / curve->GetNumberOfControlPoints(); });
    }
    curve->GetNthControlPointPositionWorld(highest, top);
    std::transform(top, top + 3, center, target, [](double p, double c) { return p + 0.3 * (p - c); });
  }

  void dragCurve()
  {
    const long disc = this->disc().count();
    const long cup = this->cup().count();
    const double ratio = this->vcdr();
    double from[3];
    double to[3];
    this->curvePoints(from, to);
    this->dragSlice(from, to);
    const long dragged = this->disc().count();
    check(dragged > disc + 50 && this->cup().count() == cup, "a dragged curve changes its segment");
    check(this->vcdr() < ratio && this->state() == "edited", "the table follows");
    check(std::abs(this->panelWidget()->results().VerticalCDR - this->vcdr()) < 1e-6, "and the panel");
    this->checkNested("after dragging its curve");
    this->shot("SlicerDragged");
    this->clickTab("EditTab");
    this->clickEditor("UndoButton");
    check(this->disc().count() == disc && this->state() == "automatic", "one undo takes the drag back");
    double back[3];
    this->curvePoints(back, to);
    check(this->isNear(back, from), "and the curve");
    this->clickEditor("RedoButton");
    check(this->disc().count() == dragged, "redo drags again");
  }

  /// The run's result replaces the drag, which is not lost.
  void dragDuringRun()
  {
    this->clickTab("SegmentTab");
    qMRMLNPSNetSegmentWidget* widget = this->panelWidget();
    const long disc = this->disc().count();
    double from[3];
    double to[3];
    this->curvePoints(from, to);
    QWidget* view = nullptr;
    const QPoint start = this->viewPoint(from, view);
    const QPoint end = this->viewPoint(to, view);
    const std::string mode = this->Parameters->GetTTAMode();
    this->Parameters->SetTTAMode("paper"); // takes long
    Outcome outcome(widget);
    QTest::mouseClick(child<QPushButton>(widget, "ApplyButton"), Qt::LeftButton);
    drag(view, start, end);
    check(widget->isRunning(), "a curve is dragged during a run");
    const long dragged = this->disc().count();
    check(dragged > disc + 50 && this->state() == "edited", "and its segment follows at once");
    this->shot("SlicerDraggedRunning");
    waitUntil([&] { return outcome.Finished; }, 900000, "the run ends");
    check(this->state() == "automatic" && this->disc().count() != dragged, "its result replaces the edit");
    check(widget->statusText().contains("Undo"), "and says so: " + widget->statusText());
    this->shot("SlicerReplaced");
    this->clickTab("EditTab");
    this->clickEditor("UndoButton");
    check(this->disc().count() == dragged && this->state() == "edited", "one undo brings the edit back");
    this->clickEditor("UndoButton");
    check(this->disc().count() == disc, "another one takes it back");
    this->Parameters->SetTTAMode(mode);
  }

  /// In the editor, after a drag and a run of the panel.
  void paintDisc()
  {
    check(this->Editor->mrmlSegmentEditorNode()->GetOverwriteMode() == vtkMRMLSegmentEditorNode::OverwriteNone,
      "the editor allows overlap after Apply of the panel");
    const long dragged = this->disc().count();
    const long cup = this->cup().count();
    this->selectEffect("Paint", Logic::GetDiscSegmentID());
    double world[3];
    this->cup().top(world, 1.0);
    this->clickSlice(world);
    check(
      this->disc().count() == dragged && this->cup().count() == cup, "painting the disc leaves the cup in it alone");
    this->disc().top(world, -2.0);
    this->clickSlice(world);
    const long painted = this->disc().count();
    check(painted > dragged, "painting adds to the disc that was dragged");
    this->clickTab("SegmentTab");
    this->clickApply(this->panelWidget());
    check(this->state() == "automatic", "Apply of the panel replaces it");
    this->clickTab("EditTab");
    this->clickEditor("UndoButton");
    check(this->disc().count() == painted && this->state() == "edited", "one undo takes Apply back, not the paint");
    this->clickTab("SegmentTab");
  }

  void smoothEdits()
  {
    const long painted = this->disc().count();
    QTest::mouseClick(child<QPushButton>(this->Module, "FitBoundaryButton"), Qt::LeftButton);
    QTest::qWait(50);
    check(this->state() == "fitted", "Smooth edits fits a boundary");
    this->clickTab("EditTab");
    this->clickEditor("UndoButton");
    check(this->disc().count() == painted && this->state() == "edited", "one undo takes it back");
    this->clickTab("SegmentTab");
  }

  void clickCenter()
  {
    qMRMLNPSNetSegmentWidget* widget = this->panelWidget();
    auto* center = child<QComboBox>(widget, "CenterComboBox");
    choose(center, int(qMRMLNPSNetParametersWidget::CenterClick));
    check(!child<QPushButton>(widget, "ApplyButton")->isEnabled(), "Apply waits for the click");
    double world[3];
    this->cup().top(world, 30.0);
    this->clickSlice(world);
    vtkMRMLMarkupsFiducialNode* anchor = this->Parameters->GetAnchorNode();
    check(anchor && anchor->GetNumberOfControlPoints() == 1, "a click with the panel open places the centre");
    double placed[3];
    anchor->GetNthControlPointPositionWorld(0, placed);
    check(this->isNear(placed, world), "where it was clicked");
    this->shot("SlicerPanelClick");
    this->clickApply(widget);
    this->checkNested("after the run from the click");
    choose(center, int(qMRMLNPSNetParametersWidget::CenterAutomatic));
    check(!this->Parameters->GetAnchorNode(), "an automatic centre forgets the point");
  }

  void compare(const QString& photo)
  {
    const std::string labels =
      this->panelWidget()->logic()->GetSampleLabelFileName(QFileInfo(photo).completeBaseName().toStdString());
    clickAndChoose(child<QPushButton>(this->Module, "ComparisonButton"), QString::fromStdString(labels));
    vtkMRMLSegmentationNode* expert = this->Parameters->GetComparisonSegmentationNode();
    check(expert, "an expert's labels are loaded");
    check(!this->panelWidget()->results().ComparisonRimWidth.isEmpty(), "and compared");
    this->showDisc();
    this->shot("SlicerExpert");
  }

  void chooseSample(const QString& name)
  {
    clickMenu(child<QToolButton>(this->Module, "SampleButton"), {name});
    this->checkPhoto();
  }

  /// A run of one photo goes on while another is looked at.
  void twoPhotos(const QString& photo)
  {
    this->chooseSample(QFileInfo(photo).completeBaseName());
    vtkMRMLNPSNetParameterNode* first = this->Parameters;
    QTest::mouseClick(child<QPushButton>(this->panelWidget(), "ApplyButton"), Qt::LeftButton);
    this->chooseSample("RET042OS");
    check(this->Parameters != first && this->panelWidget()->results().Name.isEmpty(), "the other photo has no results");
    check(!this->panelWidget()->isRunning() && child<QPushButton>(this->panelWidget(), "ApplyButton")->isEnabled(),
      "and may be segmented");
    this->clickApply(this->panelWidget());
    waitUntil([&] { return !this->panelWidget()->logic()->IsRunning(first); }, 900000, "the first run ends");
    QTest::qWait(300);
    check(first->GetSegmentationNode() && first->GetSegmentationNode()->GetSegmentation()->GetNumberOfSegments() == 2,
      "the first photo got its segments meanwhile");
    check(this->panelWidget()->results().Name == "RET042OS", "the panel shows the numbers of the photo in sight");
    this->shot("SlicerSecondPhoto");
    check(first->GetSegmentationNode()->GetDisplayVisibility() == 0, "the segments of the other do not lie on it");
  }

  void removePhoto()
  {
    qMRMLNPSNetSegmentWidget* widget = this->panelWidget();
    QTest::mouseClick(child<QPushButton>(widget, "ApplyButton"), Qt::LeftButton);
    check(widget->isRunning(), "a run starts");
    this->Application->mrmlScene()->RemoveNode(this->Parameters->GetInputVolumeNode());
    QTest::qWait(300);
    this->shot("SlicerRemovedPhoto");
    check(widget->parameterNode() != this->Parameters && widget->results().Valid, "the photo before takes its place");
    waitUntil([&] { return !widget->logic()->IsRunning(this->Parameters); }, 900000, "it ends without its photo");
    check(widget->parameterNode()->GetSegmentationNode()->GetDisplayVisibility() == 1 &&
            this->Parameters->GetSegmentationNode()->GetDisplayVisibility() == 0,
      "whose segments alone are shown");
  }

  void saveAndOpen()
  {
    this->chooseSample("RET190OS");
    this->clickApply(this->panelWidget());
    const double ratio = this->vcdr();
    QTemporaryDir folder;
    const QString file = folder.filePath("scene.mrb");
    vtkMRMLScene* scene = this->Application->mrmlScene();
    check(scene->WriteToMRB(file.toUtf8().constData()), "the scene is saved");
    this->Application->mrmlScene()->Clear(0);
    QTest::qWait(500);
    check(!this->panelWidget()->results().Valid, "a closed scene has no results");
    this->shot("SlicerClosed");
    check(scene->ReadFromMRB(file.toUtf8().constData()), "the scene is opened again");
    QTest::qWait(1000);
    this->Parameters = this->panelWidget()->parameterNode();
    this->shot("SlicerOpened");
    const char* active = this->Application->applicationLogic()->GetSelectionNode()->GetActiveVolumeID();
    auto* shown = vtkMRMLVolumeNode::SafeDownCast(scene->GetNodeByID(active));
    check(shown, QString("a photo is shown: %1").arg(shown ? shown->GetName() : "none"));
    check(this->Parameters && this->Parameters->GetInputVolumeNode() == shown, "it is the panel's");
    check(child<qMRMLNodeComboBox>(this->Module, "PhotoSelector")->currentNode() == shown, "and the selector's");
    check(std::abs(this->panelWidget()->results().VerticalCDR - ratio) < 1e-6, "the panel has its numbers");
    for (int i = 0; i < scene->GetNumberOfNodesByClass("vtkMRMLNPSNetParameterNode"); ++i)
    {
      auto* node = vtkMRMLNPSNetParameterNode::SafeDownCast(scene->GetNthNodeByClass(i, "vtkMRMLNPSNetParameterNode"));
      const bool visible = node->GetSegmentationNode() && node->GetSegmentationNode()->GetDisplayVisibility() != 0;
      check(visible == (node == this->Parameters), "only its segments are shown");
    }
  }

  void closeScene(const QString& photo)
  {
    this->chooseSample(QFileInfo(photo).completeBaseName());
    qMRMLNPSNetSegmentWidget* widget = this->panelWidget();
    QTest::mouseClick(child<QPushButton>(widget, "ApplyButton"), Qt::LeftButton);
    check(widget->isRunning(), "a run starts");
    this->Application->mrmlScene()->Clear(0);
    QTest::qWait(1000);
    this->shot("SlicerClosedRunning");
    check(!widget->isRunning(), "a closed scene has no run");
    this->chooseSample(QFileInfo(photo).completeBaseName());
    this->clickApply(this->panelWidget());
    check(this->panelWidget()->results().Valid, "and the next one works");
    this->shot("SlicerReopened");
    this->Application->mrmlScene()->RemoveNode(this->Parameters->GetInputVolumeNode());
    QTest::qWait(300);
    this->shot("SlicerNoPhoto");
    check(!this->panelWidget()->results().Valid, "without its photo nothing is told of it");
    check(this->Parameters->GetSegmentationNode()->GetDisplayVisibility() == 0, "nor shown");
    this->chooseSample("RET042OS");
    check(!this->panelWidget()->results().Valid, "nor with the next photo");
  }

  void report()
  {
    QTextBrowser browser; // in place of the web browser
    QDesktopServices::setUrlHandler("file", &browser, "setSource");
    Heart heart;
    QTest::mouseClick(child<QPushButton>(this->panelWidget(), "OpenReportButton"), Qt::LeftButton);
    heart.beat();
    check(heart.tell("the click on Open report") < ClickMilliseconds, "a click on Open report does not block");
    waitUntil([&] { return browser.source().isValid(); }, 60000, "the report opens");
    QDesktopServices::unsetUrlHandler("file");
    const QString text = browser.toPlainText();
    check(text.contains("RET023OD") && text.contains("Research use") &&
            text.contains(QString::number(this->vcdr(), 'f', 2)),
      "it is the command line's and has the panel's vCDR");
    if (!this->Shots.isEmpty())
    {
      QFile::copy(browser.source().toLocalFile(), QDir(this->Shots).filePath("report.html"));
    }
    QFile::remove(browser.source().toLocalFile());
  }

  void batch(const QString& photo)
  {
    QTemporaryDir folder;
    const QDir photos(folder.filePath("photos"));
    QDir().mkpath(photos.path());
    const QFileInfo sample(photo);
    for (const QString& name : {QString("RET042OS.jpg"), QString("RET190OS.jpg")})
    {
      check(QFile::copy(sample.dir().filePath(name), photos.filePath(name)), "copied " + name);
    }
    QFile broken(photos.filePath("broken.jpg"));
    check(broken.open(QIODevice::WriteOnly) && broken.write("no photo") > 0, "made a file that is not a photo");
    broken.close();

    this->clickTab("BatchTab");
    auto* widget = child<qNPSNetBatchWidget>(this->Module, "BatchWidget");
    QTest::keyClicks(child<QLineEdit>(widget, "InputLineEdit"), photos.path());
    QTest::keyClicks(child<QLineEdit>(widget, "OutputLineEdit"), folder.filePath("results"));
    int code = -1;
    const auto connection =
      QObject::connect(widget, &qNPSNetBatchWidget::finished, [&code](int result) { code = result; });
    QTest::mouseClick(child<QPushButton>(widget, "RunButton"), Qt::LeftButton);
    check(widget->isRunning(), "the batch runs");
    waitUntil([&] { return !widget->isRunning(); }, 900000, "the batch ends: " + widget->statusText());
    QObject::disconnect(connection);
    check(code == 0 && widget->table()->rowCount() == 3, "every photo has its row: " + widget->statusText());
    int good = 0;
    for (int row = 0; row < 3; ++row)
    {
      good += widget->reportFileName(row).isEmpty() ? 0 : 1;
    }
    check(good == 2, "two have a report, the broken one has none");
    auto* table = child<QTableView>(widget, "ResultsTable");
    const auto clickRow = [table](const QString& name)
    {
      for (int row = 0; row < table->model()->rowCount(); ++row)
      {
        if (table->model()->index(row, 0).data().toString().contains(name))
        {
          clickAt(table->viewport(), table->visualRect(table->model()->index(row, 0)).center());
        }
      }
    };
    clickRow("broken");
    QTest::qWait(100);
    const int message = widget->table()->columnOf("message");
    check(table->columnViewportPosition(message) + table->columnWidth(message) <= table->viewport()->width(),
      QString("the column of messages is in sight: from %1, %2 wide, of %3 pixels")
        .arg(table->columnViewportPosition(message))
        .arg(table->columnWidth(message))
        .arg(table->viewport()->width()));
    auto* label = child<QLabel>(widget, "MessageLabel");
    check(label->isVisible() && label->text().contains("broken.jpg") &&
            label->heightForWidth(label->width()) <= label->height(),
      "the whole message of the broken one can be read: " + label->text());
    this->shot("SlicerBatch");
    clickRow("RET190OS");
    check(!label->isVisible(), "a good photo has no message");
    QTest::mouseClick(child<QPushButton>(widget, "LoadPhotoButton"), Qt::LeftButton);
    QTest::qWait(300);
    check(this->panelWidget()->results().Valid && this->panelWidget()->results().Name == "RET190OS",
      "Load photo brings photo and segments of the chosen row");
    check(this->Segmentation->GetDisplayVisibility() == 0, "the segments of the photo before are out of the way");
    vtkMRMLNPSNetParameterNode* loaded = this->panelWidget()->parameterNode();
    check(
      loaded != this->Parameters && loaded->GetSegmentationNode()->GetDisplayVisibility() == 1, "its own are shown");
    check(
      this->panelWidget()->logic()->GetMeasurementText(loaded, "flags").empty(), "and have no flag, as in the batch");
    this->clickTab("SegmentTab");
    this->Application->applicationLogic()->FitSliceToBackground();
    this->shot("SlicerBatchLoaded");
  }

  qMRMLNPSNetSegmentWidget* panelWidget() const
  {
    return child<qMRMLNPSNetSegmentWidget>(this->Module, "SegmentWidget");
  }
  Mask disc() const { return Mask(this->Segmentation, Logic::GetDiscSegmentID()); }
  Mask cup() const { return Mask(this->Segmentation, Logic::GetCupSegmentID()); }
  double vcdr() const { return this->panelWidget()->logic()->GetMeasurement(this->Parameters, "vcdr"); }
  QString state() const { return QString::fromStdString(Logic::GetResultState(this->Segmentation)); }

  void checkNested(const QString& when)
  {
    QTest::qWait(50);
    check(this->disc().contains(this->cup()), "the disc contains the cup " + when);
  }

  void clickTab(const char* name)
  {
    QTabBar* bar = this->Tabs->tabBar();
    clickAt(bar, bar->tabRect(this->Tabs->indexOf(child<QWidget>(this->Module, name))).center());
    check(this->Tabs->currentWidget()->objectName() == name, QString("%1 was clicked").arg(name));
  }

  void clickLiveBox(bool live)
  {
    auto* box = child<QCheckBox>(this->Effect, "LiveCheckBox");
    clickAt(box, QPoint(box->height() / 2, box->height() / 2));
    check(box->isChecked() == live, live ? "Live is on" : "Live is off");
  }

  /// Clicks the row of a segment in the editor's table.
  void clickSegment(const char* id)
  {
    const QString name = QString::fromUtf8(this->Segmentation->GetSegmentation()->GetSegment(id)->GetName());
    auto* table = child<QTableView>(this->Editor, "SegmentsTable");
    for (int row = 0; row < table->model()->rowCount(); ++row)
    {
      for (int column = 0; column < table->model()->columnCount(); ++column)
      {
        const QModelIndex index = table->model()->index(row, column);
        if (index.data().toString() == name)
        {
          clickAt(table->viewport(), table->visualRect(index).center());
        }
      }
    }
    check(
      QString::fromUtf8(this->Editor->mrmlSegmentEditorNode()->GetSelectedSegmentID()) == id, name + " is selected");
  }

  void clickEditor(const char* name)
  {
    auto* button = child<QToolButton>(this->Editor, name);
    check(button->isEnabled(), QString("%1 can be clicked").arg(name));
    QTest::mouseClick(button, Qt::LeftButton);
    QTest::qWait(50);
  }

  void selectEffect(const char* effect, const char* segment)
  {
    this->clickSegment(segment);
    QTest::mouseClick(child<QToolButton>(this->Editor, effect), Qt::LeftButton);
    check(this->Editor->activeEffect() && this->Editor->activeEffect()->name() == effect,
      QString("%1 is active").arg(effect));
    QTest::qWait(100);
  }

  qMRMLSliceView* redView() const
  {
    return const_cast<qMRMLSliceView*>(this->Application->layoutManager()->sliceWidget("Red")->sliceView());
  }

  /// Where a point of the world is in the red view.
  QPoint viewPoint(double world[3], QWidget*& view)
  {
    qMRMLSliceWidget* slice = this->Application->layoutManager()->sliceWidget("Red");
    view = this->redView()->VTKWidget();
    QPoint point;
    // Another effect gives panel and view another width, and the view its new scale, some turns of the event loop
    // later.
    for (int same = 0; same < 5; QTest::qWait(50))
    {
      const QPoint xy = qSlicerSegmentEditorAbstractEffect::rasToXy(world, slice);
      const double ratio = view->devicePixelRatioF();
      const QPoint now(qRound(xy.x() / ratio), view->height() - 1 - qRound(xy.y() / ratio));
      same = now == point ? same + 1 : 0;
      point = now;
    }
    check(view->rect().contains(point), "the point lies in the slice view");
    return point;
  }

  /// The disc as large as the red view.
  void showDisc()
  {
    this->Application->applicationLogic()->FitSliceToBackground();
    double world[3];
    this->cup().top(world, 60.0);
    vtkMRMLSliceNode* slice = this->Application->layoutManager()->sliceWidget("Red")->mrmlSliceNode();
    slice->JumpSliceByCentering(world[0], world[1], world[2]);
    const double* field = slice->GetFieldOfView();
    slice->SetFieldOfView(0.3 * field[0], 0.3 * field[1], field[2]);
  }

  /// Within three pixels of the screen.
  bool isNear(const double a[3], const double b[3])
  {
    const double* field = this->Application->layoutManager()->sliceWidget("Red")->mrmlSliceNode()->GetFieldOfView();
    const int* pixels = this->Application->layoutManager()->sliceWidget("Red")->mrmlSliceNode()->GetDimensions();
    const double distance = std::hypot(a[0] - b[0], a[1] - b[1]) * pixels[0] / field[0];
    std::cout << "distance on the screen: " << distance << " pixels" << std::endl;
    return distance <= 3.0;
  }

  void clickSlice(double world[3])
  {
    QWidget* view = nullptr;
    const QPoint point = this->viewPoint(world, view);
    QTest::mouseMove(view, point);
    QTest::qWait(50);
    QTest::mousePress(view, Qt::LeftButton, Qt::NoModifier, point);
    QTest::qWait(50);
    QTest::mouseRelease(view, Qt::LeftButton, Qt::NoModifier, point);
    QTest::qWait(100);
  }

  void dragSlice(double from[3], double to[3])
  {
    QWidget* view = nullptr;
    const QPoint start = this->viewPoint(from, view);
    const QPoint end = this->viewPoint(to, view);
    drag(view, start, end);
  }

  static void drag(QWidget* view, const QPoint& start, const QPoint& end)
  {
    QTest::mouseMove(view, start);
    QTest::qWait(100);
    QTest::mousePress(view, Qt::LeftButton, Qt::NoModifier, start);
    for (int step = 1; step <= 5; ++step)
    {
      const QPoint point = start + (end - start) * step / 5;
      QMouseEvent move(
        QEvent::MouseMove, point, view->mapToGlobal(point), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
      QApplication::sendEvent(view, &move);
      QTest::qWait(50);
    }
    QTest::mouseRelease(view, Qt::LeftButton, Qt::NoModifier, end);
    QTest::qWait(200);
  }

  void shot(const QString& name)
  {
    if (this->Shots.isEmpty())
    {
      return;
    }
    QDir().mkpath(this->Shots);
    QTest::qWait(600);
    this->Window->screen()->grabWindow(this->Window->winId()).save(QDir(this->Shots).filePath(name + ".png"));
  }

  qSlicerMainWindow* Window;
  qSlicerApplication* Application;
  QString Shots;
  qSlicerNPSNetSegmentationModuleWidget* Module{nullptr};
  QTabWidget* Tabs{nullptr};
  qMRMLSegmentEditorWidget* Editor{nullptr};
  qMRMLNPSNetSegmentWidget* Effect{nullptr};
  vtkMRMLNPSNetParameterNode* Parameters{nullptr};
  vtkMRMLSegmentationNode* Segmentation{nullptr};
};
} // namespace

int qSlicerNPSNetSegmentEditorTest(int argc, char* argv[])
{
  if (argc < 4)
  {
    std::cerr << "Usage: " << argv[0] << " photo module-folder editor|panel|scene" << std::endl;
    return EXIT_FAILURE;
  }
  const QString photo = QString::fromLocal8Bit(argv[1]);
  const std::string part = argv[3];
  return takeWalk(argv[0], argv[2],
    [&](qSlicerMainWindow* window)
    {
      Walk walk(window);
      part == "panel" ? walk.panel(photo) : part == "scene" ? walk.scene(photo) : walk.editor(photo);
    });
}
