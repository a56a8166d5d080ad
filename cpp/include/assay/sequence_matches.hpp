// Sequences of words that occur in outputs: the dependency structures of DEPREF. A sequence that a segment has several times
// matches as often as the output has it, too. With gaps, other words may be between its words, and its occurrences come one
// after the other; without, its words are neighbours, and occurrences may overlap, as those of n-grams do.
//
// Cost: O(sequences x output length).
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "assay/token_column.hpp"
#include "assay/too_long.hpp"

namespace assay {

// The most pairs of a sequence and a word of an output, which take some ten seconds.
inline constexpr std::size_t kMaxSequencePlaces = 10'000'000'000;

// Sequences of equal length.
struct Sequences {
  const std::int32_t* words;
  std::size_t length;
  const std::int64_t* starts;  // of the sequences of every segment, and the end of the last one

  Tokens operator[](std::size_t sequence) const { return {words + sequence * length, length}; }
};

inline std::int64_t occurrences_with_gaps(Tokens sequence, Tokens text) {
  std::int64_t count = 0;
  std::size_t next = 0;
  for (const std::int32_t word : text) {
    if (word != sequence[next] || ++next < sequence.size()) continue;
    ++count;
    next = 0;
  }
  return count;
}

inline std::int64_t occurrences_without_gaps(Tokens sequence, Tokens text) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i + sequence.size() <= text.size(); ++i)
    count += std::equal(sequence.begin(), sequence.end(), text.begin() + static_cast<std::ptrdiff_t>(i));
  return count;
}

// table: (system, segment), zero on entry: how many sequences of the segment match. A `TooLong` has the number of distinct
// sequences for the length of the reference, whose number is always 0.
inline void sequence_matches(const Sequences& sequences, const std::vector<TokenColumn>& outputs, std::size_t segments,
                             bool has_gaps, int threads, std::int64_t* table) {
  constexpr std::size_t kBlock = 16;
  const auto occurrences = has_gaps ? occurrences_with_gaps : occurrences_without_gaps;
  parallel_blocks(segments, kBlock, threads, [&] {
    return [&, order = std::vector<std::size_t>(), distinct = std::vector<std::pair<Tokens, std::int64_t>>()](
               std::size_t first, std::size_t last) mutable {
      for (std::size_t i = first; i < last; ++i) {
        order.clear();
        for (std::int64_t k = sequences.starts[i]; k < sequences.starts[i + 1]; ++k) order.push_back(static_cast<std::size_t>(k));
        std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return std::ranges::lexicographical_compare(sequences[a], sequences[b]); });
        distinct.clear();
        for (const std::size_t k : order) {
          if (distinct.empty() || !std::ranges::equal(distinct.back().first, sequences[k])) distinct.emplace_back(sequences[k], 0);
          ++distinct.back().second;
        }
        for (std::size_t s = 0; s < outputs.size(); ++s) {
          if (!outputs[s].present[i]) continue;
          if (distinct.size() * outputs[s].length(i) > kMaxSequencePlaces) throw TooLong(0, s, i, distinct.size(), outputs[s].length(i));
          for (const auto& [sequence, count] : distinct) {
            checkpoint(static_cast<std::int64_t>(outputs[s].length(i)));
            table[s * segments + i] += std::min(count, occurrences(sequence, outputs[s][i]));
          }
        }
      }
    };
  });
}

}  // namespace assay
