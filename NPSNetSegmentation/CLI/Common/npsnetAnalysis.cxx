// SPDX-License-Identifier: Apache-2.0
#include "npsnetAnalysis.h"

#include "npsnetMessages.h"

#include "itkModelFiles.h"

#include <vnl/vnl_inverse.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <stdexcept>

namespace npsnet
{
itk::FundusAnalyzerSettings MakeAnalyzerSettings(const NetworkParameters& parameters)
{
  itk::FundusAnalyzerSettings settings;
  settings.ModelFile = parameters.Model;
  settings.TTAMode = parameters.TTAMode == "default" ? "auto" : parameters.TTAMode;
  settings.Engine = parameters.Engine;
  settings.Device = parameters.Device;
  settings.Precision = parameters.Precision;
  settings.Threads = static_cast<unsigned>(std::max(0, parameters.NumberOfThreads));
  settings.Locate = !parameters.NoLocate;
  settings.MaximumNumberOfPixels = static_cast<std::size_t>(std::max(1, parameters.MaximumMegapixels)) * 1000000;
  return settings;
}

std::string ResolveModelFile(const std::string& given)
{
  std::error_code error;
  if (!given.empty())
  {
    if (!std::filesystem::is_regular_file(given, error))
    {
      throw std::runtime_error(
        Printable(given) +
        (std::filesystem::is_directory(given, error) ? " is a folder, no model file"
                                                     : " is no model file: there is no such file") +
        ". Give a .safetensors or .pth file, or leave --model out for the default one.");
    }
    return given;
  }
  const std::string found = itk::ModelFiles::GetDefaultNetwork();
  if (found.empty())
  {
    throw std::runtime_error("The default model is not installed: give one with --model, or set NPSNET_RESOURCES_DIR "
                             "to the Resources folder.");
  }
  return found;
}

namespace
{
/// Stored to upright raster as continuous indices; affine, so three pixels say it all.
std::array<double, 2> StoredToUpright(const itk::FundusPhotograph::StoredGeometry& stored, double x, double y)
{
  const std::array<unsigned, 2> size = {std::max(stored.Size[0], 2u), std::max(stored.Size[1], 2u)};
  const auto at = [&](unsigned i, unsigned j)
  { return itk::FundusPhotograph::StoredToUprightIndex(stored.Orientation, size, i, j); };
  const auto zero = at(0, 0);
  const auto right = at(1, 0);
  const auto down = at(0, 1);
  std::array<double, 2> upright{};
  for (unsigned k = 0; k < 2; ++k)
  {
    const double origin = zero[k];
    upright[k] = origin + x * (right[k] - origin) + y * (down[k] - origin);
  }
  return upright;
}

vnl_matrix_fixed<double, 3, 3> DirectionOf(const itk::FundusPhotograph::StoredGeometry& stored)
{
  vnl_matrix_fixed<double, 3, 3> direction;
  std::copy(stored.Direction.begin(), stored.Direction.end(), direction.data_block());
  return direction;
}
} // namespace

std::array<double, 2> PhysicalToPhoto(const itk::FundusPhotograph& photograph, const std::array<double, 3>& point)
{
  const auto& stored = photograph.GetStored();
  vnl_vector_fixed<double, 3> offset;
  for (unsigned k = 0; k < 3; ++k)
  {
    offset[k] = point[k] - stored.Origin[k];
  }
  const vnl_vector_fixed<double, 3> along = vnl_inverse(DirectionOf(stored)) * offset;
  return photograph.IndexToPoint(StoredToUpright(stored, along[0] / stored.Spacing[0], along[1] / stored.Spacing[1]));
}

void ApplyPlacement(const std::vector<std::vector<float>>& center, const std::vector<std::vector<float>>& region,
  const itk::FundusPhotograph& photograph, itk::FundusPhotographOptions& options)
{
  if (center.size() + region.size() > 1)
  {
    throw std::runtime_error("Give one centre or one region, not several.");
  }
  for (const std::vector<float>& point : center)
  {
    if (point.size() == 2)
    {
      options.Center = photograph.IndexToPoint({point[0], point[1]});
    }
    else if (point.size() == 3)
    {
      options.Center = PhysicalToPhoto(photograph, {point[0], point[1], point[2]});
    }
    else
    {
      throw std::runtime_error("--center takes X,Y in pixels of the upright photo (or X,Y,Z in LPS).");
    }
  }
  for (const std::vector<float>& box : region)
  {
    // Centre first, then the half sizes; a region in space may be flat.
    const bool inSpace = box.size() == 6;
    if (!std::all_of(box.begin() + static_cast<std::ptrdiff_t>(box.size() / 2), box.end(),
          [inSpace](float half) { return half > 0.0F || (inSpace && half == 0.0F); }))
    {
      throw std::runtime_error("--roi takes half sizes above 0: the last numbers of X,Y,RX,RY.");
    }
    if (box.size() == 4)
    {
      const auto spacing = photograph.GetImage()->GetSpacing();
      options.Center = photograph.IndexToPoint({box[0], box[1]});
      options.Side = 2.0 * std::max(box[2] * spacing[0], box[3] * spacing[1]);
    }
    else if (box.size() == 6)
    {
      options.Center = PhysicalToPhoto(photograph, {box[0], box[1], box[2]});
      const auto& stored = photograph.GetStored();
      const auto direction = DirectionOf(stored);
      double half = 0.0;
      for (unsigned axis = 0; axis < 2; ++axis) // in-plane
      {
        double length = 0.0;
        for (unsigned k = 0; k < 3; ++k)
        {
          length += std::abs(direction(k, axis)) * box[3 + k];
        }
        half = std::max(half, length);
      }
      options.Side = 2.0 * half / std::sqrt(stored.Spacing[0] * stored.Spacing[1]);
    }
    else
    {
      throw std::runtime_error(
        "--roi takes X,Y,RX,RY: centre and half sizes in pixels of the upright photo (or six numbers in LPS).");
    }
    if (!(*options.Side > 0.0))
    {
      throw std::runtime_error("--roi gives a region without a size: its half sizes should be above 0.");
    }
  }
  if (options.Center && !(std::isfinite((*options.Center)[0]) && std::isfinite((*options.Center)[1])))
  {
    throw std::runtime_error("--center or --roi does not give a point.");
  }
}
} // namespace npsnet
