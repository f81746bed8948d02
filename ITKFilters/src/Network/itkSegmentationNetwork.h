// SPDX-License-Identifier: Apache-2.0
#ifndef itkSegmentationNetwork_h
#define itkSegmentationNetwork_h

#include "itkNPSNetModelFile.h"
#include "itkNetworkEncoderDecoder.h"
#include "itkNetworkHeads.h"
#include "itkNetworkKernels.h"

#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace itk
{
namespace npsnet
{
/** \class SegmentationNetwork
 * \brief Inference of NPS-Net and its variants on the processor.
 *
 * On one kind of instruction set the same image and weights give the same bits, whatever the number of threads, the
 * place in a batch, the alignment of memory, or what ran before. Any number of threads may call Infer().
 */
class NPSNet_EXPORT SegmentationNetwork
{
public:
  /** Throws itk::ExceptionObject that names the tensor which does not fit. The file is not needed afterwards. */
  SegmentationNetwork(const NPSNetModelFile & file, InstructionSetEnum instructions = GetInstructionSet());
  ~SegmentationNetwork();
  SegmentationNetwork(const SegmentationNetwork &) = delete;
  SegmentationNetwork & operator=(const SegmentationNetwork &) = delete;

  double GetPriorScale() const { return m_Heads->GetPriorScale(); }

  /** One image [channel][radius][angle], or [channel][y][x] for a plain UNet. */
  void Infer(const float * image, std::size_t rows, std::size_t columns, bool raw, const NetworkAnswer & answer) const;

  /** Bytes that one pass works in. */
  std::size_t GetWorkingMemory(std::size_t rows, std::size_t columns) const;

private:
  using Size = std::pair<std::size_t, std::size_t>;
  using LayoutPointer = std::shared_ptr<const NetworkEncoderDecoder::Layout>;

  LayoutPointer GetLayout(const Size & size) const;

  const NetworkKernels &                 m_Kernels;
  std::unique_ptr<NetworkEncoderDecoder> m_EncoderDecoder;
  std::unique_ptr<NetworkHeads>          m_Heads;

  mutable std::mutex                    m_Mutex;
  mutable std::map<Size, LayoutPointer> m_Layouts;
  mutable std::vector<AlignedFloats>    m_FreeMemory; ///< of passes that are over
};
} // namespace npsnet
} // namespace itk

#endif
