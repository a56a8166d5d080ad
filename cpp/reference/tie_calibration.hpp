// Tie calibration by trying every possible epsilon.
#pragma once

#include <cmath>
#include <cstdint>
#include <set>

#include "assay/rank.hpp"
#include "reference/rank.hpp"

namespace assay::reference {

inline double best_epsilon(const PairCountInput& in, const std::int64_t* weights) {
  std::set<double> candidates{0.0};
  for (std::size_t group = 0; group < in.groups; ++group)
    for (std::size_t i = group * in.items; i < (group + 1) * in.items; ++i)
      for (std::size_t j = group * in.items; j < i; ++j)
        if (in.mask[i] && in.mask[j]) candidates.insert(std::fabs(in.x[i] - in.x[j]));
  double best = 0;
  std::int64_t highest = -1;
  for (const double epsilon : candidates) {
    std::int64_t right = 0;
    for (std::size_t group = 0; group < in.groups; ++group) {
      const PairCounts counts = pair_counts(in, group, epsilon);
      right += (counts.concordant + counts.tied_both) * weights[group];
    }
    if (right <= highest) continue;
    highest = right;
    best = epsilon;
  }
  return best;
}

}  // namespace assay::reference
