// The percentile interval (Efron 1979) and the standard error of replicates: the scores of resamples.
//
// NaN is an undefined replicate and left out. Cost: O(replicates), with one copy.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace assay {

struct ReplicateSummary {
  std::size_t defined = 0;
  double low = std::numeric_limits<double>::quiet_NaN();
  double high = low;
  double error = low;
};

// By linear interpolation between the two nearest order statistics. The order of `values` changes.
inline double quantile(std::vector<double>& values, double share) {
  const double position = share * static_cast<double>(values.size() - 1);
  const auto below = values.begin() + static_cast<std::ptrdiff_t>(std::min(std::floor(position), static_cast<double>(values.size() - 1)));
  std::nth_element(values.begin(), below, values.end());
  const double low = *below, high = below + 1 == values.end() ? low : *std::min_element(below + 1, values.end());
  return low + (position - static_cast<double>(below - values.begin())) * (high - low);
}

// Bounds that cut off tails of equal size, and the standard deviation of at least two replicates.
inline ReplicateSummary summary_of(std::span<const double> replicates, double confidence) {
  std::vector<double> values;
  values.reserve(replicates.size());
  for (const double value : replicates)
    if (!std::isnan(value)) values.push_back(value);
  ReplicateSummary summary;
  summary.defined = values.size();
  if (values.empty()) return summary;
  double sum = 0, squares = 0;
  for (const double value : values) sum += value - values[0];  // so that equal values have no deviation at all
  const double mean = values[0] + sum / static_cast<double>(values.size());
  for (const double value : values) squares += (value - mean) * (value - mean);
  if (values.size() > 1) summary.error = std::sqrt(squares / static_cast<double>(values.size() - 1));
  const double tail = (1 - confidence) / 2;
  summary.low = quantile(values, tail);
  summary.high = quantile(values, 1 - tail);
  return summary;
}

}  // namespace assay
