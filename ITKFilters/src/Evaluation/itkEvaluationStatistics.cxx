// SPDX-License-Identifier: Apache-2.0
#include "itkEvaluationStatistics.h"

#include "itkNPSNetThrow.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace itk
{
namespace
{
/** SplitMix64: the same numbers everywhere, unlike the distributions of the standard library. */
class Random
{
public:
  explicit Random(std::uint64_t seed)
    : m_State(seed)
  {}

  std::size_t Below(std::size_t limit)
  {
    std::uint64_t z = (m_State += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    z ^= z >> 31;
    return static_cast<std::size_t>((z >> 11) * 0x1.0p-53 * static_cast<double>(limit));
  }

private:
  std::uint64_t m_State;
};

double SortedPercentile(const std::vector<double> & sorted, double percent)
{
  const double position = percent / 100.0 * static_cast<double>(sorted.size() - 1);
  const auto   low = static_cast<std::size_t>(position);
  const auto   high = std::min(low + 1, sorted.size() - 1);
  return sorted[low] + (position - static_cast<double>(low)) * (sorted[high] - sorted[low]);
}

/** P(W <= w) of the signed-rank sum of n untied differences, by counting subsets of {1 ... n}. */
double ExactCumulative(std::size_t n, double w)
{
  const std::size_t   largest = n * (n + 1) / 2;
  std::vector<double> counts(largest + 1, 0.0);
  counts[0] = 1.0;
  for (std::size_t rank = 1; rank <= n; ++rank)
  {
    for (std::size_t sum = largest; sum >= rank; --sum)
    {
      counts[sum] += counts[sum - rank];
    }
  }
  double total = 0.0;
  for (std::size_t sum = 0; sum <= largest && static_cast<double>(sum) <= w; ++sum)
  {
    total += counts[sum];
  }
  return total / std::pow(2.0, static_cast<double>(n));
}
} // namespace

double EvaluationStatistics::Mean(const std::vector<double> & values)
{
  return values.empty() ? 0.0 : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double EvaluationStatistics::Percentile(std::vector<double> values, double percent)
{
  if (values.empty())
  {
    npsnetThrow("There is no percentile of no values.");
  }
  std::sort(values.begin(), values.end());
  return SortedPercentile(values, percent);
}

std::optional<EvaluationStatistics::Summary> EvaluationStatistics::Summarize(const std::vector<double> & values,
                                                                             std::uint64_t               seed,
                                                                             unsigned int                resamples)
{
  if (values.empty())
  {
    return std::nullopt;
  }
  Summary summary;
  summary.N = values.size();
  summary.Mean = EvaluationStatistics::Mean(values);
  if (values.size() > 1)
  {
    double sum = 0.0;
    for (const double value : values)
    {
      sum += (value - summary.Mean) * (value - summary.Mean);
    }
    summary.SD = std::sqrt(sum / static_cast<double>(values.size() - 1));
  }

  Random              random(seed);
  std::vector<double> means(std::max(1u, resamples));
  for (double & mean : means)
  {
    double sum = 0.0;
    for (std::size_t k = 0; k < values.size(); ++k)
    {
      sum += values[random.Below(values.size())];
    }
    mean = sum / static_cast<double>(values.size());
  }
  std::sort(means.begin(), means.end());
  summary.Low = SortedPercentile(means, 2.5);
  summary.High = SortedPercentile(means, 97.5);
  return summary;
}

std::optional<double> EvaluationStatistics::Correlation(const std::vector<double> & a,
                                                        const std::vector<double> & b,
                                                        double                      least)
{
  if (a.size() != b.size() || a.empty())
  {
    return std::nullopt;
  }
  const double meanA = EvaluationStatistics::Mean(a);
  const double meanB = EvaluationStatistics::Mean(b);
  double       aa = 0.0;
  double       bb = 0.0;
  double       ab = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k)
  {
    aa += (a[k] - meanA) * (a[k] - meanA);
    bb += (b[k] - meanB) * (b[k] - meanB);
    ab += (a[k] - meanA) * (b[k] - meanB);
  }
  const auto n = static_cast<double>(a.size());
  if (!(std::sqrt(aa / n) > least) || !(std::sqrt(bb / n) > least))
  {
    return std::nullopt;
  }
  return std::min(1.0, std::max(-1.0, ab / std::sqrt(aa * bb)));
}

std::optional<EvaluationStatistics::Wilcoxon> EvaluationStatistics::SignedRank(const std::vector<double> & a,
                                                                               const std::vector<double> & b)
{
  if (a.size() != b.size())
  {
    npsnetThrow("A paired test needs as many values on either side, not " << a.size() << " and " << b.size() << ".");
  }
  Wilcoxon            result;
  std::vector<double> differences;
  for (std::size_t k = 0; k < a.size(); ++k)
  {
    result.MeanDifference += (a[k] - b[k]) / static_cast<double>(a.size());
    if (a[k] != b[k])
    {
      differences.push_back(a[k] - b[k]);
    }
  }
  result.N = differences.size();
  if (differences.empty())
  {
    return std::nullopt;
  }
  const bool zeros = differences.size() != a.size();

  std::sort(differences.begin(), differences.end(), [](double x, double y) { return std::abs(x) < std::abs(y); });
  double positive = 0.0;
  double negative = 0.0;
  double tieTerm = 0.0;
  bool   ties = false;
  for (std::size_t first = 0; first < differences.size();)
  {
    std::size_t last = first;
    while (last < differences.size() && std::abs(differences[last]) == std::abs(differences[first]))
    {
      ++last;
    }
    const auto   count = static_cast<double>(last - first);
    const double rank = 0.5 * static_cast<double>(first + 1 + last);
    ties = ties || last - first > 1;
    tieTerm += count * count * count - count;
    for (; first < last; ++first)
    {
      (differences[first] > 0.0 ? positive : negative) += rank;
    }
  }

  const auto n = static_cast<double>(result.N);
  result.Statistic = std::min(positive, negative);
  result.Exact = !ties && !zeros && result.N <= 50;
  if (result.Exact)
  {
    result.PValue = std::min(1.0, 2.0 * ExactCumulative(result.N, result.Statistic));
  }
  else
  {
    const double variance = (n * (n + 1.0) * (2.0 * n + 1.0) - 0.5 * tieTerm) / 24.0;
    const double z = (result.Statistic - n * (n + 1.0) / 4.0) / std::sqrt(variance);
    result.PValue = std::min(1.0, std::erfc(std::abs(z) / std::sqrt(2.0)));
  }
  return result;
}
} // namespace itk
