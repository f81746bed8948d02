// SPDX-License-Identifier: Apache-2.0
#ifndef itkEnumText_h
#define itkEnumText_h

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "itkMacro.h"

namespace itk
{
/** The text of every value of an enumeration, once, for both directions:
 * \code
 * constexpr EnumText<EyeSideEnum> EyeSides[] = { { EyeSideEnum::OD, "OD" }, ... };
 * \endcode */
template <typename TEnum>
using EnumText = std::pair<TEnum, const char *>;

/** Empty for a value without a text. */
template <typename TEnum, std::size_t VCount>
std::string EnumToText(const EnumText<TEnum> (&texts)[VCount], TEnum value)
{
  for (const auto & entry : texts)
  {
    if (entry.first == value)
    {
      return entry.second;
    }
  }
  return {};
}

template <typename TEnum, std::size_t VCount>
std::optional<TEnum> EnumFromText(const EnumText<TEnum> (&texts)[VCount], const std::string & text)
{
  for (const auto & entry : texts)
  {
    if (text == entry.second)
    {
      return entry.first;
    }
  }
  return std::nullopt;
}

/** "off, fast or full", for a sentence about a wrong text. */
template <typename TEnum, std::size_t VCount>
std::string EnumChoices(const EnumText<TEnum> (&texts)[VCount])
{
  std::string choices;
  for (std::size_t i = 0; i < VCount; ++i)
  {
    choices += (i == 0 ? "" : i + 1 < VCount ? ", " : " or ") + std::string(texts[i].second);
  }
  return choices;
}
} // namespace itk

#endif
