// SPDX-License-Identifier: Apache-2.0
#include "itkRadialContour.h"

#include "itkMath.h"

#include <algorithm>
#include <cmath>

namespace itk
{
RadialContour RadialContour::FromPolygon(const std::vector<PointType> & vertices)
{
  std::vector<Segment> segments;
  segments.reserve(vertices.size());
  for (std::size_t k = 0; k < vertices.size(); ++k)
  {
    segments.push_back(
      { vertices[k], vertices[(k + 1) % vertices.size()], static_cast<double>(k), static_cast<double>(k + 1) });
  }
  return RadialContour(std::move(segments));
}

RadialContour RadialContour::FromMask(const std::vector<unsigned char> & mask,
                                      std::size_t                        width,
                                      std::size_t                        height,
                                      const std::array<double, 2> &      spacing)
{
  const auto at = [&](std::ptrdiff_t i, std::ptrdiff_t j) {
    return i >= 0 && j >= 0 && i < static_cast<std::ptrdiff_t>(width) && j < static_cast<std::ptrdiff_t>(height) &&
           mask[static_cast<std::size_t>(j) * width + static_cast<std::size_t>(i)] != 0;
  };

  std::vector<Segment> segments;
  for (std::ptrdiff_t j = -1; j < static_cast<std::ptrdiff_t>(height); ++j)
  {
    for (std::ptrdiff_t i = -1; i < static_cast<std::ptrdiff_t>(width); ++i)
    {
      // Bits: upper left, upper right, lower right, lower left corner of the cell between four pixel centres.
      const int code =
        (at(i, j) ? 1 : 0) | (at(i + 1, j) ? 2 : 0) | (at(i + 1, j + 1) ? 4 : 0) | (at(i, j + 1) ? 8 : 0);
      if (code == 0 || code == 15)
      {
        continue;
      }
      const double    u = static_cast<double>(i) * spacing[0];
      const double    v = static_cast<double>(j) * spacing[1];
      const PointType top{ { u + 0.5 * spacing[0], v } };
      const PointType right{ { u + spacing[0], v + 0.5 * spacing[1] } };
      const PointType bottom{ { u + 0.5 * spacing[0], v + spacing[1] } };
      const PointType left{ { u, v + 0.5 * spacing[1] } };
      const auto      add = [&](const PointType & a, const PointType & b) { segments.push_back({ a, b, 0.0, 0.0 }); };
      switch (code)
      {
        case 1:
        case 14:
          add(left, top);
          break;
        case 2:
        case 13:
          add(top, right);
          break;
        case 4:
        case 11:
          add(right, bottom);
          break;
        case 8:
        case 7:
          add(bottom, left);
          break;
        case 3:
        case 12:
          add(left, right);
          break;
        case 6:
        case 9:
          add(top, bottom);
          break;
        case 5: // the two foreground corners are joined, the two background corners cut off
          add(top, right);
          add(bottom, left);
          break;
        case 10:
          add(left, top);
          add(right, bottom);
          break;
        default:
          break;
      }
    }
  }
  return RadialContour(std::move(segments));
}

std::vector<RadialContour::Crossing> RadialContour::CastRays(const PointType & center, std::size_t numberOfRays) const
{
  constexpr double      slack = 1e-9;
  const double          step = 2.0 * itk::Math::pi / static_cast<double>(numberOfRays);
  std::vector<Crossing> crossings(numberOfRays);
  std::vector<double>   cosines(numberOfRays);
  std::vector<double>   sines(numberOfRays);
  for (std::size_t k = 0; k < numberOfRays; ++k)
  {
    cosines[k] = std::cos(static_cast<double>(k) * step);
    sines[k] = std::sin(static_cast<double>(k) * step);
  }

  const auto hit = [](Crossing & crossing, double radius, double parameter) {
    if (!crossing.Found || radius > crossing.Outermost)
    {
      crossing.Outermost = radius;
      crossing.Parameter = parameter;
    }
    crossing.Innermost = crossing.Found ? std::min(crossing.Innermost, radius) : radius;
    crossing.Found = true;
  };

  for (const Segment & segment : m_Segments)
  {
    const PointType a{ { segment.A[0] - center[0], segment.A[1] - center[1] } };
    const PointType b{ { segment.B[0] - center[0], segment.B[1] - center[1] } };
    const double    angle = std::atan2(a[1], a[0]);
    double          turn = std::atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1]);
    const double    first = (turn >= 0.0 ? angle : angle + turn) / step;
    turn = std::abs(turn) / step;
    for (auto k = static_cast<long>(std::ceil(first - slack)); static_cast<double>(k) <= first + turn + slack; ++k)
    {
      const auto   n = static_cast<long>(numberOfRays);
      const auto   ray = static_cast<std::size_t>(((k % n) + n) % n);
      const double c = cosines[ray];
      const double s = sines[ray];
      const double sideA = c * a[1] - s * a[0];
      const double sideB = c * b[1] - s * b[0];
      const double alongA = c * a[0] + s * a[1];
      const double alongB = c * b[0] + s * b[1];
      if (std::abs(sideA - sideB) < 1e-12) // the segment lies on the ray
      {
        hit(crossings[ray], std::max(alongA, 0.0), segment.ParameterA);
        hit(crossings[ray], std::max(alongB, 0.0), segment.ParameterB);
        continue;
      }
      const double t = std::min(1.0, std::max(0.0, sideA / (sideA - sideB)));
      const double along = alongA + t * (alongB - alongA);
      if (along >= -slack)
      {
        hit(crossings[ray], std::max(along, 0.0), segment.ParameterA + t * (segment.ParameterB - segment.ParameterA));
      }
    }
  }
  return crossings;
}

RadialContour::Moments RadialContour::PolygonMoments(const std::vector<PointType> & vertices)
{
  // Green's theorem, about the first vertex so that no large coordinates cancel.
  Moments moments;
  if (vertices.size() < 3)
  {
    return moments;
  }
  double area = 0.0;
  double mu = 0.0;
  double mv = 0.0;
  double muu = 0.0;
  double muv = 0.0;
  double mvv = 0.0;
  for (std::size_t k = 0; k < vertices.size(); ++k)
  {
    const PointType & p = vertices[k];
    const PointType & q = vertices[(k + 1) % vertices.size()];
    const double      u0 = p[0] - vertices[0][0];
    const double      v0 = p[1] - vertices[0][1];
    const double      u1 = q[0] - vertices[0][0];
    const double      v1 = q[1] - vertices[0][1];
    const double      cross = u0 * v1 - u1 * v0;
    area += cross / 2.0;
    mu += (u0 + u1) * cross / 6.0;
    mv += (v0 + v1) * cross / 6.0;
    muu += (u0 * u0 + u0 * u1 + u1 * u1) * cross / 12.0;
    mvv += (v0 * v0 + v0 * v1 + v1 * v1) * cross / 12.0;
    muv += (u0 * v1 + 2.0 * u0 * v0 + 2.0 * u1 * v1 + u1 * v0) * cross / 24.0;
  }
  if (area == 0.0)
  {
    return moments;
  }
  const double u = mu / area;
  const double v = mv / area;
  moments.Area = std::abs(area);
  moments.Centroid = { { vertices[0][0] + u, vertices[0][1] + v } };
  moments.Second = { { muu / area - u * u, muv / area - u * v, mvv / area - v * v } };
  return moments;
}

RadialContour::Box RadialContour::PolygonBox(const std::vector<PointType> & vertices)
{
  Box box{ vertices.front(), vertices.front() };
  for (const PointType & vertex : vertices)
  {
    for (std::size_t d = 0; d < 2; ++d)
    {
      box.Lower[d] = std::min(box.Lower[d], vertex[d]);
      box.Upper[d] = std::max(box.Upper[d], vertex[d]);
    }
  }
  return box;
}
} // namespace itk
