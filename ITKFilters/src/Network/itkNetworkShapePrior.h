// SPDX-License-Identifier: Apache-2.0
#ifndef itkNetworkShapePrior_h
#define itkNetworkShapePrior_h

#include "itkNPSNetArchitecture.h"
#include "itkNetworkMatrix.h"
#include "itkNetworkWeights.h"

#include <vector>

namespace itk
{
namespace npsnet
{
/** \class NetworkShapePrior
 * \brief Radius of the cup by angle as the shape of the whole suggests it, and how certain that is.
 */
class NetworkShapePrior
{
public:
  NetworkShapePrior(NetworkWeights & weights, const NPSNetArchitecture & architecture);

  struct Answer
  {
    std::vector<float> CupRadius, DiscConfidence, CupConfidence; ///< by angle
  };

  /** rhoMean: [angle][channel], `stride` numbers an angle. */
  Answer operator()(const NetworkKernels & kernels,
                    const float *          rhoMean,
                    std::int64_t           stride,
                    std::int64_t           angles) const;

private:
  struct Layer
  {
    NetworkMatrix Matrix;
    std::int64_t  Reach; ///< angles that a result depends on
    std::int64_t  Inputs;
  };

  std::vector<Layer> m_Layers;
  NetworkMatrix      m_Disc, m_Alpha;
  std::int64_t       m_Bins;
  float              m_InverseTemperature;
};
} // namespace npsnet
} // namespace itk

#endif
