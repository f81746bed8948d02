// SPDX-License-Identifier: Apache-2.0
#include "NPSNetProvenance.h"

#include "itkFundusResultWriter.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <stdexcept>

namespace npsnet
{
namespace
{
using Json = nlohmann::json;

/// Leaves the value alone when the key is missing or null.
template <typename Value> void Read(const Json& json, const char* key, Value& value)
{
  const auto found = json.find(key);
  if (found != json.end() && !found->is_null())
  {
    value = found->get<Value>();
  }
}

template <typename Value> void Read(const Json& json, const char* key, std::optional<Value>& value)
{
  const auto found = json.find(key);
  if (found != json.end() && !found->is_null())
  {
    value = found->get<Value>();
  }
}

/// Enumerators by the text that ITKFilters writes for them.
template <typename Enum, typename ToText>
void ReadEnum(const Json& json, const char* key, Enum last, ToText toText, Enum& value)
{
  std::string text;
  Read(json, key, text);
  for (int i = 0; i <= static_cast<int>(last); ++i)
  {
    if (toText(static_cast<Enum>(i)) == text)
    {
      value = static_cast<Enum>(i);
    }
  }
}

Json GetObject(const Json& json, const char* key)
{
  const auto found = json.find(key);
  return found != json.end() && found->is_object() ? *found : Json::object();
}
} // namespace

std::string GetProvenance(const itk::FundusResult& result)
{
  const Json metrics = Json::parse(itk::FundusResultWriter::ToMetricsJSON(result));
  Json provenance = Json::object();
  for (const char* key : {"schema", "schema_version", "status", "message", "software", "model", "locator", "tta",
         "crop", "device", "precision", "eye", "eye_source", "valid", "seconds", "flags"})
  {
    Read(metrics, key, provenance[key]);
  }
  return provenance.dump();
}

void ReadMetrics(const std::string& text, itk::FundusResult& result)
{
  try
  {
    const Json json = Json::parse(text);
    if (json.value("schema", "") != "npsnet-metrics")
    {
      throw std::runtime_error("This is not a metrics file of NPSNetSegmentation.");
    }
    ReadEnum(json, "status", itk::FundusStatusEnum::Failed, itk::FundusStatusToString, result.Status);
    Read(json, "message", result.Message);
    ReadEnum(json, "eye", itk::EyeSideEnum::OS, itk::EyeSideToString, result.Eye);
    ReadEnum(json, "eye_source", itk::EyeSourceEnum::FileName, itk::EyeSourceToString, result.EyeSource);
    Read(json, "device", result.Device);
    Read(json, "precision", result.Precision);
    Read(json, "valid", result.Valid);
    Read(json, "seconds", result.Seconds);

    const Json model = GetObject(json, "model");
    Read(model, "name", result.Network.Name);
    Read(model, "version", result.Network.Version);
    Read(model, "sha256", result.Network.SHA256);
    Read(model, "licence", result.Network.Licence);
    Read(model, "file", result.Network.FileName);

    const Json locator = GetObject(json, "locator");
    Read(locator, "method", result.Localisation.Method);
    Read(locator, "center_px", result.Localisation.Center);
    if (result.Localisation.Center)
    {
      result.Localisation.Center = result.ToPosition(*result.Localisation.Center);
    }
    Read(locator, "diameter_px", result.Localisation.Diameter);
    Read(locator, "confidence", result.Localisation.Confidence);
    Read(locator, "model_sha256", result.Localisation.ModelSHA256);

    const Json tta = GetObject(json, "tta");
    Read(tta, "mode", result.TTA.Mode);
    Read(tta, "hypotheses", result.TTA.NumberOfHypotheses);
    Read(tta, "score", result.TTA.Score);

    const Json crop = GetObject(json, "crop");
    if (!crop.empty())
    {
      itk::FundusResult::Crop geometry;
      Read(crop, "center_px", geometry.Center);
      geometry.Center = result.ToPosition(geometry.Center);
      Read(crop, "side_px", geometry.Side);
      Read(crop, "size", geometry.Size);
      result.CropGeometry = geometry;
    }
    // The only flag that follows from neither masks nor boundary.
    const std::string uncertain = itk::RimQualityFlagToString(itk::RimQualityFlagEnum::UncertainLocation);
    const auto flags = json.find("flags");
    if (flags != json.end() && std::find(flags->begin(), flags->end(), uncertain) != flags->end())
    {
      result.Measurements.Flags = {itk::RimQualityFlagEnum::UncertainLocation};
    }
    const Json boundary = GetObject(json, "boundary");
    if (!boundary.empty())
    {
      result.Boundary = itk::NestedPolarBoundary::FromJSON(boundary.dump());
    }
  }
  catch (const Json::exception& error)
  {
    throw std::runtime_error(std::string("The metrics are not valid JSON: ") + error.what());
  }
}
} // namespace npsnet
