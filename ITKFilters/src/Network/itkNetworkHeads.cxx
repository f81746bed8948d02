// SPDX-License-Identifier: Apache-2.0
#include "itkNetworkHeads.h"

#include "itkNetworkThreads.h"

#include <algorithm>

namespace itk
{
namespace npsnet
{
namespace
{
constexpr std::int64_t Block = ChannelStep; ///< angles worked on together

/** Two 1 x 1 convolutions with one result each as the first two columns of a matrix. */
NetworkMatrix JoinConvolutions(const std::vector<float> & first,
                               const std::vector<float> & second,
                               float                      firstBias,
                               float                      secondBias,
                               std::int64_t               channels)
{
  NetworkMatrix matrix(PadChannels(channels), 2, [&](std::int64_t step, std::int64_t column) {
    return step >= channels ? 0.0F : (column == 0 ? first : second)[static_cast<std::size_t>(step)];
  });
  matrix.GetBias()[0] = firstBias;
  matrix.GetBias()[1] = secondBias;
  return matrix;
}

/** Plain UNet (Cartesian) and B1 (polar): cup and disc as independent sigmoid maps, in the authors' channel order. */
class MaskHeads : public NetworkHeads
{
public:
  MaskHeads(NetworkWeights & weights, const NPSNetArchitecture & architecture)
  {
    const std::int64_t channels = architecture.Channels.front();
    const auto         values = weights.Take("final_conv.weight", { 2, channels, 1, 1 });
    const auto         bias = weights.Take("final_conv.bias", { 2 });
    m_Matrix = JoinConvolutions(std::vector<float>(values.begin(), values.begin() + channels),
                                std::vector<float>(values.begin() + channels, values.end()),
                                bias[0],
                                bias[1],
                                channels);
  }

  void Run(const NetworkKernels & kernels, const Features & features, bool, NetworkAnswer answer) const override
  {
    const std::int64_t columns = features.Columns;
    const std::int64_t channels = features.Values.Channels;
    NetworkThreads::For(features.Rows, [&](std::int64_t row) {
      std::vector<float> resolved(static_cast<std::size_t>(columns * channels));
      std::vector<float> logits(static_cast<std::size_t>(columns * ChannelStep));
      kernels.Resolve(features.Values, row * columns, columns, resolved.data());
      m_Matrix.Multiply(kernels, resolved.data(), channels, columns, logits.data(), ChannelStep);
      kernels.Sigmoid(logits.data(), columns * ChannelStep);
      for (std::int64_t x = 0; x < columns; ++x)
      {
        answer.Cup[row * columns + x] = logits[static_cast<std::size_t>(x * ChannelStep)];
        answer.Disc[row * columns + x] = logits[static_cast<std::size_t>(x * ChannelStep + 1)];
      }
    });
  }

private:
  NetworkMatrix m_Matrix;
};

/** B2, B3 and B4: L(rho_j, theta) = a(theta) - sum_{m <= j} softplus(delta(rho_m, theta)). */
class MonotoneHeads : public NetworkHeads
{
public:
  MonotoneHeads(NetworkWeights & weights, const NPSNetArchitecture & architecture)
    : m_Architecture(architecture)
    , m_Channels(architecture.Channels.front())
  {
    if (architecture.HeadContextFeatures > 0)
    {
      m_Context = std::make_unique<NetworkContext>(
        weights, "head_context.", m_Channels, architecture.HeadContextFeatures, architecture.ContextHarmonics);
    }
    const std::string disc = "disc_head.";
    const std::string cup = std::string(architecture.Variant == NPSNetVariant::Nested ? "cup_gate." : "cup_head.") +
                            (architecture.IsNested() ? "cup_" : "");
    const ScalarLayer discBias = Read(weights, disc + "bias_conv", { 1, m_Channels, 1 });
    const ScalarLayer cupBias = Read(weights, cup + "bias_conv", { 1, m_Channels, 1 });
    const ScalarLayer discDecrement = Read(weights, disc + "dec_conv", { 1, m_Channels, 1, 1 });
    const ScalarLayer cupDecrement = Read(weights, cup + "dec_conv", { 1, m_Channels, 1, 1 });
    m_Biases = JoinConvolutions(discBias.Weights, cupBias.Weights, discBias.Bias, cupBias.Bias, m_Channels);
    m_Decrements =
      JoinConvolutions(discDecrement.Weights, cupDecrement.Weights, discDecrement.Bias, cupDecrement.Bias, m_Channels);
    m_ContextDecrements = JoinConvolutions(discDecrement.Weights, cupDecrement.Weights, 0.0F, 0.0F, m_Channels);
    if (architecture.HasShapePrior())
    {
      m_Prior = std::make_unique<NetworkShapePrior>(weights, architecture);
      m_PriorScale = weights.Take("fusion.lambda_c", {}).front();
    }
  }

  double GetPriorScale() const override { return static_cast<double>(m_PriorScale); }

  void Run(const NetworkKernels & kernels, const Features & features, bool raw, NetworkAnswer answer) const override
  {
    const std::int64_t angles = features.Columns;
    const std::int64_t radii = features.Rows;
    const std::int64_t channels = features.Values.Channels;
    const std::int64_t blocks = (angles + Block - 1) / Block;
    const auto         angleCount = static_cast<std::size_t>(blocks * Block);

    // One sweep over the features: sums along rho, and the decrements.
    AngularProfile profile(angles, channels);
    AlignedFloats  decrements(static_cast<std::size_t>(blocks * radii * Block * 2)); // [block][disc, cup][radius][16]
    NetworkThreads::For(blocks, [&](std::int64_t block) {
      this->Sweep(kernels, features, block, profile, decrements.data() + block * radii * Block * 2);
    });

    // What depends on whole circles.
    const auto         stride = static_cast<std::size_t>(channels);
    std::vector<float> rhoMean(static_cast<std::size_t>(angles) * stride);
    for (std::size_t i = 0; i < rhoMean.size(); ++i)
    {
      rhoMean[i] = static_cast<float>(profile.Sum[i] / static_cast<double>(radii));
    }
    std::vector<float> constant(angleCount * ChannelStep, 0.0F); // [angle][disc, cup, ...]
    std::vector<float> slope(constant);
    if (m_Context)
    {
      const AngularAddition addition = (*m_Context)(kernels, profile, radii);
      // the mean of 2 rho - 1 over the radii is zero
      std::transform(rhoMean.begin(), rhoMean.end(), addition.Constant.begin(), rhoMean.begin(), std::plus<float>());
      m_ContextDecrements.Multiply(kernels, addition.Constant.data(), channels, angles, constant.data(), ChannelStep);
      m_ContextDecrements.Multiply(kernels, addition.Slope.data(), channels, angles, slope.data(), ChannelStep);
    }
    std::vector<float> biases(angleCount * ChannelStep, 0.0F);
    m_Biases.Multiply(kernels, rhoMean.data(), channels, angles, biases.data(), ChannelStep);
    std::vector<float> priorRadius(angleCount, 0.0F);
    std::vector<float> priorWeight(angleCount, 0.0F);
    if (m_Prior)
    {
      const auto prior = (*m_Prior)(kernels, rhoMean.data(), channels, angles);
      std::copy(prior.DiscConfidence.begin(), prior.DiscConfidence.end(), answer.DiscConfidence);
      std::copy(prior.CupConfidence.begin(), prior.CupConfidence.end(), answer.CupConfidence);
      std::copy(prior.CupRadius.begin(), prior.CupRadius.end(), priorRadius.begin());
      std::transform(prior.CupConfidence.begin(), prior.CupConfidence.end(), priorWeight.begin(), [this](float gamma) {
        return m_PriorScale * gamma;
      });
    }

    NetworkThreads::For(blocks, [&](std::int64_t index) {
      const std::int64_t first = index * Block;
      float              terms[2][3][Block];
      for (std::int64_t i = 0; i < Block; ++i)
      {
        for (std::int64_t head = 0; head < 2; ++head)
        {
          const auto place = static_cast<std::size_t>((first + i) * ChannelStep + head);
          terms[head][0][i] = biases[place];
          terms[head][1][i] = constant[place];
          terms[head][2][i] = slope[place];
        }
      }
      std::vector<float> results(static_cast<std::size_t>(2 * radii * Block));
      HeadBlock          block = {};
      block.Radii = radii;
      block.DecrementScale = static_cast<double>(m_Architecture.NumberOfRadii) / static_cast<double>(radii);
      block.Nested = m_Architecture.IsNested();
      block.Repair = !raw;
      block.DiscDecrements = decrements.data() + index * radii * Block * 2;
      block.CupDecrements = block.DiscDecrements + radii * Block;
      for (int term = 0; term < 3; ++term)
      {
        block.Disc[term] = terms[0][term];
        block.Cup[term] = terms[1][term];
      }
      block.PriorRadius = m_Prior ? priorRadius.data() + first : nullptr;
      block.PriorWeight = priorWeight.data() + first;
      block.PriorSoftness = m_Architecture.PriorSoftness;
      block.DiscResult = results.data();
      block.CupResult = block.DiscResult + radii * Block;
      kernels.Heads(block);
      const std::int64_t count = std::min(Block, angles - first);
      for (std::int64_t j = 0; j < radii; ++j)
      {
        std::copy_n(block.DiscResult + j * Block, count, answer.Disc + j * angles + first);
        std::copy_n(block.CupResult + j * Block, count, answer.Cup + j * angles + first);
      }
    });
  }

private:
  struct ScalarLayer
  {
    std::vector<float> Weights;
    float              Bias;
  };

  static ScalarLayer Read(NetworkWeights & weights, const std::string & name, const NetworkWeights::ShapeType & shape)
  {
    return { weights.Take(name + ".weight", shape), weights.Take(name + ".bias", { 1 }).front() };
  }

  void Sweep(const NetworkKernels & kernels,
             const Features &       features,
             std::int64_t           block,
             AngularProfile &       profile,
             float *                decrements) const
  {
    constexpr std::int64_t run = 16; // short float sums stay exact enough, doubles join them
    const std::int64_t     channels = features.Values.Channels;
    const std::int64_t     first = block * Block;
    const std::int64_t     count = std::min(Block, features.Columns - first);
    const auto             size = static_cast<std::size_t>(count * channels);
    std::vector<float>     pixels(size);
    std::vector<float>     sum(size, 0.0F);
    std::vector<float>     moment(size, 0.0F);
    float                  results[Block * ChannelStep] = {};
    for (std::int64_t j = 0; j < features.Rows; ++j)
    {
      kernels.Resolve(features.Values, j * features.Columns + first, count, pixels.data());
      kernels.AddProfile(pixels.data(),
                         static_cast<float>(NetworkContext::GetRadialTerm(j, features.Rows)),
                         count * channels,
                         sum.data(),
                         moment.data());
      if (j % run == run - 1 || j + 1 == features.Rows)
      {
        for (std::size_t i = 0; i < size; ++i)
        {
          const auto place = static_cast<std::size_t>(first * channels) + i;
          profile.Sum[place] += static_cast<double>(sum[i]);
          profile.Moment[place] += static_cast<double>(moment[i]);
        }
        std::fill(sum.begin(), sum.end(), 0.0F);
        std::fill(moment.begin(), moment.end(), 0.0F);
      }
      m_Decrements.Multiply(kernels, pixels.data(), channels, count, results, ChannelStep);
      for (std::int64_t i = 0; i < Block; ++i)
      {
        decrements[j * Block + i] = results[i * ChannelStep];
        decrements[(features.Rows + j) * Block + i] = results[i * ChannelStep + 1];
      }
    }
  }

  NPSNetArchitecture                 m_Architecture;
  std::int64_t                       m_Channels;
  std::unique_ptr<NetworkContext>    m_Context;
  std::unique_ptr<NetworkShapePrior> m_Prior;
  NetworkMatrix                      m_Biases, m_Decrements, m_ContextDecrements;
  float                              m_PriorScale{ 0.0F };
};
} // namespace

std::unique_ptr<NetworkHeads> NetworkHeads::Make(NetworkWeights & weights, const NPSNetArchitecture & architecture)
{
  if (architecture.IsMonotone())
  {
    return std::make_unique<MonotoneHeads>(weights, architecture);
  }
  return std::make_unique<MaskHeads>(weights, architecture);
}
} // namespace npsnet
} // namespace itk
