// SPDX-License-Identifier: Apache-2.0
#ifndef CheckpointBytes_h
#define CheckpointBytes_h

#include "TestFolder.h"

#include <cstdint>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <vector>

/** Bytes of PyTorch checkpoints made by hand, good and hostile ones. */
namespace checkpoint
{
inline std::string Little(std::uint64_t value, unsigned int bytes)
{
  std::string text;
  for (unsigned int i = 0; i < bytes; ++i)
  {
    text += static_cast<char>(value >> (8 * i));
  }
  return text;
}

inline std::string Text(const std::string & text)
{
  return "X" + Little(text.size(), 4) + text;
}

inline std::string Integer(std::int64_t value)
{
  return "\x8a\x08" + Little(static_cast<std::uint64_t>(value), 8);
}

inline std::string Global(const std::string & module, const std::string & name)
{
  return "c" + module + "\n" + name + "\n";
}

inline std::string Tuple(const std::vector<std::int64_t> & values)
{
  std::string text = "(";
  for (const auto value : values)
  {
    text += Integer(value);
  }
  return text + "t";
}

struct Tensor
{
  std::string               Storage; // "FloatStorage"
  std::string               Key;
  std::int64_t              Count;
  std::int64_t              Offset;
  std::vector<std::int64_t> Shape;
  std::vector<std::int64_t> Strides;

  std::string Pickle() const
  {
    return Global("torch._utils", "_rebuild_tensor_v2") + "((" + Text("storage") + Global("torch", this->Storage) +
           Text(this->Key) + Text("cpu") + Integer(this->Count) + "tQ" + Integer(this->Offset) + Tuple(this->Shape) +
           Tuple(this->Strides) + "\x89" + Global("collections", "OrderedDict") + ")R" + "tR";
  }
};

inline std::string Program(const std::string & body)
{
  return "\x80\x02" + body + ".";
}

/** {key: value, ...} of already pickled values. */
inline std::string Dictionary(const std::vector<std::pair<std::string, std::string>> & items)
{
  std::string text = "}(";
  for (const auto & item : items)
  {
    text += Text(item.first) + item.second;
  }
  return text + "u";
}

/** A zip archive with stored entries; method and flags are only lied about. */
inline std::string Zip(const std::vector<std::pair<std::string, std::string>> & entries, unsigned int method = 0)
{
  std::string file;
  std::string directory;
  for (const auto & entry : entries)
  {
    const std::string common = Little(0, 2) + Little(method, 2) + Little(0, 8) + Little(entry.second.size(), 4) +
                               Little(entry.second.size(), 4) + Little(entry.first.size(), 2) + Little(0, 2);
    directory += std::string("PK\1\2", 4) + Little(20, 2) + Little(20, 2) + common + Little(0, 2) + Little(0, 2) +
                 Little(0, 2) + Little(0, 4) + Little(file.size(), 4) + entry.first;
    file += std::string("PK\3\4", 4) + Little(20, 2) + common + entry.first + entry.second;
  }
  const std::uint64_t at = file.size();
  return file + directory + std::string("PK\5\6", 4) + Little(0, 4) + Little(entries.size(), 2) +
         Little(entries.size(), 2) + Little(directory.size(), 4) + Little(at, 4) + Little(0, 2);
}

inline std::string Archive(const std::string & pickleBody, const std::map<std::string, std::string> & storages = {})
{
  std::vector<std::pair<std::string, std::string>> entries{ { "model/data.pkl", Program(pickleBody) },
                                                            { "model/byteorder", "little" } };
  for (const auto & storage : storages)
  {
    entries.emplace_back("model/data/" + storage.first, storage.second);
  }
  return Zip(entries);
}

template <typename T>
std::string Bytes(const std::vector<T> & values)
{
  return std::string(reinterpret_cast<const char *>(values.data()), values.size() * sizeof(T));
}

inline std::string WriteFile(const std::string & name, const std::string & bytes)
{
  const std::string path = TestFolder() + "/" + name;
  std::ofstream     file(path, std::ios::binary | std::ios::trunc);
  file << bytes;
  return path;
}

inline std::string ReadFile(const std::string & path)
{
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}
} // namespace checkpoint

#endif
