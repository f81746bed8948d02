// SPDX-License-Identifier: Apache-2.0
#ifndef itkText_h
#define itkText_h

#include "NPSNetExport.h"
#include "itkMacro.h"

#include <cstddef>
#include <optional>
#include <string>

namespace itk
{
/** Length of the UTF-8 sequence that begins there, 0 where none does (overlong forms and surrogates are none). */
NPSNet_EXPORT std::size_t GetUTF8SequenceLength(const std::string & text, std::size_t position);

/** One printable line of valid UTF-8: control characters become blanks, other bytes %XX. */
NPSNet_EXPORT std::string Printable(const std::string & text);

/** Decimal point whatever the locale; at most `digits` significant digits; nothing for what is not finite. */
NPSNet_EXPORT std::string NumberText(double value, int digits = 7);
NPSNet_EXPORT std::string NumberText(const std::optional<double> & value, int digits = 7);

/** With a fixed number of decimals, for readers. */
NPSNet_EXPORT std::string FixedText(double value, int decimals);

/** The shortest text that reads back as the same number; "nan" and "inf" for those. */
NPSNet_EXPORT std::string ShortestText(double value);
} // namespace itk

#endif
