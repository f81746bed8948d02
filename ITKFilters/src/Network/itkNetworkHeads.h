// SPDX-License-Identifier: Apache-2.0
#ifndef itkNetworkHeads_h
#define itkNetworkHeads_h

#include "itkAngularProfile.h"
#include "itkNPSNetArchitecture.h"
#include "itkNetworkConvolution.h"
#include "itkNetworkShapePrior.h"

#include <memory>
#include <vector>

namespace itk
{
namespace npsnet
{
/** What the network says about one image; pointers to [radius][angle] and [angle]. */
struct NetworkAnswer
{
  float * Disc;
  float * Cup;
  float * DiscConfidence; ///< null without a shape prior
  float * CupConfidence;
};

/** \class NetworkHeads
 * \brief From the features of the encoder-decoder to the two occupancies.
 */
class NetworkHeads
{
public:
  virtual ~NetworkHeads() = default;

  /** \a raw: without the running minimum that repairs rounding. */
  virtual void Run(const NetworkKernels & kernels, const Features & features, bool raw, NetworkAnswer answer) const = 0;

  /** lambda_c of the shape prior; 0 without one. */
  virtual double GetPriorScale() const { return 0.0; }

  static std::unique_ptr<NetworkHeads> Make(NetworkWeights & weights, const NPSNetArchitecture & architecture);
};
} // namespace npsnet
} // namespace itk

#endif
