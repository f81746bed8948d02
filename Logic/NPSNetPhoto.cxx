// SPDX-License-Identifier: Apache-2.0
#include "NPSNetPhoto.h"

#include "itkFundusPhotographReader.h"
#include "itkImageIOBase.h"
#include "itkImageIOFactory.h"

#include <vtkMRMLScene.h>
#include <vtkMRMLStorageNode.h>
#include <vtkMRMLVolumeArchetypeStorageNode.h>
#include <vtkMRMLVolumeNode.h>

#include <vtkDataArray.h>
#include <vtkImageData.h>
#include <vtkPointData.h>
#include <vtkSmartPointer.h>
#include <vtksys/FStream.hxx>
#include <vtksys/SystemTools.hxx>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

namespace npsnet
{
namespace
{
using Vector = std::array<double, 3>;

double Dot(const Vector& a, const Vector& b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Directions of "right" and "down" of the slice view that shows the plane spanned by a and b: Slicer's axial,
/// coronal or sagittal view.
void GetViewAxes(const Vector& a, const Vector& b, Vector& right, Vector& down)
{
  const Vector normal{
    {std::abs(a[1] * b[2] - a[2] * b[1]), std::abs(a[2] * b[0] - a[0] * b[2]), std::abs(a[0] * b[1] - a[1] * b[0])}};
  if (normal[2] >= normal[0] && normal[2] >= normal[1])
  {
    right = {{-1, 0, 0}};
    down = {{0, -1, 0}};
  }
  else
  {
    right = normal[1] >= normal[0] ? Vector{{-1, 0, 0}} : Vector{{0, -1, 0}};
    down = {{0, 0, -1}};
  }
}

/// EXIF orientation that shows stored axes a (fast) and b (slow) the way the slice view does.
unsigned GetDisplayOrientation(const Vector& a, const Vector& b)
{
  Vector right;
  Vector down;
  GetViewAxes(a, b, right, down);
  const double straight = std::abs(Dot(a, right)) + std::abs(Dot(b, down));
  const double turned = std::abs(Dot(a, down)) + std::abs(Dot(b, right));
  if (straight >= turned)
  {
    const bool flipX = Dot(a, right) < 0;
    const bool flipY = Dot(b, down) < 0;
    return flipX ? (flipY ? 3 : 2) : (flipY ? 4 : 1);
  }
  const bool flipX = Dot(b, right) < 0;
  const bool flipY = Dot(a, down) < 0;
  return flipX ? (flipY ? 7 : 6) : (flipY ? 8 : 5);
}

/// Whether a file holds EXIF data or is TIFF or DICOM, by its first bytes.
bool MaySayMore(const std::string& file)
{
  std::string head(64 * 1024, '\0');
  vtksys::ifstream stream(file.c_str(), std::ios::binary);
  stream.read(&head[0], static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(stream.gcount()));
  const std::string start = head.substr(0, 4);
  return start == std::string("II*\0", 4) || start == std::string("MM\0*", 4) ||
         (head.size() > 132 && head.compare(128, 4, "DICM") == 0) || head.find(std::string("Exif\0", 5)) != head.npos ||
         head.find("eXIf") != head.npos;
}

template <typename T> void CopyPixels(const T* stored, int components, double scale, itk::FundusPhotograph* photograph)
{
  const itk::StoredGeometry& geometry = photograph->GetStored();
  const auto& size = geometry.Size;
  const std::size_t pixels = static_cast<std::size_t>(size[0]) * size[1];
  bool transparent = components == 4; // alpha that is zero everywhere means nothing
  for (std::size_t i = 0; transparent && i < pixels; ++i)
  {
    transparent = stored[4 * i + 3] == 0;
  }
  const bool hasAlpha = components == 4 && !transparent;
  itk::FundusPhotograph::ImageType* image = photograph->GetModifiableImage();
  const std::size_t width = image->GetBufferedRegion().GetSize()[0];
  auto* upright = reinterpret_cast<unsigned char*>(image->GetBufferPointer());
  const auto place = [&](unsigned x, unsigned y)
  {
    const auto to = geometry.StoredToUpright(itk::Index<2>{{x, y}});
    return 3 * (to[1] * static_cast<std::ptrdiff_t>(width) + to[0]);
  };
  for (unsigned y = 0; y < size[1]; ++y)
  {
    unsigned char* pixel = upright + place(0, y);
    const std::ptrdiff_t step = size[0] > 1 ? place(1, y) - place(0, y) : 3;
    if (sizeof(T) == 1 && components == 3 && step == 3)
    {
      std::copy(stored, stored + 3 * size[0], pixel); // by far the most photos
      stored += 3 * size[0];
      continue;
    }
    for (unsigned x = 0; x < size[0]; ++x, stored += components, pixel += step)
    {
      for (int c = 0; c < 3; ++c)
      {
        const T value = stored[components < 3 ? 0 : c];
        if (sizeof(T) == 1 && !hasAlpha)
        {
          pixel[c] = static_cast<unsigned char>(value);
          continue;
        }
        const double opacity = hasAlpha ? stored[3] / (255.0 * scale) : 1.0; // on black
        pixel[c] = static_cast<unsigned char>(std::lround(opacity * static_cast<double>(value) / scale));
      }
    }
  }
}
} // namespace

PhotoGeometry::PhotoGeometry(vtkMRMLVolumeNode* volume, int orientation)
{
  vtkImageData* image = volume != nullptr ? volume->GetImageData() : nullptr;
  if (image == nullptr || image->GetNumberOfPoints() == 0 || image->GetPointData()->GetScalars() == nullptr)
  {
    throw std::runtime_error("There is no photograph: choose a volume that holds an image.");
  }
  image->GetDimensions(this->Dimensions.data());
  const int flat = static_cast<int>(std::count(this->Dimensions.begin(), this->Dimensions.end(), 1));
  if (flat == 0)
  {
    throw std::runtime_error("The volume " + std::string(volume->GetName() ? volume->GetName() : "") + " has " +
                             std::to_string(this->Dimensions[2]) +
                             " slices, a photograph has one: load the file with the option \"Single File\".");
  }
  int normal = 2;
  while (this->Dimensions[normal] != 1)
  {
    --normal;
  }
  this->Axes = {{normal == 0 ? 1 : 0, normal == 2 ? 1 : 2}};
  for (int i = 0; i < 2; ++i)
  {
    this->Stored.Size[i] = static_cast<unsigned>(this->Dimensions[this->Axes[i]]);
  }

  volume->GetIJKToRASMatrix(this->IJKToLocal);
  if (this->IJKToLocal->Determinant() == 0.0)
  {
    throw std::runtime_error("The volume's IJK to RAS matrix is singular: its geometry cannot be used.");
  }
  vtkMatrix4x4::Invert(this->IJKToLocal, this->LocalToIJK);

  std::array<Vector, 2> axis;
  std::array<double, 2> length{};
  for (int i = 0; i < 2; ++i)
  {
    for (int r = 0; r < 3; ++r)
    {
      axis[i][r] = this->IJKToLocal->GetElement(r, this->Axes[i]);
    }
    length[i] = std::sqrt(Dot(axis[i], axis[i]));
    for (double& component : axis[i])
    {
      component /= length[i];
    }
  }
  this->Stored.Dimension = 3;
  this->Stored.Orientation =
    orientation > 0 ? static_cast<unsigned>(orientation) : GetDisplayOrientation(axis[0], axis[1]);

  this->MillimetersPerPixel = std::sqrt(length[0] * length[1]);
  const bool turned = this->Stored.Orientation > 4;
  // Equal lengths that differ by rounding are square pixels, and those have spacing 1 exactly.
  if (std::abs(length[0] - length[1]) > 1e-6 * this->MillimetersPerPixel)
  {
    const double ratio = std::sqrt(length[turned ? 1 : 0] / length[turned ? 0 : 1]);
    this->UprightSpacing = {{ratio, 1.0 / ratio}};
  }
}

PhotoGeometry::IndexType PhotoGeometry::PointToIndex(const PointType& photo) const
{
  const double index[] = {photo[0] / this->UprightSpacing[0], photo[1] / this->UprightSpacing[1]};
  return index;
}

PhotoGeometry::PointType PhotoGeometry::IndexToPoint(const IndexType& index) const
{
  return itk::MakePoint(index[0] * this->UprightSpacing[0], index[1] * this->UprightSpacing[1]);
}

bool PhotoGeometry::IsInside(const IndexType& index) const
{
  const auto size = this->GetUprightSize();
  return index[0] >= -0.5 && index[1] >= -0.5 && index[0] <= size[0] - 0.5 && index[1] <= size[1] - 0.5;
}

void PhotoGeometry::PhotoToLocal(const PointType& photo, double local[3]) const
{
  const IndexType stored = this->Stored.UprightToStored(this->PointToIndex(photo));
  double ijk[4] = {0, 0, 0, 1};
  ijk[this->Axes[0]] = stored[0];
  ijk[this->Axes[1]] = stored[1];
  double point[4];
  this->IJKToLocal->MultiplyPoint(ijk, point);
  std::copy(point, point + 3, local);
}

PhotoGeometry::PointType PhotoGeometry::LocalToPhoto(const double local[3]) const
{
  const double point[4] = {local[0], local[1], local[2], 1.0};
  double ijk[4];
  this->LocalToIJK->MultiplyPoint(point, ijk);
  const double stored[] = {ijk[this->Axes[0]], ijk[this->Axes[1]]};
  return this->IndexToPoint(this->Stored.StoredToUpright(IndexType(stored)));
}

std::array<int, 3> PhotoGeometry::UprightToIJK(const itk::Index<2>& upright) const
{
  const auto stored = this->Stored.UprightToStored(upright);
  std::array<int, 3> ijk{{0, 0, 0}};
  ijk[this->Axes[0]] = static_cast<int>(stored[0]);
  ijk[this->Axes[1]] = static_cast<int>(stored[1]);
  return ijk;
}

itk::Index<2> PhotoGeometry::IJKToUpright(const std::array<int, 3>& ijk) const
{
  return this->Stored.StoredToUpright(itk::Index<2>{{ijk[this->Axes[0]], ijk[this->Axes[1]]}});
}

std::function<itk::FundusPhotograph::Pointer()> PreparePhotograph(
  vtkMRMLVolumeNode* volume, const PhotoGeometry& geometry)
{
  const vtkSmartPointer<vtkDataArray> scalars = volume->GetImageData()->GetPointData()->GetScalars();
  const int components = scalars->GetNumberOfComponents();
  if (components != 1 && components != 3 && components != 4)
  {
    throw std::runtime_error(
      "A photograph has 1, 3 or 4 components a pixel, this volume has " + std::to_string(components) + ".");
  }
  const bool bytes = scalars->GetDataType() == VTK_UNSIGNED_CHAR;
  if (!bytes && scalars->GetDataType() != VTK_UNSIGNED_SHORT)
  {
    throw std::runtime_error(std::string("A photograph has 8 or 16 bit unsigned pixels, this volume has ") +
                             scalars->GetDataTypeAsString() + ": convert it first (Cast Scalar Volume).");
  }

  using ImageType = itk::FundusPhotograph::ImageType;
  const auto size = geometry.GetUprightSize();
  auto image = ImageType::New();
  ImageType::RegionType region;
  region.SetSize({{size[0], size[1]}});
  image->SetRegions(region);
  image->SetSpacing(geometry.GetUprightSpacing().data());

  auto photograph = itk::FundusPhotograph::New();
  photograph->SetImage(image);
  photograph->SetStored(geometry.GetStored());
  photograph->SetFileName(GetPhotoName(volume));
  return [photograph, scalars, components, bytes]
  {
    photograph->GetModifiableImage()->Allocate();
    const void* pixels = scalars->GetVoidPointer(0);
    bytes ? CopyPixels(static_cast<const unsigned char*>(pixels), components, 1.0, photograph)
          : CopyPixels(static_cast<const unsigned short*>(pixels), components, 257.0, photograph);
    return photograph;
  };
}

std::string GetPhotoName(vtkMRMLVolumeNode* volume)
{
  if (volume == nullptr)
  {
    return "";
  }
  vtkMRMLStorageNode* storage = volume->GetStorageNode();
  if (storage != nullptr && storage->GetFileName() != nullptr && *storage->GetFileName() != '\0')
  {
    return storage->GetFileName();
  }
  return volume->GetName() != nullptr ? volume->GetName() : "";
}

PhotoFileFacts GetFileFacts(vtkMRMLVolumeNode* volume)
{
  vtkMRMLStorageNode* storage = volume != nullptr ? volume->GetStorageNode() : nullptr;
  const std::string file =
    storage != nullptr && storage->GetFileName() != nullptr ? storage->GetFullNameFromFileName() : "";
  if (file.empty() || !vtksys::SystemTools::FileExists(file, true))
  {
    return {};
  }
  static std::map<std::pair<std::string, long>, PhotoFileFacts> known;
  const auto key = std::make_pair(file, vtksys::SystemTools::ModifiedTime(file));
  const auto found = known.find(key);
  if (found != known.end())
  {
    return found->second;
  }
  PhotoFileFacts facts;
  if (MaySayMore(file))
  {
    try
    {
      auto reader = itk::FundusPhotographReader::New();
      reader->SetFileName(file);
      reader->Update();
      facts.Orientation = reader->GetPhotograph()->GetStored().Orientation;
      facts.DICOMLaterality = reader->GetPhotograph()->GetDICOMLaterality();
      facts.MicrometersPerPixel = reader->GetPhotograph()->GetMicrometersPerPixel();
    }
    catch (const itk::ExceptionObject&)
    {
      facts = {}; // Slicer could read it, that is enough.
    }
  }
  known[key] = facts;
  return facts;
}

vtkMRMLVolumeNode* LoadVolume(vtkMRMLScene* scene, const std::string& fileName, const std::string& name)
{
  const std::string failure = "The photograph " + fileName +
                              " could not be read: it may be damaged or of a kind that "
                              "is not supported.";
  const auto io = itk::ImageIOFactory::CreateImageIO(fileName.c_str(), itk::ImageIOFactory::IOFileModeEnum::ReadMode);
  if (io.IsNull())
  {
    throw std::runtime_error(failure);
  }
  io->SetFileName(fileName);
  try
  {
    io->ReadImageInformation();
  }
  catch (const itk::ExceptionObject&)
  {
    throw std::runtime_error(failure);
  }
  const bool colour = io->GetNumberOfComponents() > 1;
  auto* volume = vtkMRMLVolumeNode::SafeDownCast(scene->AddNewNodeByClass(
    colour ? "vtkMRMLVectorVolumeNode" : "vtkMRMLScalarVolumeNode", scene->GenerateUniqueName(name)));
  auto* storage =
    vtkMRMLVolumeArchetypeStorageNode::SafeDownCast(scene->AddNewNodeByClass("vtkMRMLVolumeArchetypeStorageNode"));
  storage->SetFileName(fileName.c_str());
  storage->SetSingleFile(1);
  if (storage->ReadData(volume) == 0)
  {
    scene->RemoveNode(storage);
    scene->RemoveNode(volume);
    throw std::runtime_error(failure);
  }
  volume->SetAndObserveStorageNodeID(storage->GetID());
  volume->CreateDefaultDisplayNodes();
  return volume;
}
} // namespace npsnet
