// SPDX-License-Identifier: Apache-2.0
#include "NPSNetRun.h"

#include "itkFundusPhotographAnalyzer.h"
#include "itkProcessObject.h"

#include <mutex>

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
  static std::mutex mutex;
  static itk::FundusPhotographAnalyzer::Pointer last;
  const std::lock_guard<std::mutex> lock(mutex);
  if (last.IsNull() || last->GetSettings() != request.Settings)
  {
    auto analyzer = itk::FundusPhotographAnalyzer::New();
    analyzer->SetSettings(request.Settings);
    analyzer->Load();
    last = analyzer;
  }
  return last;
}
} // namespace

extern "C" NPSNET_IN_PROCESS_EXPORT void NPSNetAnalyze(const npsnet::RunRequest& request,
  const std::function<bool(double fraction, const std::string& stage)>& progress, itk::FundusResult& result)
{
  try
  {
    result = GetAnalyzer(request)->Analyze(request.Photograph, request.Options, progress);
  }
  catch (const itk::ProcessAborted&)
  {
    // Cancelled: the caller knows.
  }
}
