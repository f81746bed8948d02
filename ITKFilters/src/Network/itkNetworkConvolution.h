// SPDX-License-Identifier: Apache-2.0
#ifndef itkNetworkConvolution_h
#define itkNetworkConvolution_h

#include "itkNetworkMatrix.h"
#include "itkNetworkWeights.h"

#include <string>
#include <vector>

namespace itk
{
namespace npsnet
{
/** Features of one image, [row][column][channel]. */
struct Features
{
  std::int64_t  Rows{ 0 };
  std::int64_t  Columns{ 0 };
  FeatureSource Values;
};

/** \class NetworkConvolution
 * \brief 3 x 3 convolution, norm and ReLU.
 *
 * Stride 1: Winograd's minimal filtering F(4 x 4, 3 x 3), a quarter of the multiplications of the plain sum. The
 * interpolation points are 0, +-3/4, +-3/2 and infinity: all coefficients are exact in binary, and the rounding error
 * is a fifth of that of the usual 0, +-1, +-2, about that of the plain sum in fp32. Stride 2: the plain sum.
 *
 * Outside there are zeros; in circular layers the columns go round. Neither costs a copy. A BatchNorm is folded into
 * the weights. A GroupNorm is summed up where the result is written and left to the layers that read it
 * (FeatureSource::Scale).
 */
class NetworkConvolution
{
public:
  struct Shape
  {
    std::vector<std::int64_t> Inputs; ///< channels of each source
    std::int64_t              Outputs{ 0 };
    std::int64_t              Groups{ 0 }; ///< of the GroupNorm; 0: BatchNorm
    bool                      Circular{ true };
    std::int64_t              Stride{ 1 };
  };

  /** Names of the tensors: `convolution` of the weight, `norm` before ".weight", ".bias" and so on. */
  NetworkConvolution(NetworkWeights &       weights,
                     const std::string &    convolution,
                     const std::string &    norm,
                     const Shape &          shape,
                     const NetworkKernels & kernels);

  std::int64_t GetOutputChannels() const { return m_Outputs; } ///< a multiple of 16
  std::int64_t GetOutputSize(std::int64_t inputSize) const { return (inputSize + m_Stride - 1) / m_Stride; }

  /** Numbers of working memory that Run() needs. */
  std::size_t GetScratchSize(std::int64_t rows, std::int64_t columns) const;

  /** All sources have the size of the first. `norm`, with room for twice the output channels, is what the returned
   * features refer to where there is a GroupNorm. */
  Features Run(const NetworkKernels & kernels,
               const Features *       sources,
               float *                result,
               float *                norm,
               float *                scratch) const;

private:
  struct Tiling;

  void Winograd(const NetworkKernels & kernels, const Features * sources, float * result, float * scratch) const;
  void PlainSum(const NetworkKernels & kernels, const Features & source, float * result) const;
  void SetNorm(std::int64_t pixels, const float * moments, std::int64_t parts, float * norm) const;

  std::vector<std::int64_t> m_SourceChannels; ///< multiples of 16
  std::int64_t              m_Inputs{ 0 };
  std::int64_t              m_Outputs{ 0 };
  std::int64_t              m_RealInputs{ 0 };
  std::int64_t              m_RealOutputs{ 0 };
  std::int64_t              m_Groups{ 0 };
  std::int64_t              m_Stride{ 1 };
  bool                      m_Circular{ true };
  AlignedFloats             m_Weights; ///< of the Winograd form
  NetworkMatrix             m_Plain;   ///< of the plain sum
  std::vector<float>        m_Bias;
  std::vector<float>        m_NormWeight, m_NormBias;
};

/** Scale and shift of a BatchNorm as one factor and one summand for every channel. */
struct FoldedNorm
{
  std::vector<double> Factor, Summand;
};
FoldedNorm FoldBatchNorm(NetworkWeights & weights, const std::string & name, std::int64_t channels);
} // namespace npsnet
} // namespace itk

#endif
