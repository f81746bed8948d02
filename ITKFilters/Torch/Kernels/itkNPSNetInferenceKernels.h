// SPDX-License-Identifier: Apache-2.0
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

/** The two by two pixels that a transposed convolution with stride 2 makes of every pixel of x, behind the channels of
 * skip; where they do not reach, zeros stand at the far end. One matrix product, whose result is copied once.
 * weight: C_in x 4 C_out, bias: 4 C_out, both ordered by row, column and channel. */
NPSNetTorch_EXPORT torch::Tensor ConcatenateUpsampled(const torch::Tensor & skip,
                                                      const torch::Tensor & x,
                                                      const torch::Tensor & weight,
                                                      const torch::Tensor & bias);

/** Mean over the radii: B x C x N_rho x N_theta to B x C x N_theta. */
NPSNetTorch_EXPORT torch::Tensor MeanOverRadii(const torch::Tensor & x);
} // namespace npsnet
} // namespace itk

#endif
