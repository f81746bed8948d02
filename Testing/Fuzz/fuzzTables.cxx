// SPDX-License-Identifier: Apache-2.0
// Texts that users or a dying program wrote: CSV indices and the journal of a batch.
#include "npsnetBatchJournal.h"

#include "itkCSV.h"
#include "itkText.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace
{
void ReadTable(const std::string& text)
{
  try
  {
    const itk::CSVTable table = itk::CSVTable::Parse(text, "index.csv");
    for (const auto& row : table.Rows)
    {
      if (row.size() != table.Columns.size())
      {
        std::abort();
      }
    }
  }
  catch (const itk::ExceptionObject&)
  {
  }
}

void ReadJournal(const std::string& text)
{
  const int file = memfd_create("journal", MFD_CLOEXEC);
  if (file >= 0 && write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()))
  {
    try
    {
      npsnet::BatchJournalHeader header;
      npsnet::BatchRows rows;
      npsnet::BatchJournal::Read("/proc/self/fd/" + std::to_string(file), header, rows);
      for (const auto& [name, row] : rows)
      {
        if (row.Cells.size() != header.Columns.size())
        {
          std::abort();
        }
      }
    }
    catch (const std::runtime_error&)
    {
    }
  }
  close(file);
}
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  const std::string text(reinterpret_cast<const char*>(data), size);
  ReadTable(text);
  ReadJournal(text);
  if (itk::Printable(itk::Printable(text)) != itk::Printable(text))
  {
    std::abort();
  }
  return 0;
}
