// SPDX-License-Identifier: Apache-2.0
#ifndef itkCanvas_h
#define itkCanvas_h

#include "itkImage.h"
#include "itkRGBPixel.h"

#include <array>
#include <string>
#include <vector>

namespace itk
{
/** \class Canvas
 * \brief Draws anti-aliased lines and a few capital letters into an RGB image; coordinates are pixel centres.
 * \ingroup NPSNet
 */
class Canvas
{
public:
  using ImageType = Image<RGBPixel<unsigned char>, 2>;
  using PointType = std::array<double, 2>;
  using LineType = std::array<PointType, 2>;
  using ColorType = std::array<unsigned char, 3>;

  struct Pen
  {
    ColorType Color{ { 255, 255, 255 } };
    double    Width{ 2.0 };
    double    Halo{ 1.0 }; // width of the dark seam on either side
    double    Opacity{ 1.0 };
  };

  explicit Canvas(ImageType * image)
    : m_Image(image)
  {}

  void DrawLines(const std::vector<LineType> & lines, const Pen & pen);
  void DrawClosedCurve(const std::vector<PointType> & points, const Pen & pen);
  void DrawCircle(const PointType & center, double radius, const Pen & pen);

  /** Letters I, S, N, T, D, O centred at a point; others are left out. */
  void DrawLetters(const std::string & text, const PointType & center, double height, const Pen & pen);

private:
  ImageType::Pointer m_Image;
};
} // namespace itk

#endif
