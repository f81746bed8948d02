// SPDX-License-Identifier: Apache-2.0
#include "itkExceptionSentence.h"

#include "itkMacro.h"

#include <new>

namespace itk
{
std::string ExceptionSentence(const std::exception & error)
{
  if (dynamic_cast<const std::bad_alloc *>(&error) != nullptr)
  {
    return "There is not enough memory.";
  }
  const auto * exception = dynamic_cast<const ExceptionObject *>(&error);
  if (exception == nullptr || exception->GetDescription() == nullptr || *exception->GetDescription() == '\0')
  {
    return error.what();
  }
  // "ITK ERROR: Class(0x...): " is what itkExceptionMacro() begins with, "itk::ERROR: " until ITK 5.2.
  const std::string text = exception->GetDescription();
  const bool        named = text.compare(0, 11, "itk::ERROR:") == 0 || text.compare(0, 10, "ITK ERROR:") == 0;
  const std::size_t start = text.find("): ");
  return named && start != std::string::npos ? text.substr(start + 3) : text;
}
} // namespace itk
