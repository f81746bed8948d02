// SPDX-License-Identifier: Apache-2.0
#include "itkEyeLaterality.h"

#include <algorithm>

namespace itk
{
namespace
{
// Not <cctype>: the locale must not decide, and bytes of UTF-8 are letters here, never delimiters.
char Lower(char c)
{
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool IsDigit(char c)
{
  return c >= '0' && c <= '9';
}

bool IsLetter(char c)
{
  return (Lower(c) >= 'a' && Lower(c) <= 'z') || static_cast<unsigned char>(c) >= 0x80;
}

std::string Lower(std::string text)
{
  std::transform(text.begin(), text.end(), text.begin(), [](char c) { return Lower(c); });
  return text;
}

std::string Stem(const std::string & path)
{
  std::string       name = Lower(path.substr(path.find_last_of("/\\") + 1));
  const std::size_t length = name.size();
  if (length > 3 && name.compare(length - 3, 3, ".gz") == 0)
  {
    name.resize(length - 3);
  }
  const std::size_t dot = name.find_last_of('.');
  return dot == std::string::npos || dot == 0 ? name : name.substr(0, dot);
}

EyeSideEnum SideOfWord(const std::string & lower)
{
  if (lower == "od" || lower == "r" || lower == "right")
  {
    return EyeSideEnum::OD;
  }
  if (lower == "os" || lower == "l" || lower == "left")
  {
    return EyeSideEnum::OS;
  }
  return EyeSideEnum::Unknown;
}
} // namespace

EyeSideEnum EyeSideFromText(const std::string & text)
{
  const EyeSideEnum side = SideOfWord(Lower(text));
  if (side == EyeSideEnum::Unknown)
  {
    itkGenericExceptionMacro("\"" << text << "\" is not an eye: say OD (right), OS (left) or auto.");
  }
  return side;
}

EyeSideEnum EyeSideFromDICOM(const std::string & laterality)
{
  if (laterality == "R")
  {
    return EyeSideEnum::OD;
  }
  return laterality == "L" ? EyeSideEnum::OS : EyeSideEnum::Unknown;
}

EyeSideEnum EyeSideFromFileName(const std::string & path)
{
  const std::string stem = Stem(path);
  bool              right = false;
  bool              left = false;
  const auto        note = [&](EyeSideEnum side) {
    right = right || side == EyeSideEnum::OD;
    left = left || side == EyeSideEnum::OS;
  };

  // Runs of letters are enough for OD and OS; other words also must not touch a digit.
  for (std::size_t begin = 0; begin < stem.size();)
  {
    if (!IsLetter(stem[begin]))
    {
      ++begin;
      continue;
    }
    std::size_t end = begin;
    while (end < stem.size() && IsLetter(stem[end]))
    {
      ++end;
    }
    const std::string run = stem.substr(begin, end - begin);
    const bool touchesDigit = (begin > 0 && IsDigit(stem[begin - 1])) || (end < stem.size() && IsDigit(stem[end]));
    if (run == "od" || run == "os" || !touchesDigit)
    {
      note(SideOfWord(run));
    }
    begin = end;
  }
  if (right == left)
  {
    return EyeSideEnum::Unknown;
  }
  return right ? EyeSideEnum::OD : EyeSideEnum::OS;
}

EyeLaterality DetermineEyeLaterality(const std::string & user, const std::string & dicom, const std::string & fileName)
{
  if (!user.empty() && Lower(user) != "auto")
  {
    return { EyeSideFromText(user), EyeSourceEnum::User };
  }
  const EyeSideEnum fromDICOM = EyeSideFromDICOM(dicom);
  if (fromDICOM != EyeSideEnum::Unknown)
  {
    return { fromDICOM, EyeSourceEnum::DICOM };
  }
  const EyeSideEnum fromName = EyeSideFromFileName(fileName);
  return { fromName, fromName == EyeSideEnum::Unknown ? EyeSourceEnum::None : EyeSourceEnum::FileName };
}
} // namespace itk
