// SPDX-License-Identifier: Apache-2.0
#include "itkNPSNetModelIO.h"
#include "itkNPSNetThrow.h"
#include "itkTensorFile.h"

#include <algorithm>
#include <ctime>
#include <tuple>
#include <utility>

namespace itk
{
namespace
{
constexpr std::pair<TensorElementEnum, at::ScalarType> ElementTypes[] = {
  { TensorElementEnum::F64, torch::kDouble }, { TensorElementEnum::F32, torch::kFloat },
  { TensorElementEnum::F16, torch::kHalf },   { TensorElementEnum::BF16, torch::kBFloat16 },
  { TensorElementEnum::I64, torch::kLong },   { TensorElementEnum::I32, torch::kInt },
  { TensorElementEnum::I16, torch::kShort },  { TensorElementEnum::I8, torch::kChar },
  { TensorElementEnum::U8, torch::kByte },    { TensorElementEnum::BOOL, torch::kBool }
};

at::ScalarType ToScalarType(TensorElementEnum element)
{
  for (const auto & pair : ElementTypes)
  {
    if (pair.first == element)
    {
      return pair.second;
    }
  }
  npsnetThrow("Unknown element type.");
}

TensorElementEnum FromScalarType(at::ScalarType type)
{
  for (const auto & pair : ElementTypes)
  {
    if (pair.second == type)
    {
      return pair.first;
    }
  }
  npsnetThrow("Tensors of " << c10::toString(type) << " cannot be written to a model file.");
}

constexpr char ScaleEnd[] = ".scale";

/** Multiplies tensors stored as bytes by their scales, which leave the state. */
void ApplyScales(NPSNetStateType & state)
{
  for (auto item = state.begin(); item != state.end(); ++item)
  {
    const auto scale = state.find(item->first + ScaleEnd);
    if (item->second.scalar_type() != torch::kChar || scale == state.end())
    {
      continue;
    }
    auto shape = item->second.sizes().vec();
    std::fill(shape.begin() + std::min<std::size_t>(1, shape.size()), shape.end(), 1);
    if (scale->second.sizes() != shape || !scale->second.is_floating_point())
    {
      npsnetThrow("The tensor \"" << scale->first << "\" has shape " << scale->second.sizes() << " where \""
                                  << item->first << "\" needs " << torch::IntArrayRef(shape)
                                  << ": the model file was written wrongly.");
    }
    item->second = item->second.to(torch::kFloat) * scale->second.to(torch::kFloat);
    state.erase(scale);
  }
}

/** The bytes from -largest to largest, and the scale that gives the tensor back to within half of it. */
std::pair<torch::Tensor, torch::Tensor> ToBytes(const torch::Tensor & tensor, double largest)
{
  auto shape = tensor.sizes().vec();
  std::fill(shape.begin() + 1, shape.end(), 1);
  const auto most = tensor.flatten(1).abs().amax(1).view(shape).to(torch::kFloat);
  const auto scale = torch::where(most > 0, most / largest, torch::ones_like(most));
  return { (tensor / scale).round().to(torch::kChar), scale };
}

NPSNetStateType MakeTensors(const TensorFile & file, bool borrow)
{
  NPSNetStateType state;
  for (const auto & item : file.GetTensors())
  {
    const TensorView & view = item.second;
    const auto         type = ToScalarType(view.Element);
    // The bytes of a zip entry need not be aligned to their element: copy them as bytes first.
    std::int64_t extent = view.GetNumberOfElements() > 0 ? 1 : 0;
    for (std::size_t i = 0; extent > 0 && i < view.Shape.size(); ++i)
    {
      extent += (view.Shape[i] - 1) * view.Strides[i];
    }
    const auto elementSize = TensorElementSize(view.Element);
    const auto bytes = extent * static_cast<std::int64_t>(elementSize);
    const bool aligned = reinterpret_cast<std::uintptr_t>(view.Data) % elementSize == 0;
    const auto mapped = torch::from_blob(const_cast<unsigned char *>(view.Data), { bytes }, torch::kByte);
    const auto raw = borrow && aligned ? mapped : mapped.clone();
    const auto flat = type == torch::kBool ? raw.ne(0) : raw.view(type);
    state[item.first] = flat.as_strided(view.Shape, view.Strides).contiguous();
  }
  ApplyScales(state);
  return state;
}

std::string CurrentTime()
{
  const std::time_t now = std::time(nullptr);
  std::tm           utc = {};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}
} // namespace

NPSNetStateType ReadNPSNetState(const NPSNetModelFile & file)
{
  return MakeTensors(file.GetTensorFile(), false);
}

NPSNetStateType BorrowNPSNetState(const NPSNetModelFile & file)
{
  return MakeTensors(file.GetTensorFile(), true);
}

NPSNetStateType ReadTensors(const std::string & fileName)
{
  return MakeTensors(TensorFile(fileName), false);
}

void WriteNPSNetModel(const std::string &         fileName,
                      const NPSNetModelMetadata & metadata,
                      const NPSNetStateType &     state,
                      NPSNetStorageEnum           storage)
{
  NPSNetStateType stored;
  for (const auto & item : state)
  {
    const auto tensor = item.second.detach().to(torch::kCPU);
    if (!tensor.is_floating_point())
    {
      stored[item.first] = tensor;
      continue;
    }
    const auto kept = tensor.to(storage == NPSNetStorageEnum::Float32 ? torch::kFloat : torch::kHalf);
    if (!torch::isfinite(kept).all().item<bool>())
    {
      npsnetThrow("The tensor \"" << item.first << "\" holds values that are not finite"
                                  << (kept.scalar_type() == torch::kHalf ? " in fp16: store the model as fp32." : "."));
    }
    if ((storage == NPSNetStorageEnum::Int8 || storage == NPSNetStorageEnum::Int6) && tensor.dim() > 1)
    {
      const double largest = storage == NPSNetStorageEnum::Int8 ? 127.0 : 23.0;
      std::tie(stored[item.first], stored[item.first + ScaleEnd]) = ToBytes(tensor, largest);
    }
    else
    {
      stored[item.first] = kept;
    }
  }
  TensorFile::TensorMapType views;
  for (auto & item : stored)
  {
    item.second = item.second.contiguous();
    TensorView & view = views[item.first];
    view.Element = FromScalarType(item.second.scalar_type());
    view.Shape = item.second.sizes().vec();
    view.Data = static_cast<const unsigned char *>(item.second.data_ptr());
    view.SetContiguous();
  }
  NPSNetModelMetadata complete = metadata;
  if (complete.Created.empty())
  {
    complete.Created = CurrentTime();
  }
  TensorFile::Write(fileName, views, [&complete](const std::string & digest) {
    complete.TensorSHA256 = digest;
    return std::map<std::string, std::string>{ { "npsnet", complete.ToJSON() } };
  });
}
} // namespace itk
