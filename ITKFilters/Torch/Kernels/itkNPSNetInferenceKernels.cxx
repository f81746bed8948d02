// SPDX-License-Identifier: Apache-2.0
#include "itkNPSNetInferenceKernels.h"

#include "itkMacro.h"
#include "itkWidestVectors.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace itk
{
namespace npsnet
{
namespace
{
/** Sums and sums of squares per channel over a run of pixels. */
NPSNET_WIDEST_VECTORS void Accumulate(const float * x, int64_t pixels, int64_t channels, float * sum, float * square)
{
  for (int64_t p = 0; p < pixels; ++p, x += channels)
  {
    for (int64_t c = 0; c < channels; ++c)
    {
      sum[c] += x[c];
      square[c] += x[c] * x[c];
    }
  }
}

NPSNET_WIDEST_VECTORS void ScaleShiftReLU(float *       x,
                                          int64_t       pixels,
                                          int64_t       channels,
                                          const float * scale,
                                          const float * shift)
{
  for (int64_t p = 0; p < pixels; ++p, x += channels)
  {
    for (int64_t c = 0; c < channels; ++c)
    {
      const float y = x[c] * scale[c] + shift[c];
      x[c] = y > 0.0F ? y : 0.0F;
    }
  }
}

NPSNET_WIDEST_VECTORS void MaximumOfFour(const float * a,
                                         const float * b,
                                         float *       out,
                                         int64_t       pixels,
                                         int64_t       channels)
{
  for (int64_t p = 0; p < pixels; ++p, a += 2 * channels, b += 2 * channels, out += channels)
  {
    for (int64_t c = 0; c < channels; ++c)
    {
      const float upper = a[c] > a[c + channels] ? a[c] : a[c + channels];
      const float lower = b[c] > b[c + channels] ? b[c] : b[c + channels];
      out[c] = upper > lower ? upper : lower;
    }
  }
}

NPSNET_WIDEST_VECTORS void Add(const float * x, float * sum, int64_t count)
{
  for (int64_t i = 0; i < count; ++i)
  {
    sum[i] += x[i];
  }
}

bool IsPlainFloat(const torch::Tensor & x)
{
  return x.device().is_cpu() && x.scalar_type() == torch::kFloat && x.is_contiguous(torch::MemoryFormat::ChannelsLast);
}

/** Pixels of one short run: float sums stay exact enough, doubles join the runs. */
constexpr int64_t RunLength = 256;

struct ChannelSums
{
  explicit ChannelSums(int64_t channels)
    : Sum(channels, 0.0)
    , Square(channels, 0.0)
  {}
  std::vector<double> Sum, Square;
};

ChannelSums SumChannels(const float * x, int64_t pixels, int64_t channels)
{
  const int64_t            runs = (pixels + RunLength - 1) / RunLength;
  const int64_t            chunks = std::min<int64_t>(runs, 64);
  std::vector<ChannelSums> partial(chunks, ChannelSums(channels));
  at::parallel_for(0, chunks, 1, [&](int64_t begin, int64_t end) {
    std::vector<float> sum(channels), square(channels);
    for (int64_t chunk = begin; chunk < end; ++chunk)
    {
      for (int64_t run = runs * chunk / chunks; run < runs * (chunk + 1) / chunks; ++run)
      {
        std::fill(sum.begin(), sum.end(), 0.0F);
        std::fill(square.begin(), square.end(), 0.0F);
        const int64_t first = run * RunLength;
        Accumulate(x + first * channels, std::min(RunLength, pixels - first), channels, sum.data(), square.data());
        for (int64_t c = 0; c < channels; ++c)
        {
          partial[chunk].Sum[c] += sum[c];
          partial[chunk].Square[c] += square[c];
        }
      }
    }
  });
  // joined in a fixed order: the same result whatever the number of threads
  ChannelSums total(channels);
  for (const auto & part : partial)
  {
    for (int64_t c = 0; c < channels; ++c)
    {
      total.Sum[c] += part.Sum[c];
      total.Square[c] += part.Square[c];
    }
  }
  return total;
}
} // namespace

void GroupNormReLU_(torch::Tensor &       x,
                    int64_t               groups,
                    const torch::Tensor & weight,
                    const torch::Tensor & bias,
                    double                eps)
{
  if (!IsPlainFloat(x))
  {
    x = torch::group_norm(x.to(torch::kFloat), groups, weight, bias, eps).relu_().to(x.scalar_type());
    return;
  }
  const int64_t channels = x.size(1);
  const int64_t pixels = x.size(2) * x.size(3);
  const int64_t width = channels / groups;
  const float * gamma = weight.data_ptr<float>();
  const float * beta = bias.data_ptr<float>();
  for (int64_t n = 0; n < x.size(0); ++n)
  {
    float *            features = x.data_ptr<float>() + n * pixels * channels;
    const auto         sums = SumChannels(features, pixels, channels);
    std::vector<float> scale(channels), shift(channels);
    for (int64_t g = 0; g < groups; ++g)
    {
      double sum = 0.0;
      double square = 0.0;
      for (int64_t c = g * width; c < (g + 1) * width; ++c)
      {
        sum += sums.Sum[c];
        square += sums.Square[c];
      }
      const double count = static_cast<double>(pixels * width);
      const double mean = sum / count;
      const double inverse = 1.0 / std::sqrt(std::max(square / count - mean * mean, 0.0) + eps);
      for (int64_t c = g * width; c < (g + 1) * width; ++c)
      {
        scale[c] = static_cast<float>(gamma[c] * inverse);
        shift[c] = static_cast<float>(beta[c] - mean * gamma[c] * inverse);
      }
    }
    at::parallel_for(0, pixels, 4 * RunLength, [&](int64_t begin, int64_t end) {
      ScaleShiftReLU(features + begin * channels, end - begin, channels, scale.data(), shift.data());
    });
  }
}

torch::Tensor MaxPool2(const torch::Tensor & x)
{
  if (!IsPlainFloat(x))
  {
    return torch::max_pool2d(x, 2);
  }
  const int64_t channels = x.size(1);
  const int64_t rows = x.size(2) / 2;
  const int64_t columns = x.size(3) / 2;
  auto          out =
    torch::empty({ x.size(0), channels, rows, columns }, x.options().memory_format(torch::MemoryFormat::ChannelsLast));
  const int64_t stride = x.size(3) * channels;
  const float * in = x.data_ptr<float>();
  float *       result = out.data_ptr<float>();
  at::parallel_for(0, x.size(0) * rows, 4, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
    {
      const float * upper = in + (i / rows) * x.size(2) * stride + 2 * (i % rows) * stride;
      MaximumOfFour(upper, upper + stride, result + i * columns * channels, columns, channels);
    }
  });
  return out;
}

torch::Tensor ConcatenateUpsampled(const torch::Tensor & skip,
                                   const torch::Tensor & x,
                                   const torch::Tensor & weight,
                                   const torch::Tensor & bias)
{
  const auto    kept = skip.contiguous(torch::MemoryFormat::ChannelsLast);
  const auto    blocks = torch::addmm(bias, x.permute({ 0, 2, 3, 1 }).reshape({ -1, x.size(1) }), weight);
  const int64_t rows = kept.size(2);
  const int64_t columns = kept.size(3);
  const int64_t blockRows = x.size(2);
  const int64_t blockColumns = x.size(3);
  const int64_t item = kept.element_size();
  const int64_t keptBytes = kept.size(1) * item;
  const int64_t newBytes = weight.size(1) / 4 * item;

  auto         out = torch::empty({ kept.size(0), kept.size(1) + weight.size(1) / 4, rows, columns },
                          kept.options().memory_format(torch::MemoryFormat::ChannelsLast));
  const auto * from = static_cast<const char *>(kept.data_ptr());
  const auto * pieces = static_cast<const char *>(blocks.data_ptr());
  auto *       to = static_cast<char *>(out.data_ptr());
  at::parallel_for(0, kept.size(0) * rows, 8, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
    {
      const int64_t row = i % rows;
      const char *  blockRow = pieces + ((i / rows) * blockRows + row / 2) * blockColumns * 4 * newBytes;
      for (int64_t column = 0; column < columns; ++column)
      {
        char * pixel = to + (i * columns + column) * (keptBytes + newBytes);
        std::memcpy(pixel, from + (i * columns + column) * keptBytes, keptBytes);
        if (row / 2 < blockRows && column / 2 < blockColumns)
        {
          const int64_t piece = column / 2 * 4 + row % 2 * 2 + column % 2;
          std::memcpy(pixel + keptBytes, blockRow + piece * newBytes, newBytes);
        }
        else
        {
          std::memset(pixel + keptBytes, 0, newBytes);
        }
      }
    }
  });
  return out;
}

torch::Tensor MeanOverRadii(const torch::Tensor & x)
{
  if (!IsPlainFloat(x))
  {
    return x.mean(2, false, torch::kFloat);
  }
  const int64_t rows = x.size(2);
  const int64_t row = x.size(3) * x.size(1);
  auto          sums = torch::zeros({ x.size(0), x.size(3), x.size(1) }, torch::kFloat);
  const float * in = x.data_ptr<float>();
  float *       out = sums.data_ptr<float>();
  at::parallel_for(0, row, 4096, [&](int64_t begin, int64_t end) {
    for (int64_t i = 0; i < x.size(0) * rows; ++i)
    {
      Add(in + i * row + begin, out + i / rows * row + begin, end - begin);
    }
  });
  return sums.mul_(1.0 / static_cast<double>(rows)).transpose(1, 2);
}
} // namespace npsnet
} // namespace itk
