// SPDX-License-Identifier: Apache-2.0
#ifndef PhotoFiles_h
#define PhotoFiles_h

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "itk_jpeg.h"

/** Photograph files made byte by byte, so that the tests know exactly what is in them. */
using Bytes = std::vector<unsigned char>;

inline void WriteBytes(const std::string & path, const Bytes & bytes)
{
  std::ofstream(path, std::ios::binary)
    .write(reinterpret_cast<const char *>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

inline Bytes ReadAllBytes(const std::string & path)
{
  std::ifstream file(path, std::ios::binary);
  return { std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>() };
}

inline void Append(Bytes & bytes, const Bytes & more)
{
  bytes.insert(bytes.end(), more.begin(), more.end());
}

inline void AppendLittle(Bytes & bytes, std::uint32_t value, int length)
{
  for (int i = 0; i < length; ++i)
  {
    bytes.push_back(static_cast<unsigned char>(value >> (8 * i)));
  }
}

/** Uncompressed 8-bit RGB with an orientation tag, and a white point, a tag that ITK does not know. */
inline Bytes MakeTIFF(const Bytes & rgb, unsigned int width, unsigned int height, unsigned int orientation)
{
  Bytes               tiff{ 'I', 'I', 42, 0, 8, 0, 0, 0 };
  const std::uint32_t behind = 8 + 2 + 12 * 12 + 4;
  const std::uint32_t tags[][4] = {
    { 256, 4, 1, width },       { 257, 4, 1, height },
    { 258, 3, 3, behind },      { 259, 3, 1, 1 },
    { 262, 3, 1, 2 },           { 273, 4, 1, behind + 6 + 16 },
    { 274, 3, 1, orientation }, { 277, 3, 1, 3 },
    { 278, 4, 1, height },      { 279, 4, 1, static_cast<std::uint32_t>(rgb.size()) },
    { 284, 3, 1, 1 },           { 318, 5, 2, behind + 6 },
  };
  AppendLittle(tiff, 12, 2);
  for (const auto & tag : tags)
  {
    AppendLittle(tiff, tag[0], 2);
    AppendLittle(tiff, tag[1], 2);
    AppendLittle(tiff, tag[2], 4);
    AppendLittle(tiff, tag[3], 4);
  }
  AppendLittle(tiff, 0, 4);
  for (int i = 0; i < 3; ++i)
  {
    AppendLittle(tiff, 8, 2);
  }
  for (const std::uint32_t value : { 3127, 10000, 3290, 10000 })
  {
    AppendLittle(tiff, value, 4);
  }
  Append(tiff, rgb);
  return tiff;
}

/** An EXIF block (TIFF structure) with nothing but an orientation. */
inline Bytes MakeExif(unsigned int orientation, bool bigEndian)
{
  if (bigEndian)
  {
    return { 'M', 'M', 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, static_cast<unsigned char>(orientation),
             0,   0,   0, 0,  0, 0 };
  }
  return { 'I', 'I', 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, static_cast<unsigned char>(orientation),
           0,   0,   0,  0, 0, 0, 0 };
}

/** A JPEG file with an EXIF segment put behind its start. */
inline Bytes WithExif(const Bytes & jpeg, const Bytes & exif)
{
  Bytes             result(jpeg.begin(), jpeg.begin() + 2);
  const std::size_t length = 2 + 6 + exif.size();
  Append(result, { 0xFF, 0xE1, static_cast<unsigned char>(length / 256), static_cast<unsigned char>(length % 256) });
  Append(result, { 'E', 'x', 'i', 'f', 0, 0 });
  Append(result, exif);
  result.insert(result.end(), jpeg.begin() + 2, jpeg.end());
  return result;
}

/** Interleaved samples of 1 (grey), 3 (RGB) or 4 (CMYK) components as JPEG without chroma subsampling. */
inline Bytes MakeJPEG(const Bytes & samples,
                      unsigned int  width,
                      unsigned int  height,
                      int           components,
                      bool          adobe = true,
                      bool          progressive = false,
                      int           densityX = 1,
                      int           densityY = 1,
                      int           densityUnit = 0)
{
  jpeg_compress_struct info;
  jpeg_error_mgr       error;
  info.err = jpeg_std_error(&error);
  jpeg_create_compress(&info);
  unsigned char * memory = nullptr;
  unsigned long   size = 0;
  jpeg_mem_dest(&info, &memory, &size);
  info.image_width = width;
  info.image_height = height;
  info.input_components = components;
  info.in_color_space = components == 1 ? JCS_GRAYSCALE : components == 3 ? JCS_RGB : JCS_CMYK;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, 100, TRUE);
  for (int c = 0; c < info.num_components; ++c)
  {
    info.comp_info[c].h_samp_factor = info.comp_info[c].v_samp_factor = 1;
  }
  if (components == 4)
  {
    info.write_Adobe_marker = adobe ? TRUE : FALSE;
  }
  else
  {
    info.density_unit = static_cast<UINT8>(densityUnit);
    info.X_density = static_cast<UINT16>(densityX);
    info.Y_density = static_cast<UINT16>(densityY);
  }
  if (progressive)
  {
    jpeg_simple_progression(&info);
  }
  jpeg_start_compress(&info, TRUE);
  while (info.next_scanline < height)
  {
    JSAMPROW row = const_cast<unsigned char *>(samples.data()) +
                   static_cast<std::size_t>(info.next_scanline) * width * static_cast<unsigned int>(components);
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  Bytes result(memory, memory + size);
  std::free(memory);
  return result;
}

/** An ophthalmic photograph, explicit little endian; `frames` holds raw frames, or one JPEG a frame. */
struct DICOMFile
{
  std::string        Photometric{ "RGB" };
  unsigned int       Samples{ 3 };
  unsigned int       Rows{ 0 };
  unsigned int       Columns{ 0 };
  unsigned int       BitsAllocated{ 8 };
  unsigned int       BitsStored{ 8 };
  std::string        PatientOrientation;
  std::string        Laterality;
  std::string        ImageLaterality;
  std::string        PixelSpacing; // rows\columns
  bool               IsJPEG{ false };
  std::vector<Bytes> Frames;

  Bytes Make() const
  {
    Bytes meta;
    Element(meta, 2, 1, "OB", { 0, 1 });
    Text(meta, 2, 2, "UI", m_Class);
    Text(meta, 2, 3, "UI", "1.2.3.4.5");
    Text(meta, 2, 0x10, "UI", IsJPEG ? "1.2.840.10008.1.2.4.50" : "1.2.840.10008.1.2.1");
    Bytes file(128, 0);
    Append(file, { 'D', 'I', 'C', 'M' });
    Number(file, 2, 0, "UL", static_cast<std::uint32_t>(meta.size()), 4);
    Append(file, meta);
    Text(file, 8, 0x16, "UI", m_Class);
    Text(file, 8, 0x18, "UI", "1.2.3.4.5");
    Text(file, 8, 0x60, "CS", "OP");
    Text(file, 0x20, 0x20, "CS", PatientOrientation);
    Text(file, 0x20, 0x60, "CS", Laterality);
    Text(file, 0x20, 0x62, "CS", ImageLaterality);
    Number(file, 0x28, 2, "US", Samples, 2);
    Text(file, 0x28, 4, "CS", Photometric);
    if (Samples > 1)
    {
      Number(file, 0x28, 6, "US", 0, 2);
    }
    Text(file, 0x28, 8, "IS", std::to_string(Frames.size()));
    Number(file, 0x28, 0x10, "US", Rows, 2);
    Number(file, 0x28, 0x11, "US", Columns, 2);
    Text(file, 0x28, 0x30, "DS", PixelSpacing);
    Number(file, 0x28, 0x100, "US", BitsAllocated, 2);
    Number(file, 0x28, 0x101, "US", BitsStored, 2);
    Number(file, 0x28, 0x102, "US", BitsStored - 1, 2);
    Number(file, 0x28, 0x103, "US", 0, 2);
    if (!IsJPEG)
    {
      Bytes pixels;
      for (const Bytes & frame : Frames)
      {
        Append(pixels, frame);
      }
      Element(file, 0x7FE0, 0x10, BitsAllocated > 8 ? "OW" : "OB", pixels);
      return file;
    }
    Tag(file, 0x7FE0, 0x10);
    Append(file, { 'O', 'B', 0, 0 });
    AppendLittle(file, 0xFFFFFFFF, 4);
    Tag(file, 0xFFFE, 0xE000);
    AppendLittle(file, 0, 4);
    for (Bytes frame : Frames)
    {
      frame.resize(frame.size() + frame.size() % 2, 0);
      Tag(file, 0xFFFE, 0xE000);
      AppendLittle(file, static_cast<std::uint32_t>(frame.size()), 4);
      Append(file, frame);
    }
    Tag(file, 0xFFFE, 0xE0DD);
    AppendLittle(file, 0, 4);
    return file;
  }

private:
  static void Tag(Bytes & out, std::uint32_t group, std::uint32_t element)
  {
    AppendLittle(out, group, 2);
    AppendLittle(out, element, 2);
  }
  static void Element(Bytes & out, std::uint32_t group, std::uint32_t element, const std::string & vr, Bytes value)
  {
    value.resize(value.size() + value.size() % 2, vr == "UI" || vr[0] == 'O' ? 0 : ' ');
    Tag(out, group, element);
    Append(out, Bytes(vr.begin(), vr.end()));
    if (vr == "OB" || vr == "OW")
    {
      AppendLittle(out, 0, 2);
      AppendLittle(out, static_cast<std::uint32_t>(value.size()), 4);
    }
    else
    {
      AppendLittle(out, static_cast<std::uint32_t>(value.size()), 2);
    }
    Append(out, value);
  }
  static void Text(Bytes &             out,
                   std::uint32_t       group,
                   std::uint32_t       element,
                   const std::string & vr,
                   const std::string & text)
  {
    if (!text.empty())
    {
      Element(out, group, element, vr, Bytes(text.begin(), text.end()));
    }
  }
  static void Number(Bytes &             out,
                     std::uint32_t       group,
                     std::uint32_t       element,
                     const std::string & vr,
                     std::uint32_t       v,
                     int                 length)
  {
    Bytes value;
    AppendLittle(value, v, length);
    Element(out, group, element, vr, value);
  }

  const std::string m_Class{ "1.2.840.10008.5.1.4.1.1.77.1.5.1" };
};

#endif
