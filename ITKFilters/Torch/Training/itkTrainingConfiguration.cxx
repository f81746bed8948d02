// SPDX-License-Identifier: Apache-2.0
#include "itkTrainingConfiguration.h"

#include "itkNPSNetThrow.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <set>

namespace itk
{
namespace
{
struct Range
{
  const char * Words;
  bool (*Holds)(double);
};
constexpr Range Positive{ "above 0", [](double v) { return v > 0.0; } };
constexpr Range NotNegative{ "at least 0", [](double v) { return v >= 0.0; } };
constexpr Range Part{ "from 0 to 1", [](double v) { return v >= 0.0 && v <= 1.0; } };
constexpr Range BelowOne{ "at least 0 and below 1", [](double v) { return v >= 0.0 && v < 1.0; } };
constexpr Range Whole{ "a whole number from 0 to 1000000000",
                       [](double v) { return v >= 0.0 && v <= 1e9 && v == std::floor(v); } };
constexpr Range FewFromOne{ "a whole number from 1 to 256",
                            [](double v) { return v >= 1.0 && v <= 256.0 && v == std::floor(v); } };
constexpr Range Few{ "a whole number from 0 to 256",
                     [](double v) { return v >= 0.0 && v <= 256.0 && v == std::floor(v); } };
constexpr Range WholeFromOne{ "a whole number from 1 to 1000000000",
                              [](double v) { return v >= 1.0 && v <= 1e9 && v == std::floor(v); } };

template <typename T>
void SetNumber(const nlohmann::json & json, const std::string & name, const Range & range, T & value)
{
  if (!json.is_number() || !std::isfinite(json.get<double>()) || !range.Holds(json.get<double>()))
  {
    npsnetThrow("\"" << name << "\" of a training configuration is " << range.Words << ", not " << json.dump() << '.');
  }
  value = json.get<T>();
}

template <typename T>
void ReadNumber(const nlohmann::json & json, const char * name, const Range & range, T & value)
{
  const auto found = json.find(name);
  if (found != json.end())
  {
    SetNumber(*found, name, range, value);
  }
}

struct Field
{
  const char * Name;
  double *     Value;
  Range        Allowed{ NotNegative };
};

/** Numbers by name; anything else in the object is an error. */
void ReadNumbers(const nlohmann::json & json, const char * part, std::initializer_list<Field> fields)
{
  for (const auto & item : json.items())
  {
    const auto field =
      std::find_if(fields.begin(), fields.end(), [&](const Field & f) { return item.key() == f.Name; });
    if (field == fields.end())
    {
      npsnetThrow("\"" << item.key() << "\" is not a number that \"" << part
                       << "\" of a training configuration knows.");
    }
    SetNumber(item.value(), item.key(), field->Allowed, *field->Value);
  }
}

void CheckKeys(const nlohmann::json & json, const std::string & what, const std::set<std::string> & known)
{
  if (!json.is_object())
  {
    npsnetThrow(what << " is not a JSON object: write { \"name\": value }.");
  }
  for (const auto & item : json.items())
  {
    if (known.count(item.key()) == 0)
    {
      npsnetThrow(what << " has an unknown entry \"" << item.key() << "\": remove or correct it.");
    }
  }
}

std::set<std::string> KeysOf(const nlohmann::json & json)
{
  std::set<std::string> keys;
  for (const auto & item : json.items())
  {
    keys.insert(item.key());
  }
  return keys;
}
} // namespace

DataSelection ReadDataSelection(const nlohmann::json & configuration)
{
  DataSelection d;
  const auto    data = configuration.value("data", nlohmann::json::object());
  const auto    sets = data.value("sets", nlohmann::json::object());
  for (const auto & item : sets.items())
  {
    SetNumber(item.value(), item.key(), WholeFromOne, d.Sets[item.key()]);
  }
  if (d.Sets.empty())
  {
    npsnetThrow("The configuration names no data sets: give \"data\": {\"sets\": {\"name\": 1}}.");
  }
  d.TrainingSplit = data.value("train_split", d.TrainingSplit);
  d.ValidationSplit = data.value("val_split", d.ValidationSplit);
  ReadNumber(data, "limit", Whole, d.Limit);
  ReadNumber(data, "balance_cup_ratio", Part, d.CupRatioBalance);
  const auto undrawn = data.value("undrawn_cup", std::string("empty"));
  if (undrawn != "empty" && undrawn != "bound" && undrawn != "leave_out")
  {
    npsnetThrow("\"undrawn_cup\" of a training configuration's data is empty, bound or leave_out, not \"" << undrawn
                                                                                                          << "\".");
  }
  d.UndrawnCup = undrawn == "bound"       ? UndrawnCupEnum::Bound
                 : undrawn == "leave_out" ? UndrawnCupEnum::LeaveOut
                                          : UndrawnCupEnum::Empty;
  return d;
}

NPSNetModelMetadata ReadModelMetadata(const nlohmann::json & configuration)
{
  NPSNetModelMetadata m;
  const auto          model = configuration.value("model", nlohmann::json::object());
  m.Task = configuration.value("task", m.Task);
  m.Name = model.value("name", std::string("npsnet"));
  m.Version = model.value("version", std::string());
  m.Description = model.value("description", std::string());
  m.Licence = model.value("licence", std::string());
  m.Authors = model.value("authors", std::string());
  for (const auto & set : ReadDataSelection(configuration).Sets)
  {
    m.TrainingSets.push_back(set.first);
  }
  return m;
}

NPSNetStorageEnum ReadModelStorage(const nlohmann::json & configuration)
{
  const auto name = configuration.value("model", nlohmann::json::object()).value("storage", std::string("fp16"));
  for (const auto & known : { std::make_pair("fp32", NPSNetStorageEnum::Float32),
                              std::make_pair("fp16", NPSNetStorageEnum::Float16),
                              std::make_pair("int8", NPSNetStorageEnum::Int8),
                              std::make_pair("int6", NPSNetStorageEnum::Int6) })
  {
    if (name == known.first)
    {
      return known.second;
    }
  }
  npsnetThrow("\"storage\" of a training configuration's model is fp32, fp16, int8 or int6, not \"" << name << "\".");
}

NPSNetLossWeights ReadLossWeights(const nlohmann::json & json)
{
  NPSNetLossWeights w;
  ReadNumbers(json,
              "losses",
              { { "cart", &w.Cartesian },
                { "polar", &w.Polar },
                { "rim", &w.Rim },
                { "dist", &w.Distribution },
                { "shape", &w.Shape },
                { "smooth", &w.Smoothness },
                { "cons", &w.Consistency },
                { "bound", &w.Bound },
                { "largest_undrawn_cup", &w.LargestUndrawnCup, Part },
                { "shape_start", &w.ShapeStart, Part },
                { "cons_start", &w.ConsistencyStart, Part } });
  return w;
}

FundusAppearanceRanges ReadAppearanceRanges(const nlohmann::json & json)
{
  FundusAppearanceRanges r;
  ReadNumbers(json,
              "augmentation",
              { { "strength", &r.Strength },
                { "least_strength", &r.LeastStrength },
                { "gain_probability", &r.GainProbability, Part },
                { "gain", &r.Gain },
                { "gamma_probability", &r.GammaProbability, Part },
                { "gamma", &r.Gamma },
                { "contrast_probability", &r.ContrastProbability, Part },
                { "contrast", &r.Contrast },
                { "brightness", &r.Brightness },
                { "mixing_probability", &r.MixingProbability, Part },
                { "saturation", &r.Saturation },
                { "mixing", &r.Mixing },
                { "grey_probability", &r.GreyProbability, Part },
                { "gradient_probability", &r.GradientProbability, Part },
                { "gradient", &r.Gradient },
                { "vignetting_probability", &r.VignettingProbability, Part },
                { "vignetting", &r.Vignetting },
                { "haze_probability", &r.HazeProbability, Part },
                { "haze", &r.Haze },
                { "blur_probability", &r.BlurProbability, Part },
                { "blur", &r.Blur },
                { "resample_probability", &r.ResampleProbability, Part },
                { "resample", &r.Resample },
                { "sharpen_probability", &r.SharpenProbability, Part },
                { "sharpen", &r.Sharpen },
                { "noise_probability", &r.NoiseProbability, Part },
                { "noise", &r.Noise },
                { "compression_probability", &r.CompressionProbability, Part },
                { "compression", &r.Compression },
                { "field_edge_probability", &r.FieldEdgeProbability, Part } });
  return r;
}

CropJitter ReadCropJitter(const nlohmann::json & json)
{
  CropJitter j;
  ReadNumbers(json,
              "crop",
              { { "side_low", &j.SideLow, Positive },
                { "side_high", &j.SideHigh, Positive },
                { "centre", &j.Centre },
                { "rotation", &j.Rotation },
                { "aspect", &j.Aspect },
                { "exact_probability", &j.ExactProbability, Part },
                { "near_probability", &j.NearProbability, Part },
                { "near_side", &j.NearSide },
                { "near_centre", &j.NearCentre },
                { "flip_probability", &j.FlipProbability, Part },
                { "mirror_probability", &j.MirrorProbability, Part },
                { "cupping_probability", &j.CuppingProbability, Part },
                { "cupping", &j.Cupping, { "at least 0 and below 0.5", [](double v) { return v >= 0.0 && v < 0.5; } } },
                { "cut_probability", &j.CutProbability, Part },
                { "cut_low", &j.CutLow, { "at least 1", [](double v) { return v >= 1.0; } } },
                { "cut_high", &j.CutHigh, Positive } });
  if (j.SideHigh < j.SideLow || j.CutHigh < j.CutLow)
  {
    npsnetThrow("\"side_high\" and \"cut_high\" of a training configuration are no less than \"side_low\" and "
                "\"cut_low\".");
  }
  return j;
}

LocatorSampling ReadLocatorSampling(const nlohmann::json & json)
{
  LocatorSampling s;
  auto            numbers = json;
  // Texts are what earlier versions asked for.
  const auto threshold = numbers.find("confidence_threshold");
  if (threshold != numbers.end() && threshold->is_string())
  {
    const auto number = nlohmann::json::parse(threshold->get<std::string>(), nullptr, false);
    *threshold = number.is_number() ? number : *threshold;
  }
  ReadNumbers(numbers,
              "locator",
              { { "empty_probability", &s.EmptyProbability, Part },
                { "unrelated_probability", &s.UnrelatedProbability, Part },
                { "spot_probability", &s.SpotProbability, Part },
                { "turn_probability", &s.TurnProbability, Part },
                { "smallest_disc", &s.SmallestDisc, Positive },
                { "largest_disc", &s.LargestDisc, Positive },
                { "confidence_threshold", &s.ConfidenceThreshold, Part } });
  if (s.LargestDisc < s.SmallestDisc)
  {
    npsnetThrow("\"largest_disc\" of a training configuration is no less than \"smallest_disc\".");
  }
  return s;
}

TrainingSettings ReadTrainingSettings(const nlohmann::json & c)
{
  TrainingSettings s;
  ReadNumber(c, "epochs", WholeFromOne, s.Epochs);
  ReadNumber(c, "batch", WholeFromOne, s.BatchSize);
  ReadNumber(c, "learning_rate", Positive, s.LearningRate);
  ReadNumber(c, "weight_decay", NotNegative, s.WeightDecay);
  ReadNumber(c, "gradient_clip", Positive, s.GradientClip);
  ReadNumber(c, "average_decay", BelowOne, s.AverageDecay);
  s.Seed = c.value("seed", s.Seed);
  ReadNumber(c, "threads", FewFromOne, s.Threads);
  ReadNumber(c, "workers", Few, s.Workers);
  ReadNumber(c, "validate_every", Whole, s.ValidateEvery);
  s.ValidateEvery = std::max<std::size_t>(1, s.ValidateEvery);
  ReadNumber(c, "time_limit_minutes", NotNegative, s.TimeLimitMinutes);
  s.Device = c.value("device", s.Device);
  s.ChannelsLast = c.value("channels_last", s.ChannelsLast);
  s.Recipe = c;
  for (const char * key : { "threads", "workers", "device", "time_limit_minutes" })
  {
    s.Recipe.erase(key);
  }
  if (s.Recipe.contains("data"))
  {
    s.Recipe.at("data").erase("index");
  }
  return s;
}

void CheckConfiguration(const nlohmann::json & configuration)
{
  static const std::set<std::string> known = { "task",           "model",
                                               "data",           "architecture",
                                               "crop",           "augmentation",
                                               "losses",         "epochs",
                                               "batch",          "learning_rate",
                                               "weight_decay",   "gradient_clip",
                                               "seed",           "average_decay",
                                               "threads",        "workers",
                                               "device",         "channels_last",
                                               "validate_every", "soft_edges",
                                               "locator",        "time_limit_minutes",
                                               "initial_model" };
  CheckKeys(configuration, "The training configuration", known);
  const std::pair<const char *, std::set<std::string>> parts[] = {
    { "model", { "name", "version", "description", "licence", "authors", "storage" } },
    { "data", { "index", "sets", "train_split", "val_split", "limit", "balance_cup_ratio", "undrawn_cup" } },
    { "architecture", KeysOf(nlohmann::json::parse(NPSNetArchitecture().ToJSON())) }
  };
  for (const auto & part : parts)
  {
    if (configuration.contains(part.first))
    {
      CheckKeys(
        configuration.at(part.first), std::string("\"") + part.first + "\" of the training configuration", part.second);
    }
  }
  const auto part = [&configuration](const char * name) { return configuration.value(name, nlohmann::json::object()); };
  ReadTrainingSettings(configuration);
  ReadLossWeights(part("losses"));
  ReadAppearanceRanges(part("augmentation"));
  ReadCropJitter(part("crop"));
  ReadLocatorSampling(part("locator"));
}
} // namespace itk
