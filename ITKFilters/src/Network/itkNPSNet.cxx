// SPDX-License-Identifier: Apache-2.0
#include "itkNPSNet.h"

#include "itkNPSNetLayers.h"
#include "itkNPSNetModelIO.h"
#include "itkNPSNetNetwork.h"
#include "itkNPSNetThrow.h"
#include "itkTorchDevice.h"
#include "itkTorchThread.h"

#include <ATen/autocast_mode.h>

#include <filesystem>
#include <mutex>
#include <tuple>

namespace itk
{
namespace
{
std::string PrecisionName(torch::ScalarType type)
{
  return type == torch::kHalf ? "fp16" : type == torch::kBFloat16 ? "bf16" : "fp32";
}

/** Mixed precision on a GPU: convolutions in half precision, sums and heads in fp32, weights stay fp32. */
class AutocastScope
{
public:
  AutocastScope(const torch::Device & device, torch::ScalarType type)
    : m_Active(device.is_cuda() && type != torch::kFloat)
  {
    if (m_Active)
    {
      at::autocast::set_autocast_enabled(at::kCUDA, true);
      at::autocast::set_autocast_dtype(at::kCUDA, type);
    }
  }
  ~AutocastScope()
  {
    if (m_Active)
    {
      at::autocast::clear_cache();
      at::autocast::set_autocast_enabled(at::kCUDA, false);
    }
  }
  AutocastScope(const AutocastScope &) = delete;
  AutocastScope & operator=(const AutocastScope &) = delete;

private:
  bool m_Active;
};

std::vector<float> ToVector(const torch::Tensor & tensor)
{
  if (!tensor.defined())
  {
    return {};
  }
  const auto flat = tensor.detach().to(torch::kCPU, torch::kFloat).contiguous();
  return std::vector<float>(flat.data_ptr<float>(), flat.data_ptr<float>() + flat.numel());
}
} // namespace

struct NPSNet::Implementation
{
  NPSNetModelMetadata            Metadata;
  std::string                    FileName;
  std::string                    SHA256;
  std::string                    DeviceName;
  std::string                    PrecisionName;
  double                         PriorScale{ 0.0 };
  torch::Device                  Device{ torch::kCPU };
  torch::ScalarType              Precision{ torch::kFloat };
  std::shared_ptr<NPSNetNetwork> Network;

  static std::shared_ptr<Implementation> Make(const std::string & fileName, const Settings & settings);

  NPSNetOccupancies Run(const float * images, int64_t count, int64_t rows, int64_t columns, bool raw)
  {
    const c10::InferenceMode inference;
    const AutocastScope      autocast(Device, Precision);
    const auto input = torch::from_blob(const_cast<float *>(images), { count, 3, rows, columns }, torch::kFloat)
                         .to(Device)
                         .contiguous(torch::MemoryFormat::ChannelsLast);
    auto result = Network->forward(input);
    if (raw && Metadata.Architecture.IsMonotone())
    {
      result.P_d = result.L_d.sigmoid();
      result.P_c = Metadata.Architecture.IsNested() ? result.P_d * result.L_c.sigmoid() : result.L_c.sigmoid();
    }
    NPSNetOccupancies out;
    out.NumberOfImages = static_cast<std::size_t>(count);
    out.NumberOfRadii = static_cast<std::size_t>(rows);
    out.NumberOfAngles = static_cast<std::size_t>(columns);
    out.Disc = ToVector(result.P_d);
    out.Cup = ToVector(result.P_c);
    out.DiscConfidence = ToVector(result.gamma_d);
    out.CupConfidence = ToVector(result.gamma_c);
    return out;
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
  made->Device = ResolveTorchDevice(settings.Device);
  made->Precision = ResolveTorchPrecision(settings.Precision, made->Device);
  made->DeviceName = made->Device.str();
  made->PrecisionName = itk::PrecisionName(made->Precision);

  const c10::InferenceMode inference(false);
  const torch::NoGradGuard noGrad;
  {
    const npsnet::UninitializedWeights uninitialized;
    made->Network = MakeNPSNetNetwork(made->Metadata.Architecture);
  }
  try
  {
    made->Network->SetState(BorrowNPSNetState(file));
  }
  catch (const ExceptionObject & error)
  {
    npsnetThrow(fileName << " does not fit the network: " << error.GetDescription());
  }
  made->Network->eval();
  made->PriorScale = made->Network->GetPriorScale();
  if (made->Device.is_cpu())
  {
    made->Network->OptimizeForInference(made->Precision);
  }
  else
  {
    made->Network->to(made->Device);
  }
  made->SHA256 = file.GetSHA256();
  return made;
}

NPSNet::NPSNet() = default;
NPSNet::~NPSNet() = default;

NPSNet::Pointer NPSNet::Load(const std::string & fileName, const Settings & settings)
{
  // A file that was replaced meanwhile is another model.
  using KeyType = std::tuple<std::string, std::int64_t, std::uintmax_t, std::string, std::string>;
  static std::mutex                                       mutex;
  static std::map<KeyType, std::weak_ptr<Implementation>> cache;

  std::error_code       error;
  std::filesystem::path path = std::filesystem::canonical(fileName, error);
  if (error)
  {
    npsnetThrow("Cannot open the model file " << fileName << ": " << error.message() << '.');
  }
  const auto    written = std::filesystem::last_write_time(path, error).time_since_epoch().count();
  const auto    size = std::filesystem::file_size(path, error);
  const KeyType key(path.string(), written, error ? 0 : size, settings.Device, settings.Precision);

  Pointer network = Self::New();
  {
    const std::lock_guard<std::mutex> lock(mutex);
    network->m_Implementation = cache[key].lock();
    TorchThread::Run([&] {
      TorchThread::SetNumberOfThreads(settings.Threads);
      if (!network->m_Implementation)
      {
        network->m_Implementation = Implementation::Make(fileName, settings);
      }
    });
    cache[key] = network->m_Implementation;
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
  const std::size_t smallest = std::size_t{ 1 } << this->GetArchitecture().Channels.size();
  if (numberOfImages == 0 || numberOfRadii < smallest || numberOfAngles < smallest)
  {
    npsnetThrow("This network needs at least one image of " << smallest << " x " << smallest << " samples, not "
                                                            << numberOfImages << " of " << numberOfRadii << " x "
                                                            << numberOfAngles << '.');
  }
  const std::size_t values = numberOfImages * 3 * numberOfRadii * numberOfAngles;
  if (!std::all_of(images, images + values, [](float value) { return std::isfinite(value); }))
  {
    npsnetThrow("The images for the network hold values that are not finite: they must lie between 0 and 1.");
  }
  NPSNetOccupancies out;
  TorchThread::Run([&] {
    try
    {
      out = m_Implementation->Run(images,
                                  static_cast<int64_t>(numberOfImages),
                                  static_cast<int64_t>(numberOfRadii),
                                  static_cast<int64_t>(numberOfAngles),
                                  raw);
    }
    catch (const c10::Error & error)
    {
      const std::string what = error.what_without_backtrace();
      npsnetThrow("The network " << this->GetFileName() << " failed on " << this->GetDevice() << ": "
                                 << what.substr(0, what.find('\n')));
    }
  });
  return out;
}

std::size_t NPSNet::EstimateBytesPerImage(std::size_t numberOfRadii, std::size_t numberOfAngles) const
{
  // The widest moment is the last decoder: skip, upsampled, concatenated and two outputs at full size, and as much
  // again in the deeper skips and the convolution library's scratch space.
  const std::size_t featureBytes = numberOfRadii * numberOfAngles * this->GetArchitecture().Channels.front() *
                                   (this->GetPrecision() == "fp32" ? 4 : 2);
  return 8 * featureBytes + 32 * numberOfRadii * numberOfAngles;
}

void NPSNet::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "FileName: " << this->GetFileName() << std::endl;
  os << indent << "SHA256: " << this->GetSHA256() << std::endl;
  os << indent << "Device: " << this->GetDevice() << std::endl;
  os << indent << "Precision: " << this->GetPrecision() << std::endl;
  os << indent << "Architecture: " << this->GetArchitecture().ToJSON() << std::endl;
}
} // namespace itk
