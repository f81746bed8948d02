// SPDX-License-Identifier: Apache-2.0
#include "qNPSNetBatchWidget.h"
#include "ui_qNPSNetBatchWidget.h"

#include "qNPSNetCsvTableModel.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QRegularExpression>
#include <QResizeEvent>
#include <QSortFilterProxyModel>
#include <QTimer>

namespace
{
constexpr int MaximumColumnWidth = 320;
constexpr int MinimumMessageWidth = 120;
constexpr int MinimumNameWidth = 80;
constexpr int ReloadMilliseconds = 2000;
constexpr int KillMilliseconds = 30000; // NPSNetBatch ends the photo in hand first
} // namespace

qNPSNetBatchWidget::qNPSNetBatchWidget(QWidget* parent)
    : QWidget(parent)
    , ui(new Ui::qNPSNetBatchWidget)
    , Process(new QProcess(this))
    , ReloadTimer(new QTimer(this))
    , Table(new qNPSNetCsvTableModel(this))
    , Sorted(new QSortFilterProxyModel(this))
{
  this->ui->setupUi(this);
  this->Sorted->setSourceModel(this->Table);
  this->Sorted->setSortRole(qNPSNetCsvTableModel::SortRole);
  this->ui->ResultsTable->setModel(this->Sorted);
  this->ui->ResultsTable->sortByColumn(-1, Qt::AscendingOrder);
  this->ui->ResultsTable->horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
  this->ui->ResultsTable->horizontalHeader()->setResizeContentsPrecision(0); // the rows in sight
  this->ui->ResultsTable->horizontalHeader()->setMaximumSectionSize(MaximumColumnWidth);
  this->ui->ResultsTable->viewport()->installEventFilter(this);
  this->ReloadTimer->setInterval(ReloadMilliseconds);

  const auto choose = [this](QLineEdit* edit, bool folder, const QString& title)
  {
    const QString path =
      folder ? QFileDialog::getExistingDirectory(this, title, edit->text())
             : QFileDialog::getOpenFileName(this, title, edit->text(), tr("Tables (*.csv);;All files (*)"));
    if (!path.isEmpty())
    {
      edit->setText(path);
    }
  };
  connect(this->ui->InputFolderButton, &QToolButton::clicked, this,
    [=] { choose(this->ui->InputLineEdit, true, tr("Folder with photos")); });
  connect(this->ui->InputFileButton, &QToolButton::clicked, this,
    [=] { choose(this->ui->InputLineEdit, false, tr("Table of photos")); });
  connect(this->ui->OutputFolderButton, &QToolButton::clicked, this,
    [=] { choose(this->ui->OutputLineEdit, true, tr("Folder for the results")); });
  this->ui->SettingsLabel->hide();
  connect(this->ui->InputLineEdit, &QLineEdit::textChanged, this,
    [this]
    {
      this->proposeOutput();
      this->updateButtons();
    });
  connect(this->ui->OutputLineEdit, &QLineEdit::textChanged, this,
    [this]
    {
      this->updateButtons();
      this->reloadTable();
    });
  connect(this->ui->RunButton, &QPushButton::clicked, this, &qNPSNetBatchWidget::start);
  connect(this->ui->CancelButton, &QPushButton::clicked, this, &qNPSNetBatchWidget::cancel);
  connect(this->ReloadTimer, &QTimer::timeout, this, &qNPSNetBatchWidget::reloadTable);
  connect(this->Process, &QProcess::readyReadStandardOutput, this, &qNPSNetBatchWidget::readOutput);
  connect(this->Process, &QProcess::readyReadStandardError, this,
    [this] { this->ErrorText += QString::fromLocal8Bit(this->Process->readAllStandardError()); });
  connect(this->Process, QOverload<int, QProcess::ExitStatus>::of(&QProcess::finished), this,
    &qNPSNetBatchWidget::onFinished);
  connect(this->Process, &QProcess::errorOccurred, this,
    [this](QProcess::ProcessError error)
    {
      if (error == QProcess::FailedToStart)
      {
        this->ui->StatusLabel->setText(
          tr("%1 could not be started: %2.").arg(this->Executable, this->Process->errorString()));
        this->updateButtons();
        emit this->runningChanged(false);
      }
    });
  connect(this->ui->ResultsTable->selectionModel(), &QItemSelectionModel::selectionChanged, this,
    &qNPSNetBatchWidget::updateButtons);
  const auto openReport = [this]
  {
    const QString report = this->reportFileName(this->selectedRow());
    if (!report.isEmpty())
    {
      emit this->openReportRequested(report);
    }
  };
  connect(this->ui->OpenReportButton, &QPushButton::clicked, this, openReport);
  connect(this->ui->ResultsTable, &QTableView::activated, this, openReport);
  connect(this->ui->LoadPhotoButton, &QPushButton::clicked, this,
    [this]
    {
      const int row = this->selectedRow();
      const QString name = this->Table->value(row, "name");
      const QFileInfo given(this->input());
      const QDir folder(given.isDir() ? given.absoluteFilePath() : given.absolutePath());
      emit this->loadPhotoRequested(folder.filePath(name), this->outputFile(row, "_labels.nrrd"));
    });
  this->updateButtons();
}

qNPSNetBatchWidget::~qNPSNetBatchWidget()
{
  this->Process->disconnect(this);
  if (this->isRunning())
  {
    this->Process->terminate(); // what is finished stays on disk and the next run goes on from there
    if (!this->Process->waitForFinished(2000))
    {
      this->Process->kill();
      this->Process->waitForFinished(2000);
    }
  }
}

QString qNPSNetBatchWidget::input() const
{
  return this->ui->InputLineEdit->text().trimmed();
}

QString qNPSNetBatchWidget::outputFolder() const
{
  return this->ui->OutputLineEdit->text().trimmed();
}

QString qNPSNetBatchWidget::statusText() const
{
  return this->ui->StatusLabel->text();
}

bool qNPSNetBatchWidget::isRunning() const
{
  return this->Process->state() != QProcess::NotRunning;
}

void qNPSNetBatchWidget::setExecutable(const QString& fileName)
{
  this->Executable = fileName;
  this->updateButtons();
}

void qNPSNetBatchWidget::setInput(const QString& folderOrCsv)
{
  this->ui->InputLineEdit->setText(folderOrCsv);
}

void qNPSNetBatchWidget::setOutputFolder(const QString& folder)
{
  this->ui->OutputLineEdit->setText(folder);
}

void qNPSNetBatchWidget::setSettings(const QStringList& arguments, const QString& description)
{
  this->ExtraArguments = arguments;
  this->ui->SettingsLabel->setText(tr("Settings of the tab Segment: %1.").arg(description));
  this->ui->SettingsLabel->setVisible(!description.isEmpty());
}

void qNPSNetBatchWidget::proposeOutput()
{
  const QFileInfo given(this->input());
  if (!given.exists() || this->outputFolder() != this->DefaultOutput)
  {
    return; // nothing to go by, or the user's own choice
  }
  const QString name = given.isDir() ? QDir(given.absoluteFilePath()).dirName() : given.completeBaseName();
  const QFileInfo place(QDir::cleanPath(given.absoluteFilePath()));
  this->DefaultOutput = place.dir().filePath(name + "-npsnet");
  this->ui->OutputLineEdit->setText(this->DefaultOutput);
}

QStringList qNPSNetBatchWidget::arguments() const
{
  // The progress tags come only when Slicer listens, which --returnparameterfile tells.
  return QStringList{"--out", this->outputFolder(), "--jobs", QString::number(this->ui->JobsSpinBox->value()),
           "--returnparameterfile", QDir(this->outputFolder()).filePath(".slicer_return_parameters")} +
         this->ExtraArguments + QStringList{this->input()};
}

double qNPSNetBatchWidget::progressFromText(const QString& text)
{
  static const QRegularExpression tag("<filter-(?:stage-)?progress>\\s*([0-9.eE+-]+)\\s*</");
  double last = -1.0;
  for (auto match = tag.globalMatch(text); match.hasNext();)
  {
    bool number = false;
    const double value = match.next().captured(1).toDouble(&number);
    last = number ? value : last;
  }
  return last;
}

bool qNPSNetBatchWidget::start()
{
  QString problem;
  if (this->isRunning())
  {
    problem = tr("A batch is running already.");
  }
  else if (!QFileInfo(this->Executable).isExecutable())
  {
    problem = tr("The program NPSNetBatch was not found at \"%1\": build or install the module's command-line modules.")
                .arg(this->Executable);
  }
  else if (!QFileInfo::exists(this->input()))
  {
    problem = tr("There is no folder or file \"%1\".").arg(this->input());
  }
  else if (!QDir().mkpath(this->outputFolder()))
  {
    problem = tr("The folder \"%1\" cannot be made: choose another one.").arg(this->outputFolder());
  }
  if (!problem.isEmpty())
  {
    this->ui->StatusLabel->setText(problem);
    return false;
  }
  this->ErrorText.clear();
  this->Cancelled = false;
  this->ui->ProgressBar->setRange(0, 0); // busy until the first progress arrives
  this->ui->StatusLabel->setText(tr("Running…"));
  this->Process->start(this->Executable, this->arguments());
  this->ReloadTimer->start();
  this->updateButtons();
  emit this->runningChanged(true);
  return true;
}

void qNPSNetBatchWidget::cancel()
{
  if (!this->isRunning())
  {
    return;
  }
  this->Cancelled = true;
  this->ui->StatusLabel->setText(tr("Stopping after the photos in hand…"));
  this->Process->terminate();
  QTimer::singleShot(KillMilliseconds, this->Process, &QProcess::kill);
  this->updateButtons();
}

void qNPSNetBatchWidget::readOutput()
{
  const double fraction = progressFromText(QString::fromLocal8Bit(this->Process->readAllStandardOutput()));
  if (fraction >= 0.0)
  {
    this->ui->ProgressBar->setRange(0, 1000);
    this->ui->ProgressBar->setValue(qRound(1000.0 * fraction));
  }
}

void qNPSNetBatchWidget::onFinished(int exitCode, QProcess::ExitStatus status)
{
  this->ReloadTimer->stop();
  this->reloadTable();
  this->ui->ProgressBar->setRange(0, 1000);
  int bad = 0;
  for (int row = 0; row < this->Table->rowCount(); ++row)
  {
    bad += this->Table->value(row, "status") != "ok";
  }
  const int count = this->Table->rowCount();
  const QString all = count == 1 ? tr("One photo in the table") : tr("%1 photos in the table").arg(count);
  const QString rows = bad == 0   ? tr("%1, all of them good.").arg(all)
                       : bad == 1 ? tr("%1, one of them needs a look.").arg(all)
                                  : tr("%1, %2 of them need a look.").arg(all).arg(bad);
  if (this->Cancelled)
  {
    this->ui->StatusLabel->setText(tr("Stopped. %1 Run again to go on.").arg(rows));
  }
  else if (status == QProcess::NormalExit && exitCode == 0)
  {
    this->ui->ProgressBar->setValue(1000);
    this->ui->StatusLabel->setText(tr("Done. %1").arg(rows));
  }
  else
  {
    const QStringList lines = this->ErrorText.split('\n', Qt::SkipEmptyParts);
    this->ui->StatusLabel->setText(
      tr("NPSNetBatch ended with an error: %1").arg(lines.isEmpty() ? tr("it crashed.") : lines.last()));
  }
  this->updateButtons();
  emit this->runningChanged(false);
  emit this->finished(status == QProcess::NormalExit ? exitCode : -1);
}

void qNPSNetBatchWidget::reloadTable()
{
  const int row = this->selectedRow();
  const QString selected = this->Table->value(row, "name");
  const QDir folder(this->outputFolder());
  const bool complete = folder.exists("results.csv"); // it is written when all photos are done
  const bool filled = this->Table->rowCount() > 0 && complete == this->TableIsComplete;
  this->TableIsComplete = complete;
  if (complete)
  {
    this->Table->load(folder.filePath("results.csv"));
  }
  else
  {
    this->Table->loadJournal(folder.filePath(".npsnet-batch/journal.jsonl"));
  }
  QHeaderView* header = this->ui->ResultsTable->horizontalHeader();
  const int ratio = header->visualIndex(this->Table->columnOf("vcdr"));
  if (ratio > 2)
  {
    header->moveSection(ratio, 2); // what one looks for, beside name and status
  }
  if (!filled && this->Table->rowCount() > 0)
  {
    this->ui->ResultsTable->resizeColumnsToContents();
    this->fitMessageColumn();
  }
  for (int i = 0; !selected.isEmpty() && i < this->Table->rowCount(); ++i)
  {
    if (this->Table->value(i, "name") == selected)
    {
      this->ui->ResultsTable->selectRow(this->Sorted->mapFromSource(this->Table->index(i, 0)).row());
    }
  }
  this->updateButtons();
}

void qNPSNetBatchWidget::fitMessageColumn()
{
  QHeaderView* header = this->ui->ResultsTable->horizontalHeader();
  const int message = this->Table->columnOf("message");
  if (message < 0)
  {
    return;
  }
  const int name = this->Table->columnOf("name");
  int left = this->ui->ResultsTable->viewport()->width();
  for (int visual = 0; visual < header->visualIndex(message); ++visual)
  {
    const int column = header->logicalIndex(visual);
    left -= column == name ? 0 : header->sectionSize(column);
  }
  if (name >= 0)
  {
    this->ui->ResultsTable->resizeColumnToContents(name);
    const int width = qMin(header->sectionSize(name), left - MinimumMessageWidth);
    header->resizeSection(name, qMax(MinimumNameWidth, width));
    left -= header->sectionSize(name);
  }
  header->resizeSection(message, qBound(MinimumMessageWidth, left, MaximumColumnWidth));
}

bool qNPSNetBatchWidget::eventFilter(QObject* watched, QEvent* event)
{
  // Not the widget's own size: the row numbers and a scroll bar take their part of it later.
  if (watched == this->ui->ResultsTable->viewport() && event->type() == QEvent::Resize)
  {
    const auto* resize = static_cast<QResizeEvent*>(event);
    if (resize->size().width() != resize->oldSize().width())
    {
      this->fitMessageColumn();
    }
  }
  return this->QWidget::eventFilter(watched, event);
}

int qNPSNetBatchWidget::selectedRow() const
{
  const QModelIndexList rows = this->ui->ResultsTable->selectionModel()
                                 ? this->ui->ResultsTable->selectionModel()->selectedRows()
                                 : QModelIndexList();
  return rows.isEmpty() ? -1 : this->Sorted->mapToSource(rows.first()).row();
}

QString qNPSNetBatchWidget::outputFile(int row, const QString& suffix) const
{
  // Outputs lie where the photo lay below the input folder, named after its stem.
  const QFileInfo name(this->Table->value(row, "name"));
  if (name.fileName().isEmpty())
  {
    return QString();
  }
  const QDir folder(this->outputFolder());
  for (const QString& stem : {name.completeBaseName(), name.fileName()})
  {
    const QString file = folder.filePath(QDir(name.path()).filePath(stem + suffix));
    if (QFileInfo::exists(file))
    {
      return QDir::cleanPath(file);
    }
  }
  return QString();
}

QString qNPSNetBatchWidget::reportFileName(int row) const
{
  return this->outputFile(row, "_report.html");
}

void qNPSNetBatchWidget::updateButtons()
{
  const bool running = this->isRunning();
  this->ui->RunButton->setEnabled(!running && !this->input().isEmpty() && !this->outputFolder().isEmpty());
  this->ui->CancelButton->setEnabled(running && !this->Cancelled);
  this->ui->ProgressBar->setVisible(running || this->ui->ProgressBar->value() > 0);
  const int row = this->selectedRow();
  this->ui->MessageLabel->setText(this->Table->value(row, "message"));
  this->ui->MessageLabel->setVisible(!this->ui->MessageLabel->text().isEmpty());
  this->ui->OpenReportButton->setEnabled(!this->reportFileName(row).isEmpty());
  const QString status = this->Table->value(row, "status");
  this->ui->LoadPhotoButton->setEnabled(row >= 0 && status != "unreadable" && status != "failed");
}
