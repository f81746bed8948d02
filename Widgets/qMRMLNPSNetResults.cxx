// SPDX-License-Identifier: Apache-2.0
#include "qMRMLNPSNetResults.h"

#include "vtkMRMLNPSNetParameterNode.h"

#include <vtkMRMLTableNode.h>

#include <vtkDataArray.h>
#include <vtkStringArray.h>
#include <vtkTable.h>

#include <QCoreApplication>
#include <QMap>

#include <algorithm>
#include <cmath>
#include <limits>

namespace
{
/// The context of the translations.
struct Text
{
  Q_DECLARE_TR_FUNCTIONS(qMRMLNPSNetResults)
};

QVector<double> column(vtkTable* table, const char* name)
{
  QVector<double> values;
  auto* array = vtkDataArray::SafeDownCast(table->GetColumnByName(name));
  for (vtkIdType i = 0; array && i < array->GetNumberOfTuples(); ++i)
  {
    values << array->GetTuple1(i);
  }
  return values;
}

QMap<QString, QString> summaryValues(vtkMRMLTableNode* node)
{
  QMap<QString, QString> values;
  vtkTable* table = node ? node->GetTable() : nullptr;
  if (!table || !table->GetColumnByName("key") || !table->GetColumnByName("value"))
  {
    return values;
  }
  for (vtkIdType row = 0; row < table->GetNumberOfRows(); ++row)
  {
    values.insert(QString::fromStdString(table->GetValueByName(row, "key").ToString()),
      QString::fromStdString(table->GetValueByName(row, "value").ToString()));
  }
  return values;
}

double number(const QMap<QString, QString>& values, const QString& key)
{
  bool good = false;
  const double value = values.value(key).toDouble(&good);
  return good ? value : qNPSNetResults::Unknown;
}

/// Of itk::RimQualityFlagEnum; an identifier that is not known yet is shown as it is.
QString flagSentence(const QString& flag)
{
  static const QMap<QString, const char*> sentences = {
    {"empty_disc", QT_TRANSLATE_NOOP("qMRMLNPSNetResults", "No optic disc was found.")},
    {"empty_cup", QT_TRANSLATE_NOOP("qMRMLNPSNetResults", "No cup was found.")},
    {"low_confidence", QT_TRANSLATE_NOOP("qMRMLNPSNetResults", "The network is not confident here: look twice.")},
    {"boundary_touches_crop",
      QT_TRANSLATE_NOOP("qMRMLNPSNetResults", "The disc reaches the edge of the crop: give a centre.")},
    {"disc_leaves_photo", QT_TRANSLATE_NOOP("qMRMLNPSNetResults", "The disc leaves the photo.")},
    {"irregular_boundary",
      QT_TRANSLATE_NOOP("qMRMLNPSNetResults", "The disc's outline is unusually wavy: is it an optic disc?")},
    {"uncertain_location", QT_TRANSLATE_NOOP("qMRMLNPSNetResults",
                             "The disc was found without certainty: check its place or give a centre.")},
    {"implausible_size", QT_TRANSLATE_NOOP("qMRMLNPSNetResults", "The disc has an implausible size.")},
    {"cup_outside_disc", QT_TRANSLATE_NOOP("qMRMLNPSNetResults", "The cup is not inside the disc.")},
    {"not_star_convex",
      QT_TRANSLATE_NOOP("qMRMLNPSNetResults", "A boundary crosses a ray twice; the outermost crossing is measured.")},
  };
  return sentences.contains(flag) ? Text::tr(sentences.value(flag)) : QString(flag).replace('_', ' ');
}

QVector<qNPSNetResults::Sector> quadrants(
  vtkTable* table, const QVector<double>& widths, const QMap<QString, QString>& summary, double scale)
{
  QVector<qNPSNetResults::Sector> sectors;
  auto* names = vtkStringArray::SafeDownCast(table->GetColumnByName("quadrant"));
  const QVector<double> ratios = column(table, "rim_to_disc");
  if (!names || ratios.size() != widths.size() || names->GetNumberOfValues() != widths.size())
  {
    return sectors;
  }
  struct Sum
  {
    double Width{0.0};
    double Ratio{0.0};
    double Least{std::numeric_limits<double>::infinity()};
    int Count{0};
  };
  QMap<QString, Sum> sums;
  for (int i = 0; i < widths.size(); ++i)
  {
    Sum& sum = sums[QString::fromStdString(names->GetValue(i))];
    sum.Width += widths[i];
    sum.Ratio += ratios[i];
    sum.Least = std::min(sum.Least, ratios[i]);
    ++sum.Count;
  }
  // In the order of the ISNT rule; the sides of the image when the eye is unknown.
  static const QVector<QPair<QString, const char*>> order = {
    {"I", QT_TRANSLATE_NOOP("qMRMLNPSNetResults", "Inferior")},
    {"inferior", QT_TRANSLATE_NOOP("qMRMLNPSNetResults", "Inferior")},
    {"S", QT_TRANSLATE_NOOP("qMRMLNPSNetResults", "Superior")},
    {"superior", QT_TRANSLATE_NOOP("qMRMLNPSNetResults", "Superior")},
    {"N", QT_TRANSLATE_NOOP("qMRMLNPSNetResults", "Nasal")},
    {"T", QT_TRANSLATE_NOOP("qMRMLNPSNetResults", "Temporal")},
    {"left", QT_TRANSLATE_NOOP("qMRMLNPSNetResults", "Left in image")},
    {"right", QT_TRANSLATE_NOOP("qMRMLNPSNetResults", "Right in image")},
  };
  for (const auto& entry : order)
  {
    const auto sum = sums.constFind(entry.first);
    if (sum != sums.cend())
    {
      qNPSNetResults::Sector sector;
      sector.Name = Text::tr(entry.second);
      sector.RimWidth = sum->Width / sum->Count;
      sector.RimToDisc = sum->Ratio / sum->Count;
      sector.MinimumRimToDisc = sum->Least;
      // The summary's means weigh the rays on the border of two quadrants; the table of rays cannot.
      const double mean = number(summary, "rim_" + entry.first.left(1).toUpper() + "_px");
      if (std::isfinite(mean))
      {
        sector.RimWidth = mean * scale;
      }
      sectors << sector;
    }
  }
  return sectors;
}
} // namespace

qNPSNetResults qMRMLNPSNetResults(vtkMRMLNPSNetParameterNode* parameters)
{
  qNPSNetResults results;
  vtkMRMLTableNode* rimNode = parameters ? parameters->GetRimTableNode() : nullptr;
  vtkTable* rim = rimNode ? rimNode->GetTable() : nullptr;
  if (!rim)
  {
    return results;
  }
  const bool calibrated = rim->GetColumnByName("rim_width_um") != nullptr;
  results.LengthUnit = calibrated ? QString::fromUtf8("µm") : QString("px");
  const double scale =
    calibrated && parameters->GetMicrometersPerPixel() > 0.0 ? parameters->GetMicrometersPerPixel() : 1.0;
  results.RimWidth = column(rim, calibrated ? "rim_width_um" : "rim_width_px");
  results.DiscRadius = column(rim, calibrated ? "disc_radius_um" : "disc_radius_px");
  results.CupRadius = column(rim, calibrated ? "cup_radius_um" : "cup_radius_px");
  results.ComparisonRimWidth = column(rim, "expert_rim_width_px");
  for (double& width : results.ComparisonRimWidth)
  {
    width *= scale;
  }
  results.Valid = std::any_of(results.DiscRadius.cbegin(), results.DiscRadius.cend(), [](double r) { return r > 0.0; });
  results.State = QString::fromUtf8(rimNode->GetAttribute("NPSNet.State"));
  const QMap<QString, QString> summary = summaryValues(parameters->GetSummaryTableNode());
  results.Quadrants = quadrants(rim, results.RimWidth, summary, scale);
  results.VerticalCDR = number(summary, "vcdr");
  results.HorizontalCDR = number(summary, "hcdr");
  results.AreaCDR = number(summary, "acdr");
  results.Name = summary.value("name");
  const QString eye = summary.value("eye");
  results.Eye = eye == "OD" || eye == "OS" ? eye : QString();

  const auto warn = [&](const QString& sentence) {
    results.Flags << qNPSNetResults::Flag{sentence, qNPSNetResults::Warning};
  };
  const auto inform = [&](const QString& sentence) {
    results.Flags << qNPSNetResults::Flag{sentence, qNPSNetResults::Information};
  };
  for (const QString& flag : summary.value("flags").split(' ', Qt::SkipEmptyParts))
  {
    warn(flagSentence(flag));
  }
  const auto isFalse = [&](const QString& key) {
    return QStringList{"no", "false", "0"}.contains(summary.value(key).toLower());
  };
  const auto isTrue = [&](const QString& key) {
    return QStringList{"yes", "true", "1"}.contains(summary.value(key).toLower());
  };
  if (isFalse("isnt"))
  {
    const QString pairs = summary.value("isnt_violated").simplified().replace(' ', ", ");
    inform(pairs.isEmpty() ? Text::tr("The ISNT order of the rim widths is not obeyed.")
                           : Text::tr("ISNT order not obeyed: %1.").arg(pairs));
  }
  if (isTrue("notch"))
  {
    warn(Text::tr("A notch: the rim is at most a tenth of the disc near the superior or inferior pole."));
  }
  if (!summary.value("ddls").isEmpty())
  {
    inform(Text::tr("Disc damage likelihood scale: stage %1.").arg(summary.value("ddls")));
  }
  if (results.Eye.isEmpty() && results.Valid)
  {
    inform(Text::tr("Eye unknown: choose it to get nasal and temporal values."));
  }
  return results;
}
