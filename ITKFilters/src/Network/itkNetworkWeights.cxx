// SPDX-License-Identifier: Apache-2.0
#include "itkNetworkWeights.h"

#include "itkNPSNetThrow.h"

#include <cmath>
#include <cstring>

namespace itk
{
namespace npsnet
{
namespace
{
constexpr char ScaleEnd[] = ".scale";

bool EndsWith(const std::string & text, const std::string & end)
{
  return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

template <typename T>
T ReadAs(const unsigned char * bytes)
{
  T value;
  std::memcpy(&value, bytes, sizeof(T)); // the bytes of a zip entry need not be aligned
  return value;
}

float HalfToFloat(std::uint16_t half)
{
  const int    exponent = (half >> 10) & 31;
  const int    fraction = half & 1023;
  const double sign = (half & 0x8000) != 0 ? -1.0 : 1.0;
  if (exponent == 31)
  {
    return fraction != 0 ? std::nanf("") : static_cast<float>(sign * INFINITY);
  }
  return static_cast<float>(sign *
                            (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25)));
}

float BrainFloatToFloat(std::uint16_t brain)
{
  const std::uint32_t bits = static_cast<std::uint32_t>(brain) << 16;
  float               value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

float ReadElement(TensorElementEnum element, const unsigned char * bytes)
{
  switch (element)
  {
    case TensorElementEnum::F64:
      return static_cast<float>(ReadAs<double>(bytes));
    case TensorElementEnum::F32:
      return ReadAs<float>(bytes);
    case TensorElementEnum::F16:
      return HalfToFloat(ReadAs<std::uint16_t>(bytes));
    case TensorElementEnum::BF16:
      return BrainFloatToFloat(ReadAs<std::uint16_t>(bytes));
    case TensorElementEnum::I64:
      return static_cast<float>(ReadAs<std::int64_t>(bytes));
    case TensorElementEnum::I32:
      return static_cast<float>(ReadAs<std::int32_t>(bytes));
    case TensorElementEnum::I16:
      return static_cast<float>(ReadAs<std::int16_t>(bytes));
    case TensorElementEnum::I8:
      return static_cast<float>(ReadAs<std::int8_t>(bytes));
    case TensorElementEnum::U8:
      return static_cast<float>(*bytes);
    case TensorElementEnum::BOOL:
      return *bytes != 0 ? 1.0F : 0.0F;
  }
  return 0.0F;
}

bool IsContiguous(const TensorView & view)
{
  TensorView dense = view;
  dense.SetContiguous();
  return dense.Strides == view.Strides;
}

std::vector<float> ReadAll(const TensorView & view)
{
  const auto         count = static_cast<std::size_t>(view.GetNumberOfElements());
  const auto         size = TensorElementSize(view.Element);
  const bool         dense = IsContiguous(view);
  std::vector<float> values(count);
  if (dense && view.Element == TensorElementEnum::F32)
  {
    std::memcpy(values.data(), view.Data, count * sizeof(float));
    return values;
  }
  if (dense)
  {
    for (std::size_t i = 0; i < count; ++i)
    {
      values[i] = ReadElement(view.Element, view.Data + i * size);
    }
    return values;
  }
  std::vector<std::int64_t> index(view.Shape.size(), 0);
  for (float & value : values)
  {
    std::int64_t offset = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis)
    {
      offset += index[axis] * view.Strides[axis];
    }
    value = ReadElement(view.Element, view.Data + offset * static_cast<std::int64_t>(size));
    for (std::size_t axis = index.size(); axis-- > 0 && ++index[axis] == view.Shape[axis];)
    {
      index[axis] = 0;
    }
  }
  return values;
}

bool IsFloatingPoint(TensorElementEnum element)
{
  return element == TensorElementEnum::F64 || element == TensorElementEnum::F32 || element == TensorElementEnum::F16 ||
         element == TensorElementEnum::BF16;
}

/** Multiplies a tensor stored as bytes by the scales of its first axis. */
void Scale(std::vector<float> & values,
           const TensorView &   view,
           const std::string &  scaleName,
           const TensorView &   scale)
{
  NetworkWeights::ShapeType shape(view.Shape.size(), 1);
  if (!shape.empty())
  {
    shape.front() = view.Shape.front();
  }
  if (scale.Shape != shape || !IsFloatingPoint(scale.Element))
  {
    npsnetThrow("The tensor \"" << scaleName << "\" has shape " << TensorShapeToString(scale.Shape) << " where \""
                                << scaleName.substr(0, scaleName.size() - std::strlen(ScaleEnd)) << "\" needs "
                                << TensorShapeToString(shape) << ": the model file was written wrongly.");
  }
  const auto  factors = ReadAll(scale);
  std::size_t each = factors.empty() ? 0 : values.size() / factors.size();
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    values[i] *= factors[i / each];
  }
}
} // namespace

std::vector<float> NetworkWeights::Take(const std::string & name, const ShapeType & shape)
{
  const auto & tensors = m_File.GetTensors();
  const auto   found = tensors.find(name);
  if (found == tensors.end())
  {
    npsnetThrow("The weights lack the tensor \"" << name << "\" " << TensorShapeToString(shape) << " of " << m_What
                                                 << '.');
  }
  const TensorView & view = found->second;
  if (view.Shape != shape)
  {
    npsnetThrow("The tensor \"" << name << "\" has shape " << TensorShapeToString(view.Shape) << " where " << m_What
                                << " needs " << TensorShapeToString(shape) << '.');
  }
  m_Taken.insert(name);
  auto       values = ReadAll(view);
  const auto scale = tensors.find(name + ScaleEnd);
  if (view.Element == TensorElementEnum::I8 && scale != tensors.end())
  {
    m_Taken.insert(scale->first);
    Scale(values, view, scale->first, scale->second);
  }
  float zero = 0.0F; // stays so unless a value is not finite
  for (const float value : values)
  {
    zero += value * 0.0F;
  }
  if (!(zero == 0.0F))
  {
    npsnetThrow("The tensor \"" << name << "\" holds values that are not finite.");
  }
  return values;
}

void NetworkWeights::RequireAllTaken() const
{
  for (const auto & tensor : m_File.GetTensors())
  {
    if (m_Taken.count(tensor.first) == 0 && !IsDerived(tensor.first) && !EndsWith(tensor.first, ".num_batches_tracked"))
    {
      npsnetThrow("The weights hold the tensor \"" << tensor.first << "\" that " << m_What << " does not have.");
    }
  }
}

bool NetworkWeights::IsDerived(const std::string & name)
{
  const auto startsWith = [&name](const std::string & prefix) { return name.compare(0, prefix.size(), prefix) == 0; };
  return startsWith("polar_grid.") || startsWith("polar_to_cart.") || startsWith("warper.") || startsWith("geom.") ||
         name == "shape_prior.rho";
}
} // namespace npsnet
} // namespace itk
