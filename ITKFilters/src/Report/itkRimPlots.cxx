// SPDX-License-Identifier: Apache-2.0
#include "itkRimPlots.h"

#include "itkMath.h"
#include "itkText.h"
#include "itkRimSectors.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace itk
{
namespace RimPlots
{
namespace
{
std::string N(double value)
{
  return FixedText(value, 2);
}

std::string At(double theta, double radius)
{
  const double angle = theta * Math::pi / 180.0;
  return N(radius * std::cos(angle)) + " " + N(radius * std::sin(angle));
}

std::string Text(double x, double y, const std::string & text, const std::string & attributes)
{
  return "<text x=\"" + N(x) + "\" y=\"" + N(y) + "\" " + attributes + ">" + text + "</text>\n";
}

std::string TextAt(double theta, double radius, const std::string & text, const std::string & attributes)
{
  const double angle = theta * Math::pi / 180.0;
  return Text(radius * std::cos(angle), radius * std::sin(angle), text, attributes);
}

/** Ring sector between two directions and two radii. */
std::string Wedge(double begin, double end, double inner, double outer)
{
  std::string  path = "M" + At(begin, outer);
  const int    steps = std::max(2, static_cast<int>((end - begin) / 3.0));
  const double step = (end - begin) / steps;
  for (int k = 1; k <= steps; ++k)
  {
    path += "L" + At(begin + k * step, outer);
  }
  for (int k = steps; k >= 0; --k)
  {
    path += "L" + At(begin + k * step, inner);
  }
  return path + "Z";
}

std::string Outline(const RimMeasurements & m, bool disc, double scale)
{
  std::string path;
  for (std::size_t k = 0; k < m.Profile.size(); ++k)
  {
    const double radius = scale * (disc ? m.Profile[k].DiscRadius : m.Profile[k].CupRadius);
    path += (k == 0 ? "M" : "L") + At(static_cast<double>(k), radius);
  }
  return path + "Z";
}

/** Of disc and cup together: the less sure of the two. */
std::optional<double> ConfidenceOf(const RimMeasurements::Angle & ray)
{
  if (ray.DiscConfidence && ray.CupConfidence)
  {
    return std::min(*ray.DiscConfidence, *ray.CupConfidence);
  }
  return ray.DiscConfidence ? ray.DiscConfidence : ray.CupConfidence;
}

bool HasConfidence(const RimMeasurements & m)
{
  return std::any_of(
    m.Profile.begin(), m.Profile.end(), [](const auto & ray) { return ConfidenceOf(ray).has_value(); });
}

/** One hue, light (unsure) to dark (sure). */
std::string ConfidenceColor(double confidence)
{
  const double t = std::min(1.0, std::max(0.0, confidence));
  const auto   mix = [t](int from, int to) {
    return std::to_string(static_cast<int>(std::lround(from + t * (to - from))));
  };
  return "rgb(" + mix(236, 0) + "," + mix(240, 90) + "," + mix(244, 80) + ")";
}
} // namespace

std::string Polar(const RimMeasurements & m)
{
  std::string svg = "<svg viewBox=\"-150 -150 300 300\" role=\"img\" aria-label=\"Polar rim plot\" "
                    "font-family=\"inherit\" fill=\"none\">\n";
  if (m.Profile.empty())
  {
    return svg + Text(0, 0, "no disc", "text-anchor=\"middle\" font-size=\"12\" fill=\"#5b6b7a\"") + "</svg>\n";
  }
  double largest = 0.0;
  for (const auto & ray : m.Profile)
  {
    largest = std::max(largest, ray.DiscRadius);
  }
  const double scale = 88.0 / largest;

  // Garway-Heath for a known eye, else the four quadrants of the image.
  const bool known = m.Eye != EyeSideEnum::Unknown;
  const auto sectors = known ? RimSectors::GarwayHeath(m.Eye) : RimSectors::ImageQuadrants();
  bool       tinted = false;
  for (const auto & sector : sectors)
  {
    tinted = !tinted;
    svg += "<path d=\"" + Wedge(sector.Begin, sector.End, 0.0, 108.0) + "\" fill=\"" +
           (tinted ? "#eaf0f5" : "#f7f9fb") + "\" stroke=\"#d3dce4\" stroke-width=\".6\"/>\n";
  }
  svg += "<path d=\"" + Outline(m, true, scale) + "\" fill=\"#0072b2\" fill-opacity=\".22\" stroke=\"#0072b2\" " +
         "stroke-width=\"1.8\" stroke-linejoin=\"round\"/>\n";
  svg += "<path d=\"" + Outline(m, false, scale) + "\" fill=\"#fff\" stroke=\"#e69f00\" stroke-width=\"1.8\" " +
         "stroke-linejoin=\"round\"/>\n";
  svg += "<path d=\"M-4 0H4M0-4V4\" stroke=\"#1b2733\" stroke-width=\"1\"/>\n";
  if (m.MinimumRimTheta)
  {
    const auto & ray = m.Profile[static_cast<std::size_t>(std::lround(*m.MinimumRimTheta)) % 360];
    svg += "<path d=\"M" + At(*m.MinimumRimTheta, scale * ray.CupRadius) + "L" +
           At(*m.MinimumRimTheta, scale * ray.DiscRadius) + "\" stroke=\"#b3400e\" stroke-width=\"2.6\"/>\n";
  }
  if (HasConfidence(m))
  {
    for (int k = 0; k < 360; k += 4)
    {
      double sum = 0.0;
      int    count = 0;
      for (int d = 0; d < 4; ++d)
      {
        if (const auto confidence = ConfidenceOf(m.Profile[static_cast<std::size_t>(k + d)]))
        {
          sum += *confidence;
          ++count;
        }
      }
      if (count > 0)
      {
        const std::string color = ConfidenceColor(sum / count);
        svg += "<path d=\"" + Wedge(k - 0.5, k + 3.5, 110.0, 117.0) + "\" fill=\"" + color + "\" stroke=\"" + color +
               "\" stroke-width=\".3\"/>\n";
      }
    }
  }
  for (const auto & sector : sectors)
  {
    svg += TextAt(0.5 * (sector.Begin + sector.End),
                  99.0,
                  known ? sector.Name : std::string(1, static_cast<char>(std::toupper(sector.Name[0]))),
                  "dy=\".35em\" text-anchor=\"middle\" font-size=\"9.5\" font-weight=\"600\" fill=\"#5b6b7a\"");
  }
  for (int hour = 1; hour <= 12; ++hour)
  {
    const double theta = 30.0 * hour - 90.0;
    svg += "<path d=\"M" + At(theta, 119.0) + "L" + At(theta, 123.0) + "\" stroke=\"#8796a5\" stroke-width=\".8\"/>\n";
    svg += TextAt(
      theta, 133.0, std::to_string(hour), "dy=\".35em\" text-anchor=\"middle\" font-size=\"10\" fill=\"#5b6b7a\"");
  }
  return svg + "</svg>\n";
}

std::string Unrolled(const RimMeasurements & m)
{
  constexpr double left = 46.0;
  constexpr double right = 470.0;
  constexpr double top = 26.0;
  constexpr double bottom = 236.0;
  std::string      svg = "<svg viewBox=\"0 0 484 300\" role=\"img\" aria-label=\"Rim width over the angle\" "
                         "font-family=\"inherit\" fill=\"none\">\n";
  if (m.Profile.empty())
  {
    return svg + Text(242, 150, "no disc", "text-anchor=\"middle\" font-size=\"12\" fill=\"#5b6b7a\"") + "</svg>\n";
  }
  const bool   known = m.Eye != EyeSideEnum::Unknown;
  const double unit = m.MicrometersPerPixel.value_or(1.0);
  // Position on the axis -> theta. T-S-N-I-T for a known eye.
  const auto thetaAt = [&m, known](double phi) {
    const double theta = !known ? phi : m.Eye == EyeSideEnum::OD ? 180.0 + phi : -phi;
    return theta - 360.0 * std::floor(theta / 360.0);
  };
  const auto rayAt = [&](int phi) -> const RimMeasurements::Angle & {
    return m.Profile[static_cast<std::size_t>(std::lround(thetaAt(phi))) % 360];
  };

  double largest = 0.0;
  for (const auto & ray : m.Profile)
  {
    largest = std::max(largest, ray.RimWidth * unit);
  }
  largest = largest > 0.0 ? 1.12 * largest : 1.0;
  const double decade = std::pow(10.0, std::floor(std::log10(largest / 4.0)));
  double       tick = decade;
  for (const double factor : { 1.0, 2.0, 5.0, 10.0 })
  {
    if (largest / (factor * decade) <= 5.5)
    {
      tick = factor * decade;
      break;
    }
  }
  const auto x = [=](double phi) { return left + (right - left) * phi / 360.0; };
  const auto y = [=](double width) { return bottom - (bottom - top) * width / largest; };

  // Quadrants: [begin, end) on the axis, name, mean.
  struct Band
  {
    double      Begin;
    double      End;
    std::string Name;
  };
  const std::vector<Band> bands =
    known
      ? std::vector<Band>{ { 0, 45, "T" }, { 45, 135, "S" }, { 135, 225, "N" }, { 225, 315, "I" }, { 315, 360, "T" } }
      : std::vector<Band>{ { 0, 45, "right" },
                           { 45, 135, "inferior" },
                           { 135, 225, "left" },
                           { 225, 315, "superior" },
                           { 315, 360, "right" } };
  const auto & quadrants = known ? m.Quadrants : m.ImageQuadrants;
  bool         tinted = true;
  for (const Band & band : bands)
  {
    tinted = !tinted;
    svg += "<rect x=\"" + N(x(band.Begin)) + "\" y=\"" + N(top) + "\" width=\"" + N(x(band.End) - x(band.Begin)) +
           "\" height=\"" + N(bottom - top) + "\" fill=\"" + (tinted ? "#e9eff5" : "#f7f9fb") + "\"/>\n";
    svg += Text(x(0.5 * (band.Begin + band.End)),
                17.0,
                band.Name,
                "text-anchor=\"middle\" font-size=\"12\" font-weight=\"600\" fill=\"#5b6b7a\"");
  }
  for (double value = 0.0; value <= largest; value += tick)
  {
    svg +=
      "<path d=\"M" + N(left) + " " + N(y(value)) + "H" + N(right) + "\" stroke=\"#d3dce4\" stroke-width=\".7\"/>\n";
    svg +=
      Text(left - 6.0, y(value) + 3.5, NumberText(value, 4), "text-anchor=\"end\" font-size=\"10\" fill=\"#5b6b7a\"");
  }
  svg += "<text transform=\"translate(11 " + N(0.5 * (top + bottom)) +
         ") rotate(-90)\" text-anchor=\"middle\" font-size=\"10.5\" fill=\"#5b6b7a\">rim width (" +
         (m.MicrometersPerPixel ? "&#181;m" : "px") + ")</text>\n";

  std::string line;
  for (int phi = 0; phi <= 360; ++phi)
  {
    line += (phi == 0 ? "M" : "L") + N(x(phi)) + " " + N(y(unit * rayAt(phi).RimWidth));
  }
  svg += "<path d=\"" + line + "L" + N(x(360)) + " " + N(bottom) + "L" + N(x(0)) + " " + N(bottom) +
         "Z\" fill=\"#0072b2\" fill-opacity=\".16\"/>\n";
  svg += "<path d=\"" + line + "\" stroke=\"#0072b2\" stroke-width=\"1.8\" stroke-linejoin=\"round\"/>\n";
  for (const Band & band : bands)
  {
    for (const auto & quadrant : quadrants)
    {
      if (quadrant.Name == band.Name && quadrant.RimWidth)
      {
        svg += "<path d=\"M" + N(x(band.Begin)) + " " + N(y(unit * *quadrant.RimWidth)) + "H" + N(x(band.End)) +
               "\" stroke=\"#1b2733\" stroke-width=\"1.2\" stroke-dasharray=\"4 3\"/>\n";
      }
    }
  }
  if (m.MinimumRimTheta)
  {
    const double theta = *m.MinimumRimTheta;
    double       phi = !known ? theta : m.Eye == EyeSideEnum::OD ? theta - 180.0 : -theta;
    phi -= 360.0 * std::floor(phi / 360.0);
    svg += "<circle cx=\"" + N(x(phi)) + "\" cy=\"" + N(y(unit * rayAt(static_cast<int>(std::lround(phi))).RimWidth)) +
           "\" r=\"4\" fill=\"#fff\" stroke=\"#b3400e\" stroke-width=\"2\"/>\n";
  }

  for (int phi = 0; phi <= 360; phi += 45)
  {
    svg += "<path d=\"M" + N(x(phi)) + " " + N(bottom) + "v4\" stroke=\"#8796a5\" stroke-width=\".8\"/>\n";
    svg += Text(x(phi),
                bottom + 15.0,
                std::to_string(phi) + "&#176;",
                "text-anchor=\"middle\" font-size=\"10\" fill=\"#5b6b7a\"");
  }
  if (HasConfidence(m))
  {
    const auto strip = [&](double at, const char * name, const std::function<std::optional<double>(int)> & confidence) {
      for (int phi = 0; phi < 360; phi += 3)
      {
        if (const auto value = confidence(phi))
        {
          svg += "<rect x=\"" + N(x(phi)) + "\" y=\"" + N(at) + "\" width=\"" + N(x(3) - x(0) + 0.3) +
                 "\" height=\"8\" shape-rendering=\"crispEdges\" fill=\"" + ConfidenceColor(*value) + "\"/>\n";
        }
      }
      svg += Text(left - 6.0, at + 7.0, name, "text-anchor=\"end\" font-size=\"9\" fill=\"#5b6b7a\"");
    };
    strip(bottom + 25.0, "disc", [&](int phi) { return rayAt(phi).DiscConfidence; });
    strip(bottom + 36.0, "cup", [&](int phi) { return rayAt(phi).CupConfidence; });
    svg += Text(right,
                bottom + 58.0,
                "confidence: light unsure, dark sure",
                "text-anchor=\"end\" font-size=\"9\" fill=\"#5b6b7a\"");
  }
  svg += Text(left,
              HasConfidence(m) ? bottom + 58.0 : bottom + 34.0,
              known ? "from temporal through superior" : "from image right, clockwise",
              "font-size=\"9\" fill=\"#5b6b7a\"");
  return svg + "</svg>\n";
}

std::string BothEyes(const RimMeasurements & right, const RimMeasurements & left)
{
  constexpr double x0 = 40.0;
  constexpr double x1 = 650.0;
  constexpr double y0 = 24.0;
  constexpr double y1 = 214.0;
  constexpr double largest = 1.2; // of the equivalent disc radius
  const auto       x = [=](double phi) { return x0 + (x1 - x0) * phi / 360.0; };
  const auto       y = [=](double width) { return y1 - (y1 - y0) * std::min(width, largest) / largest; };
  std::string      svg = "<svg viewBox=\"0 0 664 240\" role=\"img\" aria-label=\"Rim of both eyes\" "
                         "font-family=\"inherit\" fill=\"none\" font-size=\"10\">\n";
  bool             tinted = true;
  const std::vector<std::pair<int, const char *>> bands = {
    { 0, "T" }, { 45, "S" }, { 135, "N" }, { 225, "I" }, { 315, "T" }
  };
  for (std::size_t k = 0; k < bands.size(); ++k)
  {
    const double end = k + 1 < bands.size() ? bands[k + 1].first : 360.0;
    tinted = !tinted;
    svg += "<rect x=\"" + N(x(bands[k].first)) + "\" y=\"" + N(y0) + "\" width=\"" + N(x(end) - x(bands[k].first)) +
           "\" height=\"" + N(y1 - y0) + "\" fill=\"" + (tinted ? "#e9eff5" : "#f7f9fb") + "\"/>\n" +
           Text(x(0.5 * (bands[k].first + end)),
                16.0,
                bands[k].second,
                "text-anchor=\"middle\" font-size=\"12\" font-weight=\"600\" fill=\"#5b6b7a\"");
  }
  for (const double value : { 0.0, 0.4, 0.8, 1.2 })
  {
    svg += "<path d=\"M" + N(x0) + " " + N(y(value)) + "H" + N(x1) + "\" stroke=\"#d3dce4\" stroke-width=\".7\"/>\n" +
           Text(x0 - 6.0, y(value) + 3.5, FixedText(value, 1), "text-anchor=\"end\" fill=\"#5b6b7a\"");
  }
  for (int phi = 0; phi <= 360; phi += 45)
  {
    svg += Text(x(phi), y1 + 15.0, std::to_string(phi) + "&#176;", "text-anchor=\"middle\" fill=\"#5b6b7a\"");
  }
  for (const RimMeasurements * m : { &right, &left })
  {
    if (m->Profile.empty())
    {
      continue;
    }
    std::string line;
    for (int phi = 0; phi <= 360; ++phi)
    {
      const int theta = m == &right ? 180 + phi : 720 - phi;
      line += (phi == 0 ? "M" : "L") + N(x(phi)) + " " +
              N(y(m->Profile[static_cast<std::size_t>(theta % 360)].RimWidth / *m->EquivalentDiscRadius));
    }
    svg += "<path d=\"" + line + "\" stroke=\"" + (m == &right ? "#0072b2" : "#b3400e\" stroke-dasharray=\"6 3") +
           "\" stroke-width=\"1.8\" stroke-linejoin=\"round\"/>\n";
  }
  return svg + "</svg>\n";
}
} // namespace RimPlots
} // namespace itk
