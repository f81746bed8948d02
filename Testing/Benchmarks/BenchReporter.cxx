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
  for (const auto& run : runs)
  {
    const std::string name = run.run_name.function_name;
    if (run.error_occurred)
    {
      std::printf("%-28s %s\n", name.c_str(), run.error_message.c_str());
      continue;
    }
    const double milliseconds = 1e3 * run.real_accumulated_time / static_cast<double>(run.iterations);
    m_Milliseconds[name] = milliseconds;
    const auto flops = run.counters.find("GFLOP");
    if (flops == run.counters.end())
    {
      std::printf("%-28s %10.1f\n", name.c_str(), milliseconds);
      continue;
    }
    m_GigaFlops[name] = 1e3 * flops->second.value / milliseconds;
    const double peak = m_GigaFlops.count("sgemm") ? m_GigaFlops["sgemm"] : 0.0;
    std::printf("%-28s %10.1f %9.1f %7.0f%%\n", name.c_str(), milliseconds, m_GigaFlops[name],
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
