// SPDX-License-Identifier: Apache-2.0
#include "npsnetAnalysis.h"

#include "npsnetMessages.h"

#include "itkModelFiles.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <stdexcept>

namespace npsnet
{
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
itk::Point<double, 3> PointOf(const std::vector<float>& numbers)
{
  const double point[] = {numbers[0], numbers[1], numbers[2]};
  return point;
}

itk::ContinuousIndex<double, 2> IndexOf(const std::vector<float>& numbers)
{
  const double index[] = {numbers[0], numbers[1]};
  return index;
}
} // namespace

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
      options.Center = IndexOf(point);
    }
    else if (point.size() == 3)
    {
      options.Center = photograph.GetStored().PhysicalToUpright(PointOf(point));
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
      options.Center = IndexOf(box);
      options.Side = 2.0 * std::max(box[2] * spacing[0], box[3] * spacing[1]);
    }
    else if (box.size() == 6)
    {
      const itk::StoredGeometry& stored = photograph.GetStored();
      options.Center = stored.PhysicalToUpright(PointOf(box));
      double half = 0.0;
      for (unsigned axis = 0; axis < 2; ++axis) // in-plane
      {
        double length = 0.0;
        for (unsigned k = 0; k < 3; ++k)
        {
          length += std::abs(stored.Direction[3 * k + axis]) * box[3 + k];
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
