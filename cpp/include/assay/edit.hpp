// Bit-parallel edit distance (Myers 1999, in the form of Hyyrö 2003), 64 cells of a row at a time.
//
// Neighbouring cells of the table D differ by at most 1, so a row (all prefixes of the reference against one prefix of
// the output) is two bit vectors: where D rises and where it falls from one reference position to the next. For the
// next output word, a dozen operations per 64 cells compute the next row. Every edit distance uses `advance`: WER and CER
// on whole rows, TER on rows that it stores and returns to (ter.hpp).
// Cost: O(output x reference / 64).
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "assay/shift_and.hpp"
#include "assay/text.hpp"

namespace assay {

// 64 cells of a row: bit b of `rises` (`falls`) says that D is one more (one less) there than at the previous position.
struct Deltas {
  std::uint64_t rises = ~std::uint64_t{0}, falls = 0;  // the first row: D = 0, 1, 2, ...

  bool operator==(const Deltas&) const = default;
};

// How D changes from this row to the next after 64 cells: the carry into the following 64 cells.
struct Carry {
  std::uint64_t rises = 1, falls = 0;  // before the first position, every output word costs one deletion
};

// Computes the next row, given the positions of the new output word in the reference. Returns the cells that are no larger
// than their diagonal neighbour (Hyyrö's D0).
inline std::uint64_t advance(Deltas& row, std::uint64_t equal, Carry& carry) {
  const std::uint64_t seen = equal | carry.falls;
  const std::uint64_t kept = (((seen & row.rises) + row.rises) ^ row.rises) | seen | row.falls;
  const std::uint64_t up = row.falls | ~(kept | row.rises), down = kept & row.rises;
  const std::uint64_t rises = up << 1 | carry.rises, falls = down << 1 | carry.falls;
  row.rises = falls | ~(kept | rises);
  row.falls = rises & kept;
  carry = {up >> 63, down >> 63};
  return kept;
}

inline std::int64_t sum(const Deltas& row, std::uint64_t cells) {
  return std::popcount(row.rises & cells) - std::popcount(row.falls & cells);
}

// The lowest `count` of 64 bits, for any count.
inline std::uint64_t lowest(std::int64_t count) {
  return count <= 0 ? 0 : count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

// The positions of each symbol in a reference: bit p % 64 of word p / 64.
class Positions {
 public:
  // `symbols` is one more than the largest symbol. Symbol 0 does not occur in references, so it has no positions.
  void assign(std::span<const Symbol> reference, std::size_t symbols) {
    length_ = reference.size();
    words_ = (length_ + 63) / 64;
    std::uint64_t* const masks = masks_.reserve(symbols * stride());
    std::fill_n(masks, symbols * stride(), 0);
    for (std::size_t p = 0; p < length_; ++p) masks[reference[p] * stride() + p / 64] |= std::uint64_t{1} << (p % 64);
  }

  std::size_t length() const { return length_; }
  std::size_t words() const { return words_; }
  const std::uint64_t* of(Symbol symbol) const { return masks_.data() + symbol * stride(); }

  // The 64 positions starting at `first`.
  std::uint64_t window(Symbol symbol, std::size_t first) const {
    const std::uint64_t* const masks = of(symbol) + first / 64;
    const int shift = static_cast<int>(first % 64);
    return shift == 0 ? masks[0] : masks[0] >> shift | masks[1] << (64 - shift);
  }

 private:
  std::size_t stride() const { return words_ + 1; }  // with a word of zeros after the last

  Buffer<std::uint64_t> masks_;
  std::size_t length_ = 0, words_ = 0;
};

// Levenshtein distance: the minimum number of insertions, deletions and substitutions.
class EditDistance {
 public:
  std::int64_t operator()(const Positions& reference, std::span<const Symbol> output) {
    if (reference.words() <= 1) return short_reference(reference, output);
    rows_.assign(reference.words(), Deltas{});
    for (const Symbol symbol : output) {
      const std::uint64_t* const equal = reference.of(symbol);
      Carry carry;
      for (std::size_t w = 0; w < rows_.size(); ++w) advance(rows_[w], equal[w], carry);
    }
    auto distance = static_cast<std::int64_t>(output.size());
    for (std::size_t w = 0; w < rows_.size(); ++w)
      distance += sum(rows_[w], lowest(static_cast<std::int64_t>(reference.length() - w * 64)));
    return distance;
  }

 private:
  static std::int64_t short_reference(const Positions& reference, std::span<const Symbol> output) {
    Deltas row;
    for (const Symbol symbol : output) {
      Carry carry;
      advance(row, *reference.of(symbol), carry);
    }
    return static_cast<std::int64_t>(output.size()) + sum(row, lowest(static_cast<std::int64_t>(reference.length())));
  }

  std::vector<Deltas> rows_;
};

// Number of words that two sequences have in common, counting repetitions. `symbols` is one more than the largest symbol.
class WordsInCommon {
 public:
  std::size_t operator()(std::span<const Symbol> reference, std::span<const Symbol> output, std::size_t symbols) {
    left_.assign(symbols, 0);
    for (const Symbol symbol : reference) ++left_[symbol];
    std::size_t common = 0;
    for (const Symbol symbol : output) {
      const std::uint32_t has = left_[symbol] > 0;
      common += has;
      left_[symbol] -= has;
    }
    return common;
  }

 private:
  std::vector<std::uint32_t> left_;
};

}  // namespace assay
