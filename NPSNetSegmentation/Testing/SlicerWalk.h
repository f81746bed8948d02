// SPDX-License-Identifier: Apache-2.0
#ifndef SlicerWalk_h
#define SlicerWalk_h

// What a walk through a running Slicer needs: clicks, keys, waits, masks, and Slicer itself.

#include "qMRMLNPSNetParametersWidget.h"
#include "qMRMLNPSNetSegmentWidget.h"
#include "qNPSNetBatchWidget.h"
#include "qNPSNetCsvTableModel.h"
#include "qSlicerNPSNetSegmentationModuleWidget.h"
#include "qSlicerSegmentEditorNPSNetEffect.h"
#include "vtkMRMLNPSNetParameterNode.h"
#include "vtkSlicerNPSNetSegmentationLogic.h"

#include <qMRMLNodeComboBox.h>
#include <qMRMLPlotWidget.h>
#include <qMRMLSegmentEditorWidget.h>
#include <qMRMLSliceView.h>
#include <qMRMLSliceWidget.h>
#include <qMRMLTableWidget.h>
#include <qSlicerApplication.h>
#include <qSlicerApplicationHelper.h>
#include <qSlicerLayoutManager.h>
#include <qSlicerMainWindow.h>
#include <qSlicerModuleManager.h>
#include <qSlicerModuleSelectorToolBar.h>
#include <qSlicerStyle.h>

#include <vtkMRMLCrosshairNode.h>
#include <vtkMRMLMarkupsClosedCurveNode.h>
#include <vtkMRMLMarkupsFiducialNode.h>
#include <vtkMRMLScene.h>
#include <vtkMRMLSegmentEditorNode.h>
#include <vtkMRMLSegmentationNode.h>
#include <vtkMRMLSelectionNode.h>
#include <vtkMRMLSliceNode.h>
#include <vtkMRMLTableNode.h>
#include <vtkMRMLVectorVolumeNode.h>
#include <vtkOrientedImageData.h>
#include <vtkSegment.h>
#include <vtkSegmentation.h>
#include <vtkSlicerApplicationLogic.h>

#include <vtkImageData.h>
#include <vtkMatrix4x4.h>
#include <vtkNew.h>
#include <vtkTable.h>

#include <QAbstractItemView>
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDesktopServices>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMouseEvent>
#include <QPointer>
#include <QPushButton>
#include <QScreen>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <QTimer>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace walk
{
using Logic = vtkSlicerNPSNetSegmentationLogic;

inline void check(bool good, const QString& what)
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

inline void waitUntil(const std::function<bool()>& done, int milliseconds, const QString& what)
{
  check(QTest::qWaitFor(done, milliseconds), what);
}

inline void clickAt(QWidget* widget, const QPoint& point)
{
  QTest::mouseMove(widget, point);
  QTest::mouseClick(widget, Qt::LeftButton, Qt::NoModifier, point);
}

/// Runs as soon as a window that blocks its opener (menu, dialog) is there.
template <typename T> void whenShown(const std::function<T*()>& find, const std::function<void(T*)>& f)
{
  QTimer::singleShot(100, qApp,
    [find, f]
    {
      T* window = find();
      window && window->isVisible() ? f(window) : whenShown<T>(find, f);
    });
}

/// Closes a dialog or menu that stays open: the step that opened it would stand still, and so fails.
class OpenWindowLimit
{
public:
  OpenWindowLimit()
  {
    QObject::connect(&this->Timer, &QTimer::timeout, [this] { this->look(); });
    this->Timer.start(1000);
  }
  /// What had to be closed.
  QString closed() const { return this->Closed; }

private:
  void look()
  {
    QWidget* popup = QApplication::activePopupWidget();
    QWidget* window = popup ? popup : QApplication::activeModalWidget();
    if (window != this->Window)
    {
      this->Window = window;
      this->Open.start();
    }
    else if (window && this->Open.hasExpired(this->Closed.isEmpty() ? LimitMilliseconds : 0))
    {
      this->Closed += QString("%1 \"%2\" stayed open. ").arg(window->metaObject()->className(), window->windowTitle());
      std::cerr << "FAILED: " << this->Closed.toStdString() << std::endl;
      this->Open.start();
      window->close();
    }
  }
  static constexpr int LimitMilliseconds = 30000;
  QTimer Timer;
  QPointer<QWidget> Window;
  QElapsedTimer Open;
  QString Closed;
};

/// Clicks a button that opens a menu, then the entries of menu and submenus that have these texts.
inline void clickMenu(QWidget* button, QStringList path)
{
  const std::function<QMenu*()> popup = [] { return qobject_cast<QMenu*>(QApplication::activePopupWidget()); };
  auto clicked = std::make_shared<std::function<void(QMenu*)>>();
  auto missing = std::make_shared<QString>();
  *clicked = [path, popup, missing, next = std::weak_ptr<std::function<void(QMenu*)>>(clicked)](QMenu* menu) mutable
  {
    const QString wanted = path.takeFirst();
    for (QAction* action : menu->actions())
    {
      const QString text = action->text().remove('&');
      if (text == wanted || text.startsWith(wanted + " ("))
      {
        if (!path.isEmpty())
        {
          whenShown<QMenu>(
            [popup, menu] { return popup() != menu ? popup() : nullptr; }, [next](QMenu* sub) { (*next.lock())(sub); });
        }
        clickAt(menu, menu->actionGeometry(action).center());
        return;
      }
    }
    *missing = wanted;
    menu->close();
  };
  whenShown<QMenu>(popup, [clicked](QMenu* menu) { (*clicked)(menu); });
  QTest::mouseClick(button, Qt::LeftButton);
  waitUntil([&] { return QApplication::activePopupWidget() == nullptr; }, 30000, "the menu closes");
  QTest::qWait(200);
  check(missing->isEmpty(), "the menu has all entries " + *missing);
}

/// Opens the list of a combo box and clicks the entry with this data.
inline void choose(QComboBox* box, const QVariant& data)
{
  const int index = box->findData(data);
  check(index >= 0 && box->isEnabled(), box->objectName() + " has the choice");
  QTest::mouseClick(box, Qt::LeftButton);
  QTest::qWait(QApplication::doubleClickInterval() + 100); // the list ignores the release of the click that opened it
  QAbstractItemView* list = box->view();
  clickAt(list->viewport(), list->visualRect(box->model()->index(index, box->modelColumn())).center());
  waitUntil([&] { return box->currentData() == data && !list->isVisible(); }, 5000, box->objectName() + " was clicked");
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

/// How the next run of a widget ends.
struct Outcome
{
  explicit Outcome(qMRMLNPSNetSegmentWidget* widget)
  {
    this->Connection = QObject::connect(widget, &qMRMLNPSNetSegmentWidget::runFinished,
      [this](bool good)
      {
        this->Finished = true;
        this->Good = good;
      });
  }
  ~Outcome() { QObject::disconnect(this->Connection); }
  bool Finished{false};
  bool Good{false};
  QMetaObject::Connection Connection;
};

constexpr double ClickMilliseconds = 50.0;

/// Longest time between two turns of the event loop, by the clock and in this thread's processor time: on a busy
/// computer only the latter says what our code did.
class Heart
{
public:
  Heart()
  {
    this->Timer.setInterval(5);
    QObject::connect(&this->Timer, &QTimer::timeout, [this] { this->beat(); });
    this->go();
  }
  void go()
  {
    this->Clock.start();
    this->Processor = processorTime();
    this->Timer.start();
  }
  void pause() { this->Timer.stop(); }
  void beat()
  {
    this->Longest = std::max(this->Longest, this->Clock.restart());
    const double now = processorTime();
    this->Busiest = std::max(this->Busiest, now - this->Processor);
    this->Processor = now;
  }
  /// What the user's thread computed meanwhile, in milliseconds.
  double tell(const char* what)
  {
    const double busiest = this->Busiest;
    std::cout << "longest standstill, " << what << ": " << this->Longest << " ms, of these computing " << this->Busiest
              << " ms" << std::endl;
    this->Longest = 0;
    this->Busiest = 0.0;
    return busiest;
  }

private:
  static double processorTime()
  {
#ifdef CLOCK_THREAD_CPUTIME_ID
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1e3 * double(time.tv_sec) + 1e-6 * double(time.tv_nsec);
#else
    return 0.0;
#endif
  }
  QTimer Timer;
  QElapsedTimer Clock;
  double Processor{0.0};
  qint64 Longest{0};
  double Busiest{0.0};
};

/// Starts Slicer with our module and takes a walk through its window; 0 when all went well.
inline int takeWalk(const char* program, const char* moduleFolder, const std::function<void(qSlicerMainWindow*)>& walk)
{
  std::vector<std::string> arguments = {program, "--no-splash", "--testing", "--additional-module-paths", moduleFolder};
  std::vector<char*> pointers;
  for (std::string& argument : arguments)
  {
    pointers.push_back(&argument[0]);
  }
  pointers.push_back(nullptr);
  int count = int(arguments.size());

  QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
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
  const OpenWindowLimit limit;
  try
  {
    walk(window.data());
    check(limit.closed().isEmpty(), "no window stayed open " + limit.closed());
  }
  catch (const std::exception& error)
  {
    std::cerr << "FAILED: " << error.what() << std::endl;
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
} // namespace walk

#endif
