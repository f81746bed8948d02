#include "qNPSNetReport.h"

#include <QTemporaryDir>
#include <QtTest>

class qNPSNetReportTest : public QObject
{
  Q_OBJECT

  static qNPSNetReport example()
  {
    qNPSNetReport report;
    report.Results.Valid = true;
    report.Results.Name = "<b>RET</b>";
    report.Results.State = "edited";
    report.Results.VerticalCDR = 0.456;
    report.Results.RimWidth = QVector<double>(360, 20.0);
    report.Results.Quadrants << qNPSNetResults::Sector{"Inferior", 20.0, 0.1, 0.1};
    report.Summary << QStringList{"Disc area", "1234", "px²"};
    report.Photo = QImage(8, 8, QImage::Format_RGB32);
    report.Photo.fill(Qt::red);
    return report;
  }

private slots:
  void holdsNumbersPicturesAndTheNote()
  {
    const QString html = example().html();
    QVERIFY(html.contains("0.46"));
    QVERIFY(html.contains("edited"));
    QVERIFY(html.contains("Disc area"));
    QVERIFY(html.contains("research use"));
    QCOMPARE(html.count("<img "), 2);
    QVERIFY2(!html.contains("<b>RET"), "names are escaped");
    QVERIFY2(!html.contains("http"), "one file, nothing from elsewhere");
  }

  void writesAllOrNothing()
  {
    QTemporaryDir folder;
    const QString fileName = folder.filePath("r.html");
    QVERIFY(example().write(fileName));
    QVERIFY(QFileInfo(fileName).size() > 1000);
    QString error;
    QVERIFY(!example().write(folder.filePath("no/such/r.html"), &error));
    QVERIFY(error.contains("r.html"));
  }
};

QTEST_MAIN(qNPSNetReportTest)
#include "qNPSNetReportTest.moc"
