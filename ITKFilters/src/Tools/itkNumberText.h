// SPDX-License-Identifier: Apache-2.0
#ifndef itkNumberText_h
#define itkNumberText_h

#include <cmath>
#include <locale>
#include <optional>
#include <sstream>
#include <string>

#include "itkMacro.h"

namespace itk
{
/** Decimal point whatever the locale; at most `digits` significant digits; nothing for what is not finite. */
inline std::string NumberText(double value, int digits = 7)
{
  if (!std::isfinite(value))
  {
    return {};
  }
  std::ostringstream stream;
  stream.imbue(std::locale::classic());
  stream.precision(digits);
  stream << (value == 0.0 ? 0.0 : value);
  return stream.str();
}

inline std::string NumberText(const std::optional<double> & value, int digits = 7)
{
  return value ? NumberText(*value, digits) : std::string();
}

/** With a fixed number of decimals, for readers. */
inline std::string FixedText(double value, int decimals)
{
  std::ostringstream stream;
  stream.imbue(std::locale::classic());
  stream.setf(std::ios::fixed);
  stream.precision(decimals);
  stream << (std::abs(value) < 0.5 * std::pow(10.0, -decimals) ? 0.0 : value);
  return stream.str();
}
} // namespace itk

#endif
