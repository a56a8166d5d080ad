// The word order that CharacTER (Wang et al. 2016) gives an output before it compares characters, as the authors' program and
// the package `cer` find it.
//
// A phrase of the output that also stands in the reference, at another position, may move to its position in the reference. Each
// round moves the phrase that lowers the word edit distance most; of several, the one after which the words come last in
// the order of strings. The rounds end when no move lowers the distance. The package keeps the distance as a share of the
// reference, and subtracts what a round gained; the rounding errors of that can start another round, so they are repeated here.
//
// Why this is fast, and why it is exact:
// - The rows of the current word order are stored (PlainRows in ter.hpp), and a move is computed from its first changed word on.
// - Moves do not change the set of words, so the distance cannot fall below the bag distance, max(lengths) - words in common:
//   most outputs need no round at all. A phrase of k words that moves over m words saves at most 2 min(k, m). Moves
//   that cannot win, or that could only tie with a better one, are not computed.
// Cost: O(moves x output x reference / 64) at most, and memory linear in the texts.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "assay/edit.hpp"
#include "assay/effort.hpp"
#include "assay/ter.hpp"

namespace assay {

enum class MoveRule { cer, exact };

inline MoveRule move_rule_named(std::string_view name) {
  if (name == "cer") return MoveRule::cer;
  if (name == "exact") return MoveRule::exact;
  throw std::invalid_argument("no rule for moves is called '" + std::string(name) + "'");
}

class ShiftedWords {
 public:
  explicit ShiftedWords(MoveRule rule) : rule_(rule) {}

  // `symbols` is one more than the largest symbol, also of the outputs.
  void assign(std::span<const Symbol> reference, std::size_t symbols) {
    reference_ = reference;
    positions_.assign(reference, symbols);
    has_rows_ = PlainRows::fits(reference.size());
    if (!has_rows_) places_.assign(reference, symbols);
    counts_.assign(symbols, 0);
    for (const Symbol word : reference) ++counts_[word];
  }

  // The words of an output in their new order. `is_less(a, b)` says whether word a comes before another word b.
  template <class Less>
  const std::vector<Symbol>& operator()(std::span<const Symbol> output, Less is_less, Effort& effort) {
    words_.assign(output.begin(), output.end());
    if (reference_.empty() || words_.empty()) return words_;
    if (has_rows_) rows_.start(positions_, words_.size());
    distance_ = has_rows_ ? rows_.keep(words_, 0) : distance(words_, effort);
    const auto length = static_cast<double>(reference_.size());
    const auto bag_distance = static_cast<std::int64_t>(std::max(reference_.size(), words_.size())) - words_in_common();
    double share = static_cast<double>(distance_) / length;
    for (;;) {
      best_ = distance_ - 1;
      if (rule_ == MoveRule::cer) {  // the largest distance whose share is below the current one
        while (share - static_cast<double>(best_ + 1) / length > 0) ++best_;
        while (best_ >= 0 && share - static_cast<double>(best_) / length <= 0) --best_;
      }
      if (best_ < bag_distance || !find_move(bag_distance, is_less, effort)) return words_;
      rotate(words_, move_);
      if (has_rows_) rows_.keep(words_, move_.from);
      distance_ = best_;
      share -= share - static_cast<double>(distance_) / length;
    }
  }

 private:
  // Counting repetitions.
  std::int64_t words_in_common() {
    std::int64_t common = 0;
    for (const Symbol word : words_) common += counts_[word]-- > 0;
    for (const Symbol word : words_) ++counts_[word];
    return common;
  }

  static void rotate(std::vector<Symbol>& words, const Rotation& move) {
    const auto at = [&](std::size_t i) { return words.begin() + static_cast<std::ptrdiff_t>(i); };
    std::rotate(at(move.from), at(move.middle), at(move.to));
  }

  // The best move to a distance of at most best_, which becomes the distance after it.
  template <class Less>
  bool find_move(std::int64_t bag_distance, Less is_less, Effort& effort) {
    found_ = false;
    for (std::size_t start = 0; start < words_.size(); ++start) {
      if (has_rows_) {
        for (std::uint64_t places = positions_.word(words_[start]); places != 0; places &= places - 1)
          try_phrase(start, static_cast<std::size_t>(std::countr_zero(places)), bag_distance, is_less, effort);
      } else {
        for (const std::uint32_t place : places_.of(words_[start])) try_phrase(start, place, bag_distance, is_less, effort);
      }
    }
    return found_;
  }

  // The longest phrase that begins at `start` in the output and at `place` in the reference.
  template <class Less>
  void try_phrase(std::size_t start, std::size_t place, std::int64_t bag_distance, Less is_less, Effort& effort) {
    if (start == place) return;
    const std::size_t most = std::min(words_.size() - start, reference_.size() - place);
    std::size_t length = 1;
    while (length < most && words_[start + length] == reference_[place + length]) ++length;
    const std::size_t target = std::min(place, words_.size() - length);
    const Rotation move = target < start ? Rotation{target, start, start + length} : Rotation{start, start + length, target + length};
    work(effort, static_cast<std::int64_t>(length + kMoveWork));
    const auto moved = static_cast<std::int64_t>(std::min(move.middle - move.from, move.to - move.middle));
    const std::int64_t bound = std::max(bag_distance, distance_ - 2 * moved);
    if (bound > best_ || (bound == best_ && found_ && !comes_later(move, is_less, effort))) return;
    const std::int64_t found = after(move, effort);
    if (found > best_ || (found == best_ && found_ && bound < best_ && !comes_later(move, is_less, effort))) return;
    best_ = found;
    move_ = move;
    found_ = true;
  }

  std::int64_t after(const Rotation& move, Effort& effort) {
    if (has_rows_) {
      work(effort, static_cast<std::int64_t>(words_.size() - move.from));
      return rows_.try_shift(words_, move, distance_);
    }
    moved_ = words_;
    rotate(moved_, move);
    return distance(moved_, effort);
  }

  std::int64_t distance(std::span<const Symbol> words, Effort& effort) {
    effort.plan(static_cast<std::int64_t>(words.size() * positions_.words()));
    return edit_distance_(positions_, words, effort);
  }

  static void work(Effort& effort, std::int64_t work) {
    effort.plan(work);
    effort.spend(work);
  }

  // Whether the words after a move come later in the order of strings than after the best one.
  template <class Less>
  bool comes_later(const Rotation& move, Less is_less, Effort& effort) const {
    for (std::size_t i = std::min(move.from, move_.from), end = std::max(move.to, move_.to); i < end; ++i) {
      const Symbol word = words_[source(move, i)], other = words_[source(move_, i)];
      if (word == other) continue;
      work(effort, static_cast<std::int64_t>(i));
      return is_less(other, word);
    }
    return false;
  }

  // Which word is at a position after a move.
  static std::size_t source(const Rotation& move, std::size_t i) {
    if (i < move.from || i >= move.to) return i;
    const std::size_t shift = move.middle - move.from, at = i + shift;
    return at < move.to ? at : at - (move.to - move.from);
  }

  static constexpr std::size_t kMoveWork = 8;

  MoveRule rule_;
  std::span<const Symbol> reference_;
  Positions positions_;
  bool has_rows_ = true;  // otherwise the reference is too long for them
  Occurrences places_;
  PlainRows rows_;
  EditDistance edit_distance_;
  std::vector<std::int32_t> counts_;  // in the reference, by word
  std::vector<Symbol> words_, moved_;
  std::int64_t distance_ = 0, best_ = 0;
  Rotation move_{};
  bool found_ = false;
};

}  // namespace assay
