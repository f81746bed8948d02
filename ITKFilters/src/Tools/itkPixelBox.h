// SPDX-License-Identifier: Apache-2.0
#ifndef itkPixelBox_h
#define itkPixelBox_h

#include <algorithm>
#include <cstddef>
#include <optional>

#include "itkMacro.h"

namespace itk
{
/** \class PixelBox
 * \brief The box of the pixels that belong to something; its last column and row are inside.
 * \ingroup NPSNet
 */
struct PixelBox
{
  std::size_t Left{ 0 };
  std::size_t Top{ 0 };
  std::size_t Right{ 0 };
  std::size_t Bottom{ 0 };

  std::size_t GetWidth() const { return Right - Left + 1; }
  std::size_t GetHeight() const { return Bottom - Top + 1; }

  /** Of the pixels for which belongs(value) holds, row by row in memory; empty when there are none. */
  template <typename TPixel, typename TBelongs>
  static std::optional<PixelBox> Of(const TPixel * pixels, std::size_t width, std::size_t height, TBelongs belongs)
  {
    std::optional<PixelBox> box;
    for (std::size_t j = 0; j < height; ++j)
    {
      const TPixel * row = pixels + j * width;
      const TPixel * first = std::find_if(row, row + width, belongs);
      if (first == row + width)
      {
        continue;
      }
      auto last = static_cast<std::size_t>(width - 1);
      while (!belongs(row[last]))
      {
        --last;
      }
      const auto left = static_cast<std::size_t>(first - row);
      box = box ? PixelBox{ std::min(box->Left, left), box->Top, std::max(box->Right, last), j }
                : PixelBox{ left, j, last, j };
    }
    return box;
  }
};
} // namespace itk

#endif
