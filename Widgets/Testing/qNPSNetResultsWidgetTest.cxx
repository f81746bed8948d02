// SPDX-License-Identifier: Apache-2.0
#include "qNPSNetResultsWidget.h"

#include <QAbstractButton>
#include <QLabel>
#include <QSignalSpy>
#include <QTableWidget>
#include <QtTest>

namespace
{
QString textOf(const QWidget& widget, const char* label)
{
  return widget.findChild<QLabel*>(label)->text();
}

qNPSNetResults example()
{
  qNPSNetResults results;
  results.Valid = true;
  results.Eye = "OS";
  results.State = "edited";
  results.VerticalCDR = 0.534;
  results.HorizontalCDR = 0.6;
  results.Quadrants << qNPSNetResults::Sector{"Inferior", 31.24, 0.21, 0.18}
                    << qNPSNetResults::Sector{"Superior", qNPSNetResults::Unknown, 0.2, 0.1};
  results.Flags << qNPSNetResults::Flag{"disc < crop", qNPSNetResults::Warning};
  return results;
}
} // namespace

class qNPSNetResultsWidgetTest : public QObject
{
  Q_OBJECT
private slots:
  void showsNothingWithoutAResult()
  {
    qNPSNetResultsWidget widget;
    QCOMPARE(textOf(widget, "VerticalCDRLabel"), QString::fromUtf8("vCDR –"));
    QCOMPARE(textOf(widget, "OtherRatiosLabel"), QString());
    for (QAbstractButton* button : widget.findChildren<QAbstractButton*>())
    {
      if (!qobject_cast<QTableWidget*>(button->parentWidget()))
      {
        QVERIFY2(!button->isEnabled(), qPrintable(button->objectName()));
      }
    }
  }

  void showsNumbersAndDashes()
  {
    qNPSNetResultsWidget widget;
    widget.setResults(example());
    QCOMPARE(textOf(widget, "VerticalCDRLabel"), QString("vCDR 0.53"));
    QCOMPARE(textOf(widget, "OtherRatiosLabel"), QString::fromUtf8("hCDR 0.60 · area – · left eye · edited"));
    auto* table = widget.findChild<QTableWidget*>("QuadrantTable");
    QCOMPARE(table->rowCount(), 2);
    QCOMPARE(table->horizontalHeaderItem(1)->text(), QString("Rim width (px)"));
    QCOMPARE(table->item(0, 1)->text(), QString("31.2"));
    QCOMPARE(table->item(1, 1)->text(), QString::fromUtf8("–"));
    QCOMPARE(table->item(0, 3)->text(), QString("0.180"));
  }

  void escapesFlagsAndMarksThemWithoutColour()
  {
    qNPSNetResultsWidget widget;
    widget.setResults(example());
    const QString flags = textOf(widget, "FlagsLabel");
    QVERIFY(flags.contains("disc &lt; crop"));
    QVERIFY(flags.contains(QString::fromUtf8("▲")));
    widget.setResults(qNPSNetResults());
    QVERIFY(widget.findChild<QLabel*>("FlagsLabel")->isHidden());
  }

  void offersTheWaysOn()
  {
    qNPSNetResultsWidget widget;
    widget.setResults(example());
    QSignalSpy table(&widget, &qNPSNetResultsWidget::showTableRequested);
    QSignalSpy plot(&widget, &qNPSNetResultsWidget::showPlotRequested);
    QSignalSpy report(&widget, &qNPSNetResultsWidget::openReportRequested);
    for (const char* name : {"ShowTableButton", "ShowPlotButton", "OpenReportButton"})
    {
      QTest::keyClick(widget.findChild<QWidget*>(name), Qt::Key_Space);
    }
    QCOMPARE(table.count() + plot.count() + report.count(), 3);
    widget.setReportAvailable(false);
    QVERIFY(widget.findChild<QWidget*>("OpenReportButton")->isHidden());
  }

  void compactHidesTheDetails()
  {
    qNPSNetResultsWidget widget;
    widget.setResults(example());
    widget.setCompact(true);
    QVERIFY(widget.isCompact());
    QVERIFY(widget.findChild<QWidget*>("DetailsFrame")->isHidden());
    QVERIFY(!widget.findChild<QWidget*>("ShowTableButton")->isHidden());
  }

  void explainsItselfAndSaysResearchUse()
  {
    qNPSNetResultsWidget widget;
    for (const char* name :
      {"VerticalCDRLabel", "QuadrantTable", "RimPlot", "ShowTableButton", "ShowPlotButton", "OpenReportButton"})
    {
      QVERIFY2(!widget.findChild<QWidget*>(name)->toolTip().isEmpty(), name);
    }
    QVERIFY(textOf(widget, "ResearchLabel").contains("research use"));
  }
};

QTEST_MAIN(qNPSNetResultsWidgetTest)
#include "qNPSNetResultsWidgetTest.moc"
