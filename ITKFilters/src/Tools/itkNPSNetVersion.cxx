// SPDX-License-Identifier: Apache-2.0
#include "itkNPSNetVersion.h"

namespace itk
{
std::string NPSNetVersion()
{
  return NPSNET_VERSION;
}
} // namespace itk
