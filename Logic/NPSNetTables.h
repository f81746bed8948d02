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
  /// "automatic", "edited", "fitted" or "imported".
  std::string State;
  /// What the network had found, when the masks were edited since.
  std::optional<itk::RimMeasurements> Automatic;
  std::optional<itk::RimMeasurements> Expert;
};

/// One row an angle; typed columns, unit and description of each in the node's column properties.
void WriteRimTable(const Report& report, vtkMRMLTableNode* node);

/// One row a measurement: title, value as text, unit, key (that of results.csv).
void WriteSummaryTable(const Report& report, vtkMRMLTableNode* node);

/// Title and axes; the series are made, updated and removed as the rim table's columns ask.
/// \param most how many series to make at the most.
/// \return whether no series is missing any more.
bool WriteChart(const Report& report, vtkMRMLTableNode* rimTable, vtkMRMLPlotChartNode* chart,
  int most = std::numeric_limits<int>::max());
} // namespace npsnet

#endif
