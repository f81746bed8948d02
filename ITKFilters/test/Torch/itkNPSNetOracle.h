// SPDX-License-Identifier: Apache-2.0
#ifndef itkNPSNetOracle_h
#define itkNPSNetOracle_h

#include <nlohmann/json.hpp>
#include <torch/torch.h>

#include <cstdlib>
#include <fstream>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

/** Frozen numbers of the authors' implementation; the folder can be replaced by NPSNET_ORACLE_DIR. */
namespace oracle
{
inline std::string Path(const std::string & name)
{
  const char * folder = std::getenv("NPSNET_ORACLE_DIR");
  return (folder ? std::string(folder) : std::string(NPSNET_TEST_DATA_DIR "/oracle/b4_narrow")) + "/" + name;
}

/** A little-endian float32 .npy file in C order. */
inline torch::Tensor ReadNpy(const std::string & path)
{
  std::ifstream     file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (bytes.size() < 10 || bytes.compare(1, 5, "NUMPY") != 0 || bytes.find("'<f4'") > 200 ||
      bytes.find("'fortran_order': False") > 200)
  {
    throw std::runtime_error(path + " is not a float32 .npy file");
  }
  const std::size_t    offset = 10 + static_cast<unsigned char>(bytes[8]) + 256u * static_cast<unsigned char>(bytes[9]);
  const auto           open = bytes.find('(');
  const auto           text = bytes.substr(open, bytes.find(')') - open);
  std::vector<int64_t> shape;
  const std::regex     number("[0-9]+");
  for (auto i = std::sregex_iterator(text.begin(), text.end(), number); i != std::sregex_iterator(); ++i)
  {
    shape.push_back(std::stoll(i->str()));
  }
  auto tensor = torch::empty(shape, torch::kFloat);
  if (bytes.size() != offset + tensor.numel() * sizeof(float))
  {
    throw std::runtime_error(path + " is truncated");
  }
  std::copy(bytes.begin() + offset, bytes.end(), static_cast<char *>(tensor.data_ptr()));
  return tensor;
}

inline torch::Tensor Array(const std::string & name)
{
  return ReadNpy(Path(name + ".npy"));
}

inline nlohmann::json Numbers()
{
  std::ifstream file(Path("numbers.json"));
  return nlohmann::json::parse(file);
}

/** Largest absolute difference; both flattened, sizes must agree. */
inline double Difference(const torch::Tensor & a, const torch::Tensor & b)
{
  return (a.detach().flatten() - b.detach().flatten()).abs().max().item<double>();
}
} // namespace oracle

#endif
