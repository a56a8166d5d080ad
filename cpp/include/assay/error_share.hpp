// Errors as a share of a length, at most 1: how CharacTER and EED score sums of their statistics.
//
// A row is [errors, length]. Cost: O(1).
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>

namespace assay {

inline constexpr std::size_t kErrorShareColumns = 2;

struct ErrorShare {
  double highest = 1;  // infinity: without a limit

  std::size_t columns() const { return kErrorShareColumns; }

  // Where there is no length, 1 if there are errors, and otherwise NaN.
  template <class T>
  double score(const T* row) const {
    const auto errors = static_cast<double>(row[0]), length = static_cast<double>(row[1]);
    if (length == 0) return errors > 0 ? 1.0 : std::numeric_limits<double>::quiet_NaN();
    return std::min(highest, errors / length);
  }

  // Keeps the better of two rows, the first one if their shares are equal. Before the first row, `best` is null.
  static bool is_better(const double* row, const double* best) {
    constexpr ErrorShare unlimited{std::numeric_limits<double>::infinity()};
    return unlimited.score(row) < unlimited.score(best);
  }
};

}  // namespace assay
