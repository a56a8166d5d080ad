// How well the lengths of lines fit those of another column, window by window: in a translation, long lines face long lines.
//
// A length counts as log(characters + offset), so that short lines count less. Windows cover the column; the last two may overlap.
// Cost: O(characters).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "assay/column.hpp"
#include "assay/interrupt.hpp"

namespace assay {

struct LengthWindows {
  std::size_t width;
  double offset;
  std::size_t min_lines;  // that have a text on both sides

  std::size_t count(std::size_t lines) const { return lines == 0 ? 0 : (lines + width - 1) / width; }
  std::size_t start(std::size_t window, std::size_t lines) const { return std::min(window * width, lines - std::min(width, lines)); }
};

// Pearson's correlation in each window: 0 where all lengths of the first column are equal, NaN where there is nothing to compare.
inline std::vector<double> length_correlations(const Column& output, const Column& reference, const LengthWindows& windows) {
  constexpr double kNothing = std::numeric_limits<double>::quiet_NaN(), kEpsilon = 1e-9;
  const std::size_t lines = output.size();
  std::vector<double> correlations, x, y;
  const auto log_length = [&](const Column& column, std::size_t i) {
    return std::log(static_cast<double>(length_of(column, i)) + windows.offset);
  };
  std::size_t dropped = 0;
  for (std::size_t w = 0; w < windows.count(lines); ++w) {
    const std::size_t first = windows.start(w, lines), last = std::min(lines, first + windows.width);
    x.clear(), y.clear();
    for (std::size_t i = first; i < last; ++i)
      if (output.present(i) && reference.present(i)) x.push_back(log_length(output, i)), y.push_back(log_length(reference, i));
    double mean_x = 0, mean_y = 0, xx = 0, yy = 0, xy = 0, widest = 0;
    for (std::size_t i = 0; i < x.size(); ++i) mean_x += x[i], mean_y += y[i];
    mean_x /= static_cast<double>(std::max<std::size_t>(x.size(), 1)), mean_y /= static_cast<double>(std::max<std::size_t>(x.size(), 1));
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double dx = x[i] - mean_x, dy = y[i] - mean_y;
      xx += dx * dx, yy += dy * dy, xy += dx * dy, widest = std::max(widest, std::abs(dy));
    }
    const bool is_comparable = widest > kEpsilon && x.size() >= windows.min_lines;
    correlations.push_back(is_comparable ? xy / std::max(std::sqrt(xx * yy), kEpsilon) : kNothing);
    if (first - dropped >= kTextBlock) {
      output.drop(dropped, first), reference.drop(dropped, first), checkpoint(static_cast<std::int64_t>(first - dropped) * 100);
      dropped = first;
    }
  }
  output.drop(dropped, lines), reference.drop(dropped, lines);
  return correlations;
}

}  // namespace assay
