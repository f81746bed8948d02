// SPDX-License-Identifier: Apache-2.0
#include "itkCanvas.h"
#include "itkEvaluationPlots.h"
#include "itkEvaluationStatistics.h"
#include "itkFundusOverlay.h"
#include "itkPalette.h"
#include "itkFundusPhotographReader.h"
#include "itkFundusRegionOfInterestImageFilter.h"
#include "itkHTML.h"
#include "itkNPSNetVersion.h"
#include "itkNestedPolarBoundaryToLabelImageFilter.h"
#include "itkText.h"
#include "itkOpticDiscEvaluation.h"
#include "itkRadialContour.h"

#include <algorithm>
#include <cmath>

namespace itk
{
namespace
{
using HTML::Escape;
using LabelImageType = OpticDiscEvaluation::LabelImageType;
using Row = OpticDiscEvaluation::Row;
using ColorImageType = FundusPhotograph::ImageType;

const char * const PageStyle = R"(
.three{grid-template-columns:1fr 1fr 1fr}
.cases figure{margin-bottom:8px}
.cases h3{font-size:14px;margin:0 0 6px;overflow-wrap:anywhere}
td:first-child{white-space:nowrap}
@media screen and (max-width:760px){.three{grid-template-columns:1fr}}
)";

struct MetricTitle
{
  const char * Name;
  const char * Title;
  int          Decimals;
};

const std::vector<MetricTitle> Titles = { { "disc_dice", "Disc Dice", 4 },
                                          { "cup_dice", "Cup Dice", 4 },
                                          { "disc_hd95", "Disc HD95, px (authors&#8217; kind)", 2 },
                                          { "cup_hd95", "Cup HD95, px (authors&#8217; kind)", 2 },
                                          { "disc_hd95_surface", "Disc HD95, px (surface)", 2 },
                                          { "cup_hd95_surface", "Cup HD95, px (surface)", 2 },
                                          { "vcdr_mae", "vCDR MAE", 4 },
                                          { "acdr_mae", "Area CDR MAE", 4 },
                                          { "rim_mae", "Rim MAE", 4 },
                                          { "rim_corr", "Rim correlation", 4 },
                                          { "validity", "Validity", 4 } };

std::vector<double> Values(const std::vector<const Row *> & rows, const std::string & metric)
{
  std::vector<double> values;
  for (const Row * row : rows)
  {
    for (const auto & [name, value] : row->ToList())
    {
      if (name == metric && value)
      {
        values.push_back(*value);
      }
    }
  }
  return values;
}

std::string MainTable(const std::vector<const Row *> & rows, unsigned int seed)
{
  std::string html = "<table>\n<tr><th>Metric</th><th>Mean</th><th>SD</th><th>95 % interval</th><th>n</th></tr>\n";
  for (const auto & metric : Titles)
  {
    const auto summary = EvaluationStatistics::Summarize(Values(rows, metric.Name), seed);
    html += std::string("<tr><td>") + metric.Title + "</td>";
    if (summary)
    {
      html += "<td><b>" + FixedText(summary->Mean, metric.Decimals) + "</b></td><td>" +
              (summary->SD ? FixedText(*summary->SD, metric.Decimals) : "&#8211;") + "</td><td>" +
              FixedText(summary->Low, metric.Decimals) + " &#8211; " + FixedText(summary->High, metric.Decimals) +
              "</td><td>" + std::to_string(summary->N) + "</td></tr>\n";
    }
    else
    {
      html += "<td class=\"none\">&#8211;</td><td class=\"none\">&#8211;</td><td "
              "class=\"none\">&#8211;</td><td>0</td></tr>\n";
    }
  }
  return html + "</table>\n";
}

std::string GroupTable(const std::string & title, const std::map<std::string, std::vector<const Row *>> & groups)
{
  if (groups.empty())
  {
    return {};
  }
  std::string html = "<section style=\"margin-bottom:22px\"><h2>" + title +
                     "</h2><table>\n<tr><th>Group</th><th>n</th><th>Disc Dice</th><th>Cup Dice</th><th>vCDR MAE</th>"
                     "<th>Rim MAE</th><th>Rim corr.</th><th>Validity</th></tr>\n";
  for (const auto & [name, rows] : groups)
  {
    html += "<tr><td>" + Escape(name) + "</td><td>" + std::to_string(rows.size()) + "</td>";
    for (const char * metric : { "disc_dice", "cup_dice", "vcdr_mae", "rim_mae", "rim_corr", "validity" })
    {
      const auto values = Values(rows, metric);
      html += values.empty() ? "<td class=\"none\">&#8211;</td>"
                             : "<td>" + FixedText(EvaluationStatistics::Mean(values), 3) + "</td>";
    }
    html += "</tr>\n";
  }
  return html + "</table></section>\n";
}

/** One photograph again on its paper crop: picture and rim profiles. */
struct Case
{
  ColorImageType::Pointer Picture;
  std::vector<double>     TrueRim;
  std::vector<double>     Rim;
};

void DrawLabels(Canvas & canvas, const LabelImageType * labels, unsigned char least, const Canvas::Pen & pen)
{
  const auto                 size = labels->GetBufferedRegion().GetSize();
  std::vector<unsigned char> mask(size[0] * size[1]);
  std::transform(labels->GetBufferPointer(),
                 labels->GetBufferPointer() + mask.size(),
                 mask.begin(),
                 [least](unsigned char label) { return label >= least ? 1 : 0; });
  const RadialContour           contour = RadialContour::FromMask(mask, size[0], size[1], { { 1.0, 1.0 } });
  std::vector<Canvas::LineType> lines;
  for (const auto & segment : contour.GetSegments())
  {
    lines.push_back({ { segment.A, segment.B } });
  }
  canvas.DrawLines(lines, pen);
}

std::vector<double> RimOf(const LabelImageType * labels)
{
  const auto cup = LabelImageType::New();
  cup->SetRegions(labels->GetBufferedRegion());
  cup->Allocate();
  std::transform(labels->GetBufferPointer(),
                 labels->GetBufferPointer() + labels->GetBufferedRegion().GetNumberOfPixels(),
                 cup->GetBufferPointer(),
                 [](unsigned char label) { return label == 2 ? 1 : 0; });
  auto       rim = OpticDiscMetrics::RadialProfile(labels);
  const auto inner = OpticDiscMetrics::RadialProfile(cup);
  std::transform(rim.begin(), rim.end(), inner.begin(), rim.begin(), std::minus<double>());
  return rim;
}

template <typename TImage>
typename TImage::Pointer Crop(const TImage * image, const FundusResult::Crop & crop, bool nearest)
{
  const auto                 filter = FundusRegionOfInterestImageFilter<TImage>::New();
  typename TImage::PointType center;
  image->TransformContinuousIndexToPhysicalPoint(crop.Center, center);
  filter->SetInput(image);
  filter->SetCenter(center);
  filter->SetSide(crop.Side);
  filter->SetNumberOfPixels(crop.Size);
  filter->SetNearestNeighbor(nearest);
  filter->Update();
  return filter->GetOutput();
}

Case MakeCase(const Row & row)
{
  const auto reader = FundusPhotographReader::New();
  reader->SetFileName(row.Source.ImageFile);
  reader->Update();
  const auto truth = OpticDiscEvaluation::ReadMask(row.Source.MaskFile, reader->GetPhotograph());
  const auto crop = OpticDiscEvaluation::MakePaperCrop(truth);
  const auto trueCrop = Crop<LabelImageType>(truth, *crop, true);

  LabelImageType::ConstPointer labels = row.CropLabels;
  if (row.Boundary.IsNotNull())
  {
    const auto filter = NestedPolarBoundaryToLabelImageFilter::New();
    filter->SetBoundary(row.Boundary);
    filter->SetReferenceImage(trueCrop);
    filter->Update();
    labels = filter->GetOutput();
  }

  Case result;
  result.Picture = Crop<ColorImageType>(reader->GetPhotograph()->GetImage(), *crop, false);
  Canvas      canvas(result.Picture);
  Canvas::Pen pen;
  pen.Width = 1.6;
  pen.Halo = 0.8;
  DrawLabels(canvas, trueCrop, 1, pen);
  DrawLabels(canvas, trueCrop, 2, pen);
  result.TrueRim = RimOf(trueCrop);
  if (labels.IsNotNull())
  {
    pen.Width = 2.4;
    pen.Color = Palette::DiscContour;
    DrawLabels(canvas, labels, 1, pen);
    pen.Color = Palette::CupContour;
    DrawLabels(canvas, labels, 2, pen);
    result.Rim = RimOf(labels);
  }
  return result;
}

std::string CaseFigure(const std::string & title, const Row & row)
{
  std::string html = "<section><h3>" + title + ": " + Escape(row.Source.Name) + "</h3>\n";
  try
  {
    const Case shown = MakeCase(row);
    html += "<figure><img alt=\"\" src=\"" + HTML::DataURI(shown.Picture, 85) + "\"></figure>\n<figure>" +
            EvaluationPlots::RimProfiles(shown.TrueRim, shown.Rim) + "</figure>\n";
  }
  catch (const std::exception &)
  {
    html += row.Metrics ? "<p class=\"soft\">The photograph cannot be read again.</p>\n" : "";
  }
  html += row.Metrics ? "<p class=\"soft\">Cup Dice " + FixedText(row.Metrics->Cup.Dice, 3) + ", disc Dice " +
                          FixedText(row.Metrics->Disc.Dice, 3) +
                          (row.Metrics->VerticalCDR && row.Metrics->TrueVerticalCDR
                             ? ", vCDR " + FixedText(*row.Metrics->VerticalCDR, 2) + " (true " +
                                 FixedText(*row.Metrics->TrueVerticalCDR, 2) + ")"
                             : "") +
                          "</p>"
                      : "<p class=\"soft\">Nothing segmented: " + Escape(row.Message) + "</p>";
  return html + "</section>\n";
}
} // namespace

std::string OpticDiscEvaluation::ToHTML() const
{
  std::vector<const Row *>                        counted;
  std::map<std::string, std::vector<const Row *>> bySet;
  std::map<std::string, std::vector<const Row *>> byLabel;
  std::vector<double>                             truth;
  std::vector<double>                             predicted;
  std::vector<std::string>                        names;
  std::string                                     troubles;
  for (const Row & row : m_Rows)
  {
    if (!row.HasTruth || !row.Metrics)
    {
      troubles += "<li>" + Escape(row.Source.Name) + ": " + Escape(row.Message) + "</li>\n";
    }
    if (!row.HasTruth)
    {
      continue;
    }
    counted.push_back(&row);
    if (!row.Source.Set.empty())
    {
      bySet[row.Source.Set].push_back(&row);
    }
    if (!row.Source.Label.empty())
    {
      byLabel[row.Source.Label].push_back(&row);
    }
    if (row.Metrics && row.Metrics->VerticalCDR && row.Metrics->TrueVerticalCDR)
    {
      truth.push_back(*row.Metrics->TrueVerticalCDR);
      predicted.push_back(*row.Metrics->VerticalCDR);
      names.push_back(row.Source.Name);
    }
  }

  std::string body = "<header><div><h1>Evaluation</h1><p class=\"soft\" style=\"margin:0\">" +
                     std::to_string(counted.size()) + (counted.size() == 1 ? " photograph" : " photographs") +
                     ", protocol " + ProtocolToString(m_Protocol) +
                     (m_TTAMode.empty() ? "" : ", TTA " + Escape(m_TTAMode)) +
                     (m_Model.IsKnown() ? ", model " + Escape(m_Model.Name + " " + m_Model.Version) : "") +
                     "</p></div><div class=\"research\">Research use. Measurements, not a diagnosis.</div></header>\n";
  const RowCounts counts = this->CountRows();
  if (!troubles.empty())
  {
    body += "<section class=\"flags\"><h2>Look twice</h2><p>Of " + std::to_string(m_Rows.size()) +
            " rows: not segmented " + std::to_string(counts.NotSegmented) +
            " (Dice 0, validity 0); photographs missing " + std::to_string(counts.MissingImages) + ", masks unusable " +
            std::to_string(counts.UnusableMasks) + " (counted nowhere). The list below says why.</p></section>\n";
  }
  body += "<section style=\"margin-bottom:22px\"><h2>Metrics</h2>" + MainTable(counted, m_Seed) + "</section>\n";
  body += "<div class=\"grid two\"><section><h2>vCDR: predicted against true</h2><figure>" +
          EvaluationPlots::Scatter(truth, predicted, names) +
          "</figure></section>\n<section><h2>vCDR: Bland&#8211;Altman</h2>" + "<figure>" +
          EvaluationPlots::BlandAltman(truth, predicted, names) +
          "<figcaption>Line: bias; dashed: 95 % limits of agreement.</figcaption></figure></section></div>\n";
  body += GroupTable("By set", bySet) + GroupTable("By label", byLabel);

  const auto score = [](const Row * row) {
    return row->Metrics ? row->Metrics->Cup.Dice + row->Metrics->Disc.Dice : -1.0;
  };
  std::vector<const Row *> ranked = counted;
  std::stable_sort(
    ranked.begin(), ranked.end(), [&score](const Row * a, const Row * b) { return score(a) > score(b); });
  if (!ranked.empty() && ranked.front()->Metrics)
  {
    body +=
      "<section><h2>Best, median, worst (disc and cup Dice)</h2></section>\n<div class=\"grid three cases\">\n" +
      CaseFigure("Best", *ranked.front()) + CaseFigure("Median", *ranked[ranked.size() / 2]) +
      CaseFigure(counts.NotSegmented > 1 ? "Worst (one of " + std::to_string(counts.NotSegmented) + " not segmented)"
                                         : std::string("Worst"),
                 *ranked.back()) +
      "</div>\n<p class=\"soft\">White: expert; blue: disc; orange: cup. Rim profile about the centre of the "
      "crop: grey "
      "expert, blue predicted.</p>\n";
  }
  if (!troubles.empty())
  {
    body += "<section style=\"margin-bottom:22px\"><h2>Not segmented or not comparable</h2><ul>\n" + troubles +
            "</ul></section>\n";
  }
  body += "<footer><p>Metrics on the 512 &#215; 512 crop of the paper: side twice the larger side of the true "
          "disc&#8217;s box, "
          "centred on it. HD95 of the authors&#8217; kind takes the distances of all foreground pixels, interior zeros "
          "included; the surface kind only those of the border. SD of the sample; intervals: percentile bootstrap of "
          "the mean, "
          "2000 resamples, seed " +
          std::to_string(m_Seed) + ". A photograph that fails has Dice 0 and validity 0. NPSNetSegmentation " +
          Escape(NPSNetVersion()) + (m_Model.SHA256.empty() ? "" : ", model SHA-256 " + Escape(m_Model.SHA256)) +
          ".</p></footer>\n";
  return HTML::Document("Evaluation", body, PageStyle);
}
} // namespace itk
