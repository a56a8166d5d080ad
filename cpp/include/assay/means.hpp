// Means of segment scores: the table whose sums give them, and their standard deviation.
//
// NaN is no score: the row (0, 0) counts for nothing. Segments may come in parts: deviations are added up chunk by chunk
// (resample.hpp), so that they are the same bytes for any parts. Cost: O(segments).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "assay/resample.hpp"

namespace assay {

// Rows (score, 1), or (0, 0) where there is none.
inline void mean_table(const double* scores, std::size_t count, double* table) {
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_defined = !std::isnan(scores[i]);
    table[2 * i] = is_defined ? scores[i] : 0.0;
    table[2 * i + 1] = is_defined;
  }
}

// Count, mean and sum of squared deviations from the mean.
class Spread {
 public:
  // The scores of the next segments.
  void add(const double* scores, std::size_t count) {
    for (std::size_t first = 0; first < count;) {
      const std::size_t size = std::min(kChunk - chunk_.size(), count - first);
      chunk_.insert(chunk_.end(), scores + first, scores + first + size);
      first += size;
      if (chunk_.size() == kChunk) end_chunk();
    }
  }

  // No more segments come.
  void end() { end_chunk(); }

  std::size_t count() const { return static_cast<std::size_t>(count_); }

  // With n - 1 degrees of freedom; NaN for fewer than two scores.
  double deviation() const {
    return count_ > 1 ? std::sqrt(squares_ / (count_ - 1)) : std::numeric_limits<double>::quiet_NaN();
  }

 private:
  // The mean of the chunk is subtracted before its deviations are squared.
  void end_chunk() {
    double n = 0, sum = 0, squares = 0, first = 0;
    for (const double score : chunk_) {
      if (std::isnan(score)) continue;
      if (n++ == 0) first = score;
      sum += score - first;  // so that equal scores have no deviation at all
    }
    const double mean = n > 0 ? first + sum / n : 0;
    for (const double score : chunk_)
      if (!std::isnan(score)) squares += (score - mean) * (score - mean);
    chunk_.clear();
    if (n == 0) return;
    const double apart = mean - mean_, all = count_ + n;  // Chan, Golub and LeVeque 1979
    squares_ += squares + apart * apart * (count_ * n / all);
    mean_ += apart * (n / all);
    count_ = all;
  }

  std::vector<double> chunk_;  // the scores since the last whole chunk
  double count_ = 0, mean_ = 0, squares_ = 0;
};

}  // namespace assay
