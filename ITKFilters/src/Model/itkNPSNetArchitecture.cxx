// SPDX-License-Identifier: Apache-2.0
#include "itkNPSNetArchitecture.h"

#include "itkEnumText.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

namespace itk
{
namespace
{
constexpr EnumText<NPSNetVariant> VariantNames[] = { { NPSNetVariant::UNet, "unet" },
                                                     { NPSNetVariant::PolarUNet, "b1" },
                                                     { NPSNetVariant::Monotone, "b2" },
                                                     { NPSNetVariant::Nested, "b3" },
                                                     { NPSNetVariant::ShapePrior, "b4" } };

auto AllFields(const NPSNetArchitecture & a)
{
  return std::tie(a.Variant,
                  a.Channels,
                  a.ShapeFeatures,
                  a.NumberOfRadii,
                  a.NumberOfAngles,
                  a.CropSize,
                  a.NormGroups,
                  a.GroupNormStages,
                  a.ShapeTemperature,
                  a.PriorSoftness,
                  a.ContextFeatures,
                  a.HeadContextFeatures,
                  a.ContextHarmonics,
                  a.ChannelOrder,
                  a.ClaheClipLimit,
                  a.ClaheTiles,
                  a.Extra);
}

template <typename T>
void ReadIfPresent(const nlohmann::json & json, const char * key, T & value)
{
  const auto found = json.find(key);
  if (found != json.end())
  {
    value = found->get<T>();
  }
}
} // namespace

std::string NPSNetVariantToString(NPSNetVariant variant)
{
  return EnumToText(VariantNames, variant);
}

NPSNetVariant NPSNetVariantFromString(const std::string & name)
{
  const auto variant = EnumFromText(VariantNames, name);
  if (!variant)
  {
    itkGenericExceptionMacro("Unknown network variant \"" << name << "\": use " << EnumChoices(VariantNames) << '.');
  }
  return *variant;
}

bool NPSNetArchitecture::operator==(const NPSNetArchitecture & other) const
{
  return AllFields(*this) == AllFields(other);
}

void NPSNetArchitecture::Validate() const
{
  if (Channels.empty() || Channels.size() > 8)
  {
    itkGenericExceptionMacro("A network needs 1 to 8 encoder stages, not " << Channels.size() << '.');
  }
  for (std::size_t i = 0; i < Channels.size(); ++i)
  {
    const bool grouped = IsMonotone() && i < GroupNormStages;
    const auto groups = std::min(NormGroups, Channels[i]);
    if (Channels[i] == 0 || Channels[i] > 65536 || (grouped && (groups == 0 || Channels[i] % groups != 0)))
    {
      itkGenericExceptionMacro("Stage " << i + 1 << " cannot have " << Channels[i]
                                        << " channels: give a positive multiple of the " << NormGroups
                                        << " norm groups.");
    }
  }
  const unsigned smallest = 1u << Channels.size();
  if (NumberOfRadii < smallest || NumberOfAngles < smallest || CropSize < smallest ||
      std::max({ NumberOfRadii, NumberOfAngles, CropSize }) > 65536)
  {
    itkGenericExceptionMacro("The polar grid and the crop need at least " << smallest << " samples a side for "
                                                                          << Channels.size() << " encoder stages.");
  }
  if (!IsPolar() && CropSize % smallest != 0)
  {
    itkGenericExceptionMacro("The crop size of a UNet must be a multiple of " << smallest << ", not " << CropSize
                                                                              << '.');
  }
  if (HasShapePrior() && (ShapeFeatures == 0 || ShapeFeatures > 65536))
  {
    itkGenericExceptionMacro("The shape prior needs a positive number of features, not " << ShapeFeatures << '.');
  }
  if (!(ShapeTemperature > 0.0) || !(PriorSoftness > 0.0))
  {
    itkGenericExceptionMacro("The temperatures of the shape prior must be positive.");
  }
  const auto contextFeatures = std::max(ContextFeatures, HeadContextFeatures);
  if (contextFeatures > 0 && (!IsMonotone() || contextFeatures > 4096 || ContextHarmonics > 16))
  {
    itkGenericExceptionMacro(
      "An angular context belongs to the variants b2, b3 and b4 and has at most 4096 features and "
      "16 harmonics, not "
      << contextFeatures << " and " << ContextHarmonics << " in " << NPSNetVariantToString(Variant) << '.');
  }
  if (ChannelOrder != "BGR" && ChannelOrder != "RGB")
  {
    itkGenericExceptionMacro("The channel order must be BGR or RGB, not \"" << ChannelOrder << "\".");
  }
  if (!(ClaheClipLimit >= 0.0) || ClaheTiles == 0)
  {
    itkGenericExceptionMacro("CLAHE needs a clip limit of 0 or more and at least one tile.");
  }
}

std::string NPSNetArchitecture::ToJSON() const
{
  const nlohmann::json json = { { "variant", NPSNetVariantToString(Variant) },
                                { "channels", Channels },
                                { "shape_features", ShapeFeatures },
                                { "radii", NumberOfRadii },
                                { "angles", NumberOfAngles },
                                { "crop_size", CropSize },
                                { "norm_groups", NormGroups },
                                { "group_norm_stages", GroupNormStages },
                                { "shape_temperature", ShapeTemperature },
                                { "prior_softness", PriorSoftness },
                                { "context_features", ContextFeatures },
                                { "head_context_features", HeadContextFeatures },
                                { "context_harmonics", ContextHarmonics },
                                { "channel_order", ChannelOrder },
                                { "clahe_clip_limit", ClaheClipLimit },
                                { "clahe_tiles", ClaheTiles },
                                { "extra", Extra } };
  return json.dump();
}

NPSNetArchitecture NPSNetArchitecture::FromJSON(const std::string & text)
{
  NPSNetArchitecture a;
  try
  {
    const auto json = nlohmann::json::parse(text);
    if (!json.is_object())
    {
      itkGenericExceptionMacro("The description of the network is not a JSON object.");
    }
    if (json.contains("variant"))
    {
      a.Variant = NPSNetVariantFromString(json.at("variant").get<std::string>());
    }
    ReadIfPresent(json, "channels", a.Channels);
    ReadIfPresent(json, "shape_features", a.ShapeFeatures);
    ReadIfPresent(json, "radii", a.NumberOfRadii);
    ReadIfPresent(json, "angles", a.NumberOfAngles);
    ReadIfPresent(json, "crop_size", a.CropSize);
    ReadIfPresent(json, "norm_groups", a.NormGroups);
    ReadIfPresent(json, "group_norm_stages", a.GroupNormStages);
    ReadIfPresent(json, "shape_temperature", a.ShapeTemperature);
    ReadIfPresent(json, "prior_softness", a.PriorSoftness);
    ReadIfPresent(json, "context_features", a.ContextFeatures);
    ReadIfPresent(json, "head_context_features", a.HeadContextFeatures);
    ReadIfPresent(json, "context_harmonics", a.ContextHarmonics);
    ReadIfPresent(json, "channel_order", a.ChannelOrder);
    ReadIfPresent(json, "clahe_clip_limit", a.ClaheClipLimit);
    ReadIfPresent(json, "clahe_tiles", a.ClaheTiles);
    ReadIfPresent(json, "extra", a.Extra);
  }
  catch (const nlohmann::json::exception & error)
  {
    itkGenericExceptionMacro("The description of the network cannot be read: " << error.what());
  }
  a.Validate();
  return a;
}
} // namespace itk
