// SPDX-License-Identifier: Apache-2.0
#include "itkFundusResultWriter.h"
#include "itkNPSNetVersion.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace itk
{
namespace
{
using JSON = nlohmann::ordered_json;

/** Shorter than the bits, longer than the accuracy. */
double Round(double value)
{
  if (value == 0.0 || !std::isfinite(value))
  {
    return value;
  }
  const double scale = std::pow(10.0, 8.0 - std::ceil(std::log10(std::abs(value))));
  return std::round(value * scale) / scale;
}

JSON Number(const std::optional<double> & value)
{
  return value && std::isfinite(*value) ? JSON(Round(*value)) : JSON(nullptr);
}

/** Null without a scale (0). */
JSON Scaled(const std::optional<double> & value, double scale)
{
  return value && scale > 0.0 ? Number(*value * scale) : JSON(nullptr);
}

JSON TextOrNull(const std::string & text)
{
  return text.empty() ? JSON(nullptr) : JSON(text);
}

JSON Position(const FundusResult & result, const std::optional<std::array<double, 2>> & point)
{
  if (!point)
  {
    return nullptr;
  }
  const auto index = result.ToIndex(*point);
  return JSON::array({ Round(index[0]), Round(index[1]) });
}

JSON Sectors(const std::vector<RimMeasurements::Sector> & sectors, const RimMeasurements & m)
{
  JSON         table = JSON::object();
  const double um = m.MicrometersPerPixel.value_or(0.0);
  const double mm2 = um * um * 1e-6;
  for (const auto & sector : sectors)
  {
    table[sector.Name] = {
      { "rim_width_px", Number(sector.RimWidth) },
      { "rim_width_um", Scaled(sector.RimWidth, um) },
      { "rim_width_norm",
        sector.RimWidth && m.EquivalentDiscRadius ? Number(*sector.RimWidth / *m.EquivalentDiscRadius)
                                                  : JSON(nullptr) },
      { "rim_to_disc", Number(sector.RimToDiscRatio) },
      { "min_rim_to_disc", Number(sector.MinimumRimToDiscRatio) },
      { "rim_area_px2", Number(sector.RimArea) },
      { "rim_area_mm2", Scaled(sector.RimArea, mm2) },
      { "disc_confidence", Number(sector.DiscConfidence) },
      { "cup_confidence", Number(sector.CupConfidence) },
    };
  }
  return table;
}

JSON Rule(const std::optional<RimMeasurements::OrderRule> & rule, const RimMeasurements & m)
{
  if (!rule)
  {
    return nullptr;
  }
  const auto pairs = [&m](const std::vector<RimMeasurements::OrderedPair> & list) {
    JSON array = JSON::array();
    for (const auto & pair : list)
    {
      array.push_back({ { "wider", pair.Wider },
                        { "narrower", pair.Narrower },
                        { "margin_px", Number(pair.Margin) },
                        { "margin_norm", Number(pair.Margin / *m.EquivalentDiscRadius) } });
    }
    return array;
  };
  return { { "obeyed", rule->Obeyed },
           { "margin_px", Number(rule->Margin) },
           { "margin_norm", Number(rule->Margin / *m.EquivalentDiscRadius) },
           { "pairs", pairs(rule->Pairs) },
           { "violated", pairs(rule->GetViolatedPairs()) } };
}

JSON Measurements(const FundusResult & result)
{
  const RimMeasurements & m = result.Measurements;
  const double            um = m.MicrometersPerPixel.value_or(0.0);
  const double            mm2 = um * um * 1e-6;
  return { { "vcdr", Number(m.VerticalCupToDiscRatio) },
           { "hcdr", Number(m.HorizontalCupToDiscRatio) },
           { "acdr", Number(m.AreaCupToDiscRatio) },
           { "disc_centroid_px", Position(result, m.DiscCentroid) },
           { "disc_height_px", Number(m.DiscHeight) },
           { "disc_width_px", Number(m.DiscWidth) },
           { "cup_height_px", Number(m.CupHeight) },
           { "cup_width_px", Number(m.CupWidth) },
           { "disc_height_um", Scaled(m.DiscHeight, um) },
           { "disc_width_um", Scaled(m.DiscWidth, um) },
           { "cup_height_um", Scaled(m.CupHeight, um) },
           { "cup_width_um", Scaled(m.CupWidth, um) },
           { "disc_area_px2", Number(m.DiscArea) },
           { "cup_area_px2", Number(m.CupArea) },
           { "rim_area_px2", Number(m.RimArea) },
           { "disc_area_mm2", Scaled(m.DiscArea, mm2) },
           { "cup_area_mm2", Scaled(m.CupArea, mm2) },
           { "rim_area_mm2", Scaled(m.RimArea, mm2) },
           { "equivalent_disc_radius_px", Number(m.EquivalentDiscRadius) },
           { "rim_mean_px", Number(m.MeanRimWidth) },
           { "rim_mean_um", Scaled(m.MeanRimWidth, um) },
           { "min_rim_to_disc", Number(m.MinimumRimToDiscRatio) },
           { "min_rim_theta_deg", Number(m.MinimumRimTheta) },
           { "absent_rim_deg", Number(m.AbsentRimDegrees) },
           { "disc_major_axis_px", Number(m.DiscMajorAxis) },
           { "disc_minor_axis_px", Number(m.DiscMinorAxis) },
           { "disc_ovality", Number(m.DiscOvality) },
           { "disc_axis_angle_deg", Number(m.DiscAxisAngle) },
           { "disc_torsion_deg", Number(m.DiscTorsion) } };
}

JSON Notch(const RimMeasurements & m)
{
  if (!m.HasNotch)
  {
    return nullptr;
  }
  JSON found = JSON::array();
  for (const auto & notch : m.Notches)
  {
    found.push_back({ { "theta_deg", Number(notch.Theta) },
                      { "clock_hour", notch.ClockHour },
                      { "rim_to_disc", Number(notch.RimToDiscRatio) } });
  }
  return { { "present", *m.HasNotch }, { "found", found } };
}

JSON Profile(const RimMeasurements & m)
{
  JSON disc = JSON::array();
  JSON cup = JSON::array();
  for (const auto & ray : m.Profile)
  {
    disc.push_back(Number(ray.DiscRadius));
    cup.push_back(Number(ray.CupRadius));
  }
  return { { "theta_step_deg", 1 }, { "disc_radius_px", disc }, { "cup_radius_px", cup } };
}

bool EndsWith(const std::string & text, const std::string & end)
{
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

std::string ReasonFor(const std::string & path, const FundusResult & result)
{
  const RimMeasurements & m = result.Measurements;
  const std::string       leaf = path.substr(path.rfind('.') + 1);
  if (m.Profile.empty())
  {
    const auto all = m.Missing.find("all");
    return all != m.Missing.end() ? all->second : !result.Message.empty() ? result.Message : "nothing was segmented";
  }
  for (const auto & [name, reason] : m.Missing)
  {
    if (path == name || leaf == name || path.compare(0, name.size() + 1, name + ".") == 0)
    {
      return reason;
    }
  }
  if (!m.MicrometersPerPixel && (EndsWith(leaf, "_um") || EndsWith(leaf, "_mm2")))
  {
    return "no calibration (micrometres per pixel)";
  }
  if (EndsWith(leaf, "confidence"))
  {
    return m.Missing.count("confidence") > 0 ? m.Missing.at("confidence") : "no cup on these rays";
  }
  return "not known";
}

/** Full path of every null below `value` with its reason. */
void CollectReasons(const JSON & value, const std::string & path, const FundusResult & result, JSON & reasons)
{
  if (value.is_null())
  {
    reasons[path] = ReasonFor(path, result);
  }
  else if (value.is_object())
  {
    for (const auto & item : value.items())
    {
      CollectReasons(item.value(), path.empty() ? item.key() : path + "." + item.key(), result, reasons);
    }
  }
}
} // namespace

std::string FundusResultWriter::ToMetricsJSON(const FundusResult & result)
{
  const RimMeasurements & m = result.Measurements;

  JSON measured;
  measured["measurements"] = Measurements(result);
  measured["quadrants"] = Sectors(m.Quadrants, m);
  measured["garway_heath"] = Sectors(m.GarwayHeath, m);
  measured["clock_hours"] = Sectors(m.ClockHours, m);
  measured["image_quadrants"] = Sectors(m.ImageQuadrants, m);
  measured["isnt"] = Rule(m.ISNT, m);
  measured["ist"] = Rule(m.IST, m);
  measured["ddls"] = m.DDLS ? JSON({ { "stage", *m.DDLS }, { "disc_size", m.DDLSDiscSize } }) : JSON(nullptr);
  measured["notch"] = Notch(m);
  measured["confidence"] = { { "disc", Number(m.MeanDiscConfidence) }, { "cup", Number(m.MeanCupConfidence) } };

  JSON reasons = JSON::object();
  CollectReasons(measured, "", result, reasons);
  // A table whose sectors are all unknown for one reason says it once.
  if (!m.Profile.empty() && m.Eye == EyeSideEnum::Unknown)
  {
    for (const char * table : { "garway_heath", "quadrants.N", "quadrants.T" })
    {
      const std::string prefix = std::string(table) + ".";
      for (auto it = reasons.begin(); it != reasons.end();)
      {
        it = it.key().compare(0, prefix.size(), prefix) == 0 ? reasons.erase(it) : std::next(it);
      }
      reasons[table] = m.Missing.at(table);
    }
  }

  JSON flags = JSON::array();
  for (const auto flag : m.Flags)
  {
    flags.push_back(RimQualityFlagToString(flag));
  }

  JSON stages = JSON::object();
  for (const auto & [stage, seconds] : result.StageSeconds)
  {
    stages[stage] = Number(seconds);
  }

  const auto & model = result.Network;
  const auto & locator = result.Localisation;
  JSON         photo(nullptr);
  if (result.Photograph.IsNotNull())
  {
    const auto & stored = result.Photograph->GetStored();
    photo = { { "stored_width_px", stored.Size[0] },
              { "stored_height_px", stored.Size[1] },
              { "exif_orientation", stored.Orientation } };
  }

  JSON document;
  document["schema"] = "npsnet-metrics";
  document["schema_version"] = 1;
  document["research_use"] = "Measurements for research use; not a diagnosis.";
  document["name"] = result.Name;
  document["input_file"] = result.InputFileName;
  document["status"] = FundusStatusToString(result.Status);
  document["message"] = result.Message;
  document["software"] = { { "name", "NPSNetSegmentation" }, { "version", NPSNetVersion() } };
  document["model"] = model.IsKnown() ? JSON({ { "name", TextOrNull(model.Name) },
                                               { "version", TextOrNull(model.Version) },
                                               { "sha256", TextOrNull(model.SHA256) },
                                               { "licence", TextOrNull(model.Licence) },
                                               { "file", TextOrNull(model.FileName) } })
                                      : JSON(nullptr);
  document["locator"] = locator.Method.empty() ? JSON(nullptr)
                                               : JSON({ { "method", locator.Method },
                                                        { "center_px", Position(result, locator.Center) },
                                                        { "diameter_px", Number(locator.Diameter) },
                                                        { "confidence", Number(locator.Confidence) },
                                                        { "model_sha256", TextOrNull(locator.ModelSHA256) } });
  document["tta"] = result.TTA.Mode.empty() ? JSON(nullptr)
                                            : JSON({ { "mode", result.TTA.Mode },
                                                     { "hypotheses", result.TTA.NumberOfHypotheses },
                                                     { "score", Number(result.TTA.Score) } });
  document["crop"] = result.CropGeometry ? JSON({ { "center_px", Position(result, result.CropGeometry->Center) },
                                                  { "side_px", Number(result.CropGeometry->Side) },
                                                  { "size", result.CropGeometry->Size } })
                                         : JSON(nullptr);
  document["device"] = TextOrNull(result.Device);
  document["precision"] = TextOrNull(result.Precision);
  document["photo"] = photo;
  document["eye"] = EyeSideToString(result.Eye);
  document["eye_source"] = EyeSourceToString(result.EyeSource);
  document["calibration"] = { { "um_per_px", Number(m.MicrometersPerPixel) },
                              { "source", TextOrNull(result.CalibrationSource) } };
  document["measured_from"] = m.MeasuredFrom == RimMeasurements::Origin::Boundary ? JSON("boundary")
                              : m.MeasuredFrom == RimMeasurements::Origin::Masks  ? JSON("masks")
                                                                                  : JSON(nullptr);
  document["valid"] = result.Valid ? JSON(*result.Valid) : JSON(nullptr);
  document["flags"] = flags;
  document.update(measured);
  document["profile"] = Profile(m);
  document["boundary"] = result.Boundary.IsNotNull() ? JSON::parse(result.Boundary->ToJSON()) : JSON(nullptr);
  if (result.NetworkBoundary.IsNotNull())
  {
    document["network_boundary"] = JSON::parse(result.NetworkBoundary->ToJSON());
  }
  document["missing"] = reasons;
  document["stage_seconds"] = stages;
  document["seconds"] = Number(result.Seconds);
  // File names may hold bytes that are not UTF-8; they must not cost the result.
  return document.dump(1, ' ', false, JSON::error_handler_t::replace) + "\n";
}
} // namespace itk
