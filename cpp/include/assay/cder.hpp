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
  std::int64_t operator()(Positions& output, std::span<const Symbol> reference, Effort& effort) {
    const std::size_t words = output.length() / 64 + 1;  // one more gap than words
    if (words == 1) return short_output(output, reference);
    effort.plan(static_cast<std::int64_t>(reference.size() * words));
    cheapest_.assign(words, 0);
    next_.resize(words);
    cheapest_[0] = 1;
    std::int64_t minimum = 0;
    for (const Symbol symbol : reference) {
      const std::uint64_t* const equal = output.of(symbol, 0, 0, words - 1);
      if (!match(equal, cheapest_.data(), next_.data(), words)) {
        ++minimum;
        jump(equal, cheapest_.data(), next_.data(), words);
      }
      cheapest_.swap(next_);
      effort.spend(static_cast<std::int64_t>(words));
    }
    const bool ends_cheapest = cheapest_[output.length() / 64] >> (output.length() % 64) & 1;
    return minimum + !ends_cheapest;
  }

 private:
  static std::int64_t short_output(const Positions& output, std::span<const Symbol> reference) {
    std::uint64_t cheapest = 1;
    std::int64_t minimum = 0;
    for (const Symbol symbol : reference) {
      const std::uint64_t equal = output.word(symbol), matched = (equal & cheapest) << 1;
      minimum += matched == 0;
      cheapest = matched != 0 ? matched : cheapest | (cheapest | equal) << 1;
    }
    return minimum + !(cheapest >> output.length() & 1);
  }

  // Loops in which no word depends on the one before, so that compilers vectorise them.
  static bool match(const std::uint64_t* equal, const std::uint64_t* cheapest, std::uint64_t* next, std::size_t words) {
    std::uint64_t any = next[0] = (equal[0] & cheapest[0]) << 1;
    for (std::size_t w = 1; w < words; ++w)
      any |= next[w] = (equal[w] & cheapest[w]) << 1 | (equal[w - 1] & cheapest[w - 1]) >> 63;
    return any != 0;
  }

  static void jump(const std::uint64_t* equal, const std::uint64_t* cheapest, std::uint64_t* next, std::size_t words) {
    next[0] = cheapest[0] | (cheapest[0] | equal[0]) << 1;
    for (std::size_t w = 1; w < words; ++w)
      next[w] = cheapest[w] | (cheapest[w] | equal[w]) << 1 | (cheapest[w - 1] | equal[w - 1]) >> 63;
  }

  std::vector<std::uint64_t> cheapest_, next_;
};

}  // namespace assay
