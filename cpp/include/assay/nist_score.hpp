// NIST (Doddington 2002) of sums of statistics, as mteval computes it.
//
//   score = sum over n <= K of (information of matches_n / ngrams_n) * exp(-beta * log(min(1, c / r))^2)
//
// A row is [output length c, mean reference length r, information of the matches of each order, n-grams of each order].
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace assay {

struct NistFormula {
  std::size_t max_order = 5;

  std::size_t columns() const { return 2 + 2 * max_order; }

  // NaN if the references have no words.
  template <class T>
  double score(const T* row) const {
    const auto output = static_cast<double>(row[0]), reference = static_cast<double>(row[1]);
    if (!(reference > 0)) return std::numeric_limits<double>::quiet_NaN();
    double information = 0;
    for (std::size_t n = 0; n < max_order; ++n)
      information += static_cast<double>(row[2 + n]) / std::max(static_cast<double>(row[2 + max_order + n]), 1.0);
    const double log_ratio = std::log(std::min(output / reference, 1.0));
    return information * std::exp(-beta() * (log_ratio * log_ratio));
  }

 private:
  // An output two thirds as long as the references loses half.
  static double beta() {
    static const double value = -std::log(0.5) / (std::log(1.5) * std::log(1.5));
    return value;
  }
};

}  // namespace assay
