// SPDX-License-Identifier: Apache-2.0
#ifndef qNPSNetRimPlotWidget_h
#define qNPSNetRimPlotWidget_h

#include "qNPSNetResults.h"
#include "qSlicerNPSNetSegmentationModuleWidgetsExport.h"

#include <QWidget>

/// \brief Rim width, disc and cup radius around the disc, one value a degree.
///
/// Curves differ in line style as well as in colour (Okabe-Ito), so the plot reads in grey too. The cursor follows the
/// mouse, or the left and right keys (one degree; with Ctrl ten).
class Q_SLICER_MODULE_NPSNETSEGMENTATION_WIDGETS_EXPORT qNPSNetRimPlotWidget : public QWidget
{
  Q_OBJECT
  Q_PROPERTY(int cursorAngle READ cursorAngle WRITE setCursorAngle NOTIFY cursorAngleChanged)
public:
  explicit qNPSNetRimPlotWidget(QWidget* parent = nullptr);

  void setResults(const qNPSNetResults& results);

  /// Degrees, -1 for none.
  int cursorAngle() const { return this->CursorAngle; }
  /// "inferior, 6 o'clock: rim 31.2 px, disc 88.0, cup 56.8"; empty without results.
  QString readout(int angle) const;
  /// 1 ... 12 as seen on the photo, 12 superior, 3 at image right.
  static int clockHour(int angle);
  /// What lies at this angle: "superior", "temporal"...; image right and left stay as they are while the eye is
  /// unknown.
  static QString directionName(int angle, const QString& eye);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

public slots:
  void setCursorAngle(int degrees);

signals:
  void cursorAngleChanged(int degrees);

protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

private:
  QRectF plotArea() const;
  double maximum() const;

  qNPSNetResults Results;
  int CursorAngle{-1};
};

#endif
