// Weighted sums of statistics tables: totals[system][row of weights][column] = sum of weight x statistic.
//
// The weights come chunk by chunk (kChunk segments) from a source: a matrix, or a bootstrap whose draws are made on the spot
// and used by all tables. A thread takes a few rows at a time through all chunks, so a chunk of the tables is read once for
// these rows while it is in the processor's cache.
//
// Integer tables are summed exactly: as 16-bit products in 32-bit lanes if the bounds prove that nothing can overflow,
// otherwise in 64 bits. Real tables are summed lane by lane within blocks of kSumBlock segments, and then block by block.
// This order does not depend on threads, and shards that end at chunk boundaries can continue it.
// Cost: O(rows x segments x columns).
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <stdexcept>
#include <variant>
#include <vector>

#include "assay/parallel.hpp"
#include "assay/processor.hpp"
#include "assay/resample.hpp"

namespace assay {

inline constexpr std::size_t kSumBlock = 1024;
static_assert(kChunk % kSumBlock == 0);

inline constexpr std::size_t kRowsAtOnce = 4;  // rows of weights that one pass over a column is multiplied with

struct SumShape {
  std::size_t systems, segments, columns;
};

// Some rows of weights for the segments of one chunk. Nearly all weights fit in 16 bits; rows with larger ones are kept in 32.
class WeightTile {
 public:
  static constexpr std::size_t kRows = 4 * kRowsAtOnce;
  static constexpr std::uint64_t kNarrow = std::numeric_limits<std::int16_t>::max();

  std::size_t first_row = 0, rows = 0, first_segment = 0, segments = 0;

  WeightTile() : narrow_(kRows * kChunk) {}

  // Prepares the tile for another chunk.
  void start(std::size_t first_row, std::size_t rows, std::size_t first_segment, std::size_t segments) {
    this->first_row = first_row;
    this->rows = rows;
    this->first_segment = first_segment;
    this->segments = segments;
    const std::size_t rows_read = (rows + kRowsAtOnce - 1) / kRowsAtOnce * kRowsAtOnce;
    for (std::size_t row = 0; row < rows_read; ++row) std::fill_n(narrow_.data() + row * kChunk, segments, std::int16_t{0});
  }

  // `draw(weights)` adds weights whose sum is at most `drawn` to zeros.
  template <class Draw>
  void draw(std::size_t row, std::uint64_t drawn, Draw draw) {
    drawn_[row] = drawn;
    is_narrow_[row] = drawn <= kNarrow;
    if (drawn <= kNarrow) draw(narrow_.data() + row * kChunk);
    else {
      std::fill_n(wide_row(row), segments, 0u);
      draw(wide_row(row));
    }
  }

  void copy(std::size_t row, const std::uint32_t* weights) {
    std::int16_t* const narrow = narrow_.data() + row * kChunk;
    std::uint32_t bits = 0;
    drawn_[row] = 0;
    for (std::size_t i = 0; i < segments; ++i) {
      bits |= weights[i];
      drawn_[row] += weights[i];
      narrow[i] = static_cast<std::int16_t>(weights[i]);
    }
    is_narrow_[row] = bits <= kNarrow;
    if (bits > kNarrow) std::copy_n(weights, segments, wide_row(row));
  }

  std::uint64_t drawn(std::size_t row) const { return drawn_[row]; }
  bool is_narrow(std::size_t row) const { return is_narrow_[row]; }
  const std::int16_t* narrow(std::size_t row) const { return narrow_.data() + row * kChunk; }

  // Calls use(weights) with the narrow or the wide weights.
  template <class Use>
  void visit(std::size_t row, Use use) const {
    if (is_narrow_[row]) use(narrow(row));
    else use(wide_.data() + row * kChunk);
  }

 private:
  std::uint32_t* wide_row(std::size_t row) {
    wide_.resize(kRows * kChunk);
    return wide_.data() + row * kChunk;
  }

  std::vector<std::int16_t> narrow_;
  std::vector<std::uint32_t> wide_;  // empty until needed
  std::array<std::uint64_t, kRows> drawn_{};
  std::array<bool, kRows> is_narrow_{};
};

// (system, row, column): where a table adds its sums. Zero on entry, or the totals of the segments before the first.
template <class Value>
struct Totals {
  Value* values;
  std::size_t rows, columns;

  // `column` counts the columns of all systems.
  Value& at(std::size_t column, std::size_t row) const {
    return values[(column / columns * rows + row) * columns + column % columns];
  }
};

// (system, segment, column) -> (system, column, segment), so that sums read contiguous memory.
template <class Out, class In>
std::vector<Out> column_major(const In* table, const SumShape& shape) {
  std::vector<Out> out(shape.systems * shape.segments * shape.columns);
  for (std::size_t s = 0; s < shape.systems; ++s)
    for (std::size_t i = 0; i < shape.segments; ++i)
      for (std::size_t k = 0; k < shape.columns; ++k)
        out[(s * shape.columns + k) * shape.segments + i] = static_cast<Out>(*table++);
  return out;
}

class RealTable {
 public:
  using Total = double;

  RealTable(const double* table, const SumShape& shape) : shape(shape), values_(column_major<double>(table, shape)) {}

  void check(std::uint64_t) const {}

  // Adds the sums over a chunk.
  void add(const WeightTile& tile, const Totals<double>& totals) const {
    std::array<double, kSumBlock> weights;
    for (std::size_t row = 0; row < tile.rows; ++row)
      for (std::size_t begin = 0; begin < tile.segments; begin += kSumBlock) {
        const std::size_t count = std::min(kSumBlock, tile.segments - begin);
        tile.visit(row, [&](const auto* of_row) { std::copy_n(of_row + begin, count, weights.begin()); });
        for (std::size_t c = 0; c < shape.systems * shape.columns; ++c)
          totals.at(c, tile.first_row + row) +=
              block_sum(weights.data(), &values_[c * shape.segments + tile.first_segment + begin], count);
      }
  }

  SumShape shape;

 private:
  typedef double Pair __attribute__((vector_size(16)));

  static Pair load(const double* values) {
    Pair pair;
    std::memcpy(&pair, values, sizeof pair);
    return pair;
  }

  // Eight partial sums, added up in order at the end.
  static double block_sum(const double* weights, const double* values, std::size_t segments) {
    Pair a{}, b{}, c{}, d{};
    std::size_t i = 0;
    for (; i + 8 <= segments; i += 8) {
      a += load(weights + i) * load(values + i);
      b += load(weights + i + 2) * load(values + i + 2);
      c += load(weights + i + 4) * load(values + i + 4);
      d += load(weights + i + 6) * load(values + i + 6);
    }
    std::array<double, 8> lanes{a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1]};
    for (std::size_t lane = 0; i < segments; ++i, ++lane) lanes[lane] += weights[i] * values[i];
    double sum = 0;
    for (const double lane : lanes) sum += lane;
    return sum;
  }

  std::vector<double> values_;
};

// Dot products of one column with kRowsAtOnce rows of weights, in 32 bits.
using RowSums = std::array<std::int32_t, kRowsAtOnce>;

[[gnu::always_inline]] inline RowSums dot_rows_inlined(const std::int16_t* values, const std::int16_t* weights,
                                                        std::size_t segments) {
  static_assert(kRowsAtOnce == 4);
  std::int32_t a = 0, b = 0, c = 0, d = 0;
  for (std::size_t i = 0; i < segments; ++i) {
    a += std::int32_t{values[i]} * weights[i];
    b += std::int32_t{values[i]} * weights[kChunk + i];
    c += std::int32_t{values[i]} * weights[2 * kChunk + i];
    d += std::int32_t{values[i]} * weights[3 * kChunk + i];
  }
  return {a, b, c, d};
}

#ifdef ASSAY_HAS_AVX2_TARGET
[[gnu::target("avx2")]] inline RowSums dot_rows_avx2(const std::int16_t* values, const std::int16_t* weights,
                                                      std::size_t segments) {
  return dot_rows_inlined(values, weights, segments);
}
#endif

inline RowSums dot_rows(const std::int16_t* values, const std::int16_t* weights, std::size_t segments) {
#ifdef ASSAY_HAS_AVX2_TARGET
  if (has_avx2()) return dot_rows_avx2(values, weights, segments);
#endif
  return dot_rows_inlined(values, weights, segments);
}

class IntegerTable {
 public:
  using Total = std::int64_t;

  IntegerTable(const std::int64_t* table, const SumShape& shape) : shape(shape) {
    std::int64_t largest = 0, smallest = 0;
    for (std::size_t i = 0; i < shape.systems * shape.segments * shape.columns; ++i) {
      largest = std::max(largest, table[i]);
      smallest = std::min(smallest, table[i]);
    }
    magnitude_ = std::max(static_cast<std::uint64_t>(largest), 0 - static_cast<std::uint64_t>(smallest));
    if (magnitude_ <= kNarrow) narrow_ = column_major<std::int16_t>(table, shape);
    else wide_ = column_major<std::int64_t>(table, shape);
  }

  // Refuses a row of weights whose sums could exceed 64 bits if every statistic were as large as the largest.
  void check(std::uint64_t drawn) const {
    if (drawn != 0 && magnitude_ > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) / drawn)
      throw std::overflow_error("the statistics are too large to be summed in 64 bits");
  }

  // Adds the sums over a chunk.
  void add(const WeightTile& tile, const Totals<std::int64_t>& totals) const {
    for (std::size_t row = 0; row < tile.rows; row += kRowsAtOnce) {
      const std::size_t rows = std::min(kRowsAtOnce, tile.rows - row);
      bool is_narrow = magnitude_ <= kNarrow;
      for (std::size_t r = row; r < row + rows; ++r) {
        is_narrow = is_narrow && tile.is_narrow(r) &&
                    tile.drawn(r) * magnitude_ <= std::numeric_limits<std::int32_t>::max();
      }
      if (is_narrow) add_narrow(tile, row, rows, totals);
      else
        for (std::size_t r = row; r < row + rows; ++r)
          if (magnitude_ <= kNarrow) add_wide(narrow_, tile, r, totals);
          else add_wide(wide_, tile, r, totals);
    }
  }

  SumShape shape;

 private:
  static constexpr std::uint64_t kNarrow = WeightTile::kNarrow;

  void add_narrow(const WeightTile& tile, std::size_t row, std::size_t rows, const Totals<std::int64_t>& totals) const {
    for (std::size_t c = 0; c < shape.systems * shape.columns; ++c) {
      const RowSums sums = dot_rows(&narrow_[c * shape.segments + tile.first_segment], tile.narrow(row), tile.segments);
      for (std::size_t r = 0; r < rows; ++r) totals.at(c, tile.first_row + row + r) += sums[r];
    }
  }

  template <class Value>
  void add_wide(const std::vector<Value>& table, const WeightTile& tile, std::size_t row,
                const Totals<std::int64_t>& totals) const {
    for (std::size_t c = 0; c < shape.systems * shape.columns; ++c) {
      const Value* const values = &table[c * shape.segments + tile.first_segment];
      std::int64_t sum = 0;
      tile.visit(row, [&](const auto* weights) {
        for (std::size_t i = 0; i < tile.segments; ++i) sum += std::int64_t{weights[i]} * values[i];
      });
      totals.at(c, tile.first_row + row) += sum;
    }
  }

  std::vector<std::int16_t> narrow_;  // the table, if its values fit;
  std::vector<std::int64_t> wide_;    // otherwise here
  std::uint64_t magnitude_ = 0;
};

// A table and the place for its totals.
template <class Table>
struct TableSum {
  TableSum(const Table& table, std::size_t rows, typename Table::Total* totals)
      : table(&table), totals{totals, rows, table.shape.columns} {}

  const Table* table;
  Totals<typename Table::Total> totals;
};

using AnySum = std::variant<TableSum<IntegerTable>, TableSum<RealTable>>;

// Where rows of weights come from. `start(row)` prepares a row and returns a bound of the sum of its weights; `draw(row, chunk,
// tile)` writes its weights for a chunk, one chunk after the other.
template <class Source>
concept WeightSource = std::copyable<Source> && requires(Source source, std::size_t row, std::size_t chunk, WeightTile& tile) {
  { source.segments } -> std::convertible_to<std::size_t>;
  { source.start(row) } -> std::same_as<std::uint64_t>;
  source.draw(row, chunk, tile);
};

// Rows of weights from a matrix (row, segment).
class WeightMatrix {
 public:
  WeightMatrix(const std::uint32_t* weights, std::size_t segments) : segments(segments), weights_(weights) {}

  std::uint64_t start(std::size_t row) {
    std::uint64_t drawn = 0;
    for (std::size_t i = 0; i < segments; ++i) drawn += weights_[row * segments + i];
    return drawn;
  }

  void draw(std::size_t row, std::size_t chunk, WeightTile& tile) const {
    tile.copy(row - tile.first_row, weights_ + row * segments + chunk * kChunk);
  }

  std::size_t segments;

 private:
  const std::uint32_t* weights_;
};

// Rows of weights from a bootstrap: row j is resample `first + j`.
class BootstrapRows {
 public:
  BootstrapRows(const Bootstrap& bootstrap, std::size_t first)
      : segments(bootstrap.segments), bootstrap_(bootstrap), first_(first), shares_(WeightTile::kRows * chunks_of(segments)) {}

  std::uint64_t start(std::size_t row) {
    bootstrap_.split(first_ + row, shares(row));
    return bootstrap_.size;
  }

  void draw(std::size_t row, std::size_t chunk, WeightTile& tile) {
    const std::uint32_t share = shares(row)[chunk];
    tile.draw(row - tile.first_row, share,
              [&](auto* weights) { bootstrap_.draw(first_ + row, chunk, share, weights); });
  }

  std::size_t segments;

 private:
  std::uint32_t* shares(std::size_t row) { return &shares_[row % WeightTile::kRows * chunks_of(segments)]; }

  Bootstrap bootstrap_;
  std::size_t first_;
  std::vector<std::uint32_t> shares_;
};

// Rows of swaps: row j is resample `first + j`.
class SwapRows {
 public:
  SwapRows(const Swaps& swaps, std::size_t first)
      : segments(swaps.segments), swaps_(swaps), first_(first), generators_(WeightTile::kRows, swaps.generator(first)) {}

  std::uint64_t start(std::size_t row) {
    generator(row) = swaps_.generator(first_ + row);
    return segments;
  }

  void draw(std::size_t row, std::size_t, WeightTile& tile) {
    tile.draw(row - tile.first_row, tile.segments,
              [&](auto* weights) { Swaps::draw(generator(row), tile.segments, weights); });
  }

  std::size_t segments;

 private:
  Xoshiro256& generator(std::size_t row) { return generators_[row % WeightTile::kRows]; }

  Swaps swaps_;
  std::size_t first_;
  std::vector<Xoshiro256> generators_;
};

// The sums of every table for rows [0, rows) of the source, which each thread copies. All tables have the source's segments.
template <WeightSource Source>
void weighted_sums(std::span<const AnySum> sums, const Source& source, std::size_t rows, int threads) {
  parallel_blocks(rows, WeightTile::kRows, threads, [&] {
    return [&, source = Source(source), tile = WeightTile()](std::size_t first, std::size_t last) mutable {
      for (std::size_t row = first; row < last; ++row) {
        const std::uint64_t drawn = source.start(row);
        for (const AnySum& any : sums) std::visit([&](const auto& sum) { sum.table->check(drawn); }, any);
      }
      for (std::size_t chunk = 0; chunk < chunks_of(source.segments); ++chunk) {
        const std::size_t begin = chunk * kChunk, end = std::min(source.segments, begin + kChunk);
        checkpoint(Watch::kPatience);
        tile.start(first, last - first, begin, end - begin);
        for (std::size_t row = first; row < last; ++row) source.draw(row, chunk, tile);
        for (const AnySum& any : sums) std::visit([&](const auto& sum) { sum.table->add(tile, sum.totals); }, any);
      }
    };
  });
}

}  // namespace assay
