// The similarity of two tokens, following the definition.
#pragma once

#include <cmath>
#include <cstdint>

#include "assay/cosines.hpp"

namespace assay::reference {

inline double product(const VectorTable& vectors, std::int32_t a, std::int32_t b) {
  const auto at = [&](std::int32_t row, std::size_t d) {
    const std::size_t cell = static_cast<std::size_t>(row) * vectors.dimension + d;
    return vectors.single_precision != nullptr ? static_cast<double>(vectors.single_precision[cell])
                                               : vectors.double_precision[cell];
  };
  double sum = 0;
  for (std::size_t d = 0; d < vectors.dimension; ++d) sum += at(a, d) * at(b, d);
  return sum;
}

// 0 if a token has no vector; 1 for equal tokens if the rule says so.
inline double similarity(const VectorTable& vectors, EqualTokens rule, std::int32_t a, std::int32_t b) {
  const double lengths = std::sqrt(product(vectors, a, a)) * std::sqrt(product(vectors, b, b));
  const bool are_equal = vectors.forms[a] == vectors.forms[b];
  if (are_equal && (rule == EqualTokens::kAll || (rule == EqualTokens::kWithoutVector && lengths == 0))) return 1;
  return lengths == 0 ? 0 : product(vectors, a, b) / lengths;
}

}  // namespace assay::reference
