// SPDX-License-Identifier: Apache-2.0
#ifndef qNPSNetBatchWidget_h
#define qNPSNetBatchWidget_h

#include "qSlicerNPSNetSegmentationModuleWidgetsExport.h"

#include <QProcess>
#include <QScopedPointer>
#include <QWidget>

class QSortFilterProxyModel;
class QTimer;
class qNPSNetCsvTableModel;

namespace Ui
{
class qNPSNetBatchWidget;
}

/// \brief Starts NPSNetBatch in a process of its own, follows its progress and shows its results table.
class Q_SLICER_MODULE_NPSNETSEGMENTATION_WIDGETS_EXPORT qNPSNetBatchWidget : public QWidget
{
  Q_OBJECT
  Q_PROPERTY(QString executable READ executable WRITE setExecutable)
  Q_PROPERTY(QString input READ input WRITE setInput)
  Q_PROPERTY(QString outputFolder READ outputFolder WRITE setOutputFolder)
public:
  explicit qNPSNetBatchWidget(QWidget* parent = nullptr);
  ~qNPSNetBatchWidget() override;

  QString executable() const { return this->Executable; }
  QString input() const;
  QString outputFolder() const;
  bool isRunning() const;
  qNPSNetCsvTableModel* table() const { return this->Table; }
  QString statusText() const;

  /// Handed to NPSNetBatch before our own: "--tta", "fast"...
  /// Settings that are chosen elsewhere: arguments for NPSNetBatch, and what they are for the reader.
  void setSettings(const QStringList& arguments, const QString& description);
  /// All arguments of the run that start() would begin.
  QStringList arguments() const;
  /// Report of a row of the table; empty when there is none on disk.
  QString reportFileName(int row) const;

  /// Last fraction in the text of Slicer's progress tags; negative when it has none.
  static double progressFromText(const QString& text);

public slots:
  void setExecutable(const QString& fileName);
  void setInput(const QString& folderOrCsv);
  void setOutputFolder(const QString& folder);
  /// False, with a sentence in the status, when it cannot be started.
  bool start();
  void cancel();
  /// Reads results.csv of the output folder again.
  void reloadTable();

signals:
  void runningChanged(bool running);
  void finished(int exitCode);
  void openReportRequested(const QString& fileName);
  void loadPhotoRequested(const QString& photo, const QString& labels);

protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  void proposeOutput();
  void updateButtons();
  /// The message gets the width that name, status and ratio leave it, whatever columns follow; a long name gives way.
  void fitMessageColumn();
  void readOutput();
  void onFinished(int exitCode, QProcess::ExitStatus status);
  int selectedRow() const;
  QString outputFile(int row, const QString& suffix) const;

  QScopedPointer<Ui::qNPSNetBatchWidget> ui;
  QProcess* Process;
  QTimer* ReloadTimer;
  qNPSNetCsvTableModel* Table;
  QSortFilterProxyModel* Sorted;
  QString Executable;
  QStringList ExtraArguments;
  QString DefaultOutput;
  QString ErrorText;
  bool Cancelled{false};
  bool TableIsComplete{false};
};

#endif
