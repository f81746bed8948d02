// SPDX-License-Identifier: Apache-2.0
#include "qNPSNetCsvTableModel.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace
{
constexpr int ShownDecimals = 3;
constexpr int JournalLinesAtOnce = 300;

/// Only digits on both sides of the point: neither a file name nor a version is ever rounded.
bool isLongDecimal(const QString& text)
{
  const int point = text.indexOf('.');
  const bool digits =
    std::all_of(text.cbegin(), text.cend(), [](QChar c) { return c.isDigit() || c == '.' || c == '-'; });
  return digits && point > 0 && text.size() - point - 1 > ShownDecimals;
}
} // namespace

QVector<QStringList> qNPSNetCsvTableModel::parse(const QString& text)
{
  QVector<QStringList> records;
  QStringList record;
  QString field;
  bool quoted = false;
  bool any = false; // something of this record was read
  const auto endRecord = [&]
  {
    record << field;
    records << record;
    record.clear();
    field.clear();
    any = false;
  };
  for (int i = 0; i < text.size(); ++i)
  {
    const QChar c = text[i];
    if (quoted)
    {
      if (c != '"')
      {
        field += c;
      }
      else if (i + 1 < text.size() && text[i + 1] == '"')
      {
        field += '"';
        ++i;
      }
      else
      {
        quoted = false;
      }
    }
    else if (c == '"')
    {
      quoted = any = true;
    }
    else if (c == ',')
    {
      record << field;
      field.clear();
      any = true;
    }
    else if (c == '\n')
    {
      if (any)
      {
        endRecord();
      }
    }
    else if (c != '\r')
    {
      field += c;
      any = true;
    }
  }
  if (any)
  {
    endRecord();
  }
  return records;
}

bool qNPSNetCsvTableModel::load(const QString& fileName)
{
  const QFileInfo info(fileName);
  const Version version{info.absoluteFilePath(), info.lastModified(), info.size()};
  if (info.exists() && version == this->Loaded)
  {
    return true;
  }
  QFile file(fileName);
  const bool good = file.open(QIODevice::ReadOnly);
  this->setText(good ? QString::fromUtf8(file.readAll()) : QString());
  this->Loaded = good ? version : Version();
  return good;
}

bool qNPSNetCsvTableModel::loadJournal(const QString& fileName)
{
  QFile file(fileName);
  if (!file.open(QIODevice::ReadOnly))
  {
    this->setText(QString());
    return false;
  }
  // A new run may have written it anew: its last line is no longer where it was.
  if (fileName != this->JournalName || !file.seek(this->JournalRead - this->LastJournalLine.size()) ||
      file.read(this->LastJournalLine.size()) != this->LastJournalLine)
  {
    this->setText(QString());
    this->JournalName = fileName;
    file.seek(0);
  }
  for (int i = 0; i < JournalLinesAtOnce; ++i)
  {
    const QByteArray line = file.readLine();
    if (!line.endsWith('\n')) // the end, or is being written
    {
      break;
    }
    this->JournalRead += line.size();
    this->LastJournalLine = line;
    this->addJournalLine(line);
  }
  return true;
}

void qNPSNetCsvTableModel::addJournalLine(const QByteArray& line)
{
  const QJsonObject object = QJsonDocument::fromJson(line).object();
  const auto strings = [&object](const char* key)
  {
    QStringList list;
    for (const QJsonValue& value : object[key].toArray())
    {
      list << value.toString();
    }
    return list;
  };
  if (object.contains("columns"))
  {
    this->beginResetModel();
    this->Header = strings("columns");
    this->Rows.clear();
    this->JournalRows.clear();
    this->endResetModel();
    return;
  }
  const QStringList cells = strings("cells");
  if (cells.size() != this->Header.size() || cells.isEmpty()) // damaged: the batch does that photo again
  {
    return;
  }
  const QString name = object["name"].toString();
  const auto known = this->JournalRows.constFind(name);
  if (known != this->JournalRows.constEnd())
  {
    this->Rows[*known] = cells;
    emit this->dataChanged(this->index(*known, 0), this->index(*known, this->Header.size() - 1));
    return;
  }
  this->beginInsertRows(QModelIndex(), this->Rows.size(), this->Rows.size());
  this->JournalRows[name] = this->Rows.size();
  this->Rows << cells;
  this->endInsertRows();
}

void qNPSNetCsvTableModel::setText(const QString& text)
{
  this->Loaded = Version();
  this->JournalName.clear();
  this->JournalRead = 0;
  this->LastJournalLine.clear();
  this->JournalRows.clear();
  this->beginResetModel();
  this->Rows = parse(text);
  this->Header = this->Rows.isEmpty() ? QStringList() : this->Rows.takeFirst();
  this->endResetModel();
}

QString qNPSNetCsvTableModel::value(int row, const QString& column) const
{
  return row >= 0 && row < this->Rows.size() ? this->Rows[row].value(this->columnOf(column)) : QString();
}

int qNPSNetCsvTableModel::rowCount(const QModelIndex& parent) const
{
  return parent.isValid() ? 0 : this->Rows.size();
}

int qNPSNetCsvTableModel::columnCount(const QModelIndex& parent) const
{
  return parent.isValid() ? 0 : this->Header.size();
}

QVariant qNPSNetCsvTableModel::data(const QModelIndex& index, int role) const
{
  if (!index.isValid())
  {
    return QVariant();
  }
  const QString text = this->Rows[index.row()].value(index.column());
  bool number = false;
  const double value = text.toDouble(&number);
  switch (role)
  {
  case Qt::DisplayRole:
    return number && isLongDecimal(text) ? QString::number(value, 'f', ShownDecimals) : text;
  case Qt::ToolTipRole:
    return text;
  case SortRole:
    return number ? QVariant(value) : QVariant(text);
  case Qt::TextAlignmentRole:
    return int((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  default:
    return QVariant();
  }
}

QVariant qNPSNetCsvTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
  if (role != Qt::DisplayRole)
  {
    return QVariant();
  }
  return orientation == Qt::Horizontal ? QVariant(this->Header.value(section)) : QVariant(section + 1);
}
