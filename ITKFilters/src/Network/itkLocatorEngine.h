// SPDX-License-Identifier: Apache-2.0
#ifndef itkLocatorEngine_h
#define itkLocatorEngine_h

#include "NPSNetExport.h"
#include "itkNPSNetModelFile.h"
#include "itkNetworkConvolution.h"

#include <vector>

namespace itk
{
namespace npsnet
{
/** \class LocatorEngine
 * \brief Inference of the optic nerve head locator on the processor.
 *
 * A small encoder-decoder looks at the photograph, fitted into a square, and at its mirror image. The same photograph
 * gives the same bits, whatever the number of threads.
 */
class NPSNet_EXPORT LocatorEngine
{
public:
  /** Side of the square, and pixels of it per cell of the heat map. */
  static constexpr std::int64_t InputSize = 256;
  static constexpr std::int64_t Stride = 4;

  /** Throws itk::ExceptionObject that names the tensor which does not fit. The file is not needed afterwards. */
  explicit LocatorEngine(const NPSNetModelFile & file, InstructionSetEnum instructions = GetInstructionSet());

  /** Where the averaged answers have their peak, in pixels of the square. */
  struct Peak
  {
    double X{ 0.0 };
    double Y{ 0.0 };
    double Diameter{ 0.0 };
    double Confidence{ 0.0 };
  };
  /** input: [y][x][3], as Prepare() makes it. */
  Peak FindPeak(const std::vector<float> & input) const;

  /** The longer side of an RGB photograph becomes the side of the square. Each channel has mean 0 and standard
   * deviation 1 over what is not black, black pixels are 0: the colour of a photograph and its black border say nothing
   * about the place of the disc. With an enlargement the square is that many times the longer side, black around. */
  static std::vector<float> Prepare(const unsigned char * rgb,
                                    std::size_t           width,
                                    std::size_t           height,
                                    double                enlargement = 1.0);

  /** Logits of the heat map, then logarithms of the diameter, by cell: what the network says of one image. */
  std::vector<float> Infer(const std::vector<float> & input) const;

private:
  static constexpr int NumberOfHalvings = 5;
  static constexpr int NumberOfDoublings = 3;

  const NetworkKernels &          m_Kernels;
  std::vector<NetworkConvolution> m_Down[NumberOfHalvings];
  std::vector<NetworkConvolution> m_Up;
  NetworkMatrix                   m_Head;
};
} // namespace npsnet
} // namespace itk

#endif
