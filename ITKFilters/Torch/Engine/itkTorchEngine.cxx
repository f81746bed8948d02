// SPDX-License-Identifier: Apache-2.0
#include "itkTorchEngine.h"

#include "NPSNetTorchExport.h"
#include "itkNPSNetLayers.h"
#include "itkNPSNetModelIO.h"
#include "itkNPSNetThrow.h"
#include "itkTorchDevice.h"
#include "itkTorchThread.h"
#include "itkVersion.h"

#include <ATen/autocast_mode.h>

namespace itk
{
namespace
{
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

/** images x 3 x radii x angles on the device. */
torch::Tensor SampleOnDevice(const unsigned char *                rgb,
                             int                                  side,
                             const std::vector<PolarHypothesis> & hypotheses,
                             int                                  radii,
                             int                                  angles,
                             bool                                 bgr,
                             const torch::Device &                device)
{
  const auto count = static_cast<int64_t>(hypotheses.size());
  auto       images = torch::empty({ count, 3, radii, angles }, torch::TensorOptions().device(device));
#ifdef NPSNET_HAS_CUDA
  if (device.is_cuda())
  {
    const auto upload = [&device](const void * bytes, int64_t size) {
      return torch::from_blob(const_cast<void *>(bytes), { size }, torch::kByte).to(device);
    };
    const auto crop = upload(rgb, int64_t{ 3 } * side * side);
    const auto places = upload(hypotheses.data(), count * static_cast<int64_t>(sizeof(PolarHypothesis)));
    const int  error = NPSNetSamplePolarHypothesesCuda(crop.data_ptr<unsigned char>(),
                                                      side,
                                                      side,
                                                      static_cast<const PolarHypothesis *>(places.data_ptr()),
                                                      static_cast<int>(count),
                                                      radii,
                                                      angles,
                                                      bgr ? 1 : 0,
                                                      images.data_ptr<float>(),
                                                      nullptr);
    if (error != 0)
    {
      npsnetThrow("The GPU cannot sample the crop (CUDA error " << error << "): use --device cpu.");
    }
    // The memory of the crop may be given away when this function is over; what comes then is later on the same stream.
    return images;
  }
#endif
  auto host = device.is_cpu() ? images : torch::empty(images.sizes());
  SamplePolarHypotheses(
    rgb, side, side, hypotheses.data(), hypotheses.size(), radii, angles, bgr, host.data_ptr<float>());
  return host.to(device);
}
} // namespace

void TorchEngine::Load(const NPSNetModelFile & file, const NPSNet::Settings & settings)
{
  m_FileName = file.GetFileName();
  TorchThread::Run([&] {
    TorchThread::SetNumberOfThreads(settings.Threads);
    m_Device = ResolveTorchDevice(settings.Device);
    m_Precision = ResolveTorchPrecision(settings.Precision, m_Device);

    const c10::InferenceMode inference(false);
    const torch::NoGradGuard noGrad;
    {
      const npsnet::UninitializedWeights uninitialized;
      m_Network = MakeNPSNetNetwork(file.GetMetadata().Architecture);
    }
    try
    {
      m_Network->SetState(BorrowNPSNetState(file));
    }
    catch (const ExceptionObject & error)
    {
      npsnetThrow(m_FileName << " does not fit the network: " << error.GetDescription());
    }
    m_Network->eval();
    m_PriorScale = m_Network->GetPriorScale();
    if (m_Device.is_cpu())
    {
      m_Network->OptimizeForInference(m_Precision);
    }
    else
    {
      m_Network->to(m_Device);
    }
  });
}

std::string TorchEngine::GetPrecision() const
{
  return m_Precision == torch::kHalf ? "fp16" : m_Precision == torch::kBFloat16 ? "bf16" : "fp32";
}

void TorchEngine::SetNumberOfThreads(unsigned int threads)
{
  TorchThread::Run([threads] { TorchThread::SetNumberOfThreads(threads); });
}

NPSNetOccupancies TorchEngine::Forward(const torch::Tensor & images, bool raw) const
{
  const auto &        architecture = m_Network->GetArchitecture();
  const AutocastScope autocast(m_Device, m_Precision);
  auto                result = m_Network->forward(images.contiguous(torch::MemoryFormat::ChannelsLast));
  if (raw && architecture.IsMonotone())
  {
    result.P_d = result.L_d.sigmoid();
    result.P_c = architecture.IsNested() ? result.P_d * result.L_c.sigmoid() : result.L_c.sigmoid();
  }
  NPSNetOccupancies out;
  out.NumberOfImages = static_cast<std::size_t>(images.size(0));
  out.NumberOfRadii = static_cast<std::size_t>(images.size(2));
  out.NumberOfAngles = static_cast<std::size_t>(images.size(3));
  out.Disc = ToVector(result.P_d);
  out.Cup = ToVector(result.P_c);
  out.DiscConfidence = ToVector(result.gamma_d);
  out.CupConfidence = ToVector(result.gamma_c);
  return out;
}

template <typename TMakeImages>
NPSNetOccupancies TorchEngine::Run(const TMakeImages & makeImages, bool raw) const
{
  NPSNetOccupancies out;
  TorchThread::Run([&] {
    try
    {
      const c10::InferenceMode inference;
      out = this->Forward(makeImages(), raw);
    }
    catch (const c10::Error & error)
    {
      const std::string what = error.what_without_backtrace();
      npsnetThrow("The network " << m_FileName << " failed on " << this->GetDevice() << ": "
                                 << what.substr(0, what.find('\n')));
    }
  });
  return out;
}

NPSNetOccupancies TorchEngine::Infer(const float * images,
                                     std::size_t   numberOfImages,
                                     std::size_t   numberOfRadii,
                                     std::size_t   numberOfAngles,
                                     bool          raw) const
{
  const auto size = [](std::size_t n) { return static_cast<int64_t>(n); };
  return this->Run(
    [&] {
      return torch::from_blob(const_cast<float *>(images),
                              { size(numberOfImages), 3, size(numberOfRadii), size(numberOfAngles) },
                              torch::kFloat)
        .to(m_Device);
    },
    raw);
}

NPSNetOccupancies TorchEngine::InferHypotheses(const unsigned char *                rgb,
                                               int                                  side,
                                               const std::vector<PolarHypothesis> & hypotheses,
                                               std::size_t                          numberOfRadii,
                                               std::size_t                          numberOfAngles,
                                               bool                                 bgr,
                                               bool                                 raw) const
{
  return this->Run(
    [&] {
      return SampleOnDevice(
        rgb, side, hypotheses, static_cast<int>(numberOfRadii), static_cast<int>(numberOfAngles), bgr, m_Device);
    },
    raw);
}

std::size_t TorchEngine::EstimateBytesPerImage(std::size_t numberOfRadii, std::size_t numberOfAngles) const
{
  // The widest moment is the last decoder: skip, upsampled, concatenated and two outputs at full size, and as much
  // again in the deeper skips and the convolution library's scratch space.
  const std::size_t featureBytes = numberOfRadii * numberOfAngles * m_Network->GetArchitecture().Channels.front() *
                                   (m_Precision == torch::kFloat ? 4 : 2);
  return 8 * featureBytes + 32 * numberOfRadii * numberOfAngles;
}

TorchEngineFactory::TorchEngineFactory()
{
  this->RegisterOverride(
    "NPSNetTorchEngine", "TorchEngine", "NPS-Net on LibTorch", true, CreateObjectFunction<TorchEngine>::New());
}

const char * TorchEngineFactory::GetITKSourceVersion() const
{
  return ITK_SOURCE_VERSION;
}

const char * TorchEngineFactory::GetDescription() const
{
  return "NPS-Net on LibTorch";
}
} // namespace itk

/** What ITK, and EnginePlugin, look for in a library of object factories. */
extern "C" NPSNetTorch_EXPORT itk::ObjectFactoryBase * itkLoad()
{
  static const itk::TorchEngineFactory::Pointer factory = itk::TorchEngineFactory::New();
  return factory;
}
