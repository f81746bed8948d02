// SPDX-License-Identifier: Apache-2.0
#ifndef itkWinogradTiles_h
#define itkWinogradTiles_h

#include "itkWinogradArithmetic.h"

#include <torch/torch.h>

namespace itk
{
namespace npsnet
{
/** \class WinogradTiles
 * \brief Cuts features and the result of their convolution into tiles, and works them off in groups that stay in the
 * cache.
 *
 * Zeros stand before the first and behind the last radius, angles go round; neither costs a copy.
 */
class WinogradTiles
{
public:
  /** Both B x channels x N_rho x N_theta, fp32, channels-last; they must outlive this. */
  WinogradTiles(const torch::Tensor & features, const torch::Tensor & result);

  /** Channels and strides; weights, bias and gradient are the caller's to set. */
  WinogradLayer GetLayer() const;

  int64_t GetNumberOfGroups() const { return (m_Tiles + m_GroupSize - 1) / m_GroupSize; }

  /** Calls the function for every group from `begin` to `end`, one after the other. */
  void WorkOff(int64_t begin, int64_t end, WinogradArithmetic::Function function, const WinogradLayer & layer) const;

private:
  WinogradTile Locate(int64_t index) const;

  const float * m_Features;
  float *       m_Result;
  int64_t       m_InputChannels, m_OutputChannels;
  int64_t       m_Rows, m_Columns;
  int64_t       m_TileRows, m_TileColumns;
  int64_t       m_Tiles;
  int64_t       m_GroupSize;
};
} // namespace npsnet
} // namespace itk

#endif
