// SPDX-License-Identifier: Apache-2.0
#ifndef itkNPSNetLayers_h
#define itkNPSNetLayers_h

#include "itkAngularContext.h"
#include "itkMacro.h"
#include "itkNPSNetArchitecture.h"

#include <torch/torch.h>

#include <string>
#include <utility>
#include <vector>

/** Building blocks of the networks; the names given to register_module() are those of the authors' files. */
namespace itk
{
namespace npsnet
{
/** While one lives, this thread's convolutions are made without random weights: thirty million random numbers take
 * longer than reading the weights that are to replace them. */
class UninitializedWeights
{
public:
  UninitializedWeights();
  ~UninitializedWeights();
  UninitializedWeights(const UninitializedWeights &) = delete;
  UninitializedWeights & operator=(const UninitializedWeights &) = delete;
};

/** 3x3 convolution without bias: circular along theta (columns), zeros along rho (rows). */
struct CircularConv2dImpl : torch::nn::Module
{
  CircularConv2dImpl(int64_t in, int64_t out);
  torch::Tensor     forward(const torch::Tensor & x);
  torch::nn::Conv2d conv{ nullptr };
};
TORCH_MODULE(CircularConv2d);

/** (convolution, norm, ReLU) twice. groups = 0 means BatchNorm. */
struct ConvBlockImpl : torch::nn::Module
{
  ConvBlockImpl(int64_t in, int64_t out, int64_t groups, bool circular);
  torch::Tensor forward(torch::Tensor x);

private:
  struct Step
  {
    CircularConv2d         circular{ nullptr };
    torch::nn::Conv2d      plain{ nullptr };
    torch::nn::GroupNorm   groupNorm{ nullptr };
    torch::nn::BatchNorm2d batchNorm{ nullptr };
  };
  Step m_Steps[2];
};
TORCH_MODULE(ConvBlock);

/** The block under the name the authors gave it: "block" in polar networks, "conv" in the plain UNet. */
struct DoubleConvImpl : torch::nn::Module
{
  DoubleConvImpl(int64_t in, int64_t out, int64_t groups, bool circular);
  torch::Tensor forward(const torch::Tensor & x);
  ConvBlock     block{ nullptr };
};
TORCH_MODULE(DoubleConv);

struct EncoderImpl : torch::nn::Module
{
  EncoderImpl(int64_t in, int64_t out, int64_t groups, bool circular);
  DoubleConv double_conv{ nullptr };
};
TORCH_MODULE(Encoder);

struct DecoderImpl : torch::nn::Module
{
  DecoderImpl(int64_t in, int64_t out, int64_t groups, bool circular);
  torch::Tensor              forward(const torch::Tensor & x, const torch::Tensor & skip);
  torch::nn::ConvTranspose2d up{ nullptr };
  DoubleConv                 double_conv{ nullptr };
};
TORCH_MODULE(Decoder);

/** The encoder-decoder. Its children are registered on `owner`, which may be this module or its parent. */
struct EncoderDecoderImpl : torch::nn::Module
{
  explicit EncoderDecoderImpl(const NPSNetArchitecture & architecture);
  torch::Tensor forward(torch::Tensor x);

protected:
  torch::nn::ModuleList encoders, decoders;
  DoubleConv            bottleneck{ nullptr };
  AngularContext        context{ nullptr };
};
TORCH_MODULE(EncoderDecoder);

/** L(rho_j, theta) = a(theta) - scale * sum_{m <= j} softplus(delta(rho_m, theta)). */
struct MonotoneHeadImpl : torch::nn::Module
{
  MonotoneHeadImpl(int64_t in, const std::string & prefix);
  torch::Tensor     forward(const torch::Tensor & features, const torch::Tensor & rhoMean, double scale);
  torch::nn::Conv1d bias_conv{ nullptr };
  torch::nn::Conv2d dec_conv{ nullptr };
};
TORCH_MODULE(MonotoneHead);

struct CircularConv1dImpl : torch::nn::Module
{
  CircularConv1dImpl(int64_t in, int64_t out, int64_t kernel);
  torch::Tensor     forward(const torch::Tensor & x);
  torch::nn::Conv1d conv{ nullptr };
};
TORCH_MODULE(CircularConv1d);

/** Distributions of the disc radius and of the cup-to-disc ratio per angle (logits divided by the temperature). */
struct ShapePriorImpl : torch::nn::Module
{
  ShapePriorImpl(int64_t in, int64_t features, int64_t bins);
  /** rhoMean: B x C x N_theta. Returns the raw logits of both heads. */
  std::pair<torch::Tensor, torch::Tensor> forward(const torch::Tensor & rhoMean);

private:
  torch::nn::Sequential angular_net{ nullptr };
  torch::nn::Conv1d     disc_dist_head{ nullptr }, alpha_dist_head{ nullptr };
};
TORCH_MODULE(ShapePrior);
} // namespace npsnet
} // namespace itk

#endif
