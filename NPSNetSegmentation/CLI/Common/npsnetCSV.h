// SPDX-License-Identifier: Apache-2.0
#ifndef npsnetCSV_h
#define npsnetCSV_h

#include <cstddef>
#include <string>
#include <vector>

namespace npsnet
{
/// A small table of text: RFC 4180 with LF or CR LF, a UTF-8 byte order mark, quotes; blank lines are left out.
struct CSVTable
{
  static constexpr std::size_t NotFound = static_cast<std::size_t>(-1);

  std::string Source; ///< for messages
  std::vector<std::string> Columns;
  std::vector<std::vector<std::string>> Rows; ///< each as long as Columns
  std::vector<std::size_t> Lines;             ///< line number of each row in the file, from 1

  std::size_t FindColumn(const std::string& name) const;
  /// Throws std::runtime_error with a sentence that names the columns there are.
  std::size_t RequireColumn(const std::string& name) const;
};

/// Throws std::runtime_error with a sentence that names `source` and the line.
CSVTable ParseCSV(const std::string& content, const std::string& source);
CSVTable ReadCSV(const std::string& fileName);
} // namespace npsnet

#endif
