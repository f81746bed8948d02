// SPDX-License-Identifier: Apache-2.0
#include "itkJPEGDecoder.h"
#include "itkExifOrientation.h"
#include "itkJPEGErrors.h"

#include <stdexcept>

namespace itk
{
namespace
{
void ThrowIfBad(const JPEGErrors & state)
{
  if (state.EndsEarly)
  {
    throw std::runtime_error("ends early: copy or export it again");
  }
  if (state.Damaged)
  {
    throw std::runtime_error("is damaged: copy or export it again");
  }
}

[[noreturn]] void ThrowMessage(const JPEGErrors & state)
{
  ThrowIfBad(state);
  throw std::runtime_error(std::string("is not a JPEG file that can be decoded (") + state.Message +
                           "): export it again as JPEG or PNG");
}

struct Pixels
{
  unsigned char * Out; // width * height * 3
  unsigned char * Row; // width * 4
};

/** Only plain data here: longjmp would skip destructors. */
bool DecodeRows(const unsigned char * bytes, std::size_t size, const Pixels & pixels, JPEGErrors & state)
{
  jpeg_decompress_struct info;
  info.err = state.Prepare();
  if (setjmp(state.Jump))
  {
    jpeg_destroy_decompress(&info);
    return false;
  }
  jpeg_create_decompress(&info);
  jpeg_mem_src(&info, const_cast<unsigned char *>(bytes), static_cast<unsigned long>(size));
  jpeg_read_header(&info, TRUE);
  const bool cmyk = info.jpeg_color_space == JCS_CMYK || info.jpeg_color_space == JCS_YCCK;
  const bool grey = info.jpeg_color_space == JCS_GRAYSCALE;
  info.out_color_space = cmyk ? JCS_CMYK : grey ? JCS_GRAYSCALE : JCS_RGB;
  // Adobe stores CMYK inverted, and marks its files.
  const bool inverted = info.saw_Adobe_marker != 0;
  jpeg_start_decompress(&info);
  unsigned char * out = pixels.Out;
  while (info.output_scanline < info.output_height)
  {
    JSAMPROW row = cmyk || grey ? pixels.Row : out;
    jpeg_read_scanlines(&info, &row, 1);
    if (row == out)
    {
      out += std::size_t{ 3 } * info.output_width;
      continue;
    }
    for (unsigned int x = 0; x < info.output_width; ++x, out += 3)
    {
      const unsigned char * p = pixels.Row + static_cast<std::size_t>(info.output_components) * x;
      for (int c = 0; c < 3; ++c)
      {
        if (cmyk)
        {
          const int ink = inverted ? p[c] : 255 - p[c];
          const int black = inverted ? p[3] : 255 - p[3];
          out[c] = static_cast<unsigned char>((ink * black + 127) / 255);
        }
        else
        {
          out[c] = p[0];
        }
      }
    }
  }
  jpeg_finish_decompress(&info);
  jpeg_destroy_decompress(&info);
  return true;
}

bool ReadHeader(const unsigned char * bytes, std::size_t size, JPEGDecoder::Header & header, JPEGErrors & state)
{
  jpeg_decompress_struct info;
  info.err = state.Prepare();
  if (setjmp(state.Jump))
  {
    jpeg_destroy_decompress(&info);
    return false;
  }
  jpeg_create_decompress(&info);
  jpeg_mem_src(&info, const_cast<unsigned char *>(bytes), static_cast<unsigned long>(size));
  jpeg_save_markers(&info, JPEG_APP0 + 1, 0xFFFF);
  jpeg_read_header(&info, TRUE);
  header.Width = info.image_width;
  header.Height = info.image_height;
  for (jpeg_saved_marker_ptr marker = info.marker_list; marker != nullptr && header.Orientation == 1;
       marker = marker->next)
  {
    header.Orientation = ReadJPEGOrientation(marker->data, marker->data_length);
  }
  if (info.X_density > 0 && info.Y_density > 0)
  {
    header.PixelAspect = static_cast<double>(info.Y_density) / info.X_density;
    if (info.density_unit == 1 || info.density_unit == 2)
    {
      const double unit = info.density_unit == 1 ? 25.4 : 10.0;
      header.Spacing[0] = unit / info.X_density;
      header.Spacing[1] = unit / info.Y_density;
    }
  }
  jpeg_destroy_decompress(&info);
  return true;
}
} // namespace

JPEGDecoder::JPEGDecoder(const unsigned char * bytes, std::size_t size)
  : m_Bytes(bytes)
  , m_Size(size)
{
  JPEGErrors state;
  if (!ReadHeader(bytes, size, m_Header, state))
  {
    ThrowMessage(state);
  }
  ThrowIfBad(state);
}

std::vector<unsigned char> JPEGDecoder::Decode() const
{
  std::vector<unsigned char> out(std::size_t{ 3 } * m_Header.Width * m_Header.Height);
  std::vector<unsigned char> row(std::size_t{ 4 } * m_Header.Width);
  JPEGErrors                 state;
  if (!DecodeRows(m_Bytes, m_Size, { out.data(), row.data() }, state))
  {
    ThrowMessage(state);
  }
  ThrowIfBad(state);
  return out;
}
} // namespace itk
