// SPDX-License-Identifier: Apache-2.0
#include "NPSNetMasks.h"

#include "vtkSlicerNPSNetSegmentationLogic.h"

#include "itkHash.h"

#include <vtkMRMLSegmentationNode.h>
#include <vtkMRMLTransformNode.h>
#include <vtkMRMLVolumeNode.h>
#include <vtkOrientedImageData.h>
#include <vtkOrientedImageDataResample.h>
#include <vtkSegment.h>
#include <vtkSegmentation.h>
#include <vtkSlicerSegmentationsModuleLogic.h>

#include <vtkCellArray.h>
#include <vtkFlyingEdges2D.h>
#include <vtkGeneralTransform.h>
#include <vtkDataArray.h>
#include <vtkImageData.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>
#include <vtkStripper.h>
#include <vtksys/SystemTools.hxx>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>

namespace npsnet
{
namespace
{
MaskImage::Pointer MakeMask(const PhotoGeometry& geometry, int x, int y, unsigned width, unsigned height)
{
  auto mask = MaskImage::New();
  MaskImage::RegionType region;
  region.SetSize({{width, height}});
  const auto& spacing = geometry.GetUprightSpacing();
  const double origin[2] = {x * spacing[0], y * spacing[1]};
  mask->SetRegions(region);
  mask->SetSpacing(spacing.data());
  mask->SetOrigin(origin);
  mask->Allocate(true);
  return mask;
}

/// A row of a label map; background outside of it. Bytes, which is what segments have, are read at once.
class Row
{
public:
  Row(vtkOrientedImageData* labelmap, int j, int k)
      : Labelmap(labelmap)
      , J(j)
      , K(k)
  {
    const int* extent = labelmap->GetExtent();
    if (j >= extent[2] && j <= extent[3] && k >= extent[4] && k <= extent[5])
    {
      this->First = extent[0];
      this->Last = extent[1];
      this->Bytes = labelmap->GetScalarType() == VTK_UNSIGNED_CHAR && this->First <= this->Last
                      ? static_cast<unsigned char*>(labelmap->GetScalarPointer(this->First, j, k))
                      : nullptr;
    }
  }
  bool IsSet(int i) const
  {
    return i >= this->First && i <= this->Last &&
           (this->Bytes != nullptr ? this->Bytes[i - this->First] != 0
                                   : this->Labelmap->GetScalarComponentAsDouble(i, this->J, this->K, 0) != 0.0);
  }

private:
  vtkOrientedImageData* Labelmap;
  int J;
  int K;
  int First{0};
  int Last{-1};
  const unsigned char* Bytes{nullptr};
};

/// The segment's label map on the photo's raster, cut to its foreground; null when empty.
vtkSmartPointer<vtkOrientedImageData> GetLabelmap(vtkMRMLSegmentationNode* segmentation, const std::string& segmentID,
  vtkMRMLVolumeNode* volume, const PhotoGeometry& geometry)
{
  auto labelmap = vtkSmartPointer<vtkOrientedImageData>::New();
  if (segmentID.empty() || !segmentation->GetBinaryLabelmapRepresentation(segmentID, labelmap) || labelmap->IsEmpty())
  {
    return nullptr;
  }
  vtkNew<vtkMatrix4x4> imageToLocal;
  labelmap->GetImageToWorldMatrix(imageToLocal);
  const bool sameTransform = segmentation->GetParentTransformNode() == volume->GetParentTransformNode();
  if (sameTransform && vtkOrientedImageDataResample::IsEqual(imageToLocal, geometry.GetIJKToLocal()))
  {
    return labelmap;
  }
  vtkNew<vtkOrientedImageData> reference;
  const auto& dimensions = geometry.GetDimensions();
  reference->SetExtent(0, dimensions[0] - 1, 0, dimensions[1] - 1, 0, dimensions[2] - 1);
  reference->SetGeometryFromImageToWorldMatrix(geometry.GetIJKToLocal());
  reference->AllocateScalars(VTK_UNSIGNED_CHAR, 1);
  vtkNew<vtkGeneralTransform> toVolume;
  vtkMRMLTransformNode::GetTransformBetweenNodes(
    segmentation->GetParentTransformNode(), volume->GetParentTransformNode(), toVolume);
  auto resampled = vtkSmartPointer<vtkOrientedImageData>::New();
  if (!vtkOrientedImageDataResample::ResampleOrientedImageToReferenceOrientedImage(
        labelmap, reference, resampled, false, false, sameTransform ? nullptr : toVolume.Get()))
  {
    throw std::runtime_error("The segmentation does not lie on the photograph.");
  }
  return resampled;
}

/// Calls f(x, y) for every foreground pixel of the label map inside the photo.
template <typename F> void ForEachPixel(vtkOrientedImageData* labelmap, const PhotoGeometry& geometry, F f)
{
  if (labelmap == nullptr)
  {
    return;
  }
  int extent[6];
  if (!vtkOrientedImageDataResample::CalculateEffectiveExtent(labelmap, extent))
  {
    return;
  }
  const auto& dimensions = geometry.GetDimensions();
  for (int axis = 0; axis < 3; ++axis)
  {
    extent[2 * axis] = std::max(extent[2 * axis], 0);
    extent[2 * axis + 1] = std::min(extent[2 * axis + 1], dimensions[axis] - 1);
  }
  const auto place = [&](int i, int j, int k)
  {
    const auto upright = geometry.IJKToUpright({{i, j, k}});
    return std::array<int, 2>{{static_cast<int>(upright[0]), static_cast<int>(upright[1])}};
  };
  for (int k = extent[4]; k <= extent[5]; ++k)
  {
    for (int j = extent[2]; j <= extent[3]; ++j)
    {
      const Row row(labelmap, j, k);
      auto at = place(extent[0], j, k);
      const auto next = place(extent[0] + 1, j, k);
      const int step[2] = {next[0] - at[0], next[1] - at[1]};
      for (int i = extent[0]; i <= extent[1]; ++i, at[0] += step[0], at[1] += step[1])
      {
        if (row.IsSet(i))
        {
          f(at[0], at[1]);
        }
      }
    }
  }
}
} // namespace

Masks MakeMasks(const PhotoGeometry& geometry, int x, int y, unsigned width, unsigned height)
{
  return {x, y, MakeMask(geometry, x, y, width, height), MakeMask(geometry, x, y, width, height)};
}

bool IsEmpty(const MaskImage* mask)
{
  const auto* begin = mask->GetBufferPointer();
  const auto* end = begin + mask->GetBufferedRegion().GetNumberOfPixels();
  return std::all_of(begin, end, [](unsigned char value) { return value == 0; });
}

Masks MakeMasksAround(const Polygon& polygon, const PhotoGeometry& geometry)
{
  const auto size = geometry.GetUprightSize();
  int lower[2];
  int upper[2];
  for (int axis = 0; axis < 2; ++axis)
  {
    double from = std::numeric_limits<double>::max();
    double to = std::numeric_limits<double>::lowest();
    for (const Point& point : polygon)
    {
      from = std::min(from, point[axis]);
      to = std::max(to, point[axis]);
    }
    const double spacing = geometry.GetUprightSpacing()[axis];
    const int last = static_cast<int>(size[axis]) - 1;
    lower[axis] = static_cast<int>(std::clamp(std::floor(from / spacing) - 1.0, 0.0, static_cast<double>(last)));
    upper[axis] = static_cast<int>(
      std::clamp(std::ceil(to / spacing) + 1.0, static_cast<double>(lower[axis]), static_cast<double>(last)));
  }
  return MakeMasks(geometry, lower[0], lower[1], upper[0] - lower[0] + 1, upper[1] - lower[1] + 1);
}

std::string GetFingerprint(const Masks& masks, Structure structure)
{
  // Over the ends of the runs of foreground in photo coordinates.
  itk::FNV1aHash hash;
  const MaskImage* mask = masks.Get(structure);
  const auto size = mask->GetBufferedRegion().GetSize();
  const unsigned char* pixel = mask->GetBufferPointer();
  for (std::size_t y = 0; y < size[1]; ++y)
  {
    bool before = false;
    for (std::size_t x = 0; x <= size[0]; ++x)
    {
      const bool inside = x < size[0] && *pixel++ != 0;
      if (inside != before)
      {
        hash.UpdateNumber((masks.Y + y) << 32 | (masks.X + x));
        before = inside;
      }
    }
  }
  std::ostringstream text;
  text << std::hex << hash.GetValue();
  return text.str();
}

std::string GetFingerprint(const Masks& masks)
{
  return GetFingerprint(masks, Structure::Disc) + '-' + GetFingerprint(masks, Structure::Cup);
}

std::optional<double> ComputeDice(const Masks& a, const Masks& b, Structure structure)
{
  const MaskImage* first = a.Get(structure);
  const MaskImage* second = b.Get(structure);
  const auto size = first->GetBufferedRegion().GetSize();
  const auto otherSize = second->GetBufferedRegion().GetSize();
  const auto count = [](const MaskImage* mask)
  {
    const unsigned char* pixels = mask->GetBufferPointer();
    const std::size_t n = mask->GetBufferedRegion().GetNumberOfPixels();
    return n - static_cast<std::size_t>(std::count(pixels, pixels + n, 0));
  };
  const std::size_t sum = count(first) + count(second);
  if (sum == 0)
  {
    return std::nullopt;
  }
  std::size_t common = 0;
  for (long y = 0; y < static_cast<long>(size[1]); ++y)
  {
    for (long x = 0; x < static_cast<long>(size[0]); ++x)
    {
      const long u = x + a.X - b.X;
      const long v = y + a.Y - b.Y;
      if (u >= 0 && v >= 0 && u < static_cast<long>(otherSize[0]) && v < static_cast<long>(otherSize[1]))
      {
        common += first->GetPixel({{x, y}}) != 0 && second->GetPixel({{u, v}}) != 0 ? 1 : 0;
      }
    }
  }
  return 2.0 * static_cast<double>(common) / static_cast<double>(sum);
}

std::string FindSegment(vtkSegmentation* segmentation, Structure structure)
{
  const bool disc = structure == Structure::Disc;
  const char* id =
    disc ? vtkSlicerNPSNetSegmentationLogic::GetDiscSegmentID() : vtkSlicerNPSNetSegmentationLogic::GetCupSegmentID();
  if (segmentation->GetSegmentIndex(id) >= 0)
  {
    return id;
  }
  for (const std::string& other : segmentation->GetSegmentIDs())
  {
    const char* name = segmentation->GetSegment(other)->GetName();
    const std::string lower = vtksys::SystemTools::LowerCase(name != nullptr ? name : "");
    if (disc ? lower == "optic disc" || lower == "disc" : lower == "optic cup" || lower == "cup")
    {
      return other;
    }
  }
  return "";
}

Masks ReadMasks(vtkMRMLSegmentationNode* segmentation, vtkMRMLVolumeNode* volume, const PhotoGeometry& geometry)
{
  vtkSegmentation* segments = segmentation->GetSegmentation();
  const auto disc = GetLabelmap(segmentation, FindSegment(segments, Structure::Disc), volume, geometry);
  const auto cup = GetLabelmap(segmentation, FindSegment(segments, Structure::Cup), volume, geometry);

  const auto size = geometry.GetUprightSize();
  int box[4] = {int(size[0]), 0, int(size[1]), 0};
  const auto grow = [&box](int x, int y)
  {
    box[0] = std::min(box[0], x);
    box[1] = std::max(box[1], x);
    box[2] = std::min(box[2], y);
    box[3] = std::max(box[3], y);
  };
  ForEachPixel(disc, geometry, grow);
  ForEachPixel(cup, geometry, grow);
  if (box[0] > box[1])
  {
    return MakeMasks(geometry, 0, 0, 1, 1);
  }
  const int margin = 2;
  const int x0 = std::max(box[0] - margin, 0);
  const int y0 = std::max(box[2] - margin, 0);
  const int x1 = std::min(box[1] + margin, int(size[0]) - 1);
  const int y1 = std::min(box[3] + margin, int(size[1]) - 1);
  Masks masks = MakeMasks(geometry, x0, y0, x1 - x0 + 1, y1 - y0 + 1);
  const std::size_t width = x1 - x0 + 1;
  const auto fill = [&](vtkOrientedImageData* labelmap, MaskImage* mask)
  {
    unsigned char* pixels = mask->GetBufferPointer();
    ForEachPixel(labelmap, geometry, [&](int x, int y) { pixels[(y - y0) * width + (x - x0)] = 1; });
  };
  fill(disc, masks.Disc);
  fill(cup, masks.Cup);
  return masks;
}

Masks ReadLabels(vtkMRMLVolumeNode* labels, const PhotoGeometry& geometry)
{
  vtkImageData* image = labels != nullptr ? labels->GetImageData() : nullptr;
  vtkDataArray* scalars = image != nullptr ? image->GetPointData()->GetScalars() : nullptr;
  if (scalars == nullptr)
  {
    throw std::runtime_error("There is no label image.");
  }
  int dimensions[3];
  image->GetDimensions(dimensions);
  if (!std::equal(dimensions, dimensions + 3, geometry.GetDimensions().begin()))
  {
    throw std::runtime_error("The label image has not the size of the photograph.");
  }
  std::set<double> values;
  for (vtkIdType i = 0; i < scalars->GetNumberOfTuples() && values.size() < 4; ++i)
  {
    values.insert(scalars->GetComponent(i, 0));
  }
  values.erase(0.0);
  if (values.empty() || values.size() > 2)
  {
    throw std::runtime_error("A label image has background 0 and one or two other values, this one has " +
                             (values.empty() ? std::string("none.") : std::string("more.")));
  }
  const double rim = *values.begin();
  const auto size = geometry.GetUprightSize();
  const auto at = [&](unsigned x, unsigned y)
  {
    const auto ijk = geometry.UprightToIJK({{x, y}});
    return scalars->GetComponent(ijk[0] + dimensions[0] * (ijk[1] + static_cast<vtkIdType>(dimensions[1]) * ijk[2]), 0);
  };
  Polygon foreground;
  const auto& spacing = geometry.GetUprightSpacing();
  for (unsigned y = 0; y < size[1]; ++y)
  {
    for (unsigned x = 0; x < size[0]; ++x)
    {
      if (at(x, y) != 0.0)
      {
        foreground.push_back(itk::MakePoint(x * spacing[0], y * spacing[1]));
      }
    }
  }
  Masks masks = MakeMasksAround(foreground, geometry);
  const auto part = masks.Disc->GetBufferedRegion().GetSize();
  std::size_t pixel = 0;
  for (unsigned y = 0; y < part[1]; ++y)
  {
    for (unsigned x = 0; x < part[0]; ++x, ++pixel)
    {
      const double value = at(static_cast<unsigned>(masks.X) + x, static_cast<unsigned>(masks.Y) + y);
      masks.Disc->GetBufferPointer()[pixel] = value != 0.0 ? 1 : 0;
      masks.Cup->GetBufferPointer()[pixel] = value != 0.0 && value != rim ? 1 : 0;
    }
  }
  return masks;
}

void WriteMask(vtkMRMLSegmentationNode* segmentation, const std::string& segmentID, const Masks& masks,
  Structure structure, const PhotoGeometry& geometry)
{
  const MaskImage* mask = masks.Get(structure);
  const auto size = mask->GetBufferedRegion().GetSize();
  const auto first = geometry.UprightToIJK({{masks.X, masks.Y}});
  const auto last =
    geometry.UprightToIJK({{masks.X + static_cast<int>(size[0]) - 1, masks.Y + static_cast<int>(size[1]) - 1}});
  int extent[6];
  for (int axis = 0; axis < 3; ++axis)
  {
    extent[2 * axis] = std::min(first[axis], last[axis]);
    extent[2 * axis + 1] = std::max(first[axis], last[axis]);
  }
  vtkNew<vtkOrientedImageData> labelmap;
  labelmap->SetExtent(extent);
  labelmap->SetGeometryFromImageToWorldMatrix(geometry.GetIJKToLocal());
  labelmap->AllocateScalars(VTK_UNSIGNED_CHAR, 1);
  const unsigned char* pixel = mask->GetBufferPointer();
  for (int y = 0; y < static_cast<int>(size[1]); ++y)
  {
    const auto place = [&](int x)
    {
      auto ijk = geometry.UprightToIJK({{masks.X + x, masks.Y + y}});
      return static_cast<unsigned char*>(labelmap->GetScalarPointer(ijk.data()));
    };
    unsigned char* to = place(0);
    const std::ptrdiff_t step = size[0] > 1 ? place(1) - to : 0;
    for (std::size_t x = 0; x < size[0]; ++x, ++pixel)
    {
      to[static_cast<std::ptrdiff_t>(x) * step] = *pixel != 0 ? 1 : 0;
    }
  }
  if (!vtkSlicerSegmentationsModuleLogic::SetBinaryLabelmapToSegment(labelmap, segmentation, segmentID))
  {
    throw std::runtime_error("The label map could not be written to the segment " + segmentID + ".");
  }
}

bool EnforceNesting(vtkMRMLSegmentationNode* segmentation, Structure edited)
{
  const std::string discID = FindSegment(segmentation->GetSegmentation(), Structure::Disc);
  const std::string cupID = FindSegment(segmentation->GetSegmentation(), Structure::Cup);
  vtkNew<vtkOrientedImageData> cup;
  if (discID.empty() || cupID.empty() || !segmentation->GetBinaryLabelmapRepresentation(cupID, cup) || cup->IsEmpty())
  {
    return false;
  }
  auto disc = vtkSmartPointer<vtkOrientedImageData>::New();
  segmentation->GetBinaryLabelmapRepresentation(discID, disc);
  if (!disc->IsEmpty() && !vtkOrientedImageDataResample::DoGeometriesMatch(disc, cup))
  {
    auto resampled = vtkSmartPointer<vtkOrientedImageData>::New();
    vtkOrientedImageDataResample::ResampleOrientedImageToReferenceOrientedImage(disc, cup, resampled, false, true);
    disc = resampled;
  }
  if (disc->IsEmpty())
  {
    disc->SetExtent(0, -1, 0, -1, 0, -1);
  }
  int extent[6];
  cup->GetExtent(extent);
  bool changed = false;
  for (int k = extent[4]; k <= extent[5]; ++k)
  {
    for (int j = extent[2]; j <= extent[3]; ++j)
    {
      const Row cupRow(cup, j, k);
      const Row discRow(disc, j, k);
      for (int i = extent[0]; i <= extent[1]; ++i)
      {
        if (cupRow.IsSet(i) && !discRow.IsSet(i))
        {
          changed = true;
          cup->SetScalarComponentFromDouble(i, j, k, 0, edited == Structure::Disc ? 0.0 : 1.0);
        }
      }
    }
  }
  if (!changed)
  {
    return false;
  }
  using Segmentations = vtkSlicerSegmentationsModuleLogic;
  return edited == Structure::Disc
           ? Segmentations::SetBinaryLabelmapToSegment(cup, segmentation, cupID)
           : Segmentations::SetBinaryLabelmapToSegment(cup, segmentation, discID, Segmentations::MODE_MERGE_MAX);
}

void FillPolygon(const Polygon& polygon, const PhotoGeometry& geometry, const Masks& frame, MaskImage* mask)
{
  const auto size = mask->GetBufferedRegion().GetSize();
  const auto& spacing = geometry.GetUprightSpacing();
  const long width = static_cast<long>(size[0]);
  std::vector<double> crossings;
  for (std::size_t row = 0; row < size[1]; ++row)
  {
    const double y = (frame.Y + static_cast<double>(row)) * spacing[1];
    crossings.clear();
    for (std::size_t i = 0; i < polygon.size(); ++i)
    {
      const Point& a = polygon[i];
      const Point& b = polygon[i + 1 == polygon.size() ? 0 : i + 1];
      if ((a[1] <= y) != (b[1] <= y))
      {
        const double x = a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]);
        crossings.push_back(x / spacing[0] - frame.X);
      }
    }
    std::sort(crossings.begin(), crossings.end());
    unsigned char* pixels = mask->GetBufferPointer() + row * size[0];
    for (std::size_t i = 0; i + 1 < crossings.size(); i += 2)
    {
      const long from = std::max(0l, static_cast<long>(std::ceil(crossings[i])));
      const long to = std::min(width - 1, static_cast<long>(std::floor(crossings[i + 1])));
      for (long x = from; x <= to; ++x)
      {
        pixels[x] = 1;
      }
    }
  }
}

Polygon TraceOutline(const MaskImage* mask)
{
  const auto size = mask->GetBufferedRegion().GetSize();
  vtkNew<vtkImageData> padded; // by one background pixel, so that outlines close at the photo's edge
  padded->SetExtent(-1, static_cast<int>(size[0]), -1, static_cast<int>(size[1]), 0, 0);
  padded->AllocateScalars(VTK_UNSIGNED_CHAR, 1);
  std::fill_n(static_cast<unsigned char*>(padded->GetScalarPointer()), (size[0] + 2) * (size[1] + 2), 0);
  for (std::size_t y = 0; y < size[1]; ++y)
  {
    const unsigned char* row = mask->GetBufferPointer() + y * size[0];
    std::transform(row, row + size[0], static_cast<unsigned char*>(padded->GetScalarPointer(0, static_cast<int>(y), 0)),
      [](unsigned char value) { return value != 0 ? 1 : 0; });
  }
  vtkNew<vtkFlyingEdges2D> contour;
  contour->SetInputData(padded);
  contour->SetValue(0, 0.5);
  vtkNew<vtkStripper> stripper;
  stripper->SetInputConnection(contour->GetOutputPort());
  stripper->SetMaximumLength(1000000);
  stripper->Update();

  vtkPolyData* outlines = stripper->GetOutput();
  Polygon largest;
  double largestArea = 0.0;
  vtkIdType count = 0;
  const vtkIdType* ids = nullptr;
  vtkCellArray* lines = outlines->GetLines();
  for (lines->InitTraversal(); lines->GetNextCell(count, ids);)
  {
    Polygon polygon;
    double area = 0.0;
    for (vtkIdType i = 0; i < count; ++i)
    {
      double p[3];
      outlines->GetPoint(ids[i], p);
      polygon.push_back(itk::MakePoint(
        mask->GetOrigin()[0] + p[0] * mask->GetSpacing()[0], mask->GetOrigin()[1] + p[1] * mask->GetSpacing()[1]));
    }
    if (polygon.size() > 1 && polygon.front() == polygon.back())
    {
      polygon.pop_back();
    }
    for (std::size_t i = 0; i < polygon.size(); ++i)
    {
      const Point& a = polygon[i];
      const Point& b = polygon[i + 1 == polygon.size() ? 0 : i + 1];
      area += 0.5 * (a[0] * b[1] - a[1] * b[0]);
    }
    if (std::abs(area) > largestArea)
    {
      largestArea = std::abs(area);
      largest = polygon;
    }
  }
  return largest;
}

Polygon ResampleClosed(const Polygon& polygon, int n)
{
  std::vector<double> at(1, 0.0);
  for (std::size_t i = 0; i < polygon.size(); ++i)
  {
    const Point& a = polygon[i];
    const Point& b = polygon[i + 1 == polygon.size() ? 0 : i + 1];
    at.push_back(at.back() + std::hypot(b[0] - a[0], b[1] - a[1]));
  }
  Polygon points;
  for (int k = 0; k < n && !polygon.empty(); ++k)
  {
    const double position = at.back() * k / n;
    const auto next = std::upper_bound(at.begin() + 1, at.end() - 1, position);
    const std::size_t i = static_cast<std::size_t>(next - at.begin()) - 1;
    const Point& a = polygon[i];
    const Point& b = polygon[i + 1 == polygon.size() ? 0 : i + 1];
    const double length = at[i + 1] - at[i];
    const double t = length > 0.0 ? (position - at[i]) / length : 0.0;
    points.push_back(a + (b - a) * t);
  }
  return points;
}
} // namespace npsnet
