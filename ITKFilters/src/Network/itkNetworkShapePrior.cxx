// SPDX-License-Identifier: Apache-2.0
#include "itkNetworkShapePrior.h"

#include "itkNetworkConvolution.h"
#include "itkNetworkThreads.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace itk
{
namespace npsnet
{
namespace
{
constexpr std::int64_t AnglesAtOnce = 12;

template <typename TWork>
void ForAngles(std::int64_t angles, const TWork & work)
{
  NetworkThreads::For((angles + AnglesAtOnce - 1) / AnglesAtOnce, [&](std::int64_t index) {
    const std::int64_t first = index * AnglesAtOnce;
    work(first, std::min(AnglesAtOnce, angles - first));
  });
}
} // namespace

NetworkShapePrior::NetworkShapePrior(NetworkWeights & weights, const NPSNetArchitecture & architecture)
  : m_Bins(architecture.NumberOfRadii)
  , m_InverseTemperature(static_cast<float>(1.0 / architecture.ShapeTemperature))
{
  const std::string  prefix = "shape_prior.angular_net.";
  const std::int64_t features = architecture.ShapeFeatures;
  std::int64_t       inputs = architecture.Channels.front();
  for (int i = 0; i < 3; ++i)
  {
    const std::int64_t reach = i == 2 ? 3 : 5;
    const std::string  name = prefix + std::to_string(3 * i) + ".conv.";
    const auto         taps = weights.Take(name + "weight", { features, inputs, reach });
    const auto         bias = weights.Take(name + "bias", { features });
    const auto         norm = FoldBatchNorm(weights, prefix + std::to_string(3 * i + 1) + ".", features);
    Layer              layer;
    layer.Reach = reach;
    layer.Inputs = inputs;
    layer.Matrix = NetworkMatrix(reach * inputs, features, [&](std::int64_t step, std::int64_t k) {
      const auto tap = static_cast<std::size_t>((k * inputs + step % inputs) * reach + step / inputs);
      return static_cast<float>(static_cast<double>(taps[tap]) * norm.Factor[static_cast<std::size_t>(k)]);
    });
    for (std::size_t k = 0; k < bias.size(); ++k)
    {
      layer.Matrix.GetBias()[k] = static_cast<float>(static_cast<double>(bias[k]) * norm.Factor[k] + norm.Summand[k]);
    }
    m_Layers.push_back(std::move(layer));
    inputs = features;
  }
  const auto readHead = [&](const std::string & name) {
    const auto    values = weights.Take("shape_prior." + name + ".weight", { m_Bins, features, 1 });
    const auto    bias = weights.Take("shape_prior." + name + ".bias", { m_Bins });
    NetworkMatrix matrix(features, m_Bins, [&](std::int64_t step, std::int64_t k) {
      return values[static_cast<std::size_t>(k * features + step)];
    });
    std::copy(bias.begin(), bias.end(), matrix.GetBias().begin());
    return matrix;
  };
  m_Disc = readHead("disc_dist_head");
  m_Alpha = readHead("alpha_dist_head");
}

NetworkShapePrior::Answer NetworkShapePrior::operator()(const NetworkKernels & kernels,
                                                        const float *          rhoMean,
                                                        std::int64_t           stride,
                                                        std::int64_t           angles) const
{
  AlignedFloats memory;
  const float * features = rhoMean;
  for (const auto & layer : m_Layers)
  {
    const std::int64_t width = layer.Matrix.GetColumns();
    const std::int64_t steps = layer.Matrix.GetSteps();
    AlignedFloats      next(static_cast<std::size_t>(angles * width));
    ForAngles(angles, [&](std::int64_t first, std::int64_t count) {
      std::vector<float> neighbours(static_cast<std::size_t>(count * steps));
      float *            to = neighbours.data();
      for (std::int64_t angle = first; angle < first + count; ++angle)
      {
        for (std::int64_t tap = 0; tap < layer.Reach; ++tap, to += layer.Inputs)
        {
          const std::int64_t from = ((angle + tap - layer.Reach / 2) % angles + angles) % angles;
          std::memcpy(to, features + from * stride, static_cast<std::size_t>(layer.Inputs) * sizeof(float));
        }
      }
      layer.Matrix.Multiply(kernels, neighbours.data(), steps, count, next.data() + first * width, width, true);
    });
    memory = std::move(next);
    features = memory.data();
    stride = width;
  }

  Answer answer;
  answer.CupRadius.resize(static_cast<std::size_t>(angles));
  answer.DiscConfidence = answer.CupRadius;
  answer.CupConfidence = answer.CupRadius;
  const double logBins = std::log(static_cast<double>(m_Bins));
  ForAngles(angles, [&](std::int64_t first, std::int64_t count) {
    const std::int64_t columns = m_Disc.GetColumns();
    std::vector<float> disc(static_cast<std::size_t>(count * columns));
    std::vector<float> alpha(disc.size());
    m_Disc.Multiply(kernels, features + first * stride, stride, count, disc.data(), columns);
    m_Alpha.Multiply(kernels, features + first * stride, stride, count, alpha.data(), columns);
    for (std::int64_t i = 0; i < count; ++i)
    {
      const auto angle = static_cast<std::size_t>(first + i);
      const auto ofDisc = kernels.Distribution(disc.data() + i * columns, m_Bins, columns, m_InverseTemperature);
      const auto ofAlpha = kernels.Distribution(alpha.data() + i * columns, m_Bins, columns, m_InverseTemperature);
      answer.CupRadius[angle] = static_cast<float>(ofDisc.Abscissa * ofAlpha.Abscissa);
      answer.DiscConfidence[angle] = static_cast<float>(1.0 + ofDisc.Entropy / logBins);
      answer.CupConfidence[angle] = static_cast<float>(1.0 + ofAlpha.Entropy / logBins);
    }
  });
  return answer;
}
} // namespace npsnet
} // namespace itk
