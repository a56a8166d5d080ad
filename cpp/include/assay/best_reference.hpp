// The reference that scores highest, for metrics that compare an output with one reference at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "assay/column.hpp"

namespace assay {

// The row of the best reference, the first one in a tie, of those that have a text; the first row if none has. The rows, one for
// each reference, are `stride` apart.
template <class Formula>
const std::int64_t* best_row(const std::vector<Column>& references, std::size_t segment, const std::int64_t* rows, std::size_t stride,
                             const Formula& formula) {
  const std::int64_t* best = rows;
  double highest = -1;
  for (std::size_t r = 0; r < references.size(); ++r, rows += stride) {
    if (!references[r].present(segment)) continue;
    const double score = formula.score(rows);
    if (score > highest) highest = score, best = rows;
  }
  return best;
}

}  // namespace assay
