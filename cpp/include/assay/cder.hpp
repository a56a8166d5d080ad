// CDER (Leusch et al. 2006) as Moses computes it: an edit distance in which the output may be read in any order, with a
// cost of 1 per jump. Output words may be skipped.
//
// The table has a row per reference word and a cell per gap between output words: the cost of having read the reference up
// to that word and being at that gap. Because a jump to any gap costs 1, every cell of a row is the row's minimum or one
// more, so a row is one bit vector: the cells that cost the minimum. If the next reference word occurs at the output
// positions `equal`, the cells of the next row are
//   the cells after a match that starts at a cheapest cell, if there are any (the minimum stays the same), otherwise
//   all cheapest cells, their right neighbours and all cells after a match (the minimum grows by 1).
// Cost: O(reference x output / 64).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assay/edit.hpp"

namespace assay {

class Cder {
 public:
  // `positions` refers to the output.
  std::int64_t operator()(const Positions& output, std::span<const Symbol> reference) {
    const std::size_t words = output.length() / 64 + 1;  // one more gap than words
    cheapest_.assign(words, 0);
    matched_.resize(words);
    cheapest_[0] = 1;
    std::int64_t minimum = 0;
    for (const Symbol symbol : reference) {
      const std::uint64_t* const equal = output.of(symbol);
      std::uint64_t any = 0, equal_carry = 0, carry = 0;
      for (std::size_t w = 0; w < words; ++w) {
        const std::uint64_t behind = equal[w] << 1 | equal_carry, right = cheapest_[w] << 1 | carry;
        equal_carry = equal[w] >> 63;
        carry = cheapest_[w] >> 63;
        matched_[w] = behind & right;
        any |= matched_[w];
      }
      if (any != 0) {
        cheapest_.swap(matched_);
        continue;
      }
      ++minimum;
      equal_carry = carry = 0;
      for (std::size_t w = 0; w < words; ++w) {
        const std::uint64_t behind = equal[w] << 1 | equal_carry, right = cheapest_[w] << 1 | carry;
        equal_carry = equal[w] >> 63;
        carry = cheapest_[w] >> 63;
        cheapest_[w] |= right | behind;
      }
    }
    const bool ends_cheapest = cheapest_[output.length() / 64] >> (output.length() % 64) & 1;
    return minimum + !ends_cheapest;
  }

 private:
  std::vector<std::uint64_t> cheapest_, matched_;
};

}  // namespace assay
