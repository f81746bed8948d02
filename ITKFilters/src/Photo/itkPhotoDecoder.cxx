// SPDX-License-Identifier: Apache-2.0
#include "itkPhotoDecoder.h"
#include "itkBMPHeader.h"
#include "itkDICOMStructure.h"
#include "itkExceptionSentence.h"
#include "itkExifOrientation.h"
#include "itkJPEGDecoder.h"
#include "itkNPSNetThrow.h"
#include "itkPNGStructure.h"
#include "itkPhotoFormat.h"
#include "itkPhotoFormats.h"
#include "itkPhotoPixels.h"
#include "itkQuietITK.h"

#include "itkMetaDataObject.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <limits>
#include <stdexcept>

namespace itk
{
namespace
{
using Format = PhotoFormatEnum;

/** A sentence of the form "PATH PROBLEM.". */
#define throwAbout(path, problem) npsnetThrow((path) << ' ' << problem << '.')

void RequireRegularFile(const std::string & path)
{
  namespace fs = std::filesystem;
  std::error_code       error;
  const fs::file_status status = fs::status(path, error);
  if (error == std::errc::too_many_symbolic_link_levels)
  {
    throwAbout(path, "is a symbolic link that leads back to itself: give the photograph's own path");
  }
  if (status.type() == fs::file_type::not_found)
  {
    throwAbout(path, "does not exist: check the path");
  }
  if (error || status.type() == fs::file_type::none)
  {
    throwAbout(path, "cannot be reached (" << error.message() << "): check the path and its permissions");
  }
  if (status.type() == fs::file_type::directory)
  {
    throwAbout(path, "is a folder: give a photograph, or use batch for folders");
  }
  if (status.type() != fs::file_type::regular)
  {
    throwAbout(path, "is not a regular file: give a photograph");
  }
}

std::vector<unsigned char> ReadBytes(const std::string & path, std::size_t most)
{
  errno = 0;
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file)
  {
    const int reason = errno;
    if (reason == EACCES)
    {
      throwAbout(path, "may not be read: ask for permission to read it");
    }
    throwAbout(path, "cannot be opened (" << std::strerror(reason) << "): check the path and its permissions");
  }
  const std::streamoff       length = file.tellg();
  std::vector<unsigned char> bytes(std::min(most, static_cast<std::size_t>(std::max<std::streamoff>(length, 0))));
  file.seekg(0);
  file.read(reinterpret_cast<char *>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

bool StartsWith(const std::vector<unsigned char> & bytes, const char * magic, std::size_t length, std::size_t at = 0)
{
  return bytes.size() >= at + length && std::memcmp(bytes.data() + at, magic, length) == 0;
}

void RequireSize(const std::string & path, double width, double height, double frames, std::size_t maximum)
{
  if (!(width >= 1.0 && height >= 1.0 && frames >= 1.0))
  {
    throwAbout(path, "holds no pixels: export it again");
  }
  if (width * height * frames > static_cast<double>(maximum))
  {
    throwAbout(path,
               "has " << std::fixed << std::setprecision(0) << width << " x " << height
                      << (frames > 1.0 ? " pixels in several frames" : " pixels") << ", more than the limit of "
                      << maximum << ": make it smaller or raise the limit (--max-megapixels)");
  }
}

DecodedPhoto DecodeJPEG(const std::string & path, std::size_t maximum)
{
  const auto bytes = ReadBytes(path, std::numeric_limits<std::size_t>::max());
  try
  {
    const JPEGDecoder decoder(bytes.data(), bytes.size());
    const auto &      header = decoder.GetHeader();
    RequireSize(path, header.Width, header.Height, 1.0, maximum);
    DecodedPhoto photo;
    photo.RGB = decoder.Decode();
    photo.Stored.Size = { { header.Width, header.Height } };
    photo.Stored.Orientation = header.Orientation;
    photo.Stored.Spacing = { { header.Spacing[0], header.Spacing[1], 1.0 } };
    photo.PixelSize = { { header.PixelAspect, 1.0 } };
    return photo;
  }
  catch (const std::runtime_error & error)
  {
    if (dynamic_cast<const ExceptionObject *>(&error) != nullptr)
    {
      throw;
    }
    throwAbout(path, error.what());
  }
}

DecodedPhoto DecodePlainBMP(const std::string & path, const BMPHeader & header, std::size_t maximum)
{
  RequireSize(path, header.Width, std::abs(static_cast<double>(header.Height)), 1.0, maximum);
  DecodedPhoto photo;
  photo.RGB = header.ReadPlainColor(ReadBytes(path, std::numeric_limits<std::size_t>::max()));
  photo.Stored.Size = { { static_cast<unsigned int>(header.Width),
                          static_cast<unsigned int>(std::abs(header.Height)) } };
  return photo;
}

/** Not every version of MetaImageIO notices an early end of uncompressed pixels behind the header. */
void RequireWholeMetaImage(const std::string & path, const std::vector<unsigned char> & head, double imageBytes)
{
  const std::string text(head.begin(), head.end());
  const std::size_t key = text.find("ElementDataFile");
  const std::size_t line = text.find('\n', key);
  if (key == std::string::npos || line == std::string::npos ||
      text.substr(key, line - key).find("LOCAL") == std::string::npos ||
      text.substr(0, key).find("CompressedData = True") != std::string::npos)
  {
    return;
  }
  if (static_cast<double>(std::filesystem::file_size(path)) < static_cast<double>(line + 1) + imageBytes)
  {
    throwAbout(path, "ends early: copy or export it again");
  }
}

/** Neither does NiftiImageIO. Of a compressed file the last four bytes are the size before compression. */
void RequireWholeNIfTI(const std::string & path, const std::vector<unsigned char> & bytes, double imageBytes)
{
  const std::size_t size = bytes.size();
  double            whole = static_cast<double>(size);
  const bool        zipped = StartsWith(bytes, "\x1F\x8B", 2) && size >= 4;
  if (zipped)
  {
    whole = bytes[size - 4] + 256.0 * bytes[size - 3] + 65536.0 * bytes[size - 2] + 16777216.0 * bytes[size - 1];
  }
  constexpr double header = 348.0;
  constexpr double extensions = 1e6;
  const double     rest = whole - header - imageBytes;
  if (rest < 0.0 || (zipped && rest > extensions)) // the end of a cut file is any number
  {
    throwAbout(path, "ends early: copy or export it again");
  }
}

std::string DICOMValue(const MetaDataDictionary & dictionary, const char * tag)
{
  std::string value;
  ExposeMetaData<std::string>(dictionary, tag, value);
  const auto isPadding = [](char c) { return c == ' ' || c == '\0'; };
  while (!value.empty() && isPadding(value.back()))
  {
    value.pop_back();
  }
  value.erase(0, value.find_first_not_of(' ') == std::string::npos ? value.size() : value.find_first_not_of(' '));
  return value;
}

/** Two numbers separated by a backslash, both positive. */
bool DICOMPair(const std::string & text, std::array<double, 2> & pair)
{
  const std::size_t cut = text.find('\\');
  if (cut == std::string::npos)
  {
    return false;
  }
  try
  {
    pair = { { std::stod(text.substr(0, cut)), std::stod(text.substr(cut + 1)) } };
  }
  catch (const std::exception &)
  {
    return false;
  }
  return std::isfinite(pair[0]) && std::isfinite(pair[1]) && pair[0] > 0.0 && pair[1] > 0.0;
}

/** EXIF orientation of a raster whose x and y axes point to the given upright directions: +1 right, -1 left, +2 down,
 * -2 up; 1 for anything else. */
unsigned int OrientationOfAxes(int x, int y)
{
  constexpr int axes[8][2] = { { 1, 2 }, { -1, 2 }, { -1, -2 }, { 1, -2 }, { 2, 1 }, { 2, -1 }, { -2, -1 }, { -2, 1 } };
  for (unsigned int i = 0; i < 8; ++i)
  {
    if (axes[i][0] == x && axes[i][1] == y)
    {
      return i + 1;
    }
  }
  return 1;
}

/** (0020,0020): directions of rows and columns. One faces the patient, so the patient's left is image right. */
unsigned int OrientationFromDICOM(const std::string & text)
{
  const auto direction = [](const std::string & letters) {
    switch (letters.empty() ? ' ' : letters.front())
    {
      case 'L':
        return 1;
      case 'R':
        return -1;
      case 'F':
        return 2;
      case 'H':
        return -2;
      default:
        return 0;
    }
  };
  const std::size_t cut = text.find('\\');
  return cut == std::string::npos ? 1
                                  : OrientationOfAxes(direction(text.substr(0, cut)), direction(text.substr(cut + 1)));
}

/** Volumes show +x (left of the patient) right and +y (posterior) down, as a photograph loaded from JPEG does. */
unsigned int OrientationFromDirection(const std::array<double, 9> & direction)
{
  const auto axis = [&direction](unsigned int column) {
    const double x = direction[column];
    const double y = direction[3 + column];
    if (std::abs(x) > 0.99)
    {
      return x > 0.0 ? 1 : -1;
    }
    return std::abs(y) > 0.99 ? (y > 0.0 ? 2 : -2) : 0;
  };
  return OrientationOfAxes(axis(0), axis(1));
}

void ReadDICOMTags(const ImageIOBase * io, DecodedPhoto & photo, PhotoPixelFormat & format)
{
  const auto &      dictionary = io->GetMetaDataDictionary();
  const std::string image = DICOMValue(dictionary, "0020|0062");
  photo.Laterality = !image.empty() ? image : DICOMValue(dictionary, "0020|0060");
  photo.Stored.Orientation = OrientationFromDICOM(DICOMValue(dictionary, "0020|0020"));

  std::array<double, 2> rowsColumns;
  if (DICOMPair(DICOMValue(dictionary, "0028|0030"), rowsColumns))
  {
    photo.PixelSize = { { rowsColumns[1], rowsColumns[0] } };
    photo.MicrometersPerPixel = 1000.0 * std::sqrt(rowsColumns[0] * rowsColumns[1]);
  }
  else
  {
    photo.PixelSize = { { 1.0, 1.0 } };
    if (DICOMPair(DICOMValue(dictionary, "0028|0034"), rowsColumns))
    {
      photo.PixelSize = { { rowsColumns[1], rowsColumns[0] } };
    }
  }
  const std::string bits = DICOMValue(dictionary, "0028|0101");
  const int         stored = bits.empty() ? 0 : std::atoi(bits.c_str());
  if (stored > 0 && stored <= 16)
  {
    format.Maximum = std::pow(2.0, stored) - 1.0;
  }
}

/** GDCM fills pixels that the file does not have with what is in memory. */
void RequireDICOMPixels(const std::string &                path,
                        const MetaDataDictionary &         dictionary,
                        double                             pixels,
                        const std::vector<unsigned char> & bytes)
{
  const std::size_t length = DICOMPixelLength(bytes.data(), bytes.size());
  const auto        number = [&dictionary](const char * tag) { return std::atof(DICOMValue(dictionary, tag).c_str()); };
  const double      samples = number("0028|0002");
  if (samples != 1.0 && samples != 3.0 && samples != 4.0)
  {
    throwAbout(path, "has " << samples << " samples a pixel: export it again");
  }
  const bool   isHalved = DICOMValue(dictionary, "0028|0004") == "YBR_FULL_422"; // two pixels share their colors
  const double needed = pixels * (isHalved ? 2.0 : samples) * number("0028|0100") / 8.0;
  if (length != 0 && static_cast<double>(length) < needed)
  {
    throwAbout(path, "ends early or is damaged: copy or export it again");
  }
}

DecodedPhoto DecodeWithImageIO(const std::string & path,
                               const PhotoFormat & known,
                               unsigned int        frame,
                               std::size_t         maximum)
{
  const Format               kind = known.Format;
  std::vector<unsigned char> bytes;
  if (known.NeedsBytes)
  {
    bytes = ReadBytes(path, std::numeric_limits<std::size_t>::max());
  }
  if ((kind == Format::PNG && !IsPNGWhole(bytes.data(), bytes.size())) ||
      (kind == Format::DICOM && !IsDICOMWhole(bytes.data(), bytes.size())))
  {
    throwAbout(path,
               (kind == Format::DICOM && IsDICOMWithoutPixels(bytes.data(), bytes.size())
                  ? "is a DICOM object without pixels, such as a report: give the photograph"
                  : "ends early or is damaged: copy or export it again"));
  }
  const QuietITK quiet; // a TIFF file's tags that ITK does not know are nothing to warn of
  const auto     io = known.MakeImageIO();
  io->SetFileName(path);
  io->ReadImageInformation();

  const unsigned int dimension = io->GetNumberOfDimensions();
  double             frames = 1.0;
  for (unsigned int k = 2; k < dimension; ++k)
  {
    frames *= static_cast<double>(io->GetDimensions(k));
  }
  RequireSize(path,
              static_cast<double>(io->GetDimensions(0)),
              dimension > 1 ? static_cast<double>(io->GetDimensions(1)) : 0.0,
              frames,
              maximum);
  if (frames > 1.0 && !known.HasFrames)
  {
    throwAbout(path, "is a volume of " << frames << " slices: save the one slice that is the photograph");
  }
  if (kind == Format::DICOM)
  {
    RequireDICOMPixels(path,
                       io->GetMetaDataDictionary(),
                       static_cast<double>(io->GetDimensions(0)) * static_cast<double>(io->GetDimensions(1)) * frames,
                       bytes);
  }
  if (frame >= frames)
  {
    throwAbout(path, "has " << frames << (frames > 1.0 ? " frames" : " frame") << ", so there is no frame " << frame);
  }

  DecodedPhoto     photo;
  PhotoPixelFormat format;
  format.Component = io->GetComponentType();
  format.Components = io->GetNumberOfComponents();
  const std::size_t width = io->GetDimensions(0);
  const std::size_t height = io->GetDimensions(1);
  photo.Stored.Size = { { static_cast<unsigned int>(width), static_cast<unsigned int>(height) } };
  photo.Stored.Dimension = dimension > 2 && !known.HasFrames ? 3 : 2;
  for (unsigned int k = 0; k < std::min(dimension, 3u); ++k)
  {
    photo.Stored.Spacing[k] = io->GetSpacing(k);
    photo.Stored.Origin[k] = io->GetOrigin(k);
    const auto column = io->GetDirection(k);
    for (unsigned int r = 0; r < std::min<std::size_t>(column.size(), 3); ++r)
    {
      photo.Stored.Direction[3 * r + k] = column[r];
    }
  }
  photo.PixelSize = { { io->GetSpacing(0), io->GetSpacing(1) } };

  ImageIORegion region(dimension);
  for (unsigned int k = 0; k < dimension; ++k)
  {
    region.SetIndex(k, 0);
    region.SetSize(k, io->GetDimensions(k));
  }
  io->SetIORegion(region);
  if (kind == Format::MetaImage)
  {
    RequireWholeMetaImage(path, ReadBytes(path, 65536), static_cast<double>(io->GetImageSizeInBytes()));
  }
  if (kind == Format::NIfTI)
  {
    RequireWholeNIfTI(path, bytes, static_cast<double>(io->GetImageSizeInBytes()));
  }
  std::vector<unsigned char> buffer(static_cast<std::size_t>(io->GetImageSizeInBytes()));
  io->Read(buffer.data());

  switch (kind)
  {
    case Format::DICOM:
      ReadDICOMTags(io, photo, format);
      break;
    case Format::NRRD:
    case Format::MetaImage:
    case Format::NIfTI:
      photo.Stored.Orientation = OrientationFromDirection(photo.Stored.Direction);
      break;
    case Format::PNG:
    {
      photo.Stored.Orientation = ReadPNGOrientation(bytes.data(), bytes.size());
      format.HasAlpha = HasPNGAlphaChannel(bytes.data(), bytes.size());
      photo.PixelSize[0] *= ReadPNGPixelAspect(bytes.data(), bytes.size()); // ITK knows sCAL, not pHYs
      break;
    }
    case Format::TIFF:
    {
      // TIFFImageIO mirrors the raster to the first row at the top and the first column at the left, but never swaps
      // rows and columns. What it gives is "stored", for Slicer and every other user of ITK see that raster, too.
      constexpr unsigned int left[8] = { 1, 1, 1, 1, 5, 7, 5, 7 };
      photo.Stored.Orientation = left[ReadTIFFOrientation(bytes.data(), bytes.size()) - 1];
      break;
    }
    default:
      break;
  }
  const std::size_t frameBytes = buffer.size() / static_cast<std::size_t>(frames);
  photo.RGB = ConvertToRGB8(buffer.data() + frame * frameBytes, width * height, format);
  return photo;
}

std::string FirstLine(const ExceptionObject & error)
{
  std::string text = ExceptionSentence(error);
  text.erase(std::min(text.find('\n'), text.size()));
  while (!text.empty() && (text.back() == '.' || text.back() == ' '))
  {
    text.pop_back();
  }
  return text;
}
} // namespace

DecodedPhoto DecodePhoto(const std::string & path, unsigned int frame, std::size_t maximumNumberOfPixels)
{
  RequireRegularFile(path);
  const auto head = ReadBytes(path, 4096);
  if (head.empty())
  {
    throwAbout(path, "is empty (0 bytes): copy or export it again");
  }
  const PhotoFormat * known = PhotoFormat::Recognize(path, head);
  if (known == nullptr)
  {
    throwAbout(path, "is not an image this program knows, whatever its name says: use " << PhotoFormatNames());
  }
  const Format format = known->Format;
  try
  {
    const BMPHeader bmp(head);
    const bool      isPlainBMP = format == Format::BMP && bmp.IsPlainColor();
    if (frame != 0 && (format == Format::JPEG || isPlainBMP))
    {
      throwAbout(path, "has 1 frame, so there is no frame " << frame);
    }
    if (format == Format::JPEG)
    {
      return DecodeJPEG(path, maximumNumberOfPixels);
    }
    if (format == Format::BMP && !bmp.IsWhole(static_cast<std::size_t>(std::filesystem::file_size(path))))
    {
      throwAbout(path, "ends early: copy or export it again"); // BMPImageIO does not notice
    }
    if (isPlainBMP)
    {
      return DecodePlainBMP(path, bmp, maximumNumberOfPixels);
    }
    if (format == Format::BMP && bmp.Size > 40)
    {
      throwAbout(path, "is a BMP file of a kind that is not read: save it as PNG or TIFF");
    }
    return DecodeWithImageIO(path, *known, frame, maximumNumberOfPixels);
  }
  catch (const ExceptionObject & error)
  {
    if (std::string(error.GetDescription()).compare(0, path.size(), path) == 0)
    {
      throw;
    }
    throwAbout(path, "cannot be decoded (" << FirstLine(error) << "): copy or export it again");
  }
  catch (const std::bad_alloc &)
  {
    throwAbout(path, "needs more memory than there is: make it smaller");
  }
  catch (const std::exception & error)
  {
    throwAbout(path, error.what());
  }
  catch (...) // GDCM throws texts, too
  {
    throwAbout(path, "cannot be decoded: copy or export it again");
  }
}
} // namespace itk
