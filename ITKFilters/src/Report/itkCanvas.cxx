// SPDX-License-Identifier: Apache-2.0
#include "itkCanvas.h"

#include "itkMath.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace itk
{
namespace
{
double DistanceToLine(const Canvas::LineType & line, double x, double y)
{
  const double dx = line[1][0] - line[0][0];
  const double dy = line[1][1] - line[0][1];
  const double length = dx * dx + dy * dy;
  const double t =
    length > 0.0 ? std::min(1.0, std::max(0.0, ((x - line[0][0]) * dx + (y - line[0][1]) * dy) / length)) : 0.0;
  return std::hypot(x - line[0][0] - t * dx, y - line[0][1] - t * dy);
}

void Blend(RGBPixel<unsigned char> & pixel, const Canvas::ColorType & color, double opacity)
{
  for (unsigned int c = 0; c < 3; ++c)
  {
    pixel[c] = static_cast<unsigned char>(std::lround((1.0 - opacity) * pixel[c] + opacity * color[c]));
  }
}

/** Strokes in a box of width 0.7 and height 1, y down. */
const std::vector<std::vector<Canvas::PointType>> * Glyph(char letter)
{
  static const std::map<char, std::vector<std::vector<Canvas::PointType>>> glyphs = {
    { 'I', { { { { 0.35, 0.0 } }, { { 0.35, 1.0 } } } } },
    { 'T', { { { { 0.0, 0.0 } }, { { 0.7, 0.0 } } }, { { { 0.35, 0.0 } }, { { 0.35, 1.0 } } } } },
    { 'N', { { { { 0.0, 1.0 } }, { { 0.0, 0.0 } }, { { 0.68, 1.0 } }, { { 0.68, 0.0 } } } } },
    { 'S',
      { { { { 0.64, 0.16 } },
          { { 0.55, 0.05 } },
          { { 0.4, 0.0 } },
          { { 0.27, 0.0 } },
          { { 0.12, 0.06 } },
          { { 0.04, 0.18 } },
          { { 0.05, 0.31 } },
          { { 0.15, 0.42 } },
          { { 0.33, 0.48 } },
          { { 0.52, 0.55 } },
          { { 0.63, 0.66 } },
          { { 0.65, 0.8 } },
          { { 0.57, 0.93 } },
          { { 0.42, 1.0 } },
          { { 0.28, 1.0 } },
          { { 0.12, 0.95 } },
          { { 0.02, 0.84 } } } } },
    { 'D',
      { { { { 0.0, 0.0 } },
          { { 0.0, 1.0 } },
          { { 0.3, 1.0 } },
          { { 0.5, 0.92 } },
          { { 0.63, 0.75 } },
          { { 0.67, 0.5 } },
          { { 0.63, 0.25 } },
          { { 0.5, 0.08 } },
          { { 0.3, 0.0 } },
          { { 0.0, 0.0 } } } } },
    { 'O',
      { { { { 0.35, 0.0 } },
          { { 0.15, 0.07 } },
          { { 0.03, 0.27 } },
          { { 0.0, 0.5 } },
          { { 0.03, 0.73 } },
          { { 0.15, 0.93 } },
          { { 0.35, 1.0 } },
          { { 0.55, 0.93 } },
          { { 0.67, 0.73 } },
          { { 0.7, 0.5 } },
          { { 0.67, 0.27 } },
          { { 0.55, 0.07 } },
          { { 0.35, 0.0 } } } } },
  };
  const auto found = glyphs.find(letter);
  return found != glyphs.end() ? &found->second : nullptr;
}
} // namespace

void Canvas::DrawLines(const std::vector<LineType> & lines, const Pen & pen)
{
  if (lines.empty())
  {
    return;
  }
  const auto   size = m_Image->GetBufferedRegion().GetSize();
  const auto   start = m_Image->GetBufferedRegion().GetIndex();
  const double reach = 0.5 * pen.Width + pen.Halo + 1.0;

  double left = lines.front()[0][0];
  double right = left;
  double top = lines.front()[0][1];
  double bottom = top;
  for (const LineType & line : lines)
  {
    for (const PointType & point : line)
    {
      left = std::min(left, point[0]);
      right = std::max(right, point[0]);
      top = std::min(top, point[1]);
      bottom = std::max(bottom, point[1]);
    }
  }
  const auto clip = [](double value, SizeValueType limit) {
    return static_cast<long>(std::min(std::max(value, 0.0), static_cast<double>(limit) - 1.0));
  };
  const long x0 = clip(std::floor(left - reach), size[0]);
  const long x1 = clip(std::ceil(right + reach), size[0]);
  const long y0 = clip(std::floor(top - reach), size[1]);
  const long y1 = clip(std::ceil(bottom + reach), size[1]);

  // Distance to the nearest line, so that joints are not drawn twice.
  const auto         width = static_cast<std::size_t>(x1 - x0 + 1);
  std::vector<float> distance(width * static_cast<std::size_t>(y1 - y0 + 1), static_cast<float>(reach));
  for (const LineType & line : lines)
  {
    const long xa = std::max(x0, static_cast<long>(std::floor(std::min(line[0][0], line[1][0]) - reach)));
    const long xb = std::min(x1, static_cast<long>(std::ceil(std::max(line[0][0], line[1][0]) + reach)));
    const long ya = std::max(y0, static_cast<long>(std::floor(std::min(line[0][1], line[1][1]) - reach)));
    const long yb = std::min(y1, static_cast<long>(std::ceil(std::max(line[0][1], line[1][1]) + reach)));
    for (long y = ya; y <= yb; ++y)
    {
      for (long x = xa; x <= xb; ++x)
      {
        float & nearest = distance[static_cast<std::size_t>(y - y0) * width + static_cast<std::size_t>(x - x0)];
        nearest =
          std::min(nearest, static_cast<float>(DistanceToLine(line, static_cast<double>(x), static_cast<double>(y))));
      }
    }
  }

  const auto cover = [](double radius, double d) { return std::min(1.0, std::max(0.0, radius + 0.5 - d)); };
  for (long y = y0; y <= y1; ++y)
  {
    for (long x = x0; x <= x1; ++x)
    {
      const double d = distance[static_cast<std::size_t>(y - y0) * width + static_cast<std::size_t>(x - x0)];
      if (d >= reach)
      {
        continue;
      }
      auto & pixel = m_Image->GetPixel({ { start[0] + x, start[1] + y } });
      if (pen.Halo > 0.0)
      {
        Blend(pixel, { { 0, 0, 0 } }, 0.55 * pen.Opacity * cover(0.5 * pen.Width + pen.Halo, d));
      }
      Blend(pixel, pen.Color, pen.Opacity * cover(0.5 * pen.Width, d));
    }
  }
}

void Canvas::DrawClosedCurve(const std::vector<PointType> & points, const Pen & pen)
{
  std::vector<LineType> lines;
  for (std::size_t k = 0; k < points.size(); ++k)
  {
    lines.push_back({ { points[k], points[(k + 1) % points.size()] } });
  }
  this->DrawLines(lines, pen);
}

void Canvas::DrawCircle(const PointType & center, double radius, const Pen & pen)
{
  std::vector<PointType> points;
  for (int k = 0; k < 48; ++k)
  {
    const double angle = 2.0 * Math::pi * k / 48.0;
    points.push_back({ { center[0] + radius * std::cos(angle), center[1] + radius * std::sin(angle) } });
  }
  this->DrawClosedCurve(points, pen);
}

void Canvas::DrawLetters(const std::string & text, const PointType & center, double height, const Pen & pen)
{
  constexpr double      advance = 0.95;
  const double          length = (advance * static_cast<double>(text.size() - 1) + 0.7) * height;
  std::vector<LineType> lines;
  for (std::size_t k = 0; k < text.size(); ++k)
  {
    const auto * strokes = Glyph(text[k]);
    if (strokes == nullptr)
    {
      continue;
    }
    const double x = center[0] - 0.5 * length + advance * static_cast<double>(k) * height;
    const double y = center[1] - 0.5 * height;
    for (const auto & stroke : *strokes)
    {
      for (std::size_t p = 1; p < stroke.size(); ++p)
      {
        lines.push_back({ { { { x + height * stroke[p - 1][0], y + height * stroke[p - 1][1] } },
                            { { x + height * stroke[p][0], y + height * stroke[p][1] } } } });
      }
    }
  }
  this->DrawLines(lines, pen);
}
} // namespace itk
