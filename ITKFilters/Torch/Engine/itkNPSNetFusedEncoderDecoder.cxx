// SPDX-License-Identifier: Apache-2.0
#include "itkNPSNetFusedEncoderDecoder.h"

#include "itkNPSNetInferenceKernels.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include <algorithm>

namespace itk
{
namespace npsnet
{
namespace
{
constexpr double NormEpsilon = 1e-5; // PyTorch's default for both norms

/** Convolution with packed weights and an element-wise function in its epilogue; ATen has no C++ function for it. */
torch::Tensor PackedConvolution(const torch::Tensor &        x,
                                const torch::Tensor &        weight,
                                const torch::Tensor &        bias,
                                const std::vector<int64_t> & padding,
                                const char *                 epilogue)
{
  static const auto          op = c10::Dispatcher::singleton().findSchemaOrThrow("mkldnn::_convolution_pointwise", "");
  const std::vector<int64_t> ones{ 1, 1 };
  std::vector<c10::IValue>   stack;
  stack.reserve(10);
  stack.emplace_back(x);
  stack.emplace_back(weight);
  stack.emplace_back(bias.defined() ? c10::IValue(bias) : c10::IValue());
  stack.emplace_back(padding);
  stack.emplace_back(ones);
  stack.emplace_back(ones);
  stack.emplace_back(int64_t{ 1 });
  stack.emplace_back(std::string(epilogue));
  stack.emplace_back(c10::List<c10::optional<at::Scalar>>());
  stack.emplace_back(c10::IValue());
  op.callBoxed(&stack);
  return stack.front().toTensor();
}
} // namespace

FusedEncoderDecoder::FusedEncoderDecoder(const NPSNetArchitecture & architecture,
                                         const StateType &          state,
                                         const std::string &        prefix,
                                         torch::ScalarType          precision)
  : m_Precision(precision)
  , m_Groups(architecture.NormGroups)
{
  const auto depth = architecture.Channels.size();
  const auto folded = [&](std::size_t stage) { return stage >= architecture.GroupNormStages; };
  for (std::size_t i = 0; i < depth; ++i)
  {
    m_Encoders.push_back(
      this->MakeStage(state, prefix + "encoders." + std::to_string(i) + ".double_conv.block.", folded(i)));
  }
  m_Bottleneck = this->MakeStage(state, prefix + "bottleneck.block.", true);
  if (architecture.ContextFeatures > 0)
  {
    m_Context =
      AngularContext(2 * architecture.Channels.back(), architecture.ContextFeatures, architecture.ContextHarmonics);
    TorchModuleState own;
    for (const auto & item : GetTorchModuleState(*m_Context))
    {
      own[item.first] = state.at(prefix + "context." + item.first);
    }
    SetTorchModuleState(*m_Context, own, "an angular context");
  }
  for (std::size_t i = 0; i < depth; ++i)
  {
    const auto decoder = prefix + "decoders." + std::to_string(i) + ".";
    m_Decoders.push_back(this->MakeStage(state, decoder + "double_conv.block.", folded(depth - 1 - i)));
    const auto up = state.at(decoder + "up.weight").to(precision).permute({ 0, 2, 3, 1 });
    m_Decoders.back().upWeight = up.reshape({ up.size(0), -1 }).contiguous();
    m_Decoders.back().upBias = state.at(decoder + "up.bias").to(precision).repeat({ 4 });
  }
}

FusedEncoderDecoder::Step FusedEncoderDecoder::MakeStep(const StateType &   state,
                                                        const std::string & convolution,
                                                        const std::string & norm,
                                                        bool                folded) const
{
  Step step;
  auto weight = state.at(convolution).to(torch::kFloat);
  if (folded)
  {
    const auto scale = state.at(norm + "weight").to(torch::kDouble) /
                       (state.at(norm + "running_var").to(torch::kDouble) + NormEpsilon).sqrt();
    weight = weight * scale.to(torch::kFloat).view({ -1, 1, 1, 1 });
    step.bias =
      (state.at(norm + "bias").to(torch::kDouble) - state.at(norm + "running_mean").to(torch::kDouble) * scale)
        .to(m_Precision);
  }
  else
  {
    step.normWeight = state.at(norm + "weight").to(torch::kFloat).contiguous();
    step.normBias = state.at(norm + "bias").to(torch::kFloat).contiguous();
  }
  if (m_Precision == torch::kFloat && WinogradConvolution::Suits(weight))
  {
    step.winograd = std::make_shared<WinogradConvolution>(folded ? weight : weight.clone());
    return step;
  }
  step.weight = torch::mkldnn_reorder_conv2d_weight(weight.to(m_Precision).contiguous().to_mkldnn(), { 1, 1 });
  return step;
}

FusedEncoderDecoder::Stage FusedEncoderDecoder::MakeStage(const StateType &   state,
                                                          const std::string & prefix,
                                                          bool                folded) const
{
  Stage stage;
  for (int i = 0; i < 2; ++i)
  {
    stage.steps[i] = this->MakeStep(
      state, prefix + std::to_string(3 * i) + ".conv.weight", prefix + std::to_string(3 * i + 1) + ".", folded);
  }
  return stage;
}

torch::Tensor FusedEncoderDecoder::Convolve(const torch::Tensor & x, const Step & step) const
{
  if (step.winograd)
  {
    return (*step.winograd)(x, step.bias);
  }
  const char *  epilogue = step.bias.defined() ? "relu" : "none";
  const int64_t last = x.size(3) - 1;
  if (last < 3)
  {
    const auto padded = torch::cat({ x.narrow(3, last, 1), x, x.narrow(3, 0, 1) }, 3);
    return PackedConvolution(
      padded.contiguous(torch::MemoryFormat::ChannelsLast), step.weight, step.bias, { 1, 0 }, epilogue);
  }
  auto       y = PackedConvolution(x, step.weight, step.bias, { 1, 1 }, epilogue);
  const auto around = torch::cat({ x.narrow(3, last - 1, 2), x.narrow(3, 0, 2) }, 3);
  const auto seam =
    PackedConvolution(around.contiguous(torch::MemoryFormat::ChannelsLast), step.weight, step.bias, { 1, 0 }, epilogue);
  y.select(3, last).copy_(seam.select(3, 0));
  y.select(3, 0).copy_(seam.select(3, 1));
  return y;
}

torch::Tensor FusedEncoderDecoder::Run(torch::Tensor x, const Stage & stage) const
{
  for (const auto & step : stage.steps)
  {
    x = this->Convolve(x, step);
    if (step.normWeight.defined())
    {
      GroupNormReLU_(x, std::min(m_Groups, x.size(1)), step.normWeight, step.normBias, NormEpsilon);
    }
  }
  return x;
}

torch::Tensor FusedEncoderDecoder::forward(const torch::Tensor & image) const
{
  auto                       x = image.to(m_Precision).contiguous(torch::MemoryFormat::ChannelsLast);
  std::vector<torch::Tensor> skips;
  for (const auto & encoder : m_Encoders)
  {
    skips.push_back(this->Run(x, encoder));
    x = MaxPool2(skips.back());
  }
  x = this->Run(x, m_Bottleneck);
  if (m_Context)
  {
    x = m_Context->forward(x).contiguous(torch::MemoryFormat::ChannelsLast);
  }
  for (const auto & decoder : m_Decoders)
  {
    x = ConcatenateUpsampled(skips.back(), x, decoder.upWeight, decoder.upBias);
    skips.pop_back();
    x = this->Run(x, decoder);
  }
  return x;
}
} // namespace npsnet
} // namespace itk
