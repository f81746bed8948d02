// SPDX-License-Identifier: Apache-2.0
#ifndef itkNetworkMatrix_h
#define itkNetworkMatrix_h

#include "itkAlignedFloats.h"
#include "itkNetworkKernels.h"

#include <vector>

namespace itk
{
namespace npsnet
{
/** \class NetworkMatrix
 * \brief Weights of a layer that is a product with a matrix, in the order in which the product reads them.
 */
class NetworkMatrix
{
public:
  NetworkMatrix() = default;

  /** value(step, column): the matrix has as many rows as the layer has inputs. Columns are filled up with zeros. */
  template <typename TValue>
  NetworkMatrix(std::int64_t steps, std::int64_t columns, const TValue & value)
    : m_Steps(steps)
    , m_Columns(PadChannels(columns))
    , m_Values(static_cast<std::size_t>(m_Steps * m_Columns))
    , m_Bias(static_cast<std::size_t>(m_Columns), 0.0F)
  {
    float * to = m_Values.data();
    for (std::int64_t panel = 0; panel < m_Columns; panel += ChannelStep)
    {
      for (std::int64_t step = 0; step < steps; ++step)
      {
        for (std::int64_t column = panel; column < panel + ChannelStep; ++column, ++to)
        {
          *to = column < columns ? value(step, column) : 0.0F;
        }
      }
    }
  }

  std::int64_t         GetSteps() const { return m_Steps; }
  std::int64_t         GetColumns() const { return m_Columns; } ///< a multiple of 16
  std::vector<float> & GetBias() { return m_Bias; }             ///< zero at first

  /** rows x columns results of rows x steps inputs. */
  void Multiply(const NetworkKernels & kernels,
                const float *          left,
                std::int64_t           leftStride,
                std::int64_t           rows,
                float *                result,
                std::int64_t           resultStride,
                bool                   rectify = false) const
  {
    kernels.Multiply({ left,
                       leftStride,
                       rows,
                       m_Steps,
                       m_Values.data(),
                       m_Columns / ChannelStep,
                       m_Bias.data(),
                       rectify,
                       result,
                       resultStride });
  }

private:
  std::int64_t       m_Steps{ 0 };
  std::int64_t       m_Columns{ 0 };
  AlignedFloats      m_Values;
  std::vector<float> m_Bias;
};
} // namespace npsnet
} // namespace itk

#endif
