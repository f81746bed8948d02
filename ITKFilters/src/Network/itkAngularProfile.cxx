// SPDX-License-Identifier: Apache-2.0
#include "itkAngularProfile.h"

#include <cmath>

namespace itk
{
namespace npsnet
{
namespace
{
constexpr double TwoPi = 6.28318530717958647692;

/** torch::nn::Linear */
NetworkMatrix ReadLinear(NetworkWeights & weights, const std::string & name, std::int64_t inputs, std::int64_t outputs)
{
  const auto    values = weights.Take(name + ".weight", { outputs, inputs });
  const auto    bias = weights.Take(name + ".bias", { outputs });
  NetworkMatrix matrix(inputs, outputs, [&](std::int64_t step, std::int64_t column) {
    return values[static_cast<std::size_t>(column * inputs + step)];
  });
  std::copy(bias.begin(), bias.end(), matrix.GetBias().begin());
  return matrix;
}
} // namespace

NetworkContext::NetworkContext(NetworkWeights &    weights,
                               const std::string & prefix,
                               std::int64_t        channels,
                               std::int64_t        features,
                               std::int64_t        harmonics)
  : m_Channels(channels)
  , m_Terms(1 + 2 * harmonics)
  , m_Reduce(ReadLinear(weights, prefix + "reduce", channels * 2 * m_Terms, features))
  , m_Expand(ReadLinear(weights, prefix + "expand", features, channels * 2 * m_Terms))
{}

std::vector<double> NetworkContext::GetCircularTerms(std::int64_t angles) const
{
  std::vector<double> terms;
  for (std::int64_t i = 0; i < angles; ++i)
  {
    const double theta = (static_cast<double>(i) + 0.5) * TwoPi / static_cast<double>(angles);
    terms.push_back(1.0);
    for (std::int64_t m = 1; 2 * m < m_Terms; ++m)
    {
      terms.push_back(std::cos(static_cast<double>(m) * theta));
      terms.push_back(std::sin(static_cast<double>(m) * theta));
    }
  }
  return terms;
}

AngularAddition NetworkContext::operator()(const NetworkKernels & kernels,
                                           const AngularProfile & profile,
                                           std::int64_t           radii) const
{
  const auto          circular = this->GetCircularTerms(profile.Angles);
  const auto          terms = static_cast<std::size_t>(m_Terms);
  const auto          channels = static_cast<std::size_t>(m_Channels);
  const auto          stride = static_cast<std::size_t>(profile.Channels);
  const auto          angles = static_cast<std::size_t>(profile.Angles);
  std::vector<double> sums(channels * 2 * terms, 0.0); // [channel][1, 2 rho - 1][circular term]
  for (std::size_t angle = 0; angle < angles; ++angle)
  {
    const double * basis = &circular[angle * terms];
    for (std::size_t c = 0; c < channels; ++c)
    {
      double * to = &sums[c * 2 * terms];
      for (std::size_t m = 0; m < terms; ++m)
      {
        to[m] += basis[m] * profile.Sum[angle * stride + c];
        to[terms + m] += basis[m] * profile.Moment[angle * stride + c];
      }
    }
  }
  std::vector<float> coefficients;
  for (const double sum : sums)
  {
    coefficients.push_back(static_cast<float>(sum / static_cast<double>(radii * profile.Angles)));
  }
  std::vector<float> hidden(static_cast<std::size_t>(m_Reduce.GetColumns()));
  std::vector<float> answer(static_cast<std::size_t>(m_Expand.GetColumns()));
  m_Reduce.Multiply(kernels, coefficients.data(), m_Reduce.GetSteps(), 1, hidden.data(), m_Reduce.GetColumns(), true);
  m_Expand.Multiply(kernels, hidden.data(), m_Expand.GetSteps(), 1, answer.data(), m_Expand.GetColumns());

  AngularAddition addition;
  addition.Constant.assign(angles * stride, 0.0F);
  addition.Slope = addition.Constant;
  for (std::size_t angle = 0; angle < angles; ++angle)
  {
    const double * basis = &circular[angle * terms];
    for (std::size_t c = 0; c < channels; ++c)
    {
      const float * from = &answer[c * 2 * terms];
      double        constant = 0.0;
      double        slope = 0.0;
      for (std::size_t m = 0; m < terms; ++m)
      {
        constant += basis[m] * static_cast<double>(from[m]);
        slope += basis[m] * static_cast<double>(from[terms + m]);
      }
      addition.Constant[angle * stride + c] = static_cast<float>(constant);
      addition.Slope[angle * stride + c] = static_cast<float>(slope);
    }
  }
  return addition;
}
} // namespace npsnet
} // namespace itk
