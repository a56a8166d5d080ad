// Edit distances cell by cell, following their definitions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

namespace assay::reference {

// Levenshtein's distance (Wagner & Fischer 1974).
template <class Unit>
std::int64_t edit_distance(const std::vector<Unit>& from, const std::vector<Unit>& to) {
  std::vector<std::int64_t> row(to.size() + 1), next(to.size() + 1);
  for (std::size_t j = 0; j <= to.size(); ++j) row[j] = static_cast<std::int64_t>(j);
  for (std::size_t i = 1; i <= from.size(); ++i) {
    next[0] = static_cast<std::int64_t>(i);
    for (std::size_t j = 1; j <= to.size(); ++j)
      next[j] = std::min({row[j - 1] + (from[i - 1] != to[j - 1]), row[j] + 1, next[j - 1] + 1});
    row.swap(next);
  }
  return row.back();
}

// CDER with jumps as in Moses: a row per reference word, a column per gap between output words.
template <class Unit>
std::int64_t cder(const std::vector<Unit>& output, const std::vector<Unit>& reference) {
  std::vector<std::int64_t> row(output.size() + 1, 1);
  row[0] = 0;
  for (const Unit& word : reference) {
    std::vector<std::int64_t> next(row.size());
    for (std::size_t i = 0; i < row.size(); ++i) {
      next[i] = row[i] + 1;
      if (i > 0) next[i] = std::min({next[i], next[i - 1] + 1, row[i - 1] + (output[i - 1] != word)});
    }
    const std::int64_t jump = 1 + *std::min_element(next.begin(), next.end());
    for (auto& cost : next) cost = std::min(cost, jump);
    row = next;
  }
  return row.back();
}

template <class Unit>
std::int64_t words_in_common(const std::vector<Unit>& output, const std::vector<Unit>& reference) {
  std::map<Unit, std::int64_t> ours, theirs;
  for (const Unit& word : output) ++ours[word];
  for (const Unit& word : reference) ++theirs[word];
  std::int64_t common = 0;
  for (const auto& [word, count] : ours) common += std::min(count, theirs[word]);
  return common;
}

}  // namespace assay::reference
