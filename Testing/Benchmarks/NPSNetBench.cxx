// SPDX-License-Identifier: Apache-2.0
// `./npsnet bench`: every stage and the whole on this machine, as a table and as JSON.
#include "BenchCases.h"
#include "BenchPython.h"
#include "BenchReporter.h"
#include "npsnetMemory.h"
#include "npsnetOptions.h"

#include <torch/torch.h>

#include <algorithm>
#include <exception>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

namespace
{
const char* const Usage =
  R"(usage: ./npsnet bench [--model FILE] [--photo FILE] [--json FILE] [--threads N] [--no-full-size] [--full-size-tta]
                      [--against-python SCRIPT] [--benchmark_… (Google Benchmark's own options)]

Times, on this machine, every stage and the whole: sgemm (the machine's peak), one pass of the published size with random
weights, then one pass, exhaustive and fast TTA of the model, and whole photographs to all outputs. Of three repetitions
(--benchmark_repetitions=N) the best counts.
--json            {"milliseconds": {"single_pass": …, "tta_exhaustive": …, "tta_fast": …, "photo_single_pass": …,
                  "photo_tta_fast": …, …}, "gflop_per_second": {…}, "peak_rss_mib": …}
--full-size-tta   also the TTA of the published size: minutes on a CPU
--against-python  a script that prints 'seconds_per_pass X' for one full-size pass with --threads N threads; it runs
                  before and after ours, the better time counts, and ratios are printed
)";

struct Arguments
{
  BenchOptions Options;
  std::string JSON;
  std::string Python;
  std::vector<char*> Rest;
};

Arguments Parse(int argc, char** argv)
{
  Arguments arguments;
  arguments.Options.Photo = NPSNET_RESOURCES_DIR "/SampleData/RET042OD.jpg";
  arguments.Options.Threads = std::max(1U, std::thread::hardware_concurrency());
  static char repetitions[] = "--benchmark_repetitions=3";
  arguments.Rest = {argv[0], repetitions};
  for (int i = 1; i < argc; ++i)
  {
    const std::string name = argv[i];
    const auto value = [&]() -> std::string
    {
      if (i + 1 >= argc)
      {
        throw std::runtime_error(name + " needs a value; --help tells more.");
      }
      return argv[++i];
    };
    if (name == "--model")
    {
      arguments.Options.Model = value();
    }
    else if (name == "--photo")
    {
      arguments.Options.Photo = value();
    }
    else if (name == "--json")
    {
      arguments.JSON = value();
    }
    else if (name == "--threads")
    {
      const int threads = std::stoi(value());
      npsnet::RequireWithin("--threads", threads, 1, npsnet::GetMaximumNumberOfThreads());
      arguments.Options.Threads = static_cast<unsigned int>(threads);
    }
    else if (name == "--no-full-size")
    {
      arguments.Options.FullSize = false;
    }
    else if (name == "--full-size-tta")
    {
      arguments.Options.FullSizeTTA = true;
    }
    else if (name == "--against-python")
    {
      arguments.Python = value();
    }
    else if (name.rfind("--benchmark_", 0) == 0)
    {
      arguments.Rest.push_back(argv[i]);
    }
    else
    {
      throw std::runtime_error("There is no option " + name + "; --help tells more.");
    }
  }
  return arguments;
}

void PrintRatios(const BenchReporter& reporter, double seconds)
{
  std::cout << "\nreference: " << seconds << " s a full-size pass; times faster:\n";
  for (const auto& item : reporter.GetMilliseconds())
  {
    if (item.first.find("pass") != std::string::npos)
    {
      std::cout << "  " << item.first << ' ' << 1e3 * seconds / item.second << '\n';
    }
  }
}
} // namespace

int main(int argc, char** argv)
try
{
  for (int i = 1; i < argc; ++i)
  {
    if (std::string(argv[i]) == "--help" || std::string(argv[i]) == "-h")
    {
      std::cout << Usage;
      return 0;
    }
  }
  npsnet::KeepFreedMemory();

  Arguments arguments = Parse(argc, argv);
  double reference = 0.0;
  if (!arguments.Python.empty())
  {
    reference = TimePythonReference(arguments.Python, arguments.Options.Threads);
  }
  int count = static_cast<int>(arguments.Rest.size());
  benchmark::Initialize(&count, arguments.Rest.data());
  RegisterBenchCases(arguments.Options);
  torch::set_num_threads(static_cast<int>(arguments.Options.Threads));
  BenchReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  RemoveBenchFiles();
  std::cout << "peak memory " << BenchReporter::GetPeakMebibytes() << " MiB\n";
  if (reference > 0.0)
  {
    reference = std::min(reference, TimePythonReference(arguments.Python, arguments.Options.Threads));
    PrintRatios(reporter, reference);
  }
  if (!arguments.JSON.empty())
  {
    std::ofstream file(arguments.JSON);
    file << reporter.ToJSON();
    if (!file)
    {
      throw std::runtime_error("The times could not be written to " + arguments.JSON + ".");
    }
  }
  return 0;
}
catch (const std::exception& error)
{
  std::cerr << "npsnet bench: " << error.what() << '\n';
  return 1;
}
