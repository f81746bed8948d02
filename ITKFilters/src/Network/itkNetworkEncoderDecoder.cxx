// SPDX-License-Identifier: Apache-2.0
#include "itkNetworkEncoderDecoder.h"

#include "itkBufferPlan.h"
#include "itkNetworkThreads.h"

#include <algorithm>

namespace itk
{
namespace npsnet
{
struct NetworkEncoderDecoder::Stage
{
  NetworkConvolution First, Second;
  NetworkMatrix      Up[4]; ///< decoders: from a pixel to the four that it becomes
};

/** Where the buffers of a stage lie. */
class NetworkEncoderDecoder::Layout
{
public:
  struct Place
  {
    std::int64_t Rows, Columns;
    std::size_t  Upsampled, Between, Result, Pooled, Norms;
  };
  std::vector<Place> Encoders, Decoders;
  Place              Bottleneck;
  std::size_t        Input, Scratch;
  BufferPlan         Plan;
};

namespace
{
/** [channel][row][column] to [row][column][channel], filled up. */
void InterleaveImage(const float * image, std::int64_t rows, std::int64_t columns, float * out)
{
  NetworkThreads::For(rows, [&](std::int64_t row) {
    const float * from = image + row * columns;
    float *       to = out + row * columns * ChannelStep;
    std::fill_n(to, columns * ChannelStep, 0.0F);
    for (std::int64_t column = 0; column < columns; ++column)
    {
      for (std::int64_t c = 0; c < 3; ++c)
      {
        to[column * ChannelStep + c] = from[c * rows * columns + column];
      }
    }
  });
}

Features Halve(const NetworkKernels & kernels, const Features & in, float * out)
{
  Features half;
  half.Rows = in.Rows / 2;
  half.Columns = in.Columns / 2;
  half.Values.Data = out;
  half.Values.Channels = in.Values.Channels;
  NetworkThreads::For(half.Rows, [&](std::int64_t row) {
    const std::int64_t upper = 2 * row * in.Columns;
    kernels.MaximumOfFour(
      in.Values, upper, upper + in.Columns, half.Columns, out + row * half.Columns * in.Values.Channels);
  });
  return half;
}

/** Transposed 2 x 2 convolution with stride 2. Halving an odd size and doubling it again lacks one sample: zeros at the
 * far end. */
Features Double(const NetworkKernels & kernels,
                const NetworkMatrix (&matrices)[4],
                const Features & in,
                std::int64_t     rows,
                std::int64_t     columns,
                float *          out)
{
  Features result;
  result.Rows = rows;
  result.Columns = columns;
  result.Values.Data = out;
  result.Values.Channels = matrices[0].GetColumns();
  const std::int64_t channels = result.Values.Channels;
  NetworkThreads::For(rows / 2 + rows % 2, [&](std::int64_t row) {
    if (row == in.Rows)
    {
      std::fill_n(out + 2 * row * columns * channels, columns * channels, 0.0F);
      return;
    }
    static thread_local AlignedFloats memory;
    const float *                     pixels = in.Values.Data + row * in.Columns * in.Values.Channels;
    if (in.Values.Scale)
    {
      float * resolved = memory.Reserve(static_cast<std::size_t>(in.Columns * in.Values.Channels));
      kernels.Resolve(in.Values, row * in.Columns, in.Columns, resolved);
      pixels = resolved;
    }
    for (std::int64_t piece = 0; piece < 4; ++piece)
    {
      float * to = out + ((2 * row + piece / 2) * columns + piece % 2) * channels;
      matrices[piece].Multiply(kernels, pixels, in.Values.Channels, in.Columns, to, 2 * channels);
    }
    for (std::int64_t y = 2 * row; 2 * in.Columns < columns && y < 2 * row + 2; ++y)
    {
      std::fill_n(out + ((y + 1) * columns - 1) * channels, channels, 0.0F);
    }
  });
  return result;
}

void AddContext(const NetworkKernels & kernels, const NetworkContext & context, Features & features)
{
  const std::int64_t channels = features.Values.Channels;
  const std::int64_t row = features.Columns * channels;
  auto *             data = const_cast<float *>(features.Values.Data); // of our own memory
  AngularProfile     profile(features.Columns, channels);
  std::vector<float> sum(static_cast<std::size_t>(row), 0.0F);
  std::vector<float> moment(sum);
  for (std::int64_t y = 0; y < features.Rows; ++y)
  {
    const auto weight = static_cast<float>(NetworkContext::GetRadialTerm(y, features.Rows));
    kernels.AddProfile(data + y * row, weight, row, sum.data(), moment.data());
  }
  std::copy(sum.begin(), sum.end(), profile.Sum.begin());
  std::copy(moment.begin(), moment.end(), profile.Moment.begin());
  const auto addition = context(kernels, profile, features.Rows);
  NetworkThreads::For(features.Rows, [&](std::int64_t y) {
    const auto weight = static_cast<float>(NetworkContext::GetRadialTerm(y, features.Rows));
    kernels.AddContext(data + y * row, addition.Constant.data(), weight, addition.Slope.data(), row);
  });
}
} // namespace

NetworkEncoderDecoder::~NetworkEncoderDecoder() = default;

NetworkEncoderDecoder::NetworkEncoderDecoder(NetworkWeights &           weights,
                                             const NPSNetArchitecture & architecture,
                                             const std::string &        prefix,
                                             const NetworkKernels &     kernels)
{
  const std::string block = architecture.IsPolar() ? "block." : "conv.";
  const std::string convolution = architecture.IsPolar() ? ".conv.weight" : ".weight";
  const auto        makeStage =
    [&](const std::string & name, const std::vector<std::int64_t> & inputs, std::int64_t outputs, bool hasGroupNorm) {
      NetworkConvolution::Shape shape;
      shape.Inputs = inputs;
      shape.Outputs = outputs;
      shape.Groups = hasGroupNorm ? architecture.NormGroups : 0;
      shape.Circular = architecture.IsPolar();
      NetworkConvolution::Shape second = shape;
      second.Inputs = { outputs };
      return Stage{ NetworkConvolution(weights, name + "0" + convolution, name + "1.", shape, kernels),
                    NetworkConvolution(weights, name + "3" + convolution, name + "4.", second, kernels),
                    {} };
    };
  const auto depth = architecture.Channels.size();
  const auto hasGroupNorm = [&](std::size_t stage) {
    return architecture.IsMonotone() && stage < architecture.GroupNormStages;
  };
  std::int64_t channels = 3;
  for (std::size_t i = 0; i < depth; ++i)
  {
    m_Encoders.push_back(makeStage(prefix + "encoders." + std::to_string(i) + ".double_conv." + block,
                                   { channels },
                                   architecture.Channels[i],
                                   hasGroupNorm(i)));
    channels = architecture.Channels[i];
  }
  m_Bottleneck = std::make_unique<Stage>(makeStage(prefix + "bottleneck." + block, { channels }, 2 * channels, false));
  channels *= 2;
  if (architecture.ContextFeatures > 0)
  {
    m_Context = std::make_unique<NetworkContext>(
      weights, prefix + "context.", channels, architecture.ContextFeatures, architecture.ContextHarmonics);
  }
  for (std::size_t i = 0; i < depth; ++i)
  {
    const auto        stage = depth - 1 - i;
    const auto        outputs = static_cast<std::int64_t>(architecture.Channels[stage]);
    const std::string name = prefix + "decoders." + std::to_string(i) + ".";
    m_Decoders.push_back(makeStage(name + "double_conv." + block, { outputs, outputs }, outputs, hasGroupNorm(stage)));
    const auto up = weights.Take(name + "up.weight", { channels, outputs, 2, 2 });
    const auto bias = weights.Take(name + "up.bias", { outputs });
    for (std::int64_t piece = 0; piece < 4; ++piece)
    {
      auto & matrix = m_Decoders.back().Up[piece];
      matrix = NetworkMatrix(PadChannels(channels), outputs, [&](std::int64_t step, std::int64_t column) {
        return step < channels ? up[static_cast<std::size_t>((step * outputs + column) * 4 + piece)] : 0.0F;
      });
      std::copy(bias.begin(), bias.end(), matrix.GetBias().begin());
    }
    channels = outputs;
  }
}

std::shared_ptr<const NetworkEncoderDecoder::Layout> NetworkEncoderDecoder::MakeLayout(std::int64_t rows,
                                                                                       std::int64_t columns) const
{
  auto       layout = std::make_shared<Layout>();
  auto &     plan = layout->Plan;
  const int  depth = static_cast<int>(m_Encoders.size());
  const int  end = 6 * (2 * depth + 1) + 1;
  const auto stepOf = [](int stage) { return 6 * stage; };

  std::size_t scratch = 0;
  const auto  place = [&](const Stage & stage, std::int64_t r, std::int64_t c, int index, int readLast) {
    const auto    pixels = static_cast<std::size_t>(r * c);
    const auto    width = static_cast<std::size_t>(stage.Second.GetOutputChannels());
    const int     step = stepOf(index);
    Layout::Place at = {};
    at.Rows = r;
    at.Columns = c;
    at.Result = plan.Place(pixels * width, step + 3, readLast);
    at.Between = plan.Place(pixels * width, step + 2, step + 3);
    if (index < depth)
    {
      at.Pooled = plan.Place(pixels / 4 * width, step + 4, stepOf(index + 1) + 2);
    }
    else if (index > depth)
    {
      at.Upsampled = plan.Place(pixels * width, step + 1, step + 2);
    }
    scratch = std::max({ scratch, stage.First.GetScratchSize(r, c), stage.Second.GetScratchSize(r, c) });
    return at;
  };
  layout->Input = plan.Place(static_cast<std::size_t>(rows * columns * ChannelStep), 0, 2);
  std::vector<std::pair<std::int64_t, std::int64_t>> sizes;
  for (int i = 0; i < depth; ++i)
  {
    sizes.emplace_back(rows, columns);
    layout->Encoders.push_back(
      place(m_Encoders[static_cast<std::size_t>(i)], rows, columns, i, stepOf(2 * depth - i) + 2));
    rows /= 2;
    columns /= 2;
  }
  layout->Bottleneck = place(*m_Bottleneck, rows, columns, depth, stepOf(depth + 1) + 1);
  for (int i = 0; i < depth; ++i)
  {
    const auto & size = sizes[static_cast<std::size_t>(depth - 1 - i)];
    const int    index = depth + 1 + i;
    layout->Decoders.push_back(place(m_Decoders[static_cast<std::size_t>(i)],
                                     size.first,
                                     size.second,
                                     index,
                                     i + 1 < depth ? stepOf(index + 1) + 1 : end));
  }
  const auto placeNorms = [&](Layout::Place & at, const Stage & stage) {
    at.Norms = plan.Place(static_cast<std::size_t>(4 * stage.Second.GetOutputChannels()), 0, end);
  };
  for (std::size_t i = 0; i < m_Encoders.size(); ++i)
  {
    placeNorms(layout->Encoders[i], m_Encoders[i]);
    placeNorms(layout->Decoders[i], m_Decoders[i]);
  }
  placeNorms(layout->Bottleneck, *m_Bottleneck);
  layout->Scratch = plan.Place(scratch, 0, end);
  return layout;
}

std::size_t NetworkEncoderDecoder::GetMemorySize(const Layout & layout)
{
  return layout.Plan.GetSize();
}

Features NetworkEncoderDecoder::Run(const NetworkKernels & kernels,
                                    const Layout &         layout,
                                    const float *          image,
                                    float *                memory) const
{
  const auto runStage = [&](const Stage & stage, const Layout::Place & at, const Features * sources) {
    float *        norms = memory + at.Norms;
    float *        scratch = memory + layout.Scratch;
    const Features between = stage.First.Run(kernels, sources, memory + at.Between, norms, scratch);
    return stage.Second.Run(
      kernels, &between, memory + at.Result, norms + 2 * stage.First.GetOutputChannels(), scratch);
  };
  const auto & first = layout.Encoders.front();
  Features     x;
  x.Rows = first.Rows;
  x.Columns = first.Columns;
  x.Values.Data = memory + layout.Input;
  x.Values.Channels = ChannelStep;
  InterleaveImage(image, x.Rows, x.Columns, memory + layout.Input);

  std::vector<Features> skips;
  for (std::size_t i = 0; i < m_Encoders.size(); ++i)
  {
    skips.push_back(runStage(m_Encoders[i], layout.Encoders[i], &x));
    x = Halve(kernels, skips.back(), memory + layout.Encoders[i].Pooled);
  }
  x = runStage(*m_Bottleneck, layout.Bottleneck, &x);
  if (m_Context)
  {
    AddContext(kernels, *m_Context, x);
  }
  for (std::size_t i = 0; i < m_Decoders.size(); ++i)
  {
    const auto &   at = layout.Decoders[i];
    const Features sources[2] = { skips.back(),
                                  Double(kernels, m_Decoders[i].Up, x, at.Rows, at.Columns, memory + at.Upsampled) };
    x = runStage(m_Decoders[i], at, sources);
    skips.pop_back();
  }
  return x;
}
} // namespace npsnet
} // namespace itk
