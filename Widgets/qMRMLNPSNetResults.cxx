// SPDX-License-Identifier: Apache-2.0
#include "qMRMLNPSNetResults.h"

#include "vtkSlicerNPSNetSegmentationLogic.h"

#include <QCoreApplication>
#include <QMap>

namespace
{
/// The context of the translations.
struct Text
{
  Q_DECLARE_TR_FUNCTIONS(qMRMLNPSNetResults)
};

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
    {"center_off_disc",
      QT_TRANSLATE_NOOP("qMRMLNPSNetResults",
        "These outlines are not where the optic disc is found: check the centre, or find it automatically.")},
    {"implausible_size", QT_TRANSLATE_NOOP("qMRMLNPSNetResults", "The disc has an implausible size.")},
    {"cup_outside_disc", QT_TRANSLATE_NOOP("qMRMLNPSNetResults", "The cup is not inside the disc.")},
    {"not_star_convex",
      QT_TRANSLATE_NOOP("qMRMLNPSNetResults", "A boundary crosses a ray twice; the outermost crossing is measured.")},
  };
  return sentences.contains(flag) ? Text::tr(sentences.value(flag)) : QString(flag).replace('_', ' ');
}

QString quadrantName(const std::string& name)
{
  static const QMap<std::string, const char*> names = {
    {"I", QT_TRANSLATE_NOOP("qMRMLNPSNetResults", "Inferior")},
    {"inferior", QT_TRANSLATE_NOOP("qMRMLNPSNetResults", "Inferior")},
    {"S", QT_TRANSLATE_NOOP("qMRMLNPSNetResults", "Superior")},
    {"superior", QT_TRANSLATE_NOOP("qMRMLNPSNetResults", "Superior")},
    {"N", QT_TRANSLATE_NOOP("qMRMLNPSNetResults", "Nasal")},
    {"T", QT_TRANSLATE_NOOP("qMRMLNPSNetResults", "Temporal")},
    {"left", QT_TRANSLATE_NOOP("qMRMLNPSNetResults", "Left in image")},
    {"right", QT_TRANSLATE_NOOP("qMRMLNPSNetResults", "Right in image")},
  };
  return Text::tr(names.value(name, name.c_str()));
}

QVector<double> vectorOf(const std::vector<double>& values)
{
  return QVector<double>(values.cbegin(), values.cend());
}
} // namespace

qNPSNetResults qMRMLNPSNetResults(vtkSlicerNPSNetSegmentationLogic* logic, vtkMRMLNPSNetParameterNode* parameters)
{
  qNPSNetResults results;
  const NPSNetSummary summary = logic ? logic->GetSummary(parameters) : NPSNetSummary();
  results.Name = QString::fromStdString(summary.Name);
  results.Eye = QString::fromStdString(summary.Eye);
  results.State = QString::fromStdString(summary.State);
  results.Valid = summary.Valid;
  results.LengthUnit = summary.Unit == "um" ? QString::fromUtf8("µm") : QString("px");
  results.VerticalCDR = summary.CupToDisc.Vertical;
  results.HorizontalCDR = summary.CupToDisc.Horizontal;
  results.AreaCDR = summary.CupToDisc.Area;
  results.ExpertVerticalCDR = summary.ExpertCupToDisc.Vertical;
  results.ExpertDiscDice = summary.ExpertDiscDice;
  results.ExpertCupDice = summary.ExpertCupDice;
  results.NarrowestRimToDisc = summary.MinimumRimToDisc;
  results.NarrowestClockHour = summary.MinimumRimClockHour;
  results.NarrowestTheta = summary.MinimumRimTheta;
  results.DiscConfidence = summary.DiscConfidence;
  results.CupConfidence = summary.CupConfidence;
  for (const NPSNetSummary::Sector& sector : summary.GarwayHeath)
  {
    results.GarwayHeath << qNPSNetResults::Sector{
      QString::fromStdString(sector.Name), sector.RimWidth, sector.RimToDisc, sector.MinimumRimToDisc};
  }
  for (const NPSNetSummary::Sector& sector : summary.Quadrants)
  {
    results.Quadrants << qNPSNetResults::Sector{
      quadrantName(sector.Name), sector.RimWidth, sector.RimToDisc, sector.MinimumRimToDisc};
  }
  results.RimWidth = vectorOf(summary.RimWidth);
  results.DiscRadius = vectorOf(summary.DiscRadius);
  results.CupRadius = vectorOf(summary.CupRadius);
  results.ComparisonRimWidth = vectorOf(summary.ExpertRimWidth);

  const auto warn = [&](const QString& sentence) {
    results.Flags << qNPSNetResults::Flag{sentence, qNPSNetResults::Warning};
  };
  const auto inform = [&](const QString& sentence) {
    results.Flags << qNPSNetResults::Flag{sentence, qNPSNetResults::Information};
  };
  for (const std::string& flag : summary.Flags)
  {
    warn(flagSentence(QString::fromStdString(flag)));
  }
  if (!summary.ISNTViolated.empty())
  {
    QStringList pairs;
    for (const auto& pair : summary.ISNTViolated)
    {
      pairs << QString("%1<%2").arg(QString::fromStdString(pair.first), QString::fromStdString(pair.second));
    }
    inform(Text::tr("ISNT order not obeyed: %1.").arg(pairs.join(", ")));
  }
  if (summary.HasNotch)
  {
    warn(Text::tr("A notch: the rim is at most a tenth of the disc near the superior or inferior pole."));
  }
  if (summary.DDLS > 0)
  {
    inform(Text::tr("Disc damage likelihood scale: stage %1.").arg(summary.DDLS));
  }
  if (results.Eye.isEmpty() && results.Valid)
  {
    inform(Text::tr("Eye unknown: choose it to get nasal and temporal values."));
  }
  return results;
}
