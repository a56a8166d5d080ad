// Sequences of words that occur in a text, by the definition.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

namespace assay::reference {

using Words = std::vector<std::int32_t>;

// Finds one occurrence after the other, and removes the text up to its end.
inline std::int64_t occurrences_with_gaps(const Words& sequence, Words text) {
  for (std::int64_t count = 0;; ++count)
    for (const std::int32_t word : sequence) {
      const auto found = std::find(text.begin(), text.end(), word);
      if (found == text.end()) return count;
      text.erase(text.begin(), found + 1);
    }
}

inline std::int64_t occurrences_without_gaps(const Words& sequence, const Words& text) {
  std::int64_t count = 0;
  for (auto from = text.begin(); (from = std::search(from, text.end(), sequence.begin(), sequence.end())) != text.end(); ++from) ++count;
  return count;
}

inline std::int64_t sequence_matches(const std::vector<Words>& sequences, const Words& output, bool has_gaps) {
  std::map<Words, std::int64_t> counts;
  for (const Words& sequence : sequences) ++counts[sequence];
  std::int64_t matches = 0;
  for (const auto& [sequence, count] : counts)
    matches += std::min(count, has_gaps ? occurrences_with_gaps(sequence, output) : occurrences_without_gaps(sequence, output));
  return matches;
}

}  // namespace assay::reference
