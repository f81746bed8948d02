// SPDX-License-Identifier: Apache-2.0
#include "detail/itkContrastLimitedEqualization.h"
#include "itkOpenCVLab.h"

#include <algorithm>
#include <cmath>

namespace itk
{
namespace
{
/** Index into [0, length) continued beyond the end by reflection about the last sample. */
unsigned int Reflect(unsigned int i, unsigned int length)
{
  if (length == 1)
  {
    return 0;
  }
  const unsigned int period = 2 * (length - 1);
  const unsigned int phase = i % period;
  return phase < length ? phase : period - phase;
}
} // namespace

ContrastLimitedEqualization::ContrastLimitedEqualization(unsigned int width,
                                                         unsigned int height,
                                                         double       clipLimit,
                                                         unsigned int tilesX,
                                                         unsigned int tilesY)
  : m_Width(width)
  , m_Height(height)
  , m_TilesX(tilesX)
  , m_TilesY(tilesY)
{
  if (width == 0 || height == 0 || tilesX == 0 || tilesY == 0)
  {
    itkGenericExceptionMacro("CLAHE needs a raster and a tile grid of at least one; got "
                             << width << " x " << height << " pixels and " << tilesX << " x " << tilesY << " tiles.");
  }
  if (!std::isfinite(clipLimit) || clipLimit <= 0.0)
  {
    itkGenericExceptionMacro("The clip limit of CLAHE must be finite and positive, not " << clipLimit << '.');
  }
  // As soon as one axis does not divide, OpenCV extends both, the dividing one by a whole tile count.
  const bool divides = width % tilesX == 0 && height % tilesY == 0;
  m_TileWidth = (divides ? width : width + tilesX - width % tilesX) / tilesX;
  m_TileHeight = (divides ? height : height + tilesY - height % tilesY) / tilesY;
  const double area = static_cast<double>(m_TileWidth) * m_TileHeight;
  m_ClipCount = static_cast<int>(std::clamp(clipLimit * area / 256.0, 1.0, 2147483647.0));

  const std::size_t pixels = static_cast<std::size_t>(width) * height;
  m_Lightness.resize(pixels);
  m_Tables.resize(std::size_t{ 256 } * tilesX * tilesY);
  m_NeighboursX = MakeNeighbours(width, tilesX, m_TileWidth);
  m_NeighboursY = MakeNeighbours(height, tilesY, m_TileHeight);
  m_Chroma.resize(2 * pixels);
}

std::vector<ContrastLimitedEqualization::Neighbours>
ContrastLimitedEqualization::MakeNeighbours(unsigned int length, unsigned int tiles, unsigned int tileLength)
{
  std::vector<Neighbours> neighbours(length);
  const float             inverse = 1.0f / static_cast<float>(tileLength);
  for (unsigned int i = 0; i < length; ++i)
  {
    const float position = static_cast<float>(i) * inverse - 0.5f;
    const int   low = static_cast<int>(std::floor(position));
    neighbours[i].Low = static_cast<unsigned int>(std::max(low, 0));
    neighbours[i].High = std::min(static_cast<unsigned int>(low + 1), tiles - 1);
    neighbours[i].Weight = position - static_cast<float>(low);
  }
  return neighbours;
}

void ContrastLimitedEqualization::LoadGreyRow(const unsigned char * grey, unsigned int y)
{
  std::copy_n(grey, m_Width, m_Lightness.data() + static_cast<std::size_t>(y) * m_Width);
}

void ContrastLimitedEqualization::LoadRGBRow(const unsigned char * rgb, unsigned int y)
{
  const OpenCVLab &     lab = OpenCVLab::Instance();
  const std::size_t     start = static_cast<std::size_t>(y) * m_Width;
  unsigned char *       lightness = m_Lightness.data() + start;
  unsigned char *       chroma = m_Chroma.data() + 2 * start;
  const unsigned char * end = rgb + std::size_t{ 3 } * m_Width;
  for (; rgb != end; rgb += 3, chroma += 2)
  {
    lab.FromRGB(rgb, *lightness++, chroma[0], chroma[1]);
  }
}

void ContrastLimitedEqualization::BuildTile(unsigned int tile)
{
  const unsigned int x0 = tile % m_TilesX * m_TileWidth;
  const unsigned int y0 = tile / m_TilesX * m_TileHeight;
  // Four histograms: equal neighbours would otherwise wait for each other's increment.
  int histograms[4][256] = {};
  for (unsigned int dy = 0; dy < m_TileHeight; ++dy)
  {
    const unsigned char * row = m_Lightness.data() + static_cast<std::size_t>(Reflect(y0 + dy, m_Height)) * m_Width;
    const unsigned int    inside = x0 < m_Width ? std::min(m_TileWidth, m_Width - x0) : 0;
    for (unsigned int dx = 0; dx < inside; ++dx)
    {
      ++histograms[dx & 3][row[x0 + dx]];
    }
    for (unsigned int dx = inside; dx < m_TileWidth; ++dx)
    {
      ++histograms[dx & 3][row[Reflect(x0 + dx, m_Width)]];
    }
  }
  int * histogram = histograms[0];
  int   excess = 0;
  for (int i = 0; i < 256; ++i)
  {
    histogram[i] += histograms[1][i] + histograms[2][i] + histograms[3][i];
    if (histogram[i] > m_ClipCount)
    {
      excess += histogram[i] - m_ClipCount;
      histogram[i] = m_ClipCount;
    }
  }
  const int share = excess / 256;
  int       residual = excess % 256;
  for (int i = 0; i < 256; ++i)
  {
    histogram[i] += share;
  }
  if (residual > 0)
  {
    const int step = 256 / residual;
    for (int i = 0; i < 256 && residual > 0; i += step, --residual)
    {
      ++histogram[i];
    }
  }

  const float     scale = 255.0f / static_cast<float>(m_TileWidth * m_TileHeight);
  unsigned char * table = m_Tables.data() + std::size_t{ 256 } * tile;
  int             sum = 0;
  for (int i = 0; i < 256; ++i)
  {
    sum += histogram[i];
    table[i] = static_cast<unsigned char>(std::clamp(std::lrint(static_cast<float>(sum) * scale), 0l, 255l));
  }
}

void ContrastLimitedEqualization::EqualizeRow(unsigned char * out, unsigned int y) const
{
  const Neighbours      ny = m_NeighboursY[y];
  const unsigned char * low = m_Tables.data() + std::size_t{ 256 } * m_TilesX * ny.Low;
  const unsigned char * high = m_Tables.data() + std::size_t{ 256 } * m_TilesX * ny.High;
  const unsigned char * row = m_Lightness.data() + static_cast<std::size_t>(y) * m_Width;
  for (unsigned int x = 0; x < m_Width; ++x)
  {
    const Neighbours   nx = m_NeighboursX[x];
    const unsigned int a = 256 * nx.Low + row[x];
    const unsigned int b = 256 * nx.High + row[x];
    const float        right = nx.Weight;
    const float        left = 1.0f - right;
    const float value = (static_cast<float>(low[a]) * left + static_cast<float>(low[b]) * right) * (1.0f - ny.Weight) +
                        (static_cast<float>(high[a]) * left + static_cast<float>(high[b]) * right) * ny.Weight;
    out[x] = static_cast<unsigned char>(std::lrint(value)); // a convex combination: within [0, 255]
  }
}

void ContrastLimitedEqualization::StoreGreyRow(unsigned char * grey, unsigned int y) const
{
  this->EqualizeRow(grey, y);
}

void ContrastLimitedEqualization::StoreRGBRow(unsigned char * rgb, unsigned int y) const
{
  const OpenCVLab &          lab = OpenCVLab::Instance();
  std::vector<unsigned char> lightness(m_Width);
  this->EqualizeRow(lightness.data(), y);
  const unsigned char * chroma = m_Chroma.data() + std::size_t{ 2 } * y * m_Width;
  for (unsigned int x = 0; x < m_Width; ++x, chroma += 2, rgb += 3)
  {
    lab.ToRGB(lightness[x], chroma[0], chroma[1], rgb);
  }
}

void ApplyCLAHE(const unsigned char * rgb,
                unsigned char *       out,
                unsigned int          width,
                unsigned int          height,
                double                clipLimit,
                unsigned int          tilesX,
                unsigned int          tilesY)
{
  ContrastLimitedEqualization equalization(width, height, clipLimit, tilesX, tilesY);
  const std::size_t           rowBytes = std::size_t{ 3 } * width;
  for (unsigned int y = 0; y < height; ++y)
  {
    equalization.LoadRGBRow(rgb + y * rowBytes, y);
  }
  for (unsigned int tile = 0; tile < equalization.GetNumberOfTiles(); ++tile)
  {
    equalization.BuildTile(tile);
  }
  for (unsigned int y = 0; y < height; ++y)
  {
    equalization.StoreRGBRow(out + y * rowBytes, y);
  }
}
} // namespace itk
