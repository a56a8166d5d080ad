// Pair counts by a loop over all pairs.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "assay/rank.hpp"

namespace assay::reference {

// The lowest number that can be reached from an item by steps of at most `tolerance` times the largest absolute number.
inline double class_of(const PairCountInput& in, const double* row, const bool* mask, std::size_t item) {
  double largest = 0, value = row[item];
  for (std::size_t i = 0; i < in.items; ++i)
    if (mask[i]) largest = std::max(largest, std::fabs(row[i]));
  for (bool is_lower = true; is_lower;) {
    is_lower = false;
    for (std::size_t i = 0; i < in.items; ++i)
      if (mask[i] && row[i] < value && value - row[i] <= in.tolerance * largest) {
        value = row[i];
        is_lower = true;
      }
  }
  return value;
}

inline PairCounts pair_counts(const PairCountInput& in, std::size_t group, double epsilon) {
  PairCounts counts;
  const std::size_t row = group * in.items;
  std::vector<double> x(in.items), y(in.items);
  for (std::size_t i = 0; i < in.items; ++i) {
    x[i] = class_of(in, in.x + row, in.mask + row, i);
    y[i] = class_of(in, in.y + row, in.mask + row, i);
  }
  for (std::size_t i = 0; i < in.items; ++i) {
    for (std::size_t j = i + 1; j < in.items; ++j) {
      if (!in.mask[row + i] || !in.mask[row + j]) continue;
      if (in.pairs != nullptr && !in.pairs[i * in.items + j]) continue;
      const double dx = x[i] - x[j], dy = y[i] - y[j];
      const bool is_tied_in_x = std::fabs(dx) <= epsilon, is_tied_in_y = dy == 0;
      if (is_tied_in_x && is_tied_in_y)
        ++counts.tied_both;
      else if (is_tied_in_x)
        ++counts.tied_x;
      else if (is_tied_in_y)
        ++counts.tied_y;
      else if ((dx > 0) == (dy > 0))
        ++counts.concordant;
      else
        ++counts.discordant;
    }
  }
  return counts;
}

}  // namespace assay::reference
