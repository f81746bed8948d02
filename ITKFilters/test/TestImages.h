// SPDX-License-Identifier: Apache-2.0
#ifndef TestImages_h
#define TestImages_h

#include "itkImage.h"
#include "itkImageFileReader.h"
#include "itkRGBPixel.h"
#include "itkRGBAPixel.h"

#include <string>

using RGBImage = itk::Image<itk::RGBPixel<unsigned char>, 2>;
using GreyImage = itk::Image<unsigned char, 2>;

/** An image file with its pixels as they are and no geometry. */
template <typename TImage = RGBImage>
typename TImage::Pointer ReadTestImage(const std::string & path)
{
  const auto image = itk::ReadImage<TImage>(path);
  image->SetSpacing(itk::Vector<double, 2>(1.0));
  typename TImage::PointType origin;
  origin.Fill(0.0);
  image->SetOrigin(origin);
  return image;
}

template <typename TImage>
typename TImage::Pointer MakeTestImage(itk::SizeValueType width, itk::SizeValueType height)
{
  auto image = TImage::New();
  image->SetRegions(typename TImage::SizeType{ { width, height } });
  image->Allocate(true);
  return image;
}

/** itk::MakePoint() is not in ITK 5.2. */
inline itk::Point<double, 2> MakeTestPoint(double x, double y)
{
  itk::Point<double, 2> point;
  point[0] = x;
  point[1] = y;
  return point;
}

inline const unsigned char * RawBytes(const RGBImage * image)
{
  return reinterpret_cast<const unsigned char *>(image->GetBufferPointer());
}

const std::string OracleDir = NPSNET_TEST_DATA_DIR "/oracle/b4_narrow/";

#endif
