// SPDX-License-Identifier: Apache-2.0
#ifndef npsnetPythonImage_h
#define npsnetPythonImage_h

#include "itkExceptionSentence.h"
#include "itkImage.h"
#include "itkRGBPixel.h"
#include "itkNestedPolarBoundary.h"

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <type_traits>

// ITK's smart pointers count inside the object, so any number of them may be made from one pointer.
PYBIND11_DECLARE_HOLDER_TYPE(T, itk::SmartPointer<T>, true)

namespace npsnet
{
namespace py = pybind11;

/** Where an array lies: x before y, as in ITK. */
struct Geometry
{
  std::array<double, 2>                Spacing{ { 1.0, 1.0 } };
  std::array<double, 2>                Origin{ { 0.0, 0.0 } };
  std::array<std::array<double, 2>, 2> Direction{ { { { 1.0, 0.0 } }, { { 0.0, 1.0 } } } };
};

template <typename T>
using Array = py::array_t<T, py::array::c_style | py::array::forcecast>;

inline void SetGeometry(itk::ImageBase<2> * image, const Geometry & geometry)
{
  itk::ImageBase<2>::DirectionType direction;
  for (unsigned int r = 0; r < 2; ++r)
  {
    for (unsigned int c = 0; c < 2; ++c)
    {
      direction(r, c) = geometry.Direction[r][c];
    }
  }
  image->SetSpacing(geometry.Spacing.data());
  image->SetOrigin(geometry.Origin.data());
  image->SetDirection(direction);
}

inline Geometry GetGeometry(const itk::ImageBase<2> * image)
{
  Geometry geometry;
  for (unsigned int r = 0; r < 2; ++r)
  {
    geometry.Spacing[r] = image->GetSpacing()[r];
    geometry.Origin[r] = image->GetOrigin()[r];
    for (unsigned int c = 0; c < 2; ++c)
    {
      geometry.Direction[r][c] = image->GetDirection()(r, c);
    }
  }
  return geometry;
}

/** Between the space of the caller's image and that of a FundusPhotograph: origin 0, axes along the rows and columns,
 * pixels of area 1. */
class PhotoSpace
{
public:
  explicit PhotoSpace(const Geometry & geometry)
    : m_Image(itk::ImageBase<2>::New())
    , m_Pixel(std::sqrt(geometry.Spacing[0] * geometry.Spacing[1]))
  {
    SetGeometry(m_Image, geometry);
  }

  double GetPixel() const { return m_Pixel; }

  Geometry GetPhotoGeometry() const
  {
    Geometry photo;
    photo.Spacing = { { m_Image->GetSpacing()[0] / m_Pixel, m_Image->GetSpacing()[1] / m_Pixel } };
    return photo;
  }

  itk::ContinuousIndex<double, 2> ToIndex(const itk::Point<double, 2> & point) const
  {
    itk::ContinuousIndex<double, 2> index;
    m_Image->TransformPhysicalPointToContinuousIndex(point, index);
    return index;
  }

  itk::NestedPolarBoundary::Pointer FromPhoto(const itk::NestedPolarBoundary & found) const
  {
    const auto                      photo = this->GetPhotoGeometry().Spacing;
    itk::ContinuousIndex<double, 2> index;
    itk::Point<double, 2>           anchor;
    index[0] = found.GetAnchor()[0] / photo[0];
    index[1] = found.GetAnchor()[1] / photo[1];
    m_Image->TransformContinuousIndexToPhysicalPoint(index, anchor);
    return Moved(found, anchor, m_Pixel, m_Image->GetDirection());
  }

  itk::NestedPolarBoundary::Pointer ToPhoto(const itk::NestedPolarBoundary & boundary) const
  {
    const auto            index = this->ToIndex(boundary.GetAnchor());
    const auto            photo = this->GetPhotoGeometry().Spacing;
    itk::Point<double, 2> anchor;
    anchor[0] = index[0] * photo[0];
    anchor[1] = index[1] * photo[1];
    const itk::NestedPolarBoundary::AxesType inverse(m_Image->GetInverseDirection());
    return Moved(boundary, anchor, 1.0 / m_Pixel, inverse);
  }

private:
  static itk::NestedPolarBoundary::Pointer Moved(const itk::NestedPolarBoundary &           boundary,
                                                 const itk::Point<double, 2> &              anchor,
                                                 double                                     scale,
                                                 const itk::NestedPolarBoundary::AxesType & turn)
  {
    auto moved = itk::NestedPolarBoundary::New();
    moved->SetAnchor(anchor);
    moved->SetRadius(boundary.GetRadius() * scale);
    moved->SetAxes(turn * boundary.GetAxes());
    moved->SetRadii(boundary.GetDiscRadii(), boundary.GetCupRadii());
    moved->SetConfidences(boundary.GetDiscConfidences(), boundary.GetCupConfidences());
    return moved;
  }

  itk::ImageBase<2>::Pointer m_Image;
  double                     m_Pixel;
};

template <typename TImage>
using ComponentType = typename itk::NumericTraits<typename TImage::PixelType>::ValueType;

template <typename TImage>
constexpr std::size_t NumberOfComponents()
{
  return sizeof(typename TImage::PixelType) / sizeof(ComponentType<TImage>);
}

/** A copy of [y, x] or [y, x, component]. Another type is refused: a cast would make other grey values of it. */
template <typename TImage>
typename TImage::Pointer ToImage(const py::array & untyped, const Geometry & geometry)
{
  using TypedArray = Array<ComponentType<TImage>>;
  constexpr std::size_t components = NumberOfComponents<TImage>();
  if (!py::isinstance<py::array_t<ComponentType<TImage>>>(untyped))
  {
    throw py::type_error("expected an array of " + py::str(py::dtype::of<ComponentType<TImage>>()).cast<std::string>() +
                         ", not of " + py::str(untyped.dtype()).cast<std::string>());
  }
  const auto array = py::cast<TypedArray>(untyped);
  if (array.ndim() != (components == 1 ? 2 : 3) ||
      (components > 1 && array.shape(2) != static_cast<py::ssize_t>(components)))
  {
    throw std::invalid_argument("expected an array [y, x] or [y, x, " + std::to_string(components) + "]");
  }
  if (array.size() == 0)
  {
    throw std::invalid_argument("the image is empty");
  }
  auto image = TImage::New();
  image->SetRegions(typename TImage::SizeType{
    { static_cast<itk::SizeValueType>(array.shape(1)), static_cast<itk::SizeValueType>(array.shape(0)) } });
  image->Allocate();
  std::copy_n(array.data(), array.size(), reinterpret_cast<ComponentType<TImage> *>(image->GetBufferPointer()));
  SetGeometry(image, geometry);
  return image;
}

template <typename TImage>
py::array ToArray(const TImage * image)
{
  constexpr std::size_t    components = NumberOfComponents<TImage>();
  const auto               size = image->GetBufferedRegion().GetSize();
  std::vector<py::ssize_t> shape{ static_cast<py::ssize_t>(size[1]), static_cast<py::ssize_t>(size[0]) };
  if (components > 1)
  {
    shape.push_back(components);
  }
  Array<ComponentType<TImage>> array(shape);
  std::copy_n(
    reinterpret_cast<const ComponentType<TImage> *>(image->GetBufferPointer()), array.size(), array.mutable_data());
  return std::move(array);
}

/** (array, geometry) */
template <typename TImage>
py::tuple ToTuple(const TImage * image)
{
  return py::make_tuple(ToArray(image), GetGeometry(image));
}

/** The message alone: Python has its own traceback. */
inline void TranslateExceptions()
{
  py::register_exception_translator([](std::exception_ptr pointer) {
    try
    {
      if (pointer)
      {
        std::rethrow_exception(pointer);
      }
    }
    catch (const itk::ExceptionObject & error)
    {
      PyErr_SetString(PyExc_RuntimeError, itk::ExceptionSentence(error).c_str());
    }
  });
}
} // namespace npsnet

#endif
