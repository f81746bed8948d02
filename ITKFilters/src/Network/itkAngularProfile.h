// SPDX-License-Identifier: Apache-2.0
#ifndef itkAngularProfile_h
#define itkAngularProfile_h

#include "itkNetworkMatrix.h"
#include "itkNetworkWeights.h"

#include <string>
#include <vector>

namespace itk
{
namespace npsnet
{
/** \class AngularProfile
 * \brief Sums of features along rho for every angle: plain, and times 2 rho - 1.
 */
struct AngularProfile
{
  AngularProfile(std::int64_t angles, std::int64_t channels)
    : Angles(angles)
    , Channels(channels)
    , Sum(static_cast<std::size_t>(angles * channels), 0.0)
    , Moment(Sum)
  {}
  std::int64_t        Angles, Channels;
  std::vector<double> Sum, Moment; ///< [angle][channel]
};

/** What a context adds to the features: constant + (2 rho - 1) slope, both [angle][channel]. */
struct AngularAddition
{
  std::vector<float> Constant, Slope;
};

/** \class NetworkContext
 * \brief Tells every angle what the whole circle looks like.
 *
 * The features f are written in the low harmonics b_k of the polar grid, a small network turns these coefficients into
 * others, and what those say is added:
 *
 *   f + sum_k b_k g_k,   g = E relu(R c + r) + e,   c_k = mean over the grid of f b_k,
 *   b = { 1, 2 rho - 1 } x { 1, cos m theta, sin m theta : m = 1 ... harmonics }.
 *
 * The mean needs the sums along rho only, so that features are read once.
 */
class NetworkContext
{
public:
  NetworkContext(NetworkWeights &    weights,
                 const std::string & prefix,
                 std::int64_t        channels,
                 std::int64_t        features,
                 std::int64_t        harmonics);

  AngularAddition operator()(const NetworkKernels & kernels, const AngularProfile & profile, std::int64_t radii) const;

  /** 2 rho - 1 at the centre of a sample. */
  static double GetRadialTerm(std::int64_t radius, std::int64_t radii)
  {
    return (static_cast<double>(radius) + 0.5) * 2.0 / static_cast<double>(radii) - 1.0;
  }

private:
  std::vector<double> GetCircularTerms(std::int64_t angles) const; ///< [angle][1 + 2 harmonics]

  std::int64_t  m_Channels;
  std::int64_t  m_Terms; ///< 1 + 2 harmonics
  NetworkMatrix m_Reduce, m_Expand;
};
} // namespace npsnet
} // namespace itk

#endif
