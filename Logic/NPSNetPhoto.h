// SPDX-License-Identifier: Apache-2.0
#ifndef NPSNetPhoto_h
#define NPSNetPhoto_h

#include "itkFundusPhotograph.h"

#include <vtkNew.h>
#include <vtkMatrix4x4.h>

#include <array>
#include <functional>
#include <string>

class vtkMRMLScene;
class vtkMRMLVolumeNode;

namespace npsnet
{
/// \brief How the raster of a volume node lies in the world and how it becomes an upright photo.
///
/// A point is a position in the physical space of itk::FundusPhotograph: x right, y down, unit spacing for square
/// pixels. An index counts its pixels. Local coordinates are the volume node's RAS before its parent transform, IJK its
/// own index.
class PhotoGeometry
{
public:
  using PointType = itk::FundusPhotograph::PointType;
  using IndexType = itk::FundusPhotograph::ContinuousIndexType;

  /// \param orientation EXIF value 1...8, or 0 for automatic.
  /// Throws std::runtime_error with one sentence when the node is not a photograph.
  PhotoGeometry(vtkMRMLVolumeNode* volume, int orientation);

  IndexType PointToIndex(const PointType& photo) const;
  PointType IndexToPoint(const IndexType& index) const;
  /// Does an index lie on the photo?
  bool IsInside(const IndexType& index) const;

  void PhotoToLocal(const PointType& photo, double local[3]) const;
  PointType LocalToPhoto(const double local[3]) const;

  /// Pixels of the upright photo and of the volume.
  std::array<int, 3> UprightToIJK(const itk::Index<2>& upright) const;
  itk::Index<2> IJKToUpright(const std::array<int, 3>& ijk) const;

  vtkMatrix4x4* GetIJKToLocal() const { return this->IJKToLocal; }
  const std::array<int, 3>& GetDimensions() const { return this->Dimensions; }
  /// Raster and orientation; the place in the world is the matrix's.
  const itk::StoredGeometry& GetStored() const { return this->Stored; }
  std::array<unsigned, 2> GetUprightSize() const { return this->Stored.GetUprightSize(); }
  /// Spacing of the upright photo; its geometric mean is 1.
  const std::array<double, 2>& GetUprightSpacing() const { return this->UprightSpacing; }
  /// Mean of the two in-plane spacings of the volume: millimetres a photo pixel.
  double GetMillimetersPerPixel() const { return this->MillimetersPerPixel; }

private:
  std::array<int, 3> Dimensions{};
  /// In-plane IJK axes in memory order.
  std::array<int, 2> Axes{{0, 1}};
  itk::StoredGeometry Stored;
  std::array<double, 2> UprightSpacing{{1.0, 1.0}};
  double MillimetersPerPixel{1.0};
  vtkNew<vtkMatrix4x4> IJKToLocal;
  vtkNew<vtkMatrix4x4> LocalToIJK;
};

/// The volume's pixels as an upright 8-bit colour photograph. Grey becomes colour, a fourth component is dropped,
/// 16 bit become 8 by 257. This only takes hold of the pixels, and throws std::runtime_error with one sentence when
/// they are not a photograph; the function it returns reads them, in any thread.
std::function<itk::FundusPhotograph::Pointer()> PreparePhotograph(
  vtkMRMLVolumeNode* volume, const PhotoGeometry& geometry);

/// \brief What the file of a volume says beside its pixels.
struct PhotoFileFacts
{
  /// EXIF value or what DICOM's patient orientation amounts to; 1 upright or unknown. Slicer's readers ignore it: such
  /// a photo lies on its side in the slice view.
  unsigned Orientation{1};
  /// "R", "L" or empty.
  std::string DICOMLaterality;
  /// 0 when there is no calibration.
  double MicrometersPerPixel{0.0};
};

/// Of the file the volume was loaded from; the defaults when there is none. Only a file that can say such things is
/// read, and only once.
PhotoFileFacts GetFileFacts(vtkMRMLVolumeNode* volume);

/// Loads one file as a vector (colour) or scalar (grey) volume with display node. Slicer's Volumes logic would do the
/// same, but complains without the application's Colors logic. Throws std::runtime_error.
vtkMRMLVolumeNode* LoadVolume(vtkMRMLScene* scene, const std::string& fileName, const std::string& name);

/// File the volume was loaded from, else its name: what the eye may be read from.
std::string GetPhotoName(vtkMRMLVolumeNode* volume);
} // namespace npsnet

#endif
