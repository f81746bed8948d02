// SPDX-License-Identifier: Apache-2.0
#ifndef BenchReporter_h
#define BenchReporter_h

#include <benchmark/benchmark.h>

#include <map>
#include <string>
#include <vector>

/// Collects the wall-clock milliseconds of every case and prints them as a table with the share of the sgemm peak.
class BenchReporter : public benchmark::BenchmarkReporter
{
public:
  bool ReportContext(const Context& context) override;
  void ReportRuns(const std::vector<Run>& runs) override;
  void Finalize() override {}

  const std::map<std::string, double>& GetMilliseconds() const { return m_Milliseconds; }

  /// Largest resident set of this process so far.
  static double GetPeakMebibytes();

  /// The front door's JSON: milliseconds by name, GFLOP/s where a case counts them, peak_rss_mib.
  std::string ToJSON() const;

private:
  std::map<std::string, double> m_Milliseconds;
  std::map<std::string, double> m_GigaFlops;
};

#endif
