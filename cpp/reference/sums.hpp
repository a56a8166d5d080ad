// Weighted sums, following the formula. Integers are summed in 128 bits, where nothing can overflow.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "assay/sums.hpp"

namespace assay::reference {

using Int128 = __int128;

// The shape of a table, and the number of rows of weights.
struct Shape {
  std::size_t systems, segments, columns, rows;
};

// Calls visit(system, row of weights, column) in the memory order of the totals.
template <class Visit>
void for_each_total(const Shape& shape, Visit visit) {
  for (std::size_t system = 0; system < shape.systems; ++system)
    for (std::size_t row = 0; row < shape.rows; ++row)
      for (std::size_t column = 0; column < shape.columns; ++column) visit(system, row, column);
}

// One total in the order of the segments: exact in 128 bits, rounded at each step in double precision.
template <class Sum, class Value>
std::vector<Sum> weighted_sums(const std::vector<Value>& table, const std::vector<std::uint32_t>& weights,
                               const Shape& shape) {
  std::vector<Sum> totals;
  for_each_total(shape, [&](std::size_t system, std::size_t row, std::size_t column) {
    Sum sum = 0;
    for (std::size_t segment = 0; segment < shape.segments; ++segment)
      sum += static_cast<Sum>(weights[row * shape.segments + segment]) *
             static_cast<Sum>(table[(system * shape.segments + segment) * shape.columns + column]);
    totals.push_back(sum);
  });
  return totals;
}

// The order of additions that the core promises for real tables: within each block of kSumBlock segments, segment i
// is added to sum i mod 8; the eight sums are added in order, then the blocks in order.
inline std::vector<double> weighted_sums_by_block(const std::vector<double>& table,
                                                  const std::vector<std::uint32_t>& weights, const Shape& shape) {
  std::vector<double> totals;
  for_each_total(shape, [&](std::size_t system, std::size_t row, std::size_t column) {
    const std::size_t blocks = (shape.segments + kSumBlock - 1) / kSumBlock;
    std::vector<std::array<double, 8>> sums(blocks, std::array<double, 8>{});
    for (std::size_t segment = 0; segment < shape.segments; ++segment)
      sums[segment / kSumBlock][segment % kSumBlock % 8] +=
          weights[row * shape.segments + segment] * table[(system * shape.segments + segment) * shape.columns + column];
    double total = 0;
    for (const auto& block : sums) {
      double block_total = 0;
      for (const double sum : block) block_total += sum;
      total += block_total;
    }
    totals.push_back(total);
  });
  return totals;
}

// Whether the core may refuse to sum: a total could exceed 64 bits if every statistic were as large as the largest.
inline bool may_leave_64_bits(const std::vector<std::int64_t>& table, const std::vector<std::uint32_t>& weights,
                              const Shape& shape) {
  Int128 largest_statistic = 0, largest_weight_sum = 0;
  for (const std::int64_t statistic : table)
    largest_statistic = std::max(largest_statistic, statistic < 0 ? -Int128{statistic} : Int128{statistic});
  for (std::size_t row = 0; row < shape.rows; ++row) {
    Int128 weight_sum = 0;
    for (std::size_t segment = 0; segment < shape.segments; ++segment)
      weight_sum += weights[row * shape.segments + segment];
    largest_weight_sum = std::max(largest_weight_sum, weight_sum);
  }
  return largest_statistic * largest_weight_sum > std::numeric_limits<std::int64_t>::max();
}

}  // namespace assay::reference
