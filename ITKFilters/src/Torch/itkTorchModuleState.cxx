#include "itkTorchModuleState.h"

#include "itkNPSNetThrow.h"

namespace itk
{
namespace
{
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
    if (given.is_floating_point() && !torch::isfinite(given).all().item<bool>())
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
