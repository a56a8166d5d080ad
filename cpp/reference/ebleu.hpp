// eBLEU's statistics, following equations 3-13 of the paper with all matrices in full.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "assay/ebleu.hpp"
#include "reference/cosines.hpp"

namespace assay::reference {

using Grid = std::vector<std::vector<double>>;

// S^n: (n-gram of x, n-gram of y)
inline Grid ngram_similarities(Tokens x, Tokens y, std::size_t n, const VectorTable& vectors, EqualTokens rule) {
  Grid grid;
  for (std::size_t i = 0; i + n <= x.size(); ++i) {
    grid.emplace_back();
    for (std::size_t j = 0; j + n <= y.size(); ++j) {
      double product = 1;
      for (std::size_t k = 0; k < n; ++k) product *= std::clamp(similarity(vectors, rule, x[i + k], y[j + k]), 0.0, 1.0);
      grid.back().push_back(std::pow(product, 1 / static_cast<double>(n)));
    }
  }
  return grid;
}

inline double sum(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

// sum over x of min(m_X, m_X|Y), and of m_X
inline std::pair<double, double> matched_meaning(Tokens x, Tokens y, std::size_t n, const VectorTable& vectors,
                                                 const EbleuOptions& options) {
  const Grid own = ngram_similarities(x, x, n, vectors, options.equal);
  const Grid to = ngram_similarities(x, y, n, vectors, options.equal), back = ngram_similarities(y, x, n, vectors, options.equal);
  double matched = 0, total = 0;
  for (std::size_t i = 0; i < own.size(); ++i) {
    const double meaning = options.is_diagonal ? own[i][i] : sum(own[i]);
    total += meaning;
    if (back.empty()) continue;
    std::vector<double> weights = to[i];
    if (options.is_softmax)
      for (double& weight : weights) weight = std::exp(weight / options.temperature);
    const double weight = sum(weights);
    double reconstructed = 0;
    for (std::size_t j = 0; j < back.size(); ++j) {
      const double spread = options.spreads_zero_rows ? 1 / static_cast<double>(back.size()) : 0;
      const double share = weight > 0 ? weights[j] / weight : spread;
      for (const double similarity : back[j]) reconstructed += share * similarity;
    }
    matched += std::min(meaning, reconstructed);
  }
  return {matched, total};
}

inline std::vector<double> ebleu_row(Tokens output, Tokens reference, const VectorTable& vectors,
                                     const EbleuOptions& options) {
  std::vector<double> row(kEbleuColumns);
  row[0] = static_cast<double>(output.size());
  row[1] = static_cast<double>(reference.size());
  for (std::size_t n = 0; n < kEbleuOrders; ++n) {
    const auto [precise, of_output] = matched_meaning(output, reference, n + 1, vectors, options);
    const auto [recalled, of_reference] = matched_meaning(reference, output, n + 1, vectors, options);
    row[2 + n] = precise;
    row[2 + kEbleuOrders + n] = of_output;
    row[2 + 2 * kEbleuOrders + n] = recalled;
    row[2 + 3 * kEbleuOrders + n] = of_reference;
  }
  return row;
}

}  // namespace assay::reference
