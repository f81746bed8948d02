// SPDX-License-Identifier: Apache-2.0
#include "npsnetPythonImage.h"

#include "itkContrastLimitedAdaptiveHistogramEqualizationImageFilter.h"
#include "itkFundusPhotographReader.h"
#include "itkFundusRegionOfInterestImageFilter.h"
#include "itkFundusResultWriter.h"
#include "itkEyeLaterality.h"
#include "itkNPSNetModelFile.h"
#include "itkNestedLabelValidity.h"
#include "itkNestedPolarBoundaryToLabelImageFilter.h"
#include "itkPolarInverseResampleImageFilter.h"
#include "itkPolarOccupancy.h"
#include "itkPolarResampleImageFilter.h"
#include "itkRGBAPixel.h"
#include "itkRegularizeNestedPolarBoundary.h"
#include "itkRimMeasurementCalculator.h"

namespace npsnet
{
namespace
{
using Grey8 = itk::Image<unsigned char, 2>;
using Grey16 = itk::Image<unsigned short, 2>;
using RGB8 = itk::Image<itk::RGBPixel<unsigned char>, 2>;
using RGB16 = itk::Image<itk::RGBPixel<unsigned short>, 2>;
using RGBA8 = itk::Image<itk::RGBAPixel<unsigned char>, 2>;
using Float = itk::Image<float, 2>;
using FloatRGB = itk::Image<itk::RGBPixel<float>, 2>;
using Boundary = itk::NestedPolarBoundary;

template <typename TImage, typename TArray>
bool Fits(const py::array & array)
{
  constexpr std::size_t components = NumberOfComponents<TImage>();
  return py::isinstance<py::array_t<TArray>>(array) &&
         (components == 1 ? array.ndim() == 2
                          : array.ndim() == 3 && array.shape(2) == static_cast<py::ssize_t>(components));
}

/** Calls function(type tag) with the first image type that holds the array as it is. */
template <typename... TImages>
struct Dispatch
{
  template <typename TFunction>
  static py::tuple Call(const py::array & array, TFunction function)
  {
    py::tuple  result;
    const bool found =
      ((Fits<TImages, ComponentType<TImages>>(array) && (result = function(TImages::New().GetPointer()), true)) || ...);
    if (!found)
    {
      throw py::type_error("this stage does not take such an array: expected [y, x], [y, x, 3] (or [y, x, 4]) of "
                           "uint8, uint16 or float32 as its documentation says");
    }
    return result;
  }
};

template <typename TFilter>
void UpdateWithoutLock(TFilter * filter)
{
  const py::gil_scoped_release release;
  filter->Update();
}

py::tuple EnhanceContrast(const py::array & array, const Geometry & geometry, double clipLimit, unsigned int tiles)
{
  return Dispatch<Grey8, RGB8, RGBA8, Grey16, RGB16>::Call(array, [&](auto * tag) {
    using ImageType = std::remove_pointer_t<decltype(tag)>;
    using FilterType = itk::ContrastLimitedAdaptiveHistogramEqualizationImageFilter<ImageType>;
    auto                           filter = FilterType::New();
    typename FilterType::TilesType size;
    size.Fill(tiles);
    filter->SetInput(ToImage<ImageType>(array, geometry));
    filter->SetClipLimit(clipLimit);
    filter->SetTiles(size);
    UpdateWithoutLock(filter.GetPointer());
    return ToTuple(filter->GetOutput());
  });
}

py::tuple Crop(const py::array &             array,
               const Geometry &              geometry,
               const std::array<double, 2> & center,
               double                        side,
               unsigned int                  pixels,
               bool                          nearest)
{
  return Dispatch<Grey8, RGB8, Float, FloatRGB>::Call(array, [&](auto * tag) {
    using ImageType = std::remove_pointer_t<decltype(tag)>;
    auto filter = itk::FundusRegionOfInterestImageFilter<ImageType>::New();
    filter->SetInput(ToImage<ImageType>(array, geometry));
    filter->SetCenter(itk::Point<double, 2>(center.data()));
    filter->SetSide(side);
    filter->SetNumberOfPixels(pixels);
    filter->SetNearestNeighbor(nearest);
    UpdateWithoutLock(filter.GetPointer());
    return ToTuple(filter->GetOutput());
  });
}

py::tuple ToPolar(const py::array &                            array,
                  const Geometry &                             geometry,
                  const std::optional<std::array<double, 2>> & center,
                  double                                       radius,
                  unsigned int                                 radii,
                  unsigned int                                 angles)
{
  return Dispatch<Float, FloatRGB>::Call(array, [&](auto * tag) {
    using ImageType = std::remove_pointer_t<decltype(tag)>;
    auto filter = itk::PolarResampleImageFilter<ImageType>::New();
    filter->SetInput(ToImage<ImageType>(array, geometry));
    if (center)
    {
      filter->SetCenter(itk::Point<double, 2>(center->data()));
    }
    filter->SetRadius(radius);
    filter->SetNumberOfRadii(radii);
    filter->SetNumberOfAngles(angles);
    UpdateWithoutLock(filter.GetPointer());
    return ToTuple(filter->GetOutput());
  });
}

Grey8::Pointer MakeRaster(const std::array<std::size_t, 2> & shape, const Geometry & geometry)
{
  auto raster = Grey8::New();
  raster->SetRegions(Grey8::SizeType{ { shape[1], shape[0] } });
  SetGeometry(raster, geometry);
  return raster;
}

py::tuple FromPolar(const py::array &                            array,
                    const std::array<std::size_t, 2> &           shape,
                    const Geometry &                             geometry,
                    const std::optional<std::array<double, 2>> & center,
                    double                                       radius)
{
  return Dispatch<Float, FloatRGB>::Call(array, [&](auto * tag) {
    using ImageType = std::remove_pointer_t<decltype(tag)>;
    auto filter = itk::PolarInverseResampleImageFilter<ImageType>::New();
    filter->SetInput(ToImage<ImageType>(array, Geometry()));
    filter->SetOutputParametersFromImage(MakeRaster(shape, geometry));
    if (center)
    {
      filter->SetCenter(itk::Point<double, 2>(center->data()));
    }
    filter->SetRadius(radius);
    UpdateWithoutLock(filter.GetPointer());
    return ToTuple(filter->GetOutput());
  });
}

py::tuple Labels(const Boundary & boundary, const std::array<std::size_t, 2> & shape, const Geometry & geometry)
{
  auto filter = itk::NestedPolarBoundaryToLabelImageFilter::New();
  filter->SetBoundary(&boundary);
  filter->SetReferenceImage(MakeRaster(shape, geometry));
  UpdateWithoutLock(filter.GetPointer());
  return ToTuple(filter->GetOutput());
}

Boundary::Pointer Regularize(const Boundary &                   boundary,
                             const std::array<std::size_t, 2> & shape,
                             const Geometry &                   geometry)
{
  const auto                   raster = MakeRaster(shape, geometry);
  const py::gil_scoped_release release;
  return itk::RegularizeNestedPolarBoundary(&boundary, raster);
}

Boundary::Pointer MakeBoundary(const std::vector<double> &          disc,
                               const std::vector<double> &          cup,
                               const std::array<double, 2> &        anchor,
                               double                               radius,
                               std::array<std::array<double, 2>, 2> axes)
{
  auto               boundary = Boundary::New();
  Boundary::AxesType matrix;
  for (unsigned int r = 0; r < 2; ++r)
  {
    for (unsigned int c = 0; c < 2; ++c)
    {
      matrix(r, c) = axes[r][c];
    }
  }
  boundary->SetAnchor(Boundary::PointType(anchor.data()));
  boundary->SetRadius(radius);
  boundary->SetAxes(matrix);
  boundary->SetRadii(disc, cup);
  return boundary;
}

py::array PointsToArray(const std::vector<Boundary::PointType> & points)
{
  Array<double> array({ static_cast<py::ssize_t>(points.size()), py::ssize_t{ 2 } });
  for (std::size_t i = 0; i < points.size(); ++i)
  {
    array.mutable_at(i, 0) = points[i][0];
    array.mutable_at(i, 1) = points[i][1];
  }
  return std::move(array);
}

py::tuple ExtractRadii(const Array<float> & disc, const Array<float> & cup)
{
  if (disc.ndim() != 2 || cup.ndim() != 2 || disc.shape(0) != cup.shape(0) || disc.shape(1) != cup.shape(1))
  {
    throw std::invalid_argument("two maps [radius, angle] of one size are needed");
  }
  std::vector<double> discRadii;
  std::vector<double> cupRadii;
  {
    const py::gil_scoped_release release;
    itk::ExtractNestedRadiiFromOccupancy(disc.data(),
                                         cup.data(),
                                         static_cast<std::size_t>(disc.shape(0)),
                                         static_cast<std::size_t>(disc.shape(1)),
                                         discRadii,
                                         cupRadii);
  }
  return py::make_tuple(Array<double>(discRadii.size(), discRadii.data()),
                        Array<double>(cupRadii.size(), cupRadii.data()));
}

py::dict Validity(const py::array &                            labels,
                  const Geometry &                             geometry,
                  const std::optional<std::array<double, 2>> & anchor)
{
  const auto                       image = ToImage<Grey8>(labels, geometry);
  itk::NestedLabelValidity::Report report;
  {
    const py::gil_scoped_release release;
    report = anchor ? itk::NestedLabelValidity::Check(image, Boundary::PointType(anchor->data()))
                    : itk::NestedLabelValidity::Check(image);
  }
  py::dict dict;
  dict["valid"] = report.IsValid();
  dict["nested"] = report.Nested;
  dict["disc_whole"] = report.Disc.IsWhole();
  dict["cup_whole"] = report.Cup.IsWhole();
  dict["description"] = report.Describe();
  return dict;
}

/** JSON, as in the metrics file of a photograph. */
std::string Measure(const Boundary &                                  boundary,
                    const std::string &                               eye,
                    double                                            micrometersPerPixel,
                    const std::optional<std::array<std::size_t, 2>> & shape,
                    const Geometry &                                  geometry)
{
  const py::gil_scoped_release release;
  const PhotoSpace             space(geometry);
  const Boundary::ConstPointer measured = space.ToPhoto(boundary);
  const auto                   laterality = itk::DetermineEyeLaterality(eye, "", "");
  auto                         calculator = itk::RimMeasurementCalculator::New();
  calculator->SetEye(laterality.Side);
  calculator->SetMicrometersPerPixel(micrometersPerPixel);
  if (shape)
  {
    calculator->SetPhotograph(MakeRaster(*shape, space.GetPhotoGeometry()));
  }
  itk::FundusResult result;
  result.Status = itk::FundusStatusEnum::Ok;
  result.Eye = laterality.Side;
  result.EyeSource = laterality.Source;
  result.CalibrationSource = micrometersPerPixel > 0.0 ? "user" : "";
  result.Boundary = measured;
  result.Measurements = calculator->Compute(measured);
  return result.ToJSON();
}

py::dict Read(const std::string & fileName)
{
  auto reader = itk::FundusPhotographReader::New();
  reader->SetFileName(fileName);
  UpdateWithoutLock(reader.GetPointer());
  const auto * photograph = reader->GetPhotograph();
  py::dict     dict;
  dict["image"] = ToTuple(photograph->GetImage());
  dict["laterality"] = std::string(photograph->GetDICOMLaterality());
  dict["micrometers_per_pixel"] = photograph->GetMicrometersPerPixel();
  return dict;
}
} // namespace
} // namespace npsnet

PYBIND11_MODULE(_stages, m)
{
  using namespace npsnet;
  TranslateExceptions();
  py::class_<Geometry>(m, "Geometry")
    .def(py::init<>())
    .def_readwrite("spacing", &Geometry::Spacing)
    .def_readwrite("origin", &Geometry::Origin)
    .def_readwrite("direction", &Geometry::Direction);
  py::class_<Boundary, Boundary::Pointer>(m, "Boundary")
    .def(
      py::init(&MakeBoundary), py::arg("disc"), py::arg("cup"), py::arg("anchor"), py::arg("radius"), py::arg("axes"))
    .def_property_readonly("anchor",
                           [](const Boundary & b) { return py::make_tuple(b.GetAnchor()[0], b.GetAnchor()[1]); })
    .def_property_readonly("radius", [](const Boundary & b) { return b.GetRadius(); })
    .def_property_readonly(
      "disc", [](const Boundary & b) { return Array<double>(b.GetDiscRadii().size(), b.GetDiscRadii().data()); })
    .def_property_readonly(
      "cup", [](const Boundary & b) { return Array<double>(b.GetCupRadii().size(), b.GetCupRadii().data()); })
    .def_property_readonly(
      "disc_confidence",
      [](const Boundary & b) { return Array<double>(b.GetDiscConfidences().size(), b.GetDiscConfidences().data()); })
    .def_property_readonly(
      "cup_confidence",
      [](const Boundary & b) { return Array<double>(b.GetCupConfidences().size(), b.GetCupConfidences().data()); })
    .def("disc_contour", [](const Boundary & b) { return PointsToArray(b.GetDiscContour()); })
    .def("cup_contour", [](const Boundary & b) { return PointsToArray(b.GetCupContour()); })
    .def("to_json", &Boundary::ToJSON)
    .def_static("from_json", &Boundary::FromJSON)
    .def("__copy__", [](const Boundary & b) { return Boundary::FromJSON(b.ToJSON()); })
    .def("__deepcopy__", [](const Boundary & b, const py::dict &) { return Boundary::FromJSON(b.ToJSON()); })
    .def(py::pickle([](const Boundary & b) { return py::str(b.ToJSON()); },
                    [](const py::str & json) { return Boundary::FromJSON(json); }));
  m.def("clahe", &EnhanceContrast);
  m.def("crop", &Crop);
  m.def("to_polar", &ToPolar);
  m.def("from_polar", &FromPolar);
  m.def("extract_radii", &ExtractRadii);
  m.def("labels", &Labels);
  m.def("regularize", &Regularize);
  m.def("validity", &Validity);
  m.def("measure", &Measure);
  m.def("read", &Read);
  m.def("model_metadata", [](const std::string & file) { return itk::NPSNetModelFile(file).GetMetadata().ToJSON(); });
}
