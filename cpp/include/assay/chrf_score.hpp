// chrF (Popović 2015) and chrF++ (Popović 2017) of sums of statistics, as sacreBLEU computes them.
//
//   score = 100 * (1 + beta^2) * P * R / (beta^2 * P + R), P and R averaged over the orders that both sides have
//
// A row is [n-grams of the output, of the reference, matches] for each order. Cost: O(orders) for each row.
#pragma once

#include <algorithm>
#include <cstddef>

namespace assay {

struct ChrfFormula {
  std::size_t orders = 6;
  double beta = 2;
  bool eps_smoothing = false;  // averages the F-scores of all orders instead, as chrF++.py, NLTK and Moses do

  std::size_t columns() const { return 3 * orders; }

  template <class T>
  double score(const T* row) const {
    const double weight = beta * beta;
    double precision = 0, recall = 0, f_scores = 0, both = 0;
    for (std::size_t n = 0; n < orders; ++n, row += 3) {  // order by order, so that sums round as sacreBLEU's do
      const auto output = static_cast<double>(row[0]), reference = static_cast<double>(row[1]), match = static_cast<double>(row[2]);
      const double p = output > 0 ? match / output : kEpsilon, r = reference > 0 ? match / reference : kEpsilon;
      const double denominator = weight * p + r;
      f_scores += denominator > 0 ? (1 + weight) * p * r / denominator : kEpsilon;
      if (output > 0 && reference > 0) precision += p, recall += r, ++both;
    }
    if (eps_smoothing) return std::min(100 * f_scores / static_cast<double>(orders), 100.0);
    precision /= std::max(both, 1.0), recall /= std::max(both, 1.0);
    if (!(precision + recall > 0)) return 0.0;
    return std::min(100 * ((1 + weight) * precision * recall / (weight * precision + recall)), 100.0);
  }

 private:
  static constexpr double kEpsilon = 1e-16;
};

}  // namespace assay
