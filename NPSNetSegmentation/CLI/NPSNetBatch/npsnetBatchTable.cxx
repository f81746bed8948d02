// SPDX-License-Identifier: Apache-2.0
#include "npsnetBatchTable.h"

#include "npsnetMessages.h"

#include "itkCSV.h"
#include "itkFundusResultTable.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <stdexcept>

namespace npsnet
{
namespace
{
/// Rows of one name may only differ in how long they took.
bool SaysTheSame(
  const std::vector<std::string>& columns, const std::vector<std::string>& a, const std::vector<std::string>& b)
{
  for (std::size_t i = 0; i < columns.size(); ++i)
  {
    if (columns[i] != "seconds" && a[i] != b[i])
    {
      return false;
    }
  }
  return true;
}

/// Which shards of which list were seen.
struct Shards
{
  unsigned Count{1};
  std::set<unsigned> Seen;
};
} // namespace

std::string MakeResultsTable(const std::vector<std::string>& columns, const BatchRows& rows)
{
  std::string table = itk::ToCSVLine(columns);
  for (const auto& [name, row] : rows)
  {
    table += itk::ToCSVLine(row.Cells);
  }
  return table;
}

MergedBatch MergeBatches(const std::vector<std::string>& outputFolders)
{
  MergedBatch merged;
  std::string settings;
  std::map<std::string, std::string> origin;                // name -> journal
  std::map<std::pair<std::string, unsigned>, Shards> lists; // digest, number of shards -> seen
  for (const std::string& folder : outputFolders)
  {
    const std::vector<std::string> journals = BatchJournal::FindAll(folder);
    if (journals.empty())
    {
      throw std::runtime_error("There is no batch in " + Printable(folder) + ".");
    }
    for (const std::string& journal : journals)
    {
      BatchJournalHeader header;
      BatchRows rows;
      BatchJournal::Read(journal, header, rows);
      if (merged.Columns.empty())
      {
        merged.Columns = header.Columns;
        settings = header.Settings;
      }
      if (header.Settings != settings || header.Columns != merged.Columns)
      {
        throw std::runtime_error("The batches have different settings (" + Printable(settings) + "; in " +
                                 Printable(folder) + " " + Printable(header.Settings) +
                                 "): their rows do not belong in one table.");
      }
      if (rows.size() < header.NumberOfSelectedInputs)
      {
        throw std::runtime_error(std::to_string(header.NumberOfSelectedInputs - rows.size()) + " of " +
                                 std::to_string(header.NumberOfSelectedInputs) + " photos of " + Printable(journal) +
                                 " have no row yet: finish that run by giving its command again.");
      }
      if (rows.size() > header.NumberOfSelectedInputs)
      {
        throw std::runtime_error(Printable(journal) + " has rows of " + std::to_string(rows.size()) +
                                 " photos, but its batch has " + std::to_string(header.NumberOfSelectedInputs) +
                                 ": give the command of that run again, which sets the others aside.");
      }
      Shards& shards = lists[{header.InputsDigest, header.Shard[1]}];
      shards.Count = header.Shard[1];
      shards.Seen.insert(header.Shard[0]);
      for (auto& [name, row] : rows)
      {
        const auto [place, isNew] = origin.emplace(name, journal);
        if (isNew)
        {
          merged.Rows[name] = std::move(row);
        }
        else if (!SaysTheSame(merged.Columns, merged.Rows[name].Cells, row.Cells))
        {
          throw std::runtime_error("Two batches have different rows for " + name + " (" + Printable(place->second) +
                                   " and " + Printable(journal) + ").");
        }
      }
    }
  }
  for (const auto& [list, shards] : lists)
  {
    for (unsigned i = 1; i <= shards.Count; ++i)
    {
      if (shards.Seen.count(i) == 0)
      {
        throw std::runtime_error("Shard " + std::to_string(i) + "/" + std::to_string(shards.Count) +
                                 " is missing: run it, or name its folder too.");
      }
    }
  }
  return merged;
}

std::string GetStatus(const std::vector<std::string>& columns, const BatchJournalRow& row)
{
  const auto found = std::find(columns.begin(), columns.end(), "status");
  return found == columns.end() ? "" : row.Cells[static_cast<std::size_t>(found - columns.begin())];
}

std::string CountStatuses(const std::vector<std::string>& columns, const BatchRows& rows)
{
  std::map<std::string, std::size_t> counts;
  for (const auto& [name, row] : rows)
  {
    ++counts[GetStatus(columns, row)];
  }
  std::string text;
  for (const char* status : {"ok", "low_confidence", "not_found", "unreadable", "failed"})
  {
    if (counts.count(status) > 0)
    {
      text += (text.empty() ? "" : ", ") + std::to_string(counts[status]) + " " + status;
    }
  }
  return text;
}
} // namespace npsnet
