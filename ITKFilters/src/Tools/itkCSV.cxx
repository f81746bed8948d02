// SPDX-License-Identifier: Apache-2.0
#include "itkCSV.h"

#include "itkNPSNetThrow.h"
#include "itkText.h"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace itk
{
namespace
{
/** One record from `position` on; `line` counts the lines passed. */
std::vector<std::string> NextRecord(const std::string & text,
                                    std::size_t &       position,
                                    std::size_t &       line,
                                    const std::string & source)
{
  std::vector<std::string> cells(1);
  bool                     quoted = false;
  const std::size_t        firstLine = line;
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
    npsnetThrow(Printable(source) << ", line " << firstLine << ": a quote is never closed.");
  }
  ++line;
  return cells;
}

bool IsBlank(const std::vector<std::string> & cells)
{
  return cells.size() == 1 && cells[0].empty();
}
} // namespace

std::size_t CSVTable::FindColumn(const std::string & name) const
{
  const auto found = std::find(Columns.begin(), Columns.end(), name);
  return found == Columns.end() ? NotFound : static_cast<std::size_t>(found - Columns.begin());
}

std::size_t CSVTable::RequireColumn(const std::string & name) const
{
  const std::size_t column = this->FindColumn(name);
  if (column != NotFound)
  {
    return column;
  }
  std::string names;
  for (const std::string & one : Columns)
  {
    names += (names.empty() ? "" : ", ") + Printable(one);
  }
  const bool otherSeparator = Columns.size() == 1 && Columns[0].find_first_of(";\t") != std::string::npos;
  npsnetThrow(
    Printable(Source) << " has no column named " << name << ", but: " << names
                      << (otherSeparator ? ". Separate the columns by commas." : ". Name it in the first line."));
}

CSVTable CSVTable::Parse(const std::string & content, const std::string & source)
{
  CSVTable table;
  table.Source = source;
  std::size_t position = content.compare(0, 3, "\xEF\xBB\xBF") == 0 ? 3 : 0;
  std::size_t line = 1;
  while (position < content.size())
  {
    const std::size_t        start = line;
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
      npsnetThrow(Printable(source) << ", line " << start << ": " << cells.size() << " cells where the header has "
                                    << table.Columns.size() << '.');
    }
    table.Rows.push_back(std::move(cells));
    table.Lines.push_back(start);
  }
  if (table.Columns.empty())
  {
    npsnetThrow(Printable(source) << " is empty: its first line should name the columns.");
  }
  return table;
}

CSVTable CSVTable::Read(const std::string & fileName)
{
  std::ifstream file(fileName, std::ios::binary);
  if (!file)
  {
    npsnetThrow("Cannot open " << Printable(fileName) << '.');
  }
  const std::string content{ std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>() };
  if (file.bad())
  {
    npsnetThrow("Cannot read " << Printable(fileName) << '.');
  }
  return Parse(content, fileName);
}

std::string ToCSVLine(const std::vector<std::string> & cells)
{
  std::string line;
  for (std::size_t k = 0; k < cells.size(); ++k)
  {
    line += k == 0 ? "" : ",";
    if (cells[k].find_first_of(",\"\r\n") == std::string::npos)
    {
      line += cells[k];
      continue;
    }
    line += '"';
    for (const char c : cells[k])
    {
      line += c == '"' ? std::string("\"\"") : std::string(1, c);
    }
    line += '"';
  }
  return line + "\r\n";
}
} // namespace itk
