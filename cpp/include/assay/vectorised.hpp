// Loops over arrays of real numbers that give the same bytes on every processor, whatever the width of its vectors.
//
// Sums run over kLanes lanes; roots and exponentials consist of basic operations, which are rounded alike everywhere.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "assay/processor.hpp"

namespace assay {

#ifdef ASSAY_HAS_AVX2_TARGET
template <class Loop>
[[gnu::target("avx2")]] void run_with_avx2(Loop loop) {
  loop();
}
#endif

// Runs a loop, compiled for the processor at hand. Its lambda and the functions it calls must be always inlined.
template <class Loop>
void vectorised(Loop loop) {
#ifdef ASSAY_HAS_AVX2_TARGET
  if (has_avx2()) return run_with_avx2(loop);
#endif
  loop();
}

inline constexpr std::size_t kLanes = 8;

// Sum of value(0) to value(size - 1).
template <class Value>
[[gnu::always_inline]] inline double sum_of(std::size_t size, Value value) {
  double lanes[kLanes] = {};
  std::size_t i = 0;
  for (; i + kLanes <= size; i += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += value(i + lane);
  for (; i < size; ++i) lanes[i % kLanes] += value(i);
  for (std::size_t width = kLanes / 2; width > 0; width /= 2)
    for (std::size_t lane = 0; lane < width; ++lane) lanes[lane] += lanes[lane + width];
  return lanes[0];
}

// The cube root of a number that is not negative, to the last bit or two. A third of the exponent is a first guess, which
// is within 4%; each step of Halley's method triples the number of correct digits.
[[gnu::always_inline]] inline double cube_root(double x) {
  std::uint64_t third = std::bit_cast<std::uint64_t>(x);
  third = (third >> 2) + (third >> 4);
  third += third >> 4;
  third += third >> 8;
  third += third >> 16;
  third += third >> 32;
  double root = std::bit_cast<double>(third + 0x2A9F7893'00000000u);
  const auto halley = [x] [[gnu::always_inline]] (double y) {
    const double cube = y * y * y;
    return y * ((cube + (x + x)) / ((cube + cube) + x));
  };
  root = halley(halley(halley(root)));
  return x / (root * root);  // 0 for 0; a branch would keep loops from being vectorised
}

// e^x for |x| <= 700, to the last bit or two: 2^k e^r with |r| <= ln 2 / 2, and the Taylor series of e^r.
[[gnu::always_inline]] inline double exponential(double x) {
  constexpr double kLog2E = 1.4426950408889634, kLn2High = 0x1.62e42feep-1, kLn2Low = 0x1.a39ef35793c76p-33;
  constexpr double kRound = 0x1.8p52;  // adding it rounds to an integer, which is then in the low bits
  const double shifted = x * kLog2E + kRound, k = shifted - kRound;
  const double r = (x - k * kLn2High) - k * kLn2Low;
  double series = 1.0 / 6227020800.0;  // 1 / 13!
  constexpr double kInverseFactorials[] = {1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320,
                                           1.0 / 5040,      1.0 / 720,      1.0 / 120,     1.0 / 24,     1.0 / 6,
                                           1.0 / 2,         1.0,            1.0};
  for (const double factor : kInverseFactorials) series = series * r + factor;
  return series * std::bit_cast<double>((std::bit_cast<std::uint64_t>(shifted) + 1023) << 52);
}

}  // namespace assay
