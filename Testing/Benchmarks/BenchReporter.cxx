// SPDX-License-Identifier: Apache-2.0
#include "BenchReporter.h"

#include <nlohmann/json.hpp>

#include <sys/resource.h>

#include <cstdio>

bool BenchReporter::ReportContext(const Context&)
{
  std::printf("%-28s %10s %9s %8s\n", "case", "ms", "GFLOP/s", "of sgemm");
  return true;
}

void BenchReporter::ReportRuns(const std::vector<Run>& runs)
{
  // The repetitions of one case come together: the best of them is what the machine can do when nothing disturbs it.
  const Run* best = nullptr;
  const auto milliseconds = [](const Run& run)
  { return 1e3 * run.real_accumulated_time / static_cast<double>(run.iterations); };
  for (const Run& run : runs)
  {
    if (run.error_occurred)
    {
      std::printf("%-28s %s\n", run.run_name.function_name.c_str(), run.error_message.c_str());
      return;
    }
    if (run.run_type == Run::RT_Iteration && (!best || milliseconds(run) < milliseconds(*best)))
    {
      best = &run;
    }
  }
  if (!best)
  {
    return;
  }
  const std::string name = best->run_name.function_name;
  m_Milliseconds[name] = milliseconds(*best);
  const auto flops = best->counters.find("GFLOP");
  if (flops == best->counters.end())
  {
    std::printf("%-28s %10.1f\n", name.c_str(), m_Milliseconds[name]);
  }
  else
  {
    m_GigaFlops[name] = 1e3 * flops->second.value / m_Milliseconds[name];
    const double peak = m_GigaFlops.count("sgemm") ? m_GigaFlops["sgemm"] : 0.0;
    std::printf("%-28s %10.1f %9.1f %7.0f%%\n", name.c_str(), m_Milliseconds[name], m_GigaFlops[name],
      peak > 0.0 ? 100.0 * m_GigaFlops[name] / peak : 0.0);
  }
  std::fflush(stdout);
}

double BenchReporter::GetPeakMebibytes()
{
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

std::string BenchReporter::ToJSON() const
{
  nlohmann::ordered_json json;
  json["milliseconds"] = m_Milliseconds;
  json["gflop_per_second"] = m_GigaFlops;
  json["peak_rss_mib"] = GetPeakMebibytes();
  return json.dump(2) + "\n";
}
