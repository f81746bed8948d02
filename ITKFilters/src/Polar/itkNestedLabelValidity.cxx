// SPDX-License-Identifier: Apache-2.0
#include "itkNestedLabelValidity.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace itk
{
namespace
{
using MaskType = std::vector<unsigned char>;
using AnchorType = ContinuousIndex<double, 2>;

struct Raster
{
  const unsigned char * Mask;
  long                  Width;
  long                  Height;

  bool Contains(long x, long y) const { return x >= 0 && y >= 0 && x < Width && y < Height; }
  bool Foreground(long x, long y) const { return this->Contains(x, y) && Mask[y * Width + x] != 0; }
};

/** Components of the pixels with the given state; those that touch the border may be left out of the count. */
unsigned int CountComponents(const Raster & raster, bool foreground, bool eightConnected, bool countBorder)
{
  MaskType          visited(static_cast<std::size_t>(raster.Width * raster.Height), 0);
  std::vector<long> stack;
  unsigned int      count = 0;
  for (long seed = 0; seed < raster.Width * raster.Height; ++seed)
  {
    if (visited[seed] || (raster.Mask[seed] != 0) != foreground)
    {
      continue;
    }
    bool touchesBorder = false;
    visited[seed] = 1;
    stack.push_back(seed);
    while (!stack.empty())
    {
      const long x = stack.back() % raster.Width;
      const long y = stack.back() / raster.Width;
      stack.pop_back();
      touchesBorder = touchesBorder || x == 0 || y == 0 || x == raster.Width - 1 || y == raster.Height - 1;
      for (long dy = -1; dy <= 1; ++dy)
      {
        for (long dx = -1; dx <= 1; ++dx)
        {
          const long next = (y + dy) * raster.Width + x + dx;
          if ((eightConnected || dx == 0 || dy == 0) && raster.Contains(x + dx, y + dy) && !visited[next] &&
              (raster.Mask[next] != 0) == foreground)
          {
            visited[next] = 1;
            stack.push_back(next);
          }
        }
      }
    }
    count += countBorder || !touchesBorder;
  }
  return count;
}

/** 1 for the foreground and all pixels that touch it. */
MaskType Dilate(const Raster & raster)
{
  MaskType dilated(static_cast<std::size_t>(raster.Width * raster.Height), 0);
  for (long y = 0; y < raster.Height; ++y)
  {
    for (long x = 0; x < raster.Width; ++x)
    {
      for (long k = 0; raster.Foreground(x, y) && k < 9; ++k)
      {
        const long nx = x + k % 3 - 1;
        const long ny = y + k / 3 - 1;
        if (raster.Contains(nx, ny))
        {
          dilated[ny * raster.Width + nx] = 1;
        }
      }
    }
  }
  return dilated;
}

/** 1 where the pixel and all around it that lie in the raster are 1. */
MaskType Erode(const MaskType & mask, const Raster & raster)
{
  MaskType eroded(mask);
  for (long y = 0; y < raster.Height; ++y)
  {
    for (long x = 0; x < raster.Width; ++x)
    {
      for (long k = 0; eroded[y * raster.Width + x] && k < 9; ++k)
      {
        const long nx = x + k % 3 - 1;
        const long ny = y + k / 3 - 1;
        if (raster.Contains(nx, ny) && !mask[ny * raster.Width + nx])
        {
          eroded[y * raster.Width + x] = 0;
        }
      }
    }
  }
  return eroded;
}

/** Distance from the anchor within which every pixel is set; 0 when the anchor lies outside. */
double FullRadius(const MaskType & mask, const Raster & raster, const AnchorType & anchor)
{
  const double right = static_cast<double>(raster.Width) - anchor[0];
  const double bottom = static_cast<double>(raster.Height) - anchor[1];
  double       least = std::max(0.0, std::min({ anchor[0] + 1.0, anchor[1] + 1.0, right, bottom }));
  least *= least;
  for (long y = 0; y < raster.Height; ++y)
  {
    const double dy = static_cast<double>(y) - anchor[1];
    for (long x = 0; x < raster.Width; ++x)
    {
      const double dx = static_cast<double>(x) - anchor[0];
      if (!mask[y * raster.Width + x] && dx * dx + dy * dy < least)
      {
        least = dx * dx + dy * dy;
      }
    }
  }
  return std::sqrt(least);
}

/** From every outer foreground pixel straight to the anchor, never a pixel away from the foreground. Outside the
 * raster nothing is known, so nothing is wrong.
 *
 * All rays that hit a pixel's square count, not only the one through its centre: on a fraction s of the way from the
 * anchor they fill a square of s times that size, and so hit the pixels less than (1 + s) / 2 away. */
bool HasSingleCrossing(const Raster & raster, const AnchorType & anchor)
{
  constexpr double step = 0.25;
  const MaskType   near = Dilate(raster);
  const MaskType   inside = Erode(near, raster);
  // The pixel that a point lies in has its centre less than 0.75 pixels away.
  const double full = FullRadius(inside, raster, anchor) - 0.75;
  for (long y = 0; y < raster.Height; ++y)
  {
    for (long x = 0; x < raster.Width; ++x)
    {
      if (!raster.Foreground(x, y) || (raster.Foreground(x - 1, y) && raster.Foreground(x + 1, y) &&
                                       raster.Foreground(x, y - 1) && raster.Foreground(x, y + 1)))
      {
        continue;
      }
      const double dx = static_cast<double>(x) - anchor[0];
      const double dy = static_cast<double>(y) - anchor[1];
      const double length = std::hypot(dx, dy);
      // A ray spends at most the raster's diagonal inside it.
      const double inner = std::max({ 0.0, full, length - std::hypot(raster.Width, raster.Height) - 1.0 });
      for (long k = 1; length - static_cast<double>(k) * step > inner; ++k)
      {
        const double s = (length - static_cast<double>(k) * step) / length;
        const double half = 0.5 + 0.5 * s + 0.5 * step;
        const double cx = anchor[0] + s * dx;
        const double cy = anchor[1] + s * dy;
        // The square reaches less than 1.25 pixels: no further than the neighbours of the pixel it lies in.
        const long nearestX = static_cast<long>(std::floor(cx + 0.5));
        const long nearestY = static_cast<long>(std::floor(cy + 0.5));
        if (raster.Contains(nearestX, nearestY) && inside[nearestY * raster.Width + nearestX])
        {
          continue;
        }
        const long x0 = std::max(0l, static_cast<long>(std::ceil(cx - half)));
        const long x1 = std::min(raster.Width - 1, static_cast<long>(std::floor(cx + half)));
        const long y0 = std::max(0l, static_cast<long>(std::ceil(cy - half)));
        const long y1 = std::min(raster.Height - 1, static_cast<long>(std::floor(cy + half)));
        for (long py = y0; py <= y1; ++py)
        {
          for (long px = x0; px <= x1; ++px)
          {
            if (!near[py * raster.Width + px])
            {
              return false;
            }
          }
        }
      }
    }
  }
  return true;
}

NestedLabelValidity::Structure CheckTopology(const Raster & raster)
{
  NestedLabelValidity::Structure structure;
  structure.Components = CountComponents(raster, true, true, true);
  structure.Holes = CountComponents(raster, false, false, false);
  structure.Empty = structure.Components == 0;
  return structure;
}

/** Candidate points of view, likely ones first. */
std::vector<AnchorType> CandidateAnchors(const std::vector<Raster> & rasters)
{
  std::vector<AnchorType> likely;
  std::vector<AnchorType> spread;
  for (const Raster & raster : rasters)
  {
    std::vector<long>   pixels;
    AnchorType          centroid;
    AnchorType          deepest;
    std::vector<double> depth(static_cast<std::size_t>(raster.Width * raster.Height), 0.0);
    centroid.Fill(0.0);
    deepest.Fill(0.0);
    const auto at = [&](long x, long y) { return raster.Contains(x, y) ? depth[y * raster.Width + x] : 0.0; };
    for (long i = 0; i < raster.Width * raster.Height; ++i)
    {
      if (raster.Mask[i] == 0)
      {
        continue;
      }
      const long x = i % raster.Width;
      const long y = i / raster.Width;
      pixels.push_back(i);
      centroid[0] += static_cast<double>(x);
      centroid[1] += static_cast<double>(y);
      depth[i] = 1.0 + std::min({ at(x - 1, y), at(x - 1, y - 1), at(x, y - 1), at(x + 1, y - 1) });
    }
    if (pixels.empty())
    {
      continue;
    }
    double best = 0.0;
    for (auto it = pixels.rbegin(); it != pixels.rend(); ++it)
    {
      const long x = *it % raster.Width;
      const long y = *it / raster.Width;
      depth[*it] =
        std::min(depth[*it], 1.0 + std::min({ at(x + 1, y), at(x + 1, y + 1), at(x, y + 1), at(x - 1, y + 1) }));
      if (depth[*it] > best)
      {
        best = depth[*it];
        deepest[0] = static_cast<double>(x);
        deepest[1] = static_cast<double>(y);
      }
    }
    centroid[0] /= static_cast<double>(pixels.size());
    centroid[1] /= static_cast<double>(pixels.size());
    likely.push_back(centroid);
    likely.push_back(deepest);
    if (spread.empty())
    {
      const std::size_t step = std::max<std::size_t>(1, pixels.size() / 256);
      for (std::size_t i = 0; i < pixels.size(); i += step)
      {
        AnchorType point;
        point[0] = static_cast<double>(pixels[i] % raster.Width);
        const long row = pixels[i] / raster.Width;
        point[1] = static_cast<double>(row);
        spread.push_back(point);
      }
    }
  }
  likely.insert(likely.end(), spread.begin(), spread.end());
  return likely;
}

/** The part of both masks that holds foreground, with a margin of one pixel where the image has it: what touches its
 * border either touches the image's or is connected to the background around. Moves the anchor along, if there is one;
 * the part holds all rays between it and the foreground. */
itk::Size<2> CropToForeground(MaskType & disc, MaskType & cup, const itk::Size<2> & size, AnchorType * anchor)
{
  long       low[2] = { static_cast<long>(size[0]), static_cast<long>(size[1]) };
  long       high[2] = { -1, -1 };
  const long width = static_cast<long>(size[0]);
  for (long i = 0; i < static_cast<long>(disc.size()); ++i)
  {
    if (disc[i] || cup[i])
    {
      const long at[2] = { i % width, i / width };
      for (int k = 0; k < 2; ++k)
      {
        low[k] = std::min(low[k], at[k]);
        high[k] = std::max(high[k], at[k]);
      }
    }
  }
  itk::Size<2> box{ { 0, 0 } };
  for (int k = 0; k < 2 && high[0] >= 0; ++k)
  {
    const long last = static_cast<long>(size[k]) - 1;
    if (anchor != nullptr)
    {
      const long pixel = std::lround(std::clamp((*anchor)[k], 0.0, static_cast<double>(last)));
      low[k] = std::min(low[k], pixel);
      high[k] = std::max(high[k], pixel);
    }
    low[k] = std::max(low[k] - 1, 0l);
    high[k] = std::min(high[k] + 1, last);
    box[k] = static_cast<SizeValueType>(high[k] - low[k] + 1);
    if (anchor != nullptr)
    {
      (*anchor)[k] -= static_cast<double>(low[k]);
    }
  }
  for (MaskType * mask : { &disc, &cup })
  {
    MaskType part;
    part.reserve(box[0] * box[1]);
    for (SizeValueType y = 0; y < box[1]; ++y)
    {
      const auto row = mask->begin() + (low[1] + static_cast<long>(y)) * width + low[0];
      part.insert(part.end(), row, row + static_cast<long>(box[0]));
    }
    mask->swap(part);
  }
  return box;
}

NestedLabelValidity::Report CheckBoth(MaskType             disc,
                                      MaskType             cup,
                                      const itk::Size<2> & whole,
                                      bool                 nested,
                                      const AnchorType *   givenAnchor)
{
  AnchorType anchor;
  anchor.Fill(0.0);
  if (givenAnchor != nullptr)
  {
    anchor = *givenAnchor;
  }
  const itk::Size<2> size = CropToForeground(disc, cup, whole, givenAnchor != nullptr ? &anchor : nullptr);
  const Raster       discRaster{ disc.data(), static_cast<long>(size[0]), static_cast<long>(size[1]) };
  const Raster       cupRaster{ cup.data(), static_cast<long>(size[0]), static_cast<long>(size[1]) };

  NestedLabelValidity::Report report;
  report.Nested = nested;
  report.Disc = CheckTopology(discRaster);
  report.Cup = CheckTopology(cupRaster);
  const auto look = [&](const AnchorType & from) {
    report.Disc.SingleCrossing = HasSingleCrossing(discRaster, from);
    report.Cup.SingleCrossing = HasSingleCrossing(cupRaster, from);
    return report.Disc.SingleCrossing && report.Cup.SingleCrossing;
  };
  if (givenAnchor != nullptr)
  {
    look(anchor);
    return report;
  }
  for (const AnchorType & candidate : CandidateAnchors({ cupRaster, discRaster }))
  {
    if (look(candidate))
    {
      break;
    }
  }
  return report;
}

NestedLabelValidity::Report CheckLabels(const NestedLabelValidity::LabelImageType * labels, const AnchorType * anchor)
{
  const auto   size = labels->GetBufferedRegion().GetSize();
  const auto * pixels = labels->GetBufferPointer();
  const auto   count = labels->GetBufferedRegion().GetNumberOfPixels();
  MaskType     disc(count);
  MaskType     cup(count);
  bool         nested = true;
  for (SizeValueType i = 0; i < count; ++i)
  {
    disc[i] = pixels[i] != 0;
    cup[i] = pixels[i] == 2;
    nested = nested && pixels[i] <= 2;
  }
  return CheckBoth(std::move(disc), std::move(cup), size, nested, anchor);
}

NestedLabelValidity::Report CheckMaskPair(const NestedLabelValidity::LabelImageType * discImage,
                                          const NestedLabelValidity::LabelImageType * cupImage,
                                          const AnchorType *                          anchor)
{
  const auto size = discImage->GetBufferedRegion().GetSize();
  if (size != cupImage->GetBufferedRegion().GetSize())
  {
    itkGenericExceptionMacro("The masks of disc and cup must have one size, not "
                             << size << " and " << cupImage->GetBufferedRegion().GetSize() << '.');
  }
  const auto count = discImage->GetBufferedRegion().GetNumberOfPixels();
  MaskType   disc(count);
  MaskType   cup(count);
  bool       nested = true;
  for (SizeValueType i = 0; i < count; ++i)
  {
    disc[i] = discImage->GetBufferPointer()[i] != 0;
    cup[i] = cupImage->GetBufferPointer()[i] != 0;
    nested = nested && cup[i] <= disc[i];
  }
  return CheckBoth(std::move(disc), std::move(cup), size, nested, anchor);
}

AnchorType ToBufferIndex(const NestedLabelValidity::LabelImageType * image,
                         const NestedLabelValidity::PointType &      point)
{
  AnchorType index;
  image->TransformPhysicalPointToContinuousIndex(point, index);
  for (unsigned int k = 0; k < 2; ++k)
  {
    index[k] -= static_cast<double>(image->GetBufferedRegion().GetIndex(k));
  }
  return index;
}
} // namespace

NestedLabelValidity::Report NestedLabelValidity::Check(const LabelImageType * labels, const PointType & anchor)
{
  const AnchorType index = ToBufferIndex(labels, anchor);
  return CheckLabels(labels, &index);
}

NestedLabelValidity::Report NestedLabelValidity::Check(const LabelImageType * labels)
{
  return CheckLabels(labels, nullptr);
}

NestedLabelValidity::Report NestedLabelValidity::CheckMasks(const LabelImageType * disc,
                                                            const LabelImageType * cup,
                                                            const PointType &      anchor)
{
  const AnchorType index = ToBufferIndex(disc, anchor);
  return CheckMaskPair(disc, cup, &index);
}

NestedLabelValidity::Report NestedLabelValidity::CheckMasks(const LabelImageType * disc, const LabelImageType * cup)
{
  return CheckMaskPair(disc, cup, nullptr);
}

NestedLabelValidity::Structure NestedLabelValidity::CheckMask(const unsigned char *              mask,
                                                              std::size_t                        width,
                                                              std::size_t                        height,
                                                              const ContinuousIndex<double, 2> & anchor)
{
  const Raster raster{ mask, static_cast<long>(width), static_cast<long>(height) };
  Structure    structure = CheckTopology(raster);
  structure.SingleCrossing = HasSingleCrossing(raster, anchor);
  return structure;
}

std::string NestedLabelValidity::Report::Describe() const
{
  std::string text;
  const auto  add = [&text](const std::string & problem) { text += (text.empty() ? "" : "; ") + problem; };
  if (!Nested)
  {
    add("cup not inside disc");
  }
  const auto describe = [&add](const char * name, const Structure & structure) {
    if (structure.IsWhole())
    {
      return;
    }
    if (structure.Components != 1)
    {
      add(std::string(name) + " has " + std::to_string(structure.Components) + " components");
    }
    if (structure.Holes != 0)
    {
      add(std::string(name) + " has " + std::to_string(structure.Holes) + (structure.Holes == 1 ? " hole" : " holes"));
    }
    if (!structure.SingleCrossing)
    {
      add("a ray leaves the " + std::string(name) + " more than once");
    }
  };
  describe("disc", Disc);
  describe("cup", Cup);
  return text.empty() ? "valid" : text;
}
} // namespace itk
