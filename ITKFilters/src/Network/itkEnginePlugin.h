// SPDX-License-Identifier: Apache-2.0
#ifndef itkEnginePlugin_h
#define itkEnginePlugin_h

#include "itkNPSNetEngine.h"

#include <string>

namespace itk
{
/** \class EnginePlugin
 * \brief Finds engines that are libraries of their own, when they are asked for.
 */
class EnginePlugin
{
public:
  /** An engine on LibTorch. Its library is looked for beside this one; one that ITK has loaded already
   * (ITK_AUTOLOAD_PATH) is taken first. Throws itk::ExceptionObject that says what to install; `why` tells what wants
   * it ("The device cuda"). */
  static NPSNetEngine::Pointer MakeTorchEngine(const std::string & why);

  /** Throws itk::ExceptionObject when the driver of this GPU is not installed. */
  static void RequireDriver(const std::string & device);

  /** Whether that could be of use on a GPU: the plug-in is there, and the driver of the GPU, too. Loads neither
   * LibTorch nor the plug-in. */
  static bool MayHaveGPU();
};
} // namespace itk

#endif
