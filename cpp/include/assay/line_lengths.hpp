// How well the lengths of lines fit those of another column, window by window: in a translation, long lines face long lines.
//
// A length counts as log(characters + offset), so that short lines count less. Windows cover all lines; the last two may overlap.
// Cost: O(lines), and O(width) memory.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

namespace assay {

class LengthCorrelations {
 public:
  // A window needs `min_lines` lines with a text on both sides.
  LengthCorrelations(std::size_t width, double offset, std::size_t min_lines) : offset_(offset), min_lines_(min_lines), window_(width) {}

  // The lengths of the next line in characters; NaN: no text.
  void add(double output, double reference) {
    window_[lines_++ % window_.size()] = {std::log(output + offset_), std::log(reference + offset_)};
    if (lines_ % window_.size() == 0) correlations_.push_back(correlation());
  }

  // Pearson's correlation in each window: 0 where all lengths of the first column are equal, NaN where there is nothing to compare.
  std::vector<double> finish() && {
    if (lines_ % window_.size() != 0) correlations_.push_back(correlation());  // of the last lines, or of all if they are few
    return std::move(correlations_);
  }

 private:
  using Pair = std::pair<double, double>;

  double correlation() const {
    constexpr double kEpsilon = 1e-9;
    std::vector<Pair> lines;
    std::copy_if(window_.begin(), window_.begin() + static_cast<std::ptrdiff_t>(std::min(lines_, window_.size())), std::back_inserter(lines),
                 [](const Pair& line) { return !std::isnan(line.first) && !std::isnan(line.second); });
    double x = 0, y = 0, xx = 0, yy = 0, xy = 0, widest = 0;
    const auto n = static_cast<double>(std::max<std::size_t>(lines.size(), 1));
    for (const auto& [output, reference] : lines) x += output / n, y += reference / n;
    for (const auto& [output, reference] : lines) {
      const double dx = output - x, dy = reference - y;
      xx += dx * dx, yy += dy * dy, xy += dx * dy, widest = std::max(widest, std::abs(dy));
    }
    const bool is_comparable = widest > kEpsilon && lines.size() >= min_lines_;
    return is_comparable ? xy / std::max(std::sqrt(xx * yy), kEpsilon) : std::numeric_limits<double>::quiet_NaN();
  }

  double offset_;
  std::size_t min_lines_;
  std::vector<Pair> window_;  // the latest lines
  std::size_t lines_ = 0;
  std::vector<double> correlations_;
};

}  // namespace assay
