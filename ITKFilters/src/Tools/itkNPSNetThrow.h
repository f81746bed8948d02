// SPDX-License-Identifier: Apache-2.0
#ifndef itkNPSNetThrow_h
#define itkNPSNetThrow_h

#include "itkMacro.h"

#include <sstream>

/** Throws itk::ExceptionObject whose description is the message alone: one sentence that a user can act on. */
#define npsnetThrow(message)                                                                                           \
  {                                                                                                                    \
    std::ostringstream npsnetThrowStream;                                                                              \
    npsnetThrowStream << message;                                                                                      \
    throw ::itk::ExceptionObject(__FILE__, __LINE__, npsnetThrowStream.str(), ITK_LOCATION);                           \
  }

#endif
