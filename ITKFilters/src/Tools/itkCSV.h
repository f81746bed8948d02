// SPDX-License-Identifier: Apache-2.0
#ifndef itkCSV_h
#define itkCSV_h

#include "NPSNetExport.h"
#include "itkMacro.h"

#include <cstddef>
#include <string>
#include <vector>

namespace itk
{
/** \class CSVTable
 * \brief A small table of text: RFC 4180 with LF or CR LF, a UTF-8 byte order mark, quotes; blank lines are left out.
 * \ingroup NPSNet
 */
struct NPSNet_EXPORT CSVTable
{
  static constexpr std::size_t NotFound = static_cast<std::size_t>(-1);

  std::string                           Source; // for messages
  std::vector<std::string>              Columns;
  std::vector<std::vector<std::string>> Rows;  // each as long as Columns
  std::vector<std::size_t>              Lines; // line number of each row in the file, from 1

  /** Throw itk::ExceptionObject with a sentence that names the source and the line. */
  static CSVTable Parse(const std::string & content, const std::string & source);
  static CSVTable Read(const std::string & fileName);

  std::size_t FindColumn(const std::string & name) const;
  /** Throws itk::ExceptionObject with a sentence that names the columns there are. */
  std::size_t RequireColumn(const std::string & name) const;
};

/** One RFC 4180 line with quotes where they are needed, ended by CR LF. */
NPSNet_EXPORT std::string ToCSVLine(const std::vector<std::string> & cells);
} // namespace itk

#endif
