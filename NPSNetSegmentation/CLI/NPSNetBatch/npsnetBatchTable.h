// SPDX-License-Identifier: Apache-2.0
#ifndef npsnetBatchTable_h
#define npsnetBatchTable_h

#include "npsnetBatchJournal.h"

#include <string>
#include <vector>

namespace npsnet
{
/// results.csv: header and one line a row, sorted by name.
std::string MakeResultsTable(const std::vector<std::string>& columns, const BatchRows& rows);

/// The rows of finished runs (output folders) as one table.
struct MergedBatch
{
  std::vector<std::string> Columns;
  BatchRows Rows;
};

/// Throws std::runtime_error with a sentence when a folder holds no batch, settings differ, a run or shard is not
/// complete, or two folders have different rows of one name.
MergedBatch MergeBatches(const std::vector<std::string>& outputFolders);

/// How many rows have each status, in words: `57 ok, 2 not_found`.
std::string CountStatuses(const std::vector<std::string>& columns, const BatchRows& rows);
std::string GetStatus(const std::vector<std::string>& columns, const BatchJournalRow& row);
} // namespace npsnet

#endif
