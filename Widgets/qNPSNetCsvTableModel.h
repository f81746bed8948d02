// SPDX-License-Identifier: Apache-2.0
#ifndef qNPSNetCsvTableModel_h
#define qNPSNetCsvTableModel_h

#include "qSlicerNPSNetSegmentationModuleWidgetsExport.h"

#include <QAbstractTableModel>
#include <QByteArray>
#include <QDateTime>
#include <QHash>
#include <QStringList>
#include <QVector>

/// \brief A CSV file (RFC 4180) as a read-only table whose first line is the header, or the journal of a batch that has
/// not written its table yet.
///
/// Numbers sort as numbers; long decimals are shown rounded, their tool tip has every digit.
class Q_SLICER_MODULE_NPSNETSEGMENTATION_WIDGETS_EXPORT qNPSNetCsvTableModel : public QAbstractTableModel
{
  Q_OBJECT
public:
  using QAbstractTableModel::QAbstractTableModel;

  /// Records of a CSV text; quotes may hold commas, line ends and doubled quotes. A last line without end counts.
  static QVector<QStringList> parse(const QString& text);

  /// False when the file cannot be read; the table is empty then. A file that has not changed is not read again.
  bool load(const QString& fileName);
  /// Adds the photos that NPSNetBatch has appended to its journal since the last call, as many as a user interface can
  /// bear in one turn of its event loop; a photo done again replaces its row. False when the file cannot be read; the
  /// table is empty then.
  bool loadJournal(const QString& fileName);
  void setText(const QString& text);

  int columnOf(const QString& name) const { return this->Header.indexOf(name); }
  /// Cell of a row by the column's name; empty when there is no such column.
  QString value(int row, const QString& column) const;

  /// Role of the value to sort by.
  static constexpr int SortRole = Qt::UserRole + 1;

  int rowCount(const QModelIndex& parent = QModelIndex()) const override;
  int columnCount(const QModelIndex& parent = QModelIndex()) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
  /// Of the file that is shown: a batch that runs is looked at again and again.
  struct Version
  {
    QString FileName;
    QDateTime Modified;
    qint64 Size{0};
    bool operator==(const Version& other) const
    {
      return this->FileName == other.FileName && this->Modified == other.Modified && this->Size == other.Size;
    }
  };

  void addJournalLine(const QByteArray& line);

  Version Loaded;
  QString JournalName;
  qint64 JournalRead{0}; // bytes of it
  QByteArray LastJournalLine;
  QHash<QString, int> JournalRows;
  QStringList Header;
  QVector<QStringList> Rows;
};

#endif
