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

torch::Tensor ConcatenateChannels(const torch::Tensor & a, const torch::Tensor & b)
{
  const int64_t ca = a.size(1);
  const int64_t cb = b.size(1);
  auto          out = torch::empty({ a.size(0), ca + cb, a.size(2), a.size(3) },
                          a.options().memory_format(torch::MemoryFormat::ChannelsLast));
  if (!a.device().is_cpu() || !a.is_contiguous(torch::MemoryFormat::ChannelsLast) ||
      !b.is_contiguous(torch::MemoryFormat::ChannelsLast))
  {
    const int64_t rows = a.size(2) - b.size(2);
    const int64_t columns = a.size(3) - b.size(3);
    return torch::cat(
      { a, torch::constant_pad_nd(b, { columns / 2, columns - columns / 2, rows / 2, rows - rows / 2 }) }, 1);
  }
  const int64_t item = a.element_size();
  const int64_t rows = a.size(2);
  const int64_t columns = a.size(3);
  const auto *  pa = static_cast<const char *>(a.data_ptr());
  const auto *  pb = static_cast<const char *>(b.data_ptr());
  auto *        po = static_cast<char *>(out.data_ptr());
  at::parallel_for(0, a.size(0) * rows, 8, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
    {
      const int64_t row = i % rows;
      for (int64_t x = 0; x < columns; ++x)
      {
        char * pixel = po + (i * columns + x) * (ca + cb) * item;
        std::memcpy(pixel, pa + (i * columns + x) * ca * item, ca * item);
        if (row < b.size(2) && x < b.size(3))
        {
          const int64_t from = ((i / rows) * b.size(2) + row) * b.size(3) + x;
          std::memcpy(pixel + ca * item, pb + from * cb * item, cb * item);
        }
        else
        {
          std::memset(pixel + ca * item, 0, cb * item);
        }
      }
    }
  });
  return out;
}
} // namespace npsnet
} // namespace itk
