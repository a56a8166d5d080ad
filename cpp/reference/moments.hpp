// Sums of squares and products of deviations in extended precision, following the definition.
#pragma once

#include <vector>

#include "assay/moments.hpp"

namespace assay::reference {

// Unscaled; for numbers whose squares are within range.
inline CoMoments co_moments(const std::vector<double>& x, const std::vector<double>& y) {
  const auto mean = [](const std::vector<double>& values) {
    long double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<long double>(values.size());
  };
  const long double mean_x = mean(x), mean_y = mean(y);
  long double xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    yy += (y[i] - mean_y) * (y[i] - mean_y);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  return {static_cast<double>(xx), static_cast<double>(yy), static_cast<double>(xy), 0, 0};
}

}  // namespace assay::reference
