// SPDX-License-Identifier: Apache-2.0
#ifndef itkPhotoDecoder_h
#define itkPhotoDecoder_h

#include "itkFundusPhotograph.h"

#include <array>
#include <string>
#include <vector>

namespace itk
{
/** A photograph as its file stores it, pixels already 8-bit RGB. */
struct DecodedPhoto
{
  std::vector<unsigned char> RGB;
  StoredGeometry             Stored;
  /** Relative size of a stored pixel along x and y. */
  std::array<double, 2> PixelSize{ { 1.0, 1.0 } };
  std::string           Laterality;
  double                MicrometersPerPixel{ 0.0 };
};

/** Throws itk::ExceptionObject whose description is one sentence with the file's name. */
DecodedPhoto DecodePhoto(const std::string & path, unsigned int frame, std::size_t maximumNumberOfPixels);
} // namespace itk

#endif
