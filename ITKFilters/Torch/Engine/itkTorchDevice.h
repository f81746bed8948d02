// SPDX-License-Identifier: Apache-2.0
#ifndef itkTorchDevice_h
#define itkTorchDevice_h

#include "NPSNetTorchExport.h"
#include "itkMacro.h"

#include <torch/torch.h>

#include <string>

namespace itk
{
/** "auto", "cpu", "cuda" or "cuda:N" to a device on which a kernel has run. Throws itk::ExceptionObject that says why
 * a device that was asked for cannot be used. Call it on the TorchThread. */
NPSNetTorch_EXPORT torch::Device ResolveTorchDevice(const std::string & name);

/** Whether the convolutions of this processor take bf16 at all, however slowly. */
NPSNetTorch_EXPORT bool CanComputeBFloat16OnCPU();

/** "auto", "fp32", "bf16" or "fp16" to a type that pays on the device. Throws itk::ExceptionObject for one that cannot
 * be had there. */
NPSNetTorch_EXPORT torch::ScalarType ResolveTorchPrecision(const std::string & name, const torch::Device & device);
} // namespace itk

#endif
