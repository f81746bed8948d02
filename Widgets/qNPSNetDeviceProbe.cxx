// SPDX-License-Identifier: Apache-2.0
#include "qNPSNetDeviceProbe.h"

#include <QProcess>
#include <QThread>

qNPSNetDeviceProbe::qNPSNetDeviceProbe(QObject* parent)
    : QObject(parent)
{
}

qNPSNetDeviceProbe::~qNPSNetDeviceProbe()
{
  for (QProcess* process : this->findChildren<QProcess*>())
  {
    process->disconnect(this);
    process->kill();
    process->waitForFinished(1000);
  }
}

void qNPSNetDeviceProbe::start(const QString& program)
{
  auto* process = new QProcess(this);
  const auto finish = [this, process](bool good)
  {
    emit this->found(describe(good ? QString::fromLocal8Bit(process->readAllStandardOutput()) : QString()));
    process->deleteLater();
  };
  connect(process, QOverload<int, QProcess::ExitStatus>::of(&QProcess::finished), this,
    [finish](int code, QProcess::ExitStatus status) { finish(code == 0 && status == QProcess::NormalExit); });
  connect(process, &QProcess::errorOccurred, this,
    [finish](QProcess::ProcessError error)
    {
      if (error == QProcess::FailedToStart) // every other error is followed by finished()
      {
        finish(false);
      }
    });
  process->start(program, {"--query-gpu=name,memory.total", "--format=csv,noheader"});
}

QString qNPSNetDeviceProbe::describe(const QString& answer)
{
  const int threads = QThread::idealThreadCount();
  const QStringList gpus = answer.split('\n', Qt::SkipEmptyParts);
  const QString cpu = threads == 1 ? tr("1 processor thread") : tr("%1 processor threads").arg(threads);
  if (gpus.isEmpty())
  {
    return tr("Found: %1, no NVIDIA GPU.").arg(cpu);
  }
  QStringList names;
  for (const QString& gpu : gpus)
  {
    names << gpu.trimmed();
  }
  return tr("Found: %1, GPU %2.").arg(cpu, names.join("; "));
}
