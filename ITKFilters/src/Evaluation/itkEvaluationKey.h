// SPDX-License-Identifier: Apache-2.0
#ifndef itkEvaluationKey_h
#define itkEvaluationKey_h

#include "itkMacro.h" // an SDK may rename the namespace there

#include <string>

namespace itk
{
/** What tells the photographs of an evaluation apart: names are unique in a set. */
inline std::string EvaluationKey(const std::string & set, const std::string & name)
{
  return set + "/" + name;
}
} // namespace itk

#endif
