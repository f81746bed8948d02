// SPDX-License-Identifier: Apache-2.0
#ifndef itkSampledOutput_h
#define itkSampledOutput_h

#include "itkMacro.h"

#include <cmath>
#include <limits>
#include <type_traits>

namespace itk
{
/** A sampled value as a component of the output: integral types are rounded half up and end at their limits.
 * \ingroup NPSNet */
template <typename T>
T ToSampledComponent(double value)
{
  if constexpr (std::is_integral<T>::value)
  {
    const double rounded = std::floor(value + 0.5);
    if (!(rounded > static_cast<double>(std::numeric_limits<T>::lowest()))) // NaN, too
    {
      return std::numeric_limits<T>::lowest();
    }
    return rounded >= static_cast<double>(std::numeric_limits<T>::max()) ? std::numeric_limits<T>::max()
                                                                         : static_cast<T>(rounded);
  }
  else
  {
    return static_cast<T>(value);
  }
}

/** What every filter asks that samples its input to a raster of its own. It stands in for the superclass's
 * GenerateOutputInformation(), which copies the input's region to the output first: two regions in turn make the output
 * look modified, and all that hangs on it, a network perhaps, would run again at every Update().
 * \ingroup NPSNet */
template <typename TInputImage, typename TOutputImage>
void PrepareSampledOutput(const TInputImage * input, TOutputImage * output)
{
  if (input->GetLargestPossibleRegion().GetNumberOfPixels() == 0)
  {
    itkGenericExceptionMacro("The input has no pixels: give it a size and allocate it, or update what makes it.");
  }
  output->SetNumberOfComponentsPerPixel(input->GetNumberOfComponentsPerPixel()); // of a VectorImage; others have theirs
  if (output->GetNumberOfComponentsPerPixel() != input->GetNumberOfComponentsPerPixel())
  {
    itkGenericExceptionMacro("The output must have as many components a pixel as the input.");
  }
}
} // namespace itk

#endif
