// SPDX-License-Identifier: Apache-2.0
#ifndef itkContrastLimitedEqualization_h
#define itkContrastLimitedEqualization_h

#include "NPSNetExport.h"
#include "itkMacro.h"

#include <cstddef>
#include <vector>

namespace itk
{
/** \class ContrastLimitedEqualization
 * \brief Contrast limited adaptive histogram equalisation of an 8-bit raster in three steps of independent parts.
 *
 * What OpenCV's createCLAHE does to a grey image, or for colour to L of its 8-bit Lab (a and b kept): the
 * published weights were trained on that, so table sizes and rounding follow it. The steps must run in this
 * order; the parts of one step may run in any number of threads:
 *
 *   LoadRows(): pixels -> L (a, b); BuildTiles(): one look-up table a tile; StoreRows(): interpolated tables -> pixels.
 *
 * \ingroup NPSNet
 */
class NPSNet_EXPORT ContrastLimitedEqualization
{
public:
  /** Rasters smaller than the tile grid are fine; sizes that the grid does not divide are extended by reflection.
   * Throws for an empty raster or grid and for a clip limit that is not finite and positive. */
  ContrastLimitedEqualization(unsigned int width,
                              unsigned int height,
                              double       clipLimit,
                              unsigned int tilesX,
                              unsigned int tilesY);

  unsigned int GetHeight() const { return m_Height; }
  unsigned int GetNumberOfTiles() const { return m_TilesX * m_TilesY; }

  void LoadGreyRow(const unsigned char * grey, unsigned int y);
  void LoadRGBRow(const unsigned char * rgb, unsigned int y);
  void BuildTile(unsigned int tile);
  void StoreGreyRow(unsigned char * grey, unsigned int y) const;
  void StoreRGBRow(unsigned char * rgb, unsigned int y) const;

private:
  /** Interpolation between the tables of two neighbouring tiles along one axis. */
  struct Neighbours
  {
    unsigned int Low;
    unsigned int High;
    float        Weight; // of High
  };
  static std::vector<Neighbours> MakeNeighbours(unsigned int length, unsigned int tiles, unsigned int tileLength);
  void                           EqualizeRow(unsigned char * out, unsigned int y) const;

  unsigned int               m_Width;
  unsigned int               m_Height;
  unsigned int               m_TilesX;
  unsigned int               m_TilesY;
  unsigned int               m_TileWidth;
  unsigned int               m_TileHeight;
  int                        m_ClipCount;
  std::vector<unsigned char> m_Lightness;
  std::vector<unsigned char> m_Chroma; // a, b interleaved
  std::vector<unsigned char> m_Tables; // 256 a tile
  std::vector<Neighbours>    m_NeighboursX;
  std::vector<Neighbours>    m_NeighboursY;
};

/** Whole raster on the calling thread; interleaved RGB, `out` may be `rgb`. Safe to call from many threads. */
NPSNet_EXPORT void ApplyCLAHE(const unsigned char * rgb,
                              unsigned char *       out,
                              unsigned int          width,
                              unsigned int          height,
                              double                clipLimit = 2.0,
                              unsigned int          tilesX = 8,
                              unsigned int          tilesY = 8);
} // namespace itk

#endif
