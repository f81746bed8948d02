// SPDX-License-Identifier: Apache-2.0
#include "itkJPEGEncoder.h"

#include "itkJPEGErrors.h"
#include "itkNPSNetThrow.h"

#include <algorithm>
#include <cstdlib>

namespace itk
{
namespace
{
struct Output
{
  unsigned char * Bytes; // libjpeg's own when the given ones were too few
  unsigned long   Size;
};

struct Picture
{
  const unsigned char * Pixels; // interleaved RGB
  unsigned int          Width;
  unsigned int          Height;
  int                   Quality;
  JPEGColorEnum         Color;
};

/** Only plain data here: longjmp would skip destructors. */
bool EncodeRows(const Picture & picture, Output & output, JPEGErrors & errors)
{
  jpeg_compress_struct info;
  info.err = errors.Prepare();
  if (setjmp(errors.Jump))
  {
    jpeg_destroy_compress(&info);
    return false;
  }
  jpeg_create_compress(&info);
  jpeg_mem_dest(&info, &output.Bytes, &output.Size);
  info.image_width = picture.Width;
  info.image_height = picture.Height;
  info.input_components = 3;
  info.in_color_space = JCS_RGB;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, picture.Quality, TRUE);
  if (picture.Color == JPEGColorEnum::Full)
  {
    info.comp_info[0].h_samp_factor = info.comp_info[0].v_samp_factor = 1;
  }
  jpeg_simple_progression(&info);
  jpeg_start_compress(&info, TRUE);
  while (info.next_scanline < info.image_height)
  {
    JSAMPROW row = const_cast<unsigned char *>(picture.Pixels) + std::size_t{ 3 } * picture.Width * info.next_scanline;
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  return true;
}
} // namespace

std::vector<unsigned char> EncodeJPEG(const unsigned char * rgb,
                                      unsigned int          width,
                                      unsigned int          height,
                                      int                   quality,
                                      JPEGColorEnum         color)
{
  const Picture picture{ rgb, width, height, quality, color };
  // As large as the pixels, and the headers.
  std::vector<unsigned char> bytes(std::size_t{ 3 } * width * height + 4096);
  Output                     output{ bytes.data(), static_cast<unsigned long>(bytes.size()) };
  JPEGErrors                 errors;
  if (!EncodeRows(picture, output, errors))
  {
    npsnetThrow("A picture of " << width << " x " << height << " pixels cannot be made a JPEG (" << errors.Message
                                << ").");
  }
  if (output.Bytes == bytes.data())
  {
    bytes.resize(output.Size);
  }
  else
  {
    bytes.assign(output.Bytes, output.Bytes + output.Size);
    std::free(output.Bytes);
  }
  return bytes;
}

std::vector<unsigned char> EncodeJPEG(const Image<RGBPixel<unsigned char>, 2> * image, int quality)
{
  const auto size = image->GetBufferedRegion().GetSize();
  return EncodeJPEG(reinterpret_cast<const unsigned char *>(image->GetBufferPointer()),
                    static_cast<unsigned int>(size[0]),
                    static_cast<unsigned int>(size[1]),
                    quality,
                    JPEGColorEnum::Halved);
}
} // namespace itk
