// SPDX-License-Identifier: Apache-2.0
#ifndef NPSNetMasks_h
#define NPSNetMasks_h

#include "NPSNetPhoto.h"

#include "itkImage.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

class vtkMRMLSegmentationNode;
class vtkMRMLVolumeNode;
class vtkSegmentation;

namespace npsnet
{
enum class Structure
{
  Disc,
  Cup
};

using MaskImage = itk::Image<unsigned char, 2>;
using Point = PhotoGeometry::PointType;
using Polygon = std::vector<Point>; // closed

/// \brief Disc and cup on one upright raster that covers no more of the photo than it must.
///
/// The origin of the images places them in the photo's physical space.
struct Masks
{
  int X{0};
  int Y{0};
  MaskImage::Pointer Disc;
  MaskImage::Pointer Cup;

  MaskImage* Get(Structure structure) const { return structure == Structure::Disc ? this->Disc : this->Cup; }
};

/// Empty masks of the part of the photo that begins at upright pixel (x, y).
Masks MakeMasks(const PhotoGeometry& geometry, int x, int y, unsigned width, unsigned height);

/// The same, just large enough for a polygon as far as that lies in the photo.
Masks MakeMasksAround(const Polygon& polygon, const PhotoGeometry& geometry);

bool IsEmpty(const MaskImage* mask);

/// The same for two masks with the same foreground in the photo, whatever raster they are on.
std::string GetFingerprint(const Masks& masks, Structure structure);
std::string GetFingerprint(const Masks& masks);

/// Overlap of the same structure in two pairs of masks, whatever rasters they are on; empty when both are empty.
std::optional<double> ComputeDice(const Masks& a, const Masks& b, Structure structure);

/// Our segment's ID, else that of a segment with the structure's name; empty when there is none.
std::string FindSegment(vtkSegmentation* segmentation, Structure structure);

/// Foreground of both segments, wherever their label maps lie relative to the photo. A missing segment is empty.
Masks ReadMasks(vtkMRMLSegmentationNode* segmentation, vtkMRMLVolumeNode* volume, const PhotoGeometry& geometry);

/// A label image on the photo's raster, 0 background, then rim, then cup in increasing order of value; one value alone
/// is the disc. Throws std::runtime_error.
Masks ReadLabels(vtkMRMLVolumeNode* labels, const PhotoGeometry& geometry);

/// Replaces a segment's label map; other segments keep theirs, also under this one.
void WriteMask(vtkMRMLSegmentationNode* segmentation, const std::string& segmentID, const Masks& masks,
  Structure structure, const PhotoGeometry& geometry);

/// Clips the cup to the disc (the disc was edited) or grows the disc by the cup; true when something changed.
bool EnforceNesting(vtkMRMLSegmentationNode* segmentation, Structure edited);

/// Pixels whose centre lies inside.
void FillPolygon(const Polygon& polygon, const PhotoGeometry& geometry, const Masks& frame, MaskImage* mask);

/// Outline of the mask's largest part, half-way between pixel centres; empty for an empty mask.
Polygon TraceOutline(const MaskImage* mask);

/// n points at equal distances along the closed polygon.
Polygon ResampleClosed(const Polygon& polygon, int n);
} // namespace npsnet

#endif
