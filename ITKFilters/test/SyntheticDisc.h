// SPDX-License-Identifier: Apache-2.0
#ifndef SyntheticDisc_h
#define SyntheticDisc_h

#include "itkImage.h"
#include "itkImageRegionIteratorWithIndex.h"
#include "itkMath.h"
#include "itkNestedPolarBoundary.h"

#include <algorithm>
#include <cmath>
#include <functional>

/** An optic nerve head with a closed form: predicates in image axes (u right, v down, photo pixels). */
struct SyntheticDisc
{
  using Predicate = std::function<bool(double, double)>;
  using LabelImage = itk::Image<unsigned char, 2>;

  Predicate Disc;
  Predicate Cup;

  static Predicate Ellipse(double u0, double v0, double a, double b, double turnDegrees = 0.0)
  {
    const double c = std::cos(turnDegrees * itk::Math::pi / 180.0);
    const double s = std::sin(turnDegrees * itk::Math::pi / 180.0);
    return [=](double u, double v) {
      const double x = (c * (u - u0) + s * (v - v0)) / a;
      const double y = (-s * (u - u0) + c * (v - v0)) / b;
      return x * x + y * y <= 1.0;
    };
  }

  static Predicate Circle(double u0, double v0, double r) { return Ellipse(u0, v0, r, r); }

  /** A circle whose radius is `wedge` between two directions (degrees) about its centre. */
  static Predicate Wedged(double u0, double v0, double r, double wedge, double begin, double end)
  {
    return [=](double u, double v) {
      double theta = std::atan2(v - v0, u - u0) * 180.0 / itk::Math::pi;
      theta -= 360.0 * std::floor((theta - begin) / 360.0);
      return std::hypot(u - u0, v - v0) <= (theta <= end ? wedge : r);
    };
  }

  /** Distance along a ray to the border; the shape must be star-convex about the start. */
  static double Reach(const Predicate & inside, double u, double v, double theta, double limit)
  {
    double low = 0.0;
    double high = limit;
    if (!inside(u, v))
    {
      return 0.0;
    }
    for (int k = 0; k < 60; ++k)
    {
      const double middle = 0.5 * (low + high);
      (inside(u + middle * std::cos(theta), v + middle * std::sin(theta)) ? low : high) = middle;
    }
    return low;
  }

  itk::NestedPolarBoundary::Pointer MakeBoundary(double u, double v, double radius, std::size_t n = 360) const
  {
    std::vector<double> disc(n);
    std::vector<double> cup(n);
    for (std::size_t k = 0; k < n; ++k)
    {
      const double theta = 2.0 * itk::Math::pi * static_cast<double>(k) / static_cast<double>(n);
      disc[k] = Reach(Disc, u, v, theta, radius) / radius;
      cup[k] = Cup ? std::min(disc[k], Reach(Cup, u, v, theta, radius) / radius) : 0.0;
    }
    auto                                boundary = itk::NestedPolarBoundary::New();
    itk::NestedPolarBoundary::PointType anchor;
    anchor[0] = u;
    anchor[1] = v;
    boundary->SetAnchor(anchor);
    boundary->SetRadius(radius);
    boundary->SetRadii(disc, cup);
    return boundary;
  }

  /** 0/1/2 labels; pixel (i, j) has its centre at (i * spacing[0], j * spacing[1]) in image axes. */
  LabelImage::Pointer MakeLabels(unsigned int width,
                                 unsigned int height,
                                 double       spacingU = 1.0,
                                 double       spacingV = 1.0) const
  {
    auto labels = LabelImage::New();
    labels->SetRegions(LabelImage::SizeType{ { width, height } });
    labels->Allocate(true);
    LabelImage::SpacingType spacing;
    spacing[0] = spacingU;
    spacing[1] = spacingV;
    labels->SetSpacing(spacing);
    for (itk::ImageRegionIteratorWithIndex<LabelImage> it(labels, labels->GetBufferedRegion()); !it.IsAtEnd(); ++it)
    {
      const double u = static_cast<double>(it.GetIndex()[0]) * spacingU;
      const double v = static_cast<double>(it.GetIndex()[1]) * spacingV;
      it.Set(Cup && Cup(u, v) ? 2 : Disc(u, v) ? 1 : 0);
    }
    return labels;
  }
};

#endif
