// SPDX-License-Identifier: Apache-2.0
#include "itkFundusOverlay.h"

#include "detail/itkBilinear.h"
#include "itkCanvas.h"
#include "itkImageDuplicator.h"
#include "itkMath.h"
#include "itkNPSNetThrow.h"
#include "itkPalette.h"
#include "itkPixelBox.h"
#include "itkRadialContour.h"
#include "itkRimSectors.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace itk
{
namespace
{
using ImageType = FundusOverlay::ImageType;

/** From the physical space of the photograph to pixels of the picture. */
using View = std::function<Canvas::PointType(const Point<double, 2> &)>;

std::vector<Canvas::LineType> ContourOfLabels(const FundusPhotograph::LabelImageType * labels,
                                              unsigned char                            least,
                                              const View &                             view)
{
  // Only the box around the foreground: the photograph is large.
  const auto            size = labels->GetBufferedRegion().GetSize();
  const unsigned char * pixels = labels->GetBufferPointer();
  const auto box = PixelBox::Of(pixels, size[0], size[1], [least](unsigned char label) { return label >= least; });
  std::vector<Canvas::LineType> lines;
  if (!box)
  {
    return lines;
  }
  const std::size_t          left = box->Left;
  const std::size_t          top = box->Top;
  const std::size_t          width = box->GetWidth();
  const std::size_t          height = box->GetHeight();
  std::vector<unsigned char> mask(width * height);
  for (std::size_t j = 0; j < height; ++j)
  {
    for (std::size_t i = 0; i < width; ++i)
    {
      mask[j * width + i] = pixels[(j + top) * size[0] + i + left] >= least ? 1 : 0;
    }
  }
  const auto toPicture = [&](const RadialContour::PointType & p) {
    ContinuousIndex<double, 2> index;
    index[0] = p[0] + static_cast<double>(left);
    index[1] = p[1] + static_cast<double>(top);
    Point<double, 2> point;
    labels->TransformContinuousIndexToPhysicalPoint(index, point);
    return view(point);
  };
  const RadialContour contour = RadialContour::FromMask(mask, width, height, { { 1.0, 1.0 } });
  for (const auto & segment : contour.GetSegments())
  {
    lines.push_back({ { toPicture(segment.A), toPicture(segment.B) } });
  }
  return lines;
}

void DrawContour(Canvas & canvas, const FundusResult & result, bool disc, const View & view, const Canvas::Pen & pen)
{
  if (result.Boundary.IsNull())
  {
    canvas.DrawLines(ContourOfLabels(result.Labels, disc ? 1 : 2, view), pen);
    return;
  }
  if (disc ? result.Boundary->IsDiscEmpty() : result.Boundary->IsCupEmpty())
  {
    return;
  }
  std::vector<Canvas::PointType> points;
  for (const auto & point : disc ? result.Boundary->GetDiscContour() : result.Boundary->GetCupContour())
  {
    points.push_back(view(point));
  }
  canvas.DrawClosedCurve(points, pen);
}

/** Everything that is drawn over a photograph. `extent` is the larger side of the picture. */
void Annotate(ImageType * picture, const FundusResult & result, const View & view, double scale, double extent)
{
  const RimMeasurements & m = result.Measurements;
  if (!result.HasSegmentation() || m.Profile.empty())
  {
    return;
  }
  Canvas       canvas(picture);
  const double diameter = 2.0 * *m.EquivalentDiscRadius * scale;

  Canvas::Pen pen;
  pen.Width = std::max({ 1.5, 0.0075 * diameter, 0.0012 * extent });
  pen.Halo = 0.5 * pen.Width;
  pen.Color = Palette::DiscContour;
  DrawContour(canvas, result, true, view, pen);
  pen.Color = Palette::CupContour;
  DrawContour(canvas, result, false, view, pen);

  const auto   center = result.Photograph->IndexToPoint(*m.DiscCentroid);
  const double reach = 0.5 * diameter / scale;
  const auto   at = [&](double theta, double radius) {
    Point<double, 2> point;
    point[0] = center[0] + radius * std::cos(theta * Math::pi / 180.0);
    point[1] = center[1] + radius * std::sin(theta * Math::pi / 180.0);
    return view(point);
  };

  Canvas::Pen white;
  white.Width = 0.75 * pen.Width;
  white.Halo = 0.4 * pen.Width;
  white.Opacity = 0.95;
  std::vector<Canvas::LineType> marks;
  for (const double border : { 45.0, 135.0, 225.0, 315.0 })
  {
    const double edge = m.Profile[static_cast<std::size_t>(border)].DiscRadius;
    marks.push_back({ { at(border, edge + 0.08 * reach), at(border, edge + 0.22 * reach) } });
  }
  const double arm = 0.045 * reach;
  marks.push_back({ { at(0.0, arm), at(180.0, arm) } });
  marks.push_back({ { at(90.0, arm), at(270.0, arm) } });
  canvas.DrawLines(marks, white);

  if (m.MinimumRimTheta)
  {
    const auto & ray = m.Profile[static_cast<std::size_t>(std::lround(*m.MinimumRimTheta)) % 360];
    canvas.DrawLines({ { { at(*m.MinimumRimTheta, ray.CupRadius), at(*m.MinimumRimTheta, ray.DiscRadius) } } }, white);
  }

  white.Width = pen.Width;
  for (const auto & sector : RimSectors::Quadrants(m.Eye))
  {
    if (sector.IsKnown())
    {
      const double middle = 0.5 * (sector.Begin + sector.End);
      const auto   ray = static_cast<std::size_t>(middle + 360.0) % 360;
      canvas.DrawLetters(sector.Name, at(middle, m.Profile[ray].DiscRadius + 0.26 * reach), 0.075 * diameter, white);
    }
  }
}

const ImageType * PhotographOf(const FundusResult & result)
{
  if (result.Photograph.IsNull() || result.Photograph->GetImage() == nullptr)
  {
    npsnetThrow("An overlay of " << result.Name << " cannot be drawn: the result carries no photograph.");
  }
  return result.Photograph->GetImage();
}
/** A window on the photograph: `step` photo pixels a picture pixel, bilinear, black outside. */
ImageType::Pointer Render(const FundusResult &        result,
                          const Point<double, 2> &    center,
                          double                      step,
                          const ImageType::SizeType & shape,
                          bool                        contours)
{
  const ImageType * photograph = PhotographOf(result);
  const auto        size = photograph->GetBufferedRegion().GetSize();
  const double      halfWidth = 0.5 * static_cast<double>(shape[0]);
  const double      halfHeight = 0.5 * static_cast<double>(shape[1]);

  auto picture = ImageType::New();
  picture->SetRegions(shape);
  picture->Allocate();
  const auto toIndex = [photograph, &center, step](double x, double y) {
    Point<double, 2> point;
    point[0] = center[0] + x * step;
    point[1] = center[1] + y * step;
    ContinuousIndex<double, 2> index;
    photograph->TransformPhysicalPointToContinuousIndex(point, index);
    return index;
  };
  const auto middle = toIndex(0.0, 0.0);
  const auto right = toIndex(1.0, 0.0) - middle;
  const auto down = toIndex(0.0, 1.0) - middle;

  // When shrinking, a pixel of the picture is the mean of several samples.
  const int             samples = std::min(4, std::max(1, static_cast<int>(std::ceil(step))));
  const auto            width = static_cast<std::ptrdiff_t>(size[0]);
  const auto            height = static_cast<std::ptrdiff_t>(size[1]);
  const unsigned char * colors = reinterpret_cast<const unsigned char *>(photograph->GetBufferPointer());
  unsigned char *       pixel = reinterpret_cast<unsigned char *>(picture->GetBufferPointer());
  for (SizeValueType j = 0; j < shape[1]; ++j)
  {
    for (SizeValueType i = 0; i < shape[0]; ++i, pixel += 3)
    {
      float sum[3] = { 0.0F, 0.0F, 0.0F };
      for (int s = 0; s < samples * samples; ++s)
      {
        const double u = static_cast<double>(i) + (s % samples + 0.5) / samples - halfWidth;
        const int    sampleRow = s / samples;
        const double v = static_cast<double>(j) + (sampleRow + 0.5) / samples - halfHeight;
        const double column = middle[0] + u * right[0] + v * down[0];
        const double row = middle[1] + u * right[1] + v * down[1];
        if (column < -0.5 || row < -0.5 || column > static_cast<double>(width) - 0.5 ||
            row > static_cast<double>(height) - 0.5)
        {
          continue;
        }
        const double          x = std::min(std::max(column, 0.0), static_cast<double>(width) - 1.0);
        const double          y = std::min(std::max(row, 0.0), static_cast<double>(height) - 1.0);
        const auto            x0 = static_cast<std::ptrdiff_t>(x);
        const auto            y0 = static_cast<std::ptrdiff_t>(y);
        const float           fx = static_cast<float>(x - static_cast<double>(x0));
        const float           fy = static_cast<float>(y - static_cast<double>(y0));
        const unsigned char * a = colors + 3 * (y0 * width + x0);
        const unsigned char * b = x0 + 1 < width ? a + 3 : a;
        const std::ptrdiff_t  below = y0 + 1 < height ? 3 * width : 0;
        for (unsigned int k = 0; k < 3; ++k)
        {
          sum[k] += Bilinear<float>(fx, fy, a[k], b[k], a[k + below], b[k + below]);
        }
      }
      for (unsigned int k = 0; k < 3; ++k)
      {
        // NOLINTNEXTLINE(bugprone-incorrect-roundings): never negative, and much faster than lround()
        pixel[k] = static_cast<unsigned char>(sum[k] / static_cast<float>(samples * samples) + 0.5F);
      }
    }
  }

  if (contours)
  {
    const View view = [=](const Point<double, 2> & point) {
      return Canvas::PointType{ { (point[0] - center[0]) / step + halfWidth - 0.5,
                                  (point[1] - center[1]) / step + halfHeight - 0.5 } };
    };
    Annotate(picture, result, view, 1.0 / step, 2.0 * std::max(halfWidth, halfHeight));
  }
  return picture;
}
} // namespace

ImageType::Pointer FundusOverlay::Draw(const FundusResult & result)
{
  const ImageType * photograph = PhotographOf(result);
  const auto        duplicator = ImageDuplicator<ImageType>::New();
  duplicator->SetInputImage(photograph);
  duplicator->Update();
  ImageType::Pointer picture = duplicator->GetOutput();

  const View view = [photograph](const Point<double, 2> & point) {
    ContinuousIndex<double, 2> index;
    photograph->TransformPhysicalPointToContinuousIndex(point, index);
    return Canvas::PointType{ { index[0], index[1] } };
  };
  const auto size = picture->GetBufferedRegion().GetSize();
  Annotate(picture, result, view, 1.0, static_cast<double>(std::max(size[0], size[1])));
  return picture;
}

ImageType::Pointer FundusOverlay::DrawZoom(const FundusResult & result, unsigned int pixels, bool contours)
{
  const RimMeasurements & m = result.Measurements;
  if (!m.DiscCentroid)
  {
    return FundusOverlay::DrawThumbnail(result, pixels);
  }
  const double side = 1.75 * std::max(*m.DiscHeight, *m.DiscWidth);
  return Render(
    result, result.Photograph->IndexToPoint(*m.DiscCentroid), side / pixels, { { pixels, pixels } }, contours);
}

ImageType::Pointer FundusOverlay::DrawThumbnail(const FundusResult & result, unsigned int pixels)
{
  const ImageType *          photograph = PhotographOf(result);
  const auto                 size = photograph->GetBufferedRegion().GetSize();
  const double               width = static_cast<double>(size[0]) * photograph->GetSpacing()[0];
  const double               height = static_cast<double>(size[1]) * photograph->GetSpacing()[1];
  const double               step = std::max(width, height) / pixels;
  ContinuousIndex<double, 2> middle;
  middle[0] = 0.5 * (static_cast<double>(size[0]) - 1.0);
  middle[1] = 0.5 * (static_cast<double>(size[1]) - 1.0);
  Point<double, 2> center;
  photograph->TransformContinuousIndexToPhysicalPoint(middle, center);
  const auto side = [step](double length) {
    return static_cast<SizeValueType>(std::max(1.0, std::round(length / step)));
  };
  const auto              picture = Render(result, center, step, { { side(width), side(height) } }, false);
  const RimMeasurements & m = result.Measurements;
  if (m.DiscCentroid)
  {
    Canvas::Pen pen;
    pen.Width = 1.5;
    const auto & shape = picture->GetBufferedRegion().GetSize();
    const auto   centroid = result.Photograph->IndexToPoint(*m.DiscCentroid);
    Canvas(picture).DrawCircle({ { (centroid[0] - center[0]) / step + 0.5 * static_cast<double>(shape[0]) - 0.5,
                                   (centroid[1] - center[1]) / step + 0.5 * static_cast<double>(shape[1]) - 0.5 } },
                               1.25 * *m.EquivalentDiscRadius / step,
                               pen);
  }
  return picture;
}
} // namespace itk
