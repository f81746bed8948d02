#include "qNPSNetReport.h"

#include "qNPSNetResultsWidget.h"
#include "qNPSNetRimPlotWidget.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QDateTime>
#include <QSaveFile>

#include <cmath>

namespace
{
QString translated(const char* sentence)
{
  return QCoreApplication::translate("qNPSNetReport", sentence);
}

QString picture(const QImage& image, const QString& alt)
{
  if (image.isNull())
  {
    return QString();
  }
  QByteArray bytes;
  QBuffer buffer(&bytes);
  image.save(&buffer, "PNG");
  return QString("<img alt=\"%1\" src=\"data:image/png;base64,%2\">\n")
    .arg(alt.toHtmlEscaped(), QString::fromLatin1(bytes.toBase64()));
}

QString row(const QStringList& cells, const char* tag)
{
  QString html = "<tr>";
  for (const QString& cell : cells)
  {
    html += QString("<%1>%2</%1>").arg(tag, cell.toHtmlEscaped());
  }
  return html + "</tr>\n";
}

QString number(double value, int decimals)
{
  return std::isfinite(value) ? QString::number(value, 'f', decimals) : QString::fromUtf8("–");
}
} // namespace

QString qNPSNetReport::html() const
{
  const qNPSNetResults& r = this->Results;
  qNPSNetRimPlotWidget plot;
  plot.resize(720, 320);
  plot.setResults(r);

  QString page = QString("<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>%1</title>\n"
                         "<style>body{font-family:sans-serif;max-width:60em;margin:2em auto;padding:0 1em}"
                         "img{max-width:100%}table{border-collapse:collapse;margin:1em 0}"
                         "td,th{border-bottom:1px solid #ccc;padding:.2em .8em;text-align:left}"
                         ".note{border-left:4px solid #D55E00;padding:.4em 1em}</style></head><body>\n")
                   .arg(r.Name.toHtmlEscaped());
  page += QString("<h1>%1</h1>\n").arg(r.Name.toHtmlEscaped());
  page += QString("<p class=\"note\">%1</p>\n").arg(translated("Measurements for research use, not a diagnosis."));
  page +=
    QString("<p>%1</p>\n")
      .arg(translated("Vertical cup-to-disc ratio %1, horizontal %2, area %3. State of the segments: %4. Written %5.")
             .arg(qNPSNetResultsWidget::formatRatio(r.VerticalCDR), qNPSNetResultsWidget::formatRatio(r.HorizontalCDR),
               qNPSNetResultsWidget::formatRatio(r.AreaCDR), r.State.toHtmlEscaped(),
               QDateTime::currentDateTime().toString(Qt::ISODate)));
  if (!r.Flags.isEmpty())
  {
    page += "<ul>\n";
    for (const qNPSNetResults::Flag& flag : r.Flags)
    {
      page += QString("<li>%1</li>\n").arg(flag.Text.toHtmlEscaped());
    }
    page += "</ul>\n";
  }
  page += picture(this->Photo, translated("Photo with the outlines of disc and cup"));
  page += picture(plot.grab().toImage(), translated("Rim width, disc and cup radius around the disc"));
  page += "<table>\n" + row({translated("Quadrant"), translated("Rim width (%1)").arg(r.LengthUnit),
                              translated("Rim/disc"), translated("Least rim/disc")},
                          "th");
  for (const qNPSNetResults::Sector& sector : r.Quadrants)
  {
    page += row(
      {sector.Name, number(sector.RimWidth, 1), number(sector.RimToDisc, 3), number(sector.MinimumRimToDisc, 3)}, "td");
  }
  page += "</table>\n<table>\n" + row({translated("Measurement"), translated("Value"), translated("Unit")}, "th");
  for (const QStringList& cells : this->Summary)
  {
    page += row(cells, "td");
  }
  return page + "</table>\n</body></html>\n";
}

bool qNPSNetReport::write(const QString& fileName, QString* error) const
{
  QSaveFile file(fileName);
  const bool good = file.open(QIODevice::WriteOnly) && file.write(this->html().toUtf8()) >= 0 && file.commit();
  if (!good && error)
  {
    *error = translated("The report \"%1\" cannot be written: %2.").arg(fileName, file.errorString());
  }
  return good;
}
