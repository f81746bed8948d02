// SPDX-License-Identifier: Apache-2.0
#ifndef itkRadialContour_h
#define itkRadialContour_h

#include <array>
#include <cstddef>
#include <vector>

#include "itkMacro.h"

namespace itk
{
/** \class RadialContour
 * \brief A boundary as loose line segments in image axes (u right, v down), and what rays from a point see of it.
 *
 * Segments carry a parameter at both ends, interpolated at the crossings (for a polar boundary: its own angle).
 * \ingroup NPSNet
 */
class RadialContour
{
public:
  using PointType = std::array<double, 2>;

  struct Segment
  {
    PointType A;
    PointType B;
    double    ParameterA;
    double    ParameterB;
  };

  struct Crossing
  {
    bool   Found{ false };
    double Outermost{ 0.0 };
    double Innermost{ 0.0 };
    double Parameter{ 0.0 }; // of the outermost crossing
  };

  /** Area, centroid and central second moments (divided by the area) of a region. */
  struct Moments
  {
    double                Area{ 0.0 };
    PointType             Centroid{ { 0.0, 0.0 } };
    std::array<double, 3> Second{ { 0.0, 0.0, 0.0 } }; // uu, uv, vv
  };

  struct Box
  {
    PointType Lower;
    PointType Upper;
  };

  RadialContour() = default;
  explicit RadialContour(std::vector<Segment> segments)
    : m_Segments(std::move(segments))
  {}

  /** Vertex k of the closed polygon has parameter k. */
  static RadialContour FromPolygon(const std::vector<PointType> & vertices);

  /** Border of the non-zero pixels of a raster (marching squares half way between pixel centres; diagonal
   * neighbours are joined). Pixel (i, j) has its centre at (i * spacing[0], j * spacing[1]). */
  static RadialContour FromMask(const std::vector<unsigned char> & mask,
                                std::size_t                        width,
                                std::size_t                        height,
                                const std::array<double, 2> &      spacing);

  bool                         IsEmpty() const { return m_Segments.empty(); }
  const std::vector<Segment> & GetSegments() const { return m_Segments; }

  /** Crossings of rays at 0, 360/n, ... degrees. */
  std::vector<Crossing> CastRays(const PointType & center, std::size_t numberOfRays) const;

  static Moments PolygonMoments(const std::vector<PointType> & vertices);
  static Box     PolygonBox(const std::vector<PointType> & vertices);

private:
  std::vector<Segment> m_Segments;
};
} // namespace itk

#endif
