#include "itkTrainingConfiguration.h"

#include "itkNPSNetThrow.h"

#include <initializer_list>
#include <set>

namespace itk
{
namespace
{
using Field = std::pair<const char *, double *>;

/** Numbers by name; anything else in the object is an error. */
void ReadNumbers(const nlohmann::json & json, const char * part, std::initializer_list<Field> fields)
{
  for (const auto & item : json.items())
  {
    bool known = false;
    for (const auto & field : fields)
    {
      if (item.key() == field.first && item.value().is_number())
      {
        *field.second = item.value().get<double>();
        known = true;
      }
    }
    if (!known)
    {
      npsnetThrow("\"" << item.key() << "\" is no number that \"" << part << "\" of a training configuration knows.");
    }
  }
}
} // namespace

DataSelection ReadDataSelection(const nlohmann::json & configuration)
{
  DataSelection d;
  const auto    data = configuration.value("data", nlohmann::json::object());
  const auto    sets = data.value("sets", nlohmann::json::object());
  for (const auto & item : sets.items())
  {
    d.Sets[item.key()] = item.value().get<unsigned int>();
  }
  if (d.Sets.empty())
  {
    npsnetThrow("The configuration names no data sets: give \"data\": {\"sets\": {\"name\": 1}}.");
  }
  d.TrainingSplit = data.value("train_split", d.TrainingSplit);
  d.ValidationSplit = data.value("val_split", d.ValidationSplit);
  d.Limit = data.value("limit", d.Limit);
  d.CupRatioBalance = data.value("balance_cup_ratio", d.CupRatioBalance);
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
                { "shape_start", &w.ShapeStart },
                { "cons_start", &w.ConsistencyStart } });
  return w;
}

FundusAppearanceRanges ReadAppearanceRanges(const nlohmann::json & json)
{
  FundusAppearanceRanges r;
  ReadNumbers(json,
              "augmentation",
              { { "strength", &r.Strength },
                { "least_strength", &r.LeastStrength },
                { "gain_probability", &r.GainProbability },
                { "gain", &r.Gain },
                { "gamma_probability", &r.GammaProbability },
                { "gamma", &r.Gamma },
                { "contrast_probability", &r.ContrastProbability },
                { "contrast", &r.Contrast },
                { "brightness", &r.Brightness },
                { "mixing_probability", &r.MixingProbability },
                { "saturation", &r.Saturation },
                { "mixing", &r.Mixing },
                { "grey_probability", &r.GreyProbability },
                { "gradient_probability", &r.GradientProbability },
                { "gradient", &r.Gradient },
                { "vignetting_probability", &r.VignettingProbability },
                { "vignetting", &r.Vignetting },
                { "haze_probability", &r.HazeProbability },
                { "haze", &r.Haze },
                { "blur_probability", &r.BlurProbability },
                { "blur", &r.Blur },
                { "resample_probability", &r.ResampleProbability },
                { "resample", &r.Resample },
                { "sharpen_probability", &r.SharpenProbability },
                { "sharpen", &r.Sharpen },
                { "noise_probability", &r.NoiseProbability },
                { "noise", &r.Noise },
                { "compression_probability", &r.CompressionProbability },
                { "compression", &r.Compression },
                { "field_edge_probability", &r.FieldEdgeProbability } });
  return r;
}

TrainingSettings ReadTrainingSettings(const nlohmann::json & c)
{
  TrainingSettings s;
  s.Epochs = c.value("epochs", s.Epochs);
  s.BatchSize = c.value("batch", s.BatchSize);
  s.LearningRate = c.value("learning_rate", s.LearningRate);
  s.WeightDecay = c.value("weight_decay", s.WeightDecay);
  s.GradientClip = c.value("gradient_clip", s.GradientClip);
  s.AverageDecay = c.value("average_decay", s.AverageDecay);
  s.Seed = c.value("seed", s.Seed);
  s.Threads = c.value("threads", s.Threads);
  s.Workers = c.value("workers", s.Workers);
  s.ValidateEvery = std::max<std::size_t>(1, c.value("validate_every", s.ValidateEvery));
  s.TimeLimitMinutes = c.value("time_limit_minutes", s.TimeLimitMinutes);
  s.Device = c.value("device", s.Device);
  s.ChannelsLast = c.value("channels_last", s.ChannelsLast);
  return s;
}

void CheckConfigurationKeys(const nlohmann::json & configuration)
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
  for (const auto & item : configuration.items())
  {
    if (known.count(item.key()) == 0)
    {
      npsnetThrow("The training configuration has an unknown entry \"" << item.key() << "\": remove or correct it.");
    }
  }
}
} // namespace itk
