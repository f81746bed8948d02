// SPDX-License-Identifier: Apache-2.0
#include "npsnetPhotoMessage.h"

#include "itkOutputError.h"
#include "itkNestedPolarBoundaryToLabelImageFilter.h"

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
  itk::StoredGeometry stored;
  stored.Dimension = from.at("dimension").get<unsigned>();
  stored.Size = from.at("size").get<decltype(stored.Size)>();
  stored.Spacing = from.at("spacing").get<decltype(stored.Spacing)>();
  stored.Origin = from.at("origin").get<decltype(stored.Origin)>();
  stored.Direction = from.at("direction").get<decltype(stored.Direction)>();
  stored.Orientation = from.at("orientation").get<unsigned>();
  photograph->SetStored(stored);
  return photograph;
}

itk::FundusResult CompleteResult(const std::string& text, const itk::FundusPhotograph* photograph)
{
  itk::FundusResult result = itk::FundusResult::FromJSON(text);
  result.SetPhotograph(photograph);
  if (result.Boundary)
  {
    auto rasterizer = itk::NestedPolarBoundaryToLabelImageFilter::New();
    rasterizer->SetBoundary(result.Boundary);
    rasterizer->SetReferenceImage(photograph->GetImage());
    rasterizer->Update();
    result.Labels = rasterizer->GetOutput();
  }
  return result;
}
} // namespace npsnet
