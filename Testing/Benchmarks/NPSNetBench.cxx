// SPDX-License-Identifier: Apache-2.0
// `./npsnet bench`: every stage and the whole on this machine, as a table and as JSON.
#include "BenchCases.h"
#include "BenchPython.h"
#include "BenchReporter.h"
#include "npsnetCommandLine.h"
#include "npsnetExitCodes.h"
#include "npsnetModule.h"
#include "npsnetOptions.h"

#include "itkAtomicFile.h"
#include "itkNPSNetVersion.h"

#include <torch/torch.h>

#include <algorithm>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

namespace
{
const char* const Program = "NPSNetBench";

const char* const Description =
  "Times, on this machine, every stage and the whole: sgemm (the machine's peak), one pass of the published size with "
  "random weights, then one pass, exhaustive and fast TTA of the model, and whole photographs to all outputs. Of three "
  "repetitions (--benchmark_repetitions=N) the best counts. Google Benchmark's own options (--benchmark_...) are taken "
  "too.";

struct Arguments
{
  BenchOptions Options;
  std::string JSON;
  std::string Python;
};

/// False when the program should end with the command line's exit code.
bool Parse(npsnet::CommandLine& line, const std::vector<char*>& words, Arguments& arguments)
{
  arguments.Options.Photo = NPSNET_RESOURCES_DIR "/SampleData/RET042OD.jpg";
  int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  bool noFullSize = false;
  const auto option = [](const std::string& name, const std::string& description, const std::string& tag,
                        const std::string& minimum = "") {
    return npsnet::ParameterDescription{name, "", name, "Options", description, "", tag, -1, false, {}, minimum, ""};
  };
  line.Add(arguments.Options.Model, option("model", "Another model than the default one.", "file"));
  line.Add(arguments.Options.Photo, option("photo", "Another photo than the sample.", "file"));
  line.Add(arguments.JSON, option("json",
                             "A file with {\"milliseconds\": {\"single_pass\": ..., \"tta_exhaustive\": ..., "
                             "\"tta_fast\": ..., \"photo_single_pass\": ..., \"photo_tta_fast\": ..., ...}, "
                             "\"gflop_per_second\": {...}, \"peak_rss_mib\": ...}.",
                             "file"));
  line.Add(threads, option("threads", "As many as the processor has unless given.", "integer", "1"));
  line.Add(noFullSize, option("no_full_size", "Without the published size.", "boolean"));
  line.Add(arguments.Options.FullSizeTTA,
    option("full_size_tta", "Also the TTA of the published size: minutes on a CPU.", "boolean"));
  line.Add(
    arguments.Python, option("against_python",
                        "A script that prints 'seconds_per_pass X' for one full-size pass with --threads N "
                        "threads; it runs before and after ours, the better time counts, and ratios are printed.",
                        "file"));
  if (!line.Parse(static_cast<int>(words.size()), words.data()))
  {
    return false;
  }
  npsnet::RequireThreads(threads);
  arguments.Options.Threads = static_cast<unsigned int>(threads);
  arguments.Options.FullSize = !noFullSize;
  return true;
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
{
  static char repetitions[] = "--benchmark_repetitions=3";
  std::vector<char*> ours = {argv[0]};
  std::vector<char*> theirs = {argv[0], repetitions};
  for (int i = 1; i < argc; ++i)
  {
    (std::string(argv[i]).rfind("--benchmark_", 0) == 0 ? theirs : ours).push_back(argv[i]);
  }
  return npsnet::RunModule(Program,
    [&]() -> int
    {
      npsnet::CommandLine line(Program, "NPS-Net Bench", Description, itk::NPSNetVersion(), "");
      Arguments arguments;
      if (!Parse(line, ours, arguments))
      {
        return line.GetExitCode();
      }
      double reference = 0.0;
      if (!arguments.Python.empty())
      {
        reference = TimePythonReference(arguments.Python, arguments.Options.Threads);
      }
      int count = static_cast<int>(theirs.size());
      benchmark::Initialize(&count, theirs.data());
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
        itk::AtomicFile::Write(arguments.JSON, reporter.ToJSON());
      }
      return npsnet::ExitDone;
    });
}
