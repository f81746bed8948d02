// SPDX-License-Identifier: Apache-2.0
#ifndef itkExceptionSentence_h
#define itkExceptionSentence_h

#include "NPSNetExport.h"
#include "itkMacro.h"

#include <exception>
#include <string>

namespace itk
{
/** What a user is told of an exception: the description of ITK's without the class and address before it.
 * \ingroup NPSNet */
NPSNet_EXPORT std::string ExceptionSentence(const std::exception & error);
} // namespace itk

#endif
