// SPDX-License-Identifier: Apache-2.0
#include "itkInterEyeComparison.h"

#include "itkCSV.h"
#include "itkFundusOverlay.h"
#include "itkFundusReportParts.h"
#include "itkFundusResultTable.h"
#include "itkHTML.h"
#include "itkNPSNetThrow.h"
#include "itkText.h"
#include "itkRimPlots.h"

#include <cmath>
#include <map>

namespace itk
{
namespace
{
using namespace FundusReportParts;
using Entry = InterEyeComparison::Entry;
using HTML::Escape;

Entry MakeEntry(const std::string &           group,
                const std::string &           name,
                const std::string &           unit,
                const std::optional<double> & right,
                const std::optional<double> & left)
{
  Entry entry{ group, name, unit, right, left, std::nullopt };
  if (right && left)
  {
    entry.Difference = *right - *left;
  }
  return entry;
}

std::optional<double> Divided(const std::optional<double> & value, const std::optional<double> & by)
{
  return value && by && *by > 0.0 ? std::optional<double>(*value / *by) : std::nullopt;
}

std::optional<double> Multiplied(const std::optional<double> & value, const std::optional<double> & by)
{
  return value && by ? std::optional<double>(*value * *by) : std::nullopt;
}

void CompareSectors(std::vector<Entry> &                         entries,
                    const std::string &                          group,
                    const RimMeasurements &                      right,
                    const RimMeasurements &                      left,
                    const std::vector<RimMeasurements::Sector> & rightSectors,
                    const std::vector<RimMeasurements::Sector> & leftSectors)
{
  for (std::size_t k = 0; k < rightSectors.size() && k < leftSectors.size(); ++k)
  {
    entries.push_back(MakeEntry(group,
                                rightSectors[k].Name,
                                "norm",
                                Divided(rightSectors[k].RimWidth, right.EquivalentDiscRadius),
                                Divided(leftSectors[k].RimWidth, left.EquivalentDiscRadius)));
  }
}

/** The left eye's hours in the order of the right eye's: h <-> 12 - h. */
std::vector<RimMeasurements::Sector> Mirrored(const std::vector<RimMeasurements::Sector> & hours)
{
  std::vector<RimMeasurements::Sector> mirrored;
  for (std::size_t hour = 1; hour <= hours.size(); ++hour)
  {
    mirrored.push_back(hours[(hour == 12 ? 12 : 12 - hour) - 1]);
  }
  return mirrored;
}

/** The table's name of an entry as the report writes it. */
std::string Title(const Entry & entry)
{
  static const std::map<std::string, std::string> titles = {
    { "vcdr", "Vertical C/D" },
    { "hcdr", "Horizontal C/D" },
    { "acdr", "Area C/D" },
    { "min_rim_to_disc", "Narrowest rim/disc ratio" },
    { "disc_ovality", "Disc ovality" },
    { "disc_torsion", "Disc torsion, &#176;" },
    { "disc_height", "Disc height, &#181;m" },
  };
  const auto found = titles.find(entry.Name);
  return found != titles.end() ? found->second : SectorTitle(entry.Name);
}

std::string CellOf(const std::optional<double> & value, const std::string & unit)
{
  return value ? "<td>" + FixedText(*value, unit == "um" || unit == "deg" ? 0 : 2) + "</td>"
               : "<td class=\"none\">&#8211;</td>";
}
} // namespace

InterEyeComparison InterEyeComparison::Compute(const RimMeasurements & right, const RimMeasurements & left)
{
  if (right.Eye != EyeSideEnum::OD || left.Eye != EyeSideEnum::OS)
  {
    npsnetThrow("Comparing two eyes needs a right (OD) and a left (OS) one: say which eye each photograph shows.");
  }
  InterEyeComparison comparison;
  auto &             entries = comparison.Entries;
  entries.push_back(MakeEntry("ratio", "vcdr", "ratio", right.VerticalCupToDiscRatio, left.VerticalCupToDiscRatio));
  entries.push_back(MakeEntry("ratio", "hcdr", "ratio", right.HorizontalCupToDiscRatio, left.HorizontalCupToDiscRatio));
  entries.push_back(MakeEntry("ratio", "acdr", "ratio", right.AreaCupToDiscRatio, left.AreaCupToDiscRatio));
  entries.push_back(
    MakeEntry("ratio", "min_rim_to_disc", "ratio", right.MinimumRimToDiscRatio, left.MinimumRimToDiscRatio));
  entries.push_back(MakeEntry("disc", "disc_ovality", "ratio", right.DiscOvality, left.DiscOvality));
  entries.push_back(MakeEntry("disc", "disc_torsion", "deg", right.DiscTorsion, left.DiscTorsion));
  entries.push_back(MakeEntry("disc",
                              "disc_height",
                              "um",
                              Multiplied(right.DiscHeight, right.MicrometersPerPixel),
                              Multiplied(left.DiscHeight, left.MicrometersPerPixel)));
  CompareSectors(entries, "quadrant", right, left, right.Quadrants, left.Quadrants);
  CompareSectors(entries, "garway_heath", right, left, right.GarwayHeath, left.GarwayHeath);
  CompareSectors(entries, "clock_hour", right, left, right.ClockHours, Mirrored(left.ClockHours));

  if (entries.front().Difference)
  {
    comparison.VerticalCDRAsymmetric = std::abs(*entries.front().Difference) >= 0.2 - 1e-9;
  }
  if (!right.Profile.empty() && !left.Profile.empty())
  {
    double sum = 0.0;
    double largest = 0.0;
    for (int phi = 0; phi < 360; ++phi)
    {
      const double difference =
        right.Profile[static_cast<std::size_t>((180 + phi) % 360)].RimWidth / *right.EquivalentDiscRadius -
        left.Profile[static_cast<std::size_t>((360 - phi) % 360)].RimWidth / *left.EquivalentDiscRadius;
      sum += std::abs(difference);
      if (phi == 0 || std::abs(difference) > std::abs(largest))
      {
        largest = difference;
        comparison.LargestRimAsymmetryPhi = phi;
      }
    }
    comparison.MeanAbsoluteRimAsymmetry = sum / 360.0;
    comparison.LargestRimAsymmetry = largest;
  }
  return comparison;
}

std::string InterEyeComparison::ToCSV() const
{
  std::string text = ToCSVLine({ "group", "name", "unit", "od", "os", "difference" });
  for (const Entry & entry : Entries)
  {
    text += ToCSVLine({ entry.Group,
                        entry.Name,
                        entry.Unit,
                        NumberText(entry.Right),
                        NumberText(entry.Left),
                        NumberText(entry.Difference) });
  }
  return text;
}

std::string InterEyeComparison::ToHTML(const FundusResult & right, const FundusResult & left)
{
  const auto  comparison = InterEyeComparison::Compute(right.Measurements, left.Measurements);
  std::string body = "<header><div><h1>" + Escape(right.Name) + " / " + Escape(left.Name) +
                     "</h1><p class=\"soft\" style=\"margin:0\">Right and left eye</p></div>"
                     "<div class=\"research\">Research use. Measurements, not a diagnosis.</div></header>\n";
  body += "<div class=\"grid two eyes\">\n";
  for (const FundusResult * result : { &right, &left })
  {
    const bool pictured = result->Photograph.IsNotNull() && result->Photograph->GetImage() != nullptr;
    body += "<section><h2>" + EyeText(*result) + "</h2>" +
            (pictured ? "<figure><img alt=\"\" src=\"" + HTML::DataURI(FundusOverlay::DrawZoom(*result, 560), 90) +
                          "\"></figure>"
                      : "") +
            "<p style=\"margin:8px 0\">" + StatusChip(*result) + "</p>" + FlagList(*result) + "</section>\n";
  }
  body +=
    "</div>\n<section style=\"margin-bottom:22px\"><h2>Rim unrolled</h2><figure style=\"max-width:760px\">" +
    RimPlots::BothEyes(right.Measurements, left.Measurements) +
    "<figcaption>solid: right eye; dashed: left eye; rim width over the equivalent disc radius</figcaption></figure>";
  if (comparison.MeanAbsoluteRimAsymmetry)
  {
    body += "<p>Mean rim asymmetry " + FixedText(*comparison.MeanAbsoluteRimAsymmetry, 3) + ", largest " +
            FixedText(*comparison.LargestRimAsymmetry, 3) + " at " + FixedText(*comparison.LargestRimAsymmetryPhi, 0) +
            "&#176; from temporal through superior.</p>";
  }
  body += "</section>\n";
  const std::vector<std::pair<std::string, std::string>> groups = { { "ratio", "Ratios" },
                                                                    { "disc", "Disc" },
                                                                    { "quadrant", "Quadrants, rim width (norm)" },
                                                                    { "garway_heath",
                                                                      "Garway-Heath sectors, rim width (norm)" } };
  body += "<div class=\"grid two\">\n";
  for (const auto & [group, title] : groups)
  {
    body += "<section><h2>" + title + "</h2><table><tr><th></th><th>OD</th><th>OS</th><th>OD &#8722; OS</th></tr>\n";
    for (const Entry & entry : comparison.Entries)
    {
      if (entry.Group == group)
      {
        const bool marked = entry.Name == "vcdr" && comparison.VerticalCDRAsymmetric.value_or(false);
        body += "<tr><td>" + Title(entry) + (marked ? " <span class=\"chip warn\">0.2 or more</span>" : "") + "</td>" +
                CellOf(entry.Right, entry.Unit) + CellOf(entry.Left, entry.Unit) +
                CellOf(entry.Difference, entry.Unit) + "</tr>\n";
      }
    }
    body += "</table></section>\n";
  }
  body += "</div>\n<footer><p><b>How to read.</b> Widths are divided by the equivalent disc radius of their own eye; "
          "directions are compared as the eyes see them (temporal with temporal).</p>\n";
  for (const FundusResult * result : { &right, &left })
  {
    body += "<p><b>" + Escape(result->Name) + "</b>: " + EyeText(*result) + ". " + Calibration(*result) + "Made by " +
            Provenance(*result) + "</p>\n";
  }
  body += "</footer>\n";
  return HTML::Document(right.Name + " / " + left.Name, body, "@media print{.eyes figure{max-width:250px}}");
}
} // namespace itk
