// SPDX-License-Identifier: Apache-2.0
#include "itkPhotoPixels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <type_traits>

namespace itk
{
namespace
{
unsigned char ToByte(double value)
{
  return static_cast<unsigned char>(std::clamp(std::floor(value + 0.5), 0.0, 255.0));
}

/** What to multiply a component with to get levels 0 ... 255; refuses values that cannot be levels. */
template <typename T>
double ScaleOf(const T * values, std::size_t count, double maximum)
{
  if constexpr (std::is_floating_point<T>::value)
  {
    T largest = 0;
    for (std::size_t i = 0; i < count; ++i)
    {
      if (!std::isfinite(values[i]))
      {
        throw std::runtime_error("holds values that are not numbers (NaN or infinite): export it again as 8-bit RGB");
      }
      if (values[i] < 0 || values[i] > 255)
      {
        throw std::runtime_error("holds floating-point values outside 0 to 255: export it again as 8-bit RGB");
      }
      largest = std::max(largest, values[i]);
    }
    return largest <= 1 ? 255.0 : 1.0;
  }
  else
  {
    if (std::is_signed<T>::value && std::any_of(values, values + count, [](T v) { return v < 0; }))
    {
      throw std::runtime_error("holds negative values: export it again as 8-bit RGB");
    }
    const T largest = count > 0 ? *std::max_element(values, values + count) : T{ 0 };
    if (sizeof(T) > 1 && maximum == 0.0 && largest > 0 && largest <= 255)
    {
      throw std::runtime_error("holds 16-bit values that are all below 256, nearly black: export it again as 8-bit "
                               "RGB");
    }
    return 255.0 / (maximum > 0.0 ? maximum : static_cast<double>(std::numeric_limits<T>::max()));
  }
}

template <typename T>
std::vector<unsigned char> Convert(const T * values, std::size_t numberOfPixels, const PhotoPixelFormat & format)
{
  const std::size_t          components = format.Components;
  const double               scale = ScaleOf(values, numberOfPixels * components, format.Maximum);
  const bool                 grey = components <= 2;
  const bool                 hasAlpha = format.HasAlpha && (components == 2 || components == 4);
  std::vector<unsigned char> rgb(3 * numberOfPixels);

  bool useAlpha = false;
  for (std::size_t i = 0; hasAlpha && !useAlpha && i < numberOfPixels; ++i)
  {
    useAlpha = values[i * components + components - 1] != 0;
  }
  for (std::size_t i = 0; i < numberOfPixels; ++i)
  {
    const T *    pixel = values + i * components;
    const double alpha = useAlpha ? std::min(static_cast<double>(pixel[components - 1]) * scale / 255.0, 1.0) : 1.0;
    for (std::size_t c = 0; c < 3; ++c)
    {
      const double level = static_cast<double>(pixel[grey ? 0 : c]) * scale;
      rgb[3 * i + c] = ToByte(level * alpha);
    }
  }
  return rgb;
}
} // namespace

std::vector<unsigned char> ConvertToRGB8(const void *             pixels,
                                         std::size_t              numberOfPixels,
                                         const PhotoPixelFormat & format)
{
  if (format.Components < 1 || format.Components > 4)
  {
    throw std::runtime_error("has " + std::to_string(format.Components) +
                             " components a pixel instead of 1 to 4: export it again as 8-bit RGB");
  }
  switch (format.Component)
  {
    case IOComponentEnum::UCHAR:
      return Convert(static_cast<const unsigned char *>(pixels), numberOfPixels, format);
    case IOComponentEnum::CHAR:
      return Convert(static_cast<const signed char *>(pixels), numberOfPixels, format);
    case IOComponentEnum::USHORT:
      return Convert(static_cast<const unsigned short *>(pixels), numberOfPixels, format);
    case IOComponentEnum::SHORT:
      return Convert(static_cast<const short *>(pixels), numberOfPixels, format);
    case IOComponentEnum::FLOAT:
      return Convert(static_cast<const float *>(pixels), numberOfPixels, format);
    case IOComponentEnum::DOUBLE:
      return Convert(static_cast<const double *>(pixels), numberOfPixels, format);
    default:
      throw std::runtime_error("has pixels of type " + ImageIOBase::GetComponentTypeAsString(format.Component) +
                               ": export it again as 8-bit RGB");
  }
}
} // namespace itk
