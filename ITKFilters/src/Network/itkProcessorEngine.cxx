// SPDX-License-Identifier: Apache-2.0
#include "itkProcessorEngine.h"

#include "itkNPSNetThrow.h"
#include "itkNetworkThreads.h"

namespace itk
{
void ProcessorEngine::Load(const NPSNetModelFile & file, const NPSNet::Settings & settings)
{
  if (settings.Precision != "auto" && settings.Precision != "fp32" && !settings.Precision.empty())
  {
    npsnetThrow("The network computes in fp32 on the processor, not in "
                << settings.Precision << ": use fp32 or auto here, or a GPU, or --engine torch for bf16.");
  }
  m_HasShapePrior = file.GetMetadata().Architecture.HasShapePrior();
  try
  {
    m_Network = std::make_unique<npsnet::SegmentationNetwork>(file);
  }
  catch (const ExceptionObject & error)
  {
    npsnetThrow(file.GetFileName() << " does not fit the network: " << error.GetDescription());
  }
}

void ProcessorEngine::SetNumberOfThreads(unsigned int threads)
{
  npsnet::NetworkThreads::SetNumberOfThreads(threads);
}

NPSNetOccupancies ProcessorEngine::Infer(const float * images,
                                         std::size_t   numberOfImages,
                                         std::size_t   numberOfRadii,
                                         std::size_t   numberOfAngles,
                                         bool          raw) const
{
  const std::size_t values = numberOfRadii * numberOfAngles;
  NPSNetOccupancies out;
  out.NumberOfImages = numberOfImages;
  out.NumberOfRadii = numberOfRadii;
  out.NumberOfAngles = numberOfAngles;
  out.Disc.resize(numberOfImages * values);
  out.Cup.resize(numberOfImages * values);
  if (m_HasShapePrior)
  {
    out.DiscConfidence.resize(numberOfImages * numberOfAngles);
    out.CupConfidence.resize(numberOfImages * numberOfAngles);
  }
  for (std::size_t i = 0; i < numberOfImages; ++i)
  {
    m_Network->Infer(images + i * 3 * values,
                     numberOfRadii,
                     numberOfAngles,
                     raw,
                     { out.Disc.data() + i * values,
                       out.Cup.data() + i * values,
                       m_HasShapePrior ? out.DiscConfidence.data() + i * numberOfAngles : nullptr,
                       m_HasShapePrior ? out.CupConfidence.data() + i * numberOfAngles : nullptr });
  }
  return out;
}

std::size_t ProcessorEngine::EstimateBytesPerImage(std::size_t numberOfRadii, std::size_t numberOfAngles) const
{
  return m_Network->GetWorkingMemory(numberOfRadii, numberOfAngles) + 32 * numberOfRadii * numberOfAngles;
}
} // namespace itk
