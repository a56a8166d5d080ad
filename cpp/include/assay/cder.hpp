// CDER (Leusch et al. 2006) as Moses computes it: edit distance in which the output may be read in any order, one unit
// for each jump. Not every output word need be read.
//
// Row by row over the reference, a cell for each gap of the output: cost of having read the reference so far and standing in
// that gap. Because a jump to any gap costs 1, all cells of a row are its minimum or one more, and a row is one bit
// vector: the cells that cost the minimum. The next reference word at positions `equal` of the output gives
//   the cells behind a match that follows a cheapest cell, if there is one (the minimum stays), else
//   all cheapest cells, their right neighbours and all cells behind a match (the minimum grows by 1).
// Cost: O(reference x output / 64).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assay/edit.hpp"

namespace assay {

class Cder {
 public:
  // `positions` are those of the output.
  std::int64_t operator()(const Positions& output, std::span<const Symbol> reference) {
    const std::size_t words = output.length() / 64 + 1;  // one gap more than there are words
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
