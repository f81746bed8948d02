// SPDX-License-Identifier: Apache-2.0
#ifndef itkFloatVectors_h
#define itkFloatVectors_h

#include "itkMacro.h"

#include <cstdint>
#include <cstring>

// What is inlined gets the caller's instruction set.
#if defined(__GNUC__)
#define NPSNET_ALWAYS_INLINE inline __attribute__((always_inline))
#elif defined(_MSC_VER)
#define NPSNET_ALWAYS_INLINE __forceinline
#else
#define NPSNET_ALWAYS_INLINE inline
#endif

/** What one register holds. GCC and Clang have types for it; elsewhere four numbers in a structure stand for one. */
#if defined(__GNUC__)
// no vector crosses a call that is left after inlining
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace itk
{
namespace npsnet
{
#if defined(__GNUC__) && !defined(NPSNET_NO_VECTOR_TYPES)
typedef float        FourFloats __attribute__((vector_size(16)));
typedef float        EightFloats __attribute__((vector_size(32)));
typedef float        SixteenFloats __attribute__((vector_size(64)));
typedef std::int32_t FourIntegers __attribute__((vector_size(16)));
typedef std::int32_t EightIntegers __attribute__((vector_size(32)));
typedef std::int32_t SixteenIntegers __attribute__((vector_size(64)));

template <typename TVector>
struct IntegersOf;
template <>
struct IntegersOf<FourFloats>
{
  using Type = FourIntegers;
};
template <>
struct IntegersOf<EightFloats>
{
  using Type = EightIntegers;
};
template <>
struct IntegersOf<SixteenFloats>
{
  using Type = SixteenIntegers;
};

template <typename TMask, typename TVector>
NPSNET_ALWAYS_INLINE TVector Select(const TMask & mask, const TVector & yes, const TVector & no)
{
  return mask ? yes : no;
}

template <typename TFloats, typename TIntegers>
NPSNET_ALWAYS_INLINE TFloats ToFloats(const TIntegers & values)
{
  return __builtin_convertvector(values, TFloats);
}
#else
#define NPSNET_HAS_FOUR_ONLY
template <typename T>
struct Four
{
  T Values[4];

  template <typename TFunction>
  static Four Each(const Four & a, const Four & b, TFunction function)
  {
    Four out;
    for (int i = 0; i < 4; ++i)
    {
      out.Values[i] = function(a.Values[i], b.Values[i]);
    }
    return out;
  }
  static Four All(T value) { return { { value, value, value, value } }; }

  friend Four operator+(const Four & a, const Four & b)
  {
    return Each(a, b, [](T x, T y) { return static_cast<T>(x + y); });
  }
  friend Four operator-(const Four & a, const Four & b)
  {
    return Each(a, b, [](T x, T y) { return static_cast<T>(x - y); });
  }
  friend Four operator*(const Four & a, const Four & b)
  {
    return Each(a, b, [](T x, T y) { return static_cast<T>(x * y); });
  }
  friend Four operator/(const Four & a, const Four & b)
  {
    return Each(a, b, [](T x, T y) { return static_cast<T>(x / y); });
  }
  friend Four operator+(const Four & a, T b) { return a + All(b); }
  friend Four operator-(const Four & a, T b) { return a - All(b); }
  friend Four operator*(const Four & a, T b) { return a * All(b); }
  friend Four operator+(T a, const Four & b) { return All(a) + b; }
  friend Four operator-(T a, const Four & b) { return All(a) - b; }
  friend Four operator*(T a, const Four & b) { return All(a) * b; }
  friend Four operator/(T a, const Four & b) { return All(a) / b; }
  friend Four operator-(const Four & a) { return All(T(0)) - a; }
  Four &      operator+=(const Four & b) { return *this = *this + b; }

  friend Four operator&(const Four & a, T b)
  {
    return Each(a, All(b), [](T x, T y) { return static_cast<T>(x & y); });
  }
  friend Four operator|(const Four & a, T b)
  {
    return Each(a, All(b), [](T x, T y) { return static_cast<T>(x | y); });
  }
  friend Four operator<<(const Four & a, int b)
  {
    return Each(a, a, [b](T x, T) { return static_cast<T>(static_cast<std::uint32_t>(x) << b); });
  }
  friend Four operator>>(const Four & a, int b)
  {
    return Each(a, a, [b](T x, T) { return static_cast<T>(x >> b); });
  }
};
using FourFloats = Four<float>;
using FourIntegers = Four<std::int32_t>;

inline FourIntegers operator<(const FourFloats & a, const FourFloats & b)
{
  FourIntegers out;
  for (int i = 0; i < 4; ++i)
  {
    out.Values[i] = a.Values[i] < b.Values[i] ? -1 : 0;
  }
  return out;
}
inline FourIntegers operator<(const FourFloats & a, float b)
{
  return a < FourFloats::All(b);
}
inline FourIntegers operator>(const FourFloats & a, float b)
{
  return FourFloats::All(b) < a;
}

template <typename TVector>
struct IntegersOf
{
  using Type = FourIntegers;
};

inline FourFloats Select(const FourIntegers & mask, const FourFloats & yes, const FourFloats & no)
{
  FourFloats out;
  for (int i = 0; i < 4; ++i)
  {
    out.Values[i] = mask.Values[i] ? yes.Values[i] : no.Values[i];
  }
  return out;
}

template <typename TFloats, typename TIntegers>
inline TFloats ToFloats(const TIntegers & values)
{
  TFloats out;
  for (int i = 0; i < 4; ++i)
  {
    out.Values[i] = static_cast<float>(values.Values[i]);
  }
  return out;
}
#endif

template <typename TVector>
NPSNET_ALWAYS_INLINE TVector Load(const float * from)
{
  TVector value;
  std::memcpy(&value, from, sizeof(TVector));
  return value;
}

template <typename TVector>
NPSNET_ALWAYS_INLINE void Store(float * to, const TVector & value)
{
  std::memcpy(to, &value, sizeof(TVector));
}

template <typename TTo, typename TFrom>
NPSNET_ALWAYS_INLINE TTo SameBits(const TFrom & from)
{
  static_assert(sizeof(TTo) == sizeof(TFrom), "as many bits");
  TTo to;
  std::memcpy(&to, &from, sizeof(TTo));
  return to;
}

template <typename TVector>
NPSNET_ALWAYS_INLINE TVector Everywhere(float value)
{
  return TVector{} + value;
}

// What is not a number stays so: a network that went astray must not look healthy.

template <typename TVector>
NPSNET_ALWAYS_INLINE TVector Rectify(const TVector & x)
{
  return Select(x < 0.0F, TVector{}, x);
}

template <typename TVector>
NPSNET_ALWAYS_INLINE TVector Larger(const TVector & a, const TVector & b)
{
  return Select(a < b, b, a) + (b - b) * 0.0F;
}

template <typename TVector>
NPSNET_ALWAYS_INLINE TVector Clamp(const TVector & x, float low, float high)
{
  const TVector notTooLow = Select(x < low, Everywhere<TVector>(low), x);
  return Select(notTooLow > high, Everywhere<TVector>(high), notTooLow);
}

/** e^x to a unit in the last place; x beyond what a float can hold counts as the nearest that can. */
template <typename TVector>
NPSNET_ALWAYS_INLINE TVector Exponential(const TVector & value)
{
  using Integers = typename IntegersOf<TVector>::Type;
  const TVector   x = Clamp(value, -87.3F, 88.3F);
  constexpr float toWhole = 12582912.0F; // 1.5 * 2^23: what is added to it is rounded to whole numbers
  const TVector   shifted = x * 1.44269504088896341F + toWhole;
  const TVector   n = shifted - toWhole;
  const TVector   r = (x - n * 0.693359375F) - n * -2.12194440e-4F; // ln 2 in two parts
  TVector         p = Everywhere<TVector>(1.9875691500e-4F);
  p = p * r + 1.3981999507e-3F;
  p = p * r + 8.3334519073e-3F;
  p = p * r + 4.1665795894e-2F;
  p = p * r + 1.6666665459e-1F;
  p = p * r + 5.0000001201e-1F;
  p = p * (r * r) + r + 1.0F;
  const Integers power = (SameBits<Integers>(shifted) + 127) << 23;
  return p * SameBits<TVector>(power);
}

/** Natural logarithm of a positive normal number to a unit in the last place. */
template <typename TVector>
NPSNET_ALWAYS_INLINE TVector Logarithm(const TVector & x)
{
  using Integers = typename IntegersOf<TVector>::Type;
  const Integers bits = SameBits<Integers>(x);
  TVector        e = ToFloats<TVector>((bits >> 23) - 126);
  TVector        m = SameBits<TVector>((bits & 0x007FFFFF) | 0x3F000000); // 0.5 <= m < 1
  const auto     small = m < 0.707106781186547524F;
  e = e - Select(small, Everywhere<TVector>(1.0F), TVector{});
  m = Select(small, m + m, m) - 1.0F;
  const TVector z = m * m;
  TVector       p = Everywhere<TVector>(7.0376836292e-2F);
  p = p * m - 1.1514610310e-1F;
  p = p * m + 1.1676998740e-1F;
  p = p * m - 1.2420140846e-1F;
  p = p * m + 1.4249322787e-1F;
  p = p * m - 1.6668057665e-1F;
  p = p * m + 2.0000714765e-1F;
  p = p * m - 2.4999993993e-1F;
  p = p * m + 3.3333331174e-1F;
  p = p * m * z + e * -2.12194440e-4F - z * 0.5F;
  return m + p + e * 0.693359375F + (x - x);
}

/** 1 / (1 + e^-x) */
template <typename TVector>
NPSNET_ALWAYS_INLINE TVector Logistic(const TVector & x)
{
  return 1.0F / (1.0F + Exponential<TVector>(-x));
}

/** log(1 + e^x) */
template <typename TVector>
NPSNET_ALWAYS_INLINE TVector Softplus(const TVector & x)
{
  const TVector y = Exponential<TVector>(Select(x < 0.0F, x, -x));
  const TVector u = 1.0F + y;
  // y - (u - 1) is what rounding lost
  return Rectify(x) + (Logarithm<TVector>(u) + (y - (u - 1.0F)) / u);
}
} // namespace npsnet
} // namespace itk

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#endif
