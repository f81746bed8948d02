// The whole way of a reader, in a running Slicer and through the widgets a reader uses:
// load photo -> Segment Editor -> NPS-Net -> Apply -> undo -> redo -> paint -> erase -> click -> table and plot follow.
//
// Arguments: photo, folder of our loadable module.
// Environment: NPSNET_SCREENSHOT_DIR keeps a picture of every step; NPSNET_TEST_MODEL takes other weights.

#include "qMRMLNPSNetParametersWidget.h"
#include "qMRMLNPSNetSegmentWidget.h"
#include "qSlicerNPSNetSegmentationModuleWidget.h"
#include "qSlicerSegmentEditorNPSNetEffect.h"
#include "vtkMRMLNPSNetParameterNode.h"
#include "vtkSlicerNPSNetSegmentationLogic.h"

#include <qMRMLSegmentEditorWidget.h>
#include <qMRMLSliceView.h>
#include <qMRMLSliceWidget.h>
#include <qSlicerApplication.h>
#include <qSlicerApplicationHelper.h>
#include <qSlicerLayoutManager.h>
#include <qSlicerMainWindow.h>
#include <qSlicerModuleManager.h>
#include <qSlicerModuleSelectorToolBar.h>
#include <qSlicerStyle.h>

#include <vtkMRMLMarkupsFiducialNode.h>
#include <vtkMRMLScene.h>
#include <vtkMRMLSegmentEditorNode.h>
#include <vtkMRMLSegmentationNode.h>
#include <vtkMRMLTableNode.h>
#include <vtkMRMLVectorVolumeNode.h>
#include <vtkOrientedImageData.h>
#include <vtkSegmentation.h>
#include <vtkSlicerApplicationLogic.h>

#include <vtkImageData.h>
#include <vtkMatrix4x4.h>
#include <vtkNew.h>
#include <vtkTable.h>

#include <QAction>
#include <QComboBox>
#include <QDir>
#include <QElapsedTimer>
#include <QPushButton>
#include <QScreen>
#include <QTabWidget>
#include <QTest>
#include <QTimer>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace
{
using Logic = vtkSlicerNPSNetSegmentationLogic;

void check(bool good, const QString& what)
{
  if (!good)
  {
    throw std::runtime_error(what.toStdString());
  }
  std::cout << "ok: " << what.toStdString() << std::endl;
}

template <typename T> T* child(QWidget* parent, const char* name)
{
  T* widget = parent->findChild<T*>(name);
  if (!widget)
  {
    throw std::runtime_error(std::string("no widget ") + name);
  }
  return widget;
}

void waitUntil(const std::function<bool()>& done, int milliseconds, const QString& what)
{
  check(QTest::qWaitFor(done, milliseconds), what);
}

/// Pixels of a segment; the other one to be contained in it, if given.
struct Mask
{
  Mask(vtkMRMLSegmentationNode* segmentation, const char* id)
  {
    if (segmentation->GetSegmentation()->GetSegment(id))
    {
      segmentation->GetBinaryLabelmapRepresentation(id, this->Image);
    }
  }
  bool at(int i, int j) const
  {
    int extent[6];
    this->Image->GetExtent(extent);
    return i >= extent[0] && i <= extent[1] && j >= extent[2] && j <= extent[3] && extent[4] <= extent[5] &&
           this->Image->GetScalarComponentAsDouble(i, j, extent[4], 0) != 0.0;
  }
  template <typename F> void forEach(F f) const
  {
    int extent[6];
    this->Image->GetExtent(extent);
    for (int j = extent[2]; j <= extent[3]; ++j)
    {
      for (int i = extent[0]; i <= extent[1]; ++i)
      {
        if (this->at(i, j))
        {
          f(i, j);
        }
      }
    }
  }
  long count() const
  {
    long n = 0;
    this->forEach([&](int, int) { ++n; });
    return n;
  }
  bool contains(const Mask& other) const
  {
    bool inside = true;
    other.forEach([&](int i, int j) { inside = inside && this->at(i, j); });
    return inside;
  }
  /// World position of the topmost pixel, moved by some pixels.
  void top(double world[3], double dy) const
  {
    int best[2] = {0, 1 << 30};
    this->forEach(
      [&](int i, int j)
      {
        if (j < best[1])
        {
          best[0] = i;
          best[1] = j;
        }
      });
    int extent[6];
    this->Image->GetExtent(extent);
    const double ijk[4] = {double(best[0]), best[1] + dy, double(extent[4]), 1.0};
    vtkNew<vtkMatrix4x4> toWorld;
    this->Image->GetImageToWorldMatrix(toWorld);
    double point[4];
    toWorld->MultiplyPoint(ijk, point);
    std::copy(point, point + 3, world);
  }
  vtkNew<vtkOrientedImageData> Image;
};

class Walk
{
public:
  explicit Walk(qSlicerMainWindow* window)
      : Window(window)
      , Application(qSlicerApplication::application())
      , Shots(qEnvironmentVariable("NPSNET_SCREENSHOT_DIR"))
  {
  }

  void run(const QString& photo)
  {
    this->openModule();
    this->loadPhoto(photo);
    this->openEditor();
    this->apply();
    this->undoRedo();
    this->paintCup();
    this->eraseDisc();
    this->clickLive();
    this->tableAndPlot();
    this->panel();
  }

private:
  void openModule()
  {
    this->Window->resize(1500, 950);
    this->Window->show();
    this->Window->moduleSelector()->selectModule("NPSNetSegmentation");
    this->Module = dynamic_cast<qSlicerNPSNetSegmentationModuleWidget*>(
      this->Application->moduleManager()->module("NPSNetSegmentation")->widgetRepresentation());
    check(this->Module, "the module has a panel");
    check(this->Module->isVisible(), "the panel is shown");
    this->Tabs = child<QTabWidget>(this->Module, "Tabs");
  }

  void loadPhoto(const QString& photo)
  {
    check(this->Module->loadPhoto(photo), "the photo loads");
    this->Parameters = this->panelWidget()->parameterNode();
    check(this->Parameters, "the panel has parameters");
    auto* volume = vtkMRMLVectorVolumeNode::SafeDownCast(this->Parameters->GetInputVolumeNode());
    check(volume && volume->GetImageData()->GetNumberOfScalarComponents() == 3, "it is a colour photo");
    this->Parameters->SetModelFileName(qEnvironmentVariable("NPSNET_TEST_MODEL").toStdString());
    this->shot("SlicerPhoto");
  }

  void openEditor()
  {
    this->Tabs->setCurrentWidget(child<QWidget>(this->Module, "EditTab"));
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

  /// Clicks Apply and waits; the longest time in which the event loop stood still while the run computed is reported.
  void clickApply()
  {
    QElapsedTimer beat;
    qint64 longest = 0;
    QTimer heart;
    heart.setInterval(5);
    QObject::connect(&heart, &QTimer::timeout,
      [&]
      {
        longest = std::max(longest, beat.isValid() ? beat.elapsed() : 0);
        beat.start();
      });
    bool finished = false;
    bool good = false;
    const auto connection = QObject::connect(this->Effect, &qMRMLNPSNetSegmentWidget::runFinished,
      [&](bool result)
      {
        finished = true;
        good = result;
      });
    auto* button = child<QPushButton>(this->Effect, "ApplyButton");
    check(button->isEnabled(), "Apply can be clicked");
    heart.start();
    QTest::mouseClick(button, Qt::LeftButton);
    check(this->Effect->isRunning(), "the click returns while the run goes on");
    bool pictured = false;
    QTest::qWaitFor(
      [&]
      {
        if (!pictured && this->Parameters->GetProgress() > 0.3 && this->Effect->isRunning())
        {
          pictured = true;
          heart.stop();
          this->shot("SlicerProgress");
          beat.invalidate();
          heart.start();
        }
        return finished;
      },
      300000);
    QObject::disconnect(connection);
    check(finished && good, "the run ends well: " + this->Effect->statusText());
    std::cout << "longest standstill of the window: " << longest << " ms" << std::endl;
  }

  void apply()
  {
    this->clickApply();
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
    this->clickEditor("RedoButton");
    check(this->disc().count() == disc && this->cup().count() == cup, "redo brings the same pixels");
    this->checkNested("after redo");
    check(std::abs(this->vcdr() - ratio) < 1e-9, "and the same table");
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
    auto* center = child<QComboBox>(this->Effect, "CenterComboBox");
    center->setCurrentIndex(center->findData(int(qMRMLNPSNetParametersWidget::CenterClick)));
    this->Effect->setLive(true);
    bool finished = false;
    bool good = false;
    const auto connection = QObject::connect(this->Effect, &qMRMLNPSNetSegmentWidget::runFinished,
      [&](bool result)
      {
        finished = true;
        good = result;
      });
    this->clickSlice(world);
    vtkMRMLMarkupsFiducialNode* anchor = this->Parameters->GetAnchorNode();
    check(anchor && anchor->GetNumberOfControlPoints() == 1, "a click places the centre");
    double placed[3];
    anchor->GetNthControlPointPositionWorld(0, placed);
    check(std::hypot(placed[0] - world[0], placed[1] - world[1]) < 5.0, "where it was clicked");
    waitUntil([&] { return finished; }, 300000, "live: the click starts a run that ends");
    QObject::disconnect(connection);
    check(good, "and ends well: " + this->Effect->statusText());
    this->checkNested("after the live run");
    this->shot("SlicerClick");
    this->Effect->setLive(false);
  }

  void tableAndPlot()
  {
    QTest::mouseClick(child<QPushButton>(this->Effect, "ShowPlotButton"), Qt::LeftButton);
    QTest::mouseClick(child<QPushButton>(this->Effect, "ShowTableButton"), Qt::LeftButton);
    QTest::qWait(300);
    qSlicerLayoutManager* layout = this->Application->layoutManager();
    check(layout->tableViewCount() > 0 && layout->plotViewCount() > 0, "table and plot are in the layout");
    this->Application->applicationLogic()->FitSliceToBackground();
    this->shot("SlicerTablePlot");
  }

  void panel()
  {
    this->Tabs->setCurrentIndex(0);
    QTest::qWait(100);
    check(this->panelWidget()->results().Valid, "the panel shows the same results");
    this->shot("SlicerPanel");
    this->Tabs->setCurrentWidget(child<QWidget>(this->Module, "BatchTab"));
    this->shot("SlicerBatch");
  }

  qMRMLNPSNetSegmentWidget* panelWidget() { return child<qMRMLNPSNetSegmentWidget>(this->Module, "SegmentWidget"); }
  Mask disc() const { return Mask(this->Segmentation, Logic::GetDiscSegmentID()); }
  Mask cup() const { return Mask(this->Segmentation, Logic::GetCupSegmentID()); }
  double vcdr() const { return this->Effect->logic()->GetMeasurement(this->Parameters, "vcdr"); }
  QString state() const { return QString::fromStdString(Logic::GetResultState(this->Segmentation)); }

  void checkNested(const QString& when)
  {
    QTest::qWait(50);
    check(this->disc().contains(this->cup()), "the disc contains the cup " + when);
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
    this->Editor->mrmlSegmentEditorNode()->SetSelectedSegmentID(segment);
    QTest::mouseClick(child<QToolButton>(this->Editor, effect), Qt::LeftButton);
    check(this->Editor->activeEffect() && this->Editor->activeEffect()->name() == effect,
      QString("%1 is active").arg(effect));
    QTest::qWait(100);
  }

  void clickSlice(double world[3])
  {
    qMRMLSliceWidget* slice = this->Application->layoutManager()->sliceWidget("Red");
    QWidget* view = const_cast<qMRMLSliceView*>(slice->sliceView())->VTKWidget();
    const QPoint xy = qSlicerSegmentEditorAbstractEffect::rasToXy(world, slice);
    const double ratio = view->devicePixelRatioF();
    const QPoint point(qRound(xy.x() / ratio), view->height() - 1 - qRound(xy.y() / ratio));
    check(view->rect().contains(point), "the click lies in the slice view");
    QTest::mouseMove(view, point);
    QTest::qWait(50);
    QTest::mousePress(view, Qt::LeftButton, Qt::NoModifier, point);
    QTest::qWait(50);
    QTest::mouseRelease(view, Qt::LeftButton, Qt::NoModifier, point);
    QTest::qWait(100);
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
  if (argc < 3)
  {
    std::cerr << "Usage: " << argv[0] << " photo module-folder" << std::endl;
    return EXIT_FAILURE;
  }
  const QString photo = QString::fromLocal8Bit(argv[1]);
  std::vector<std::string> arguments = {
    argv[0], "--no-splash", "--testing", "--additional-module-paths", argv[2]};
  std::vector<char*> pointers;
  for (std::string& argument : arguments)
  {
    pointers.push_back(&argument[0]);
  }
  pointers.push_back(nullptr);
  int count = int(arguments.size());

  qSlicerApplicationHelper::preInitializeApplication(pointers[0], new qSlicerStyle);
  qSlicerApplication application(count, pointers.data());
  if (application.returnCode() != -1)
  {
    return application.returnCode();
  }
  QScopedPointer<QSplashScreen> splash;
  QScopedPointer<qSlicerMainWindow> window;
  if (qSlicerApplicationHelper::postInitializeApplication<qSlicerMainWindow>(application, splash, window) != 0 ||
      !window)
  {
    std::cerr << "Slicer did not start" << std::endl;
    return EXIT_FAILURE;
  }
  try
  {
    Walk(window.data()).run(photo);
  }
  catch (const std::exception& error)
  {
    std::cerr << "FAILED: " << error.what() << std::endl;
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
