// SPDX-License-Identifier: Apache-2.0
#include "itkFundusResultTable.h"

#include "itkText.h"

#include <functional>
#include <utility>

namespace itk
{
namespace
{
using Getter = std::function<std::string(const FundusResult &)>;
using Column = std::pair<std::string, Getter>;

std::string Text(const std::optional<double> & value)
{
  return NumberText(value);
}

std::string Scaled(const std::optional<double> & value, const std::optional<double> & scale)
{
  return value && scale ? NumberText(*value * *scale) : std::string();
}

const RimMeasurements::Sector * FindSector(const std::vector<RimMeasurements::Sector> & table, const std::string & name)
{
  for (const auto & sector : table)
  {
    if (sector.Name == name)
    {
      return &sector;
    }
  }
  return nullptr;
}

std::string Violated(const std::optional<RimMeasurements::OrderRule> & rule)
{
  std::string text;
  if (rule)
  {
    for (const auto & pair : rule->GetViolatedPairs())
    {
      text += (text.empty() ? "" : " ") + pair.Wider + "<" + pair.Narrower;
    }
  }
  return text;
}

std::string YesNo(bool value)
{
  return value ? "yes" : "no";
}

std::string Flags(const RimMeasurements & m)
{
  std::string text;
  for (const auto flag : m.Flags)
  {
    text += (text.empty() ? "" : " ") + RimQualityFlagToString(flag);
  }
  return text;
}

const std::vector<Column> & Columns()
{
  using R = FundusResult;
  static const std::vector<Column> columns = [] {
    std::vector<Column> table = {
      { "name", [](const R & r) { return r.Name; } },
      { "status", [](const R & r) { return FundusStatusToString(r.Status); } },
      { "message", [](const R & r) { return r.Message; } },
      { "eye", [](const R & r) { return EyeSideToString(r.Eye); } },
      { "eye_source", [](const R & r) { return EyeSourceToString(r.EyeSource); } },
      { "vcdr", [](const R & r) { return Text(r.Measurements.VerticalCupToDiscRatio); } },
      { "hcdr", [](const R & r) { return Text(r.Measurements.HorizontalCupToDiscRatio); } },
      { "acdr", [](const R & r) { return Text(r.Measurements.AreaCupToDiscRatio); } },
      { "disc_height_px", [](const R & r) { return Text(r.Measurements.DiscHeight); } },
      { "disc_width_px", [](const R & r) { return Text(r.Measurements.DiscWidth); } },
      { "cup_height_px", [](const R & r) { return Text(r.Measurements.CupHeight); } },
      { "cup_width_px", [](const R & r) { return Text(r.Measurements.CupWidth); } },
      { "disc_area_px2", [](const R & r) { return Text(r.Measurements.DiscArea); } },
      { "cup_area_px2", [](const R & r) { return Text(r.Measurements.CupArea); } },
      { "rim_area_px2", [](const R & r) { return Text(r.Measurements.RimArea); } },
      { "um_per_px", [](const R & r) { return Text(r.Measurements.MicrometersPerPixel); } },
      { "disc_height_um",
        [](const R & r) { return Scaled(r.Measurements.DiscHeight, r.Measurements.MicrometersPerPixel); } },
      { "rim_mean_px", [](const R & r) { return Text(r.Measurements.MeanRimWidth); } },
      { "rim_mean_um",
        [](const R & r) { return Scaled(r.Measurements.MeanRimWidth, r.Measurements.MicrometersPerPixel); } },
    };
    for (const std::string name : { "I", "S", "N", "T" })
    {
      table.emplace_back("rim_" + name + "_px", [name](const R & r) {
        const auto * sector = FindSector(r.Measurements.Quadrants, name);
        return sector != nullptr ? Text(sector->RimWidth) : std::string();
      });
    }
    for (const std::string name : { "T", "ST", "SN", "N", "IN", "IT" })
    {
      table.emplace_back("rim_gh_" + name + "_px", [name](const R & r) {
        const auto * sector = FindSector(r.Measurements.GarwayHeath, name);
        return sector != nullptr ? Text(sector->RimWidth) : std::string();
      });
    }
    const std::vector<Column> rest = {
      { "min_rim_to_disc", [](const R & r) { return Text(r.Measurements.MinimumRimToDiscRatio); } },
      { "min_rim_theta_deg", [](const R & r) { return Text(r.Measurements.MinimumRimTheta); } },
      { "isnt", [](const R & r) { return r.Measurements.ISNT ? YesNo(r.Measurements.ISNT->Obeyed) : ""; } },
      { "isnt_violated", [](const R & r) { return Violated(r.Measurements.ISNT); } },
      { "ist", [](const R & r) { return r.Measurements.IST ? YesNo(r.Measurements.IST->Obeyed) : ""; } },
      { "ddls", [](const R & r) { return r.Measurements.DDLS ? std::to_string(*r.Measurements.DDLS) : ""; } },
      { "notch", [](const R & r) { return r.Measurements.HasNotch ? YesNo(*r.Measurements.HasNotch) : ""; } },
      { "disc_ovality", [](const R & r) { return Text(r.Measurements.DiscOvality); } },
      { "disc_torsion_deg", [](const R & r) { return Text(r.Measurements.DiscTorsion); } },
      { "disc_x_px",
        [](const R & r) { return r.Measurements.DiscCentroid ? NumberText((*r.Measurements.DiscCentroid)[0]) : ""; } },
      { "disc_y_px",
        [](const R & r) { return r.Measurements.DiscCentroid ? NumberText((*r.Measurements.DiscCentroid)[1]) : ""; } },
      { "disc_confidence", [](const R & r) { return Text(r.Measurements.MeanDiscConfidence); } },
      { "cup_confidence", [](const R & r) { return Text(r.Measurements.MeanCupConfidence); } },
      { "locator", [](const R & r) { return r.Localisation.Method; } },
      { "locator_confidence", [](const R & r) { return Text(r.Localisation.Confidence); } },
      { "valid", [](const R & r) { return r.Valid ? YesNo(*r.Valid) : ""; } },
      { "flags", [](const R & r) { return Flags(r.Measurements); } },
      { "tta", [](const R & r) { return r.TTA.Mode; } },
      { "model", [](const R & r) { return r.Network.Name; } },
      { "model_version", [](const R & r) { return r.Network.Version; } },
      { "model_sha256", [](const R & r) { return r.Network.SHA256; } },
      { "seconds", [](const R & r) { return NumberText(r.Seconds, 4); } },
    };
    table.insert(table.end(), rest.begin(), rest.end());
    return table;
  }();
  return columns;
}
} // namespace

const std::vector<std::string> & FundusResultTable::GetColumns()
{
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const Column & column : Columns())
    {
      list.push_back(column.first);
    }
    return list;
  }();
  return names;
}

std::vector<std::string> FundusResultTable::GetRow(const FundusResult & result)
{
  std::vector<std::string> row;
  for (const Column & column : Columns())
  {
    row.push_back(column.second(result));
  }
  return row;
}
} // namespace itk
