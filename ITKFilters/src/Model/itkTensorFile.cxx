// SPDX-License-Identifier: Apache-2.0
#include "itkTensorFile.h"
#include "itkAtomicFile.h"
#include "itkNPSNetThrow.h"
#include "itkSHA256.h"
#include "itkStoredZipArchive.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <fstream>

namespace itk
{
namespace
{
struct ElementDescription
{
  TensorElementEnum Element;
  const char *      Name;
  std::size_t       Size;
};

constexpr ElementDescription Elements[] = {
  { TensorElementEnum::F64, "F64", 8 },   { TensorElementEnum::F32, "F32", 4 }, { TensorElementEnum::F16, "F16", 2 },
  { TensorElementEnum::BF16, "BF16", 2 }, { TensorElementEnum::I64, "I64", 8 }, { TensorElementEnum::I32, "I32", 4 },
  { TensorElementEnum::I16, "I16", 2 },   { TensorElementEnum::I8, "I8", 1 },   { TensorElementEnum::U8, "U8", 1 },
  { TensorElementEnum::BOOL, "BOOL", 1 }
};

const ElementDescription & Describe(TensorElementEnum element)
{
  return Elements[static_cast<std::size_t>(element)];
}

constexpr std::size_t MaximumHeaderSize = std::size_t{ 1 } << 24;
constexpr std::size_t DataAlignment = 64;

std::vector<std::int64_t> ContiguousStrides(const std::vector<std::int64_t> & shape)
{
  std::vector<std::int64_t> strides(shape.size());
  std::int64_t              stride = 1;
  for (std::size_t i = shape.size(); i-- > 0;)
  {
    strides[i] = stride;
    stride *= shape[i];
  }
  return strides;
}

std::size_t NumberOfBytes(const TensorView & view)
{
  return static_cast<std::size_t>(view.GetNumberOfElements()) * TensorElementSize(view.Element);
}
} // namespace

std::size_t TensorElementSize(TensorElementEnum element)
{
  return Describe(element).Size;
}

const char * TensorElementToString(TensorElementEnum element)
{
  return Describe(element).Name;
}

std::int64_t TensorView::GetNumberOfElements() const
{
  std::int64_t count = 1;
  for (const auto size : this->Shape)
  {
    count *= size;
  }
  return count;
}

void TensorView::SetContiguous()
{
  this->Strides = ContiguousStrides(this->Shape);
}

std::string TensorShapeToString(const std::vector<std::int64_t> & shape)
{
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i)
  {
    text += (i > 0 ? ", " : "") + std::to_string(shape[i]);
  }
  return text + "]";
}

TensorFile::TensorFile(const std::string & fileName)
  : m_File(std::make_shared<MappedFile>(fileName))
{
  const unsigned char * data = m_File->GetData();
  const std::size_t     size = m_File->GetSize();
  if (StoredZipArchive::IsZip(*m_File))
  {
    this->ReadTorchCheckpoint();
  }
  else if (size > 8 && data[8] == '{')
  {
    this->ReadSafetensors();
  }
  else if (size >= 2 && data[0] == 0x80)
  {
    npsnetThrow(fileName << " was saved by PyTorch older than 1.6: load it there with torch.load and save it again.");
  }
  else
  {
    npsnetThrow(
      fileName << " is neither a model file of this project nor a PyTorch checkpoint (.pth): give one of the two.");
  }
}

void TensorFile::ReadSafetensors()
{
  const std::string &   fileName = m_File->GetFileName();
  const unsigned char * data = m_File->GetData();
  std::uint64_t         headerSize = 0;
  for (unsigned int i = 0; i < 8; ++i)
  {
    headerSize |= std::uint64_t{ data[i] } << (8 * i);
  }
  if (headerSize > MaximumHeaderSize || headerSize > m_File->GetSize() - 8)
  {
    npsnetThrow(fileName << " is truncated or no model file: its header claims " << headerSize << " bytes.");
  }
  m_DataOffset = 8 + static_cast<std::size_t>(headerSize);
  const std::uint64_t dataSize = m_File->GetSize() - m_DataOffset;
  std::uint64_t       used = 0;
  try
  {
    const auto header = nlohmann::json::parse(
      data + 8, data + m_DataOffset, [&fileName](int depth, nlohmann::json::parse_event_t, nlohmann::json &) {
        if (depth > 8)
        {
          npsnetThrow(fileName << " is not a model file: its header is nested too deeply.");
        }
        return true;
      });
    for (const auto & item : header.items())
    {
      if (item.key() == "__metadata__")
      {
        m_Metadata = item.value().get<std::map<std::string, std::string>>();
        continue;
      }
      const auto elementName = item.value().at("dtype").get<std::string>();
      const auto element =
        std::find_if(std::begin(Elements), std::end(Elements), [&elementName](const auto & candidate) {
          return elementName == candidate.Name;
        });
      if (element == std::end(Elements))
      {
        npsnetThrow(fileName << ": the tensor \"" << item.key() << "\" has the unknown element type " << elementName
                             << '.');
      }
      const auto shape = item.value().at("shape").get<std::vector<std::uint64_t>>();
      const auto offsets = item.value().at("data_offsets").get<std::array<std::uint64_t, 2>>();
      // The number of bytes without overflow, also of the other extents of an empty tensor.
      const std::uint64_t limit = dataSize + element->Size;
      std::uint64_t       bytes = element->Size;
      bool                empty = false;
      for (const auto extent : shape)
      {
        empty = empty || extent == 0;
        bytes = (extent != 0 && bytes > limit / extent) ? limit + 1 : bytes * std::max<std::uint64_t>(extent, 1);
      }
      if (shape.size() > 16 || bytes > limit || offsets[0] > offsets[1] || offsets[1] > dataSize ||
          offsets[1] - offsets[0] != (empty ? 0 : bytes))
      {
        npsnetThrow(fileName << " is truncated or damaged: the tensor \"" << item.key() << "\" of " << elementName
                             << " does not fit its place in the file.");
      }
      used = std::max(used, offsets[1]);
      TensorView & view = m_Tensors[item.key()];
      view.Element = element->Element;
      view.Shape.assign(shape.begin(), shape.end());
      view.SetContiguous();
      view.Data = data + m_DataOffset + offsets[0];
    }
  }
  catch (const nlohmann::json::exception & error)
  {
    npsnetThrow(fileName << " is not a model file, or a damaged one: its header cannot be read (" << error.what()
                         << ").");
  }
  if (used != dataSize)
  {
    npsnetThrow(fileName << " is damaged: " << dataSize - used << " bytes after the last tensor belong to none.");
  }
}

std::string TensorFile::ComputeDataSHA256() const
{
  return SHA256::OfBytes(m_File->GetData() + m_DataOffset, m_File->GetSize() - m_DataOffset);
}

/** Larger elements first, so that each tensor is aligned to its element without holes, which the format forbids. */
TensorFile::OrderType TensorFile::FileOrder(const TensorMapType & tensors)
{
  OrderType order;
  for (auto tensor = tensors.begin(); tensor != tensors.end(); ++tensor)
  {
    if (tensor->second.Strides != ContiguousStrides(tensor->second.Shape))
    {
      npsnetThrow("The tensor \"" << tensor->first << "\" must be contiguous to be written.");
    }
    order.push_back(tensor);
  }
  std::stable_sort(order.begin(), order.end(), [](const auto & a, const auto & b) {
    return TensorElementSize(a->second.Element) > TensorElementSize(b->second.Element);
  });
  return order;
}

std::string TensorFile::ComputeDataSHA256(const OrderType & order)
{
  SHA256 hash;
  for (const auto & tensor : order)
  {
    hash.Update(tensor->second.Data, NumberOfBytes(tensor->second));
  }
  return hash.Finalize();
}

void TensorFile::WriteOrdered(const std::string &                        fileName,
                              const OrderType &                          order,
                              const std::map<std::string, std::string> & metadata)
{
  nlohmann::ordered_json header;
  header["__metadata__"] = metadata;
  std::uint64_t offset = 0;
  for (const auto & tensor : order)
  {
    const std::uint64_t end = offset + NumberOfBytes(tensor->second);
    header[tensor->first] = { { "dtype", TensorElementToString(tensor->second.Element) },
                              { "shape", tensor->second.Shape },
                              { "data_offsets", { offset, end } } };
    offset = end;
  }
  std::string text = header.dump();
  text.resize((8 + text.size() + DataAlignment - 1) / DataAlignment * DataAlignment - 8, ' ');

  AtomicFile          target(fileName);
  std::ofstream       file(target.GetTemporaryName(), std::ios::binary | std::ios::trunc);
  const std::uint64_t size = text.size();
  for (unsigned int i = 0; i < 8; ++i)
  {
    file.put(static_cast<char>(size >> (8 * i)));
  }
  file << text;
  for (const auto & tensor : order)
  {
    file.write(reinterpret_cast<const char *>(tensor->second.Data),
               static_cast<std::streamsize>(NumberOfBytes(tensor->second)));
  }
  file.close();
  if (!file)
  {
    npsnetThrow("Cannot write " << fileName << ": make sure that the folder exists and has free space.");
  }
  target.Commit();
}
} // namespace itk
