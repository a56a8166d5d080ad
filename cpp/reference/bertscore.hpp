// BERTScore's precision, following the definition; recall is the precision of the reference.
#pragma once

#include <algorithm>
#include <limits>

#include "reference/cosines.hpp"

namespace assay::reference {

inline double bertscore_precision(Tokens x, const double* weights, Tokens y, const VectorTable& vectors) {
  double found = 0, total = 0;
  for (std::size_t i = 0; i < x.size() && !y.empty(); ++i) {
    double best = -1;
    for (const std::int32_t other : y) best = std::max(best, similarity(vectors, EqualTokens::kNone, x[i], other));
    found += weights[i] * best;
    total += weights[i];
  }
  return total > 0 ? found / total : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace assay::reference
