// SPDX-License-Identifier: Apache-2.0
#include "itkWinogradTiles.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <vector>

namespace itk
{
namespace npsnet
{
namespace
{
constexpr int64_t Side = WinogradShape::Side;
constexpr int64_t Reach = WinogradShape::Reach;
constexpr int64_t Points = WinogradShape::Points;

/** Tiles worked on together: their features and sums should stay in the second-level cache, but many must share one
 * reading of large weights; and every thread should have a group. */
int64_t GroupSize(int64_t tiles, int64_t channelProduct)
{
  const int64_t     wanted = channelProduct > 128 * 128 ? 96 : 48;
  const int64_t     share = (tiles + at::get_num_threads() - 1) / at::get_num_threads();
  constexpr int64_t step = 12; // a multiple of the rows that every kernel sums at once
  return std::min(wanted, (share + step - 1) / step * step);
}
} // namespace

WinogradTiles::WinogradTiles(const torch::Tensor & features, const torch::Tensor & result)
  : m_Features(features.data_ptr<float>())
  , m_Result(result.data_ptr<float>())
  , m_InputChannels(features.size(1))
  , m_OutputChannels(result.size(1))
  , m_Rows(features.size(2))
  , m_Columns(features.size(3))
  , m_TileRows((m_Rows + Side - 1) / Side)
  , m_TileColumns((m_Columns + Side - 1) / Side)
  , m_Tiles(features.size(0) * m_TileRows * m_TileColumns)
  , m_GroupSize(GroupSize(m_Tiles, m_InputChannels * m_OutputChannels))
{}

WinogradLayer WinogradTiles::GetLayer() const
{
  WinogradLayer layer = {};
  layer.InputChannels = m_InputChannels;
  layer.OutputChannels = m_OutputChannels;
  layer.ResultStride = m_Columns * m_OutputChannels;
  return layer;
}

WinogradTile WinogradTiles::Locate(int64_t index) const
{
  const int64_t image = index / (m_TileRows * m_TileColumns);
  const int64_t row = index / m_TileColumns % m_TileRows * Side;
  const int64_t column = index % m_TileColumns * Side;
  WinogradTile  tile;
  for (int64_t i = 0; i < Reach; ++i)
  {
    const int64_t from = row - 1 + i;
    tile.Rows[i] =
      from >= 0 && from < m_Rows ? m_Features + (image * m_Rows + from) * m_Columns * m_InputChannels : nullptr;
    tile.Columns[i] = (column - 1 + i + m_Columns) % m_Columns * m_InputChannels;
  }
  tile.Result = m_Result + ((image * m_Rows + row) * m_Columns + column) * m_OutputChannels;
  tile.ResultRows = std::min(Side, m_Rows - row);
  tile.ResultColumns = std::min(Side, m_Columns - column);
  return tile;
}

void WinogradTiles::WorkOff(int64_t                      begin,
                            int64_t                      end,
                            WinogradArithmetic::Function function,
                            const WinogradLayer &        layer) const
{
  const auto buffer = torch::empty({ Points * m_GroupSize * (m_InputChannels + m_OutputChannels) }, torch::kFloat);
  std::vector<WinogradTile> members(m_GroupSize);
  WinogradGroup             group;
  group.Tiles = members.data();
  group.Stride = m_GroupSize;
  group.Features = buffer.data_ptr<float>();
  group.Sums = group.Features + Points * m_GroupSize * m_InputChannels;
  for (int64_t i = begin; i < end; ++i)
  {
    group.Count = std::min(m_GroupSize, m_Tiles - i * m_GroupSize);
    for (int64_t t = 0; t < group.Count; ++t)
    {
      members[t] = this->Locate(i * m_GroupSize + t);
    }
    function(group, layer);
  }
}
} // namespace npsnet
} // namespace itk
