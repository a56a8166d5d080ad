// Cuts an output without line breaks into the segments of a reference, with the fewest word edits (Matusov et al. 2005).
//
// Divide and conquer (Hirschberg 1975): the boundary of the reference nearest to the middle comes first. The cost of a cut
// is the distance of what is before it in both texts, plus that of what is after it: for all places of the output at once,
// the last rows of two tables (edit.hpp), one of the texts and one of the reversed texts. Then both sides are cut.
// With places where no cut is allowed, each cut is the best one for the texts around it, but their sum may not be the least.
// Cost: O(output x reference / 64), about twice; memory linear in the texts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "assay/edit.hpp"

namespace assay {

// Where a segment ends: the number of output words up to there.
struct Cut {
  std::int64_t end, first, last;  // of the places that are equally good, given the cuts around
  std::int64_t edits;             // of the segment

  bool operator==(const Cut&) const = default;
};

// What a cut after a word of the output would be.
enum class Place : std::uint8_t { forbidden, allowed, preferred };

class Cutter {
 public:
  // `starts` has the first word of each segment of the reference, and its length. Of equally good places (one after each word
  // of the output), the first that is preferred is chosen, such as after a sentence; the first of all if there is none.
  // `symbols` is one more than the largest symbol. The last cut is the end of the output.
  std::vector<Cut> operator()(std::span<const Symbol> reference, std::span<const std::int64_t> starts,
                              std::span<const Symbol> output, std::span<const Place> places, std::size_t symbols) {
    reference_ = reference, starts_ = starts, output_ = output, places_ = places;
    numbers_.assign(symbols, 0);
    const std::size_t segments = starts.size() - 1;
    cuts_.assign(segments, Cut{});
    if (segments == 0) return {};
    const auto all = static_cast<std::int64_t>(output.size());
    cuts_.back() = {all, all, all, 0};
    std::vector<Part> parts{{0, segments, 0, output.size()}};
    while (!parts.empty()) {
      const Part part = parts.back();
      parts.pop_back();
      if (part.last - part.first == 1) {
        cuts_[part.first].edits = distance(words_of(part), output_.subspan(part.begin, part.end - part.begin));
        continue;
      }
      const std::size_t boundary = middle(part), place = cut(part, boundary);
      parts.push_back({boundary, part.last, place, part.end});
      parts.push_back({part.first, boundary, part.begin, place});
    }
    return std::exchange(cuts_, {});
  }

 private:
  // Segments [first, last) of the reference, and the words of the output that are theirs.
  struct Part {
    std::size_t first, last, begin, end;
  };

  std::size_t start(std::size_t segment) const { return static_cast<std::size_t>(starts_[segment]); }

  std::span<const Symbol> words(std::size_t first, std::size_t last) const {
    return reference_.subspan(start(first), start(last) - start(first));
  }
  std::span<const Symbol> words_of(const Part& part) const { return words(part.first, part.last); }

  // The segment whose start is nearest to the middle of the part; of equally near ones, that in the middle of their number.
  std::size_t middle(const Part& part) const {
    const auto twice = starts_[part.first] + starts_[part.last];
    const auto far = [&](std::size_t segment) { return std::abs(2 * starts_[segment] - twice); };
    const auto inner = starts_.subspan(part.first + 1, part.last - part.first - 1);
    const auto above = static_cast<std::size_t>(
        std::lower_bound(inner.begin(), inner.end(), (twice + 1) / 2) - inner.begin()) + part.first + 1;
    const std::size_t nearest = above == part.last || (above > part.first + 1 && far(above - 1) <= far(above)) ? above - 1 : above;
    const auto equal = std::equal_range(inner.begin(), inner.end(), starts_[nearest]);
    return part.first + 1 + static_cast<std::size_t>((equal.first - inner.begin()) + (equal.second - equal.first) / 2);
  }

  // Cuts the output of a part before a segment.
  std::size_t cut(const Part& part, std::size_t boundary) {
    const auto output = output_.subspan(part.begin, part.end - part.begin);
    costs_.assign(output.size() + 1, 0);
    number(output);
    add_costs<false>(output, words(part.first, boundary));
    add_costs<true>(output, words(boundary, part.last));
    forget(output);
    const std::size_t none = costs_.size();
    std::size_t first = none, last = none, preferred = none;
    for (std::size_t place = 0; place < costs_.size(); ++place) {
      const std::size_t at = part.begin + place;
      const Place kind = at == 0 ? Place::allowed : places_[at - 1];
      if (kind == Place::forbidden && at != part.end) continue;
      if (first == none || costs_[place] < costs_[first]) first = place, preferred = none;
      if (costs_[place] != costs_[first]) continue;
      last = place;
      if (kind == Place::preferred && preferred == none) preferred = place;
    }
    const std::size_t chosen = part.begin + (preferred == none ? first : preferred);
    cuts_[boundary - 1] = {static_cast<std::int64_t>(chosen), static_cast<std::int64_t>(part.begin + first),
                           static_cast<std::int64_t>(part.begin + last), 0};
    return chosen;
  }

  // Adds the distance between the words of the reference and each prefix (or suffix) of the output.
  template <bool is_reversed>
  void add_costs(std::span<const Symbol> output, std::span<const Symbol> reference) {
    const std::size_t length = output.size();
    local_.clear();
    for (const Symbol symbol : output) local_.push_back(numbers_[symbol]);
    rows_.clear();
    for (const Symbol symbol : reference) rows_.push_back(numbers_[symbol]);
    if constexpr (is_reversed) {
      std::reverse(local_.begin(), local_.end());
      std::reverse(rows_.begin(), rows_.end());
    }
    auto cost = static_cast<std::int64_t>(reference.size());
    const auto at = [&](std::size_t prefix) -> std::int64_t& { return costs_[is_reversed ? length - prefix : prefix]; };
    at(0) += cost;
    if (length == 0) return;
    std::span<const Deltas> row;
    if (!reference.empty()) {
      positions_.assign(local_, used_ + 1);
      row = distance_.last_row(positions_, rows_, effort_);
    }
    for (std::size_t j = 0; j < length; ++j) {
      const Deltas deltas = row.empty() ? Deltas{} : row[j / 64];
      cost += static_cast<std::int64_t>(deltas.rises >> (j % 64) & 1) - static_cast<std::int64_t>(deltas.falls >> (j % 64) & 1);
      at(j + 1) += cost;
    }
    effort_.spend(static_cast<std::int64_t>(length));
  }

  std::int64_t distance(std::span<const Symbol> reference, std::span<const Symbol> output) {
    if (reference.empty() || output.empty()) return static_cast<std::int64_t>(std::max(reference.size(), output.size()));
    number(output);
    local_.clear();
    for (const Symbol symbol : output) local_.push_back(numbers_[symbol]);
    rows_.clear();
    for (const Symbol symbol : reference) rows_.push_back(numbers_[symbol]);
    positions_.assign(local_, used_ + 1);
    forget(output);
    return distance_(positions_, rows_, effort_);
  }

  // Numbers the symbols of a part of the output from 1, so that its positions take memory for these alone; others are 0.
  void number(std::span<const Symbol> output) {
    used_ = 0;
    for (const Symbol symbol : output)
      if (numbers_[symbol] == 0) numbers_[symbol] = static_cast<Symbol>(++used_);
  }
  void forget(std::span<const Symbol> output) {
    for (const Symbol symbol : output) numbers_[symbol] = 0;
  }

  std::span<const Symbol> reference_, output_;
  std::span<const std::int64_t> starts_;
  std::span<const Place> places_;
  std::vector<Cut> cuts_;
  std::vector<std::int64_t> costs_;
  std::vector<Symbol> numbers_, local_, rows_;  // numbers_: by symbol
  std::size_t used_ = 0;
  Positions positions_;
  EditDistance distance_;
  Effort effort_;
};

}  // namespace assay
