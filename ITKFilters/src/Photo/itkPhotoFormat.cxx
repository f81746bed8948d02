// SPDX-License-Identifier: Apache-2.0
#include "itkPhotoFormat.h"
#include "itkPhotoFormats.h"

#include "itkBMPImageIO.h"
#include "itkGDCMImageIO.h"
#include "itkMetaImageIO.h"
#include "itkNiftiImageIO.h"
#include "itkNrrdImageIO.h"
#include "itkPNGImageIO.h"
#include "itkTIFFImageIO.h"

#include <algorithm>
#include <cstring>

namespace itk
{
namespace
{
using HeadType = PhotoFormat::HeadType;

bool Has(const HeadType & head, const char * magic, std::size_t length, std::size_t at = 0)
{
  return head.size() >= at + length && std::memcmp(head.data() + at, magic, length) == 0;
}

bool IsDICOM(const HeadType & head)
{
  return Has(head, "DICM", 4, 128);
}

bool IsTIFF(const HeadType & head)
{
  return !IsDICOM(head) &&
         (Has(head, "II*\0", 4) || Has(head, "MM\0*", 4) || Has(head, "II+\0", 4) || Has(head, "MM\0+", 4));
}

bool IsMetaImage(const HeadType & head, const std::string & ending)
{
  const char words[] = "NDims";
  return (ending == ".mha" || ending == ".mhd") && !IsDICOM(head) &&
         std::search(head.begin(), head.end(), words, words + 5) != head.end();
}

template <typename TImageIO>
ImageIOBase::Pointer Make()
{
  return TImageIO::New().GetPointer();
}

std::string LowerCase(std::string text)
{
  std::transform(text.begin(), text.end(), text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return text;
}

/** ".jpg", or ".nii.gz" of a compressed file; empty without a dot. */
std::string EndingOf(const std::string & fileName)
{
  const std::string name = LowerCase(fileName.substr(fileName.find_last_of("/\\") + 1));
  const bool        zipped = name.size() > 3 && name.compare(name.size() - 3, 3, ".gz") == 0;
  const std::size_t dot = name.find_last_of('.', zipped ? name.size() - 4 : std::string::npos);
  return dot == std::string::npos ? "" : name.substr(dot);
}
} // namespace

const std::vector<PhotoFormat> & PhotoFormat::GetAll()
{
  using Head = const HeadType &;
  using Ending = const std::string &;
  static const std::vector<PhotoFormat> all{
    { PhotoFormatEnum::JPEG,
      "JPEG",
      { ".jpg", ".jpeg", ".jpe", ".jfif" },
      [](Head head, Ending) { return Has(head, "\xFF\xD8", 2); },
      nullptr,
      false,
      true },
    { PhotoFormatEnum::PNG,
      "PNG",
      { ".png" },
      [](Head head, Ending) { return Has(head, "\x89PNG\r\n\x1A\n", 8); },
      Make<PNGImageIO>,
      false,
      true },
    { PhotoFormatEnum::TIFF,
      "TIFF",
      { ".tif", ".tiff" },
      [](Head head, Ending) { return IsTIFF(head); },
      Make<TIFFImageIO>,
      true,
      true },
    { PhotoFormatEnum::BMP,
      "BMP",
      { ".bmp" },
      [](Head head, Ending) { return Has(head, "BM", 2) && !IsDICOM(head); },
      Make<BMPImageIO>,
      false,
      false },
    { PhotoFormatEnum::NRRD,
      "NRRD",
      { ".nrrd", ".nhdr" },
      [](Head head, Ending) { return Has(head, "NRRD", 4); },
      Make<NrrdImageIO>,
      false,
      false },
    { PhotoFormatEnum::MetaImage, "MetaImage", { ".mha", ".mhd" }, IsMetaImage, Make<MetaImageIO>, false, false },
    { PhotoFormatEnum::NIfTI,
      "NIfTI",
      { ".nii", ".nii.gz" },
      [](Head head, Ending ending) { return (ending == ".nii" || ending == ".nii.gz") && !IsDICOM(head); },
      Make<NiftiImageIO>,
      false,
      true },
    { PhotoFormatEnum::DICOM,
      "DICOM",
      { ".dcm", ".dicom" },
      [](Head head, Ending) { return IsDICOM(head); },
      Make<GDCMImageIO>,
      true,
      true }
  };
  return all;
}

const PhotoFormat * PhotoFormat::Recognize(const std::string & fileName, const HeadType & head)
{
  const std::string ending = EndingOf(fileName);
  const auto &      all = GetAll();
  const auto        found =
    std::find_if(all.begin(), all.end(), [&](const PhotoFormat & format) { return format.IsFormatOf(head, ending); });
  return found != all.end() ? &*found : nullptr;
}

std::string PhotoFormatNames()
{
  const auto & all = PhotoFormat::GetAll();
  std::string  names = all.front().Name;
  for (std::size_t i = 1; i < all.size(); ++i)
  {
    names += (i + 1 < all.size() ? ", " : " or ") + std::string(all[i].Name);
  }
  return names;
}

const std::vector<std::string> & PhotoFileEndings()
{
  static const std::vector<std::string> endings = [] {
    std::vector<std::string> list;
    for (const PhotoFormat & format : PhotoFormat::GetAll())
    {
      list.insert(list.end(), format.Endings.begin(), format.Endings.end());
    }
    return list;
  }();
  return endings;
}

bool HasPhotoFileEnding(const std::string & fileName)
{
  const auto & endings = PhotoFileEndings();
  return std::find(endings.begin(), endings.end(), EndingOf(fileName)) != endings.end();
}
} // namespace itk
