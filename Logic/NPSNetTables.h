// SPDX-License-Identifier: Apache-2.0
#ifndef NPSNetTables_h
#define NPSNetTables_h

#include "itkFundusResult.h"

#include <limits>
#include <optional>
#include <string>

class vtkMRMLPlotChartNode;
class vtkMRMLPlotSeriesNode;
class vtkMRMLTableNode;

namespace npsnet
{
/// All that tables and chart show.
struct Report
{
  itk::FundusResult Result;
  /// In photo pixels; 1 unless pixels are not square.
  double PixelHeight{1.0};
  /// "automatic", "edited", "fitted" or "imported".
  std::string State;
  /// What the network had found, when the masks were edited since.
  std::optional<itk::RimMeasurements> Automatic;
  std::optional<itk::RimMeasurements> Expert;
  /// Dice of the masks with the expert's; empty without them, or where both are empty.
  std::optional<double> ExpertDiscDice;
  std::optional<double> ExpertCupDice;
};

/// One row an angle; typed columns, unit and description of each in the node's column properties.
void WriteRimTable(const Report& report, vtkMRMLTableNode* node);

/// One row a measurement: title, value as text, unit, key (that of results.csv).
void WriteSummaryTable(const Report& report, vtkMRMLTableNode* node);

/// Whether the table holds the values of this report.
bool IsSummaryTableOf(const Report& report, vtkMRMLTableNode* node);
/// Gives a chart the series of its rim table back that lost their references while a scene was read.
void RestoreChart(vtkMRMLTableNode* rimTable, vtkMRMLPlotChartNode* chart);
/// Title and axes; the series are made, updated and removed as the rim table's columns ask.
/// \param most how many series to make at the most.
/// \return whether no series is missing any more.
bool WriteChart(const Report& report, vtkMRMLTableNode* rimTable, vtkMRMLPlotChartNode* chart,
  int most = std::numeric_limits<int>::max());
} // namespace npsnet

#endif
