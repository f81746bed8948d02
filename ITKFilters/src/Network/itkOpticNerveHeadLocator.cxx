// SPDX-License-Identifier: Apache-2.0
#include "itkOpticNerveHeadLocator.h"

#include "itkContinuousIndex.h"
#include "itkLocatorNetwork.h"
#include "itkNPSNetModelIO.h"
#include "itkNPSNetThrow.h"
#include "itkTorchDevice.h"
#include "itkTorchModuleState.h"
#include "itkTorchThread.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace itk
{
namespace
{
/** A disc of more than this share of the photograph's side is drawn too small by the network, which was trained with
 * discs of up to half a side: such a photograph is looked at twice. */
constexpr double CloseUp = 0.35;
} // namespace

struct OpticNerveHeadLocator::Implementation
{
  std::shared_ptr<LocatorNetwork> Network;
  torch::Device                   Device{ torch::kCPU };
};

OpticNerveHeadLocator::OpticNerveHeadLocator()
  : m_Implementation(std::make_unique<Implementation>())
{}

OpticNerveHeadLocator::~OpticNerveHeadLocator() = default;

OpticNerveHeadLocator::Pointer OpticNerveHeadLocator::Load(const std::string & fileName,
                                                           const std::string & device,
                                                           unsigned int        threads)
{
  const NPSNetModelFile file(fileName);
  if (file.GetMetadata().Task != "locator")
  {
    npsnetThrow(
      fileName << " is not a model of the optic nerve head locator: give a file made by the task \"locator\".");
  }
  Pointer locator = new Self;
  locator->UnRegister();
  locator->m_ModelSHA256 = file.GetSHA256();
  const auto & extra = file.GetMetadata().Architecture.Extra;
  const auto   threshold = extra.find("confidence_threshold");
  if (threshold != extra.end())
  {
    locator->m_ConfidenceThreshold = std::clamp(std::strtod(threshold->second.c_str(), nullptr), 0.0, 1.0);
  }
  auto & implementation = *locator->m_Implementation;
  TorchThread::Run([&] {
    TorchThread::SetNumberOfThreads(threads);
    implementation.Device = ResolveTorchDevice(device);
    implementation.Network = std::make_shared<LocatorNetwork>();
    SetTorchModuleState(*implementation.Network, ReadNPSNetState(file), "the optic nerve head locator");
    implementation.Network->to(implementation.Device);
    implementation.Network->eval();
  });
  return locator;
}

OpticNerveHeadLocator::Location OpticNerveHeadLocator::Locate(const ImageType * image) const
{
  if (image == nullptr || image->GetBufferedRegion().GetNumberOfPixels() == 0)
  {
    npsnetThrow("There is no photograph to look for the optic nerve head in.");
  }
  const auto         region = image->GetBufferedRegion();
  const auto         size = region.GetSize();
  const auto *       bytes = reinterpret_cast<const unsigned char *>(image->GetBufferPointer());
  LabelledPhotograph photograph;
  photograph.Width = static_cast<unsigned int>(size[0]);
  photograph.Height = static_cast<unsigned int>(size[1]);
  photograph.Color.assign(bytes, bytes + 3 * region.GetNumberOfPixels());

  CropPlacement place;
  place.CentreX = 0.5 * (static_cast<double>(size[0]) - 1.0);
  place.CentreY = 0.5 * (static_cast<double>(size[1]) - 1.0);
  place.Side = static_cast<double>(std::max(size[0], size[1]));
  const auto look = [&] {
    const auto  raster = CutLocatorCrop(photograph, place).Image;
    LocatorPeak peak;
    TorchThread::Run([&] {
      torch::NoGradGuard noGrad;
      peak = FindLocatorPeak(*m_Implementation->Network, PrepareLocatorInput(raster).to(m_Implementation->Device));
    });
    return peak;
  };
  LocatorPeak peak = look();
  if (peak.Diameter > CloseUp * LocatorInputSize)
  {
    // As a part of a square twice as large the disc has a size that the network knows.
    const double side = place.Side;
    place.Side *= 2.0;
    const LocatorPeak again = look();
    if (again.Confidence >= m_ConfidenceThreshold)
    {
      peak = again;
    }
    else
    {
      place.Side = side;
    }
  }

  const double               scale = place.Side / LocatorInputSize;
  ContinuousIndex<double, 2> index;
  index[0] = region.GetIndex()[0] + place.CentreX + (peak.X + 0.5 - 0.5 * LocatorInputSize) * scale;
  index[1] = region.GetIndex()[1] + place.CentreY + (peak.Y + 0.5 - 0.5 * LocatorInputSize) * scale;
  Location location;
  image->TransformContinuousIndexToPhysicalPoint(index, location.Center);
  location.Diameter = peak.Diameter * scale * std::sqrt(image->GetSpacing()[0] * image->GetSpacing()[1]);
  location.Confidence = peak.Confidence;
  const bool inside = index[0] >= region.GetIndex()[0] - 0.5 && index[1] >= region.GetIndex()[1] - 0.5 &&
                      index[0] <= region.GetIndex()[0] + static_cast<double>(size[0]) - 0.5 &&
                      index[1] <= region.GetIndex()[1] + static_cast<double>(size[1]) - 0.5;
  location.Found = inside && std::isfinite(location.Diameter) && location.Confidence >= m_ConfidenceThreshold;
  location.Certain = location.Found && location.Confidence >= m_CertaintyThreshold;
  return location;
}

void OpticNerveHeadLocator::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "ConfidenceThreshold: " << m_ConfidenceThreshold << std::endl;
  os << indent << "CertaintyThreshold: " << m_CertaintyThreshold << std::endl;
  os << indent << "ModelSHA256: " << m_ModelSHA256 << std::endl;
}
} // namespace itk
