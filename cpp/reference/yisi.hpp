// YiSi's precision, following the definition; recall is the precision of the reference.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "assay/token_column.hpp"

namespace assay::reference {

using PairSimilarity = std::function<double(std::int32_t, std::int32_t)>;

inline double yisi_precision(Tokens x, const double* weights, Tokens y, std::size_t max_n, const PairSimilarity& similarity) {
  const std::size_t n = std::min({max_n, x.size(), y.size()});
  if (n == 0) return 0;
  double found = 0, total = 0;
  for (std::size_t i = 0; i + n <= x.size(); ++i) {
    double weight = 0, best = 0;
    for (std::size_t k = 0; k < n; ++k) weight += weights[i + k];
    for (std::size_t j = 0; j + n <= y.size(); ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < n; ++k) sum += weights[i + k] * similarity(x[i + k], y[j + k]);
      if (weight > 0) best = std::max(best, sum / weight);
    }
    found += weight * best;
    total += weight;
  }
  return total > 0 ? found / total : 0;
}

inline std::size_t longest_common_substring(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b) {
  std::size_t longest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) {
      std::size_t length = 0;
      while (i + length < a.size() && j + length < b.size() && a[i + length] == b[j + length]) ++length;
      longest = std::max(longest, length);
    }
  return longest;
}

}  // namespace assay::reference
