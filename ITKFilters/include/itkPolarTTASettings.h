#ifndef itkPolarTTASettings_h
#define itkPolarTTASettings_h

#include "NPSNetExport.h"
#include "itkPolarSampling.h"

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
  Full,      ///< the exhaustive grid that did best on validation photographs
  Fast,      ///< the same coarse to fine: all on a reduced grid, full passes for the survivors
  Custom     ///< Offsets and Scales of the settings
};

/** "off", "reference", "symmetric", "paper", "full", "fast", "custom". */
NPSNet_EXPORT std::string PolarTTAModeToString(PolarTTAModeEnum mode);
/** Throws itk::ExceptionObject for an unknown name. */
NPSNet_EXPORT PolarTTAModeEnum PolarTTAModeFromString(const std::string & name);

/** \class PolarTTASettings
 * \brief How Polar-TTA searches, scores and blends.
 *
 * The score of a hypothesis is
 *
 *   S = MassWeight * mean P_d + ConfidenceWeight * mean Gamma_d + CompactnessWeight * 4 pi A / P^2
 *
 * with area A and perimeter P of the disc at 0.5. The TopK best are blended with weights softmax(S / Temperature).
 *
 * \ingroup NPSNet
 */
struct NPSNet_EXPORT PolarTTASettings
{
  PolarTTAModeEnum Mode{ PolarTTAModeEnum::Off };

  /** Custom: every pair of offsets (pixels of a 512 crop) with every scale. */
  std::vector<float> Offsets;
  std::vector<float> Scales;

  unsigned int TopK{ 3 };
  double       MassWeight{ 0.4 };
  double       ConfidenceWeight{ 0.4 };
  double       CompactnessWeight{ 0.2 };
  double       Temperature{ 1.0 };

  /** Average every pass with that of the mirrored image (theta -> 180 degrees - theta): twice the time. Ignored by
   * Reference. */
  bool FlipAverage{ false };

  /** Fast: the coarse grid has about 1 / CoarseReduction of the radii and angles; at most so many hypotheses get a
   * full pass. */
  unsigned int CoarseReduction{ 2 };
  unsigned int MaximumSurvivors{ 6 };

  /** Upper bound of the memory that one batch of passes may take, roughly. */
  std::size_t MaximumBatchBytes{ std::size_t{ 1 } << 30 };

  bool IsCoarseToFine() const { return Mode == PolarTTAModeEnum::Fast; }

  /** The hypotheses in order of evaluation, the crop's own centre and scale first. Offsets are given for crops of
   * 512 pixels and scaled to \a cropSize. Throws itk::ExceptionObject for an impossible custom grid. */
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
    double          Score{ 0.0 }; ///< of the full pass, else of the coarse one
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
