// SPDX-License-Identifier: Apache-2.0
#ifndef itkNameOfClass_h
#define itkNameOfClass_h

#include "itkMacro.h"

// ITK has it since 5.4; it will drop itkTypeMacro.
#ifndef itkOverrideGetNameOfClassMacro
#define itkOverrideGetNameOfClassMacro(thisClass)                                                                      \
  const char * GetNameOfClass() const override                                                                         \
  {                                                                                                                    \
    return #thisClass;                                                                                                 \
  }                                                                                                                    \
  static_assert(true, "a semicolon follows")
#endif

#endif
