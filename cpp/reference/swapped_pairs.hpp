// The difference between two metrics after their scores were swapped, from the pair counts of the swapped scores.
#pragma once

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "assay/swapped_pairs.hpp"
#include "reference/rank.hpp"

namespace assay::reference {

inline double mean_of_swapped(const SwappedScores& in, PairStatistic statistic, const double* own, const double* other,
                              const bool* swaps) {
  std::vector<double> scores(in.groups * in.items);
  for (std::size_t cell = 0; cell < scores.size(); ++cell) scores[cell] = swaps[cell] ? other[cell] : own[cell];
  double sum = 0, weights = 0;
  for (std::size_t group = 0; group < in.groups; ++group) {
    const auto c = pair_counts({scores.data(), in.human, in.mask, in.pairs, in.groups, in.items}, group, 0);
    const auto all = static_cast<double>(c.concordant + c.discordant + c.tied_x + c.tied_y + c.tied_both);
    double top = static_cast<double>(c.concordant - c.discordant), bottom = all;
    if (statistic == PairStatistic::accuracy) top = static_cast<double>(c.concordant + c.tied_both);
    if (statistic == PairStatistic::tau_b)
      bottom = std::sqrt(static_cast<double>(c.concordant + c.discordant + c.tied_x)) *
               std::sqrt(static_cast<double>(c.concordant + c.discordant + c.tied_y));
    if (bottom == 0) continue;
    sum += in.weights[group] * top / bottom;
    weights += in.weights[group];
  }
  return weights > 0 ? sum / weights : std::numeric_limits<double>::quiet_NaN();
}

inline double swapped_pair(const SwappedScores& in, PairStatistic statistic, std::size_t first, std::size_t second,
                           std::size_t resample) {
  const std::size_t cells = in.groups * in.items;
  const double *a = in.metrics + first * cells, *b = in.metrics + second * cells;
  const bool* const swaps = in.swaps + resample * cells;
  return mean_of_swapped(in, statistic, a, b, swaps) - mean_of_swapped(in, statistic, b, a, swaps);
}

}  // namespace assay::reference
