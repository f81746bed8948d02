// SPDX-License-Identifier: Apache-2.0
#include "qNPSNetRimPlotWidget.h"

#include <QSignalSpy>
#include <QtTest>

namespace
{
qNPSNetResults circle(double disc, double cup)
{
  qNPSNetResults results;
  results.Valid = true;
  results.DiscRadius = QVector<double>(360, disc);
  results.CupRadius = QVector<double>(360, cup);
  results.RimWidth = QVector<double>(360, disc - cup);
  return results;
}

/// Rows in which a colour near the given one is seen in a column of the picture.
QVector<int> rowsOf(const QImage& image, int x, const QColor& color)
{
  QVector<int> rows;
  for (int y = 0; y < image.height(); ++y)
  {
    const QColor pixel = image.pixelColor(x, y);
    if (abs(pixel.red() - color.red()) + abs(pixel.green() - color.green()) + abs(pixel.blue() - color.blue()) < 60)
    {
      rows << y;
    }
  }
  return rows;
}
} // namespace

class qNPSNetRimPlotWidgetTest : public QObject
{
  Q_OBJECT
private slots:
  void namesDirectionsByTheEye()
  {
    using Plot = qNPSNetRimPlotWidget;
    QCOMPARE(Plot::directionName(90, "OD"), QString("inferior"));
    QCOMPARE(Plot::directionName(270, "OS"), QString("superior"));
    QCOMPARE(Plot::directionName(180, "OD"), QString("temporal"));
    QCOMPARE(Plot::directionName(180, "OS"), QString("nasal"));
    QCOMPARE(Plot::directionName(0, "OS"), QString("temporal"));
    QCOMPARE(Plot::directionName(0, ""), QString("right"));
    QCOMPARE(Plot::directionName(359, "OD"), QString("nasal"));
  }

  void readsOutTheCursor()
  {
    qNPSNetRimPlotWidget plot;
    QCOMPARE(plot.readout(0), QString());
    qNPSNetResults results = circle(80.0, 30.0);
    results.Eye = "OD";
    results.CupRadius[90] = qNPSNetResults::Unknown;
    plot.setResults(results);
    QCOMPARE(plot.readout(180), QString("temporal, 9 o'clock: rim 50.0 px, disc 80.0, cup 30.0"));
    QVERIFY(plot.readout(90).endsWith(QString::fromUtf8("cup –")));
    QCOMPARE(plot.readout(360), QString());
  }

  void drawsTheRimWhereItIs()
  {
    qNPSNetRimPlotWidget plot;
    plot.resize(400, 240);
    qNPSNetResults results = circle(80.0, 30.0);
    for (int angle = 180; angle < 360; ++angle)
    {
      results.RimWidth[angle] = 20.0;
    }
    plot.setResults(results);
    const QImage image = plot.grab().toImage();
    const QColor rim(0x00, 0x9E, 0x73);
    const QVector<int> left = rowsOf(image, 120, rim);
    const QVector<int> right = rowsOf(image, 350, rim);
    QVERIFY(!left.isEmpty());
    QVERIFY(!right.isEmpty());
    QVERIFY2(right.last() > left.last() + 20, "the thinner rim lies lower");
  }

  void goesFromTemporalOverSuperiorForBothEyes()
  {
    QCOMPARE(qNPSNetRimPlotWidget::clockHour(270), 12);
    QCOMPARE(qNPSNetRimPlotWidget::clockHour(0), 3);
    QCOMPARE(qNPSNetRimPlotWidget::clockHour(90), 6);
    QCOMPARE(qNPSNetRimPlotWidget::clockHour(180), 9);
    const QColor rim(0x00, 0x9E, 0x73);
    for (const QString& eye : {QString("OD"), QString("OS")})
    {
      qNPSNetRimPlotWidget plot;
      plot.resize(400, 240);
      qNPSNetResults results = circle(80.0, 30.0);
      results.Eye = eye;
      for (int angle = 225; angle < 315; ++angle)
      {
        results.RimWidth[angle] = 20.0; // thin above
      }
      plot.setResults(results);
      QTest::keyClick(&plot, Qt::Key_Right, Qt::ControlModifier);
      QVERIFY2(plot.readout(plot.cursorAngle()).startsWith("temporal"), "the axis starts temporal");
      for (int step = 0; step < 8; ++step)
      {
        QTest::keyClick(&plot, Qt::Key_Right, Qt::ControlModifier);
      }
      QCOMPARE(plot.cursorAngle(), 270);
      plot.setCursorAngle(-1);
      const QImage image = plot.grab().toImage();
      const QVector<int> superior = rowsOf(image, 125, rim); // a quarter of the axis
      const QVector<int> nasal = rowsOf(image, 215, rim);
      QVERIFY(!superior.isEmpty() && !nasal.isEmpty());
      QVERIFY2(superior.last() > nasal.last() + 20, qPrintable(eye));
    }
  }

  void movesByKeyboardAndMouse()
  {
    qNPSNetRimPlotWidget plot;
    plot.resize(400, 240);
    QVERIFY(plot.focusPolicy() & Qt::TabFocus);
    QSignalSpy moved(&plot, &qNPSNetRimPlotWidget::cursorAngleChanged);
    QTest::keyClick(&plot, Qt::Key_Right);
    QCOMPARE(plot.cursorAngle(), -1); // nothing to read yet
    plot.setResults(circle(80.0, 30.0));
    QTest::keyClick(&plot, Qt::Key_Left);
    QCOMPARE(plot.cursorAngle(), 359);
    QTest::keyClick(&plot, Qt::Key_Right, Qt::ControlModifier);
    QCOMPARE(plot.cursorAngle(), 9);
    QCOMPARE(moved.count(), 2);
    QCOMPARE(plot.accessibleDescription(), plot.readout(9));
    plot.setResults(qNPSNetResults());
    QCOMPARE(plot.cursorAngle(), -1);
  }

  void survivesTinySizesAndNoData()
  {
    qNPSNetRimPlotWidget plot;
    plot.resize(1, 1);
    plot.grab();
    qNPSNetResults results;
    results.RimWidth = QVector<double>(360, qNPSNetResults::Unknown);
    plot.setResults(results);
    plot.resize(300, 200);
    plot.grab();
  }
};

QTEST_MAIN(qNPSNetRimPlotWidgetTest)
#include "qNPSNetRimPlotWidgetTest.moc"
