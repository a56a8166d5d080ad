// TER as the Moses scorer (tercpp) computes it, which differs from tercom: the *reference* is shifted towards the output,
// blocks of up to 10 words move up to 25 positions, each round tries only the first ten candidates, and a shift without
// gain is applied if it is the first of its round that does no harm.
//
// The edit distance drops cells that cost over 10 more than the best match or substitution of the previous column, so its
// value depends on the order in which cells are visited. This code visits them in the same order, and stores the steps to
// those that it visits. Cost: O(visited cells) for each candidate; texts that have little in common visit most cells. Memory:
// two bits for each visited cell.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "assay/edit.hpp"

namespace assay {

// How cells of a table were reached, in two bits each. The bytes of a column stay where they are, so that a table of a
// gigabyte is not copied when it grows.
class StoredSteps {
 public:
  enum Step : std::uint8_t { kNone, kDiagonal, kSkipShifted, kSkipOutput };

  void clear() { block_ = used_ = 0; }

  // Space for the steps of some cells, valid until `clear`.
  std::uint8_t* add(std::size_t cells) {
    const std::size_t bytes = (cells + 3) / 4;
    if (used_ > 0 && blocks_[block_].size() - used_ < bytes) ++block_, used_ = 0;
    if (block_ == blocks_.size()) blocks_.emplace_back();
    if (blocks_[block_].size() < bytes) blocks_[block_].resize(std::max(bytes, kBlock));  // it has no column yet
    return blocks_[block_].data() + std::exchange(used_, used_ + bytes);
  }

  static Step get(const std::uint8_t* steps, std::size_t cell) { return static_cast<Step>(steps[cell / 4] >> cell % 4 * 2 & 3); }

 private:
  static constexpr std::size_t kBlock = std::size_t{1} << 20;

  std::vector<std::vector<std::uint8_t>> blocks_;
  std::size_t block_ = 0, used_ = 0;  // where the next column starts
};

class MosesTer {
 public:
  // `symbols` is one more than the largest symbol.
  std::int64_t operator()(std::span<const Symbol> reference, std::span<const Symbol> output, std::size_t symbols,
                          Effort& effort) {
    // An empty side counts as one empty word, which matches only another empty word.
    if (reference.empty() || output.empty()) return static_cast<std::int64_t>(std::max(reference.size(), output.size()));
    shifted_.assign(reference.begin(), reference.end());
    output_ = output;
    effort_ = &effort, work_ = 0;
    places_.assign(output, symbols);
    int distance = edit_distance(shifted_), shifts = 0;
    while (true) {
      align();
      find_candidates();
      const Shift* const best = best_candidate(distance);
      if (best == nullptr) return distance + shifts;
      ++shifts;
      shifted_ = moved(*best);
      distance = edit_distance(shifted_);
    }
  }

 private:
  static constexpr int kShiftSize = 10, kShiftDistance = 25, kBeam = 10;
  static constexpr int kInfinity = std::numeric_limits<int>::max() - kBeam;  // of tercpp, 99999, which long texts exceed
  static constexpr std::size_t kCandidates = 10;
  using Step = StoredSteps::Step;
  using enum StoredSteps::Step;

  static constexpr std::int64_t kWork = 4, kShare = 1 << 16;  // of a visited cell; to report at a time

  struct Cell {
    int cost = -1;
    Step step = kNone;
  };

  // The cells of a column that were visited: of which rows, and where their steps are.
  struct Visited {
    int first, count;
    const std::uint8_t* steps;
  };

  // Moves words first..last of the shifted string to `target`; -1 is the front.
  struct Shift {
    int first, last, target;
  };

  int shifted_words() const { return static_cast<int>(shifted_.size()); }
  int output_words() const { return static_cast<int>(output_.size()); }

  // Column by column over the shifted string; i counts words of the output, j of the shifted string.
  int edit_distance(const std::vector<Symbol>& shifted) {
    const int rows = output_words(), columns = static_cast<int>(shifted.size());
    for (auto* const column : {&column_, &next_column_})  // empty between calls
      if (column->size() <= output_.size()) column->resize(output_.size() + 1);
    visited_.clear();
    steps_.clear();
    column_[0].cost = 0;
    int best = kInfinity, next_first = 0, next_last = 0, distance = -1;
    for (int j = 0; j <= columns; ++j) {
      const int best_before = std::exchange(best, kInfinity), first = std::exchange(next_first, -1);
      int last = std::exchange(next_last, -1);
      for (int i = std::max(first, 0); i <= std::min(rows, last); ++i) {
        const int cost = column_[static_cast<std::size_t>(i)].cost;
        if (cost < 0 || (j < columns && cost > best_before + kBeam)) continue;
        if (next_first == -1) next_first = i;
        next_last = i + 1;
        if (i < rows && j < columns) {
          const bool equal = output_[static_cast<std::size_t>(i)] == shifted[static_cast<std::size_t>(j)];
          const bool is_better = improve(next_column_[static_cast<std::size_t>(i) + 1], cost + !equal, kDiagonal);
          if (equal || is_better) best = std::min(best, cost + !equal);
        }
        if (j < columns) improve(next_column_[static_cast<std::size_t>(i)], cost + 1, kSkipShifted);
        if (i < rows && improve(column_[static_cast<std::size_t>(i) + 1], cost + 1, kSkipOutput)) last = std::max(last, i + 1);
      }
      if (j == columns) distance = column_[output_.size()].cost;
      store_column(std::max(first, 0), std::min(rows, last) + 1);
      column_.swap(next_column_);
    }
    return distance;
  }

  // Keeps the steps of the current column, and clears it.
  void store_column(int first, int end) {
    const int count = std::max(end - first, 0);
    report(count * kWork);
    std::uint8_t* steps = steps_.add(static_cast<std::size_t>(count));
    visited_.push_back({first, count, steps});
    Cell* const cells = column_.data() + first;
    for (int i = 0; i < count;) {
      unsigned packed = 0;
      for (const int byte_end = std::min(i + 4, count), start = i; i < byte_end; ++i) {
        packed |= static_cast<unsigned>(cells[i].step) << (i - start) * 2;
        cells[i] = {};
      }
      *steps++ = static_cast<std::uint8_t>(packed);
    }
  }

  void report(std::int64_t work) {
    if ((work_ += work) <= kShare) return;
    effort_->plan(work_);
    effort_->spend(std::exchange(work_, 0));
  }

  Step step(int i, int j) const {
    const Visited& column = visited_[static_cast<std::size_t>(j)];
    if (i < column.first || i >= column.first + column.count) return kNone;
    return StoredSteps::get(column.steps, static_cast<std::size_t>(i - column.first));
  }

  static bool improve(Cell& cell, int cost, Step step) {
    if (cell.cost >= 0 && cell.cost <= cost) return false;
    cell = {cost, step};
    return true;
  }

  // For each output word, the aligned shifted word or the position where one would be; and which words are errors.
  void align() {
    int i = output_words(), j = shifted_words();
    aligned_.resize(output_.size());
    output_error_.assign(output_.size(), 0);
    shifted_error_.assign(shifted_.size(), 0);
    while (i > 0 || j > 0) {
      switch (step(i, j)) {
        case kDiagonal: {
          --i, --j;
          const bool differs = output_[static_cast<std::size_t>(i)] != shifted_[static_cast<std::size_t>(j)];
          output_error_[static_cast<std::size_t>(i)] = shifted_error_[static_cast<std::size_t>(j)] = differs;
          aligned_[static_cast<std::size_t>(i)] = j;
          break;
        }
        case kSkipShifted: shifted_error_[static_cast<std::size_t>(--j)] = 1; break;
        default:
          output_error_[static_cast<std::size_t>(--i)] = 1;
          aligned_[static_cast<std::size_t>(i)] = j;
      }
    }
  }

  void find_candidates() {
    candidates_.clear();
    for (int first = 0; first < shifted_words() && !has_all_candidates(); ++first) {
      if (!has_distant_twin(first)) continue;
      for (int last = first; last < std::min(shifted_words(), first + kShiftSize); ++last)
        if (!add_candidates(first, last)) break;
    }
    if (has_all_candidates()) candidates_.resize(kCandidates);
  }

  bool has_all_candidates() const { return candidates_.size() >= kCandidates; }

  // The places of a word in the output that are aligned from one position to another. Alignments rise with the place.
  std::span<const std::uint32_t> aligned_places(int word, int from, int to) const {
    const auto places = places_.of(shifted_[static_cast<std::size_t>(word)]);
    const auto position = [&](std::uint32_t place) { return aligned_[place]; };
    const auto first = std::ranges::lower_bound(places, from, {}, position);
    return {first, std::ranges::upper_bound(first, places.end(), to, {}, position)};
  }

  // Whether the output has this word at another position within reach.
  bool has_distant_twin(int first) const {
    const auto near = aligned_places(first, first - kShiftDistance - 1, first + kShiftDistance);
    return !near.empty() && (aligned_[near.front()] != first || aligned_[near.back()] != first);
  }

  bool occurs(int first, int last, int place) {
    report(1);
    if (place + last - first >= output_words()) return false;
    return std::equal(shifted_.begin() + first, shifted_.begin() + last + 1, output_.begin() + place);
  }

  // Adds the shifts of one block. Returns whether longer blocks need to be checked.
  bool add_candidates(int first, int last) {
    const bool is_right = std::count(shifted_error_.begin() + first, shifted_error_.begin() + last + 1, 1) == 0;
    if (is_right) {
      const auto places = places_.of(shifted_[static_cast<std::size_t>(first)]);
      return std::ranges::any_of(places, [&](std::uint32_t place) { return occurs(first, last, static_cast<int>(place)); });
    }
    bool goes_on = false;
    for (const std::uint32_t at : aligned_places(first, first - kShiftDistance, first + kShiftDistance)) {
      const int place = static_cast<int>(at), to = aligned_[at];
      if (!occurs(first, last, place) || (to >= first && to <= last)) continue;
      goes_on = true;
      const auto errors = output_error_.begin() + place;
      if (std::count(errors, errors + last - first + 1, 1) > 0) add_targets(first, last, place);
      if (has_all_candidates()) break;
    }
    return goes_on;
  }

  void add_targets(int first, int last, int place) {
    const int to = aligned_[static_cast<std::size_t>(place)];
    for (int offset = -1; offset <= last - first; ++offset) {
      if (place + offset < 0) {
        candidates_.push_back({first, last, -1});
        continue;
      }
      const int target = aligned_[static_cast<std::size_t>(place + offset)];
      if (target != first && (offset == 0 || target != to)) candidates_.push_back({first, last, target});
    }
  }

  // Tries the longest blocks first; nullptr if no shift is accepted.
  const Shift* best_candidate(int distance) {
    const Shift* best = nullptr;
    int best_total = distance;
    std::stable_sort(candidates_.begin(), candidates_.end(),
                     [](const Shift& a, const Shift& b) { return a.last - a.first > b.last - b.first; });
    for (const Shift& shift : candidates_) {
      const int gained = distance - best_total, most = 2 * (1 + shift.last - shift.first);
      if (gained > most || (best != nullptr && gained == most)) break;
      const int total = edit_distance(moved(shift)) + 1;
      if (total < best_total || (best == nullptr && total == best_total)) {
        best = &shift;
        best_total = total;
      }
    }
    return best;
  }

  std::vector<Symbol> moved(const Shift& shift) const {
    std::vector<Symbol> out = shifted_;
    const auto at = [&](int i) { return out.begin() + i; };
    const int target = std::min(shift.target, shifted_words() - 1), end = shift.last + 1;
    if (target < shift.first) {
      std::rotate(at(std::max(target, 0)), at(shift.first), at(end));
    } else {
      const int to = target > shift.last ? target + 1 : std::min(shifted_words(), end + target - shift.first);
      std::rotate(at(shift.first), at(end), at(to));
    }
    return out;
  }

  std::vector<Symbol> shifted_;
  std::span<const Symbol> output_;
  Effort* effort_ = nullptr;
  std::int64_t work_ = 0;
  Occurrences places_;                      // of the words of the output
  std::vector<Cell> column_, next_column_;  // by word of the output
  std::vector<Visited> visited_;            // by word of the shifted string
  StoredSteps steps_;
  std::vector<int> aligned_;
  std::vector<std::uint8_t> output_error_, shifted_error_;
  std::vector<Shift> candidates_;
};

}  // namespace assay
