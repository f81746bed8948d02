// SPDX-License-Identifier: Apache-2.0
#ifndef NumpyArray_h
#define NumpyArray_h

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

/** A C-ordered little-endian .npy file of float32, float64 or uint8 (format 1.x or 2.x) as floats. */
struct NumpyArray
{
  std::vector<std::size_t> Shape;
  std::vector<float>       Values;

  static NumpyArray Read(const std::string & path)
  {
    std::ifstream           file(path, std::ios::binary);
    const std::vector<char> bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (bytes.size() < 12 || std::memcmp(bytes.data(), "\x93NUMPY", 6) != 0)
    {
      throw std::runtime_error(path + " is not a .npy file.");
    }
    const auto byte = [&bytes](std::size_t i) {
      return static_cast<std::size_t>(static_cast<unsigned char>(bytes[i]));
    };
    const bool  first = bytes[6] == 1;
    std::size_t headerBytes = byte(8) + 256 * byte(9);
    if (!first)
    {
      headerBytes += 65536 * byte(10) + 16777216 * byte(11);
    }
    const std::size_t start = (first ? 10 : 12) + headerBytes;
    if (start > bytes.size())
    {
      throw std::runtime_error(path + " ends early.");
    }
    const std::string header(bytes.begin() + (first ? 10 : 12), bytes.begin() + static_cast<std::ptrdiff_t>(start));
    if (header.find("'fortran_order': False") == std::string::npos)
    {
      throw std::runtime_error(path + " is not C-ordered.");
    }

    NumpyArray        array;
    std::size_t       count = 1;
    const std::size_t open = header.find('(');
    const std::string shape = header.substr(open + 1, header.find(')') - open - 1);
    for (std::size_t at = 0; at < shape.size();)
    {
      std::size_t used = 0;
      array.Shape.push_back(std::stoul(shape.substr(at), &used));
      count *= array.Shape.back();
      at += used;
      while (at < shape.size() && (shape[at] == ',' || shape[at] == ' '))
      {
        ++at;
      }
    }
    if (header.find("'<f4'") != std::string::npos)
    {
      array.Convert<float>(bytes, start, count, path);
    }
    else if (header.find("'<f8'") != std::string::npos)
    {
      array.Convert<double>(bytes, start, count, path);
    }
    else if (header.find("'|u1'") != std::string::npos)
    {
      array.Convert<std::uint8_t>(bytes, start, count, path);
    }
    else
    {
      throw std::runtime_error(path + " holds an unsupported type.");
    }
    return array;
  }

private:
  template <typename T>
  void Convert(const std::vector<char> & bytes, std::size_t start, std::size_t count, const std::string & path)
  {
    if (bytes.size() - start < count * sizeof(T))
    {
      throw std::runtime_error(path + " ends early.");
    }
    std::vector<T> raw(count);
    std::memcpy(raw.data(), bytes.data() + start, count * sizeof(T));
    Values.assign(raw.begin(), raw.end());
  }
};

#endif
