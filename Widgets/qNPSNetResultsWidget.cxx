// SPDX-License-Identifier: Apache-2.0
#include "qNPSNetResultsWidget.h"
#include "ui_qNPSNetResultsWidget.h"

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
  connect(this->ui->ShowTableButton, &QPushButton::clicked, this, &qNPSNetResultsWidget::showTableRequested);
  connect(this->ui->ShowPlotButton, &QPushButton::clicked, this, &qNPSNetResultsWidget::showPlotRequested);
  connect(this->ui->OpenReportButton, &QPushButton::clicked, this, &qNPSNetResultsWidget::openReportRequested);
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
}

void qNPSNetResultsWidget::setResults(const qNPSNetResults& results)
{
  this->Results = results;
  this->updateHeader();
  this->updateFlags();
  this->updateQuadrants();
  this->ui->RimPlot->setResults(results);
  this->ui->ShowTableButton->setEnabled(results.Valid);
  this->ui->ShowPlotButton->setEnabled(results.Valid);
  this->ui->OpenReportButton->setEnabled(results.Valid);
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
