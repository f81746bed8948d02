// SPDX-License-Identifier: Apache-2.0
#include "BenchCases.h"

#include "detail/itkContrastLimitedEqualization.h"
#include "itkFundusPhotographAnalyzer.h"
#include "itkFundusPhotographReader.h"
#include "itkFundusResultWriter.h"
#include "itkModelFiles.h"
#include "itkNPSNet.h"
#include "itkNPSNetModelIO.h"
#include "itkNPSNetNetwork.h"
#include "itkPolarTestTimeAugmentationFilter.h"
#include "itkRimMeasurementCalculator.h"
#include "detail/itkSquareCropSampling.h"
#include "itkTorchDevice.h"

#include <benchmark/benchmark.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <vector>

#include <unistd.h>

namespace
{
using PhotoPointer = itk::FundusPhotograph::Pointer;
using CropType = itk::PolarTestTimeAugmentationFilter::ImageType;

PhotoPointer ReadPhoto(const std::string& fileName)
{
  auto reader = itk::FundusPhotographReader::New();
  reader->SetFileName(fileName);
  reader->Update();
  return reader->GetPhotograph();
}

/// Multiply-adds of the convolutions, two operations each; everything else is small beside them.
double CountGigaFlops(const itk::NPSNetArchitecture& a)
{
  double flops = 0.0;
  double pixels = static_cast<double>(a.NumberOfRadii) * a.NumberOfAngles;
  const auto block = [&](double in, double out) { flops += 18.0 * pixels * (in + out) * out; };
  double in = 3.0;
  for (const unsigned channels : a.Channels)
  {
    block(in, channels);
    in = channels;
    pixels /= 4.0;
  }
  block(in, 2.0 * in);
  in *= 2.0;
  for (auto channels = a.Channels.rbegin(); channels != a.Channels.rend(); ++channels)
  {
    flops += 8.0 * pixels * in * *channels;
    pixels *= 4.0;
    block(2.0 * *channels, *channels);
    in = *channels;
  }
  return 1e-9 * flops;
}

/// The enhanced crop about the middle of the photograph, as the network of this architecture wants it.
CropType::Pointer MakeCrop(const itk::FundusPhotograph* photo, const itk::NPSNetArchitecture& a)
{
  const auto* image = const_cast<itk::FundusPhotograph*>(photo)->GetImage();
  const auto size = image->GetLargestPossibleRegion().GetSize();
  const auto n = static_cast<itk::SizeValueType>(a.CropSize);
  auto crop = CropType::New();
  crop->SetRegions(CropType::SizeType{{n, n}});
  crop->Allocate();
  std::vector<unsigned char> plain(3 * n * n);
  const double side = 0.3 * static_cast<double>(size[1]);
  itk::SampleSquareCrop(reinterpret_cast<const unsigned char*>(image->GetBufferPointer()), size[0], size[1], 3,
    0.5 * static_cast<double>(size[0]), 0.5 * static_cast<double>(size[1]), side, side, a.CropSize, plain.data());
  itk::ApplyCLAHE(plain.data(), reinterpret_cast<unsigned char*>(crop->GetBufferPointer()), a.CropSize, a.CropSize);
  return crop;
}

benchmark::internal::Benchmark* Register(const std::string& name, std::function<void(benchmark::State&)> body)
{
  return benchmark::RegisterBenchmark(name.c_str(), [body](benchmark::State& state) { body(state); })
    ->UseRealTime()
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);
}

void RegisterPeak()
{
  Register("sgemm",
    [](benchmark::State& state)
    {
      torch::NoGradGuard noGrad;
      const auto a = torch::rand({2048, 2048});
      const auto b = torch::rand({2048, 2048});
      auto c = torch::empty({2048, 2048});
      for (auto _ : state)
      {
        torch::mm_out(c, a, b);
      }
      state.counters["GFLOP"] = 2.0 * 2.048 * 2.048 * 2.048;
    });
}

/// One pass and the TTA modes of one model, under names that begin with prefix.
void RegisterNetwork(const std::string& prefix, const std::string& suffix, const std::string& model,
  const std::string& precision, const BenchOptions& options, bool withTTA)
{
  itk::NPSNet::Settings settings;
  settings.Precision = precision;
  settings.Threads = options.Threads;
  const itk::NPSNet::ConstPointer network = itk::NPSNet::Load(model, settings).GetPointer();
  const auto architecture = network->GetArchitecture();
  const double gigaFlops = CountGigaFlops(architecture);

  Register(prefix + "model_load" + suffix,
    [model, settings](benchmark::State& state)
    {
      // Models are shared as long as one is in use: another name of the device is another model.
      itk::NPSNet::Settings own = settings;
      own.Device = "cpu";
      for (auto _ : state)
      {
        benchmark::DoNotOptimize(itk::NPSNet::Load(model, own));
      }
    });
  Register(prefix + "single_pass" + suffix,
    [network, architecture, gigaFlops](benchmark::State& state)
    {
      const std::size_t pixels = std::size_t{architecture.NumberOfRadii} * architecture.NumberOfAngles;
      const std::vector<float> image(3 * pixels, 0.5F);
      for (auto _ : state)
      {
        benchmark::DoNotOptimize(
          network->Infer(image.data(), 1, architecture.NumberOfRadii, architecture.NumberOfAngles));
      }
      state.counters["GFLOP"] = gigaFlops;
    });
  if (!withTTA)
  {
    return;
  }
  const std::string photo = options.Photo;
  for (const std::string mode : {"full", "symmetric", "fast"})
  {
    const std::string name = mode == "full" ? "tta_exhaustive" : "tta_" + mode;
    Register(prefix + name + suffix,
      [network, architecture, photo, mode](benchmark::State& state)
      {
        const auto crop = MakeCrop(ReadPhoto(photo), architecture);
        for (auto _ : state)
        {
          auto filter = itk::PolarTestTimeAugmentationFilter::New();
          itk::PolarTTASettings tta;
          tta.Mode = itk::PolarTTAModeFromString(mode);
          filter->SetInput(crop);
          filter->SetNetwork(network);
          filter->SetSettings(tta);
          filter->Update();
        }
      });
  }
}

void RegisterStages(const BenchOptions& options)
{
  const std::string photo = options.Photo;
  Register("stage_decode",
    [photo](benchmark::State& state)
    {
      for (auto _ : state)
      {
        benchmark::DoNotOptimize(ReadPhoto(photo));
      }
    });
  const itk::NPSNetArchitecture published;
  Register("stage_crop_clahe_512",
    [photo, published](benchmark::State& state)
    {
      const auto read = ReadPhoto(photo);
      for (auto _ : state)
      {
        benchmark::DoNotOptimize(MakeCrop(read, published));
      }
    });
  Register("stage_polar_27",
    [photo, published](benchmark::State& state)
    {
      const auto crop = MakeCrop(ReadPhoto(photo), published);
      itk::PolarTTASettings tta;
      tta.Mode = itk::PolarTTAModeEnum::Symmetric;
      const auto hypotheses = tta.MakeHypotheses(512);
      std::vector<float> out(hypotheses.size() * 3 * 256 * 360);
      for (auto _ : state)
      {
        itk::SamplePolarHypotheses(reinterpret_cast<const unsigned char*>(crop->GetBufferPointer()), 512, 512,
          hypotheses.data(), hypotheses.size(), 256, 360, true, out.data());
        benchmark::ClobberMemory();
      }
    });
}

/// What an edit of the segments costs: the measurements from an outline, and from the label map of a whole photograph.
void RegisterMeasurements(const BenchOptions& options)
{
  for (const bool fromMask : {false, true})
  {
    Register(fromMask ? "stage_measure_labels" : "stage_measure_boundary",
      [options, fromMask](benchmark::State& state)
      {
        auto analyzer = itk::FundusPhotographAnalyzer::New();
        itk::FundusAnalyzerSettings settings;
        settings.ModelFile = options.Model;
        settings.Threads = options.Threads;
        analyzer->SetSettings(settings);
        const auto result = analyzer->Analyze(options.Photo);
        if (!result.HasSegmentation())
        {
          state.SkipWithError(result.Message.c_str());
          return;
        }
        auto calculator = itk::RimMeasurementCalculator::New();
        calculator->SetPhotograph(result.Labels);
        for (auto _ : state)
        {
          benchmark::DoNotOptimize(
            fromMask ? calculator->Compute(result.Labels) : calculator->Compute(result.Boundary));
        }
      });
  }
}

/// Whole photographs, from the file to all outputs on disk, with the models in memory.
void RegisterPhotos(const BenchOptions& options)
{
  for (const std::string mode : {"off", "fast"})
  {
    Register(mode == "off" ? "photo_single_pass" : "photo_tta_" + mode,
      [options, mode](benchmark::State& state)
      {
        auto analyzer = itk::FundusPhotographAnalyzer::New();
        itk::FundusAnalyzerSettings settings;
        settings.ModelFile = options.Model;
        settings.TTAMode = mode;
        settings.Threads = options.Threads;
        analyzer->SetSettings(settings);
        analyzer->Load();
        const auto folder = std::filesystem::temp_directory_path() / "npsnet-bench";
        auto writer = itk::FundusResultWriter::New();
        writer->SetOutputDirectory(folder.string());
        for (auto _ : state)
        {
          const auto result = analyzer->Analyze(options.Photo);
          if (!result.HasSegmentation())
          {
            state.SkipWithError(result.Message.c_str());
            break;
          }
          writer->Write(result);
        }
        std::filesystem::remove_all(folder);
      });
  }
}

std::filesystem::path FullSizeModelFolder()
{
  return std::filesystem::temp_directory_path() / ("npsnet-bench-" + std::to_string(getpid()));
}

/// The published size with seeded random weights, written once for this run.
std::string WriteFullSizeModel(const std::filesystem::path& folder)
{
  torch::manual_seed(1);
  itk::NPSNetModelMetadata metadata;
  metadata.Name = "full-size, random weights";
  const auto network = itk::MakeNPSNetNetwork(metadata.Architecture);
  std::filesystem::create_directories(folder);
  const auto file = (folder / "full-size.safetensors").string();
  itk::WriteNPSNetModel(file, metadata, network->GetState(), itk::NPSNetStorageEnum::Float32);
  return file;
}
} // namespace

void RemoveBenchFiles()
{
  std::error_code error;
  std::filesystem::remove_all(FullSizeModelFolder(), error);
}

void RegisterBenchCases(const BenchOptions& given)
{
  BenchOptions options = given;
  if (options.Model.empty())
  {
    options.Model = itk::ModelFiles::GetDefaultNetwork();
  }
  RegisterPeak();
  if (options.FullSize)
  {
    const auto full = WriteFullSizeModel(FullSizeModelFolder());
    for (const std::string precision : {"fp32", "bf16"})
    {
      if (precision == "bf16" && !itk::CanComputeBFloat16OnCPU() && !torch::cuda::is_available())
      {
        std::cerr << "This processor has no bf16 convolutions: those times are left out.\n";
        continue;
      }
      RegisterNetwork("full_size_", "_" + precision, full, precision, options, options.FullSizeTTA);
    }
  }
  RegisterStages(options);
  RegisterNetwork("", "", options.Model, "auto", options, true);
  RegisterMeasurements(options);
  RegisterPhotos(options);
}
