// Pair counts by a loop over all pairs.
#pragma once

#include <cmath>
#include <cstddef>

#include "assay/rank.hpp"

namespace assay::reference {

inline PairCounts pair_counts(const PairCountInput& in, std::size_t group, double epsilon) {
  PairCounts counts;
  const std::size_t row = group * in.items;
  for (std::size_t i = 0; i < in.items; ++i) {
    for (std::size_t j = i + 1; j < in.items; ++j) {
      if (!in.mask[row + i] || !in.mask[row + j]) continue;
      if (in.pairs != nullptr && !in.pairs[i * in.items + j]) continue;
      const double dx = in.x[row + i] - in.x[row + j], dy = in.y[row + i] - in.y[row + j];
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
