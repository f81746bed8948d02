// SPDX-License-Identifier: Apache-2.0
#include "itkTorchDevice.h"

#include "itkNPSNetThrow.h"
#include "itkOneDNNInstructions.h"

#ifndef _WIN32
#include <dlfcn.h>
#endif

namespace itk
{
namespace
{
/** Empty when CUDA can be asked for devices, else the reason why not. */
std::string LoadCuda()
{
#ifndef _WIN32
  // Only libtorch_cpu is linked: the CUDA half registers itself when it is loaded. Without a driver that would cost
  // a gigabyte of libraries for nothing.
  if (!torch::cuda::is_available())
  {
    if (!dlopen("libcuda.so.1", RTLD_LAZY | RTLD_GLOBAL))
    {
      return "no NVIDIA driver is installed (libcuda.so.1 is missing)";
    }
    if (!dlopen("libtorch_cuda.so", RTLD_LAZY | RTLD_GLOBAL))
    {
      const char * reason = dlerror();
      return std::string("the CUDA part of LibTorch cannot be loaded (") + (reason ? reason : "unknown reason") +
             "); install torch together with its NVIDIA dependencies";
    }
  }
#endif
  return torch::cuda::is_available() ? "" : "LibTorch finds no usable NVIDIA GPU";
}

const std::string & CudaProblem()
{
  static const std::string problem = LoadCuda();
  return problem;
}

/** Empty when a kernel runs there. */
std::string ProblemOf(const torch::Device & device)
{
  if (!CudaProblem().empty())
  {
    return CudaProblem();
  }
  if (static_cast<std::size_t>(device.index()) >= torch::cuda::device_count())
  {
    return "there are only " + std::to_string(torch::cuda::device_count()) + " GPUs";
  }
  try
  {
    const torch::NoGradGuard noGrad;
    torch::ones({ 8 }, device).add_(1).sum().item<float>();
  }
  catch (const c10::Error & error)
  {
    const std::string what = error.what_without_backtrace();
    if (what.find("no kernel image") != std::string::npos)
    {
      return "this LibTorch (" TORCH_VERSION ") has no kernels for that GPU; the newest cards (sm_120) need "
             "LibTorch 2.7 or later built for CUDA 12.8";
    }
    return "a first computation on it failed: " + what.substr(0, what.find('\n'));
  }
  return "";
}
} // namespace

torch::Device ResolveTorchDevice(const std::string & name)
{
  if (name == "cpu")
  {
    return torch::Device(torch::kCPU);
  }
  if (name == "auto" || name.empty())
  {
    const torch::Device first(torch::kCUDA, 0);
    return ProblemOf(first).empty() ? first : torch::Device(torch::kCPU);
  }
  const bool numbered = name.size() > 5 && name.size() < 8 && name.compare(0, 5, "cuda:") == 0 &&
                        name.find_first_not_of("0123456789", 5) == std::string::npos;
  if (name != "cuda" && !numbered)
  {
    npsnetThrow("Unknown device \"" << name << "\": use auto, cpu, cuda or cuda:N.");
  }
  const torch::Device device(torch::kCUDA, static_cast<c10::DeviceIndex>(numbered ? std::stoi(name.substr(5)) : 0));
  const std::string   problem = ProblemOf(device);
  if (!problem.empty())
  {
    npsnetThrow("The device " << name << " cannot be used: " << problem << "; use --device cpu.");
  }
  return device;
}

bool CanComputeBFloat16OnCPU()
{
  static const bool can = [] {
    AvoidUnusableMatrixTiles();
    try
    {
      const torch::NoGradGuard noGrad;
      torch::mkldnn_reorder_conv2d_weight(torch::zeros({ 8, 8, 3, 3 }, torch::kBFloat16).to_mkldnn(), { 1, 1 });
      return true;
    }
    catch (const c10::Error &)
    {
      return false; // oneDNN wants AVX-512 or AVX-NE-CONVERT
    }
  }();
  return can;
}

torch::ScalarType ResolveTorchPrecision(const std::string & name, const torch::Device & device)
{
  if (name == "auto" || name.empty())
  {
    // Not bf16 where a processor has it: our fp32 convolutions are faster, and the same photo has the same figures
    // everywhere.
    return device.is_cuda() ? torch::kHalf : torch::kFloat;
  }
  if (name == "fp32")
  {
    return torch::kFloat;
  }
  if (name == "bf16")
  {
    if (device.is_cpu() && !CanComputeBFloat16OnCPU())
    {
      npsnetThrow("Precision bf16 needs a GPU or a processor with AVX-512: use fp32 or auto here.");
    }
    return torch::kBFloat16;
  }
  if (name == "fp16")
  {
    if (!device.is_cuda())
    {
      npsnetThrow("Precision fp16 needs a GPU: use bf16 or fp32 on the CPU.");
    }
    return torch::kHalf;
  }
  npsnetThrow("Unknown precision \"" << name << "\": use auto, fp32, bf16 or fp16.");
}
} // namespace itk
