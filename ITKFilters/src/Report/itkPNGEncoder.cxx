// SPDX-License-Identifier: Apache-2.0
#include "itkPNGEncoder.h"

#include "itkNPSNetThrow.h"
#include "itk_png.h"
#include "itk_zlib.h"

#include <csetjmp>
#include <new>
#include <utility>

namespace itk
{
namespace
{
struct Picture
{
  const unsigned char * Pixels; // interleaved RGB
  unsigned int          Width;
  unsigned int          Height;
};

struct Output
{
  std::string Bytes;
  std::string Problem;
};

Output & OutputOf(png_structp png)
{
  return *static_cast<Output *>(png_get_error_ptr(png));
}

[[noreturn]] void Stop(png_structp png, png_const_charp message)
{
  OutputOf(png).Problem = message;
  longjmp(png_jmpbuf(png), 1); // libpng is C: no exception may pass through it
}

void IgnoreWarning(png_structp, png_const_charp) {}

void Append(png_structp png, png_bytep bytes, std::size_t size)
{
  bool hasRoom = true;
  try
  {
    OutputOf(png).Bytes.append(reinterpret_cast<const char *>(bytes), size);
  }
  catch (const std::bad_alloc &)
  {
    hasRoom = false;
  }
  if (!hasRoom)
  {
    png_error(png, "no memory is left");
  }
}

void Flush(png_structp) {}

/** Only plain data here: longjmp would skip destructors. */
bool EncodeRows(const Picture & picture, Output & output)
{
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &output, Stop, IgnoreWarning);
  png_infop   info = png != nullptr ? png_create_info_struct(png) : nullptr;
  if (info == nullptr || setjmp(png_jmpbuf(png)))
  {
    png_destroy_write_struct(&png, &info);
    return false;
  }
  png_set_write_fn(png, &output, Append, Flush);
  png_set_IHDR(png,
               info,
               picture.Width,
               picture.Height,
               8,
               PNG_COLOR_TYPE_RGB,
               PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_PAETH);
  png_set_compression_level(png, 1);
  png_set_compression_strategy(png, Z_RLE);
  png_set_compression_mem_level(png, 9);
  png_set_compression_buffer_size(png, 1 << 20);
  png_write_info(png, info);
  for (unsigned int y = 0; y < picture.Height; ++y)
  {
    png_write_row(png, picture.Pixels + std::size_t{ 3 } * picture.Width * y);
  }
  png_write_end(png, nullptr);
  png_destroy_write_struct(&png, &info);
  return true;
}
} // namespace

std::string EncodePNG(const Image<RGBPixel<unsigned char>, 2> * image)
{
  const auto    size = image->GetBufferedRegion().GetSize();
  const Picture picture{ reinterpret_cast<const unsigned char *>(image->GetBufferPointer()),
                         static_cast<unsigned int>(size[0]),
                         static_cast<unsigned int>(size[1]) };
  Output        output;
  output.Bytes.reserve(std::size_t{ 3 } * size[0] * size[1] / 2);
  if (!EncodeRows(picture, output))
  {
    npsnetThrow("A picture of " << size[0] << " x " << size[1] << " pixels cannot be made a PNG (" << output.Problem
                                << ").");
  }
  return std::move(output.Bytes);
}
} // namespace itk
