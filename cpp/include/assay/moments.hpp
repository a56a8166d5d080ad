// Sums of squares and products of deviations from the mean, for Pearson's r and related statistics.
//
// The minimum is subtracted first: if scores differ little, this is exact, and the mean of the remainder is small. Then
// a power of two scales the range to between 1/2 and 1, so that squares neither overflow nor underflow. The mean is
// subtracted twice; the second time removes the rounding error of the first. Cost: O(items).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "assay/parallel.hpp"

namespace assay {

// Sums of (x - mean x)^2 in units of 4^x_exponent, of (y - mean y)^2 in units of 4^y_exponent, and of their product in
// units of 2^(x_exponent + y_exponent). 0 where a side is constant.
struct CoMoments {
  double xx = 0, yy = 0, xy = 0, x_exponent = 0, y_exponent = 0;
};

namespace detail {

inline constexpr std::size_t kMomentBlock = 128;

// Computes several sums at once, each in blocks, so that rounding errors grow with the block and not with the vector.
template <std::size_t N, class Terms>
std::array<double, N> blocked_sums(std::size_t size, Terms terms) {
  std::array<double, N> totals{};
  for (std::size_t begin = 0; begin < size; begin += kMomentBlock) {
    std::array<double, N> block{};
    for (std::size_t i = begin; i < std::min(size, begin + kMomentBlock); ++i) {
      const std::array<double, N> here = terms(i);
      for (std::size_t k = 0; k < N; ++k) block[k] += here[k];
    }
    for (std::size_t k = 0; k < N; ++k) totals[k] += block[k];
  }
  return totals;
}

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;

  void add(double value) {
    low = value < low ? value : low;
    high = value > high ? value : high;
  }
};

// Exponent of the smallest power of two above a positive number, limited so that both the power and its inverse are well
// within range. Read from the bits, because std::ilogb and std::ldexp would take a third of the time of a short vector.
inline int exponent_above(double number) {
  return std::clamp(static_cast<int>(std::bit_cast<std::uint64_t>(number) >> 52) - 1022, -1000, 1000);
}

inline double power_of_two(int exponent) { return std::bit_cast<double>(static_cast<std::uint64_t>(1023 + exponent) << 52); }

// Scales values to between 0 and 1, with a range above 1/2; only subtracting the minimum may round. Returns the exponent of
// the unit.
inline int rescale(std::span<double> values, Range range) {
  int shrink = 0;
  if (std::isinf(range.high - range.low)) {
    shrink = 2;  // a quarter of the range does not overflow
    for (double& value : values) value *= 0.25;
    range = {range.low * 0.25, range.high * 0.25};
  }
  const double spread = range.high - range.low;
  const int exponent = spread > 0 ? exponent_above(spread) : 0;
  const double scale = spread > 0 ? power_of_two(-exponent) : 0;
  for (double& value : values) value = (value - range.low) * scale;
  return exponent + shrink;
}

inline CoMoments co_moments(std::span<double> x, std::span<double> y) {
  const std::size_t size = x.size();
  if (size == 0) return {};
  Range x_range, y_range;
  for (std::size_t i = 0; i < size; ++i) {
    x_range.add(x[i]);
    y_range.add(y[i]);
  }
  const int x_exponent = rescale(x, x_range), y_exponent = rescale(y, y_range);
  for (int round = 0; round < 2; ++round) {
    const auto [x_sum, y_sum] = blocked_sums<2>(size, [&](std::size_t i) { return std::array{x[i], y[i]}; });
    const double x_mean = x_sum / static_cast<double>(size), y_mean = y_sum / static_cast<double>(size);
    for (std::size_t i = 0; i < size; ++i) {
      x[i] -= x_mean;
      y[i] -= y_mean;
    }
  }
  const auto [xx, yy, xy] =
      blocked_sums<3>(size, [&](std::size_t i) { return std::array{x[i] * x[i], y[i] * y[i], x[i] * y[i]}; });
  return {xx, yy, xy, static_cast<double>(x_exponent), static_cast<double>(y_exponent)};
}

}  // namespace detail

// x, y, mask: (group, item), finite where the mask is set. One result per group.
inline void co_moments(const double* x, const double* y, const bool* mask, std::size_t groups, std::size_t items,
                       int threads, CoMoments* found) {
  parallel_blocks(groups, 64, threads, [&] {
    return [&, dx = std::vector<double>(items), dy = std::vector<double>(items)](std::size_t first,
                                                                                 std::size_t last) mutable {
      for (std::size_t group = first; group < last; ++group) {
        checkpoint(static_cast<std::int64_t>(8 * items));
        std::size_t size = 0;
        for (std::size_t cell = group * items; cell < (group + 1) * items; ++cell) {
          if (!mask[cell]) continue;
          dx[size] = x[cell];
          dy[size++] = y[cell];
        }
        found[group] = detail::co_moments({dx.data(), size}, {dy.data(), size});
      }
    };
  });
}

}  // namespace assay
