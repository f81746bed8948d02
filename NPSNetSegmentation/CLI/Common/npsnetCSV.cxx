// SPDX-License-Identifier: Apache-2.0
#include "npsnetCSV.h"

#include "npsnetReport.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace npsnet
{
namespace
{
[[noreturn]] void Fail(const std::string& source, std::size_t line, const std::string& what)
{
  throw std::runtime_error(Printable(source) + ", line " + std::to_string(line) + ": " + what);
}

/// Reads one record from `position` on; `line` counts the lines passed.
std::vector<std::string> NextRecord(
  const std::string& text, std::size_t& position, std::size_t& line, const std::string& source)
{
  std::vector<std::string> cells(1);
  bool quoted = false;
  const std::size_t firstLine = line;
  while (position < text.size())
  {
    const char c = text[position++];
    if (quoted)
    {
      if (c == '"' && position < text.size() && text[position] == '"')
      {
        cells.back() += '"';
        ++position;
      }
      else if (c == '"')
      {
        quoted = false;
      }
      else
      {
        line += c == '\n' ? 1 : 0;
        cells.back() += c;
      }
    }
    else if (c == '"' && cells.back().empty())
    {
      quoted = true;
    }
    else if (c == ',')
    {
      cells.emplace_back();
    }
    else if (c == '\n')
    {
      ++line;
      return cells;
    }
    else if (c != '\r' || (position < text.size() && text[position] != '\n'))
    {
      cells.back() += c;
    }
  }
  if (quoted)
  {
    Fail(source, firstLine, "a quote is never closed.");
  }
  ++line;
  return cells;
}

bool IsBlank(const std::vector<std::string>& cells)
{
  return cells.size() == 1 && cells[0].empty();
}
} // namespace

std::size_t CSVTable::FindColumn(const std::string& name) const
{
  const auto found = std::find(this->Columns.begin(), this->Columns.end(), name);
  return found == this->Columns.end() ? NotFound : static_cast<std::size_t>(found - this->Columns.begin());
}

std::size_t CSVTable::RequireColumn(const std::string& name) const
{
  const std::size_t column = this->FindColumn(name);
  if (column != NotFound)
  {
    return column;
  }
  std::string names;
  for (const std::string& one : this->Columns)
  {
    names += (names.empty() ? "" : ", ") + Printable(one);
  }
  const bool otherSeparator = this->Columns.size() == 1 && this->Columns[0].find_first_of(";\t") != std::string::npos;
  throw std::runtime_error(Printable(this->Source) + " has no column named " + name + ", but: " + names +
                           (otherSeparator ? ". Separate the columns by commas." : ". Name it in the first line."));
}

CSVTable ParseCSV(const std::string& content, const std::string& source)
{
  CSVTable table;
  table.Source = source;
  std::size_t position = content.compare(0, 3, "\xEF\xBB\xBF") == 0 ? 3 : 0;
  std::size_t line = 1;
  while (position < content.size())
  {
    const std::size_t start = line;
    std::vector<std::string> cells = NextRecord(content, position, line, source);
    if (IsBlank(cells))
    {
      continue;
    }
    if (table.Columns.empty())
    {
      table.Columns = std::move(cells);
      continue;
    }
    if (cells.size() != table.Columns.size())
    {
      Fail(source, start,
        std::to_string(cells.size()) + " cells where the header has " + std::to_string(table.Columns.size()) + ".");
    }
    table.Rows.push_back(std::move(cells));
    table.Lines.push_back(start);
  }
  if (table.Columns.empty())
  {
    throw std::runtime_error(Printable(source) + " is empty: its first line should name the columns.");
  }
  return table;
}

CSVTable ReadCSV(const std::string& fileName)
{
  std::ifstream file(fileName, std::ios::binary);
  if (!file)
  {
    throw std::runtime_error("Cannot open " + Printable(fileName) + ".");
  }
  const std::string content{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (file.bad())
  {
    throw std::runtime_error("Cannot read " + Printable(fileName) + ".");
  }
  return ParseCSV(content, fileName);
}
} // namespace npsnet
