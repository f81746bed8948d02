// SPDX-License-Identifier: Apache-2.0
#ifndef itkEvaluationStatistics_h
#define itkEvaluationStatistics_h

#include "NPSNetExport.h"
#include "itkMacro.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace itk
{
/** \class EvaluationStatistics
 * \brief The statistics of the evaluation tables; deterministic on every platform.
 * \ingroup NPSNet
 */
class NPSNet_EXPORT EvaluationStatistics
{
public:
  struct Summary
  {
    double                Mean{ 0.0 };
    std::optional<double> SD; // of the sample (ddof = 1); empty for one value
    double                Low{ 0.0 };
    double                High{ 0.0 }; // percentile bootstrap 95 % interval of the mean
    std::size_t           N{ 0 };
  };

  struct Wilcoxon
  {
    double      Statistic{ 0.0 }; // the smaller of the two rank sums
    double      PValue{ 1.0 };    // two-sided
    std::size_t N{ 0 };           // pairs that differ
    bool        Exact{ false };
    double      MeanDifference{ 0.0 }; // a - b, all pairs
  };

  static double Mean(const std::vector<double> & values);

  /** NumPy's linear percentile; throws when there are no values. */
  static double Percentile(std::vector<double> values, double percent);

  /** Empty when there are no values. */
  static std::optional<Summary> Summarize(const std::vector<double> & values,
                                          std::uint64_t               seed = 2024,
                                          unsigned int                resamples = 2000);

  /** Pearson's r; empty when a standard deviation (ddof = 0) is not over `least`. */
  static std::optional<double> Correlation(const std::vector<double> & a,
                                           const std::vector<double> & b,
                                           double                      least = 0.0);

  /** Paired signed-rank test, two-sided. Zero differences are dropped. Exact for at most 50 pairs without ties and
   * zeros, else the normal approximation with tie correction and without continuity correction. Empty when no pair
   * differs. */
  static std::optional<Wilcoxon> SignedRank(const std::vector<double> & a, const std::vector<double> & b);
};
} // namespace itk

#endif
