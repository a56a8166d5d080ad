// The word alignment of LEPOR (Han, Wong & Chao 2012, section 2): how many words of an output are aligned with words of the
// reference, and how far their relative positions differ.
//
// Words are aligned with equal words. A pair is preferred if words near it are equal, too (its context), and then the nearest
// one. `strict` follows this description. `perl` does what the authors' programs do, which differ from it: they count aligned
// words apart from the positions, treat a position as used if its digits are a prefix of those of a used position, confirm any word in the
// middle of the output at its first equal position, use a position several times, and forget which ones were confirmed. Since
// 2017 they also ignore the order of outputs that have the words of the reference (`perl`, but not `perl-2013`).
// Cost: O(length); for `strict`, O(places between a word and the one that it is aligned with), at most O(length x repetitions of a
// word).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "assay/column.hpp"
#include "assay/edit.hpp"
#include "assay/effort.hpp"
#include "assay/ngrams.hpp"
#include "assay/segment.hpp"
#include "assay/too_long.hpp"

namespace assay {

enum class LeporAlignment { perl, perl_2013, strict };

inline LeporAlignment lepor_alignment_named(std::string_view name) {
  if (name == "perl") return LeporAlignment::perl;
  if (name == "perl-2013") return LeporAlignment::perl_2013;
  if (name == "strict") return LeporAlignment::strict;
  throw std::invalid_argument("unknown LEPOR alignment: '" + std::string(name) + "'");
}

// [output length, reference length, aligned words, position difference], of which the aligner knows all, and n-grams in common
// with the reference of each order from 2 on.
inline constexpr std::size_t kAlignmentColumns = 4;
inline std::size_t lepor_columns(int max_order) { return kAlignmentColumns + static_cast<std::size_t>(max_order - 1); }

class LeporAligner {
 public:
  // `max_work` is the limit for one output and one reference (effort.hpp).
  explicit LeporAligner(LeporAlignment alignment, std::int64_t max_work = Effort::kUnlimited)
      : alignment_(alignment), effort_(max_work) {}

  // `symbols` is one more than the largest symbol. The reference must outlive the calls with outputs.
  void assign(std::span<const Symbol> reference, std::size_t symbols) {
    reference_ = reference;
    symbols_ = symbols;
    occurrences_.assign(reference, symbols);
  }

  // Symbol 0 stands for any word that is not in the reference.
  void operator()(std::span<const Symbol> output, double* row) {
    output_ = output;
    effort_.start();
    position_.assign(output.size(), kNone);
    const std::size_t aligned = alignment_ == LeporAlignment::strict ? align() : align_as_perl();
    const bool has_same_words = aligned == output.size() && aligned == reference_.size();
    row[0] = static_cast<double>(output.size());
    row[1] = static_cast<double>(reference_.size());
    row[2] = static_cast<double>(aligned);
    row[3] = has_same_words && alignment_ == LeporAlignment::perl ? 0.0 : position_difference();
  }

 private:
  using Offsets = std::span<const std::ptrdiff_t>;
  static constexpr std::size_t kNone = ~std::size_t{0};
  static constexpr std::array<std::ptrdiff_t, 2> kBefore{-1, -2}, kAfter{1, 2};
  static constexpr std::array<std::ptrdiff_t, 4> kAround{-2, -1, 1, 2};

  // The mean over output words of the distance between relative positions (equations 3 and 4).
  double position_difference() const {
    const auto ours = static_cast<double>(output_.size()), theirs = static_cast<double>(reference_.size());
    double sum = 0;
    for (std::size_t j = 0; j < output_.size(); ++j)
      if (position_[j] != kNone)
        sum += std::abs(static_cast<double>(j + 1) / ours - static_cast<double>(position_[j] + 1) / theirs);
    return output_.empty() ? 0.0 : sum / ours;
  }

  // Words with equal context first, then all others, each with the nearest position that is free.
  std::size_t align() {
    is_used_.assign(reference_.size(), 0);
    for (const bool needs_context : {true, false}) {
      for (std::size_t j = 0; j < output_.size(); ++j) {
        if (position_[j] != kNone) continue;
        position_[j] = nearest(j, [&](std::size_t k) { return !is_used_[k] && (!needs_context || has_context(j, k)); });
        if (position_[j] != kNone) is_used_[position_[j]] = 1;
      }
    }
    return output_.size() - static_cast<std::size_t>(std::count(position_.begin(), position_.end(), kNone));
  }

  bool has_context(std::size_t j, std::size_t k) const {
    return any_equal(kAround, kAround, [&](std::ptrdiff_t a, std::ptrdiff_t b) {
      const std::size_t ours = j + static_cast<std::size_t>(a), theirs = k + static_cast<std::size_t>(b);
      return ours < output_.size() && theirs < reference_.size() && output_[ours] == reference_[theirs];
    });
  }

  std::size_t align_as_perl() {
    confirm();
    mark_confirmed();
    for (const std::size_t j : unconfirmed_) {
      const std::size_t k = nearest(j, [&](std::size_t place) { return !is_used_[place]; });
      position_[j] = k == kNone ? 0 : k;
    }
    return count_as_perl();
  }

  // The first equal position with an equal word near it, where the word itself is near, unless it is one of the first or last.
  void confirm() {
    unconfirmed_.clear();
    for (std::size_t j = 0; j < output_.size(); ++j) {
      const auto places = occurrences_.of(output_[j]);
      const bool is_last = j + 2 >= output_.size();
      const auto place = std::find_if(places.begin(), places.end(), [&](std::size_t k) {
        return j == 0 ? has_context_as_perl(j, k, kAfter) : !is_last || has_context_as_perl(j, k, kBefore);
      });
      if (place != places.end()) position_[j] = *place;
      else if (!places.empty()) unconfirmed_.push_back(j);
    }
  }

  bool has_context_as_perl(std::size_t j, std::size_t k, Offsets offsets) const {
    return any_equal(offsets, offsets, [&](std::ptrdiff_t a, std::ptrdiff_t b) {
      const std::int64_t ours = perl_element(output_, static_cast<std::ptrdiff_t>(j) + a);
      const std::int64_t theirs = perl_element(reference_, static_cast<std::ptrdiff_t>(k) + b);
      return ours == theirs;
    });
  }

  // Negative indices count from the end. Beyond the ends there are empty strings, which are equal.
  static std::int64_t perl_element(std::span<const Symbol> words, std::ptrdiff_t index) {
    const auto length = static_cast<std::ptrdiff_t>(words.size());
    if (index < 0) index += length;
    return index < 0 || index >= length ? -1 : words[static_cast<std::size_t>(index)];
  }

  // A position stays confirmed until a later word of the output scans past it: up to its own position, or all positions.
  void mark_confirmed() {
    is_used_.assign(reference_.size(), 0);
    std::size_t scanned = 0;
    for (std::size_t j = output_.size(); j-- > 0 && position_[j] != kNone;) {
      if (position_[j] < scanned) continue;
      is_used_[position_[j]] = 1;
      scanned = position_[j];
    }
  }

  // A used position u also makes the positions unusable whose decimal digits are a prefix of those of u: /^$k/ matches them.
  std::size_t count_as_perl() {
    is_used_.assign(reference_.size(), 0);
    next_.assign(symbols_, 0);
    std::size_t aligned = 0;
    for (const Symbol symbol : output_) {
      const auto places = occurrences_.of(symbol);
      std::size_t& next = next_[symbol];
      while (next < places.size() && is_used_[places[next]]) ++next;
      if (next == places.size()) continue;
      ++aligned;
      is_used_[places[next]] = 1;
      for (std::size_t prefix = places[next] / 10; prefix > 0; prefix /= 10) is_used_[prefix] = 1;
    }
    return aligned;
  }

  // The position of the same word that is nearest to that of output word j and suits; the first of two.
  template <class Suits>
  std::size_t nearest(std::size_t j, Suits suits) {
    const auto places = occurrences_.of(output_[j]);
    auto after = std::lower_bound(places.begin(), places.end(), j), before = after;  // the next one is before `before`
    std::size_t found = kNone;
    std::int64_t work = 0;
    while (found == kNone && (before != places.begin() || after != places.end())) {
      const bool is_before = after == places.end() || (before != places.begin() && j - before[-1] <= *after - j);
      const std::size_t k = is_before ? *--before : *after++;
      if (suits(k)) found = k;
      work += kPlaceWork;
    }
    effort_.plan(work);
    effort_.spend(work);
    return found;
  }

  template <class Equal>
  static bool any_equal(Offsets ours, Offsets theirs, Equal equal) {
    return std::any_of(ours.begin(), ours.end(), [&](std::ptrdiff_t a) {
      return std::any_of(theirs.begin(), theirs.end(), [&](std::ptrdiff_t b) { return equal(a, b); });
    });
  }

  static constexpr std::int64_t kPlaceWork = 4;

  LeporAlignment alignment_;
  std::span<const Symbol> reference_, output_;
  std::size_t symbols_ = 0;
  Occurrences occurrences_;
  std::vector<std::size_t> position_;  // in the reference, by output word
  std::vector<std::size_t> unconfirmed_, next_;
  std::vector<char> is_used_;
  Effort effort_;
};

template <class Char>
class LeporSegment {
 public:
  LeporSegment(const Tokenizer& tokenizer, LeporAlignment alignment, int max_order, std::int64_t max_work)
      : tokenizer_(tokenizer), max_order_(max_order), align_(alignment, max_work), reference_(1) {}

  // Fills rows[r * systems + s].
  void operator()(const std::vector<Column>& references, const std::vector<Column>& outputs, std::size_t segment,
                  const std::vector<double*>& rows) {
    if (!texts_.read(references, outputs, segment, tokenizer_)) return;
    auto symbols = texts_.references().begin();
    for (std::size_t r = 0; r < references.size(); ++r) {
      if (!references[r][segment].present()) continue;
      const std::vector<Symbol>& reference = *symbols++;
      align_.assign(reference, texts_.symbols());
      if (max_order_ > 1) match_ngrams(reference);
      for (std::size_t s = 0; s < outputs.size(); ++s) {
        if (!outputs[s][segment].present()) continue;
        double* const row = rows[r * outputs.size() + s];
        try {
          align_(texts_.outputs()[s], row);
        } catch (const TooMuchWork&) {
          throw TooLong(r, s, segment, reference.size(), texts_.outputs()[s].size());
        }
        for (int n = 1; n < max_order_; ++n) row[kAlignmentColumns + static_cast<std::size_t>(n) - 1] = static_cast<double>(matches(s, n));
      }
    }
  }

 private:
  void match_ngrams(const std::vector<Symbol>& reference) {
    reference_[0] = reference;
    matches_.assign(texts_.outputs().size() * static_cast<std::size_t>(max_order_), 0);
    matcher_(reference_, texts_.outputs(), texts_.symbols(), max_order_, matches_.data());
  }

  // Of n-grams of n + 1 words.
  std::int64_t matches(std::size_t system, int n) const {
    return matches_[system * static_cast<std::size_t>(max_order_) + static_cast<std::size_t>(n)];
  }

  const Tokenizer& tokenizer_;
  int max_order_;
  SegmentSymbols<Char> texts_;
  LeporAligner align_;
  std::vector<std::vector<Symbol>> reference_;  // the only one that n-grams are matched with
  std::vector<std::int64_t> matches_;
  NgramMatcher matcher_;
};

// table: (reference, system, segment, column), zero on entry; rows stay zero where an output or the reference is absent.
inline void lepor_statistics(const std::vector<Column>& references, const std::vector<Column>& outputs, std::size_t segments,
                             const Tokenizer& tokenizer, LeporAlignment alignment, int max_order, std::int64_t max_work, int threads,
                             double* table) {
  segment_statistics<LeporSegment>(references, outputs, references.size() * outputs.size(), segments, lepor_columns(max_order),
                                   threads, table, tokenizer, alignment, max_order, max_work);
}

}  // namespace assay
