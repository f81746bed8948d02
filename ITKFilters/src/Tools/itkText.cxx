// SPDX-License-Identifier: Apache-2.0
#include "itkText.h"

#include <charconv>
#include <cmath>
#include <locale>
#include <sstream>

namespace itk
{
std::size_t GetUTF8SequenceLength(const std::string & text, std::size_t position)
{
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[position + k]); };
  const auto lead = byte(0);
  if (lead < 0x80)
  {
    return 1;
  }
  const std::size_t length = lead >= 0xC2 && lead < 0xE0   ? 2
                             : lead >= 0xE0 && lead < 0xF0 ? 3
                             : lead >= 0xF0 && lead < 0xF5 ? 4
                                                           : 0;
  if (length == 0 || position + length > text.size())
  {
    return 0;
  }
  for (std::size_t k = 1; k < length; ++k)
  {
    if ((byte(k) & 0xC0) != 0x80)
    {
      return 0;
    }
  }
  // Overlong forms, surrogates and code points past U+10FFFF.
  const bool wrong = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xED && byte(1) > 0x9F) ||
                     (lead == 0xF0 && byte(1) < 0x90) || (lead == 0xF4 && byte(1) > 0x8F);
  return wrong ? 0 : length;
}

std::string Printable(const std::string & text)
{
  static const char * const digits = "0123456789ABCDEF";
  std::string               out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();)
  {
    const auto        byte = static_cast<unsigned char>(text[i]);
    const std::size_t length = GetUTF8SequenceLength(text, i);
    if (length == 0)
    {
      out += { '%', digits[byte >> 4], digits[byte & 15] };
    }
    else if (byte < 0x20 || byte == 0x7f)
    {
      out += ' ';
    }
    else
    {
      out.append(text, i, length);
    }
    i += length == 0 ? 1 : length;
  }
  return out;
}

std::string NumberText(double value, int digits)
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

std::string NumberText(const std::optional<double> & value, int digits)
{
  return value ? NumberText(*value, digits) : std::string();
}

std::string FixedText(double value, int decimals)
{
  std::ostringstream stream;
  stream.imbue(std::locale::classic());
  stream.setf(std::ios::fixed);
  stream.precision(decimals);
  stream << (std::abs(value) < 0.5 * std::pow(10.0, -decimals) ? 0.0 : value);
  return stream.str();
}

std::string ShortestText(double value)
{
  char       buffer[64];
  const auto result = std::to_chars(buffer, buffer + sizeof(buffer), value);
  return std::string(buffer, result.ptr);
}
} // namespace itk
