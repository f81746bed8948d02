// SPDX-License-Identifier: Apache-2.0
#ifndef itkPolarHypothesisBlend_h
#define itkPolarHypothesisBlend_h

#include "NPSNetExport.h"
#include "itkPolarTTASettings.h"

#include <array>
#include <cstddef>
#include <vector>

/** \file The arithmetic of Polar-TTA on the maps of its hypotheses, without a network. Lengths are crop pixels,
 * positions are relative to the crop's centre, x to the right and y down. */
namespace itk
{
/** Occupancies of one hypothesis; maps are [radius][angle], confidences [angle] or empty. */
struct PolarHypothesisMaps
{
  PolarHypothesis    Hypothesis;
  std::vector<float> Disc;
  std::vector<float> Cup;
  std::vector<float> DiscConfidence;
  std::vector<float> CupConfidence;
};

/** Size of the polar grid and radius of the unscaled hypothesis. */
struct PolarGridSize
{
  std::size_t NumberOfRadii{ 0 };
  std::size_t NumberOfAngles{ 0 };
  double      Radius{ 0.0 };
};

/** One frame with its maps after the blend: disc and cup non-increasing along rho, cup <= disc. */
struct PolarBlend
{
  std::array<double, 2> Anchor{ { 0.0, 0.0 } };
  double                Radius{ 1.0 };
  std::vector<float>    Disc;
  std::vector<float>    Cup;
  std::vector<double>   DiscConfidence;
  std::vector<double>   CupConfidence;
};

NPSNet_EXPORT bool IsFinite(const PolarHypothesisMaps & maps);

/** 4 pi A / P^2 of the polygon with these radii at equal angles: 1 for a circle, 0 when it is empty. */
NPSNet_EXPORT double ComputePolarCompactness(const std::vector<double> & radii);

/** The score of PolarTTASettings. \a reference takes the authors' compactness, which is 1 unless no pixel of the
 * crop is disc. */
NPSNet_EXPORT double ComputePolarScore(const PolarHypothesisMaps & maps,
                                       const PolarGridSize &       grid,
                                       const PolarTTASettings &    settings,
                                       bool                        reference);

/** How far each hypothesis agrees with the mean of the others, where it and one of them know the crop: the mean over
 * disc and cup of 2 sum min(P, M) / sum (P + M), from 0 to 1. Continuous in the maps, and fair to every scale. A single
 * hypothesis scores 1. All maps must be finite. */
NPSNet_EXPORT std::vector<double> ComputeConsensusScores(const std::vector<const PolarHypothesisMaps *> & maps,
                                                         const PolarGridSize &                            grid);

/** Softmax of scores / temperature. */
NPSNet_EXPORT std::vector<double> ComputeBlendWeights(const std::vector<double> & scores, double temperature);

/** Blends hypotheses of different centres and scales about one anchor inside the blended cup (inside the disc when
 * there is no cup). A hypothesis abstains outside its own circle, the others' weights are renormalised.
 * A single hypothesis keeps its own frame. All maps must be finite. */
NPSNet_EXPORT PolarBlend BlendPolarHypotheses(const std::vector<const PolarHypothesisMaps *> & maps,
                                              const std::vector<double> &                      weights,
                                              const PolarGridSize &                            grid);

/** The authors' blend: sum of weight * P on the pixels of an N x N crop, where a hypothesis votes zero outside its
 * circle. \a cup selects the structure. */
NPSNet_EXPORT std::vector<float> BlendPolarHypothesesOnCrop(const std::vector<const PolarHypothesisMaps *> & maps,
                                                            const std::vector<double> &                      weights,
                                                            const PolarGridSize &                            grid,
                                                            unsigned int                                     cropSize,
                                                            bool                                             cup);

/** A boundary's maps from Cartesian ones (the authors' blend) about an anchor inside the cup, made monotone. */
NPSNet_EXPORT PolarBlend MakePolarBlendFromCrop(const std::vector<float> & disc,
                                                const std::vector<float> & cup,
                                                unsigned int               cropSize,
                                                const PolarGridSize &      grid);

/** theta -> 180 degrees - theta of [row][angle] maps with an even number of angles, in place. */
NPSNet_EXPORT void MirrorPolarMaps(float * maps, std::size_t rows, std::size_t angles);
} // namespace itk

#endif
