// Counts n-grams in a map, and clips matches following the definition of BLEU.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

namespace assay::reference {

template <class Unit>
using NgramCounts = std::map<std::vector<Unit>, std::int64_t>;

template <class Unit>
NgramCounts<Unit> count_ngrams(const std::vector<Unit>& sequence, std::size_t order) {
  NgramCounts<Unit> counts;
  for (std::size_t i = 0; i + order <= sequence.size(); ++i)
    ++counts[{sequence.begin() + static_cast<std::ptrdiff_t>(i),
              sequence.begin() + static_cast<std::ptrdiff_t>(i + order)}];
  return counts;
}

template <class Unit>
std::int64_t total(const NgramCounts<Unit>& counts) {
  std::int64_t sum = 0;
  for (const auto& [ngram, count] : counts) sum += count;
  return sum;
}

// An n-gram of the output counts as often as it occurs, but at most as often as in the reference that contains it most often.
template <class Unit>
std::int64_t clipped_matches(const NgramCounts<Unit>& output, const std::vector<NgramCounts<Unit>>& references) {
  std::int64_t matches = 0;
  for (const auto& [ngram, count] : output) {
    std::int64_t limit = 0;
    for (const auto& reference : references) {
      const auto known = reference.find(ngram);
      if (known != reference.end()) limit = std::max(limit, known->second);
    }
    matches += std::min(count, limit);
  }
  return matches;
}

}  // namespace assay::reference
