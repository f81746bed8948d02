// SPDX-License-Identifier: Apache-2.0
#ifndef itkNPSNetVersion_h
#define itkNPSNetVersion_h

#include "NPSNetExport.h"
#include "itkMacro.h"

#include <string>

namespace itk
{
/** Version of NPSNetSegmentation, for example "0.2.0". */
NPSNet_EXPORT std::string NPSNetVersion();
} // namespace itk

#endif
