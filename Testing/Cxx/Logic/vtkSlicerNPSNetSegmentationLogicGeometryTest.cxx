// SPDX-License-Identifier: Apache-2.0
#include "LogicFixture.h"

#include "NPSNetFailure.h"
#include "NPSNetPhoto.h"
#include "NPSNetRequest.h"

#include <vtkMRMLLinearTransformNode.h>
#include <vtkMRMLMarkupsClosedCurveNode.h>
#include <vtkMRMLMarkupsFiducialNode.h>
#include <vtkMRMLScalarVolumeNode.h>

#include <vtkMath.h>
#include <vtkTransform.h>

#include <array>
#include <tuple>

namespace
{
/// IJK to RAS of a photo whose stored raster is turned and mirrored as an EXIF value says, then rotated in the plane.
void MakeGeometry(int orientation, double degrees, double spacingX, double spacingY, vtkMatrix4x4* ijkToRAS)
{
  // Columns i and j of the raster, in upright axes (x right, y down).
  const double axes[8][2][2] = {{{1, 0}, {0, 1}}, {{-1, 0}, {0, 1}}, {{-1, 0}, {0, -1}}, {{1, 0}, {0, -1}},
    {{0, 1}, {1, 0}}, {{0, 1}, {-1, 0}}, {{0, -1}, {-1, 0}}, {{0, -1}, {1, 0}}};
  const double c = std::cos(vtkMath::RadiansFromDegrees(degrees));
  const double s = std::sin(vtkMath::RadiansFromDegrees(degrees));
  const double spacing[2] = {spacingX, spacingY};
  ijkToRAS->Identity();
  for (int column = 0; column < 2; ++column)
  {
    const double* axis = axes[orientation - 1][column];
    // Right is patient left (-R), down is posterior (-A).
    ijkToRAS->SetElement(0, column, -(c * axis[0] - s * axis[1]) * spacing[column]);
    ijkToRAS->SetElement(1, column, -(s * axis[0] + c * axis[1]) * spacing[column]);
  }
  ijkToRAS->SetElement(0, 3, 12.5);
  ijkToRAS->SetElement(1, 3, -7.25);
  ijkToRAS->SetElement(2, 3, 3.0);
}
} // namespace

/// Orientation 1...8, rotation in degrees, spacing of i, whether there is a parent transform.
class LogicGeometry : public LogicFixture, public ::testing::WithParamInterface<std::tuple<int, double, double, bool>>
{
};

TEST_P(LogicGeometry, SegmentsAndCurvesLieOnThePhoto)
{
  const auto [orientation, degrees, spacingX, transformed] = this->GetParam();
  vtkNew<vtkMatrix4x4> ijkToRAS;
  MakeGeometry(orientation, degrees, spacingX, 0.5, ijkToRAS);
  auto* volume = this->AddPhoto(201, 160, ijkToRAS);
  vtkNew<vtkTransform> parent;
  if (transformed)
  {
    parent->Translate(30, -20, 5);
    parent->RotateZ(25);
    parent->Scale(1.5, 1.5, 1.5);
    auto* node = vtkMRMLLinearTransformNode::SafeDownCast(this->Scene->AddNewNodeByClass("vtkMRMLLinearTransformNode"));
    node->SetMatrixTransformToParent(parent->GetMatrix());
    volume->SetAndObserveTransformNodeID(node->GetID());
  }
  this->Parameters->SetInputVolumeNode(volume);

  // Voxel (120, 70) of the stored raster, by VTK's own arithmetic.
  const auto toWorld = [&](double i, double j)
  {
    const double ijk[4] = {i, j, 0, 1};
    double ras[4];
    ijkToRAS->MultiplyPoint(ijk, ras);
    std::array<double, 3> world{};
    parent->TransformPoint(ras, world.data());
    return world;
  };
  const auto center = toWorld(120, 70);
  double pixel[2];
  ASSERT_TRUE(this->TheLogic->WorldToPhotoPixel(this->Parameters, center.data(), pixel));
  double back[3];
  ASSERT_TRUE(this->TheLogic->PhotoPixelToWorld(this->Parameters, pixel, back));
  for (int axis = 0; axis < 3; ++axis)
  {
    EXPECT_NEAR(back[axis], center[axis], 1e-9);
  }

  // In RAS, before the parent transform, x of the photo goes to patient left and y to posterior.
  const npsnet::PhotoGeometry geometry(volume, 0);
  const double origin[2] = {0, 0};
  const double right[2] = {10, 0};
  const double down[2] = {0, 10};
  double p0[3];
  double px[3];
  double py[3];
  geometry.PhotoToLocal(origin, p0);
  geometry.PhotoToLocal(right, px);
  geometry.PhotoToLocal(down, py);
  EXPECT_LT(px[0] - p0[0], -0.5 * std::abs(px[1] - p0[1]));
  EXPECT_LT(py[1] - p0[1], -0.5 * std::abs(py[0] - p0[0]));

  const double a = 24.0;
  const double b = 30.0;
  const auto& spacing = geometry.GetUprightSpacing();
  ASSERT_EQ(this->TheLogic->ApplyBoundary(
              this->Parameters, MakeBoundary(pixel[0] * spacing[0], pixel[1] * spacing[1], a, b, 0.5)),
    0)
    << this->TheLogic->GetLastMessage();
  EXPECT_NEAR(this->TheLogic->GetMeasurement(this->Parameters, "disc_x_px"), pixel[0], 0.25);
  EXPECT_NEAR(this->TheLogic->GetMeasurement(this->Parameters, "disc_y_px"), pixel[1], 0.25);
  const double pixelSize = std::sqrt(spacingX * 0.5) * (transformed ? 1.5 : 1.0);

  auto* segmentation = this->Parameters->GetSegmentationNode();
  EXPECT_EQ(segmentation->GetParentTransformNode(), volume->GetParentTransformNode());
  for (const char* id : {Logic::GetDiscSegmentID(), Logic::GetCupSegmentID()})
  {
    const auto labelmap = this->GetLabelmap(id);
    vtkNew<vtkMatrix4x4> imageToRAS;
    labelmap->GetImageToWorldMatrix(imageToRAS);
    for (int element = 0; element < 16; ++element)
    {
      EXPECT_NEAR(
        imageToRAS->GetElement(element / 4, element % 4), ijkToRAS->GetElement(element / 4, element % 4), 1e-9);
    }
    double sum[3] = {0, 0, 0};
    int count = 0;
    ForEachVoxel(labelmap,
      [&](int i, int j, int)
      {
        const auto world = toWorld(i, j);
        vtkMath::Add(sum, world.data(), sum);
        ++count;
      });
    ASSERT_GT(count, 500);
    vtkMath::MultiplyScalar(sum, 1.0 / count);
    EXPECT_LT(std::sqrt(vtkMath::Distance2BetweenPoints(sum, center.data())), 0.25 * pixelSize) << id;
  }

  // Every control point on the ellipse, to a quarter pixel.
  auto* curve = this->Parameters->GetDiscCurveNode();
  ASSERT_EQ(curve->GetNumberOfControlPoints(), 36);
  for (int n = 0; n < 36; ++n)
  {
    double world[3];
    curve->GetNthControlPointPositionWorld(n, world);
    double photo[2];
    this->TheLogic->WorldToPhotoPixel(this->Parameters, world, photo);
    const double u = (photo[0] - pixel[0]) * spacing[0];
    const double v = (photo[1] - pixel[1]) * spacing[1];
    const double theta = std::atan2(v, u);
    EXPECT_NEAR(std::hypot(u, v), a * b / std::hypot(b * std::cos(theta), a * std::sin(theta)), 0.25);
  }
}

INSTANTIATE_TEST_SUITE_P(Orientations, LogicGeometry,
  ::testing::Combine(::testing::Range(1, 9), ::testing::Values(0.0), ::testing::Values(0.5), ::testing::Values(false)));
INSTANTIATE_TEST_SUITE_P(RotatedTransformedNotSquare, LogicGeometry,
  ::testing::Combine(::testing::Values(1, 2, 7), ::testing::Values(0.0, 20.0, -35.0), ::testing::Values(0.5, 0.7),
    ::testing::Values(true)));

TEST_F(LogicFixture, PhotosInOtherPlanesAreUprightAsTheirSliceViewShowsThem)
{
  // A photo in the coronal plane, first axis to patient right, second to superior: mirrored and upside down.
  vtkNew<vtkMatrix4x4> ijkToRAS;
  ijkToRAS->Zero();
  ijkToRAS->SetElement(0, 0, 1.0);
  ijkToRAS->SetElement(2, 1, 1.0);
  ijkToRAS->SetElement(1, 2, 1.0);
  ijkToRAS->SetElement(3, 3, 1.0);
  EXPECT_EQ(npsnet::PhotoGeometry(this->AddPhoto(20, 10, ijkToRAS), 0).GetStored().Orientation, 3u);
}

TEST_F(LogicFixture, ACentreAtTheEdgeOfAPhotoWithPixelsThatAreNotSquareIsInside)
{
  vtkNew<vtkMatrix4x4> ijkToRAS;
  ijkToRAS->SetElement(0, 0, -2.0);
  ijkToRAS->SetElement(1, 1, -0.5);
  auto* volume = this->AddPhoto(40, 30, ijkToRAS);
  this->Parameters->SetInputVolumeNode(volume);
  const npsnet::PhotoGeometry geometry(volume, 0);
  auto* anchor = vtkMRMLMarkupsFiducialNode::SafeDownCast(this->Scene->AddNewNodeByClass("vtkMRMLMarkupsFiducialNode"));
  this->Parameters->SetAnchorNode(anchor);
  const auto request = [&](double x, double y)
  {
    const double pixel[2] = {x, y};
    double world[3];
    this->TheLogic->PhotoPixelToWorld(this->Parameters, pixel, world);
    anchor->RemoveAllControlPoints();
    anchor->AddControlPoint(world[0], world[1], world[2]);
    return npsnet::MakeRequest(this->Parameters, geometry, "/bin/true");
  };
  for (const double x : {-0.4, 39.4})
  {
    for (const double y : {-0.4, 29.4})
    {
      const auto center = request(x, y).Options.Center;
      EXPECT_NEAR((*center)[0], x, 1e-6);
      EXPECT_NEAR((*center)[1], y, 1e-6);
    }
  }
  EXPECT_THROW(request(-0.6, 10.0), npsnet::Failure);
  EXPECT_THROW(request(39.6, 10.0), npsnet::Failure);
  EXPECT_THROW(request(10.0, -0.6), npsnet::Failure);
  EXPECT_THROW(request(10.0, 29.6), npsnet::Failure);
}

TEST_F(LogicFixture, EveryPixelTypeGivesTheSamePhotograph)
{
  auto* colour = this->AddPhoto(40, 30);
  const npsnet::PhotoGeometry geometry(colour, 0);
  const auto reference = npsnet::PreparePhotograph(colour, geometry)();
  const auto* expected = reference->GetImage()->GetBufferPointer();
  const auto* source = static_cast<const unsigned char*>(colour->GetImageData()->GetScalarPointer());
  for (const int components : {3, 4})
  {
    for (const int type : {VTK_UNSIGNED_CHAR, VTK_UNSIGNED_SHORT})
    {
      vtkNew<vtkImageData> image;
      image->SetDimensions(40, 30, 1);
      image->AllocateScalars(type, components);
      for (int n = 0; n < 1200; ++n)
      {
        for (int c = 0; c < components; ++c)
        {
          const double value = c < 3 ? source[3 * n + c] : 255.0;
          image->SetScalarComponentFromDouble(n % 40, n / 40, 0, c, type == VTK_UNSIGNED_SHORT ? 257.0 * value : value);
        }
      }
      auto* volume =
        vtkMRMLVectorVolumeNode::SafeDownCast(this->Scene->AddNewNodeByClass("vtkMRMLVectorVolumeNode", "other"));
      volume->SetAndObserveImageData(image);
      volume->SetIJKToRASDirections(-1, 0, 0, 0, -1, 0, 0, 0, 1);
      const auto photograph = npsnet::PreparePhotograph(volume, npsnet::PhotoGeometry(volume, 0))();
      EXPECT_TRUE(std::equal(expected, expected + 1200, photograph->GetImage()->GetBufferPointer()))
        << components << " components of type " << type;
    }
  }

  vtkNew<vtkImageData> grey;
  grey->SetDimensions(4, 3, 1);
  grey->AllocateScalars(VTK_UNSIGNED_SHORT, 1);
  for (int n = 0; n < 12; ++n)
  {
    grey->SetScalarComponentFromDouble(n % 4, n / 4, 0, 0, 257.0 * n);
  }
  auto* scalar =
    vtkMRMLScalarVolumeNode::SafeDownCast(this->Scene->AddNewNodeByClass("vtkMRMLScalarVolumeNode", "grey"));
  scalar->SetAndObserveImageData(grey);
  scalar->SetIJKToRASDirections(-1, 0, 0, 0, -1, 0, 0, 0, 1);
  const auto photograph = npsnet::PreparePhotograph(scalar, npsnet::PhotoGeometry(scalar, 0))();
  for (int n = 0; n < 12; ++n)
  {
    for (int c = 0; c < 3; ++c)
    {
      EXPECT_EQ(photograph->GetImage()->GetBufferPointer()[n][c], n);
    }
  }
}

TEST_F(LogicFixture, WhatIsNoPhotographIsRefusedWithASentence)
{
  EXPECT_EQ(this->TheLogic->UpdateMeasurements(this->Parameters), Logic::InvalidPhoto);
  EXPECT_NE(this->TheLogic->GetLastMessage().find("input volume"), std::string::npos);

  auto* volume = this->AddPhoto(20, 10);
  this->Parameters->SetInputVolumeNode(volume);
  vtkNew<vtkImageData> stack;
  stack->SetDimensions(20, 10, 3);
  stack->AllocateScalars(VTK_UNSIGNED_CHAR, 3);
  volume->SetAndObserveImageData(stack);
  EXPECT_EQ(this->TheLogic->StartSegment(this->Parameters), Logic::InvalidPhoto);
  EXPECT_NE(this->TheLogic->GetLastMessage().find("3 slices"), std::string::npos) << this->TheLogic->GetLastMessage();
  EXPECT_EQ(this->Parameters->GetStatus(), int(vtkMRMLNPSNetParameterNode::Failed));
  EXPECT_EQ(this->Parameters->GetStatusMessage(), this->TheLogic->GetLastMessage());

  vtkNew<vtkImageData> real;
  real->SetDimensions(20, 10, 1);
  real->AllocateScalars(VTK_FLOAT, 3);
  volume->SetAndObserveImageData(real);
  EXPECT_EQ(this->TheLogic->StartSegment(this->Parameters), Logic::InvalidPhoto);
  EXPECT_NE(this->TheLogic->GetLastMessage().find("float"), std::string::npos) << this->TheLogic->GetLastMessage();

  volume->SetAndObserveImageData(nullptr);
  EXPECT_EQ(this->TheLogic->StartSegment(this->Parameters), Logic::InvalidPhoto);
}
