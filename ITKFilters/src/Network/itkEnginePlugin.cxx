// SPDX-License-Identifier: Apache-2.0
#include "itkEnginePlugin.h"

#include "itkNPSNetThrow.h"
#include "itkObjectFactoryBase.h"
#include "itksys/DynamicLoader.hxx"

#include <filesystem>
#include <mutex>

#ifndef _WIN32
#include <dlfcn.h>
#endif

namespace itk
{
namespace
{
constexpr char EngineName[] = "NPSNetTorchEngine";

std::string GetPluginName()
{
  return std::string(itksys::DynamicLoader::LibPrefix()) + "ITKNPSNetTorch" + itksys::DynamicLoader::LibExtension();
}

/** Beside the library that holds this function. */
std::filesystem::path GetPluginFile()
{
#ifndef _WIN32
  Dl_info info;
  if (dladdr(reinterpret_cast<const void *>(&GetPluginFile), &info) != 0 && info.dli_fname != nullptr)
  {
    std::error_code error;
    const auto      library = std::filesystem::canonical(info.dli_fname, error);
    if (!error)
    {
      return library.parent_path() / GetPluginName();
    }
  }
#endif
  return GetPluginName();
}

bool HasDriver()
{
#ifdef _WIN32
  return false;
#else
  static const bool has = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_GLOBAL) != nullptr;
  return has;
#endif
}

#if defined(RTLD_NOLOAD)
bool IsLoaded(const std::string & library)
{
  void * const handle = dlopen(library.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (handle != nullptr)
  {
    dlclose(handle);
  }
  return handle != nullptr;
}

/** Python's torch, for example. */
bool HasForeignTorch()
{
  return IsLoaded("libtorch_cpu.so") && !IsLoaded(GetPluginFile().string());
}
#else
bool HasForeignTorch()
{
  return false;
}
#endif

NPSNetEngine::Pointer CreateEngine()
{
  const LightObject::Pointer object = ObjectFactoryBase::CreateInstance(EngineName);
  return dynamic_cast<NPSNetEngine *>(object.GetPointer());
}

/** Empty, or the reason why not. */
std::string LoadPlugin()
{
  const auto      file = GetPluginFile();
  std::error_code error;
  if (!std::filesystem::exists(file, error))
  {
    return "it is not installed (" + file.string() + " is missing)";
  }
  if (HasForeignTorch())
  {
    return "this process has loaded another LibTorch already, and a second would crash it";
  }
  const auto library = itksys::DynamicLoader::OpenLibrary(file.string());
  if (!library)
  {
    const char * reason = itksys::DynamicLoader::LastError();
    return std::string("it cannot be loaded: ") + (reason ? reason : "unknown reason");
  }
  using LoadFunction = ObjectFactoryBase * (*)();
  const auto load = reinterpret_cast<LoadFunction>(itksys::DynamicLoader::GetSymbolAddress(library, "itkLoad"));
  if (!load)
  {
    return file.string() + " has no factory of engines";
  }
  ObjectFactoryBase::RegisterFactory(load());
  return "";
}
} // namespace

NPSNetEngine::Pointer EnginePlugin::MakeTorchEngine(const std::string & why)
{
  static std::mutex                 mutex;
  const std::lock_guard<std::mutex> lock(mutex);
  if (auto engine = CreateEngine())
  {
    return engine;
  }
  const std::string problem = LoadPlugin();
  const auto        engine = CreateEngine();
  if (engine.IsNull())
  {
    npsnetThrow(why << " cannot be used: it needs the LibTorch plug-in, but "
                    << (problem.empty() ? "that has no engine" : problem)
                    << "; get it with ./npsnet setup --torch, or use --device cpu.");
  }
  return engine;
}

void EnginePlugin::RequireDriver(const std::string & device)
{
  if (!HasDriver())
  {
    npsnetThrow("The device " << device
                              << " cannot be used: no NVIDIA driver is installed (libcuda.so.1 is missing); use "
                                 "--device cpu.");
  }
}

bool EnginePlugin::MayHaveGPU()
{
  std::error_code error;
  return std::filesystem::exists(GetPluginFile(), error) && !HasForeignTorch() && HasDriver();
}
} // namespace itk
