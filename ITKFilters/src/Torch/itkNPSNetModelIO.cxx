#include "itkNPSNetModelIO.h"
#include "itkNPSNetThrow.h"
#include "itkTensorFile.h"

#include <ctime>

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
                      bool                        halfPrecision)
{
  NPSNetStateType           stored;
  TensorFile::TensorMapType views;
  for (const auto & item : state)
  {
    torch::Tensor tensor = item.second.detach().to(torch::kCPU);
    if (tensor.is_floating_point())
    {
      tensor = tensor.to(halfPrecision ? torch::kHalf : torch::kFloat);
      if (!torch::isfinite(tensor).all().item<bool>())
      {
        npsnetThrow("The tensor \"" << item.first << "\" holds values that are not finite"
                                    << (halfPrecision ? " in fp16: store the model as fp32." : "."));
      }
    }
    tensor = tensor.contiguous();
    stored[item.first] = tensor;
    TensorView & view = views[item.first];
    view.Element = FromScalarType(tensor.scalar_type());
    view.Shape = tensor.sizes().vec();
    view.Data = static_cast<const unsigned char *>(tensor.data_ptr());
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
