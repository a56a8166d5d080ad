// Which trigrams of lines are in the lines of another column: the core of the search for misaligned lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace assay {

// Trigrams in the order of their lines, given by the index of the line and by a hash below `buckets`.
struct LineTrigrams {
  std::span<const std::int64_t> lines, hashes;
};

// counts[l], zero on entry: how many trigrams of line l are in row rows[l] of a table (row, bucket) of flags. Repeated trigrams
// count every time. Cost: O(trigrams).
inline void count_trigrams(const LineTrigrams& trigrams, const bool* table, std::size_t buckets, const std::int64_t* rows,
                           std::int64_t* counts) {
  for (std::size_t k = 0; k < trigrams.lines.size(); ++k) {
    const auto line = static_cast<std::size_t>(trigrams.lines[k]);
    counts[line] += table[static_cast<std::size_t>(rows[line]) * buckets + static_cast<std::size_t>(trigrams.hashes[k])];
  }
}

}  // namespace assay
