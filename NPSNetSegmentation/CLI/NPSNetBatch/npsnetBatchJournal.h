// SPDX-License-Identifier: Apache-2.0
#ifndef npsnetBatchJournal_h
#define npsnetBatchJournal_h

#include "npsnetMessages.h"

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace npsnet
{
/// What a journal was written for. Two runs share rows only when Settings and Columns are equal.
struct BatchJournalHeader
{
  std::string Settings; ///< one line of text, shown when it differs
  std::vector<std::string> Columns;
  std::array<unsigned, 2> Shard{{1, 1}};
  std::size_t NumberOfInputs{0};         ///< of the whole batch
  std::size_t NumberOfSelectedInputs{0}; ///< of this shard
  std::string InputsDigest;
};

/// A finished photo: the cells of its row, and a stamp of the file they were computed from.
struct BatchJournalRow
{
  std::string Stamp;
  std::vector<std::string> Cells;
};

using BatchRows = std::map<std::string, BatchJournalRow>; ///< by name: sorted, each name once

/// The file that makes a batch survive kill -9: one line of JSON a photo, appended and flushed to the disk before the
/// photo counts as done. A line cut short or damaged is dropped on reading and its photo done again.
class BatchJournal
{
public:
  BatchJournal() = default;
  ~BatchJournal();
  BatchJournal(const BatchJournal&) = delete;
  BatchJournal& operator=(const BatchJournal&) = delete;

  /// Folder of our own files below an output folder.
  static std::string GetFolder(const std::string& outputFolder);
  static std::string GetFileName(const std::string& outputFolder, const std::array<unsigned, 2>& shard);
  /// Of folders for files in the making; those of a shard are its own.
  static std::string GetStagingPrefix(const std::string& outputFolder, const std::array<unsigned, 2>& shard);
  /// Journals of all shards below an output folder, sorted.
  static std::vector<std::string> FindAll(const std::string& outputFolder);

  /// Reads a journal; true when the file ends with a whole line and none was dropped.
  /// Throws std::runtime_error when it is not a journal of ours.
  static bool Read(
    const std::string& fileName, BatchJournalHeader& header, BatchRows& rows, BatchRows* setAside = nullptr);

  /// What becomes of a row of an earlier run. A row that is set aside counts in no table, but stands again in a run
  /// that has its photo among its inputs.
  enum class Fate
  {
    Stands,
    SetAside,
    Forgotten
  };
  using Judge = std::function<Fate(const std::string& name, const BatchJournalRow& row)>;

  /// Takes the lock and the rows of an earlier run of the same settings, or starts a new journal.
  /// Throws OutputError when another run holds the lock or the folder cannot be written, std::runtime_error when the
  /// journal is of other settings (unless restart).
  void Open(
    const std::string& outputFolder, const BatchJournalHeader& header, bool restart,
    const Judge& judge = [](const std::string&, const BatchJournalRow&) { return Fate::Stands; });

  const BatchRows& GetRows() const { return this->Rows; }
  /// On the disk when it returns. Throws OutputError.
  void Append(const std::string& name, const BatchJournalRow& row);
  void Close();

private:
  /// False when all rows stay what they are.
  bool JudgeRows(const Judge& judge);
  void Rewrite(const BatchJournalHeader& header);

  std::string FileName;
  BatchRows Rows;
  BatchRows SetAside;
  int Lock{-1};
  int File{-1};
};
} // namespace npsnet

#endif
