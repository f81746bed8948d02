// SPDX-License-Identifier: Apache-2.0
#include "qNPSNetCsvTableModel.h"

#include <QSignalSpy>
#include <QSortFilterProxyModel>
#include <QTemporaryDir>
#include <QtTest>

class qNPSNetCsvTableModelTest : public QObject
{
  Q_OBJECT
private slots:
  void parsesQuotesAndLineEnds()
  {
    const auto records = qNPSNetCsvTableModel::parse("a,b\r\n\"x, y\",\"say \"\"hi\"\"\"\n\"two\nlines\",\n\nlast,one");
    QCOMPARE(records.size(), 4);
    QCOMPARE(records[0], QStringList({"a", "b"}));
    QCOMPARE(records[1], QStringList({"x, y", "say \"hi\""}));
    QCOMPARE(records[2], QStringList({"two\nlines", ""}));
    QCOMPARE(records[3], QStringList({"last", "one"}));
    QVERIFY(qNPSNetCsvTableModel::parse("").isEmpty());
    QCOMPARE(qNPSNetCsvTableModel::parse("\"\"").size(), 1);
  }

  void namesColumns()
  {
    qNPSNetCsvTableModel model;
    model.setText("name,status,vcdr\na.jpg,ok,0.5\nb.jpg,failed\n");
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.columnCount(), 3);
    QCOMPARE(model.value(0, "vcdr"), QString("0.5"));
    QCOMPARE(model.value(1, "vcdr"), QString()); // a short row
    QCOMPARE(model.value(0, "nothing"), QString());
    QCOMPARE(model.value(7, "name"), QString());
    QCOMPARE(model.headerData(1, Qt::Horizontal).toString(), QString("status"));
  }

  void sortsNumbersAsNumbers()
  {
    qNPSNetCsvTableModel model;
    model.setText("n\n10\n9\n-1.5e2\n");
    QSortFilterProxyModel sorted;
    sorted.setSourceModel(&model);
    sorted.setSortRole(qNPSNetCsvTableModel::SortRole);
    sorted.sort(0);
    QCOMPARE(sorted.index(0, 0).data().toString(), QString("-1.5e2"));
    QCOMPARE(sorted.index(2, 0).data().toString(), QString("10"));
  }

  void roundsLongDecimalsOnlyInTheView()
  {
    qNPSNetCsvTableModel model;
    model.setText("name,vcdr,version\n007.12345.jpg,0.5219578,1.2.3456\n12,-0.25,0.5\n");
    QCOMPARE(model.index(0, 1).data().toString(), QString("0.522"));
    QCOMPARE(model.index(0, 1).data(Qt::ToolTipRole).toString(), QString("0.5219578"));
    QCOMPARE(model.value(0, "vcdr"), QString("0.5219578"));
    QCOMPARE(model.index(0, 0).data().toString(), QString("007.12345.jpg"));
    QCOMPARE(model.index(0, 2).data().toString(), QString("1.2.3456"));
    QCOMPARE(model.index(1, 1).data().toString(), QString("-0.25"));
  }

  void readsAFileAgainOnlyWhenItHasChanged()
  {
    QTemporaryDir folder;
    const QString fileName = folder.filePath("results.csv");
    const auto write = [&](const char* text)
    {
      QFile file(fileName);
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write(text);
    };
    write("name\na\n");
    qNPSNetCsvTableModel model;
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    QVERIFY(model.load(fileName));
    QVERIFY(model.load(fileName));
    QCOMPARE(reset.count(), 1);
    write("name\na\nb\n");
    QVERIFY(model.load(fileName));
    QCOMPARE(reset.count(), 2);
    QCOMPARE(model.rowCount(), 2);
  }

  void followsTheJournalOfABatch()
  {
    QTemporaryDir folder;
    const QString fileName = folder.filePath("journal.jsonl");
    const auto write = [&](QIODevice::OpenMode mode, const char* text)
    {
      QFile file(fileName);
      QVERIFY(file.open(mode));
      file.write(text);
    };
    qNPSNetCsvTableModel model;
    QVERIFY(!model.loadJournal(fileName));
    write(QIODevice::WriteOnly, "{\"npsnet_batch\":1,\"columns\":[\"name\",\"status\"]}\n"
                                "{\"name\":\"a\",\"cells\":[\"a\",\"failed\"]}\n"
                                "damaged\n{\"name\":\"b\",\"cel");
    QVERIFY(model.loadJournal(fileName));
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(model.columnOf("status"), 1);
    write(QIODevice::Append, "ls\":[\"b\",\"ok\"]}\n{\"name\":\"a\",\"cells\":[\"a\",\"ok\"]}\n");
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    QVERIFY(model.loadJournal(fileName));
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.value(0, "status"), QString("ok"));
    QCOMPARE(model.value(1, "name"), QString("b"));
    QCOMPARE(reset.count(), 0);
    write(QIODevice::WriteOnly, "{\"npsnet_batch\":1,\"columns\":[\"name\"]}\n{\"name\":\"c\",\"cells\":[\"c\"]}\n");
    QVERIFY(model.loadJournal(fileName));
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(model.value(0, "name"), QString("c"));
  }

  void readsUtf8FilesAndForgetsMissingOnes()
  {
    QTemporaryDir folder;
    const QString fileName = folder.filePath("results.csv");
    QFile file(fileName);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("name\nAugenhintergrund ä.png\n");
    file.close();
    qNPSNetCsvTableModel model;
    QVERIFY(model.load(fileName));
    QCOMPARE(model.value(0, "name"), QString::fromUtf8("Augenhintergrund ä.png"));
    QVERIFY(!model.load(folder.filePath("none.csv")));
    QCOMPARE(model.rowCount(), 0);
    QCOMPARE(model.columnCount(), 0);
  }
};

QTEST_GUILESS_MAIN(qNPSNetCsvTableModelTest)
#include "qNPSNetCsvTableModelTest.moc"
