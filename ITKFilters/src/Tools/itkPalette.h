// SPDX-License-Identifier: Apache-2.0
#ifndef itkPalette_h
#define itkPalette_h

#include <array>

#include "itkMacro.h"

namespace itk
{
/** Colors of the outlines, from Okabe and Ito's palette for color-blind readers; pages name them in hexadecimal. */
namespace Palette
{
using ColorType = std::array<unsigned char, 3>;
constexpr ColorType Disc{ { 0, 114, 178 } };
constexpr ColorType Cup{ { 230, 159, 0 } };
/** Of the contours on the photograph: the palette's lighter blue, which a dark fundus does not swallow. */
constexpr ColorType DiscContour{ { 86, 180, 233 } };
constexpr ColorType CupContour{ { 240, 180, 40 } };
constexpr ColorType ExpertDisc{ { 240, 228, 66 } };
constexpr ColorType ExpertCup{ { 0, 158, 115 } };

/** From 0 to 1, as MRML and .seg.nrrd want them. */
constexpr std::array<double, 3> ToFractions(const ColorType & color)
{
  return { { color[0] / 255.0, color[1] / 255.0, color[2] / 255.0 } };
}
} // namespace Palette
} // namespace itk

#endif
