// Soft pairwise accuracy (Thompson et al. 2024) after scores were swapped between two metrics, for all pairs of metrics.
//
// The p-value of two systems counts the sign flips whose sum of flipped differences is below 0. These sums are linear in the
// scores, so the sums after a swap are those of the first metric, minus those of its swapped cells, plus those of the second
// metric's swapped cells: what a resample needs is computed once per metric, and pairs of metrics only add and compare.
// Sums over subsets of 8 segments come from a table of all 256 of them (Arlazarov et al. 1970). Scores are rounded to
// integers of 28 bits for the sum of a system, so that sums are exact; differences within the rounding error are ties.
// Cost: O(resamples x (metrics x flips x segments x systems / 8 + pairs of metrics x flips x pairs of systems)).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "assay/parallel.hpp"
#include "assay/processor.hpp"

namespace assay {

struct SwappedSystems {
  const double* metrics;      // (metric, system, segment), on a common scale; 0 outside the mask
  const bool* mask;           // (system, segment)
  const bool* pairs;          // (system, system): which pairs of systems count
  const std::int64_t* human;  // (system, system): twice the number of flips that count for the human scores
  const std::uint32_t* coins; // (flip, segment): whether a flip changes the sign of the segment
  const bool* swaps;          // (resample, system, segment)
  std::size_t metric_count, systems, segments, flips, resamples;
  bool counts_ties_in_full;   // otherwise a sum of 0 counts half
};

namespace detail {

inline constexpr std::size_t kTile = 16;  // rows that are summed together: the sums of all subsets of them stay in cache

// The rows whose sums are needed: systems if all have the same segments, otherwise the differences of pairs of systems.
class SpaRows {
 public:
  explicit SpaRows(const SwappedSystems& scores) : scores_(scores) {
    for (std::size_t i = 0; i < scores.systems; ++i)
      for (std::size_t j = i + 1; j < scores.systems; ++j)
        if (scores.pairs[i * scores.systems + j]) pairs.push_back({i, j});
    for (std::size_t i = 1; i < scores.systems; ++i)
      are_pairs |= !std::equal(mask(i), mask(i) + scores.segments, mask(0));
    count = are_pairs ? pairs.size() : scores.systems;
    tiles = (count + kTile - 1) / kTile;
  }

  // Writes (tile, segment, row of the tile) of one metric's integers; `swaps`: only its swapped cells, or null for all.
  void fill(const std::int32_t* values, const bool* swaps, std::vector<std::int32_t>& rows) const {
    std::fill(rows.begin(), rows.end(), 0);
    const auto value = [&](std::size_t i, std::size_t s) {
      const std::size_t cell = i * scores_.segments + s;
      return swaps == nullptr || swaps[cell] ? values[cell] : 0;
    };
    for (std::size_t row = 0; row < count; ++row) {
      std::int32_t* const out = &rows[row / kTile * scores_.segments * kTile + row % kTile];
      for (std::size_t s = 0; s < scores_.segments; ++s) {
        if (are_pairs) {
          const auto [i, j] = pairs[row];
          if (mask(i)[s] && mask(j)[s]) out[s * kTile] = value(i, s) - value(j, s);
        } else if (mask(row)[s]) {
          out[s * kTile] = value(row, s);
        }
      }
    }
  }

  // How far the sum of a pair may be from its exact value: two cells a segment, each rounded by at most 1/2.
  std::int32_t tolerance(std::size_t pair) const {
    const auto [i, j] = pairs[pair];
    std::int32_t common = 0;
    for (std::size_t s = 0; s < scores_.segments; ++s) common += mask(i)[s] && mask(j)[s];
    return common;
  }

  std::vector<std::array<std::size_t, 2>> pairs;
  bool are_pairs = false;
  std::size_t count = 0, tiles = 0;

 private:
  const bool* mask(std::size_t system) const { return scores_.mask + system * scores_.segments; }

  const SwappedSystems& scores_;
};

// One byte for 8 segments of each flip: (block of 8 segments, flip).
inline std::vector<std::uint8_t> coin_bytes(const SwappedSystems& scores) {
  const std::size_t blocks = (scores.segments + 7) / 8;
  std::vector<std::uint8_t> bytes(blocks * scores.flips);
  for (std::size_t flip = 0; flip < scores.flips; ++flip)
    for (std::size_t s = 0; s < scores.segments; ++s)
      bytes[s / 8 * scores.flips + flip] |=
          static_cast<std::uint8_t>((scores.coins[flip * scores.segments + s] & 1u) << (s % 8));
  return bytes;
}

// Writes the sums of all 256 subsets of 8 segments: (subset, row).
[[gnu::always_inline]] inline void subset_sums(const std::int32_t* rows, std::size_t segments, std::int32_t* table) {
  std::fill(table, table + kTile, 0);
  for (std::size_t bit = 0; bit < 8; ++bit) {
    const std::size_t size = std::size_t{1} << bit;
    for (std::size_t subset = 0; subset < size; ++subset)
      for (std::size_t row = 0; row < kTile; ++row)
        table[(size + subset) * kTile + row] =
            table[subset * kTile + row] + (bit < segments ? rows[bit * kTile + row] : 0);
  }
}

// Four blocks of segments at a time: (flip, row) += their subset sums.
[[gnu::always_inline]] inline void add_subsets(const std::array<const std::uint8_t*, 4>& bytes, const std::int32_t* tables,
                                               std::size_t flips, std::int32_t* sums) {
  for (std::size_t flip = 0; flip < flips; ++flip) {
    const std::int32_t* const a = tables + std::size_t{bytes[0][flip]} * kTile;
    const std::int32_t* const b = tables + (256 + std::size_t{bytes[1][flip]}) * kTile;
    const std::int32_t* const c = tables + (512 + std::size_t{bytes[2][flip]}) * kTile;
    const std::int32_t* const d = tables + (768 + std::size_t{bytes[3][flip]}) * kTile;
    std::int32_t* const sum = sums + flip * kTile;
    for (std::size_t row = 0; row < kTile; ++row) sum[row] += a[row] + b[row] + c[row] + d[row];
  }
}

[[gnu::always_inline]] inline void flip_sums_inlined(const std::vector<std::uint8_t>& bytes, const std::int32_t* rows,
                                                     std::size_t segments, std::size_t flips, std::int32_t* tables,
                                                     std::int32_t* sums) {
  static constexpr std::size_t kBlocks = 4;
  std::fill(sums, sums + flips * kTile, 0);
  const std::vector<std::uint8_t> none(flips);
  for (std::size_t first = 0; first < segments; first += 8 * kBlocks) {
    std::array<const std::uint8_t*, kBlocks> of_block{};
    for (std::size_t b = 0; b < kBlocks; ++b) {
      const std::size_t begin = first + 8 * b;
      of_block[b] = begin < segments ? &bytes[begin / 8 * flips] : none.data();
      if (begin < segments) subset_sums(rows + begin * kTile, segments - begin, tables + b * 256 * kTile);
    }
    add_subsets(of_block, tables, flips, sums);
  }
}

// How many of the differences are below -tolerance minus how many are above, for one hybrid.
[[gnu::always_inline]] inline std::int32_t below_minus_above(const std::int32_t* x, const std::int32_t* y, std::size_t size,
                                                             std::int32_t tolerance) {
  std::int32_t balance = 0;
  for (std::size_t k = 0; k < size; ++k) {
    const std::int32_t difference = x[k] - y[k];
    balance += (difference < -tolerance) - (difference > tolerance);
  }
  return balance;
}

[[gnu::always_inline]] inline std::int32_t ties_of(const std::int32_t* x, const std::int32_t* y, std::size_t size,
                                                   std::int32_t tolerance) {
  std::int32_t ties = 0;
  for (std::size_t k = 0; k < size; ++k) ties += std::abs(x[k] - y[k]) <= tolerance;
  return ties;
}

#ifdef ASSAY_HAS_AVX2_TARGET
[[gnu::target("avx2")]] inline void flip_sums_avx2(const std::vector<std::uint8_t>& bytes, const std::int32_t* rows,
                                                   std::size_t segments, std::size_t flips, std::int32_t* tables,
                                                   std::int32_t* sums) {
  flip_sums_inlined(bytes, rows, segments, flips, tables, sums);
}
[[gnu::target("avx2")]] inline std::int32_t below_minus_above_avx2(const std::int32_t* x, const std::int32_t* y,
                                                                   std::size_t size, std::int32_t tolerance) {
  return below_minus_above(x, y, size, tolerance);
}
[[gnu::target("avx2")]] inline std::int32_t ties_avx2(const std::int32_t* x, const std::int32_t* y, std::size_t size,
                                                      std::int32_t tolerance) {
  return ties_of(x, y, size, tolerance);
}
#endif

// (flip, row of a tile): the sums of the rows over the segments of each flip.
inline void flip_sums(const std::vector<std::uint8_t>& bytes, const std::int32_t* rows, std::size_t segments,
                      std::size_t flips, std::int32_t* tables, std::int32_t* sums) {
#ifdef ASSAY_HAS_AVX2_TARGET
  if (has_avx2()) return flip_sums_avx2(bytes, rows, segments, flips, tables, sums);
#endif
  flip_sums_inlined(bytes, rows, segments, flips, tables, sums);
}

// Twice the number of flips that count, for sums x - y. Below + ties / 2 = (flips + below - above) / 2.
inline std::int64_t twice_counted(const std::int32_t* x, const std::int32_t* y, std::size_t flips, std::int32_t tolerance,
                                  bool counts_ties_in_full) {
#ifdef ASSAY_HAS_AVX2_TARGET
  if (has_avx2()) {
    const std::int64_t halves = static_cast<std::int64_t>(flips) + below_minus_above_avx2(x, y, flips, tolerance);
    return halves + (counts_ties_in_full ? ties_avx2(x, y, flips, tolerance) : 0);
  }
#endif
  const std::int64_t halves = static_cast<std::int64_t>(flips) + below_minus_above(x, y, flips, tolerance);
  return halves + (counts_ties_in_full ? ties_of(x, y, flips, tolerance) : 0);
}

class SwappedSpa {
 public:
  explicit SwappedSpa(const SwappedSystems& scores)
      : scores_(scores), rows_(scores), bytes_(coin_bytes(scores)), integers_(scores.metric_count * cells()),
        zeros_(scores.flips), whole_(scores.metric_count * size()) {
    double largest = 0;
    for (std::size_t row = 0; row < scores.metric_count * scores.systems; ++row) {
      double sum = 0;
      for (std::size_t s = 0; s < scores.segments; ++s) sum += std::fabs(scores.metrics[row * scores.segments + s]);
      largest = std::max(largest, sum);
    }
    const double scale = largest > 0 ? static_cast<double>(1 << 27) / largest : 0;
    for (std::size_t cell = 0; cell < integers_.size(); ++cell)
      integers_[cell] = static_cast<std::int32_t>(std::nearbyint(scores.metrics[cell] * scale));
    for (std::size_t pair = 0; pair < rows_.pairs.size(); ++pair) tolerances_.push_back(rows_.tolerance(pair));
    Scratch scratch(*this);
    for (std::size_t m = 0; m < scores.metric_count; ++m) sums(m, nullptr, scratch, &whole_[m * size()]);
  }

  struct Scratch {
    explicit Scratch(const SwappedSpa& spa)
        : rows(spa.rows_.tiles * spa.scores_.segments * kTile), tables(4 * 256 * kTile),
          by_flip(spa.scores_.flips * kTile), swapped(spa.scores_.metric_count * spa.size()),
          first(spa.size()), second(spa.size()) {}

    std::vector<std::int32_t> rows, tables, by_flip, swapped, first, second;
  };

  // Writes one difference for each pair of metrics, `stride` apart.
  void resample(std::size_t resample, Scratch& scratch, std::size_t stride, double* differences) const {
    for (std::size_t m = 0; m < scores_.metric_count; ++m)
      sums(m, scores_.swaps + resample * cells(), scratch, &scratch.swapped[m * size()]);
    for (std::size_t i = 0; i < scores_.metric_count; ++i)
      for (std::size_t j = i + 1; j < scores_.metric_count; ++j, differences += stride) {
        const std::int32_t *a = &scratch.swapped[i * size()], *b = &scratch.swapped[j * size()];
        for (std::size_t k = 0; k < size(); ++k) {
          const std::int32_t moved = b[k] - a[k];
          scratch.first[k] = whole_[i * size() + k] + moved;
          scratch.second[k] = whole_[j * size() + k] - moved;
        }
        const std::int64_t gap = distance(scratch.second) - distance(scratch.first);
        const double unit = 2 * static_cast<double>(scores_.flips) * static_cast<double>(rows_.pairs.size());
        *differences = static_cast<double>(gap) / unit;
      }
  }

 private:
  std::size_t cells() const { return scores_.systems * scores_.segments; }
  std::size_t size() const { return rows_.count * scores_.flips; }

  // (row, flip): the sums of one metric, over all cells or the swapped ones.
  void sums(std::size_t metric, const bool* swaps, Scratch& scratch, std::int32_t* by_row) const {
    const std::size_t flips = scores_.flips;
    rows_.fill(&integers_[metric * cells()], swaps, scratch.rows);
    for (std::size_t tile = 0; tile < rows_.tiles; ++tile) {
      const std::int32_t* const rows = &scratch.rows[tile * scores_.segments * kTile];
      flip_sums(bytes_, rows, scores_.segments, flips, scratch.tables.data(), scratch.by_flip.data());
      for (std::size_t row = tile * kTile; row < std::min(rows_.count, (tile + 1) * kTile); ++row)
        for (std::size_t flip = 0; flip < flips; ++flip)
          by_row[row * flips + flip] = scratch.by_flip[flip * kTile + row % kTile];
    }
  }

  // Sum over pairs of systems of |twice the flips of the human scores - twice those of the metric|.
  std::int64_t distance(const std::vector<std::int32_t>& sums) const {
    std::int64_t total = 0;
    for (std::size_t pair = 0; pair < rows_.pairs.size(); ++pair) {
      const auto [i, j] = rows_.pairs[pair];
      const std::int32_t* const x = &sums[(rows_.are_pairs ? pair : i) * scores_.flips];
      const std::int32_t* const y = rows_.are_pairs ? zeros_.data() : &sums[j * scores_.flips];
      const std::int64_t counted = twice_counted(x, y, scores_.flips, tolerances_[pair], scores_.counts_ties_in_full);
      total += std::abs(scores_.human[i * scores_.systems + j] - counted);
    }
    return total;
  }

  const SwappedSystems& scores_;
  SpaRows rows_;
  std::vector<std::uint8_t> bytes_;
  std::vector<std::int32_t> integers_;  // (metric, system, segment)
  std::vector<std::int32_t> zeros_;
  std::vector<std::int32_t> whole_;  // (metric, row, flip)
  std::vector<std::int32_t> tolerances_;
};

}  // namespace detail

// differences: (pair of metrics, resample): the first metric's accuracy minus the second's, after the resample.
// Pairs are (0, 1), (0, 2), ... At least one pair of systems must count.
inline void swapped_spa(const SwappedSystems& scores, int threads, double* differences) {
  const detail::SwappedSpa spa(scores);
  parallel_blocks(scores.resamples, 1, threads, [&] {
    return [&, scratch = detail::SwappedSpa::Scratch(spa)](std::size_t first, std::size_t last) mutable {
      for (std::size_t r = first; r < last; ++r) spa.resample(r, scratch, scores.resamples, differences + r);
    };
  });
}

}  // namespace assay
