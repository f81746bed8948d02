// SPDX-License-Identifier: Apache-2.0
#include "itkNPSNetThrow.h"
#include "itkPickleProgram.h"
#include "itkStoredZipArchive.h"
#include "itkTensorFile.h"

#include <cmath>
#include <stdexcept>

namespace itk
{
namespace
{
using Kind = PickleValue::Kind;

struct StorageClass
{
  std::string_view  Name;
  TensorElementEnum Element;
};

constexpr StorageClass StorageClasses[] = {
  { "DoubleStorage", TensorElementEnum::F64 }, { "FloatStorage", TensorElementEnum::F32 },
  { "HalfStorage", TensorElementEnum::F16 },   { "BFloat16Storage", TensorElementEnum::BF16 },
  { "LongStorage", TensorElementEnum::I64 },   { "IntStorage", TensorElementEnum::I32 },
  { "ShortStorage", TensorElementEnum::I16 },  { "CharStorage", TensorElementEnum::I8 },
  { "ByteStorage", TensorElementEnum::U8 },    { "BoolStorage", TensorElementEnum::BOOL },
};

// One text of a pickle may be named many times: without limits its copies would outgrow the file.
constexpr std::size_t MaximumNameSize = 512;
constexpr std::size_t MaximumNumberOfScalars = 256;

class CheckpointReader
{
public:
  CheckpointReader(const std::string &      fileName,
                   const StoredZipArchive & archive,
                   const PickleProgram &    program,
                   std::string              prefix)
    : m_FileName(fileName)
    , m_Archive(archive)
    , m_Program(program)
    , m_Prefix(std::move(prefix))
  {}

  const PickleValue & FindStateDictionary() const
  {
    const PickleValue & root = m_Program.GetRoot();
    if (root.Type == Kind::Opaque)
    {
      npsnetThrow(
        m_FileName
        << " holds a whole pickled object, which would have to be executed: save model.state_dict() instead.");
    }
    for (const char * key : { "model_state_dict", "state_dict", "model" })
    {
      const PickleValue * found = m_Program.Find(root, key);
      if (found && found->Type == Kind::Dictionary)
      {
        return *found;
      }
    }
    if (root.Type != Kind::Dictionary)
    {
      npsnetThrow(m_FileName << " holds no model_state_dict, state_dict or bare dictionary of tensors.");
    }
    return root;
  }

  TensorFile::TensorMapType ReadTensors(const PickleValue & dictionary) const
  {
    TensorFile::TensorMapType tensors;
    for (const auto & pair : dictionary.Pairs)
    {
      const PickleValue & key = m_Program.Get(pair.first);
      const PickleValue & value = m_Program.Get(pair.second);
      if (key.Type == Kind::String && key.Text.size() <= MaximumNameSize && value.Type == Kind::Tensor)
      {
        const std::string name(key.Text);
        tensors[name] = this->ReadTensor(name, value);
      }
    }
    if (tensors.empty())
    {
      npsnetThrow(m_FileName << " holds no model_state_dict, state_dict or bare dictionary of tensors.");
    }
    return tensors;
  }

  std::map<std::string, std::string> ReadScalars(const PickleValue & dictionary) const
  {
    std::map<std::string, std::string> scalars;
    for (const auto & pair : dictionary.Pairs)
    {
      const PickleValue & key = m_Program.Get(pair.first);
      const PickleValue & value = m_Program.Get(pair.second);
      if (key.Type != Kind::String || key.Text.size() > MaximumNameSize || scalars.size() >= MaximumNumberOfScalars)
      {
        continue;
      }
      const std::string name(key.Text);
      if (value.Type == Kind::Integer)
      {
        scalars[name] = std::to_string(value.Integer);
      }
      else if (value.Type == Kind::Real && std::isfinite(value.Real))
      {
        std::ostringstream text;
        text << value.Real;
        scalars[name] = text.str();
      }
      else if (value.Type == Kind::String && value.Text.size() <= MaximumNameSize)
      {
        scalars[name] = std::string(value.Text);
      }
    }
    return scalars;
  }

private:
  std::vector<std::int64_t> ReadIntegers(const std::string & name, const PickleValue & sequence) const
  {
    std::vector<std::int64_t> integers;
    for (const auto item : sequence.Items)
    {
      const PickleValue & value = m_Program.Get(item);
      if (value.Type != Kind::Integer || value.Integer < 0 || integers.size() >= 16)
      {
        npsnetThrow(m_FileName << ": the tensor \"" << name << "\" has an impossible shape.");
      }
      integers.push_back(value.Integer);
    }
    return integers;
  }

  TensorView ReadTensor(const std::string & name, const PickleValue & value) const
  {
    const PickleValue &  storage = m_Program.Get(value.Items[0]);
    const StorageClass * storageClass = nullptr;
    for (const auto & candidate : StorageClasses)
    {
      if (candidate.Name == storage.Module)
      {
        storageClass = &candidate;
      }
    }
    if (!storageClass)
    {
      npsnetThrow(m_FileName << ": the tensor \"" << name << "\" has elements of the unsupported kind "
                             << std::string(storage.Module.substr(0, 64)) << '.');
    }
    const StoredZipArchive::Entry * entry =
      m_Archive.Find(m_Prefix + "data/" + std::string(storage.Text.substr(0, MaximumNameSize)));
    const std::size_t elementSize = TensorElementSize(storageClass->Element);
    if (!entry || storage.Integer < 0 || static_cast<std::uint64_t>(storage.Integer) > entry->Size / elementSize)
    {
      npsnetThrow(m_FileName << " is damaged: the data of the tensor \"" << name << "\" are missing or too short.");
    }

    TensorView view;
    view.Element = storageClass->Element;
    view.Shape = this->ReadIntegers(name, m_Program.Get(value.Items[1]));
    view.Strides = this->ReadIntegers(name, m_Program.Get(value.Items[2]));

    // The last element lies at offset + sum (size - 1) * stride. Nothing overflows, because every partial result is
    // compared with the size of the storage. A tensor larger than its storage (stride 0) is refused too.
    const auto    count = static_cast<std::uint64_t>(storage.Integer);
    bool          valid = view.Shape.size() == view.Strides.size() && value.Integer >= 0;
    bool          empty = false;
    std::uint64_t elements = 1;
    auto          last = static_cast<std::uint64_t>(value.Integer);
    for (std::size_t i = 0; valid && i < view.Shape.size(); ++i)
    {
      const auto size = static_cast<std::uint64_t>(view.Shape[i]);
      const auto stride = static_cast<std::uint64_t>(view.Strides[i]);
      if (size == 0)
      {
        empty = true;
        continue;
      }
      valid = elements <= count / size && (stride == 0 || size - 1 <= count / stride);
      if (valid)
      {
        elements *= size;
        last += (size - 1) * stride;
        valid = last <= count;
      }
    }
    if (!valid || (!empty && last >= count) || (empty && last > count))
    {
      npsnetThrow(m_FileName << " is damaged: the tensor \"" << name << "\" with shape "
                             << TensorShapeToString(view.Shape) << " does not fit its " << storage.Integer
                             << " stored elements.");
    }
    view.Data = entry->Data + static_cast<std::size_t>(value.Integer) * elementSize;
    return view;
  }

  const std::string &      m_FileName;
  const StoredZipArchive & m_Archive;
  const PickleProgram &    m_Program;
  std::string              m_Prefix;
};

/** DataParallel and torch.compile put one word before every name. */
void StripCommonPrefix(TensorFile::TensorMapType & tensors)
{
  for (const std::string prefix : { "_orig_mod.", "module.", "_orig_mod." })
  {
    TensorFile::TensorMapType stripped;
    for (const auto & tensor : tensors)
    {
      if (tensor.first.compare(0, prefix.size(), prefix) == 0)
      {
        stripped[tensor.first.substr(prefix.size())] = tensor.second;
      }
    }
    if (stripped.size() == tensors.size())
    {
      tensors.swap(stripped);
    }
  }
}
} // namespace

void TensorFile::ReadTorchCheckpoint()
{
  m_IsTorchCheckpoint = true;
  const std::string &    fileName = m_File->GetFileName();
  const StoredZipArchive archive(m_File);

  const std::string pickleName = "/data.pkl";
  std::string       prefix;
  for (const auto & entry : archive.GetEntries())
  {
    const std::string & name = entry.first;
    if (name.size() > pickleName.size() &&
        name.compare(name.size() - pickleName.size(), std::string::npos, pickleName) == 0 &&
        name.find('/') == name.size() - pickleName.size())
    {
      prefix = name.substr(0, name.size() - pickleName.size() + 1);
    }
  }
  if (prefix.empty())
  {
    npsnetThrow(fileName << " is a zip archive but no PyTorch checkpoint: it has no data.pkl.");
  }
  const StoredZipArchive::Entry * byteOrder = archive.Find(prefix + "byteorder");
  if (byteOrder && std::string(reinterpret_cast<const char *>(byteOrder->Data), byteOrder->Size) != "little")
  {
    npsnetThrow(fileName << " was saved on a big-endian machine: save it again on a little-endian one.");
  }

  const StoredZipArchive::Entry * pickle = archive.Find(prefix + "data.pkl");
  try
  {
    const PickleProgram    program(pickle->Data, pickle->Size);
    const CheckpointReader reader(fileName, archive, program, prefix);
    const PickleValue &    state = reader.FindStateDictionary();
    m_Tensors = reader.ReadTensors(state);
    if (&state != &program.GetRoot())
    {
      m_Metadata = reader.ReadScalars(program.GetRoot());
    }
  }
  catch (const std::runtime_error & error)
  {
    npsnetThrow(fileName << " cannot be read as a PyTorch checkpoint: its pickle is damaged, " << error.what() << '.');
  }
  StripCommonPrefix(m_Tensors);
}
} // namespace itk
