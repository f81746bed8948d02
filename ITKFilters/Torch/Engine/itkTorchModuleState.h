// SPDX-License-Identifier: Apache-2.0
#ifndef itkTorchModuleState_h
#define itkTorchModuleState_h

#include "itkMacro.h"

#include <torch/torch.h>

#include <functional>
#include <map>
#include <string>

namespace itk
{
using TorchModuleState = std::map<std::string, torch::Tensor>;

/** Parameters and buffers by name, detached but not copied. */
TorchModuleState GetTorchModuleState(const torch::nn::Module & module);

/** Copies all tensors in, or none: throws itk::ExceptionObject naming the tensor that is missing, unknown, not finite
 * or of another shape. \a what names the kind of network in messages ("a b4 network"); names for which \a ignored is
 * true are passed over. */
void SetTorchModuleState(torch::nn::Module &                              module,
                         const TorchModuleState &                         state,
                         const std::string &                              what,
                         const std::function<bool(const std::string &)> & ignored = {});
} // namespace itk

#endif
