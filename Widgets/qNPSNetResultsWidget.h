// SPDX-License-Identifier: Apache-2.0
#ifndef qNPSNetResultsWidget_h
#define qNPSNetResultsWidget_h

#include "qNPSNetResults.h"
#include "qSlicerNPSNetSegmentationModuleWidgetsExport.h"

#include <QScopedPointer>
#include <QWidget>

namespace Ui
{
class qNPSNetResultsWidget;
}

/// \brief One result at a glance: vCDR, flags, quadrant table and rim plot, with ways to the full tables.
class Q_SLICER_MODULE_NPSNETSEGMENTATION_WIDGETS_EXPORT qNPSNetResultsWidget : public QWidget
{
  Q_OBJECT
  /// Compact: without quadrant table and rim plot, for the options frame of the Segment Editor effect.
  Q_PROPERTY(bool compact READ isCompact WRITE setCompact)
  Q_PROPERTY(bool reportAvailable READ isReportAvailable WRITE setReportAvailable)
public:
  explicit qNPSNetResultsWidget(QWidget* parent = nullptr);
  ~qNPSNetResultsWidget() override;

  const qNPSNetResults& results() const { return this->Results; }
  bool isCompact() const;
  bool isReportAvailable() const;

  /// "0.53", or a dash when unknown.
  static QString formatRatio(double value);

public slots:
  void setResults(const qNPSNetResults& results);
  void setCompact(bool compact);
  void setReportAvailable(bool available);
  /// Whether table and plot are in the window now: their buttons are down then, and take them away again.
  void setShown(bool table, bool plot);

signals:
  void showTableRequested();
  void showPlotRequested();
  void openReportRequested();
  void saveRequested();

private:
  void updateHeader();
  void updateDetails();
  void updateFlags();
  void updateQuadrants();

  QScopedPointer<Ui::qNPSNetResultsWidget> ui;
  qNPSNetResults Results;
};

#endif
