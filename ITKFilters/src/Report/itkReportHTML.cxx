// SPDX-License-Identifier: Apache-2.0
#include "itkReportHTML.h"

#include "itkFundusOverlay.h"
#include "itkFundusReportParts.h"
#include "itkHTML.h"
#include "itkText.h"
#include "itkRimPlots.h"
#include "itkRimSectors.h"

#include <cmath>

namespace itk
{
namespace
{
using namespace FundusReportParts;
using HTML::Escape;

const char * const ReportStyle = R"(
.facts{display:grid;grid-template-columns:1fr 1fr 1fr;gap:0 18px}
.fact{padding:7px 0 6px;border-bottom:1px solid var(--line)}
.fact b{display:block;font-size:19px;font-weight:600;line-height:1.25}
.fact span{font-size:11.5px;color:var(--soft)}
.fact small{font-size:12px;font-weight:500;color:var(--soft)}
.fact.big b{font-size:34px;letter-spacing:-.01em}
.fact .bad{color:var(--warn)}
.locate{display:grid;grid-template-columns:112px 1fr;gap:14px;align-items:center;margin-top:14px}
.locate img{width:112px;border-radius:4px;display:block}
.hours th,.hours td{padding:4px 3px;text-align:center}
.hours th:first-child,.hours td:first-child{text-align:left}
@media screen and (min-width:761px){.plots{grid-template-columns:5fr 7fr}}
@media screen and (max-width:1040px){.tables{grid-template-columns:minmax(0,1fr)}}
@media print{.top{grid-template-columns:9fr 12fr}.plots{grid-template-columns:9fr 14fr}.fact{padding:4px 0}.fact b{font-size:14px}.fact.big b{font-size:24px}}
)";

/** Lengths for readers: micrometres when calibrated, else photo pixels. */
class Units
{
public:
  explicit Units(const RimMeasurements & m)
    : m_Scale(m.MicrometersPerPixel.value_or(0.0))
  {}
  bool         IsCalibrated() const { return m_Scale > 0.0; }
  const char * Length() const { return this->IsCalibrated() ? "&#181;m" : "px"; }
  const char * Area() const { return this->IsCalibrated() ? "mm&#178;" : "px&#178;"; }
  std::string  Length(double pixels) const
  {
    return this->IsCalibrated() ? FixedText(pixels * m_Scale, 0) : FixedText(pixels, 1);
  }
  std::string Area(double pixels) const
  {
    return this->IsCalibrated() ? FixedText(pixels * m_Scale * m_Scale * 1e-6, 2) : FixedText(pixels, 0);
  }

private:
  double m_Scale;
};

std::string Fact(const std::string & title,
                 const std::string & value,
                 const std::string & detail = "",
                 bool                big = false)
{
  return "<div class=\"fact" + std::string(big ? " big" : "") + "\"><span>" + title + "</span><b>" +
         (value.empty() ? "&#8211;" : value) + "</b>" + (detail.empty() ? "" : "<span>" + detail + "</span>") +
         "</div>\n";
}

std::string Ratio(const std::optional<double> & value, int decimals = 2)
{
  return value ? FixedText(*value, decimals) : std::string();
}

std::string Reason(const RimMeasurements & m, const std::string & name)
{
  const auto found = m.Missing.find(name);
  return found != m.Missing.end() ? Escape(found->second) : std::string();
}

std::string RuleFact(const std::string &                               name,
                     const std::optional<RimMeasurements::OrderRule> & rule,
                     const RimMeasurements &                           m)
{
  if (!rule)
  {
    return Fact(name + " rule", "", Reason(m, name == "ISNT" ? "isnt" : "ist"));
  }
  std::string violated;
  for (const auto & pair : rule->GetViolatedPairs())
  {
    violated += (violated.empty() ? "" : ", ") + pair.Wider + " &lt; " + pair.Narrower;
  }
  return rule->Obeyed
           ? Fact(
               name + " rule", "obeyed", "smallest margin " + Units(m).Length(rule->Margin) + " " + Units(m).Length())
           : Fact(name + " rule", "<span class=\"bad\" style=\"font-size:inherit\">violated</span>", violated);
}

std::string Facts(const RimMeasurements & m)
{
  const Units       units(m);
  const std::string length = std::string(" <small>") + units.Length() + "</small>";
  const std::string area = std::string(" <small>") + units.Area() + "</small>";
  const auto lengthOf = [&](const std::optional<double> & v) { return v ? units.Length(*v) + length : std::string(); };
  const auto areaOf = [&](const std::optional<double> & v) { return v ? units.Area(*v) + area : std::string(); };

  std::string html = "<div class=\"facts\">\n";
  html += Fact("Vertical C/D", Ratio(m.VerticalCupToDiscRatio), "", true);
  html += Fact("Horizontal C/D", Ratio(m.HorizontalCupToDiscRatio), "", true);
  html += Fact("Area C/D", Ratio(m.AreaCupToDiscRatio), "", true);
  std::string where;
  if (m.MinimumRimTheta)
  {
    where = "at " + std::to_string(RimSectors::ClockHourOf(*m.MinimumRimTheta)) + " o&#8217;clock (&#952; " +
            FixedText(*m.MinimumRimTheta, 0) + "&#176;)";
  }
  else
  {
    where = Reason(m, "min_rim_theta_deg");
  }
  html += Fact("Narrowest rim/disc ratio", Ratio(m.MinimumRimToDiscRatio), where);
  html += Fact("DDLS stage",
               m.DDLS ? std::to_string(*m.DDLS) + " <small>of 10</small>" : "",
               m.DDLS                        ? m.DDLSDiscSize + " disc"
               : m.Missing.count("ddls") > 0 ? "needs &#181;m per pixel"
                                             : "");
  std::string notches;
  for (const auto & notch : m.Notches)
  {
    notches += (notches.empty() ? "" : ", ") + std::to_string(notch.ClockHour) + " o&#8217;clock";
  }
  html += Fact("Notch",
               !m.HasNotch   ? ""
               : *m.HasNotch ? "<span class=\"bad\" style=\"font-size:inherit\">yes</span>"
                             : "none",
               notches);
  html += RuleFact("ISNT", m.ISNT, m);
  html += RuleFact("IST", m.IST, m);
  html += Fact("Mean rim width", lengthOf(m.MeanRimWidth));
  html += Fact("Disc height", lengthOf(m.DiscHeight));
  html += Fact("Disc width", lengthOf(m.DiscWidth));
  html += Fact(
    "Disc ovality", Ratio(m.DiscOvality), m.DiscTorsion ? "torsion " + FixedText(*m.DiscTorsion, 0) + "&#176;" : "");
  html += Fact("Disc area", areaOf(m.DiscArea));
  html += Fact("Cup area", areaOf(m.CupArea));
  html += Fact("Rim area", areaOf(m.RimArea));
  return html + "</div>\n";
}

std::string Cell(const std::string & text)
{
  return text.empty() ? "<td class=\"none\">&#8211;</td>" : "<td>" + text + "</td>";
}

std::string SectorTable(const std::string &                          title,
                        const std::vector<RimMeasurements::Sector> & sectors,
                        const RimMeasurements &                      m)
{
  const Units units(m);
  const bool  confident = m.MeanDiscConfidence.has_value();
  std::string html = "<section><h2>" + title + "</h2>\n<table>\n<tr><th>Sector</th><th>Rim width<br>" + units.Length() +
                     "</th><th>Rim/disc<br>mean</th><th>Rim/disc<br>min</th><th>Rim area<br>" + units.Area() + "</th>" +
                     (confident ? "<th>Confidence<br>disc / cup</th>" : "") + "</tr>\n";
  for (const auto & sector : sectors)
  {
    html += "<tr><td>" + SectorTitle(sector.Name) + "</td>" +
            Cell(sector.RimWidth ? units.Length(*sector.RimWidth) : "") + Cell(Ratio(sector.RimToDiscRatio)) +
            Cell(Ratio(sector.MinimumRimToDiscRatio)) + Cell(sector.RimArea ? units.Area(*sector.RimArea) : "");
    if (confident)
    {
      html += Cell(sector.DiscConfidence ? Ratio(sector.DiscConfidence) + " / " +
                                             (sector.CupConfidence ? Ratio(sector.CupConfidence) : "&#8211;")
                                         : "");
    }
    html += "</tr>\n";
  }
  return html + "</table></section>\n";
}

std::string ClockTable(const RimMeasurements & m)
{
  const Units units(m);
  std::string head = "<tr><th>Clock hour</th>";
  std::string width = std::string("<tr><td>Rim width, ") + units.Length() + "</td>";
  std::string ratio = "<tr><td>Rim/disc, mean</td>";
  // As one reads a clock face: 12 first.
  for (int k = 0; k < 12; ++k)
  {
    const auto & hour = m.ClockHours[static_cast<std::size_t>((k + 11) % 12)];
    head += "<th>" + hour.Name + "</th>";
    width += Cell(hour.RimWidth ? units.Length(*hour.RimWidth) : "");
    ratio += Cell(Ratio(hour.RimToDiscRatio));
  }
  return "<section style=\"margin-bottom:22px\"><h2>Clock hours (as seen on the image)</h2>\n<table "
         "class=\"hours\">\n" +
         head + "</tr>\n" + width + "</tr>\n" + ratio + "</tr>\n</table></section>\n";
}

std::string Header(const FundusResult & result)
{
  return "<header><div><h1>" + Escape(result.Name) + "</h1>\n<p class=\"soft\" style=\"margin:0\">" + EyeText(result) +
         "</p></div>\n<div><p style=\"text-align:right;margin:0 0 6px\">" + StatusChip(result) +
         "</p><div class=\"research\">Research use. Measurements, not a diagnosis.</div></div></header>\n";
}

std::string Footer(const FundusResult & result)
{
  std::string html = "<footer>\n<p><b>How to read.</b> Rays start at the centroid of the disc; &#952; is counted "
                     "from image right, clockwise on the image. Rim/disc is the rim width over the disc diameter "
                     "on the same axis. ";
  html += Calibration(result);
  html += "Absent rim: rim/disc under 0.01. Sectors: Garway-Heath et al. 2000. DDLS: Spaeth et al. 2002.</p>\n";
  html += "<p><b>Made by</b> " + Provenance(result) + "</p>\n";
  if (!result.InputFileName.empty())
  {
    html += "<p>Input: " + Escape(result.InputFileName) + "</p>\n";
  }
  return html + "</footer>\n";
}
} // namespace

std::string ReportHTML(const FundusResult & result)
{
  const RimMeasurements & m = result.Measurements;
  const bool              pictured = result.Photograph.IsNotNull() && result.Photograph->GetImage() != nullptr;
  std::string             body = Header(result) + FlagList(result);

  if (m.Profile.empty())
  {
    if (pictured)
    {
      body += "<figure style=\"max-width:560px;margin-bottom:20px\"><img alt=\"Photograph\" src=\"" +
              HTML::DataURI(FundusOverlay::DrawThumbnail(result, 900), 88) + "\"></figure>\n";
    }
    return HTML::Document(result.Name, body + Footer(result), ReportStyle);
  }

  body += "<div class=\"grid two top\">\n";
  if (pictured)
  {
    body += "<section><figure><img alt=\"Optic disc with contours\" src=\"" +
            HTML::DataURI(FundusOverlay::DrawZoom(result, 720)) +
            "\"><figcaption><span class=\"key\" style=\"border-color:#56b4e9\"></span>disc &nbsp; <span "
            "class=\"key\" style=\"border-color:#f0b428\"></span>cup &nbsp; white bar: narrowest rim; cross: centroid "
            "of the disc</figcaption></figure></section>\n";
  }
  body += "<section><h2>Measurements</h2>\n" + Facts(m);
  if (pictured)
  {
    const auto & disc = *m.DiscCentroid;
    const auto   size = result.Photograph->GetImage()->GetBufferedRegion().GetSize();
    body += "<div class=\"locate\"><img alt=\"Whole photograph\" src=\"" +
            HTML::DataURI(FundusOverlay::DrawThumbnail(result, 260), 85) + "\"><p class=\"soft\" style=\"margin:0\">" +
            "Photograph " + std::to_string(size[0]) + " &#215; " + std::to_string(size[1]) + " px; disc at " +
            FixedText(disc[0], 0) + ", " + FixedText(disc[1], 0) + ".</p></div>\n";
  }
  body += "</section>\n</div>\n";

  body += "<div class=\"grid two plots\">\n<section><h2>Rim around the disc</h2><figure>" + RimPlots::Polar(m) +
          "</figure></section>\n<section><h2>Rim unrolled</h2><figure>" + RimPlots::Unrolled(m) +
          "<figcaption>dashed: mean of the quadrant; circle: narrowest rim/disc ratio</figcaption></figure></section>\n"
          "</div>\n";

  const bool known = m.Eye != EyeSideEnum::Unknown;
  body += "<div class=\"grid two tables\">\n" + SectorTable("Quadrants", known ? m.Quadrants : m.ImageQuadrants, m);
  body += known
            ? SectorTable("Garway-Heath sectors", m.GarwayHeath, m)
            : std::string("<section><h2>Garway-Heath sectors</h2><p class=\"soft\">Empty: the eye is unknown. Give it "
                          "to get nasal and temporal values.</p></section>\n");
  body += "</div>\n" + ClockTable(m) + Footer(result);
  return HTML::Document(result.Name, body, ReportStyle);
}
} // namespace itk
