// SPDX-License-Identifier: Apache-2.0
#ifndef LogicFixture_h
#define LogicFixture_h

#include "vtkMRMLNPSNetParameterNode.h"
#include "vtkSlicerNPSNetSegmentationLogic.h"

#include "itkNestedPolarBoundary.h"

#include <vtkMRMLScene.h>
#include <vtkMRMLSegmentationNode.h>
#include <vtkMRMLTableNode.h>
#include <vtkMRMLVectorVolumeNode.h>
#include <vtkOrientedImageData.h>

#include <vtkImageData.h>
#include <vtkMatrix4x4.h>
#include <vtkNew.h>
#include <vtkSmartPointer.h>

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

/// A scene, the logic, a parameter node and helpers to make photos and boundaries.
class LogicFixture : public ::testing::Test
{
protected:
  using Logic = vtkSlicerNPSNetSegmentationLogic;

  void SetUp() override
  {
    this->TheLogic->SetMRMLScene(this->Scene);
    this->Parameters = this->TheLogic->AddParameterNode();
    ASSERT_NE(this->Parameters, nullptr);
  }

  void TearDown() override { this->TheLogic->SetMRMLScene(nullptr); }

  /// Grey ramp in colour; IJK to RAS as Slicer gives it to a photo unless a matrix is given.
  vtkMRMLVectorVolumeNode* AddPhoto(
    int width, int height, vtkMatrix4x4* ijkToRAS = nullptr, const char* name = "photo_OD")
  {
    auto* volume =
      vtkMRMLVectorVolumeNode::SafeDownCast(this->Scene->AddNewNodeByClass("vtkMRMLVectorVolumeNode", name));
    vtkNew<vtkImageData> image;
    image->SetDimensions(width, height, 1);
    image->AllocateScalars(VTK_UNSIGNED_CHAR, 3);
    auto* pixel = static_cast<unsigned char*>(image->GetScalarPointer());
    for (int y = 0; y < height; ++y)
    {
      for (int x = 0; x < width; ++x)
      {
        *pixel++ = static_cast<unsigned char>(x % 256);
        *pixel++ = static_cast<unsigned char>(y % 256);
        *pixel++ = 40;
      }
    }
    volume->SetAndObserveImageData(image);
    vtkNew<vtkMatrix4x4> usual;
    usual->SetElement(0, 0, -1.0);
    usual->SetElement(1, 1, -1.0);
    volume->SetIJKToRASMatrix(ijkToRAS != nullptr ? ijkToRAS : usual.Get());
    return volume;
  }

  /// Ellipses about the anchor; cup radius is a fraction of the disc's.
  static std::string MakeBoundary(double x, double y, double a, double b, double cupFraction)
  {
    constexpr std::size_t angles = 360;
    const double radius = 2.0 * std::max(a, b);
    itk::NestedPolarBoundary::ProfileType disc(angles);
    itk::NestedPolarBoundary::ProfileType cup(angles);
    for (std::size_t i = 0; i < angles; ++i)
    {
      const double theta = 2.0 * std::acos(-1.0) * static_cast<double>(i) / angles;
      disc[i] = a * b / std::hypot(b * std::cos(theta), a * std::sin(theta)) / radius;
      cup[i] = cupFraction * disc[i];
    }
    auto boundary = itk::NestedPolarBoundary::New();
    itk::NestedPolarBoundary::PointType anchor;
    anchor[0] = x;
    anchor[1] = y;
    boundary->SetAnchor(anchor);
    boundary->SetRadius(radius);
    boundary->SetRadii(disc, cup);
    boundary->SetConfidences(
      itk::NestedPolarBoundary::ProfileType(angles, 0.9), itk::NestedPolarBoundary::ProfileType(angles, 0.8));
    return boundary->ToJSON();
  }

  vtkSmartPointer<vtkOrientedImageData> GetLabelmap(const char* segmentID)
  {
    auto labelmap = vtkSmartPointer<vtkOrientedImageData>::New();
    this->Parameters->GetSegmentationNode()->GetBinaryLabelmapRepresentation(segmentID, labelmap);
    return labelmap;
  }

  /// Calls f(i, j, k) for every foreground voxel.
  template <typename F> static void ForEachVoxel(vtkOrientedImageData* labelmap, F f)
  {
    const int* extent = labelmap->GetExtent();
    for (int k = extent[4]; k <= extent[5]; ++k)
    {
      for (int j = extent[2]; j <= extent[3]; ++j)
      {
        for (int i = extent[0]; i <= extent[1]; ++i)
        {
          if (labelmap->GetScalarComponentAsDouble(i, j, k, 0) != 0.0)
          {
            f(i, j, k);
          }
        }
      }
    }
  }

  static int Count(vtkOrientedImageData* labelmap)
  {
    int count = 0;
    ForEachVoxel(labelmap, [&](int, int, int) { ++count; });
    return count;
  }

  static bool IsSet(vtkOrientedImageData* labelmap, int i, int j, int k)
  {
    const int* e = labelmap->GetExtent();
    return i >= e[0] && i <= e[1] && j >= e[2] && j <= e[3] && k >= e[4] && k <= e[5] &&
           labelmap->GetScalarComponentAsDouble(i, j, k, 0) != 0.0;
  }

  /// Voxels of the cup that are not in the disc.
  int CountCupOutsideDisc()
  {
    const auto disc = this->GetLabelmap(Logic::GetDiscSegmentID());
    const auto cup = this->GetLabelmap(Logic::GetCupSegmentID());
    int outside = 0;
    ForEachVoxel(cup, [&](int i, int j, int k) { outside += IsSet(disc, i, j, k) ? 0 : 1; });
    return outside;
  }

  /// Adds or removes a square of voxels of a segment, as a brush would: nothing else is touched.
  void Paint(const char* segmentID, int i0, int j0, int side, bool add);

  std::string GetTemporaryFolder();

  vtkNew<vtkMRMLScene> Scene;
  vtkNew<vtkSlicerNPSNetSegmentationLogic> TheLogic;
  vtkMRMLNPSNetParameterNode* Parameters{nullptr};
};

#endif
