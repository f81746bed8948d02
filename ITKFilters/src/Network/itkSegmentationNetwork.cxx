// SPDX-License-Identifier: Apache-2.0
#include "itkSegmentationNetwork.h"

#include "itkNetworkWeights.h"

namespace itk
{
namespace npsnet
{
SegmentationNetwork::SegmentationNetwork(const NPSNetModelFile & file, InstructionSetEnum instructions)
  : m_Kernels(GetNetworkKernels(instructions))
{
  const NPSNetArchitecture & architecture = file.GetMetadata().Architecture;
  architecture.Validate();
  NetworkWeights    weights(file.GetTensorFile(), "a " + NPSNetVariantToString(architecture.Variant) + " network");
  const std::string prefix = architecture.IsMonotone() ? "polar_unet." : "";
  m_EncoderDecoder = std::make_unique<NetworkEncoderDecoder>(weights, architecture, prefix, m_Kernels);
  m_Heads = NetworkHeads::Make(weights, architecture);
  weights.RequireAllTaken();
}

SegmentationNetwork::~SegmentationNetwork() = default;

SegmentationNetwork::LayoutPointer SegmentationNetwork::GetLayout(const Size & size) const
{
  const std::lock_guard<std::mutex> lock(m_Mutex);
  LayoutPointer &                   layout = m_Layouts[size];
  if (!layout)
  {
    layout =
      m_EncoderDecoder->MakeLayout(static_cast<std::int64_t>(size.first), static_cast<std::int64_t>(size.second));
  }
  return layout;
}

std::size_t SegmentationNetwork::GetWorkingMemory(std::size_t rows, std::size_t columns) const
{
  return NetworkEncoderDecoder::GetMemorySize(*this->GetLayout({ rows, columns })) * sizeof(float);
}

void SegmentationNetwork::Infer(const float *         image,
                                std::size_t           rows,
                                std::size_t           columns,
                                bool                  raw,
                                const NetworkAnswer & answer) const
{
  const auto    layout = this->GetLayout({ rows, columns });
  AlignedFloats memory;
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    if (!m_FreeMemory.empty())
    {
      memory = std::move(m_FreeMemory.back());
      m_FreeMemory.pop_back();
    }
  }
  memory.Reserve(NetworkEncoderDecoder::GetMemorySize(*layout));
  const Features features = m_EncoderDecoder->Run(m_Kernels, *layout, image, memory.data());
  m_Heads->Run(m_Kernels, features, raw, answer);
  const std::lock_guard<std::mutex> lock(m_Mutex);
  m_FreeMemory.push_back(std::move(memory));
}
} // namespace npsnet
} // namespace itk
