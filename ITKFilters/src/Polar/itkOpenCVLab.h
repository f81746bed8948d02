// SPDX-License-Identifier: Apache-2.0
#ifndef itkOpenCVLab_h
#define itkOpenCVLab_h

#include "itkMacro.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace itk
{
/** 8-bit sRGB <-> 8-bit CIE Lab (L * 255/100, a + 128, b + 128; D65) in fixed point, with the table sizes and
 * roundings of OpenCV's cvtColor, so that both give the same bytes. */
class OpenCVLab
{
public:
  static const OpenCVLab & Instance()
  {
    static const OpenCVLab tables;
    return tables;
  }

  void FromRGB(const unsigned char * rgb, unsigned char & L, unsigned char & a, unsigned char & b) const
  {
    const int     red = m_Linear[rgb[0]];
    const int     green = m_Linear[rgb[1]];
    const int     blue = m_Linear[rgb[2]];
    const int     fx = m_CubeRoot[Descale(red * m_ToXYZ[0] + green * m_ToXYZ[1] + blue * m_ToXYZ[2], CoefficientShift)];
    const int     fy = m_CubeRoot[Descale(red * m_ToXYZ[3] + green * m_ToXYZ[4] + blue * m_ToXYZ[5], CoefficientShift)];
    const int     fz = m_CubeRoot[Descale(red * m_ToXYZ[6] + green * m_ToXYZ[7] + blue * m_ToXYZ[8], CoefficientShift)];
    constexpr int scaleL = (116 * 255 + 50) / 100;
    constexpr int shiftL = -((16 * 255 * (1 << RootShift) + 50) / 100);
    L = Saturate(Descale(scaleL * fy + shiftL, RootShift));
    a = Saturate(Descale(500 * (fx - fy) + 128 * (1 << RootShift), RootShift));
    b = Saturate(Descale(200 * (fy - fz) + 128 * (1 << RootShift), RootShift));
  }

  void ToRGB(unsigned char L, unsigned char a, unsigned char b, unsigned char * rgb) const
  {
    const int y = m_Y[L];
    const int fy = m_FY[L];
    const int x = m_Cube[fy + m_DivideA[a] - MinimumF];
    const int z = m_Cube[fy - m_DivideB[b] - MinimumF];
    for (int k = 0; k < 3; ++k)
    {
      const int linear = Descale(m_FromXYZ[3 * k] * x + m_FromXYZ[3 * k + 1] * y + m_FromXYZ[3 * k + 2] * z,
                                 CoefficientShift + BaseShift - InverseGammaShift);
      rgb[k] = m_Gamma[std::clamp(linear, 0, InverseGammaSize - 1)];
    }
  }

private:
  static constexpr int CoefficientShift = 12;
  static constexpr int GammaShift = 3;
  static constexpr int RootShift = CoefficientShift + GammaShift;
  static constexpr int RootSize = 256 * 3 / 2 * (1 << GammaShift);
  static constexpr int InverseGammaShift = 12;
  static constexpr int InverseGammaSize = 1 << InverseGammaShift;
  static constexpr int BaseShift = 14;
  static constexpr int Base = 1 << BaseShift;
  static constexpr int MinimumF = -8145;

  static int           Descale(int value, int shift) { return (value + (1 << (shift - 1))) >> shift; }
  static unsigned char Saturate(int value) { return static_cast<unsigned char>(std::clamp(value, 0, 255)); }
  static int           Round(float value) { return static_cast<int>(std::lrint(value)); }

  static float TowardsZero(double value)
  {
    const auto nearest = static_cast<float>(value);
    return nearest > value ? std::nextafter(nearest, 0.0f) : nearest;
  }

  OpenCVLab()
    : m_Cube(Base * 9 / 4)
  {
    for (int i = 0; i < 256; ++i)
    {
      const double x = static_cast<float>(i) / 255.0f;
      const auto   linear = static_cast<float>(x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4));
      m_Linear[i] = static_cast<std::uint16_t>(Round(255.0f * (1 << GammaShift) * linear));
    }
    for (int i = 0; i < InverseGammaSize; ++i)
    {
      const double x = static_cast<float>(i) / static_cast<float>(InverseGammaSize);
      const auto   gamma = static_cast<float>(x <= 0.0031308 ? x * 12.92 : std::pow(x, 1.0 / 2.4) * 1.055 - 0.055);
      m_Gamma[i] = static_cast<unsigned char>(Round(255.0f * gamma));
    }
    constexpr float threshold = 216.0f / 24389.0f; // (6/29)^3
    constexpr float slope = 841.0f / 108.0f;       // (29/6)^2 / 3
    constexpr float bias = 16.0f / 116.0f;
    for (int i = 0; i < RootSize; ++i)
    {
      const float x = 1.0f / (255.0f * (1 << GammaShift)) * static_cast<float>(i);
      // OpenCV cuts the root to single precision instead of rounding it: entries 49, 324 ... depend on that.
      const float f = x < threshold ? std::fma(x, slope, bias) : TowardsZero(std::cbrt(static_cast<double>(x)));
      m_CubeRoot[i] = static_cast<std::uint16_t>(Round(static_cast<float>(1 << RootShift) * f));
    }
    for (int i = 0; i < 256; ++i)
    {
      if (i <= 20) // L <= 8: the linear part
      {
        m_Y[i] = Round(static_cast<float>(i * Base * 20 * 9) / static_cast<float>(17 * 29 * 29 * 29));
        m_FY[i] =
          Round(static_cast<float>(Base) * (bias + static_cast<float>(i * 5) / static_cast<float>(3 * 17 * 29)));
      }
      else
      {
        const float f =
          static_cast<float>(i * 100 * Base) / static_cast<float>(255 * 116) + static_cast<float>(16 * Base) / 116.0f;
        m_FY[i] = Round(f);
        m_Y[i] = Round(f * f * f / (static_cast<float>(Base) * static_cast<float>(Base)));
      }
      // a/500 and b/200 in units of 1/Base, as OpenCV's multiply-and-shift rounds them.
      m_DivideA[i] = ((5 * i * 53687 + (1 << 7)) >> 13) - 128 * Base / 500;
      m_DivideB[i] = ((i * 41943 + (1 << 4)) >> 9) - 128 * Base / 200 + 1;
    }
    for (int i = 0; i < Base * 9 / 4; ++i)
    {
      const int f = i + MinimumF;
      m_Cube[i] = f <= 3390 ? f * 108 / 841 - Base * 16 / 116 * 108 / 841 : f * f / Base * f / Base;
    }

    constexpr double white[3] = { 0.950456, 1.0, 1.088754 };
    constexpr double toXYZ[9] = { 0.412453, 0.357580, 0.180423, 0.212671, 0.715160,
                                  0.072169, 0.019334, 0.119193, 0.950227 };
    constexpr double fromXYZ[9] = { 3.240479, -1.53715, -0.498535, -0.969256, 1.875991,
                                    0.041556, 0.055648, -0.204043, 1.057311 };
    for (int r = 0; r < 3; ++r)
    {
      for (int c = 0; c < 3; ++c)
      {
        m_ToXYZ[3 * r + c] = static_cast<int>(std::lrint((1 << CoefficientShift) * toXYZ[3 * r + c] / white[r]));
        m_FromXYZ[3 * r + c] = static_cast<int>(std::lrint((1 << CoefficientShift) * fromXYZ[3 * r + c] * white[c]));
      }
    }
  }

  std::array<std::uint16_t, 256>              m_Linear;
  std::array<unsigned char, InverseGammaSize> m_Gamma;
  std::array<std::uint16_t, RootSize>         m_CubeRoot;
  std::array<int, 256>                        m_Y;
  std::array<int, 256>                        m_FY;
  std::array<int, 256>                        m_DivideA;
  std::array<int, 256>                        m_DivideB;
  std::vector<int>                            m_Cube;
  std::array<int, 9>                          m_ToXYZ;
  std::array<int, 9>                          m_FromXYZ;
};
} // namespace itk

#endif
