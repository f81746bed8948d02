// SPDX-License-Identifier: Apache-2.0
#ifndef itkPolarTTASettings_h
#define itkPolarTTASettings_h

#include "NPSNetExport.h"
#include "detail/itkPolarSampling.h"

#include <cstdint>
#include <string>
#include <vector>

namespace itk
{
/** \class PolarTTAModeEnum
 * \brief Which centre and scale hypotheses Polar-TTA tries, and how.
 * \ingroup NPSNet
 */
enum class PolarTTAModeEnum : std::uint8_t
{
  Off,       ///< one pass about the crop's centre
  Reference, ///< the authors' 27 hypotheses, their score and their Cartesian blend, faults included
  Symmetric, ///< {-8, 0, 8}^2 x {.85, 1, 1.15}
  Paper,     ///< {0, +-8, +-16}^2 x {.85, 1, 1.15}
  Full,      ///< {-3, 0, 3}^2 x {.98, 1, 1.02}, scored and blended by consensus
  Fast       ///< a balanced few of the hypotheses of Full, until the blend cannot change any more
};

/** "off", "reference", "symmetric", "paper", "full", "fast". */
NPSNet_EXPORT std::string PolarTTAModeToString(PolarTTAModeEnum mode);
/** Throws itk::ExceptionObject for an unknown name. */
NPSNet_EXPORT PolarTTAModeEnum PolarTTAModeFromString(const std::string & name);

/** \class PolarTTASettings
 * \brief How Polar-TTA searches, scores and blends.
 *
 * The paper's score of a hypothesis, in Reference, Symmetric and Paper, is
 *
 *   S = MassWeight * mean P_d + ConfidenceWeight * mean Gamma_d + CompactnessWeight * 4 pi A / P^2
 *
 * with area A and perimeter P of the disc at 0.5. The TopK best are blended with weights softmax(S / Temperature).
 * It grows as the radius of the hypothesis shrinks, and scores 1e-3 apart decide which three are blended.
 *
 * Full and Fast go by consensus instead: the score of a hypothesis is its agreement
 * with the mean of the others (ComputeConsensusScores()), and all of them are blended with weights
 * softmax(S / ConsensusTemperature). That is the plain mean as long as the hypotheses agree, an outlier fades, and
 * nothing jumps. The mean of 27 is then so close to that of a balanced fraction of them that Fast needs no more.
 *
 * \ingroup NPSNet
 */
struct NPSNet_EXPORT PolarTTASettings
{
  PolarTTAModeEnum Mode{ PolarTTAModeEnum::Off };

  unsigned int TopK{ 3 };
  double       MassWeight{ 0.4 };
  double       ConfidenceWeight{ 0.4 };
  double       CompactnessWeight{ 0.2 };
  double       Temperature{ 1.0 };
  double       ConsensusTemperature{ 0.02 };

  /** Average every pass with that of the mirrored image (theta -> 180 degrees - theta): twice the time. Ignored by
   * Reference. */
  bool FlipAverage{ false };

  /** Fast: at most so many hypotheses get a full pass, and none any more once those to come could change the blend by
   * less than StopTolerance in (1 - Dice), were they no further from it than those that went before. */
  unsigned int MaximumFullPasses{ 5 };
  double       StopTolerance{ 0.001 };

  /** Upper bound of the memory that one batch of passes may take, roughly. */
  std::size_t MaximumBatchBytes{ std::size_t{ 1 } << 30 };

  bool IsConsensus() const { return Mode == PolarTTAModeEnum::Full || Mode == PolarTTAModeEnum::Fast; }

  /** The hypotheses in order of evaluation, the crop's own centre and scale first. In Full and Fast the four corners of
   * the grid follow in which each offset and the scale are high twice and low twice, in every combination of two:
   * effects of one of them on the mean cancel. Offsets are given for crops of 512 pixels and scaled to \a cropSize. */
  std::vector<PolarHypothesis> MakeHypotheses(unsigned int cropSize) const;
};

/** \class PolarTTAReport
 * \brief What Polar-TTA found for each hypothesis.
 * \ingroup NPSNet
 */
struct PolarTTAReport
{
  struct Entry
  {
    PolarHypothesis Hypothesis;
    double          Score{ 0.0 }; ///< 0 without a full pass
    bool            FullPass{ false };
    bool            Finite{ true }; ///< false: the network gave NaN or infinity, the hypothesis does not count
    double          Weight{ 0.0 };  ///< in the blend
  };
  std::vector<Entry> Entries; ///< in the order of MakeHypotheses()
  std::size_t        Winner{ 0 };
  /** False when no hypothesis was finite: the result is empty. */
  bool Finite{ true };
};
} // namespace itk

#endif
