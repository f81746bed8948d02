// SPDX-License-Identifier: Apache-2.0
#include "qNPSNetResultsWidget.h"
#include "ui_qNPSNetResultsWidget.h"

#include "qNPSNetRimPlotWidget.h"

#include <QHeaderView>

#include <cmath>

namespace
{
const char* const Dash = "–";

QTableWidgetItem* cell(const QString& text, bool number)
{
  auto* item = new QTableWidgetItem(text);
  item->setTextAlignment((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  return item;
}

QString format(double value, int decimals)
{
  return std::isfinite(value) ? QString::number(value, 'f', decimals) : QString(Dash);
}

QString stateText(const QString& state)
{
  if (state == "automatic")
  {
    return qNPSNetResultsWidget::tr("automatic");
  }
  if (state == "edited")
  {
    return qNPSNetResultsWidget::tr("edited");
  }
  if (state == "fitted")
  {
    return qNPSNetResultsWidget::tr("smoothed");
  }
  return state == "imported" ? qNPSNetResultsWidget::tr("imported") : state;
}
} // namespace

qNPSNetResultsWidget::qNPSNetResultsWidget(QWidget* parent)
    : QWidget(parent)
    , ui(new Ui::qNPSNetResultsWidget)
{
  this->ui->setupUi(this);
  QFont large = this->ui->VerticalCDRLabel->font();
  large.setPointSizeF(1.5 * large.pointSizeF());
  large.setBold(true);
  this->ui->VerticalCDRLabel->setFont(large);
  this->ui->QuadrantTable->setColumnCount(4);
  this->ui->QuadrantTable->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  this->ui->QuadrantTable->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
  this->ui->QuadrantTable->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  this->ui->QuadrantTable->verticalHeader()->setDefaultSectionSize(this->fontMetrics().height() + 6);
  // They show what the window shows, which the window tells.
  connect(this->ui->ShowTableButton, &QPushButton::clicked, this,
    [this](bool checked)
    {
      this->ui->ShowTableButton->setChecked(!checked);
      emit this->showTableRequested();
    });
  connect(this->ui->ShowPlotButton, &QPushButton::clicked, this,
    [this](bool checked)
    {
      this->ui->ShowPlotButton->setChecked(!checked);
      emit this->showPlotRequested();
    });
  connect(this->ui->OpenReportButton, &QPushButton::clicked, this, &qNPSNetResultsWidget::openReportRequested);
  connect(this->ui->SaveButton, &QPushButton::clicked, this, &qNPSNetResultsWidget::saveRequested);
  this->setResults(qNPSNetResults());
}

qNPSNetResultsWidget::~qNPSNetResultsWidget() = default;

QString qNPSNetResultsWidget::formatRatio(double value)
{
  return format(value, 2);
}

bool qNPSNetResultsWidget::isCompact() const
{
  return this->ui->DetailsFrame->isHidden();
}

void qNPSNetResultsWidget::setCompact(bool compact)
{
  this->ui->DetailsFrame->setVisible(!compact);
}

bool qNPSNetResultsWidget::isReportAvailable() const
{
  return !this->ui->OpenReportButton->isHidden();
}

void qNPSNetResultsWidget::setReportAvailable(bool available)
{
  this->ui->OpenReportButton->setVisible(available);
  this->ui->SaveButton->setVisible(available);
}

void qNPSNetResultsWidget::setShown(bool table, bool plot)
{
  this->ui->ShowTableButton->setChecked(table);
  this->ui->ShowPlotButton->setChecked(plot);
}

void qNPSNetResultsWidget::setResults(const qNPSNetResults& results)
{
  this->Results = results;
  this->updateHeader();
  this->updateFlags();
  this->updateDetails();
  this->updateQuadrants();
  this->ui->RimPlot->setResults(results);
  this->ui->ShowTableButton->setEnabled(results.Valid);
  this->ui->ShowPlotButton->setEnabled(results.Valid);
  this->ui->OpenReportButton->setEnabled(results.Valid);
  this->ui->SaveButton->setEnabled(results.Valid);
}

void qNPSNetResultsWidget::updateHeader()
{
  const qNPSNetResults& r = this->Results;
  this->ui->VerticalCDRLabel->setText(tr("vCDR %1").arg(formatRatio(r.VerticalCDR)));
  if (!r.Valid)
  {
    this->ui->OtherRatiosLabel->clear();
    return;
  }
  const QString eye = r.Eye == "OD" ? tr("right eye") : r.Eye == "OS" ? tr("left eye") : tr("eye unknown");
  QStringList parts{tr("hCDR %1").arg(formatRatio(r.HorizontalCDR)), tr("area %1").arg(formatRatio(r.AreaCDR)), eye};
  if (!r.State.isEmpty())
  {
    parts << stateText(r.State);
  }
  this->ui->OtherRatiosLabel->setText(parts.join(QString::fromUtf8(" · ")));
}

void qNPSNetResultsWidget::updateDetails()
{
  const qNPSNetResults& r = this->Results;
  QStringList lines;
  if (std::isfinite(r.NarrowestRimToDisc))
  {
    lines << tr("Narrowest rim/disc %1 at %2 o'clock (%3)")
               .arg(formatRatio(r.NarrowestRimToDisc))
               .arg(r.NarrowestClockHour)
               .arg(qNPSNetRimPlotWidget::directionName(qRound(r.NarrowestTheta) % 360, r.Eye));
  }
  QStringList sectors;
  for (const qNPSNetResults::Sector& sector : r.GarwayHeath)
  {
    sectors << QString("%1 %2").arg(sector.Name, format(sector.RimWidth, r.LengthUnit == "px" ? 1 : 0));
  }
  if (!sectors.isEmpty())
  {
    lines << tr("Sectors (rim, %1): %2").arg(r.LengthUnit, sectors.join(QString::fromUtf8(" · ")));
  }
  if (std::isfinite(r.DiscConfidence) && r.State == "automatic")
  {
    lines << tr("Certainty of the network: disc %1, cup %2")
               .arg(formatRatio(r.DiscConfidence), formatRatio(r.CupConfidence));
  }
  this->ui->DetailsLabel->setText(lines.join('\n'));
  this->ui->DetailsLabel->setVisible(!lines.isEmpty());
  const bool compared = !r.ComparisonRimWidth.isEmpty();
  this->ui->ComparisonLabel->setVisible(compared);
  this->ui->ComparisonLabel->setText(
    tr("Expert (yellow and green): vCDR %1, Dice of the disc %2, of the cup %3")
      .arg(formatRatio(r.ExpertVerticalCDR), formatRatio(r.ExpertDiscDice), formatRatio(r.ExpertCupDice)));
}

void qNPSNetResultsWidget::updateFlags()
{
  // The sign carries the meaning, the colour only repeats it.
  QStringList lines;
  for (const qNPSNetResults::Flag& flag : this->Results.Flags)
  {
    const bool warning = flag.Level == qNPSNetResults::Warning;
    lines << QString("<span style=\"color:%1\">%2</span> %3")
               .arg(warning ? "#D55E00" : "#0072B2", QString::fromUtf8(warning ? "▲" : "●"), flag.Text.toHtmlEscaped());
  }
  this->ui->FlagsLabel->setText(lines.join("<br>"));
  this->ui->FlagsLabel->setVisible(!lines.isEmpty());
}

void qNPSNetResultsWidget::updateQuadrants()
{
  QTableWidget* table = this->ui->QuadrantTable;
  const QString unit = this->Results.LengthUnit;
  table->setHorizontalHeaderLabels(
    {tr("Quadrant"), tr("Rim width (%1)").arg(unit), tr("Rim/disc"), tr("Least rim/disc")});
  table->setRowCount(this->Results.Quadrants.size());
  int row = 0;
  for (const qNPSNetResults::Sector& sector : this->Results.Quadrants)
  {
    table->setItem(row, 0, cell(sector.Name, false));
    table->setItem(row, 1, cell(format(sector.RimWidth, 1), true));
    table->setItem(row, 2, cell(format(sector.RimToDisc, 3), true));
    table->setItem(row, 3, cell(format(sector.MinimumRimToDisc, 3), true));
    ++row;
  }
  const int height =
    table->horizontalHeader()->sizeHint().height() + table->verticalHeader()->length() + 2 * table->frameWidth();
  table->setFixedHeight(height);
  table->setVisible(table->rowCount() > 0);
}
