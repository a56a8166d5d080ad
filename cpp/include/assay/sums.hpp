// Weighted sums of a statistics table: totals[system][row of weights][column] = sum of weight x statistic.
//
// Integer tables are summed exactly: 16-bit products in 32-bit lanes where the bounds prove that nothing can
// overflow, else in 64 bits. Real tables are summed lane by lane within blocks of kSumBlock segments, and the blocks in
// order: a fixed order, whatever the threads, that shards cut at block boundaries can continue.
// Cost: O(rows x segments x columns).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "assay/parallel.hpp"

namespace assay {

inline constexpr std::size_t kSumBlock = 1024;

struct SumShape {
  std::size_t systems, segments, columns, rows;
};

namespace detail {

// (system, segment, column) -> (system, column, segment)
template <class Out, class In>
std::vector<Out> column_major(const In* table, const SumShape& shape) {
  std::vector<Out> out(shape.systems * shape.segments * shape.columns);
  for (std::size_t s = 0; s < shape.systems; ++s)
    for (std::size_t i = 0; i < shape.segments; ++i)
      for (std::size_t k = 0; k < shape.columns; ++k)
        out[(s * shape.columns + k) * shape.segments + i] = static_cast<Out>(*table++);
  return out;
}

inline std::int32_t dot(const std::int16_t* weights, const std::int16_t* values, std::size_t size) {
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += std::int32_t{weights[i]} * values[i];
  return sum;
}

inline std::int64_t dot(const std::uint32_t* weights, const std::int64_t* values, std::size_t size) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += std::int64_t{weights[i]} * values[i];
  return sum;
}

inline double dot(const std::uint32_t* weights, const double* values, std::size_t size) {
  double total = 0;
  for (std::size_t begin = 0; begin < size; begin += kSumBlock) {
    const std::size_t end = std::min(size, begin + kSumBlock);
    std::array<double, 8> lanes{};
    std::size_t i = begin;
    for (; i + 8 <= end; i += 8)
      for (std::size_t lane = 0; lane < 8; ++lane) lanes[lane] += static_cast<double>(weights[i + lane]) * values[i + lane];
    for (std::size_t lane = 0; i < end; ++i, ++lane) lanes[lane] += static_cast<double>(weights[i]) * values[i];
    double block = 0;
    for (const double lane : lanes) block += lane;
    total += block;
  }
  return total;
}

// One row of weights after another; `convert(row)` prepares the row for `dot`.
template <class Value, class Total, class Convert>
void sum_rows(const std::vector<Value>& columns, const SumShape& shape, int threads, Convert convert, Total* totals) {
  parallel_blocks(shape.rows, 4, threads, [&] {
    return [&, scratch = std::vector<std::int16_t>(shape.segments)](std::size_t first, std::size_t last) mutable {
      for (std::size_t b = first; b < last; ++b) {
        const auto* weights = convert(b, scratch);
        for (std::size_t s = 0; s < shape.systems; ++s)
          for (std::size_t k = 0; k < shape.columns; ++k)
            totals[(s * shape.rows + b) * shape.columns + k] =
                dot(weights, &columns[(s * shape.columns + k) * shape.segments], shape.segments);
      }
    };
  });
}

}  // namespace detail

inline void weighted_sums(const double* table, const std::uint32_t* weights, const SumShape& shape, int threads,
                          double* totals) {
  detail::sum_rows(detail::column_major<double>(table, shape), shape, threads,
                   [&](std::size_t b, auto&) { return weights + b * shape.segments; }, totals);
}

inline void weighted_sums(const std::int64_t* table, const std::uint32_t* weights, const SumShape& shape, int threads,
                          std::int64_t* totals) {
  const std::size_t cells = shape.systems * shape.segments * shape.columns;
  std::int64_t largest = 0, smallest = 0;
  for (std::size_t i = 0; i < cells; ++i) {
    largest = std::max(largest, table[i]);
    smallest = std::min(smallest, table[i]);
  }
  const std::uint64_t magnitude = std::max<std::uint64_t>(static_cast<std::uint64_t>(largest), 0 - static_cast<std::uint64_t>(smallest));
  std::uint32_t heaviest = 0;
  std::uint64_t drawn = 0;  // the largest sum of a row of weights
  for (std::size_t b = 0; b < shape.rows; ++b) {
    std::uint64_t row = 0;
    for (std::size_t i = 0; i < shape.segments; ++i) {
      heaviest = std::max(heaviest, weights[b * shape.segments + i]);
      row += weights[b * shape.segments + i];
    }
    drawn = std::max(drawn, row);
  }
  if (drawn != 0 && magnitude > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) / drawn)
    throw std::overflow_error("the statistics are too large to be summed in 64 bits");
  constexpr std::uint64_t narrow = std::numeric_limits<std::int16_t>::max();
  if (magnitude <= narrow && heaviest <= narrow && drawn * magnitude <= static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max())) {
    detail::sum_rows(detail::column_major<std::int16_t>(table, shape), shape, threads,
                     [&](std::size_t b, std::vector<std::int16_t>& scratch) {
                       std::copy_n(weights + b * shape.segments, shape.segments, scratch.begin());
                       return static_cast<const std::int16_t*>(scratch.data());
                     },
                     totals);
  } else {
    detail::sum_rows(detail::column_major<std::int64_t>(table, shape), shape, threads,
                     [&](std::size_t b, auto&) { return weights + b * shape.segments; }, totals);
  }
}

}  // namespace assay
