// SPDX-License-Identifier: Apache-2.0
#include "itkNPSNet.h"

#include "itkEnginePlugin.h"
#include "itkNPSNetThrow.h"
#include "itkNetworkThreads.h"
#include "itkProcessorEngine.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <mutex>
#include <tuple>

namespace itk
{
namespace
{
bool IsOneOf(const std::string & value, std::initializer_list<const char *> values)
{
  return std::find(values.begin(), values.end(), value) != values.end();
}

bool IsGPU(const std::string & device)
{
  return device == "cuda" || (device.size() > 5 && device.size() < 8 && device.compare(0, 5, "cuda:") == 0 &&
                              device.find_first_not_of("0123456789", 5) == std::string::npos);
}

void Validate(const NPSNet::Settings & settings)
{
  if (!IsOneOf(settings.Engine, { "auto", "", "native", "torch" }))
  {
    npsnetThrow("Unknown engine \"" << settings.Engine << "\": use auto, native or torch.");
  }
  if (!IsOneOf(settings.Device, { "auto", "", "cpu" }) && !IsGPU(settings.Device))
  {
    npsnetThrow("Unknown device \"" << settings.Device << "\": use auto, cpu, cuda or cuda:N.");
  }
  if (!IsOneOf(settings.Precision, { "auto", "", "fp32", "bf16", "fp16" }))
  {
    npsnetThrow("Unknown precision \"" << settings.Precision << "\": use auto, fp32, bf16 or fp16.");
  }
  if (settings.Engine == "native" && IsGPU(settings.Device))
  {
    npsnetThrow("The engine native computes on the processor only, not on the device "
                << settings.Device << ": use --device cpu, or --engine torch.");
  }
}

/** The engine for these settings, with the weights of the file. */
NPSNetEngine::Pointer MakeEngine(const NPSNetModelFile & file, const NPSNet::Settings & settings)
{
  const auto withTorch = [&](const std::string & why) {
    auto engine = EnginePlugin::MakeTorchEngine(why);
    engine->Load(file, settings);
    return engine;
  };
  if (settings.Engine == "torch")
  {
    return withTorch("The engine torch");
  }
  if (settings.Engine != "native" && settings.Device != "cpu")
  {
    if (IsGPU(settings.Device))
    {
      EnginePlugin::RequireDriver(settings.Device);
      return withTorch("The device " + settings.Device);
    }
    if (EnginePlugin::MayHaveGPU())
    {
      auto engine = withTorch("The device auto");
      if (engine->GetDevice() != "cpu")
      {
        return engine;
      }
    }
  }
  if (settings.Engine != "native" && settings.Precision == "bf16")
  {
    return withTorch("Precision bf16 on the processor");
  }
  const NPSNetEngine::Pointer engine = ProcessorEngine::New().GetPointer();
  engine->Load(file, settings);
  return engine;
}
} // namespace

struct NPSNet::Implementation
{
  NPSNetModelMetadata   Metadata;
  std::string           FileName;
  std::string           SHA256;
  std::string           EngineName;
  std::string           DeviceName;
  std::string           PrecisionName;
  double                PriorScale{ 0.0 };
  NPSNetEngine::Pointer Engine;

  static std::shared_ptr<Implementation> Make(const std::string & fileName, const Settings & settings);

  /** Calls run() for images that are neither too few nor too small. */
  template <typename TRun>
  NPSNetOccupancies Run(std::size_t images, std::size_t radii, std::size_t angles, const TRun & run) const
  {
    const std::size_t smallest = std::size_t{ 1 } << Metadata.Architecture.Channels.size();
    if (images == 0 || radii < smallest || angles < smallest)
    {
      npsnetThrow("This network needs at least one image of " << smallest << " x " << smallest << " samples, not "
                                                              << images << " of " << radii << " x " << angles << '.');
    }
    return run();
  }
};

std::shared_ptr<NPSNet::Implementation> NPSNet::Implementation::Make(const std::string & fileName,
                                                                     const Settings &    settings)
{
  const NPSNetModelFile file(fileName);
  if (file.GetMetadata().Task != "segmentation")
  {
    npsnetThrow(fileName << " is a " << file.GetMetadata().Task << " model: give a segmentation model.");
  }
  auto made = std::make_shared<Implementation>();
  made->Metadata = file.GetMetadata();
  made->FileName = fileName;
  made->Engine = MakeEngine(file, settings);
  made->EngineName = dynamic_cast<const ProcessorEngine *>(made->Engine.GetPointer()) ? "native" : "torch";
  made->DeviceName = made->Engine->GetDevice();
  made->PrecisionName = made->Engine->GetPrecision();
  made->PriorScale = made->Engine->GetPriorScale();
  made->SHA256 = file.GetSHA256();
  return made;
}

NPSNet::NPSNet() = default;
NPSNet::~NPSNet() = default;

NPSNet::Pointer NPSNet::Load(const std::string & fileName, const Settings & settings)
{
  // A file that was replaced meanwhile is another model.
  using KeyType = std::tuple<std::string, std::int64_t, std::uintmax_t, std::string, std::string, std::string>;
  static std::mutex                                       mutex;
  static std::map<KeyType, std::weak_ptr<Implementation>> cache;

  Validate(settings);
  std::error_code       error;
  std::filesystem::path path = std::filesystem::canonical(fileName, error);
  if (error)
  {
    npsnetThrow("Cannot open the model file " << fileName << ": " << error.message() << '.');
  }
  const auto    written = std::filesystem::last_write_time(path, error).time_since_epoch().count();
  const auto    size = std::filesystem::file_size(path, error);
  const KeyType key(path.string(), written, error ? 0 : size, settings.Engine, settings.Device, settings.Precision);

  Pointer network = Self::New();
  {
    const std::lock_guard<std::mutex> lock(mutex);
    // also for weights that are being transformed
    npsnet::NetworkThreads::SetNumberOfThreads(settings.Threads);
    network->m_Implementation = cache[key].lock();
    if (!network->m_Implementation)
    {
      network->m_Implementation = Implementation::Make(fileName, settings);
    }
    cache[key] = network->m_Implementation;
    network->m_Implementation->Engine->SetNumberOfThreads(settings.Threads);
  }
  if (!settings.AllowNegativePriorScale)
  {
    network->RequireNonNegativePriorScale();
  }
  return network;
}

const std::string & NPSNet::GetFileName() const
{
  return m_Implementation->FileName;
}

const NPSNetModelMetadata & NPSNet::GetMetadata() const
{
  return m_Implementation->Metadata;
}

const std::string & NPSNet::GetSHA256() const
{
  return m_Implementation->SHA256;
}

const std::string & NPSNet::GetEngine() const
{
  return m_Implementation->EngineName;
}

const std::string & NPSNet::GetDevice() const
{
  return m_Implementation->DeviceName;
}

const std::string & NPSNet::GetPrecision() const
{
  return m_Implementation->PrecisionName;
}

double NPSNet::GetPriorScale() const
{
  return m_Implementation->PriorScale;
}

void NPSNet::RequireNonNegativePriorScale() const
{
  if (this->GetPriorScale() < 0.0)
  {
    npsnetThrow(this->GetFileName() << " has learned lambda_c = " << this->GetPriorScale()
                                    << ": a negative weight of the shape prior makes the cup's occupancy grow along a "
                                       "ray, so its masks need not be valid; use --tta reference to reproduce the "
                                       "authors' results with it, or another model.");
  }
}

NPSNetOccupancies NPSNet::Infer(const float * images,
                                std::size_t   numberOfImages,
                                std::size_t   numberOfRadii,
                                std::size_t   numberOfAngles,
                                bool          raw) const
{
  return m_Implementation->Run(numberOfImages, numberOfRadii, numberOfAngles, [&] {
    const std::size_t values = numberOfImages * 3 * numberOfRadii * numberOfAngles;
    if (!std::all_of(images, images + values, [](float value) { return std::isfinite(value); }))
    {
      npsnetThrow("The images for the network hold values that are not finite: they must lie between 0 and 1.");
    }
    return m_Implementation->Engine->Infer(images, numberOfImages, numberOfRadii, numberOfAngles, raw);
  });
}

NPSNetOccupancies NPSNet::InferHypotheses(const unsigned char *                rgb,
                                          int                                  side,
                                          const std::vector<PolarHypothesis> & hypotheses,
                                          std::size_t                          numberOfRadii,
                                          std::size_t                          numberOfAngles,
                                          bool                                 raw) const
{
  return m_Implementation->Run(hypotheses.size(), numberOfRadii, numberOfAngles, [&] {
    const bool bgr = this->GetArchitecture().ChannelOrder == "BGR";
    return m_Implementation->Engine->InferHypotheses(rgb, side, hypotheses, numberOfRadii, numberOfAngles, bgr, raw);
  });
}

std::size_t NPSNet::EstimateBytesPerImage(std::size_t numberOfRadii, std::size_t numberOfAngles) const
{
  return m_Implementation->Engine->EstimateBytesPerImage(numberOfRadii, numberOfAngles);
}

void NPSNet::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "FileName: " << this->GetFileName() << std::endl;
  os << indent << "SHA256: " << this->GetSHA256() << std::endl;
  os << indent << "Engine: " << this->GetEngine() << std::endl;
  os << indent << "Device: " << this->GetDevice() << std::endl;
  os << indent << "Precision: " << this->GetPrecision() << std::endl;
  os << indent << "Architecture: " << this->GetArchitecture().ToJSON() << std::endl;
}
} // namespace itk
