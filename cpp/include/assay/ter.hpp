// Translation edit rate (Snover et al. 2006) as sacreBLEU computes it: the number of block shifts, chosen greedily, plus the
// minimum number of insertions, deletions and substitutions after these shifts.
//
// Tercom's rules, as implemented in sacreBLEU: a block of up to 10 output words may move if the reference has the same block
// at most 50 positions away, both contain an error, and the target lies outside the block. It moves behind one of the
// output words that are aligned to the reference block or to the word before it. Each round applies the shift that lowers
// the edit distance most (ties: the longest block, then the first block, then the first target), until no shift lowers it.
// The edit distance is computed only within a beam of 25 cells around the diagonal. After 1,000 candidates the search stops
// without applying the pending shift.
//
// Why this is fast, and why it is exact:
// - Rows of the edit-distance table are bit vectors (edit.hpp). The rows of the current output are stored, and a candidate
//   is computed from its first changed word on. Once one of its rows equals the stored row, it has no gain.
// - The edit script is read from the stored rows. A cell takes the diagonal if the words are equal or D rises along it;
//   otherwise it deletes if D falls in the row above, and inserts if not. This is sacreBLEU's order of preference.
// - The beam in bits: a row is a window of 64 cells that moves with the beam. Cells outside the beam are unreachable. Above
//   the window such a cell gets the value of its right neighbour plus one, below the window that of its left neighbour
//   plus one. Such a cell is never cheaper than a path inside the beam, so these values are safe (`enter_row`).
// - Shifts do not change the set of words, so the distance cannot fall below the bag distance, max(lengths) - words in
//   common. Moving a block of k words saves at most 2k, plus the excess of the distance that the beam causes. Candidates
//   that cannot win are counted but not computed.
// - No path of cost d leaves the beam if d + |difference of lengths| <= 48, and no path at all can if the reference has up
//   to 24 words. In these cases, a reference of up to 64 words needs no window.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "assay/edit.hpp"

namespace assay {

struct TerLimits {
  static constexpr int kShiftSize = 10, kShiftDistance = 50, kBeam = 25, kCandidates = 1000;
};

// The output after a shift, as ranges of the output before it: `[from, to)` is rotated.
struct Rotation {
  std::size_t from, middle, to;

  // Moves a block in front of word `target` (sacreBLEU counts targets inside or directly after the block from its start).
  static Rotation of_shift(std::size_t start, std::size_t length, std::size_t target, std::size_t words) {
    if (target < start) return {target, start, start + length};
    const std::size_t to = target > start + length ? target : std::min(target + length, words);
    return {start, start + length, to};
  }

  template <class Visit>
  void each(Visit visit) const {
    for (std::size_t i = middle; i < to; ++i) visit(i);
    for (std::size_t i = from; i < middle; ++i) visit(i);
  }
};

// The edit script, word by word. Positions count from 0.
struct Alignment {
  std::vector<std::int32_t> before;  // by reference position: the last output word consumed there, -1 for none
  std::vector<std::uint8_t> reference_error, output_error;

  void reset(std::size_t reference, std::size_t output) {
    before.resize(reference);
    reference_error.assign(reference, 0);
    output_error.assign(output, 0);
  }
};

// Rows for a reference of up to 64 words without a beam: one machine word each.
class PlainRows {
 public:
  static bool fits(std::size_t reference) { return reference <= 64; }

  // Whether no optimal path leaves the beam (see above).
  static bool is_exact(std::size_t reference, std::size_t output, std::int64_t distance) {
    const auto gap = static_cast<std::int64_t>(reference > output ? reference - output : output - reference);
    return reference < TerLimits::kBeam || distance + gap <= 2 * (TerLimits::kBeam - 1);
  }

  void start(const Positions& reference, std::size_t words) {
    reference_ = &reference;
    rows_.reserve(words + 1);
    diagonal_.reserve(words + 1);
    rows_[0] = Deltas{};
    words_ = words;
    cells_ = lowest(static_cast<std::int64_t>(reference.length()));
  }

  // Stores the rows of an output that differs from the previous one from word `first` on. Returns the distance.
  std::int64_t keep(std::span<const Symbol> output, std::size_t first) {
    Deltas row = rows_[first];
    for (std::size_t i = first; i < words_; ++i) {
      const std::uint64_t equal = reference_->word(output[i]);
      Carry carry;
      diagonal_[i + 1] = equal | ~advance(row, equal, carry);
      rows_[i + 1] = row;
    }
    return distance(row);
  }

  // The distance after a shift, or `unchanged` if a row equals the stored one.
  std::int64_t try_shift(std::span<const Symbol> output, const Rotation& shift, std::int64_t unchanged) const {
    Deltas row = rows_[shift.from];
    const auto step = [&](std::size_t word) {
      Carry carry;
      advance(row, reference_->word(output[word]), carry);
    };
    shift.each(step);
    for (std::size_t i = shift.to; i < words_; ++i) {
      if (row == rows_[i]) return unchanged;
      step(i);
    }
    return distance(row);
  }

  bool takes_diagonal(std::size_t row, std::size_t column) const { return diagonal_[row] >> (column - 1) & 1; }
  bool deletes(std::size_t row, std::size_t column) const { return rows_[row - 1].falls >> (column - 1) & 1; }

 private:
  std::int64_t distance(const Deltas& row) const { return static_cast<std::int64_t>(words_) + sum(row, cells_); }

  const Positions* reference_ = nullptr;
  std::size_t words_ = 0;
  std::uint64_t cells_ = 0;
  Buffer<Deltas> rows_;             // row i: after i words of the output
  Buffer<std::uint64_t> diagonal_;  // where row i takes the diagonal
};

// Rows of 64 cells that follow the beam, for a reference of any length up to 50 times the output's.
class BeamRows {
 public:
  static bool fits(std::size_t reference, std::size_t output) {
    return output > 0 && static_cast<double>(reference) / static_cast<double>(output) / 2 <= TerLimits::kBeam;
  }

  void start(const Positions& reference, std::size_t words) {
    reference_ = &reference;
    words_ = words;
    rows_.reserve(words + 1);
    diagonal_.reserve(words + 1);
    entered_.reserve(words + 1);
    equal_.reserve(words + 1);
    rows_[0] = Row{};
    plan(static_cast<std::int64_t>(reference.length()));
  }

  std::int64_t keep(std::span<const Symbol> output, std::size_t first) {
    Row row = rows_[first];
    for (std::size_t i = first; i < words_; ++i) {
      const Beam& beam = beams_[i + 1];
      enter_row(row, beam, beams_[i]);
      entered_[i + 1] = row.deltas.falls;
      const std::uint64_t equal = equal_[i + 1] = comparable_places(output[i], beam);
      Carry carry;
      diagonal_[i + 1] = (equal | ~advance(row.deltas, equal, carry)) & beam.comparable;
      ++row.above;
      rows_[i + 1] = row;
    }
    return distance(row);
  }

  std::int64_t try_shift(std::span<const Symbol> output, const Rotation& shift, std::int64_t unchanged) const {
    Row row = rows_[shift.from];
    std::size_t at = shift.from;
    const auto step = [&](std::uint64_t equal) {
      enter_row(row, beams_[at + 1], beams_[at]);
      Carry carry;
      advance(row.deltas, equal, carry);
      ++row.above;
      ++at;
    };
    shift.each([&](std::size_t word) { step(comparable_places(output[word], beams_[at + 1])); });
    for (std::size_t i = shift.to; i < words_; ++i) {
      if (row == rows_[i]) return unchanged;
      step(equal_[i + 1]);
    }
    return distance(row);
  }

  bool takes_diagonal(std::size_t row, std::size_t column) const { return diagonal_[row] >> cell(row, column) & 1; }
  bool deletes(std::size_t row, std::size_t column) const { return entered_[row] >> cell(row, column) & 1; }

 private:
  struct Row {
    Deltas deltas;
    std::int64_t above = 0;  // D before the window

    bool operator==(const Row&) const = default;
  };

  // The cells of a row that sacreBLEU computes.
  struct Beam {
    std::size_t first = 0;                          // position of the window's first cell, from 0
    std::uint64_t inside = ~std::uint64_t{0};       // cells of this row that are computed
    std::uint64_t comparable = ~std::uint64_t{0};   // cells whose diagonal neighbour was computed
    int moves = 0;                                  // number of cells by which the window moves
    bool stays_low = false;                         // the cell diagonal to the first one was not computed
  };

  void plan(std::int64_t reference) {
    beams_.resize(words_ + 1);
    const double ratio = words_ == 0 ? 1.0 : static_cast<double>(reference) / static_cast<double>(words_);
    std::int64_t low_before = 0, high_before = reference + 1, first_before = 0;
    for (std::size_t i = 1; i <= words_; ++i) {
      const auto middle = static_cast<std::int64_t>(std::floor(static_cast<double>(i) * ratio));
      const std::int64_t low = std::max<std::int64_t>(0, middle - TerLimits::kBeam);
      const std::int64_t high = i == words_ ? reference + 1 : std::min(reference + 1, middle + TerLimits::kBeam);
      const std::int64_t first = std::max<std::int64_t>(low, 1) - 1;  // column 0 is not in the window
      Beam& beam = beams_[i];
      beam.first = static_cast<std::size_t>(first);
      beam.inside = lowest(high - 1 - first);
      beam.moves = static_cast<int>(first - first_before);
      beam.stays_low = low > 0 && low == low_before;
      beam.comparable = lowest(high_before - first) & ~std::uint64_t{beam.stays_low};
      low_before = low, high_before = high, first_before = first;
    }
  }

  // Extends the previous row to the beam of this row: below its own beam D rises by one per cell, above it D falls.
  static void enter_row(Row& row, const Beam& beam, const Beam& before) {
    Deltas& deltas = row.deltas;
    deltas.rises |= ~before.inside;
    deltas.falls &= before.inside;
    if (beam.moves > 0) {
      row.above += sum(deltas, lowest(beam.moves));
      deltas.rises = deltas.rises >> beam.moves | ~(~std::uint64_t{0} >> beam.moves);
      deltas.falls >>= beam.moves;
    } else if (beam.stays_low) {
      row.above += sum(deltas, 1) + 1;
      deltas.rises &= ~std::uint64_t{1};
      deltas.falls |= 1;
    }
  }

  std::uint64_t comparable_places(Symbol word, const Beam& beam) const { return reference_->window(word, beam.first) & beam.comparable; }

  std::size_t cell(std::size_t row, std::size_t column) const { return column - 1 - beams_[row].first; }
  std::int64_t distance(const Row& row) const { return row.above + sum(row.deltas, beams_[words_].inside); }

  const Positions* reference_ = nullptr;
  std::size_t words_ = 0;
  std::vector<Beam> beams_;
  Buffer<Row> rows_;
  Buffer<std::uint64_t> diagonal_, entered_;  // where row i takes the diagonal; where the previous row, as extended for i, falls
  Buffer<std::uint64_t> equal_;  // where the word of row i is in the reference: to look it up takes long in long references
};

// Computes the table cell by cell, for references more than 50 times as long as the output, whose beam exceeds a window. Only
// the cells of the beam are stored, which are about as many as the reference has words.
class TableRows {
 public:
  void start(const Positions& reference, std::size_t words) {
    reference_ = &reference;
    words_ = words;
    plan(reference.length());
    cells_.assign(beams_.back().cells + beams_.back().high - beams_.back().low, Cell{});
    for (std::size_t j = 0; j < beams_[0].high; ++j) cells_[j].cost = static_cast<std::int64_t>(j);
    scratch_ = cells_;
  }

  std::int64_t keep(std::span<const Symbol> output, std::size_t first) {
    for (std::size_t i = first; i < words_; ++i) fill(cells_, i + 1, output[i]);
    return cells_.back().cost;
  }

  std::int64_t try_shift(std::span<const Symbol> output, const Rotation& shift, std::int64_t) {
    const Beam& kept = beams_[shift.from];
    const auto first = static_cast<std::ptrdiff_t>(kept.cells);
    std::copy_n(cells_.begin() + first, kept.high - kept.low, scratch_.begin() + first);
    std::size_t row = shift.from;
    shift.each([&](std::size_t word) { fill(scratch_, ++row, output[word]); });
    for (std::size_t i = shift.to; i < words_; ++i) fill(scratch_, i + 1, output[i]);
    return scratch_.back().cost;
  }

  bool takes_diagonal(std::size_t row, std::size_t column) const { return cell(cells_, row, column).step == kDiagonal; }
  bool deletes(std::size_t row, std::size_t column) const { return cell(cells_, row, column).step == kDelete; }

 private:
  enum Step : std::uint8_t { kDiagonal, kDelete, kInsert };
  struct Cell {
    std::int64_t cost = std::numeric_limits<std::int64_t>::max() / 2;  // unreachable
    Step step = kInsert;
  };

  // The columns of a row that sacreBLEU computes, and where they are stored.
  struct Beam {
    std::size_t low, high, cells;
  };

  void plan(std::size_t reference) {
    const std::size_t columns = reference + 1;
    const double ratio = static_cast<double>(reference) / static_cast<double>(words_);
    const auto beam = static_cast<std::int64_t>(std::ceil(ratio / 2 + TerLimits::kBeam));
    beams_.assign(1, {0, columns, 0});
    for (std::size_t i = 1; i <= words_; ++i) {
      const auto middle = static_cast<std::int64_t>(std::floor(static_cast<double>(i) * ratio));
      const auto low = static_cast<std::size_t>(std::max<std::int64_t>(0, middle - beam));
      const std::size_t high = i == words_ ? columns : std::min(columns, static_cast<std::size_t>(middle + beam));
      beams_.push_back({low, high, beams_.back().cells + beams_.back().high - beams_.back().low});
    }
  }

  const Cell& cell(const std::vector<Cell>& table, std::size_t row, std::size_t column) const {
    static constexpr Cell outside;
    const Beam& beam = beams_[row];
    return column < beam.low || column >= beam.high ? outside : table[beam.cells + column - beam.low];
  }

  void fill(std::vector<Cell>& table, std::size_t i, Symbol word) const {
    const Beam& beam = beams_[i];
    Cell* const row = &table[beam.cells];
    for (std::size_t j = beam.low; j < beam.high; ++j) {
      Cell& here = row[j - beam.low] = {};
      if (j > 0) {
        const bool equal = reference_->window(word, j - 1) & 1;
        consider(here, cell(table, i - 1, j - 1).cost + !equal, kDiagonal);
      }
      consider(here, cell(table, i - 1, j).cost + 1, kDelete);
      if (j > beam.low) consider(here, row[j - 1 - beam.low].cost + 1, kInsert);
    }
  }

  static void consider(Cell& cell, std::int64_t cost, Step step) {
    if (cost < cell.cost) cell = {cost, step};
  }

  const Positions* reference_ = nullptr;
  std::size_t words_ = 0;
  std::vector<Beam> beams_;  // by row
  std::vector<Cell> cells_, scratch_;
};

class Ter {
 public:
  // Number of edits from the output to the reference. `symbols` is one more than the largest symbol.
  std::int64_t operator()(std::span<const Symbol> reference, Positions& positions, std::span<const Symbol> output,
                          std::size_t symbols) {
    const std::size_t words = output.size();
    if (reference.empty() || words == 0) return static_cast<std::int64_t>(std::max(reference.size(), words));
    reference_ = reference;
    positions_ = &positions;
    output_.assign(output.begin(), output.end());
    bag_distance_ = static_cast<std::int64_t>(std::max(reference.size(), words) - words_in_common_(reference, output, symbols));
    if (PlainRows::fits(reference.size())) {
      plain_.start(positions, words);
      const std::int64_t distance = plain_.keep(output_, 0);
      if (PlainRows::is_exact(reference.size(), words, distance)) return shifts_and_edits(plain_, distance);
    }
    if (BeamRows::fits(reference.size(), words)) {
      beam_.start(positions, words);
      return shifts_and_edits(beam_, beam_.keep(output_, 0));
    }
    table_.start(positions, words);
    return shifts_and_edits(table_, table_.keep(output_, 0));
  }

 private:
  struct Shift {
    std::int64_t gain = 0;
    std::size_t length = std::numeric_limits<std::size_t>::max(), start = 0, target = 0;

    // Candidates come in order of their start, so of two equal shifts the earlier start wins.
    bool loses_to(std::int64_t other_gain, std::size_t other_length, std::size_t other_start,
                  std::size_t other_target) const {
      if (gain != other_gain) return gain < other_gain;
      if (length != other_length) return length < other_length;
      return start == other_start && other_target < target;
    }
  };

  template <class Rows>
  std::int64_t shifts_and_edits(Rows& rows, std::int64_t distance) {
    std::int64_t shifts = 0;
    candidates_ = 0;
    while (distance > bag_distance_) {
      align(rows);
      excess_ = excess(distance);
      const Shift best = best_shift(rows, distance);
      if (candidates_ >= TerLimits::kCandidates || best.gain <= 0) break;
      const auto rotation = Rotation::of_shift(best.start, best.length, best.target, output_.size());
      std::rotate(output_.begin() + static_cast<std::ptrdiff_t>(rotation.from),
                  output_.begin() + static_cast<std::ptrdiff_t>(rotation.middle),
                  output_.begin() + static_cast<std::ptrdiff_t>(rotation.to));
      rows.keep(output_, rotation.from);
      distance -= best.gain;
      ++shifts;
    }
    return shifts + distance;
  }

  // The longer text decides how long a table takes.
  std::size_t longest() const { return std::max(reference_.size(), output_.size()); }

  // How much the beam adds to the distance, or an upper bound: for long texts, computing the distance without a beam takes
  // longer than the candidates that it rules out.
  std::int64_t excess(std::int64_t distance) {
    if (PlainRows::is_exact(reference_.size(), output_.size(), distance)) return 0;
    return longest() > kLong ? distance : distance - edit_distance_(*positions_, output_, effort_);
  }

  template <class Rows>
  void align(const Rows& rows) {
    std::size_t i = output_.size(), j = reference_.size();
    alignment_.reset(j, i);
    while (j > 0) {
      if (i > 0 && rows.takes_diagonal(i, j)) {
        --i, --j;
        const bool differs = output_[i] != reference_[j];
        alignment_.before[j] = static_cast<std::int32_t>(i);
        alignment_.output_error[i] = alignment_.reference_error[j] = differs;
      } else if (i > 0 && rows.deletes(i, j)) {
        alignment_.output_error[--i] = 1;
      } else {
        alignment_.before[--j] = static_cast<std::int32_t>(i) - 1;
        alignment_.reference_error[j] = 1;
      }
    }
    while (i > 0) alignment_.output_error[--i] = 1;
    find_next(alignment_.output_error, next_output_error_);
    find_next(alignment_.reference_error, next_reference_error_);
  }

  // For each position, the number of words up to and including the next error.
  static void find_next(const std::vector<std::uint8_t>& errors, std::vector<std::uint32_t>& distance) {
    distance.resize(errors.size());
    std::uint32_t away = TerLimits::kShiftSize + 1;
    for (std::size_t i = errors.size(); i-- > 0;) distance[i] = away = (away & (errors[i] - 1u)) + 1;  // errors are 0 or 1
  }

  template <class Rows>
  Shift best_shift(Rows& rows, std::int64_t distance) {
    Shift best;
    for (std::size_t start = 0; start < output_.size(); ++start) {
      if (output_[start] == 0 || next_output_error_[start] > TerLimits::kShiftSize) continue;
      const std::size_t low = start > TerLimits::kShiftDistance ? start - TerLimits::kShiftDistance : 0;
      const std::size_t high = std::min(reference_.size(), start + TerLimits::kShiftDistance + 1);
      for (std::size_t block = low; block < high; block += 64) {
        std::uint64_t places = positions_->window(output_[start], block) & lowest(static_cast<std::int64_t>(high - block));
        for (; places != 0; places &= places - 1) {
          try_block(rows, start, block + static_cast<std::size_t>(std::countr_zero(places)), distance, best);
          if (candidates_ >= TerLimits::kCandidates) return best;
        }
      }
    }
    return best;
  }

  // All shifts of blocks that begin at `start` in the output and at `place` in the reference.
  template <class Rows>
  void try_block(Rows& rows, std::size_t start, std::size_t place, std::int64_t distance, Shift& best) {
    std::size_t longest = std::min({static_cast<std::size_t>(TerLimits::kShiftSize), output_.size() - start, reference_.size() - place});
    const auto aligned = alignment_.before[place];
    if (aligned >= static_cast<std::int32_t>(start))  // a block that contains its own target does not move
      longest = std::min(longest, static_cast<std::size_t>(aligned) - start);
    const std::size_t shortest = std::max(next_output_error_[start], next_reference_error_[place]);
    for (std::size_t length = 1; length <= longest && output_[start + length - 1] == reference_[place + length - 1]; ++length) {
      if (length < shortest) continue;
      try_targets(rows, start, place, length, distance, best);
      if (candidates_ >= TerLimits::kCandidates) return;
    }
  }

  template <class Rows>
  void try_targets(Rows& rows, std::size_t start, std::size_t place, std::size_t length, std::int64_t distance, Shift& best) {
    const std::int64_t most = std::min(distance - bag_distance_, static_cast<std::int64_t>(2 * length) + excess_);
    const std::size_t none = std::numeric_limits<std::size_t>::max();
    std::size_t tried = none;
    for (std::size_t k = 0; k <= length; ++k) {
      const std::size_t target = place + k == 0 ? 0 : static_cast<std::size_t>(alignment_.before[place + k - 1] + 1);
      if (target == tried) continue;
      tried = target;
      ++candidates_;
      if (!best.loses_to(most, length, start, target)) continue;
      const auto rotation = Rotation::of_shift(start, length, target, output_.size());
      if (longest() > kLong) effort_.spend(static_cast<std::int64_t>(longest()));
      const std::int64_t gain = distance - rows.try_shift(output_, rotation, distance);
      if (gain > 0 && best.loses_to(gain, length, start, target)) best = {gain, length, start, target};
    }
  }

  static constexpr std::size_t kLong = 4096;

  std::span<const Symbol> reference_;
  Positions* positions_ = nullptr;
  std::vector<Symbol> output_;  // with the shifts applied so far
  std::int64_t bag_distance_ = 0;
  std::int64_t excess_ = 0;  // of the distance with the beam over the distance without it
  EditDistance edit_distance_;
  Effort effort_;  // without a limit: the number of candidates has one
  int candidates_ = 0;
  WordsInCommon words_in_common_;
  Alignment alignment_;
  std::vector<std::uint32_t> next_output_error_, next_reference_error_;
  PlainRows plain_;
  BeamRows beam_;
  TableRows table_;
};

}  // namespace assay
