// SPDX-License-Identifier: Apache-2.0
#ifndef RandomModel_h
#define RandomModel_h

#include "TestFolder.h"
#include "itkNPSNetModelIO.h"
#include "itkNPSNetNetwork.h"

#include <string>

/** Networks with seeded random weights, as model files. */
namespace randommodel
{
/** Weights of PyTorch's initialisation times \a scale; running statistics and lambda_c are made non-trivial. */
inline itk::NPSNetStateType MakeState(const itk::NPSNetArchitecture & architecture,
                                      unsigned int                    seed,
                                      double                          scale = 1.0)
{
  torch::manual_seed(seed);
  torch::NoGradGuard   noGrad;
  const auto           network = itk::MakeNPSNetNetwork(architecture);
  itk::NPSNetStateType state;
  for (const auto & item : network->GetState())
  {
    auto       tensor = item.second.clone();
    const bool isVariance = item.first.find("running_var") != std::string::npos;
    if (isVariance)
    {
      tensor = tensor * (0.5 + torch::rand_like(tensor));
    }
    else if (item.first == "fusion.lambda_c")
    {
      tensor = torch::rand_like(tensor) * scale;
    }
    else if (tensor.is_floating_point())
    {
      tensor = tensor * scale + 0.1 * scale * torch::randn_like(tensor);
    }
    state[item.first] = tensor;
  }
  return state;
}

inline std::string Write(const std::string &             name,
                         const itk::NPSNetArchitecture & architecture,
                         const itk::NPSNetStateType &    state)
{
  const std::string        path = TestFolder() + "/" + name;
  itk::NPSNetModelMetadata metadata;
  metadata.Architecture = architecture;
  metadata.Name = "random weights";
  metadata.Version = "0";
  metadata.Licence = "CC0-1.0";
  metadata.Created = "2026-01-01T00:00:00Z";
  itk::WriteNPSNetModel(path, metadata, state, itk::NPSNetStorageEnum::Float32);
  return path;
}

/** A network that takes a millisecond. */
inline itk::NPSNetArchitecture SmallArchitecture()
{
  itk::NPSNetArchitecture architecture;
  architecture.Channels = { 4, 4, 8, 8 };
  architecture.ShapeFeatures = 8;
  architecture.NumberOfRadii = 32;
  architecture.NumberOfAngles = 48;
  architecture.CropSize = 64;
  return architecture;
}
} // namespace randommodel

#endif
