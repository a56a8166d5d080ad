// Bit-parallel edit distance (Myers 1999, in the form of Hyyrö 2003), 64 cells of a row at a time.
//
// Neighbouring cells of the table D differ by at most 1, so a row (all prefixes of the reference against one prefix of
// the output) is two bit vectors: where D rises and where it falls from one reference position to the next. For the
// next output word, a dozen operations per 64 cells compute the next row. Every edit distance uses `advance`: WER and CER
// on whole rows or on a band of them, TER on rows that it stores and returns to (ter.hpp).
// Cost: O(output x distance / 64), and memory linear in the texts.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "assay/effort.hpp"
#include "assay/processor.hpp"
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

// The positions of each symbol in a sequence, in order.
class Occurrences {
 public:
  // `symbols` is one more than the largest symbol.
  void assign(std::span<const Symbol> sequence, std::size_t symbols) {
    starts_.assign(symbols + 1, 0);
    places_.resize(sequence.size());
    for (const Symbol symbol : sequence) ++starts_[symbol];
    for (std::size_t symbol = 0, total = 0; symbol <= symbols; ++symbol) starts_[symbol] = total += starts_[symbol];
    for (std::size_t p = sequence.size(); p-- > 0;) places_[--starts_[sequence[p]]] = static_cast<std::uint32_t>(p);
  }

  std::span<const std::uint32_t> of(Symbol symbol) const {
    return {places_.data() + starts_[symbol], starts_[symbol + 1] - starts_[symbol]};
  }

  // Those from `first` on and before `last`.
  std::span<const std::uint32_t> of(Symbol symbol, std::size_t first, std::size_t last) const {
    const auto all = of(symbol);
    const auto begin = std::lower_bound(all.begin(), all.end(), first), end = std::lower_bound(begin, all.end(), last);
    return {begin, end};
  }

 private:
  std::vector<std::size_t> starts_;  // by symbol
  std::vector<std::uint32_t> places_;
};

// The positions of each symbol in a reference as bit vectors: bit p % 64 of word p / 64.
//
// In a long reference with many different symbols, only symbols that occur more often than the reference has words keep a
// bit vector (there are at most 64 of them); the positions of others are a list, from which bits are made when needed. So
// the memory is linear in the reference.
class Positions {
 public:
  static constexpr std::size_t kSlots = 4;

  // `symbols` is one more than the largest symbol. Symbol 0 does not occur in references, so it has no positions.
  void assign(std::span<const Symbol> reference, std::size_t symbols) {
    length_ = reference.size();
    words_ = (length_ + 63) / 64;
    keeps_all_ = words_ <= 1 || symbols * stride() <= std::max(kFewWords, 4 * length_);
    if (!keeps_all_) return assign_sparse(reference, symbols);
    clear_masks(symbols);
    for (std::size_t p = 0; p < length_; ++p) set(&masks_[reference[p] * stride()], p);
  }

  std::size_t length() const { return length_; }
  std::size_t words() const { return words_; }

  // The first 64 positions, in a reference of up to 64 symbols.
  std::uint64_t word(Symbol symbol) const { return masks_[symbol * stride()]; }

  // The positions, of which only words `first` to `last` are read. Valid until the next call with the same slot.
  const std::uint64_t* of(Symbol symbol, std::size_t slot, std::size_t first, std::size_t last) {
    if (keeps_all_) return &masks_[symbol * stride()];
    if (row_of_[symbol] != 0) return &masks_[row_of_[symbol] * stride()];
    std::uint64_t* const bits = &masks_[(kFirstSlot + slot) * stride()];
    for (const std::uint32_t p : shown_[slot]) bits[p / 64] = 0;
    shown_[slot] = occurrences_.of(symbol, first * 64, (last + 1) * 64);
    for (const std::uint32_t p : shown_[slot]) set(bits, p);
    return bits;
  }

  // The 64 positions starting at `first`.
  std::uint64_t window(Symbol symbol, std::size_t first) const {
    if (!keeps_all_ && row_of_[symbol] == 0) return listed_window(symbol, first);
    const std::uint64_t* const masks = &masks_[(keeps_all_ ? symbol : row_of_[symbol]) * stride()] + first / 64;
    const int shift = static_cast<int>(first % 64);
    return shift == 0 ? masks[0] : masks[0] >> shift | masks[1] << (64 - shift);
  }

 private:
  static constexpr std::size_t kFewWords = std::size_t{1} << 16, kFirstSlot = 1;

  std::size_t stride() const { return words_ + 1; }  // with a word of zeros after the last

  static void set(std::uint64_t* masks, std::size_t p) { masks[p / 64] |= std::uint64_t{1} << (p % 64); }

  void clear_masks(std::size_t rows) { std::fill_n(masks_.reserve(rows * stride()), rows * stride(), 0); }

  // Row 0 stands for no row; then come the slots and the frequent symbols.
  void assign_sparse(std::span<const Symbol> reference, std::size_t symbols) {
    occurrences_.assign(reference, symbols);
    row_of_.assign(symbols, 0);
    std::uint32_t rows = kFirstSlot + kSlots;
    for (Symbol symbol = 0; symbol < symbols; ++symbol)
      if (occurrences_.of(symbol).size() > words_) row_of_[symbol] = rows++;
    clear_masks(rows);
    for (auto& shown : shown_) shown = {};
    for (Symbol symbol = 0; symbol < symbols; ++symbol)
      if (row_of_[symbol] != 0)
        for (const std::uint32_t p : occurrences_.of(symbol)) set(&masks_[row_of_[symbol] * stride()], p);
  }

  std::uint64_t listed_window(Symbol symbol, std::size_t first) const {
    std::uint64_t bits = 0;
    for (const std::uint32_t p : occurrences_.of(symbol, first, first + 64)) bits |= std::uint64_t{1} << (p - first);
    return bits;
  }

  Buffer<std::uint64_t> masks_;
  std::size_t length_ = 0, words_ = 0;
  bool keeps_all_ = true;
  Occurrences occurrences_;
  std::vector<std::uint32_t> row_of_;                     // by symbol; 0: it has a list only
  std::span<const std::uint32_t> shown_[kSlots];          // the positions that are set in a slot
};

// Levenshtein distance: the minimum number of insertions, deletions and substitutions.
//
// A path of cost k leaves the diagonal of the table by at most k cells, so a band of that width is enough if the distance
// is at most k (Ukkonen 1985). Outside the band, D is taken to rise by one per cell, which no path undercuts. For long
// references the band is widened until the distance fits into it.
class EditDistance {
 public:
  std::int64_t operator()(Positions& reference, std::span<const Symbol> output, Effort& effort) {
    if (reference.words() <= 1) return short_reference(reference, output);
    const auto theirs = static_cast<std::int64_t>(reference.length()), ours = static_cast<std::int64_t>(output.size());
    const std::int64_t all = std::max(theirs, ours), gap = std::abs(theirs - ours);
    if (reference.words() <= kFewWords) return whole(reference, output, effort);
    for (std::int64_t bound = gap + all / 64;; bound = gap + (bound - gap) * kWiden) {
      const std::int64_t distance = within(std::min(bound, all), reference, output, effort);
      if (distance <= bound) return distance;
      if (distance < gap + (bound - gap) * kWiden) return within(distance, reference, output, effort);
    }
  }

  // How D changes along the last row of the whole table. Both texts have at least one symbol. Valid until the next call.
  std::span<const Deltas> last_row(Positions& reference, std::span<const Symbol> output, Effort& effort) {
    rows_.assign(reference.words(), Deltas{});
    for (std::size_t i = 0; i < output.size(); i += kRows) {
      next_rows(reference, output.subspan(i, std::min(kRows, output.size() - i)), 0, rows_.size() - 1);
      effort.spend(static_cast<std::int64_t>(kRows * rows_.size()));
    }
    return rows_;
  }

 private:
  static constexpr std::size_t kFewWords = 16, kRows = Positions::kSlots;
  static constexpr std::int64_t kWiden = 8;

  static std::int64_t short_reference(const Positions& reference, std::span<const Symbol> output) {
    Deltas row;
    for (const Symbol symbol : output) {
      Carry carry;
      advance(row, reference.word(symbol), carry);
    }
    return static_cast<std::int64_t>(output.size()) + sum(row, lowest(static_cast<std::int64_t>(reference.length())));
  }

  // The distance from the whole table.
  std::int64_t whole(Positions& reference, std::span<const Symbol> output, Effort& effort) {
    last_row(reference, output, effort);
    return static_cast<std::int64_t>(output.size()) + sum_from(0, reference.length());
  }

  // How much D rises in the words of the last row from `first` on.
  std::int64_t sum_from(std::size_t first, std::size_t length) const {
    std::int64_t total = 0;
    for (; first < rows_.size(); ++first) total += sum(rows_[first], lowest(static_cast<std::int64_t>(length - first * 64)));
    return total;
  }

  // The distance if it is at most `bound`, which is no less than the difference of the lengths; otherwise an upper bound.
  std::int64_t within(std::int64_t bound, Positions& reference, std::span<const Symbol> output, Effort& effort) {
    const auto ours = static_cast<std::int64_t>(output.size()), gap = static_cast<std::int64_t>(reference.length()) - ours;
    const std::int64_t spare = (bound - std::abs(gap)) / 2, before = spare - std::min<std::int64_t>(gap, 0),
                       behind = spare + std::max<std::int64_t>(gap, 0);
    const std::int64_t words = static_cast<std::int64_t>(reference.words());
    effort.plan(ours * std::min(words, (before + behind) / 64 + 2));
    rows_.assign(reference.words(), Deltas{});
    std::int64_t above = 0;  // D before the band
    std::size_t first = 0;
    for (std::int64_t i = 0; i < ours; i += kRows) {
      const std::int64_t count = std::min<std::int64_t>(kRows, ours - i);
      const auto new_first = static_cast<std::size_t>(std::clamp<std::int64_t>((i - before) / 64, 0, words - 1));
      const auto last = static_cast<std::size_t>(std::min((i + count + behind) / 64, words - 1));
      for (; first < new_first; ++first) above += sum(rows_[first], ~std::uint64_t{0});
      next_rows(reference, output.subspan(static_cast<std::size_t>(i), static_cast<std::size_t>(count)), first, last);
      above += count;
      effort.spend(count * static_cast<std::int64_t>(last - first + 1));
    }
    return above + sum_from(first, reference.length());
  }

  // Several rows at a time: a word of one row and the next word of the row before do not depend on each other.
  void next_rows(Positions& reference, std::span<const Symbol> output, std::size_t first, std::size_t last) {
    const std::uint64_t* equal[kRows];
    for (std::size_t r = 0; r < output.size(); ++r) equal[r] = reference.of(output[r], r, first, last);
    if (output.size() < kRows) {
      for (std::size_t r = 0; r < output.size(); ++r) advance_rows<1>(equal + r, first, last);
      return;
    }
#ifdef ASSAY_HAS_AVX2_TARGET
    if (last - first >= kFewWords && has_avx2()) return advance_wave(equal, first, last + 1);
#endif
    advance_rows<kRows>(equal, first, last);
  }

  template <std::size_t Rows>
  void advance_rows(const std::uint64_t* const* equal, std::size_t first, std::size_t last) {
    Carry carry[Rows];
    for (std::size_t w = first; w <= last; ++w) {
      Deltas row = rows_[w];
      for (std::size_t r = 0; r < Rows; ++r) advance(row, equal[r][w], carry[r]);
      rows_[w] = row;
    }
  }

#ifdef ASSAY_HAS_AVX2_TARGET
  // Four rows in the lanes of a vector, each two words behind the row before it, so that no step waits for the one before.
  class Wave {
   public:
    // Advances lane r at word w - kLag * r. Lane 0 reads the row before; lane 3 returns the last of the four rows.
    [[gnu::always_inline]] Deltas step(const Deltas& before, std::uint64_t equal0, std::uint64_t equal1,
                                       std::uint64_t equal2, std::uint64_t equal3) {
      const Lanes equal = {equal0, equal1, equal2, equal3};
      const Lanes row_rises = {before.rises, older_rises_[0], older_rises_[1], older_rises_[2]};
      const Lanes row_falls = {before.falls, older_falls_[0], older_falls_[1], older_falls_[2]};
      older_rises_ = rises_;
      older_falls_ = falls_;
      const Lanes seen = equal | carry_falls_;
      const Lanes kept = (((seen & row_rises) + row_rises) ^ row_rises) | seen | row_falls;
      const Lanes up = row_falls | ~(kept | row_rises), down = kept & row_rises;
      const Lanes rises = up << 1 | carry_rises_, falls = down << 1 | carry_falls_;
      rises_ = falls | ~(kept | rises);
      falls_ = rises & kept;
      carry_rises_ = up >> 63;
      carry_falls_ = down >> 63;
      return {rises_[3], falls_[3]};
    }

    // A lane that has not reached the first word yet.
    [[gnu::always_inline]] void restart(std::size_t lane) {
      carry_rises_[lane] = 1;
      carry_falls_[lane] = 0;
    }

    static constexpr std::size_t kLag = 2;

   private:
    typedef std::uint64_t Lanes __attribute__((vector_size(32)));

    Lanes rises_{}, falls_{}, older_rises_{}, older_falls_{}, carry_rises_{1, 1, 1, 1}, carry_falls_{};
  };

  // Words [first, end), of which there are more than the lanes lag behind.
  [[gnu::target("avx2")]] void advance_wave(const std::uint64_t* const* equal, std::size_t first, std::size_t end) {
    constexpr std::size_t lag = Wave::kLag, behind = lag * (kRows - 1);
    Deltas* const rows = rows_.data();
    Wave wave;
    const auto at = [&](std::size_t r, std::size_t w) __attribute__((always_inline)) {
      return w >= first + lag * r && w < end + lag * r ? equal[r][w - lag * r] : 0;
    };
    std::size_t w = first;
    for (; w < first + behind; ++w) {
      wave.step(rows[w], at(0, w), at(1, w), at(2, w), at(3, w));
      for (std::size_t r = 1; r < kRows; ++r)
        if (w < first + lag * r) wave.restart(r);
    }
    for (; w < end; ++w)
      rows[w - behind] = wave.step(rows[w], equal[0][w], equal[1][w - lag], equal[2][w - 2 * lag], equal[3][w - 3 * lag]);
    for (; w < end + behind; ++w) rows[w - behind] = wave.step(Deltas{}, at(0, w), at(1, w), at(2, w), at(3, w));
  }
#endif

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
