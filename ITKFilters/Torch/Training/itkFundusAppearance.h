// SPDX-License-Identifier: Apache-2.0
#ifndef itkFundusAppearance_h
#define itkFundusAppearance_h

#include "NPSNetTorchExport.h"
#include "itkTrainingRandom.h"

#include <string>
#include <vector>

namespace itk
{
/** An N x N crop, interleaved RGB in 0 ... 255. */
struct ColorRaster
{
  unsigned int       Size{ 0 };
  std::vector<float> Values;

  float * operator()(unsigned int x, unsigned int y) { return &Values[3 * (static_cast<std::size_t>(y) * Size + x)]; }
};

/** Ranges of the changes of appearance: what another camera, another operator or another file format does to a
 * photograph. Every change has the probability to happen at all and the largest amount. */
struct FundusAppearanceRanges
{
  double Strength{ 1.0 };        ///< multiplies all amounts
  double LeastStrength{ 1.0 };   ///< where below Strength, every raster draws its own between the two
  double GainProbability{ 0.7 }; ///< per-channel gain
  double Gain{ 0.30 };
  double GammaProbability{ 0.5 };
  double Gamma{ 0.45 }; ///< exponent within exp(+- this)
  double ContrastProbability{ 0.6 };
  double Contrast{ 0.35 };
  double Brightness{ 30.0 };
  double MixingProbability{ 0.5 }; ///< saturation and hue-like mixing of channels
  double Saturation{ 0.5 };
  double Mixing{ 0.15 };
  double GreyProbability{ 0.06 };    ///< greyscale or red-free-like
  double GradientProbability{ 0.4 }; ///< linear illumination gradient
  double Gradient{ 0.40 };
  double VignettingProbability{ 0.3 };
  double Vignetting{ 0.6 };
  double HazeProbability{ 0.3 }; ///< blend to a grey or white veil
  double Haze{ 0.5 };
  double BlurProbability{ 0.35 };
  double Blur{ 2.5 };                ///< standard deviation, pixels at 256
  double ResampleProbability{ 0.2 }; ///< low-resolution cameras
  double Resample{ 3.0 };            ///< largest factor
  double SharpenProbability{ 0.2 };
  double Sharpen{ 1.5 };
  double NoiseProbability{ 0.35 };
  double Noise{ 10.0 };
  double CompressionProbability{ 0.3 };
  double Compression{ 25.0 }; ///< lowest JPEG quality
  double FieldEdgeProbability{ 0.08 };
};

/** Changes the raster in place. */
NPSNetTorch_EXPORT void ChangeFundusAppearance(ColorRaster &                  raster,
                                               const FundusAppearanceRanges & ranges,
                                               TrainingRandom &               random);
} // namespace itk

#endif
