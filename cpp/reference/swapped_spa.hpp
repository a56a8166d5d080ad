// Soft pairwise accuracy of swapped scores: every flip of every pair of systems, summed over segments.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "assay/swapped_spa.hpp"

namespace assay::reference {

// Sum over pairs of systems of |twice the flips of the human scores - twice those of the metric|. Scores are integers.
inline std::int64_t distance_of_swapped(const SwappedSystems& in, const double* own, const double* other,
                                        const bool* swaps) {
  const auto value = [&](std::size_t cell) { return swaps[cell] ? other[cell] : own[cell]; };
  std::int64_t total = 0;
  for (std::size_t i = 0; i < in.systems; ++i)
    for (std::size_t j = i + 1; j < in.systems; ++j) {
      if (!in.pairs[i * in.systems + j]) continue;
      std::int64_t counted = 0;
      for (std::size_t flip = 0; flip < in.flips; ++flip) {
        double sum = 0;
        for (std::size_t s = 0; s < in.segments; ++s) {
          const std::size_t one = i * in.segments + s, two = j * in.segments + s;
          if (in.coins[flip * in.segments + s] != 0 && in.mask[one] && in.mask[two]) sum += value(one) - value(two);
        }
        counted += sum < 0 ? 2 : sum > 0 ? 0 : in.counts_ties_in_full ? 2 : 1;
      }
      total += std::abs(in.human[i * in.systems + j] - counted);
    }
  return total;
}

inline double swapped_spa(const SwappedSystems& in, std::size_t first, std::size_t second, std::size_t resample) {
  const std::size_t cells = in.systems * in.segments;
  const double *a = in.metrics + first * cells, *b = in.metrics + second * cells;
  const bool* const swaps = in.swaps + resample * cells;
  std::int64_t pairs = 0;
  for (std::size_t i = 0; i < in.systems; ++i)
    for (std::size_t j = i + 1; j < in.systems; ++j) pairs += in.pairs[i * in.systems + j];
  const std::int64_t gap = distance_of_swapped(in, b, a, swaps) - distance_of_swapped(in, a, b, swaps);
  return static_cast<double>(gap) / (2 * static_cast<double>(in.flips) * static_cast<double>(pairs));
}

}  // namespace assay::reference
