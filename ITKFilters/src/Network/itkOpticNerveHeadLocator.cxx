// SPDX-License-Identifier: Apache-2.0
#include "itkOpticNerveHeadLocator.h"

#include "itkContinuousIndex.h"
#include "itkLocatorEngine.h"
#include "itkNPSNetThrow.h"
#include "itkNetworkThreads.h"

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
  explicit Implementation(const NPSNetModelFile & file)
    : Engine(file)
  {}
  npsnet::LocatorEngine Engine;
};

OpticNerveHeadLocator::OpticNerveHeadLocator() = default;

OpticNerveHeadLocator::~OpticNerveHeadLocator() = default;

OpticNerveHeadLocator::Pointer OpticNerveHeadLocator::Load(const std::string & fileName,
                                                           const std::string &,
                                                           unsigned int threads)
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
  npsnet::NetworkThreads::SetNumberOfThreads(threads);
  locator->m_Implementation = std::make_unique<Implementation>(file);
  return locator;
}

OpticNerveHeadLocator::Location OpticNerveHeadLocator::Locate(const ImageType * image) const
{
  if (image == nullptr || image->GetBufferedRegion().GetNumberOfPixels() == 0)
  {
    npsnetThrow("There is no photograph to look for the optic nerve head in.");
  }
  const auto   region = image->GetBufferedRegion();
  const auto   size = region.GetSize();
  const auto * bytes = reinterpret_cast<const unsigned char *>(image->GetBufferPointer());
  auto         peak = m_Implementation->Engine.FindPeak(npsnet::LocatorEngine::Prepare(bytes, size[0], size[1]));

  double scale = static_cast<double>(std::max(size[0], size[1])) / npsnet::LocatorEngine::InputSize;
  if (peak.Diameter > CloseUp * npsnet::LocatorEngine::InputSize)
  {
    // As a part of a square twice as large the disc has a size that the network knows.
    const auto again = m_Implementation->Engine.FindPeak(npsnet::LocatorEngine::Prepare(bytes, size[0], size[1], 2.0));
    if (again.Confidence >= m_ConfidenceThreshold)
    {
      peak = again;
      scale *= 2.0;
    }
  }

  const auto inPhotograph = [scale](double position, std::size_t length) {
    return 0.5 * (static_cast<double>(length) - 1.0) +
           (position + 0.5 - 0.5 * npsnet::LocatorEngine::InputSize) * scale;
  };
  ContinuousIndex<double, 2> index;
  index[0] = region.GetIndex()[0] + inPhotograph(peak.X, size[0]);
  index[1] = region.GetIndex()[1] + inPhotograph(peak.Y, size[1]);
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
