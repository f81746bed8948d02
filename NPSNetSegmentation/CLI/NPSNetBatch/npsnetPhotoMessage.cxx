// SPDX-License-Identifier: Apache-2.0
#include "npsnetPhotoMessage.h"

#include "itkOutputError.h"
#include "itkNestedPolarBoundaryToLabelImageFilter.h"
#include "itkRimMeasurementCalculator.h"

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace npsnet
{
using nlohmann::json;

namespace
{
using PixelType = itk::FundusPhotograph::ImageType::PixelType;
static_assert(sizeof(PixelType) == 3, "pixels are sent as they lie in memory");

/// An image whose pixels are a mapping that it gives back.
class MappedPixelContainer : public itk::FundusPhotograph::ImageType::PixelContainer
{
public:
  using Self = MappedPixelContainer;
  using Superclass = itk::FundusPhotograph::ImageType::PixelContainer;
  using Pointer = itk::SmartPointer<Self>;
  itkNewMacro(Self);

  void Map(int file, std::size_t numberOfPixels)
  {
    const std::size_t bytes = numberOfPixels * sizeof(PixelType);
    // Private: nothing done here reaches the other process.
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    if (memory == MAP_FAILED)
    {
      throw std::runtime_error(std::string("Cannot map the photo: ") + std::strerror(errno) + ".");
    }
    this->Memory = memory;
    this->Size = bytes;
    this->SetImportPointer(static_cast<PixelType*>(memory), numberOfPixels, false);
  }

protected:
  MappedPixelContainer() = default;
  ~MappedPixelContainer() override
  {
    if (this->Memory)
    {
      munmap(this->Memory, this->Size);
    }
  }

private:
  void* Memory{nullptr};
  std::size_t Size{0};
};

template <typename T> void Put(json& message, const char* key, const std::optional<T>& value)
{
  if (value)
  {
    message[key] = *value;
  }
}

template <typename T> void Get(const json& message, const char* key, std::optional<T>& value)
{
  if (message.contains(key))
  {
    value = message.at(key).get<T>();
  }
}
} // namespace

json PhotographToMessage(const itk::FundusPhotograph& photograph, FileDescriptor& pixels)
{
  const auto* image = const_cast<itk::FundusPhotograph&>(photograph).GetModifiableImage();
  const auto size = image->GetLargestPossibleRegion().GetSize();
  const auto spacing = image->GetSpacing();
  const std::size_t bytes = size[0] * size[1] * sizeof(PixelType);
  pixels = FileDescriptor(memfd_create("npsnet-photo", MFD_CLOEXEC));
  void* memory = MAP_FAILED;
  if (pixels && ftruncate(pixels.Get(), static_cast<off_t>(bytes)) == 0)
  {
    memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, pixels.Get(), 0);
  }
  if (memory == MAP_FAILED)
  {
    const int reason = errno;
    throw itk::OutputError(std::string("Cannot share the photo: ") + std::strerror(reason) + ".", reason);
  }
  std::memcpy(memory, image->GetBufferPointer(), bytes);
  munmap(memory, bytes);

  const auto& stored = photograph.GetStored();
  return {{"size", {size[0], size[1]}}, {"spacing", {spacing[0], spacing[1]}}, {"file_name", photograph.GetFileName()},
    {"laterality", photograph.GetDICOMLaterality()}, {"um_per_pixel", photograph.GetMicrometersPerPixel()},
    {"stored", {{"dimension", stored.Dimension}, {"size", stored.Size}, {"spacing", stored.Spacing},
                 {"origin", stored.Origin}, {"direction", stored.Direction}, {"orientation", stored.Orientation}}}};
}

itk::FundusPhotograph::Pointer PhotographFromMessage(const json& message, const FileDescriptor& pixels)
{
  const auto size = message.at("size").get<std::array<std::size_t, 2>>();
  const auto spacing = message.at("spacing").get<std::array<double, 2>>();
  struct stat info = {};
  if (!pixels || fstat(pixels.Get(), &info) != 0 ||
      static_cast<std::size_t>(info.st_size) != size[0] * size[1] * sizeof(PixelType))
  {
    throw std::runtime_error("The decoded photo did not arrive whole.");
  }
  auto container = MappedPixelContainer::New();
  container->Map(pixels.Get(), size[0] * size[1]);
  auto image = itk::FundusPhotograph::ImageType::New();
  itk::FundusPhotograph::ImageType::SizeType region;
  region[0] = size[0];
  region[1] = size[1];
  image->SetRegions(region);
  itk::FundusPhotograph::ImageType::SpacingType spacings;
  spacings[0] = spacing[0];
  spacings[1] = spacing[1];
  image->SetSpacing(spacings);
  image->SetPixelContainer(container);

  auto photograph = itk::FundusPhotograph::New();
  photograph->SetImage(image);
  photograph->SetFileName(message.at("file_name").get<std::string>());
  photograph->SetDICOMLaterality(message.at("laterality").get<std::string>());
  photograph->SetMicrometersPerPixel(message.at("um_per_pixel").get<double>());
  const json& from = message.at("stored");
  itk::FundusPhotograph::StoredGeometry stored;
  stored.Dimension = from.at("dimension").get<unsigned>();
  stored.Size = from.at("size").get<decltype(stored.Size)>();
  stored.Spacing = from.at("spacing").get<decltype(stored.Spacing)>();
  stored.Origin = from.at("origin").get<decltype(stored.Origin)>();
  stored.Direction = from.at("direction").get<decltype(stored.Direction)>();
  stored.Orientation = from.at("orientation").get<unsigned>();
  photograph->SetStored(stored);
  return photograph;
}

json ResultToMessage(const itk::FundusResult& result)
{
  json message = {{"name", result.Name}, {"input", result.InputFileName}, {"status", static_cast<int>(result.Status)},
    {"message", result.Message}, {"eye", static_cast<int>(result.Eye)},
    {"eye_source", static_cast<int>(result.EyeSource)}, {"calibration_source", result.CalibrationSource},
    {"device", result.Device}, {"precision", result.Precision}, {"stages", result.StageSeconds}};
  Put(message, "um_per_pixel", result.Measurements.MicrometersPerPixel);
  Put(message, "valid", result.Valid);
  Put(message, "seconds", result.Seconds);
  if (result.Boundary)
  {
    message["boundary"] = result.Boundary->ToJSON();
  }
  if (result.NetworkBoundary)
  {
    message["network_boundary"] = result.NetworkBoundary->ToJSON();
  }
  const auto& network = result.Network;
  message["network"] = {network.Name, network.Version, network.SHA256, network.Licence, network.FileName};
  json locator = {{"method", result.Localisation.Method}, {"sha256", result.Localisation.ModelSHA256}};
  Put(locator, "center", result.Localisation.Center);
  Put(locator, "diameter", result.Localisation.Diameter);
  Put(locator, "confidence", result.Localisation.Confidence);
  message["locator"] = locator;
  json tta = {{"mode", result.TTA.Mode}, {"hypotheses", result.TTA.NumberOfHypotheses}};
  Put(tta, "score", result.TTA.Score);
  message["tta"] = tta;
  if (result.CropGeometry)
  {
    message["crop"] = {{"center", result.CropGeometry->Center}, {"side", result.CropGeometry->Side},
      {"size", result.CropGeometry->Size}};
  }
  return message;
}

itk::FundusResult ResultFromMessage(const json& message, const itk::FundusPhotograph* photograph)
{
  itk::FundusResult result;
  result.Name = message.at("name").get<std::string>();
  result.InputFileName = message.at("input").get<std::string>();
  result.Status = static_cast<itk::FundusStatusEnum>(message.at("status").get<int>());
  result.Message = message.at("message").get<std::string>();
  result.Eye = static_cast<itk::EyeSideEnum>(message.at("eye").get<int>());
  result.EyeSource = static_cast<itk::EyeSourceEnum>(message.at("eye_source").get<int>());
  result.CalibrationSource = message.at("calibration_source").get<std::string>();
  result.Device = message.at("device").get<std::string>();
  result.Precision = message.at("precision").get<std::string>();
  result.StageSeconds = message.at("stages").get<decltype(result.StageSeconds)>();
  Get(message, "valid", result.Valid);
  Get(message, "seconds", result.Seconds);
  const json& network = message.at("network");
  result.Network = {network[0].get<std::string>(), network[1].get<std::string>(), network[2].get<std::string>(),
    network[3].get<std::string>(), network[4].get<std::string>()};
  const json& locator = message.at("locator");
  result.Localisation.Method = locator.at("method").get<std::string>();
  result.Localisation.ModelSHA256 = locator.at("sha256").get<std::string>();
  Get(locator, "center", result.Localisation.Center);
  Get(locator, "diameter", result.Localisation.Diameter);
  Get(locator, "confidence", result.Localisation.Confidence);
  const json& tta = message.at("tta");
  result.TTA.Mode = tta.at("mode").get<std::string>();
  result.TTA.NumberOfHypotheses = tta.at("hypotheses").get<unsigned>();
  Get(tta, "score", result.TTA.Score);
  if (message.contains("crop"))
  {
    const json& crop = message.at("crop");
    result.CropGeometry = itk::FundusResult::Crop{
      crop.at("center").get<std::array<double, 2>>(), crop.at("side").get<double>(), crop.at("size").get<unsigned>()};
  }

  result.SetPhotograph(photograph);
  const double micrometers = message.value("um_per_pixel", 0.0);
  result.Measurements.Eye = result.Eye;
  if (micrometers > 0.0)
  {
    result.Measurements.MicrometersPerPixel = micrometers;
  }
  if (message.contains("network_boundary"))
  {
    result.NetworkBoundary = itk::NestedPolarBoundary::FromJSON(message.at("network_boundary").get<std::string>());
  }
  if (message.contains("boundary"))
  {
    result.Boundary = itk::NestedPolarBoundary::FromJSON(message.at("boundary").get<std::string>());
    const auto* image = const_cast<itk::FundusPhotograph*>(photograph)->GetModifiableImage();
    auto rasterizer = itk::NestedPolarBoundaryToLabelImageFilter::New();
    rasterizer->SetBoundary(result.Boundary);
    rasterizer->SetReferenceImage(image);
    rasterizer->Update();
    result.Labels = rasterizer->GetOutput();
    auto calculator = itk::RimMeasurementCalculator::New();
    calculator->SetEye(result.Eye);
    calculator->SetMicrometersPerPixel(micrometers);
    calculator->SetPhotograph(image);
    result.Measurements = calculator->Compute(result.Boundary);
  }
  return result;
}
} // namespace npsnet
