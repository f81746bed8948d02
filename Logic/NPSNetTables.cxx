// SPDX-License-Identifier: Apache-2.0
#include "NPSNetTables.h"

#include "NPSNetOutputs.h"

#include "itkFundusResultTable.h"
#include "itkRimProfileTable.h"

#include <vtkMRMLPlotChartNode.h>
#include <vtkMRMLPlotSeriesNode.h>
#include <vtkMRMLScene.h>
#include <vtkMRMLTableNode.h>

#include <vtkDoubleArray.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkStringArray.h>
#include <vtkTable.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <vector>

namespace npsnet
{
namespace
{
using Angle = itk::RimMeasurements::Angle;

void Describe(vtkMRMLTableNode* node, const std::string& column, const char* type, const std::string& title,
  const std::string& unit, const std::string& description)
{
  node->SetColumnProperty(column, "type", type);
  node->SetColumnTitle(column, title);
  node->SetColumnDescription(column, description);
  if (!unit.empty())
  {
    node->SetColumnUnitLabel(column, unit);
  }
}

/// Fills a table out of sight of the node's observers and hands it over in one go.
class TableBuilder
{
public:
  explicit TableBuilder(vtkMRMLTableNode* node)
      : Node(node)
  {
  }

  template <typename Array, typename Value>
  void Add(const std::string& name, const char* type, const std::string& title, const std::string& unit,
    const std::string& description, std::size_t rows, Value value)
  {
    vtkNew<Array> array;
    array->SetName(name.c_str());
    array->SetNumberOfValues(static_cast<vtkIdType>(rows));
    for (std::size_t row = 0; row < rows; ++row)
    {
      array->SetValue(static_cast<vtkIdType>(row), value(row));
    }
    this->Table->AddColumn(array);
    this->Columns.push_back({{name, type, title, unit, description}});
  }

  void Commit()
  {
    MRMLNodeModifyBlocker blocker(this->Node);
    this->Node->SetAndObserveTable(this->Table);
    this->Node->SetAndObserveSchema(nullptr);
    for (const auto& column : this->Columns)
    {
      Describe(this->Node, column[0], column[1].c_str(), column[2], column[3], column[4]);
    }
    this->Node->SetUseColumnTitleAsColumnHeader(true);
    this->Node->SetLocked(true);
  }

private:
  vtkMRMLTableNode* Node;
  vtkNew<vtkTable> Table;
  std::vector<std::array<std::string, 5>> Columns;
};

/// Unit by the suffix of a key of results.csv.
std::string GetUnit(const std::string& key)
{
  static const std::vector<std::pair<std::string, std::string>> units = {{"um_per_px", "µm"}, {"_px2", "px²"},
    {"_px", "px"}, {"_um2", "µm²"}, {"_um", "µm"}, {"_mm2", "mm²"}, {"_mm", "mm"}, {"_deg", "°"}, {"_degrees", "°"},
    {"seconds", "s"}};
  for (const auto& unit : units)
  {
    if (key.size() >= unit.first.size() &&
        key.compare(key.size() - unit.first.size(), unit.first.size(), unit.first) == 0)
    {
      return unit.second;
    }
  }
  return "";
}

std::string GetTitle(const std::string& key)
{
  static const std::map<std::string, std::string> titles = {{"name", "Photo"}, {"eye_source", "Eye known from"},
    {"vcdr", "Vertical cup/disc ratio"}, {"hcdr", "Horizontal cup/disc ratio"}, {"acdr", "Area cup/disc ratio"},
    {"um_per_px", "Micrometres per pixel"}, {"rim_mean_px", "Mean rim width"}, {"rim_mean_um", "Mean rim width"},
    {"min_rim_to_disc", "Smallest rim/disc ratio"}, {"min_rim_theta_deg", "Angle of the smallest rim/disc ratio"},
    {"isnt", "ISNT rule obeyed"}, {"isnt_violated", "ISNT pairs violated"}, {"ist", "IST rule obeyed"},
    {"ddls", "Disc damage likelihood scale"}, {"tta", "Test-time augmentation"}, {"model_sha256", "Model SHA-256"}};
  const auto known = titles.find(key);
  if (known != titles.end())
  {
    return known->second;
  }
  static const std::map<std::string, std::string> quadrants = {
    {"I", "inferior"}, {"S", "superior"}, {"N", "nasal"}, {"T", "temporal"}};
  // "disc_area_px2" -> "Disc area": the unit has its own column.
  std::string title = key;
  const std::size_t last = title.rfind('_');
  if (last != std::string::npos && !GetUnit(key).empty())
  {
    title.erase(last);
  }
  // "rim_I", "rim_gh_ST": mean widths of sectors.
  if (title.compare(0, 7, "rim_gh_") == 0)
  {
    return "Rim width, Garway-Heath " + title.substr(7);
  }
  if (title.compare(0, 4, "rim_") == 0 && quadrants.count(title.substr(4)) > 0)
  {
    return "Rim width, " + quadrants.at(title.substr(4));
  }
  std::replace(title.begin(), title.end(), '_', ' ');
  if (!title.empty())
  {
    title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
  }
  return title;
}

/// "0 nasal, 90 inferior, ..." as the eye has it.
std::string GetAngleTitle(itk::EyeSideEnum eye)
{
  const bool known = eye != itk::EyeSideEnum::Unknown;
  const bool right = eye == itk::EyeSideEnum::OD;
  const std::string at0 = known ? (right ? "nasal" : "temporal") : "image right";
  const std::string at180 = known ? (right ? "temporal" : "nasal") : "image left";
  return "Angle [°]: 0 " + at0 + ", 90 inferior, 180 " + at180 + ", 270 superior";
}

struct SummaryRow
{
  std::string Title;
  std::string Value;
  std::string Unit;
  std::string Key;
};

std::vector<SummaryRow> MakeSummaryRows(const Report& report)
{
  std::vector<SummaryRow> rows = {
    {"Note", "Research use only: measurements, not a diagnosis", "", "note"}, {"State", report.State, "", "state"}};
  const auto& keys = itk::FundusResultTable::GetColumns();
  const auto values = itk::FundusResultTable::GetRow(report.Result);
  for (std::size_t i = 0; i < keys.size(); ++i)
  {
    rows.push_back({GetTitle(keys[i]), values[i], GetUnit(keys[i]), keys[i]});
  }
  return rows;
}

struct SeriesStyle
{
  const char* Column;
  const char* Name;
  std::array<double, 3> Color; // Okabe-Ito palette
  int LineStyle;
  float LineWidth;
};

const std::vector<SeriesStyle>& GetSeriesStyles()
{
  using Node = vtkMRMLPlotSeriesNode;
  static const std::vector<SeriesStyle> styles = {
    {"disc_radius_px", "Disc radius", {{0.0, 114 / 255.0, 178 / 255.0}}, Node::LineStyleSolid, 2},
    {"cup_radius_px", "Cup radius", {{230 / 255.0, 159 / 255.0, 0.0}}, Node::LineStyleSolid, 2},
    {"rim_width_px", "Rim width", {{0.0, 158 / 255.0, 115 / 255.0}}, Node::LineStyleSolid, 3},
    {"automatic_rim_width_px", "Rim width, automatic", {{0.35, 0.35, 0.35}}, Node::LineStyleDash, 2},
    {"expert_rim_width_px", "Rim width, expert", {{213 / 255.0, 94 / 255.0, 0.0}}, Node::LineStyleDash, 2},
  };
  return styles;
}
} // namespace

void WriteRimTable(const Report& report, vtkMRMLTableNode* node)
{
  const itk::RimMeasurements& rim = report.Result.Measurements;
  const std::size_t rows = rim.Profile.size();

  TableBuilder table(node);
  for (const itk::RimProfileColumn& column : itk::RimProfileColumns())
  {
    using Kind = itk::RimProfileColumn::KindEnum;
    if (column.Kind == Kind::Text)
    {
      table.Add<vtkStringArray>(column.Name, "string", column.Title, column.Unit, column.Description, rows,
        [&](std::size_t i) { return column.Text(rim, i); });
    }
    else if (column.Kind == Kind::Integer)
    {
      // The view of a table shows nothing else that tells the photo.
      const std::string title = column.Name == "theta_deg" ? report.Result.Name + ": angle" : column.Title;
      table.Add<vtkIntArray>(column.Name, "int", title, column.Unit, column.Description, rows,
        [&](std::size_t i) { return static_cast<int>(*column.Number(rim, i)); });
    }
    else if (!column.IsOptional || column.IsKnown(rim))
    {
      table.Add<vtkDoubleArray>(column.Name, "double", column.Title, column.Unit, column.Description, rows,
        [&](std::size_t i) { return column.Number(rim, i).value_or(std::numeric_limits<double>::quiet_NaN()); });
    }
  }
  const auto addOther =
    [&](const std::optional<itk::RimMeasurements>& other, const std::string& prefix, const std::string& whose)
  {
    if (!other || other->Profile.size() != rows)
    {
      return;
    }
    const std::string about = "Of the " + whose + " boundary, about its own disc centroid";
    table.Add<vtkDoubleArray>(prefix + "disc_radius_px", "double", "Disc radius, " + whose, "px", about, rows,
      [&](std::size_t i) { return other->Profile[i].DiscRadius; });
    table.Add<vtkDoubleArray>(prefix + "cup_radius_px", "double", "Cup radius, " + whose, "px", about, rows,
      [&](std::size_t i) { return other->Profile[i].CupRadius; });
    table.Add<vtkDoubleArray>(prefix + "rim_width_px", "double", "Rim width, " + whose, "px", about, rows,
      [&](std::size_t i) { return other->Profile[i].RimWidth; });
  };
  addOther(report.Automatic, "automatic_", "automatic");
  addOther(report.Expert, "expert_", "expert");
  table.Commit();
  node->SetAttribute("NPSNet.State", report.State.c_str());
}

void WriteSummaryTable(const Report& report, vtkMRMLTableNode* node)
{
  const std::vector<SummaryRow> rows = MakeSummaryRows(report);

  TableBuilder table(node);
  const auto add = [&](const char* name, const char* title, const char* description, std::string SummaryRow::*member)
  {
    table.Add<vtkStringArray>(
      name, "string", title, "", description, rows.size(), [&](std::size_t i) { return rows[i].*member; });
  };
  add("measurement", "Measurement", "What was measured", &SummaryRow::Title);
  add("value", "Value", "Empty when it is not known", &SummaryRow::Value);
  add("unit", "Unit", "px: pixels of the photo", &SummaryRow::Unit);
  add("key", "Key", "Name of the same value in results.csv", &SummaryRow::Key);
  table.Commit();
  node->SetUseFirstColumnAsRowHeader(true);
  node->SetAttribute("NPSNet.State", report.State.c_str());
}

bool IsSummaryTableOf(const Report& report, vtkMRMLTableNode* node)
{
  const std::vector<SummaryRow> rows = MakeSummaryRows(report);
  const int key = node->GetColumnIndex("key");
  const int value = node->GetColumnIndex("value");
  if (key < 0 || value < 0 || node->GetNumberOfRows() != static_cast<int>(rows.size()))
  {
    return false;
  }
  for (int i = 0; i < node->GetNumberOfRows(); ++i)
  {
    const SummaryRow& row = rows[static_cast<std::size_t>(i)];
    if (node->GetCellText(i, key) != row.Key || node->GetCellText(i, value) != row.Value)
    {
      return false;
    }
  }
  return true;
}

void RestoreChart(vtkMRMLTableNode* rimTable, vtkMRMLPlotChartNode* chart)
{
  std::set<std::string> present;
  for (int i = 0; i < chart->GetNumberOfPlotSeriesNodes(); ++i)
  {
    vtkMRMLPlotSeriesNode* series = chart->GetNthPlotSeriesNode(i);
    if (series != nullptr && series->GetTableNode() == rimTable)
    {
      present.insert(series->GetYColumnName());
    }
  }
  std::vector<vtkMRMLNode*> nodes;
  chart->GetScene()->GetNodesByClass("vtkMRMLPlotSeriesNode", nodes);
  for (vtkMRMLNode* node : nodes)
  {
    auto* series = vtkMRMLPlotSeriesNode::SafeDownCast(node);
    if (series->GetTableNode() == rimTable && rimTable->GetColumnIndex(series->GetYColumnName()) >= 0 &&
        present.insert(series->GetYColumnName()).second)
    {
      chart->AddAndObservePlotSeriesNodeID(series->GetID());
    }
  }
}

bool WriteChart(const Report& report, vtkMRMLTableNode* rimTable, vtkMRMLPlotChartNode* chart, int most)
{
  MRMLNodeModifyBlocker blocker(chart);
  std::map<std::string, vtkMRMLPlotSeriesNode*> present;
  for (int i = chart->GetNumberOfPlotSeriesNodes() - 1; i >= 0; --i)
  {
    vtkMRMLPlotSeriesNode* series = chart->GetNthPlotSeriesNode(i);
    if (series != nullptr && series->GetTableNode() == rimTable)
    {
      present[series->GetYColumnName()] = series;
    }
  }
  int made = 0;
  for (const SeriesStyle& style : GetSeriesStyles())
  {
    const bool wanted = rimTable->GetColumnIndex(style.Column) >= 0;
    const auto found = present.find(style.Column);
    if (!wanted)
    {
      if (found != present.end())
      {
        chart->GetScene()->RemoveNode(found->second);
      }
      continue;
    }
    if (found != present.end())
    {
      continue; // the user may have changed its colour
    }
    if (made++ == most)
    {
      return false;
    }
    auto* series =
      vtkMRMLPlotSeriesNode::SafeDownCast(chart->GetScene()->AddNewNodeByClass("vtkMRMLPlotSeriesNode", style.Name));
    series->SetPlotType(vtkMRMLPlotSeriesNode::PlotTypeScatter);
    series->SetXColumnName("theta_deg");
    series->SetYColumnName(style.Column);
    series->SetColor(style.Color[0], style.Color[1], style.Color[2]);
    series->SetLineStyle(style.LineStyle);
    series->SetLineWidth(style.LineWidth);
    series->SetMarkerStyle(vtkMRMLPlotSeriesNode::MarkerStyleNone);
    series->SetAndObserveTableNodeID(rimTable->GetID());
    chart->AddAndObservePlotSeriesNodeID(series->GetID());
    PutUnder(chart, series);
  }

  const itk::RimMeasurements& rim = report.Result.Measurements;
  std::string title = "Rim profile of " + report.Result.Name;
  if (rim.Eye != itk::EyeSideEnum::Unknown)
  {
    title += " (" + itk::EyeSideToString(rim.Eye) + ")";
  }
  title += report.State == "automatic" ? "" : ", " + report.State;
  chart->SetTitle(title.c_str());
  chart->SetXAxisTitle(GetAngleTitle(rim.Eye).c_str());
  chart->SetYAxisTitle("Distance [px]");
  chart->SetXAxisRangeAuto(false);
  chart->SetXAxisRange(0.0, 360.0);
  double top = 1.0;
  for (const auto* other :
    {&rim, report.Automatic ? &*report.Automatic : nullptr, report.Expert ? &*report.Expert : nullptr})
  {
    if (other != nullptr)
    {
      for (const Angle& angle : other->Profile)
      {
        top = std::max(top, angle.DiscRadius);
      }
    }
  }
  // A rim plot starts at zero, else a thin rim looks like a thick one.
  chart->SetYAxisRangeAuto(false);
  chart->SetYAxisRange(0.0, std::ceil(1.25 * top / 10.0) * 10.0); // with room for the legend
  chart->SetAttribute("NPSNet.State", report.State.c_str());
  return true;
}
} // namespace npsnet
