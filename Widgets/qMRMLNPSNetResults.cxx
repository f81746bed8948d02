#include "qMRMLNPSNetResults.h"

#include "vtkMRMLNPSNetParameterNode.h"

#include <vtkMRMLTableNode.h>
#include <vtkMRMLVolumeNode.h>

#include <vtkDataArray.h>
#include <vtkStringArray.h>
#include <vtkTable.h>

#include <QCoreApplication>
#include <QMap>

#include <algorithm>
#include <cmath>

namespace
{
QString text(const char* sentence)
{
  return QCoreApplication::translate("qMRMLNPSNetResults", sentence);
}

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

QVector<qNPSNetResults::Sector> quadrants(vtkTable* table, const QVector<double>& widths)
{
  QVector<qNPSNetResults::Sector> sectors;
  auto* names = vtkStringArray::SafeDownCast(table->GetColumnByName("quadrant"));
  const QVector<double> ratios = column(table, "rim_disc_ratio");
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
  for (const QString& name : {"I", "inferior", "S", "superior", "N", "nasal", "left", "T", "temporal", "right"})
  {
    for (auto sum = sums.cbegin(); sum != sums.cend(); ++sum)
    {
      if (sum.key().compare(name, name.size() == 1 ? Qt::CaseSensitive : Qt::CaseInsensitive) != 0)
      {
        continue;
      }
      static const QMap<QString, const char*> full = {{"i", QT_TRANSLATE_NOOP("qMRMLNPSNetResults", "Inferior")},
        {"s", QT_TRANSLATE_NOOP("qMRMLNPSNetResults", "Superior")},
        {"n", QT_TRANSLATE_NOOP("qMRMLNPSNetResults", "Nasal")},
        {"t", QT_TRANSLATE_NOOP("qMRMLNPSNetResults", "Temporal")},
        {"l", QT_TRANSLATE_NOOP("qMRMLNPSNetResults", "Left in image")},
        {"r", QT_TRANSLATE_NOOP("qMRMLNPSNetResults", "Right in image")}};
      qNPSNetResults::Sector sector;
      sector.Name = text(full.value(name.left(1).toLower()));
      sector.RimWidth = sum->Width / sum->Count;
      sector.RimToDisc = sum->Ratio / sum->Count;
      sector.MinimumRimToDisc = sum->Least;
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
  if (vtkMRMLVolumeNode* photo = parameters->GetInputVolumeNode())
  {
    results.Name = QString::fromUtf8(photo->GetName());
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
  results.Quadrants = quadrants(rim, results.RimWidth);

  const QMap<QString, QString> summary = summaryValues(parameters->GetSummaryTableNode());
  results.VerticalCDR = number(summary, "vcdr");
  results.HorizontalCDR = number(summary, "hcdr");
  results.AreaCDR = number(summary, "acdr");
  results.Eye = summary.value("eye");

  const auto warn = [&](const QString& sentence) {
    results.Flags << qNPSNetResults::Flag{sentence, qNPSNetResults::Warning};
  };
  const auto inform = [&](const QString& sentence) {
    results.Flags << qNPSNetResults::Flag{sentence, qNPSNetResults::Information};
  };
  for (const QString& flag : summary.value("flags").split(QRegExp("[;|]"), Qt::SkipEmptyParts))
  {
    warn(flag.trimmed().replace('_', ' '));
  }
  const auto isFalse = [&](const QString& key) {
    return QStringList{"no", "false", "0"}.contains(summary.value(key).toLower());
  };
  const auto isTrue = [&](const QString& key) {
    return QStringList{"yes", "true", "1"}.contains(summary.value(key).toLower());
  };
  if (isFalse("isnt"))
  {
    const QString pairs = summary.value("isnt_violated");
    inform(pairs.isEmpty() ? text("The ISNT order of the rim widths is not obeyed.")
                           : text("ISNT order not obeyed: %1.").arg(pairs));
  }
  if (isTrue("notch"))
  {
    warn(text("A notch: the rim is at most a tenth of the disc near the superior or inferior pole."));
  }
  if (!summary.value("ddls").isEmpty())
  {
    inform(text("Disc damage likelihood scale: stage %1.").arg(summary.value("ddls")));
  }
  if (results.Eye.isEmpty() && results.Valid)
  {
    inform(text("Eye unknown: choose it to get nasal and temporal values."));
  }
  return results;
}
