// SPDX-License-Identifier: Apache-2.0
#include "qNPSNetRimPlotWidget.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace
{
// Okabe & Ito: told apart with every kind of colour blindness, and on light and dark backgrounds.
// The same as in the chart that Logic makes.
const QColor DiscColor(0x00, 0x72, 0xB2);
const QColor CupColor(0xE6, 0x9F, 0x00);
const QColor RimColor(0x00, 0x9E, 0x73);
const QColor ComparisonColor(0xD5, 0x5E, 0x00);

struct Curve
{
  const QVector<double>* Values;
  QPen Pen;
  QString Name;
};

/// Position on the axis -> angle from image right, growing downwards: T-S-N-I-T for a known eye, as in the report.
int angleAt(int position, const QString& eye)
{
  return eye == "OD" ? (180 + position) % 360 : eye == "OS" ? (720 - position) % 360 : position % 360;
}

/// The way back, 0 ... 359.
int positionOf(int angle, const QString& eye)
{
  return eye == "OD" ? (angle + 180) % 360 : eye == "OS" ? (360 - angle) % 360 : angle;
}

double niceStep(double range)
{
  const double raw = range / 4.0;
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  for (double factor : {1.0, 2.0, 5.0})
  {
    if (factor * power >= raw)
    {
      return factor * power;
    }
  }
  return 10.0 * power;
}
} // namespace

qNPSNetRimPlotWidget::qNPSNetRimPlotWidget(QWidget* parent)
    : QWidget(parent)
{
  this->setMouseTracking(true);
  this->setFocusPolicy(Qt::StrongFocus);
  this->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  this->setAccessibleName(tr("Rim profile"));
  this->setToolTip(tr(
    "Rim width, disc and cup radius around the disc, in pixels of the photo or micrometres when calibrated.\n"
    "From temporal over superior, nasal and inferior (from image right when the eye is unknown), with the clock hours "
    "as seen on the photo. Move with the mouse or the arrow keys."));
}

QSize qNPSNetRimPlotWidget::sizeHint() const
{
  return QSize(360, 220);
}

QSize qNPSNetRimPlotWidget::minimumSizeHint() const
{
  return QSize(220, 150);
}

void qNPSNetRimPlotWidget::setResults(const qNPSNetResults& results)
{
  this->Results = results;
  if (results.RimWidth.isEmpty())
  {
    this->setCursorAngle(-1);
  }
  this->setAccessibleDescription(this->readout(std::max(0, this->CursorAngle)));
  this->update();
}

void qNPSNetRimPlotWidget::setCursorAngle(int degrees)
{
  if (degrees >= 0)
  {
    degrees %= 360;
  }
  if (degrees == this->CursorAngle)
  {
    return;
  }
  this->CursorAngle = degrees;
  this->setAccessibleDescription(this->readout(degrees));
  this->update();
  emit this->cursorAngleChanged(degrees);
}

QString qNPSNetRimPlotWidget::directionName(int angle, const QString& eye)
{
  // Nearest of the four; temporal is image left for a right eye and image right for a left eye.
  switch (((angle + 45) % 360) / 90)
  {
  case 1:
    return tr("inferior");
  case 3:
    return tr("superior");
  case 0:
    return eye == "OS" ? tr("temporal") : eye == "OD" ? tr("nasal") : tr("right");
  default:
    return eye == "OD" ? tr("temporal") : eye == "OS" ? tr("nasal") : tr("left");
  }
}

int qNPSNetRimPlotWidget::clockHour(int angle)
{
  const int hour = ((angle + 90 + 15) % 360) / 30;
  return hour == 0 ? 12 : hour;
}

QString qNPSNetRimPlotWidget::readout(int angle) const
{
  if (angle < 0 || angle >= this->Results.RimWidth.size())
  {
    return QString();
  }
  const auto number = [angle](const QVector<double>& values)
  {
    return angle < values.size() && std::isfinite(values[angle]) ? QString::number(values[angle], 'f', 1)
                                                                 : QString("–");
  };
  QString text = tr("%1, %2 o'clock: rim %3 %4, disc %5, cup %6")
                   .arg(directionName(angle, this->Results.Eye))
                   .arg(clockHour(angle))
                   .arg(number(this->Results.RimWidth), this->Results.LengthUnit, number(this->Results.DiscRadius),
                     number(this->Results.CupRadius));
  if (!this->Results.ComparisonRimWidth.isEmpty())
  {
    text += tr(", expert rim %1").arg(number(this->Results.ComparisonRimWidth));
  }
  return text;
}

QRectF qNPSNetRimPlotWidget::plotArea() const
{
  const QFontMetricsF metrics(this->font());
  const double left = metrics.horizontalAdvance("0000") + 8;
  return QRectF(left, metrics.height() + 8, this->width() - left - 8, this->height() - 4.1 * metrics.height() - 14);
}

double qNPSNetRimPlotWidget::maximum() const
{
  double top = 0.0;
  for (const QVector<double>* values :
    {&this->Results.RimWidth, &this->Results.DiscRadius, &this->Results.CupRadius, &this->Results.ComparisonRimWidth})
  {
    for (double value : *values)
    {
      top = std::isfinite(value) ? std::max(top, value) : top;
    }
  }
  return top;
}

void qNPSNetRimPlotWidget::paintEvent(QPaintEvent*)
{
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QPalette& colors = this->palette();
  painter.fillRect(this->rect(), colors.base());
  const QFontMetricsF metrics(this->font());
  const QRectF area = this->plotArea();
  QColor faint = colors.color(QPalette::Text);
  faint.setAlphaF(0.18);

  const double top = this->maximum();
  if (top <= 0.0)
  {
    painter.setPen(colors.color(QPalette::Disabled, QPalette::Text));
    painter.drawText(this->rect(), Qt::AlignCenter, tr("No result yet"));
    return;
  }
  const double step = niceStep(top);
  const double high = step * std::ceil(top / step);
  const auto x = [&](double degrees) { return area.left() + area.width() * degrees / 360.0; };
  const auto y = [&](double value) { return area.bottom() - area.height() * value / high; };

  painter.setPen(faint);
  for (double value = 0.0; value <= high + 0.5 * step; value += step)
  {
    painter.drawLine(QPointF(area.left(), y(value)), QPointF(area.right(), y(value)));
  }
  for (int angle = 0; angle <= 360; angle += 90)
  {
    painter.drawLine(QPointF(x(angle), area.top()), QPointF(x(angle), area.bottom()));
  }
  painter.setPen(colors.color(QPalette::Text));
  for (double value = 0.0; value <= high + 0.5 * step; value += step)
  {
    painter.drawText(QRectF(0, y(value) - metrics.height(), area.left() - 4, 2 * metrics.height()),
      Qt::AlignRight | Qt::AlignVCenter, QString::number(value));
  }
  for (int position = 0; position <= 360; position += 90)
  {
    const int angle = angleAt(position, this->Results.Eye);
    const double width = 0.24 * area.width();
    const double left = std::min(std::max(x(position) - 0.5 * width, 0.0), this->width() - width);
    const int align = position == 0 ? Qt::AlignLeft : position == 360 ? Qt::AlignRight : Qt::AlignHCenter;
    const double start = position == 0 ? area.left() : left;
    QString direction = directionName(angle, this->Results.Eye);
    if (metrics.horizontalAdvance(direction) > width)
    {
      direction = direction.left(1).toUpper();
    }
    painter.drawText(QRectF(start, area.bottom() + 2, width, metrics.height()), align, direction);
    painter.drawText(QRectF(start, area.bottom() + 2 + metrics.height(), width, metrics.height()), align,
      tr("%1 h", "clock hour").arg(clockHour(angle)));
  }

  QVector<Curve> curves;
  curves << Curve{&this->Results.DiscRadius, QPen(DiscColor, 1.6, Qt::DashLine), tr("disc")}
         << Curve{&this->Results.CupRadius, QPen(CupColor, 1.6, Qt::DotLine), tr("cup")}
         << Curve{&this->Results.ComparisonRimWidth, QPen(ComparisonColor, 1.6, Qt::DashDotLine), tr("expert rim")}
         << Curve{&this->Results.RimWidth, QPen(RimColor, 2.4, Qt::SolidLine), tr("rim")};
  for (const Curve& curve : curves)
  {
    QPainterPath path;
    bool pen = false;
    for (int position = 0; position <= 360 && curve.Values->size() == 360; ++position)
    {
      const double value = curve.Values->at(angleAt(position, this->Results.Eye)); // closed: the end is the start again
      if (!std::isfinite(value))
      {
        pen = false;
        continue;
      }
      const QPointF point(x(position), y(value));
      pen ? path.lineTo(point) : path.moveTo(point);
      pen = true;
    }
    painter.setPen(curve.Pen);
    painter.drawPath(path);
  }

  double right = area.right();
  for (auto curve = curves.rbegin(); curve != curves.rend(); ++curve)
  {
    if (curve->Values->isEmpty())
    {
      continue;
    }
    const double width = metrics.horizontalAdvance(curve->Name);
    if (right - width - 26 < metrics.horizontalAdvance(this->Results.LengthUnit) + 8)
    {
      break; // a narrow plot names the rim at least
    }
    painter.setPen(colors.color(QPalette::Text));
    painter.drawText(QRectF(right - width, 2, width + 1, metrics.height()), Qt::AlignRight, curve->Name);
    painter.setPen(curve->Pen);
    painter.drawLine(
      QPointF(right - width - 26, 2 + 0.5 * metrics.height()), QPointF(right - width - 4, 2 + 0.5 * metrics.height()));
    right -= width + 36;
  }
  painter.setPen(colors.color(QPalette::Text));
  painter.drawText(QRectF(4, 2, area.left(), metrics.height()), Qt::AlignLeft, this->Results.LengthUnit);

  if (this->CursorAngle >= 0)
  {
    painter.setPen(QPen(colors.color(QPalette::Text), 1.0));
    const double at = x(positionOf(this->CursorAngle, this->Results.Eye));
    painter.drawLine(QPointF(at, area.top()), QPointF(at, area.bottom()));
    painter.drawText(QRectF(0, this->height() - metrics.height() - 2, this->width(), metrics.height()), Qt::AlignCenter,
      this->readout(this->CursorAngle));
  }
  if (this->hasFocus())
  {
    painter.setPen(QPen(colors.color(QPalette::Highlight), 1.0));
    painter.drawRect(QRectF(this->rect()).adjusted(0.5, 0.5, -0.5, -0.5));
  }
}

void qNPSNetRimPlotWidget::mouseMoveEvent(QMouseEvent* event)
{
  const QRectF area = this->plotArea();
  const double degrees = 360.0 * (event->localPos().x() - area.left()) / area.width();
  const bool inside = !this->Results.RimWidth.isEmpty() && degrees >= 0.0 && degrees < 360.0;
  this->setCursorAngle(inside ? angleAt(static_cast<int>(degrees), this->Results.Eye) : -1);
}

void qNPSNetRimPlotWidget::leaveEvent(QEvent* event)
{
  this->setCursorAngle(-1);
  QWidget::leaveEvent(event);
}

void qNPSNetRimPlotWidget::keyPressEvent(QKeyEvent* event)
{
  const int direction = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
  if (direction == 0 || this->Results.RimWidth.isEmpty())
  {
    QWidget::keyPressEvent(event);
    return;
  }
  const int step = event->modifiers() & Qt::ControlModifier ? 10 : 1;
  const int from = this->CursorAngle < 0 ? 0 : positionOf(this->CursorAngle, this->Results.Eye);
  this->setCursorAngle(angleAt((from + direction * step + 360) % 360, this->Results.Eye));
}
