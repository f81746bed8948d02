// SPDX-License-Identifier: Apache-2.0
#ifndef itkPhotoFormat_h
#define itkPhotoFormat_h

#include "itkImageIOBase.h"

#include <string>
#include <vector>

namespace itk
{
enum class PhotoFormatEnum
{
  JPEG,
  PNG,
  TIFF,
  BMP,
  NRRD,
  MetaImage,
  NIfTI,
  DICOM
};

/** All that is to be known of a format of photographs, for those who recognize, name, find and decode them. */
struct PhotoFormat
{
  using HeadType = std::vector<unsigned char>;

  PhotoFormatEnum          Format;
  const char *             Name;
  std::vector<std::string> Endings;
  /** By the first bytes; by the lower-case ending where these do not tell. */
  bool (*IsFormatOf)(const HeadType & head, const std::string & ending);
  /** Null: a decoder of our own. */
  ImageIOBase::Pointer (*MakeImageIO)();
  /** Several photographs in a file are frames or pages, not slices of a volume. */
  bool HasFrames;
  /** Read at once, since its structure is checked or its tags are read from the bytes. */
  bool NeedsBytes;

  static const std::vector<PhotoFormat> & GetAll();

  /** Null: none of them. */
  static const PhotoFormat * Recognize(const std::string & fileName, const HeadType & head);
};
} // namespace itk

#endif
