// SPDX-License-Identifier: Apache-2.0
#include "itkPNGEncoder.h"

#include "itkNPSNetThrow.h"
#include "itk_zlib.h"

#include <array>
#include <cstdint>
#include <vector>

namespace itk
{
namespace
{
constexpr std::size_t BytesPerPixel = 3;

enum RowFilter : unsigned char
{
  DifferenceToLeft = 1,
  DifferenceToPaeth = 4
};

void FilterFirstRow(const unsigned char * row, std::size_t size, unsigned char * out)
{
  for (std::size_t i = 0; i < size; ++i)
  {
    out[i] = static_cast<unsigned char>(row[i] - (i < BytesPerPixel ? 0 : row[i - BytesPerPixel]));
  }
}

/** Paeth's predictor: whichever of left, above and above left is nearest to left + above - above left. */
void FilterRow(const unsigned char * row, const unsigned char * above, std::size_t size, unsigned char * out)
{
  for (std::size_t i = 0; i < BytesPerPixel; ++i)
  {
    out[i] = static_cast<unsigned char>(row[i] - above[i]);
  }
  for (std::size_t i = BytesPerPixel; i < size; ++i)
  {
    const auto a = static_cast<std::int16_t>(row[i - BytesPerPixel]);
    const auto b = static_cast<std::int16_t>(above[i]);
    const auto c = static_cast<std::int16_t>(above[i - BytesPerPixel]);
    const auto fromA = static_cast<std::int16_t>(b > c ? b - c : c - b);
    const auto fromB = static_cast<std::int16_t>(a > c ? a - c : c - a);
    const auto both = static_cast<std::int16_t>(a + b - c - c);
    const auto fromC = static_cast<std::int16_t>(both > 0 ? both : -both);
    const auto bOrC = fromB <= fromC ? b : c;
    const auto predicted = (fromA <= fromB) & (fromA <= fromC) ? a : bOrC;
    out[i] = static_cast<unsigned char>(row[i] - predicted);
  }
}

void AppendNumber(std::string & bytes, std::uint32_t number)
{
  for (const int shift : { 24, 16, 8, 0 })
  {
    bytes += static_cast<char>(number >> shift & 0xFF);
  }
}

/** Type and content without its sum, which is computed here. */
void AppendChunk(std::string & bytes, const std::string & typeAndContent)
{
  const auto * content = reinterpret_cast<const Bytef *>(typeAndContent.data());
  AppendNumber(bytes, static_cast<std::uint32_t>(typeAndContent.size() - 4));
  bytes += typeAndContent;
  AppendNumber(bytes, static_cast<std::uint32_t>(crc32(0, content, static_cast<uInt>(typeAndContent.size()))));
}

class Deflater
{
public:
  explicit Deflater(std::string & out)
    : m_Out(out)
  {
    if (deflateInit2(&m_Stream, 1, Z_DEFLATED, 15, 9, Z_RLE) != Z_OK)
    {
      npsnetThrow("There is no memory left to compress a picture.");
    }
  }
  ~Deflater() { deflateEnd(&m_Stream); }
  Deflater(const Deflater &) = delete;
  Deflater & operator=(const Deflater &) = delete;

  void Add(std::vector<unsigned char> & bytes, bool last)
  {
    m_Stream.next_in = bytes.data();
    m_Stream.avail_in = static_cast<uInt>(bytes.size());
    do
    {
      m_Stream.next_out = m_Buffer.data();
      m_Stream.avail_out = static_cast<uInt>(m_Buffer.size());
      deflate(&m_Stream, last ? Z_FINISH : Z_NO_FLUSH);
      m_Out.append(reinterpret_cast<const char *>(m_Buffer.data()), m_Buffer.size() - m_Stream.avail_out);
    } while (m_Stream.avail_out == 0);
  }

private:
  std::string &                    m_Out;
  z_stream                         m_Stream{};
  std::array<unsigned char, 65536> m_Buffer;
};
} // namespace

std::string EncodePNG(const Image<RGBPixel<unsigned char>, 2> * image)
{
  const auto        size = image->GetBufferedRegion().GetSize();
  const auto *      row = reinterpret_cast<const unsigned char *>(image->GetBufferPointer());
  const std::size_t rowSize = BytesPerPixel * size[0];

  std::string header = "IHDR";
  AppendNumber(header, static_cast<std::uint32_t>(size[0]));
  AppendNumber(header, static_cast<std::uint32_t>(size[1]));
  header += { 8, 2, 0, 0, 0 }; // bits, true colour, deflate, adaptive filters, not interlaced

  std::string pixels = "IDAT";
  pixels.reserve(rowSize * size[1] / 2);
  {
    Deflater                   deflater(pixels);
    std::vector<unsigned char> filtered(1 + rowSize);
    for (SizeValueType y = 0; y < size[1]; ++y, row += rowSize)
    {
      filtered[0] = y == 0 ? DifferenceToLeft : DifferenceToPaeth;
      if (y == 0)
      {
        FilterFirstRow(row, rowSize, filtered.data() + 1);
      }
      else
      {
        FilterRow(row, row - rowSize, rowSize, filtered.data() + 1);
      }
      deflater.Add(filtered, y + 1 == size[1]);
    }
  }

  std::string bytes = "\x89PNG\r\n\x1A\n";
  AppendChunk(bytes, header);
  AppendChunk(bytes, pixels);
  AppendChunk(bytes, "IEND");
  return bytes;
}
} // namespace itk
