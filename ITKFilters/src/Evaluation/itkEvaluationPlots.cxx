// SPDX-License-Identifier: Apache-2.0
#include "itkEvaluationPlots.h"

#include "itkEvaluationStatistics.h"
#include "itkHTML.h"
#include "itkText.h"

#include <algorithm>
#include <cmath>

namespace itk
{
namespace EvaluationPlots
{
namespace
{
std::string N(double value)
{
  return FixedText(value, 2);
}

/** A rectangle with axes; data to SVG coordinates. */
class Frame
{
public:
  Frame(double width, double height, double x0, double x1, double y0, double y1)
    : m_Width(width)
    , m_Height(height)
    , m_X0(x0)
    , m_X1(x1)
    , m_Y0(y0)
    , m_Y1(y1)
  {
    m_SVG = "<svg viewBox=\"0 0 " + N(width) + " " + N(height) +
            "\" role=\"img\" font-family=\"inherit\" fill=\"none\" font-size=\"10\">\n<rect x=\"" + N(Left) +
            "\" y=\"" + N(Top) + "\" width=\"" + N(width - Left - Right) + "\" height=\"" + N(height - Top - Bottom) +
            "\" fill=\"#f7f9fb\"/>\n";
  }

  double X(double x) const { return Left + (m_Width - Left - Right) * (x - m_X0) / (m_X1 - m_X0); }
  double Y(double y) const { return m_Height - Bottom - (m_Height - Top - Bottom) * (y - m_Y0) / (m_Y1 - m_Y0); }

  void Grid(double stepX, double stepY, int decimalsX, int decimalsY)
  {
    for (double x = std::ceil(m_X0 / stepX - 1e-9) * stepX; x <= m_X1 + 1e-9; x += stepX)
    {
      m_SVG += "<path d=\"M" + N(X(x)) + " " + N(Top) + "V" + N(m_Height - Bottom) +
               "\" stroke=\"#dde4ea\" stroke-width=\".7\"/>\n<text x=\"" + N(X(x)) + "\" y=\"" +
               N(m_Height - Bottom + 13) + "\" text-anchor=\"middle\" fill=\"#5b6b7a\">" + FixedText(x, decimalsX) +
               "</text>\n";
    }
    for (double y = std::ceil(m_Y0 / stepY - 1e-9) * stepY; y <= m_Y1 + 1e-9; y += stepY)
    {
      m_SVG += "<path d=\"M" + N(Left) + " " + N(Y(y)) + "H" + N(m_Width - Right) +
               "\" stroke=\"#dde4ea\" stroke-width=\".7\"/>\n<text x=\"" + N(Left - 5) + "\" y=\"" + N(Y(y) + 3.5) +
               "\" text-anchor=\"end\" fill=\"#5b6b7a\">" + FixedText(y, decimalsY) + "</text>\n";
    }
  }

  void Titles(const std::string & x, const std::string & y)
  {
    m_SVG += "<text x=\"" + N(0.5 * (Left + m_Width - Right)) + "\" y=\"" + N(m_Height - 5) +
             "\" text-anchor=\"middle\" fill=\"#5b6b7a\">" + x + "</text>\n<text transform=\"translate(10 " +
             N(0.5 * (Top + m_Height - Bottom)) + ") rotate(-90)\" text-anchor=\"middle\" fill=\"#5b6b7a\">" + y +
             "</text>\n";
  }

  void Line(double xa, double ya, double xb, double yb, const std::string & style)
  {
    m_SVG += "<path d=\"M" + N(X(xa)) + " " + N(Y(ya)) + "L" + N(X(xb)) + " " + N(Y(yb)) + "\" " + style + "/>\n";
  }

  void Dot(double x, double y, const std::string & title)
  {
    m_SVG += "<circle cx=\"" + N(X(x)) + "\" cy=\"" + N(Y(y)) +
             "\" r=\"2.6\" fill=\"#0072b2\" fill-opacity=\".6\"><title>" + HTML::Escape(title) + "</title></circle>\n";
  }

  void Curve(const std::vector<double> & values, const std::string & style)
  {
    std::string path;
    for (std::size_t k = 0; k < values.size(); ++k)
    {
      path += (k == 0 ? "M" : "L") + N(X(static_cast<double>(k))) + " " + N(Y(values[k]));
    }
    m_SVG += "<path d=\"" + path + "\" stroke-linejoin=\"round\" " + style + "/>\n";
  }

  void Note(double y, const std::string & text, double shift = -4.0)
  {
    m_SVG += "<text x=\"" + N(m_Width - Right - 4) + "\" y=\"" + N(Y(y) + shift) +
             "\" text-anchor=\"end\" font-size=\"9\" fill=\"#1b2733\">" + text + "</text>\n";
  }

  std::string Finish() const { return m_SVG + "</svg>\n"; }

private:
  static constexpr double Left = 42.0;
  static constexpr double Right = 10.0;
  static constexpr double Top = 8.0;
  static constexpr double Bottom = 34.0;

  double      m_Width;
  double      m_Height;
  double      m_X0;
  double      m_X1;
  double      m_Y0;
  double      m_Y1;
  std::string m_SVG;
};
} // namespace

std::string Scatter(const std::vector<double> &      truth,
                    const std::vector<double> &      predicted,
                    const std::vector<std::string> & titles)
{
  Frame frame(360.0, 350.0, 0.0, 1.0, 0.0, 1.0);
  frame.Grid(0.2, 0.2, 1, 1);
  frame.Titles("true vCDR", "predicted vCDR");
  frame.Line(0.0, 0.0, 1.0, 1.0, "stroke=\"#1b2733\" stroke-width=\"1\" stroke-dasharray=\"4 3\"");
  for (std::size_t k = 0; k < truth.size(); ++k)
  {
    frame.Dot(truth[k], predicted[k], titles[k]);
  }
  return frame.Finish();
}

std::string BlandAltman(const std::vector<double> &      truth,
                        const std::vector<double> &      predicted,
                        const std::vector<std::string> & titles)
{
  std::vector<double> differences;
  double              reach = 0.1;
  for (std::size_t k = 0; k < truth.size(); ++k)
  {
    differences.push_back(predicted[k] - truth[k]);
    reach = std::max(reach, 1.1 * std::abs(differences.back()));
  }
  const auto   spread = EvaluationStatistics::Summarize(differences, 1, 1);
  const double sd = spread && spread->SD ? *spread->SD : 0.0;
  const double bias = spread ? spread->Mean : 0.0;
  reach = std::max({ reach, 1.1 * std::abs(bias + 1.96 * sd), 1.1 * std::abs(bias - 1.96 * sd) });
  reach = std::ceil(10.0 * reach) / 10.0;

  Frame frame(360.0, 350.0, 0.0, 1.0, -reach, reach);
  frame.Grid(0.2, reach > 0.3 ? 0.2 : 0.1, 1, 1);
  frame.Titles("mean of predicted and true vCDR", "predicted &#8722; true");
  for (std::size_t k = 0; k < truth.size(); ++k)
  {
    frame.Dot(0.5 * (truth[k] + predicted[k]), differences[k], titles[k]);
  }
  if (spread)
  {
    frame.Line(0.0, bias, 1.0, bias, "stroke=\"#1b2733\" stroke-width=\"1.2\"");
    frame.Note(bias, "bias " + FixedText(bias, 3));
    for (const double sign : { 1.0, -1.0 })
    {
      const double limit = bias + sign * 1.96 * sd;
      frame.Line(0.0, limit, 1.0, limit, "stroke=\"#b3400e\" stroke-width=\"1\" stroke-dasharray=\"4 3\"");
      frame.Note(limit, FixedText(limit, 3), sign > 0.0 ? -4.0 : 11.0);
    }
  }
  return frame.Finish();
}

std::string RimProfiles(const std::vector<double> & truth, const std::vector<double> & predicted)
{
  double largest = 0.1;
  for (const auto * profile : { &truth, &predicted })
  {
    for (const double value : *profile)
    {
      largest = std::max(largest, value);
    }
  }
  Frame frame(360.0, 190.0, 0.0, 359.0, 0.0, std::ceil(largest * 10.5) / 10.0);
  frame.Grid(90.0, 0.1, 0, 1);
  frame.Titles("&#952; (degrees)", "rim / crop radius");
  frame.Curve(truth, "stroke=\"#5b6b7a\" stroke-width=\"1.6\"");
  frame.Curve(predicted, "stroke=\"#0072b2\" stroke-width=\"1.6\"");
  return frame.Finish();
}
} // namespace EvaluationPlots
} // namespace itk
