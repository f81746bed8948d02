#ifndef NPSNetTables_h
#define NPSNetTables_h

#include "itkFundusResult.h"

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

/// Title and axes; the series (see below) are made, updated and removed as the rim table's columns ask.
/// New series nodes are reported through the return value: true when some were added.
bool WriteChart(const Report& report, vtkMRMLTableNode* rimTable, vtkMRMLPlotChartNode* chart);
} // namespace npsnet

#endif
