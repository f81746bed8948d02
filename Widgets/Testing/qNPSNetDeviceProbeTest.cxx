// SPDX-License-Identifier: Apache-2.0
#include "qNPSNetDeviceProbe.h"

#include <QSignalSpy>
#include <QtTest>

class qNPSNetDeviceProbeTest : public QObject
{
  Q_OBJECT
private slots:
  void describesWhatTheDriverSays()
  {
    QVERIFY(qNPSNetDeviceProbe::describe("").contains("no NVIDIA GPU"));
    const QString two = qNPSNetDeviceProbe::describe("NVIDIA RTX A4000, 16376 MiB\nTesla T4, 15360 MiB\n");
    QVERIFY(two.contains("NVIDIA RTX A4000, 16376 MiB; Tesla T4"));
    QVERIFY(two.contains("processor thread"));
  }

  void answersWithoutADriver()
  {
    qNPSNetDeviceProbe probe;
    QSignalSpy found(&probe, &qNPSNetDeviceProbe::found);
    probe.start("no-such-program-on-any-computer");
    QVERIFY(found.count() == 1 || found.wait(5000));
    QCOMPARE(found.count(), 1);
    QVERIFY(found[0][0].toString().contains("no NVIDIA GPU"));
  }

  void asksWithoutBlocking()
  {
    qNPSNetDeviceProbe probe;
    QSignalSpy found(&probe, &qNPSNetDeviceProbe::found);
    probe.start("echo"); // answers with its arguments
    QCOMPARE(found.count(), 0);
    QVERIFY(found.wait(5000));
    QVERIFY(found[0][0].toString().contains("--query-gpu=name,memory.total"));
  }
};

QTEST_GUILESS_MAIN(qNPSNetDeviceProbeTest)
#include "qNPSNetDeviceProbeTest.moc"
