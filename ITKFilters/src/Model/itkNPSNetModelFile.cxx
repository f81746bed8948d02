// SPDX-License-Identifier: Apache-2.0
#include "itkNPSNetModelFile.h"
#include "itkNPSNetThrow.h"
#include "itkSHA256.h"
#include "itkTensorFile.h"

#include <nlohmann/json.hpp>

#include <filesystem>

namespace itk
{
namespace
{
constexpr unsigned int NewestFormatVersion = 1;
constexpr const char * MetadataKey = "npsnet";

using ShapesType = std::map<std::string, std::vector<std::int64_t>>;

/** Looks tensors up by name and complains about what is missing or differs. */
class ShapeReader
{
public:
  explicit ShapeReader(const ShapesType & shapes)
    : m_Shapes(shapes)
  {}

  bool Has(const std::string & name) const { return m_Shapes.count(name) > 0; }

  /** A negative extent matches any and is replaced by what was found. */
  std::vector<std::int64_t> Require(const std::string & name, std::vector<std::int64_t> expected) const
  {
    const auto found = m_Shapes.find(name);
    if (found == m_Shapes.end())
    {
      npsnetThrow("the tensor \"" << name << "\" is missing");
    }
    const std::vector<std::int64_t> & shape = found->second;
    bool                              matches = shape.size() == expected.size();
    for (std::size_t i = 0; matches && i < shape.size(); ++i)
    {
      matches = shape[i] > 0 && (expected[i] < 0 || expected[i] == shape[i]);
    }
    if (!matches)
    {
      std::string text = TensorShapeToString(expected);
      for (std::size_t at = text.find("-1"); at != std::string::npos; at = text.find("-1"))
      {
        text.replace(at, 2, "n");
      }
      npsnetThrow("the tensor \"" << name << "\" has the shape " << TensorShapeToString(shape) << " where " << text
                                  << " is expected");
    }
    return shape;
  }

  void ReadExtent(const std::string & name, std::size_t axis, unsigned int & value) const
  {
    const auto found = m_Shapes.find(name);
    if (found != m_Shapes.end() && found->second.size() > axis && found->second[axis] > 0 &&
        found->second[axis] <= 65536)
    {
      value = static_cast<unsigned int>(found->second[axis]);
    }
  }

private:
  const ShapesType & m_Shapes;
};

NPSNetVariant InferVariant(const ShapeReader & shapes)
{
  if (shapes.Has("polar_unet.encoders.0.double_conv.block.0.conv.weight"))
  {
    if (shapes.Has("shape_prior.disc_dist_head.weight"))
    {
      return NPSNetVariant::ShapePrior;
    }
    return shapes.Has("cup_gate.cup_dec_conv.weight") ? NPSNetVariant::Nested : NPSNetVariant::Monotone;
  }
  if (shapes.Has("encoders.0.double_conv.block.0.conv.weight"))
  {
    return NPSNetVariant::PolarUNet;
  }
  if (shapes.Has("encoders.0.double_conv.conv.0.weight"))
  {
    return NPSNetVariant::UNet;
  }
  npsnetThrow("the first layer \"polar_unet.encoders.0.double_conv.block.0.conv.weight\" is missing");
}

void InferEncoderDecoder(const ShapeReader & shapes, NPSNetArchitecture & a)
{
  const std::string prefix = a.IsMonotone() ? "polar_unet." : "";
  const std::string block = a.IsPolar() ? ".block." : ".conv.";
  const std::string weight = a.IsPolar() ? ".conv.weight" : ".weight";
  const auto        first = [&](const std::string & stage) { return stage + block + "0" + weight; };
  const auto        second = [&](const std::string & stage) { return stage + block + "3" + weight; };
  const auto        encoder = [&](std::size_t i) { return prefix + "encoders." + std::to_string(i) + ".double_conv"; };

  a.Channels.clear();
  std::int64_t channels = 3;
  while (a.Channels.size() <= 8 && shapes.Has(first(encoder(a.Channels.size()))))
  {
    const std::string stage = encoder(a.Channels.size());
    channels = shapes.Require(first(stage), { -1, channels, 3, 3 })[0];
    shapes.Require(second(stage), { channels, channels, 3, 3 });
    a.Channels.push_back(static_cast<unsigned int>(channels));
  }
  shapes.Require(first(prefix + "bottleneck"), { 2 * channels, channels, 3, 3 });
  shapes.Require(second(prefix + "bottleneck"), { 2 * channels, 2 * channels, 3, 3 });

  a.GroupNormStages = 0;
  while (a.GroupNormStages < a.Channels.size() && !shapes.Has(encoder(a.GroupNormStages) + block + "1.running_mean"))
  {
    ++a.GroupNormStages;
  }
}
} // namespace

NPSNetArchitecture InferNPSNetArchitecture(const ShapesType & shapeMap, const NPSNetArchitecture & defaults)
{
  const ShapeReader  shapes(shapeMap);
  NPSNetArchitecture a = defaults;
  a.Variant = InferVariant(shapes);
  InferEncoderDecoder(shapes, a);
  if (a.HasShapePrior())
  {
    const std::int64_t features = shapes.Require("shape_prior.angular_net.0.conv.weight", { -1, a.Channels[0], 5 })[0];
    shapes.Require("shape_prior.angular_net.3.conv.weight", { features, features, 5 });
    const std::int64_t radii = shapes.Require("shape_prior.disc_dist_head.weight", { -1, features, 1 })[0];
    shapes.Require("shape_prior.alpha_dist_head.weight", { radii, features, 1 });
    a.ShapeFeatures = static_cast<unsigned int>(features);
    a.NumberOfRadii = static_cast<unsigned int>(radii);
  }
  else
  {
    shapes.ReadExtent("polar_grid.grid", 1, a.NumberOfRadii);
    shapes.ReadExtent("polar_grid.rho", 0, a.NumberOfRadii);
  }
  shapes.ReadExtent("polar_grid.grid", 2, a.NumberOfAngles);
  shapes.ReadExtent("polar_grid.theta", 0, a.NumberOfAngles);
  shapes.ReadExtent("warper.inside_circle", 0, a.CropSize);
  a.Validate();
  return a;
}

std::string NPSNetModelMetadata::ToJSON() const
{
  const nlohmann::ordered_json json = { { "format_version", this->FormatVersion },
                                        { "task", this->Task },
                                        { "name", this->Name },
                                        { "version", this->Version },
                                        { "description", this->Description },
                                        { "architecture", nlohmann::ordered_json::parse(this->Architecture.ToJSON()) },
                                        { "training_sets", this->TrainingSets },
                                        { "licence", this->Licence },
                                        { "authors", this->Authors },
                                        { "created", this->Created },
                                        { "tensor_sha256", this->TensorSHA256 } };
  return json.dump();
}

NPSNetModelMetadata NPSNetModelMetadata::FromJSON(const std::string & text)
{
  NPSNetModelMetadata metadata;
  try
  {
    const auto json = nlohmann::json::parse(text);
    metadata.FormatVersion = json.at("format_version").get<unsigned int>();
    metadata.Task = json.at("task").get<std::string>();
    metadata.Name = json.value("name", std::string());
    metadata.Version = json.value("version", std::string());
    metadata.Description = json.value("description", std::string());
    metadata.Architecture = NPSNetArchitecture::FromJSON(json.at("architecture").dump());
    metadata.TrainingSets = json.value("training_sets", std::vector<std::string>());
    metadata.Licence = json.value("licence", std::string());
    metadata.Authors = json.value("authors", std::string());
    metadata.Created = json.value("created", std::string());
    metadata.TensorSHA256 = json.value("tensor_sha256", std::string());
  }
  catch (const nlohmann::json::exception & error)
  {
    npsnetThrow("its metadata cannot be read (" << error.what() << ")");
  }
  return metadata;
}

NPSNetModelFile::NPSNetModelFile(const std::string & fileName)
  : m_Tensors(std::make_shared<TensorFile>(fileName))
{
  m_SHA256 = std::async(std::launch::async, [tensors = m_Tensors.get()] {
    return SHA256::OfBytes(tensors->GetFile().GetData(), tensors->GetFile().GetSize());
  });
  const auto & entries = m_Tensors->GetMetadata();
  if (m_Tensors->IsTorchCheckpoint())
  {
    m_Metadata.Name = std::filesystem::path(fileName).stem().string();
    for (const auto & entry : entries)
    {
      m_Metadata.Description += (m_Metadata.Description.empty() ? "" : ", ") + entry.first + " " + entry.second;
    }
  }
  else if (entries.count(MetadataKey) == 0)
  {
    npsnetThrow(
      fileName << " is a safetensors file without the metadata of this project: give a model that npsnet train wrote.");
  }
  try
  {
    if (m_Tensors->IsTorchCheckpoint())
    {
      m_Metadata.Architecture = InferNPSNetArchitecture(this->GetShapes());
      return;
    }
    m_Metadata = NPSNetModelMetadata::FromJSON(entries.at(MetadataKey));
    if (m_Metadata.FormatVersion == 0 || m_Metadata.FormatVersion > NewestFormatVersion)
    {
      npsnetThrow("it has format version " << m_Metadata.FormatVersion << ", this program reads up to "
                                           << NewestFormatVersion << ": update NPSNetSegmentation");
    }
    if (m_Metadata.Task == "segmentation")
    {
      const NPSNetArchitecture & claimed = m_Metadata.Architecture;
      const NPSNetArchitecture   found = InferNPSNetArchitecture(this->GetShapes(), claimed);
      auto                       comparable = claimed;
      if (!claimed.IsMonotone())
      {
        comparable.GroupNormStages = found.GroupNormStages; // the mask baselines have no GroupNorm
      }
      if (found != comparable)
      {
        npsnetThrow("its metadata describe another network (" << claimed.ToJSON() << ") than its tensors make up ("
                                                              << found.ToJSON() << ")");
      }
    }
    else if (m_Metadata.Task != "locator")
    {
      npsnetThrow("its task \"" << m_Metadata.Task << "\" is unknown: expected segmentation or locator");
    }
  }
  catch (const ExceptionObject & error)
  {
    npsnetThrow(fileName << " does not hold a network that can be used: " << error.GetDescription() << '.');
  }
  if (m_Tensors->ComputeDataSHA256() != m_Metadata.TensorSHA256)
  {
    npsnetThrow(fileName << " is damaged: its weights do not match their checksum; download or copy it again.");
  }
}

NPSNetModelFile::~NPSNetModelFile() = default;

const std::string & NPSNetModelFile::GetFileName() const
{
  return m_Tensors->GetFile().GetFileName();
}

bool NPSNetModelFile::IsTorchCheckpoint() const
{
  return m_Tensors->IsTorchCheckpoint();
}

ShapesType NPSNetModelFile::GetShapes() const
{
  ShapesType shapes;
  for (const auto & tensor : m_Tensors->GetTensors())
  {
    shapes[tensor.first] = tensor.second.Shape;
  }
  return shapes;
}
} // namespace itk
