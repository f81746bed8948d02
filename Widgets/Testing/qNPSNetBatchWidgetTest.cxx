// SPDX-License-Identifier: Apache-2.0
#include "qNPSNetBatchWidget.h"
#include "qNPSNetCsvTableModel.h"

#include <QDir>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QtTest>

// The process handling is tested with small shell scripts in place of NPSNetBatch; the real program runs in the tests
// of its own and in the test of the whole application.
class qNPSNetBatchWidgetTest : public QObject
{
  Q_OBJECT

  QTemporaryDir Folder;

  QString script(const QString& name, const QByteArray& body)
  {
    const QString fileName = this->Folder.filePath(name);
    QFile file(fileName);
    if (!file.open(QIODevice::WriteOnly))
    {
      return QString();
    }
    file.write("#!/bin/sh\n" + body);
    file.close();
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    return fileName;
  }

private slots:
  void readsProgressTags()
  {
    QCOMPARE(qNPSNetBatchWidget::progressFromText(
               "<filter-progress>0.25</filter-progress>\n<filter-progress>0.5</filter-progress>"),
      0.5);
    QVERIFY(qNPSNetBatchWidget::progressFromText("12 of 30 photos") < 0.0);
    QVERIFY(qNPSNetBatchWidget::progressFromText("<filter-progress>often</filter-progress>") < 0.0);
  }

  void saysWhyItCannotStart()
  {
    qNPSNetBatchWidget widget;
    QVERIFY(!widget.findChild<QPushButton*>("RunButton")->isEnabled());
    widget.setInput(this->Folder.path());
    widget.setOutputFolder(this->Folder.filePath("out"));
    QVERIFY(widget.findChild<QPushButton*>("RunButton")->isEnabled());
    widget.setExecutable(this->Folder.filePath("missing"));
    QVERIFY(!widget.start());
    QVERIFY(widget.statusText().contains("missing"));
    widget.setExecutable("/bin/sh");
    widget.setInput(this->Folder.filePath("no-such-folder"));
    QVERIFY(!widget.start());
    QVERIFY(widget.statusText().contains("no-such-folder"));
  }

  void runsAndShowsTheTable()
  {
    qNPSNetBatchWidget widget;
    widget.setExecutable(this->script("good",
      "out=$2; shift 2; mkdir -p \"$out/right\"; echo \"$1 $2\" > \"$out/jobs.txt\"\n"
      "while [ ! -e \"$out/go\" ]; do sleep 0.05; done\n"
      "echo '<filter-progress>0.5</filter-progress>'\n"
      "printf 'name,status,vcdr\\r\\nright/a.jpg,ok,0.5\\r\\nb.jpg,not_found,\\r\\n' > \"$out/results.csv\"\n"
      "touch \"$out/right/a_report.html\"\n"
      "for last; do :; done; echo \"$last\" > \"$out/input.txt\"\n"));
    widget.setInput(this->Folder.path());
    widget.setOutputFolder(this->Folder.filePath("good out"));
    widget.setSettings({"--tta", "off"}, "augmentation off");
    QVERIFY(widget.findChild<QLabel*>("SettingsLabel")->text().contains("augmentation off"));
    QSignalSpy finished(&widget, &qNPSNetBatchWidget::finished);
    QVERIFY(widget.start());
    QVERIFY2(widget.isRunning(), "the GUI thread must not wait for the end");
    QVERIFY(!widget.start()); // once is enough
    QFile go(this->Folder.filePath("good out/go"));
    QVERIFY(go.open(QIODevice::WriteOnly));
    QVERIFY(finished.wait(60000));
    QCOMPARE(finished[0][0].toInt(), 0);
    QCOMPARE(widget.table()->rowCount(), 2);
    QVERIFY(widget.statusText().contains("2 photos in the table, one of them needs a look"));
    QVERIFY(QFileInfo::exists(widget.reportFileName(0)));
    QCOMPARE(widget.reportFileName(1), QString());
    QFile given(this->Folder.filePath("good out/input.txt"));
    QVERIFY(given.open(QIODevice::ReadOnly));
    QCOMPARE(QString::fromUtf8(given.readAll()).trimmed(), this->Folder.path());

    QFile jobs(this->Folder.filePath("good out/jobs.txt"));
    QVERIFY(jobs.open(QIODevice::ReadOnly));
    QCOMPARE(QString::fromUtf8(jobs.readAll()).trimmed(), QString("--jobs 0")); // the program's own default

    QSignalSpy report(&widget, &qNPSNetBatchWidget::openReportRequested);
    QSignalSpy load(&widget, &qNPSNetBatchWidget::loadPhotoRequested);
    auto* button = widget.findChild<QPushButton*>("OpenReportButton");
    QVERIFY(!button->isEnabled());
    widget.findChild<QTableView*>("ResultsTable")->selectRow(0);
    QVERIFY(button->isEnabled());
    button->click();
    QCOMPARE(report.count(), 1);
    widget.findChild<QPushButton*>("LoadPhotoButton")->click();
    QCOMPARE(load[0][0].toString(), this->Folder.filePath("right/a.jpg"));
    QCOMPARE(load[0][1].toString(), QString()); // no labels were written
  }

  void showsTheMessageInANarrowPanel()
  {
    const QString message = "/a/long/way/to/the/photos/of/a/clinic/broken.jpg is not a photo: it may be damaged.";
    QDir(this->Folder.path()).mkdir("narrow");
    QFile csv(this->Folder.filePath("narrow/results.csv"));
    QVERIFY(csv.open(QIODevice::WriteOnly));
    csv.write("name,status,message,eye,vcdr,hcdr\na-long-name-of-a-photo-RET042OS.jpg,ok,,OS,0.488,0.512\nbroken.jpg,"
              "unreadable,\"" +
              message.toUtf8() + "\",,,\n");
    csv.close();
    qNPSNetBatchWidget widget;
    widget.resize(420, 700);
    widget.show();
    widget.setOutputFolder(this->Folder.filePath("narrow"));
    auto* table = widget.findChild<QTableView*>("ResultsTable");
    auto* label = widget.findChild<QLabel*>("MessageLabel");
    const int column = widget.table()->columnOf("message");
    for (const int width : {420, 520})
    {
      widget.resize(width, 700);
      QVERIFY(table->columnWidth(column) >= 120);
      QVERIFY(table->columnViewportPosition(column) + table->columnWidth(column) <= table->viewport()->width());
    }
    table->selectRow(0);
    QVERIFY(!label->isVisible());
    table->selectRow(1);
    QVERIFY(label->isVisible());
    QCOMPARE(label->text(), message);
    QCOMPARE(table->model()->index(1, column).data(Qt::ToolTipRole).toString(), message);
    QVERIFY(widget.minimumSizeHint().width() <= 420);
  }

  void passesTheErrorOn()
  {
    qNPSNetBatchWidget widget;
    widget.setExecutable(
      this->script("bad", "echo 'working' >&2; echo 'npsnet: disk full, free some space' >&2; exit 4\n"));
    widget.setInput(this->Folder.path());
    widget.setOutputFolder(this->Folder.filePath("bad-out"));
    QSignalSpy finished(&widget, &qNPSNetBatchWidget::finished);
    QVERIFY(widget.start());
    QVERIFY(finished.wait(60000));
    QCOMPARE(finished[0][0].toInt(), 4);
    QVERIFY(widget.statusText().contains("disk full"));
    QVERIFY(widget.findChild<QPushButton*>("RunButton")->isEnabled());
  }

  void fillsTheTableWhileItRunsAndCancels()
  {
    const QString out = this->Folder.filePath("slow-out");
    qNPSNetBatchWidget widget;
    widget.setExecutable(this->script("slow", QString(R"(mkdir -p '%1/.npsnet-batch'
cat > '%1/.npsnet-batch/journal.jsonl' <<'END'
{"npsnet_batch":1,"columns":["name","status","vcdr"]}
{"name":"a.jpg","stamp":"","cells":["a.jpg","ok","0.5"]}
END
trap 'exit 3' TERM; while :; do sleep 0.05; done
)")
                                                .arg(out)
                                                .toUtf8()));
    widget.setInput(this->Folder.path());
    widget.setOutputFolder(out);
    QSignalSpy finished(&widget, &qNPSNetBatchWidget::finished);
    QVERIFY(widget.start());
    QTRY_COMPARE_WITH_TIMEOUT(widget.findChild<QTableView*>("ResultsTable")->model()->rowCount(), 1, 60000);
    QVERIFY(widget.isRunning());
    widget.findChild<QPushButton*>("CancelButton")->click();
    QVERIFY(finished.wait(60000));
    QVERIFY(!widget.isRunning());
    QVERIFY(widget.statusText().startsWith("Stopped. One photo in the table"));
  }
};

QTEST_MAIN(qNPSNetBatchWidgetTest)
#include "qNPSNetBatchWidgetTest.moc"
