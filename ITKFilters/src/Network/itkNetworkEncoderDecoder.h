// SPDX-License-Identifier: Apache-2.0
#ifndef itkNetworkEncoderDecoder_h
#define itkNetworkEncoderDecoder_h

#include "itkAngularProfile.h"
#include "itkNPSNetArchitecture.h"
#include "itkNetworkConvolution.h"

#include <memory>
#include <string>
#include <vector>

namespace itk
{
namespace npsnet
{
/** \class NetworkEncoderDecoder
 * \brief The UNet of all variants, for one image.
 *
 * Features stay where a layer wrote them: what is joined is read from two places, a GroupNorm is applied by those who
 * read. All memory is laid out once for a size of image.
 */
class NetworkEncoderDecoder
{
public:
  NetworkEncoderDecoder(NetworkWeights &           weights,
                        const NPSNetArchitecture & architecture,
                        const std::string &        prefix,
                        const NetworkKernels &     kernels);
  ~NetworkEncoderDecoder();

  /** Where everything lies for one size of image. */
  class Layout;
  std::shared_ptr<const Layout> MakeLayout(std::int64_t rows, std::int64_t columns) const;
  static std::size_t            GetMemorySize(const Layout & layout);

  /** image: [channel][row][column]. The result lies in `memory`. */
  Features Run(const NetworkKernels & kernels, const Layout & layout, const float * image, float * memory) const;

private:
  struct Stage;

  std::vector<Stage>              m_Encoders, m_Decoders;
  std::unique_ptr<Stage>          m_Bottleneck;
  std::unique_ptr<NetworkContext> m_Context;
};
} // namespace npsnet
} // namespace itk

#endif
