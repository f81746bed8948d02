// SPDX-License-Identifier: Apache-2.0
#ifndef itkTrainingRandom_h
#define itkTrainingRandom_h

#include "itkMacro.h"

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace itk
{
/** \class TrainingRandom
 * \brief Random numbers that depend on nothing but their seeds: not on threads, library or platform.
 *
 * SplitMix64 (Steele, Lea, Flood 2014).
 */
class TrainingRandom
{
public:
  TrainingRandom(std::uint64_t seed, std::uint64_t epoch, std::uint64_t index)
    : m_State(seed)
  {
    m_State = this->Next() ^ epoch;
    m_State = this->Next() ^ index;
  }

  std::uint64_t Next()
  {
    std::uint64_t z = (m_State += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  double Uniform() { return static_cast<double>(this->Next() >> 11) * 0x1.0p-53; }
  double Uniform(double low, double high) { return low + (high - low) * this->Uniform(); }
  /** Symmetric about 0. */
  double Spread(double range) { return this->Uniform(-range, range); }
  bool   Chance(double probability) { return this->Uniform() < probability; }
  double Normal()
  {
    const double u = 1.0 - this->Uniform();
    const double v = this->Uniform();
    return std::sqrt(-2.0 * std::log(u)) * std::cos(6.283185307179586 * v);
  }
  /** Four uniform bytes' sum: close to normal, mean 0, standard deviation 1, one draw for one number. */
  float FastNormal()
  {
    const std::uint64_t n = this->Next();
    const int           sum = static_cast<int>((n & 0xffff) + ((n >> 16) & 0xffff) + ((n >> 32) & 0xffff) + (n >> 48));
    return static_cast<float>(sum - 131070) * (1.0F / 37837.0F);
  }
  /** A permutation of 0 ... n - 1. */
  std::vector<std::size_t> Permutation(std::size_t n)
  {
    std::vector<std::size_t> order(n);
    for (std::size_t i = 0; i < n; ++i)
    {
      order[i] = i;
    }
    for (std::size_t i = n; i > 1; --i)
    {
      std::swap(order[i - 1], order[this->Next() % i]);
    }
    return order;
  }

private:
  std::uint64_t m_State;
};
} // namespace itk

#endif
