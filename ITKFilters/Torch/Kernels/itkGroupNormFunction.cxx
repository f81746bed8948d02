// SPDX-License-Identifier: Apache-2.0
#include "itkGroupNormFunction.h"

#include "itkWidestVectors.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace itk
{
namespace npsnet
{
namespace
{
constexpr int64_t Panel = 16; // channels worked on together: one line of the cache

/** One panel of channels of one image. */
struct Plane
{
  int64_t Pixels;
  int64_t Stride; ///< from one pixel to the next
};

/** result = max(0, scale x + shift) */
struct Line
{
  float Scale[Panel];
  float Shift[Panel];
};

/** Sums over some hundred pixels in single, over those sums in double precision. */
template <typename TAdd>
NPSNET_ALWAYS_INLINE void Accumulate(const Plane & plane, double * first, double * second, TAdd add)
{
  constexpr int64_t chunk = 256;
  for (int64_t begin = 0; begin < plane.Pixels; begin += chunk)
  {
    float         a[Panel] = {};
    float         b[Panel] = {};
    const int64_t end = std::min(begin + chunk, plane.Pixels);
    for (int64_t i = begin; i < end; ++i)
    {
      add(i * plane.Stride, a, b);
    }
    for (int64_t c = 0; c < Panel; ++c)
    {
      first[c] += a[c];
      second[c] += b[c];
    }
  }
}

NPSNET_WIDEST_VECTORS void SumMoments(const Plane & plane, const float * x, double * sum, double * squares)
{
  Accumulate(plane, sum, squares, [x](int64_t offset, float * a, float * b) {
    for (int64_t c = 0; c < Panel; ++c)
    {
      const float value = x[offset + c];
      a[c] += value;
      b[c] += value * value;
    }
  });
}

NPSNET_WIDEST_VECTORS void Apply(const Plane & plane, const Line & line, const float * x, float * y)
{
  for (int64_t i = 0; i < plane.Pixels; ++i, x += plane.Stride, y += plane.Stride)
  {
    for (int64_t c = 0; c < Panel; ++c)
    {
      const float value = line.Scale[c] * x[c] + line.Shift[c];
      y[c] = value > 0.0F ? value : 0.0F;
    }
  }
}

/** Sums of the gradient of the norm's result, and of its product with x. */
NPSNET_WIDEST_VECTORS void SumGradients(const Plane & plane,
                                        const Line &  line,
                                        const float * x,
                                        const float * dy,
                                        double *      sum,
                                        double *      product)
{
  Accumulate(plane, sum, product, [&line, x, dy](int64_t offset, float * a, float * b) {
    for (int64_t c = 0; c < Panel; ++c)
    {
      const float value = x[offset + c];
      const float slope = line.Scale[c] * value + line.Shift[c] > 0.0F ? dy[offset + c] : 0.0F;
      a[c] += slope;
      b[c] += slope * value;
    }
  });
}

/** dx = Scale * (gradient of the norm's result) + back.Scale x + back.Shift */
NPSNET_WIDEST_VECTORS void ApplyBack(const Plane & plane,
                                     const Line &  line,
                                     const Line &  back,
                                     const float * x,
                                     const float * dy,
                                     float *       dx)
{
  for (int64_t i = 0; i < plane.Pixels; ++i, x += plane.Stride, dy += plane.Stride, dx += plane.Stride)
  {
    for (int64_t c = 0; c < Panel; ++c)
    {
      const float slope = line.Scale[c] * x[c] + line.Shift[c] > 0.0F ? dy[c] : 0.0F;
      dx[c] = line.Scale[c] * slope + back.Scale[c] * x[c] + back.Shift[c];
    }
  }
}

/** Sums of all channels of all images. */
struct ChannelSums
{
  std::vector<double> First, Second;
};

template <typename TSum>
ChannelSums SumChannels(const torch::Tensor & x, const TSum & sum)
{
  const int64_t channels = x.size(1);
  const int64_t panels = channels / Panel;
  ChannelSums   sums = { std::vector<double>(x.size(0) * channels), std::vector<double>(x.size(0) * channels) };
  at::parallel_for(0, x.size(0) * panels, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
    {
      sum(i, &sums.First[i * Panel], &sums.Second[i * Panel]);
    }
  });
  return sums;
}

/** Where panel i of an image lies in channels-last features. */
int64_t OffsetOf(int64_t i, const torch::Tensor & x)
{
  const int64_t panels = x.size(1) / Panel;
  return i / panels * x.size(1) * x.size(2) * x.size(3) + i % panels * Panel;
}

Plane PlaneOf(const torch::Tensor & x)
{
  return { x.size(2) * x.size(3), x.size(1) };
}

/** The lines of all panels; mean and deviation: B x groups. */
std::vector<Line> MakeLines(const torch::Tensor & x,
                            const torch::Tensor & weight,
                            const torch::Tensor & bias,
                            const double *        mean,
                            const double *        inverseDeviation,
                            int64_t               groups)
{
  const int64_t     channels = x.size(1);
  const float *     gamma = weight.data_ptr<float>();
  const float *     beta = bias.data_ptr<float>();
  std::vector<Line> lines(x.size(0) * channels / Panel);
  for (int64_t i = 0; i < x.size(0) * channels; ++i)
  {
    const int64_t channel = i % channels;
    const int64_t group = i / channels * groups + channel / (channels / groups);
    const double  scale = gamma[channel] * inverseDeviation[group];
    lines[i / Panel].Scale[i % Panel] = static_cast<float>(scale);
    lines[i / Panel].Shift[i % Panel] = static_cast<float>(beta[channel] - mean[group] * scale);
  }
  return lines;
}
} // namespace

bool GroupNormFunction::Suits(const torch::Tensor & x, int64_t groups)
{
  return x.device().is_cpu() && x.scalar_type() == torch::kFloat && x.size(1) % Panel == 0 && x.size(1) % groups == 0 &&
         x.is_contiguous(torch::MemoryFormat::ChannelsLast);
}

torch::Tensor GroupNormFunction::forward(torch::autograd::AutogradContext * context,
                                         const torch::Tensor &              x,
                                         const torch::Tensor &              weight,
                                         const torch::Tensor &              bias,
                                         int64_t                            groups,
                                         double                             epsilon)
{
  const auto    plane = PlaneOf(x);
  const float * in = x.data_ptr<float>();
  const auto    sums = SumChannels(
    x, [&](int64_t i, double * sum, double * squares) { SumMoments(plane, in + OffsetOf(i, x), sum, squares); });

  const int64_t perGroup = x.size(1) / groups;
  const double  count = static_cast<double>(perGroup * plane.Pixels);
  auto          mean = torch::empty({ x.size(0), groups }, torch::kDouble);
  auto          inverseDeviation = torch::empty_like(mean);
  for (int64_t g = 0; g < mean.numel(); ++g)
  {
    double sum = 0.0;
    double squares = 0.0;
    for (int64_t c = g * perGroup; c < (g + 1) * perGroup; ++c)
    {
      sum += sums.First[c];
      squares += sums.Second[c];
    }
    const double average = sum / count;
    mean.data_ptr<double>()[g] = average;
    inverseDeviation.data_ptr<double>()[g] =
      1.0 / std::sqrt(std::max(0.0, squares / count - average * average) + epsilon);
  }

  const auto lines = MakeLines(x, weight, bias, mean.data_ptr<double>(), inverseDeviation.data_ptr<double>(), groups);
  auto       y = torch::empty_like(x);
  float *    out = y.data_ptr<float>();
  at::parallel_for(0, static_cast<int64_t>(lines.size()), 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
    {
      Apply(plane, lines[i], in + OffsetOf(i, x), out + OffsetOf(i, x));
    }
  });
  context->save_for_backward({ x, weight, bias, mean, inverseDeviation });
  return y;
}

torch::autograd::variable_list GroupNormFunction::backward(torch::autograd::AutogradContext *     context,
                                                           const torch::autograd::variable_list & resultGradients)
{
  const auto     saved = context->get_saved_variables();
  const auto &   x = saved[0];
  const auto     dy = resultGradients[0].contiguous(torch::MemoryFormat::ChannelsLast);
  const double * mean = saved[3].data_ptr<double>();
  const double * inverseDeviation = saved[4].data_ptr<double>();
  const int64_t  groups = saved[3].size(1);
  const auto     lines = MakeLines(x, saved[1], saved[2], mean, inverseDeviation, groups);
  const auto     plane = PlaneOf(x);
  const float *  in = x.data_ptr<float>();
  const float *  slopes = dy.data_ptr<float>();
  const auto     sums = SumChannels(x, [&](int64_t i, double * sum, double * product) {
    SumGradients(plane, lines[i], in + OffsetOf(i, x), slopes + OffsetOf(i, x), sum, product);
  });

  // Wu and He 2018, differentiated: every x also moves its group's mean and deviation.
  const int64_t     channels = x.size(1);
  const int64_t     perGroup = channels / groups;
  const double      count = static_cast<double>(perGroup * plane.Pixels);
  const float *     gamma = saved[1].data_ptr<float>();
  auto              weightGradient = torch::zeros_like(saved[1], torch::kDouble);
  auto              biasGradient = torch::zeros_like(saved[2], torch::kDouble);
  std::vector<Line> backs(lines.size());
  for (int64_t g = 0; g < saved[3].numel(); ++g)
  {
    double sum = 0.0;
    double product = 0.0;
    for (int64_t i = g * perGroup; i < (g + 1) * perGroup; ++i)
    {
      const int64_t channel = i % channels;
      sum += gamma[channel] * sums.First[i];
      product += gamma[channel] * sums.Second[i];
      weightGradient.data_ptr<double>()[channel] += (sums.Second[i] - mean[g] * sums.First[i]) * inverseDeviation[g];
      biasGradient.data_ptr<double>()[channel] += sums.First[i];
    }
    const double cube = inverseDeviation[g] * inverseDeviation[g] * inverseDeviation[g];
    const double scale = (sum * mean[g] - product) * cube / count;
    const double shift = -scale * mean[g] - sum * inverseDeviation[g] / count;
    for (int64_t i = g * perGroup; i < (g + 1) * perGroup; ++i)
    {
      backs[i / Panel].Scale[i % Panel] = static_cast<float>(scale);
      backs[i / Panel].Shift[i % Panel] = static_cast<float>(shift);
    }
  }

  auto    dx = torch::empty_like(x);
  float * out = dx.data_ptr<float>();
  at::parallel_for(0, static_cast<int64_t>(lines.size()), 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
    {
      const int64_t offset = OffsetOf(i, x);
      ApplyBack(plane, lines[i], backs[i], in + offset, slopes + offset, out + offset);
    }
  });
  return { dx, weightGradient.to(torch::kFloat), biasGradient.to(torch::kFloat), {}, {} };
}
} // namespace npsnet
} // namespace itk
