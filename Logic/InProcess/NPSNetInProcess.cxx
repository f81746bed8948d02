// SPDX-License-Identifier: Apache-2.0
#include "NPSNetRun.h"

#include "itkFundusPhotographAnalyzer.h"
#include "itkProcessObject.h"

#include <map>
#include <mutex>
#include <tuple>

#if defined(_WIN32)
#define NPSNET_IN_PROCESS_EXPORT __declspec(dllexport)
#else
#define NPSNET_IN_PROCESS_EXPORT __attribute__((visibility("default")))
#endif

namespace
{
/// Loading weights takes longer than using them: the last analyzer is kept while its settings are asked for again.
itk::FundusPhotographAnalyzer::Pointer GetAnalyzer(const npsnet::RunRequest& request)
{
  using Key = std::tuple<std::string, std::string, std::string, std::string, int, bool>;
  static std::mutex mutex;
  static Key lastKey;
  static itk::FundusPhotographAnalyzer::Pointer last;
  const std::lock_guard<std::mutex> lock(mutex);
  const Key key(
    request.ModelFileName, request.TTAMode, request.Device, request.Precision, request.NumberOfThreads, request.Locate);
  if (last.IsNull() || key != lastKey)
  {
    itk::FundusAnalyzerSettings settings;
    settings.ModelFile = request.ModelFileName;
    settings.TTAMode = request.TTAMode == "default" ? "auto" : request.TTAMode;
    settings.Device = request.Device;
    settings.Precision = request.Precision;
    settings.Threads = static_cast<unsigned int>(request.NumberOfThreads);
    settings.Locate = request.Locate;
    auto analyzer = itk::FundusPhotographAnalyzer::New();
    analyzer->SetSettings(settings);
    analyzer->Load();
    last = analyzer;
    lastKey = key;
  }
  return last;
}
} // namespace

extern "C" NPSNET_IN_PROCESS_EXPORT void NPSNetAnalyze(const npsnet::RunRequest& request,
  const std::function<bool(double fraction, const std::string& stage)>& progress, itk::FundusResult& result)
{
  itk::FundusPhotographOptions options;
  options.Center = request.Center;
  options.Side = request.CropSide;
  options.Name = request.Name;
  try
  {
    result = GetAnalyzer(request)->Analyze(request.Photograph, options, progress);
  }
  catch (const itk::ProcessAborted&)
  {
    // Cancelled: the caller knows.
  }
}
