// SPDX-License-Identifier: Apache-2.0
#include "itkFundusResult.h"
#include "itkNPSNetThrow.h"
#include "itkNPSNetVersion.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace itk
{
namespace
{
using JSON = nlohmann::ordered_json;

JSON ToValue(double value)
{
  return std::isfinite(value) ? JSON(value) : JSON(nullptr);
}

JSON ToValue(const std::string & text)
{
  return text.empty() ? JSON(nullptr) : JSON(text);
}

JSON ToValue(const ContinuousIndex<double, 2> & index)
{
  return JSON::array({ ToValue(index[0]), ToValue(index[1]) });
}

JSON ToValue(bool value)
{
  return value;
}

JSON ToValue(int value)
{
  return value;
}

JSON ToValue(unsigned int value)
{
  return value;
}

template <typename T>
JSON ToValue(const std::optional<T> & value)
{
  return value ? ToValue(*value) : JSON(nullptr);
}

template <typename T>
void FromValue(const JSON & json, T & value)
{
  json.get_to(value);
}

void FromValue(const JSON & json, ContinuousIndex<double, 2> & index)
{
  for (unsigned int k = 0; k < 2; ++k)
  {
    json.at(k).get_to(index[k]);
  }
}

/** Writes fields into an object. */
class Writer
{
public:
  /** Scale 0 is unknown. */
  Writer(JSON & object, double micrometersPerPixel = 0.0)
    : m_Object(object)
    , m_Scale(micrometersPerPixel)
  {
    m_Object = JSON::object();
  }

  template <typename T>
  void operator()(const char * key, const T & value)
  {
    m_Object[key] = ToValue(value);
  }

  /** Null is "". */
  void Text(const char * key, const std::string & text) { m_Object[key] = text; }

  /** What follows from other fields. */
  void Length(const char * key, const std::optional<double> & pixels) { this->Times(key, pixels, m_Scale); }
  void Area(const char * key, const std::optional<double> & pixels)
  {
    this->Times(key, pixels, m_Scale * m_Scale * 1e-6);
  }
  void Ratio(const char * key, const std::optional<double> & value, const std::optional<double> & unit)
  {
    m_Object[key] = value && unit ? ToValue(*value / *unit) : JSON(nullptr);
  }

private:
  void Times(const char * key, const std::optional<double> & value, double scale)
  {
    m_Object[key] = value && scale > 0.0 ? ToValue(*value * scale) : JSON(nullptr);
  }

  JSON & m_Object;
  double m_Scale;
};

/** Reads the same fields; what is not there, or null, stays as it is. */
class Reader
{
public:
  explicit Reader(const JSON & object)
    : m_Object(object)
  {}

  template <typename T>
  void operator()(const char * key, T & value)
  {
    const JSON & found = this->Find(key);
    if (!found.is_null())
    {
      FromValue(found, value);
    }
  }

  template <typename T>
  void operator()(const char * key, std::optional<T> & value)
  {
    const JSON & found = this->Find(key);
    if (!found.is_null())
    {
      FromValue(found, value.emplace());
    }
  }

  void Text(const char * key, std::string & text) { (*this)(key, text); }
  void Length(const char *, const std::optional<double> &) {}
  void Area(const char *, const std::optional<double> &) {}
  void Ratio(const char *, const std::optional<double> &, const std::optional<double> &) {}

  const JSON & Find(const char * key) const
  {
    static const JSON null;
    const auto        found = m_Object.is_object() ? m_Object.find(key) : m_Object.end();
    return found == m_Object.end() ? null : *found;
  }

private:
  const JSON & m_Object;
};

// The fields under their names in the file: the same lists write and read. ---------------------------------------

template <typename TArchive, typename TModel>
void ModelFields(TArchive & archive, TModel & model)
{
  archive("name", model.Name);
  archive("version", model.Version);
  archive("sha256", model.SHA256);
  archive("licence", model.Licence);
  archive("file", model.FileName);
}

template <typename TArchive, typename TLocator>
void LocatorFields(TArchive & archive, TLocator & locator)
{
  archive("method", locator.Method);
  archive("center_px", locator.Center);
  archive("diameter_px", locator.Diameter);
  archive("confidence", locator.Confidence);
  archive("model_sha256", locator.ModelSHA256);
}

template <typename TArchive, typename TAugmentation>
void AugmentationFields(TArchive & archive, TAugmentation & augmentation)
{
  archive("mode", augmentation.Mode);
  archive("hypotheses", augmentation.NumberOfHypotheses);
  archive("score", augmentation.Score);
}

template <typename TArchive, typename TCrop>
void CropFields(TArchive & archive, TCrop & crop)
{
  archive("center_px", crop.Center);
  archive("side_px", crop.Side);
  archive("size", crop.Size);
}

template <typename TArchive, typename TRaster>
void PhotoFields(TArchive & archive, TRaster & raster)
{
  archive("stored_width_px", raster.Width);
  archive("stored_height_px", raster.Height);
  archive("exif_orientation", raster.Orientation);
}

template <typename TArchive, typename TResult>
void CalibrationFields(TArchive & archive, TResult & result)
{
  archive("um_per_px", result.Measurements.MicrometersPerPixel);
  archive("source", result.CalibrationSource);
}

template <typename TArchive, typename TMeasurements>
void MeasurementFields(TArchive & archive, TMeasurements & m)
{
  archive("vcdr", m.VerticalCupToDiscRatio);
  archive("hcdr", m.HorizontalCupToDiscRatio);
  archive("acdr", m.AreaCupToDiscRatio);
  archive("disc_centroid_px", m.DiscCentroid);
  archive("disc_height_px", m.DiscHeight);
  archive("disc_width_px", m.DiscWidth);
  archive("cup_height_px", m.CupHeight);
  archive("cup_width_px", m.CupWidth);
  archive.Length("disc_height_um", m.DiscHeight);
  archive.Length("disc_width_um", m.DiscWidth);
  archive.Length("cup_height_um", m.CupHeight);
  archive.Length("cup_width_um", m.CupWidth);
  archive("disc_area_px2", m.DiscArea);
  archive("cup_area_px2", m.CupArea);
  archive("rim_area_px2", m.RimArea);
  archive.Area("disc_area_mm2", m.DiscArea);
  archive.Area("cup_area_mm2", m.CupArea);
  archive.Area("rim_area_mm2", m.RimArea);
  archive("equivalent_disc_radius_px", m.EquivalentDiscRadius);
  archive("rim_mean_px", m.MeanRimWidth);
  archive.Length("rim_mean_um", m.MeanRimWidth);
  archive("min_rim_to_disc", m.MinimumRimToDiscRatio);
  archive("min_rim_theta_deg", m.MinimumRimTheta);
  archive("absent_rim_deg", m.AbsentRimDegrees);
  archive("disc_major_axis_px", m.DiscMajorAxis);
  archive("disc_minor_axis_px", m.DiscMinorAxis);
  archive("disc_ovality", m.DiscOvality);
  archive("disc_axis_angle_deg", m.DiscAxisAngle);
  archive("disc_torsion_deg", m.DiscTorsion);
}

template <typename TArchive, typename TSector>
void SectorFields(TArchive & archive, TSector & sector, const std::optional<double> & radius)
{
  archive("rim_width_px", sector.RimWidth);
  archive.Length("rim_width_um", sector.RimWidth);
  archive.Ratio("rim_width_norm", sector.RimWidth, radius);
  archive("rim_to_disc", sector.RimToDiscRatio);
  archive("min_rim_to_disc", sector.MinimumRimToDiscRatio);
  archive("rim_area_px2", sector.RimArea);
  archive.Area("rim_area_mm2", sector.RimArea);
  archive("disc_confidence", sector.DiscConfidence);
  archive("cup_confidence", sector.CupConfidence);
}

template <typename TArchive, typename TPair>
void PairFields(TArchive & archive, TPair & pair, const std::optional<double> & radius)
{
  archive.Text("wider", pair.Wider);
  archive.Text("narrower", pair.Narrower);
  archive("margin_px", pair.Margin);
  archive.Ratio("margin_norm", pair.Margin, radius);
}

template <typename TArchive, typename TRule>
void RuleFields(TArchive & archive, TRule & rule, const std::optional<double> & radius)
{
  archive("obeyed", rule.Obeyed);
  archive("margin_px", rule.Margin);
  archive.Ratio("margin_norm", rule.Margin, radius);
}

template <typename TArchive, typename TNotch>
void NotchFields(TArchive & archive, TNotch & notch)
{
  archive("theta_deg", notch.Theta);
  archive("clock_hour", notch.ClockHour);
  archive("rim_to_disc", notch.RimToDiscRatio);
}

template <typename TArchive, typename TMeasurements>
void ScaleFields(TArchive & archive, TMeasurements & m)
{
  archive("stage", m.DDLS);
  archive.Text("disc_size", m.DDLSDiscSize);
}

template <typename TArchive, typename TMeasurements>
void ConfidenceFields(TArchive & archive, TMeasurements & m)
{
  archive("disc", m.MeanDiscConfidence);
  archive("cup", m.MeanCupConfidence);
}

// Writing ----------------------------------------------------------------------------------------------------------

template <typename TFields>
JSON ToObject(TFields && fields, double scale = 0.0)
{
  JSON   object;
  Writer writer(object, scale);
  fields(writer);
  return object;
}

/** Null when nothing in it is known. */
template <typename TFields>
JSON ToObjectOrNull(TFields && fields)
{
  const JSON object = ToObject(fields);
  for (const auto & value : object)
  {
    if (!value.is_null())
    {
      return object;
    }
  }
  return nullptr;
}

JSON Sectors(const std::vector<RimMeasurements::Sector> & sectors, const RimMeasurements & m)
{
  JSON table = JSON::object();
  for (const auto & sector : sectors)
  {
    table[sector.Name] = ToObject([&](auto & writer) { SectorFields(writer, sector, m.EquivalentDiscRadius); },
                                  m.MicrometersPerPixel.value_or(0.0));
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
      array.push_back(ToObject([&](auto & writer) { PairFields(writer, pair, m.EquivalentDiscRadius); }));
    }
    return array;
  };
  JSON object = ToObject([&](auto & writer) { RuleFields(writer, *rule, m.EquivalentDiscRadius); });
  object["pairs"] = pairs(rule->Pairs);
  object["violated"] = pairs(rule->GetViolatedPairs());
  return object;
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
    found.push_back(ToObject([&](auto & writer) { NotchFields(writer, notch); }));
  }
  return { { "present", *m.HasNotch }, { "found", found } };
}

using Angle = RimMeasurements::Angle;
constexpr std::pair<const char *, double Angle::*>                Radii[] = { { "disc_radius_px", &Angle::DiscRadius },
                                                                              { "cup_radius_px", &Angle::CupRadius },
                                                                              { "rim_width_px", &Angle::RimWidth } };
constexpr std::pair<const char *, std::optional<double> Angle::*> RayValues[] = {
  { "rim_to_disc", &Angle::RimToDiscRatio },
  { "disc_confidence", &Angle::DiscConfidence },
  { "cup_confidence", &Angle::CupConfidence }
};

JSON Profile(const RimMeasurements & m)
{
  JSON profile = { { "theta_step_deg", 1 } };
  for (const auto & [key, member] : Radii)
  {
    JSON & values = profile[key] = JSON::array();
    for (const Angle & ray : m.Profile)
    {
      values.push_back(ToValue(ray.*member));
    }
  }
  for (const auto & [key, member] : RayValues)
  {
    JSON & values = profile[key] = JSON::array();
    for (const Angle & ray : m.Profile)
    {
      values.push_back(ToValue(ray.*member));
    }
  }
  return profile;
}

JSON Boundary(const NestedPolarBoundary * boundary)
{
  return boundary != nullptr ? JSON::parse(boundary->ToJSON()) : JSON(nullptr);
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

JSON MeasuredValues(const RimMeasurements & m)
{
  JSON measured;
  measured["measurements"] =
    ToObject([&](auto & writer) { MeasurementFields(writer, m); }, m.MicrometersPerPixel.value_or(0.0));
  measured["quadrants"] = Sectors(m.Quadrants, m);
  measured["garway_heath"] = Sectors(m.GarwayHeath, m);
  measured["clock_hours"] = Sectors(m.ClockHours, m);
  measured["image_quadrants"] = Sectors(m.ImageQuadrants, m);
  measured["isnt"] = Rule(m.ISNT, m);
  measured["ist"] = Rule(m.IST, m);
  measured["ddls"] = m.DDLS ? ToObject([&](auto & writer) { ScaleFields(writer, m); }) : JSON(nullptr);
  measured["notch"] = Notch(m);
  measured["confidence"] = ToObject([&](auto & writer) { ConfidenceFields(writer, m); });
  return measured;
}

/** Why each null is one, under its full path. */
JSON MissingValues(const JSON & measured, const FundusResult & result)
{
  const RimMeasurements & m = result.Measurements;
  JSON                    reasons = JSON::object();
  CollectReasons(measured, "", result, reasons);
  // A table whose sectors are all unknown for one reason says it once.
  if (!m.Profile.empty() && m.Eye == EyeSideEnum::Unknown)
  {
    for (const char * table : { "garway_heath", "quadrants.N", "quadrants.T" })
    {
      const auto reason = m.Missing.find(table);
      if (reason == m.Missing.end())
      {
        continue;
      }
      const std::string prefix = std::string(table) + ".";
      for (auto it = reasons.begin(); it != reasons.end();)
      {
        it = it.key().compare(0, prefix.size(), prefix) == 0 ? reasons.erase(it) : std::next(it);
      }
      reasons[table] = reason->second;
    }
  }
  return reasons;
}

// Reading ----------------------------------------------------------------------------------------------------------

/** Enumerators by the text that is written for them. */
template <typename TEnum, typename TToText>
void ReadEnum(const Reader & reader, const char * key, TEnum last, TToText toText, TEnum & value)
{
  const JSON & text = reader.Find(key);
  for (int i = 0; i <= static_cast<int>(last); ++i)
  {
    if (text == toText(static_cast<TEnum>(i)))
    {
      value = static_cast<TEnum>(i);
    }
  }
}

std::string MeasuredFromToString(RimMeasurements::Origin origin)
{
  return origin == RimMeasurements::Origin::Boundary ? "boundary"
         : origin == RimMeasurements::Origin::Masks  ? "masks"
                                                     : "";
}

std::vector<RimMeasurements::Sector> ReadSectors(const JSON & table)
{
  std::vector<RimMeasurements::Sector> sectors;
  for (const auto & item : table.items())
  {
    Reader reader(item.value());
    sectors.emplace_back().Name = item.key();
    SectorFields(reader, sectors.back(), std::nullopt);
  }
  return sectors;
}

std::optional<RimMeasurements::OrderRule> ReadRule(const JSON & json)
{
  if (json.is_null())
  {
    return std::nullopt;
  }
  RimMeasurements::OrderRule rule;
  Reader                     reader(json);
  RuleFields(reader, rule, std::nullopt);
  for (const auto & item : reader.Find("pairs"))
  {
    Reader pair(item);
    PairFields(pair, rule.Pairs.emplace_back(), std::nullopt);
  }
  return rule;
}

std::vector<Angle> ReadProfile(const Reader & reader)
{
  std::vector<Angle> profile(reader.Find("disc_radius_px").size());
  for (const auto & [key, member] : Radii)
  {
    const JSON & values = reader.Find(key);
    for (std::size_t i = 0; i < profile.size() && i < values.size(); ++i)
    {
      values[i].get_to(profile[i].*member);
    }
  }
  for (const auto & [key, member] : RayValues)
  {
    const JSON & values = reader.Find(key);
    for (std::size_t i = 0; i < profile.size() && i < values.size(); ++i)
    {
      if (!values[i].is_null())
      {
        profile[i].*member = values[i].get<double>();
      }
    }
  }
  return profile;
}

void ReadMeasurements(const Reader & reader, RimMeasurements & m)
{
  for (int i = 0; i <= static_cast<int>(RimMeasurements::Origin::Masks); ++i)
  {
    const auto origin = static_cast<RimMeasurements::Origin>(i);
    m.MeasuredFrom = reader.Find("measured_from") == MeasuredFromToString(origin) ? origin : m.MeasuredFrom;
  }
  Reader measured(reader.Find("measurements"));
  MeasurementFields(measured, m);
  m.Quadrants = ReadSectors(reader.Find("quadrants"));
  m.GarwayHeath = ReadSectors(reader.Find("garway_heath"));
  m.ClockHours = ReadSectors(reader.Find("clock_hours"));
  m.ImageQuadrants = ReadSectors(reader.Find("image_quadrants"));
  m.ISNT = ReadRule(reader.Find("isnt"));
  m.IST = ReadRule(reader.Find("ist"));
  Reader scale(reader.Find("ddls"));
  ScaleFields(scale, m);
  Reader notch(reader.Find("notch"));
  notch("present", m.HasNotch);
  for (const auto & item : notch.Find("found"))
  {
    Reader found(item);
    NotchFields(found, m.Notches.emplace_back());
  }
  Reader confidence(reader.Find("confidence"));
  ConfidenceFields(confidence, m);
  m.Profile = ReadProfile(Reader(reader.Find("profile")));
  for (const auto & name : reader.Find("flags"))
  {
    for (int i = 0; i <= static_cast<int>(RimQualityFlagEnum::UncertainLocation); ++i)
    {
      const auto flag = static_cast<RimQualityFlagEnum>(i);
      if (name == RimQualityFlagToString(flag))
      {
        m.Flags.push_back(flag);
      }
    }
  }
  for (const auto & item : reader.Find("reasons").items())
  {
    m.Missing[item.key()] = item.value().get<std::string>();
  }
}

NestedPolarBoundary::ConstPointer ReadBoundary(const JSON & json)
{
  return json.is_null() ? nullptr : NestedPolarBoundary::FromJSON(json.dump()).GetPointer();
}
} // namespace

std::string FundusResult::ToJSON(int indent) const
{
  const RimMeasurements & m = Measurements;
  const JSON              measured = MeasuredValues(m);
  const std::string       measuredFrom = MeasuredFromToString(m.MeasuredFrom);

  JSON flags = JSON::array();
  for (const auto flag : m.Flags)
  {
    flags.push_back(RimQualityFlagToString(flag));
  }
  JSON stages = JSON::object();
  for (const auto & [stage, seconds] : StageSeconds)
  {
    stages[stage] = ToValue(seconds);
  }

  JSON document;
  document["schema"] = "npsnet-metrics";
  document["schema_version"] = 1;
  document["research_use"] = "Measurements for research use; not a diagnosis.";
  document["name"] = Name;
  document["input_file"] = InputFileName;
  document["status"] = FundusStatusToString(Status);
  document["message"] = Message;
  document["software"] = { { "name", "NPSNetSegmentation" }, { "version", NPSNetVersion() } };
  document["model"] = ToObjectOrNull([&](auto & writer) { ModelFields(writer, Network); });
  document["locator"] = ToObjectOrNull([&](auto & writer) { LocatorFields(writer, Localisation); });
  const bool augmented = !TTA.Mode.empty() || TTA.NumberOfHypotheses > 0 || TTA.Score.has_value();
  document["tta"] = augmented ? ToObject([&](auto & writer) { AugmentationFields(writer, TTA); }) : JSON(nullptr);
  document["crop"] = CropGeometry ? ToObject([&](auto & writer) { CropFields(writer, *CropGeometry); }) : JSON(nullptr);
  document["device"] = ToValue(Device);
  document["precision"] = ToValue(Precision);
  document["photo"] = Stored ? ToObject([&](auto & writer) { PhotoFields(writer, *Stored); }) : JSON(nullptr);
  document["eye"] = EyeSideToString(Eye);
  document["eye_source"] = EyeSourceToString(EyeSource);
  document["calibration"] = ToObject([&](auto & writer) { CalibrationFields(writer, *this); });
  document["measured_from"] = ToValue(measuredFrom);
  document["valid"] = ToValue(Valid);
  document["flags"] = flags;
  document.update(measured);
  document["profile"] = Profile(m);
  document["boundary"] = itk::Boundary(Boundary);
  if (NetworkBoundary.IsNotNull())
  {
    document["network_boundary"] = itk::Boundary(NetworkBoundary);
  }
  document["missing"] = MissingValues(measured, *this);
  document["reasons"] = m.Missing;
  document["stage_seconds"] = stages;
  document["seconds"] = ToValue(Seconds);
  return document.dump(indent, ' ', false, JSON::error_handler_t::replace) + (indent < 0 ? "" : "\n");
}

FundusResult FundusResult::FromJSON(const std::string & text)
{
  try
  {
    const JSON document = JSON::parse(text);
    Reader     reader(document);
    if (reader.Find("schema") != "npsnet-metrics")
    {
      npsnetThrow("This is not a metrics file of NPSNetSegmentation.");
    }
    FundusResult result;
    reader.Text("name", result.Name);
    reader.Text("input_file", result.InputFileName);
    ReadEnum(reader, "status", FundusStatusEnum::Failed, FundusStatusToString, result.Status);
    reader.Text("message", result.Message);
    Reader model(reader.Find("model"));
    ModelFields(model, result.Network);
    Reader locator(reader.Find("locator"));
    LocatorFields(locator, result.Localisation);
    Reader augmentation(reader.Find("tta"));
    AugmentationFields(augmentation, result.TTA);
    if (!reader.Find("crop").is_null())
    {
      Reader crop(reader.Find("crop"));
      CropFields(crop, result.CropGeometry.emplace());
    }
    reader("device", result.Device);
    reader("precision", result.Precision);
    if (!reader.Find("photo").is_null())
    {
      Reader photo(reader.Find("photo"));
      PhotoFields(photo, result.Stored.emplace());
    }
    ReadEnum(reader, "eye", EyeSideEnum::OS, EyeSideToString, result.Eye);
    ReadEnum(reader, "eye_source", EyeSourceEnum::FileName, EyeSourceToString, result.EyeSource);
    result.Measurements.Eye = result.Eye;
    Reader calibration(reader.Find("calibration"));
    CalibrationFields(calibration, result);
    reader("valid", result.Valid);
    ReadMeasurements(reader, result.Measurements);
    result.Boundary = ReadBoundary(reader.Find("boundary"));
    result.NetworkBoundary = ReadBoundary(reader.Find("network_boundary"));
    for (const auto & stage : reader.Find("stage_seconds").items())
    {
      result.StageSeconds.emplace_back(stage.key(), stage.value().get<double>());
    }
    reader("seconds", result.Seconds);
    return result;
  }
  catch (const JSON::exception & error)
  {
    npsnetThrow("This is not a metrics file of NPSNetSegmentation: " << error.what());
  }
}
} // namespace itk
