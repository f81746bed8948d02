#ifndef itkNPSNetInferenceKernels_h
#define itkNPSNetInferenceKernels_h

#include "NPSNetTorchExport.h"
#include "itkMacro.h"

#include <torch/torch.h>

/** Memory-bound steps of the encoder-decoder, each one sweep over channels-last fp32 or bf16 features. */
namespace itk
{
namespace npsnet
{
/** y = ReLU(GroupNorm(x)) in place. */
NPSNetTorch_EXPORT void GroupNormReLU_(torch::Tensor &       x,
                                       int64_t               groups,
                                       const torch::Tensor & weight,
                                       const torch::Tensor & bias,
                                       double                eps);

/** 2x2 maximum with stride 2; a last odd row or column is dropped as PyTorch does. */
NPSNetTorch_EXPORT torch::Tensor MaxPool2(const torch::Tensor & x);

/** Channels of a, then those of b; where b is smaller, zeros stand at its far end. */
NPSNetTorch_EXPORT torch::Tensor ConcatenateChannels(const torch::Tensor & a, const torch::Tensor & b);
} // namespace npsnet
} // namespace itk

#endif
