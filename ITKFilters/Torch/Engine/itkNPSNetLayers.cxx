// SPDX-License-Identifier: Apache-2.0
#include "itkNPSNetLayers.h"

#include "itkGroupNormFunction.h"
#include "itkWinogradFunction.h"

#include <algorithm>
#include <type_traits>

namespace F = torch::nn::functional;

namespace itk
{
namespace npsnet
{
namespace
{
thread_local int UninitializedDepth = 0;

/** torch::nn::Conv2d or ConvTranspose2d. */
template <typename TModule, typename TOptions>
TModule MakeConvolution(const TOptions & options)
{
  if (UninitializedDepth == 0)
  {
    return TModule(options);
  }
  // The constructor always draws random weights: for one channel, then the storage is exchanged. Only the forward
  // functions of these modules are used, and they ask the weights, not the options, for the channels.
  auto one = options;
  one.in_channels(1).out_channels(1);
  TModule    module(one);
  const bool transposed = std::is_same<TModule, torch::nn::ConvTranspose2d>::value;
  const auto first = transposed ? options.in_channels() : options.out_channels();
  const auto second = transposed ? options.out_channels() : options.in_channels();
  const auto kernel = *options.kernel_size();
  module->weight.set_data(torch::empty({ first, second, kernel[0], kernel[1] }));
  if (module->bias.defined())
  {
    module->bias.set_data(torch::empty({ options.out_channels() }));
  }
  return module;
}

torch::Tensor PadCircular(const torch::Tensor & x, int64_t pad)
{
  const auto last = x.dim() - 1;
  const auto n = x.size(last);
  return torch::cat({ x.narrow(last, n - pad, pad), x, x.narrow(last, 0, pad) }, last);
}
} // namespace

UninitializedWeights::UninitializedWeights()
{
  ++UninitializedDepth;
}

UninitializedWeights::~UninitializedWeights()
{
  --UninitializedDepth;
}

CircularConv2dImpl::CircularConv2dImpl(int64_t in, int64_t out)
{
  conv = register_module("conv", MakeConvolution<torch::nn::Conv2d>(torch::nn::Conv2dOptions(in, out, 3).bias(false)));
}

torch::Tensor CircularConv2dImpl::forward(const torch::Tensor & x)
{
  if (torch::GradMode::is_enabled() && WinogradFunction::Suits(x, conv->weight))
  {
    return WinogradFunction::apply(x, conv->weight);
  }
  // The zeros along rho are left to the convolution: one copy of the features less.
  return torch::conv2d(PadCircular(x, 1), conv->weight, {}, { 1, 1 }, { 1, 0 });
}

ConvBlockImpl::ConvBlockImpl(int64_t in, int64_t out, int64_t groups, bool circular)
{
  for (int i = 0; i < 2; ++i)
  {
    const auto convName = std::to_string(3 * i);
    const auto normName = std::to_string(3 * i + 1);
    if (circular)
    {
      m_Steps[i].circular = register_module(convName, CircularConv2d(in, out));
    }
    else
    {
      m_Steps[i].plain = register_module(
        convName, MakeConvolution<torch::nn::Conv2d>(torch::nn::Conv2dOptions(in, out, 3).padding(1).bias(false)));
    }
    if (groups > 0)
    {
      m_Steps[i].groupNorm =
        register_module(normName, torch::nn::GroupNorm(torch::nn::GroupNormOptions(std::min(groups, out), out)));
    }
    else
    {
      m_Steps[i].batchNorm = register_module(normName, torch::nn::BatchNorm2d(out));
    }
    in = out;
  }
}

torch::Tensor ConvBlockImpl::forward(torch::Tensor x)
{
  for (auto & step : m_Steps)
  {
    x = step.circular ? step.circular->forward(x) : step.plain->forward(x);
    if (step.groupNorm && torch::GradMode::is_enabled() &&
        GroupNormFunction::Suits(x, step.groupNorm->options.num_groups()))
    {
      const auto & norm = *step.groupNorm;
      x = GroupNormFunction::apply(x, norm.weight, norm.bias, norm.options.num_groups(), norm.options.eps());
    }
    else
    {
      x = step.groupNorm ? step.groupNorm->forward(x) : step.batchNorm->forward(x);
      x = x.relu_();
    }
  }
  return x;
}

DoubleConvImpl::DoubleConvImpl(int64_t in, int64_t out, int64_t groups, bool circular)
{
  block = register_module(circular ? "block" : "conv", ConvBlock(in, out, groups, circular));
}

torch::Tensor DoubleConvImpl::forward(const torch::Tensor & x)
{
  return block->forward(x);
}

EncoderImpl::EncoderImpl(int64_t in, int64_t out, int64_t groups, bool circular)
{
  double_conv = register_module("double_conv", DoubleConv(in, out, groups, circular));
}

DecoderImpl::DecoderImpl(int64_t in, int64_t out, int64_t groups, bool circular)
{
  up = register_module(
    "up", MakeConvolution<torch::nn::ConvTranspose2d>(torch::nn::ConvTranspose2dOptions(in, out, 2).stride(2)));
  double_conv = register_module("double_conv", DoubleConv(2 * out, out, groups, circular));
}

torch::Tensor DecoderImpl::forward(const torch::Tensor & x, const torch::Tensor & skip)
{
  auto       y = up->forward(x);
  const auto rows = skip.size(2) - y.size(2);
  const auto columns = skip.size(3) - y.size(3);
  if (rows != 0 || columns != 0)
  {
    // Halving an odd size and doubling it again lacks one sample: a zero at the far end.
    y = F::pad(y, F::PadFuncOptions({ columns / 2, columns - columns / 2, rows / 2, rows - rows / 2 }));
  }
  return double_conv->forward(torch::cat({ skip, y }, 1));
}

EncoderDecoderImpl::EncoderDecoderImpl(const NPSNetArchitecture & architecture)
{
  const auto & channels = architecture.Channels;
  const bool   circular = architecture.IsPolar();
  const auto   groupsOf = [&architecture](std::size_t stage) {
    return architecture.IsMonotone() && stage < architecture.GroupNormStages ? architecture.NormGroups : 0;
  };

  register_module("encoders", encoders);
  int64_t in = 3;
  for (std::size_t i = 0; i < channels.size(); ++i)
  {
    encoders->push_back(Encoder(in, channels[i], groupsOf(i), circular));
    in = channels[i];
  }
  bottleneck = register_module("bottleneck", DoubleConv(in, 2 * in, 0, circular));
  in *= 2;
  if (architecture.ContextFeatures > 0)
  {
    context =
      register_module("context", AngularContext(in, architecture.ContextFeatures, architecture.ContextHarmonics));
  }
  register_module("decoders", decoders);
  for (std::size_t i = channels.size(); i-- > 0;)
  {
    decoders->push_back(Decoder(in, channels[i], groupsOf(i), circular));
    in = channels[i];
  }
}

torch::Tensor EncoderDecoderImpl::forward(torch::Tensor x)
{
  std::vector<torch::Tensor> skips;
  for (const auto & encoder : *encoders)
  {
    skips.push_back(encoder->as<Encoder>()->double_conv->forward(x));
    x = torch::max_pool2d(skips.back(), 2);
  }
  x = bottleneck->forward(x);
  if (context)
  {
    x = context->forward(x);
  }
  for (const auto & decoder : *decoders)
  {
    x = decoder->as<Decoder>()->forward(x, skips.back());
    skips.pop_back();
  }
  return x;
}

MonotoneHeadImpl::MonotoneHeadImpl(int64_t in, const std::string & prefix)
{
  bias_conv = register_module(prefix + "bias_conv", torch::nn::Conv1d(torch::nn::Conv1dOptions(in, 1, 1)));
  dec_conv = register_module(prefix + "dec_conv", torch::nn::Conv2d(torch::nn::Conv2dOptions(in, 1, 1)));
}

torch::Tensor MonotoneHeadImpl::forward(const torch::Tensor & features, const torch::Tensor & rhoMean, double scale)
{
  // In fp32 whatever the precision of the features: a cumulative sum in half precision loses the boundary.
  const auto bias = bias_conv->forward(rhoMean).to(torch::kFloat).unsqueeze(2);
  const auto type = features.scalar_type();
  const auto delta = torch::conv2d(features, dec_conv->weight.to(type), dec_conv->bias.to(type));
  auto       decrements = F::softplus(delta.to(torch::kFloat));
  if (scale != 1.0)
  {
    decrements = decrements * scale;
  }
  return bias - decrements.cumsum(2);
}

CircularConv1dImpl::CircularConv1dImpl(int64_t in, int64_t out, int64_t kernel)
{
  conv = register_module("conv", torch::nn::Conv1d(torch::nn::Conv1dOptions(in, out, kernel)));
}

torch::Tensor CircularConv1dImpl::forward(const torch::Tensor & x)
{
  return conv->forward(PadCircular(x, conv->options.kernel_size()->at(0) / 2));
}

ShapePriorImpl::ShapePriorImpl(int64_t in, int64_t features, int64_t bins)
{
  angular_net = register_module("angular_net",
                                torch::nn::Sequential(CircularConv1d(in, features, 5),
                                                      torch::nn::BatchNorm1d(features),
                                                      torch::nn::ReLU(true),
                                                      CircularConv1d(features, features, 5),
                                                      torch::nn::BatchNorm1d(features),
                                                      torch::nn::ReLU(true),
                                                      CircularConv1d(features, features, 3),
                                                      torch::nn::BatchNorm1d(features),
                                                      torch::nn::ReLU(true)));
  disc_dist_head = register_module("disc_dist_head", torch::nn::Conv1d(torch::nn::Conv1dOptions(features, bins, 1)));
  alpha_dist_head = register_module("alpha_dist_head", torch::nn::Conv1d(torch::nn::Conv1dOptions(features, bins, 1)));
}

std::pair<torch::Tensor, torch::Tensor> ShapePriorImpl::forward(const torch::Tensor & rhoMean)
{
  const auto h = angular_net->forward(rhoMean);
  return { disc_dist_head->forward(h).to(torch::kFloat), alpha_dist_head->forward(h).to(torch::kFloat) };
}
} // namespace npsnet
} // namespace itk
