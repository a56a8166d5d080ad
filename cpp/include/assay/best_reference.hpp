// The statistics of the reference that scores highest, for metrics that compare an output with one reference at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "assay/column.hpp"

namespace assay {

// For each cell the row of its best reference, the first one in a tie; of those that have a text. `tables` is (reference, system,
// segment, column), for segments from `first` on; they are written to `out` (system, all segments, column).
template <class Formula>
void choose_references(const std::vector<Column>& references, const std::int64_t* tables, std::size_t systems, std::size_t first,
                       std::size_t segments, std::size_t all, const Formula& formula, std::int64_t* out) {
  const std::size_t columns = formula.columns();
  for (std::size_t s = 0; s < systems; ++s) {
    for (std::size_t i = 0; i < segments; ++i) {
      const std::int64_t* best = tables + (s * segments + i) * columns;
      double highest = -1;
      for (std::size_t r = 0; r < references.size(); ++r) {
        if (!references[r].present(i)) continue;
        const std::int64_t* const row = tables + ((r * systems + s) * segments + i) * columns;
        const double score = formula.score(row);
        if (score > highest) highest = score, best = row;
      }
      std::copy_n(best, columns, out + (s * all + first + i) * columns);
    }
  }
}

}  // namespace assay
