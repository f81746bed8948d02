// SPDX-License-Identifier: Apache-2.0
#include "itkTorchModuleState.h"

#include "itkNPSNetThrow.h"

#include <cmath>

namespace itk
{
namespace
{
bool IsFinite(const torch::Tensor & tensor)
{
  if (!tensor.is_floating_point() || tensor.numel() == 0)
  {
    return true;
  }
  // One sweep; a NaN is both the smallest and the largest.
  const auto range = torch::aminmax(tensor);
  return std::isfinite(std::get<0>(range).item<double>()) && std::isfinite(std::get<1>(range).item<double>());
}

bool IsOptional(const std::string & name)
{
  const std::string end = ".num_batches_tracked";
  return name.size() > end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0;
}
} // namespace

TorchModuleState GetTorchModuleState(const torch::nn::Module & module)
{
  TorchModuleState state;
  for (const auto & item : module.named_parameters())
  {
    state[item.key()] = item.value().detach();
  }
  for (const auto & item : module.named_buffers())
  {
    state[item.key()] = item.value().detach();
  }
  return state;
}

void SetTorchModuleState(torch::nn::Module &                              module,
                         const TorchModuleState &                         state,
                         const std::string &                              what,
                         const std::function<bool(const std::string &)> & ignored)
{
  torch::NoGradGuard noGrad;
  auto               own = GetTorchModuleState(module);
  for (auto & item : own)
  {
    const auto found = state.find(item.first);
    if (found == state.end())
    {
      if (IsOptional(item.first))
      {
        continue;
      }
      npsnetThrow("The weights lack the tensor \"" << item.first << "\" " << item.second.sizes() << " of " << what
                                                   << '.');
    }
    const auto & given = found->second;
    if (given.sizes() != item.second.sizes())
    {
      npsnetThrow("The tensor \"" << item.first << "\" has shape " << given.sizes() << " where " << what << " needs "
                                  << item.second.sizes() << '.');
    }
    if (!IsFinite(given))
    {
      npsnetThrow("The tensor \"" << item.first << "\" holds values that are not finite.");
    }
  }
  for (const auto & item : state)
  {
    if (own.find(item.first) == own.end() && !(ignored && ignored(item.first)))
    {
      npsnetThrow("The weights hold the tensor \"" << item.first << "\" that " << what << " does not have.");
    }
  }
  for (auto & item : own)
  {
    const auto found = state.find(item.first);
    if (found != state.end())
    {
      item.second.copy_(found->second);
    }
  }
}
} // namespace itk
